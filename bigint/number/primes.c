// primes.c: the next prime.
#include <string.h>

#include "bigint/batch/prime.h"
#include "bigint/core/host_call.h"
#include "bigint/modular/prime.h"
#include "bigint/number/number.h"
#include "bigint/number/plan.h"

// --- One word ------------------------------------------------------------------------------------

// Words below LEAST are divided by the primes up to their roots in any case. Among WORD_WINDOW odd
// numbers below 2^64 there is nearly always a prime; gaps are 44 on average.
enum { LEAST = 1 << 16, WORD_WINDOW = 128 };

// strike: composite[k] = 1 where p divides x + 2 k, k < window. rest = x mod p; p is odd.
static void strike(unsigned char *composite, uint64_t window, uint64_t rest, uint64_t p) {
    const uint64_t negative = rest == 0 ? 0 : p - rest;  // 2 k = -rest modulo p
    for (uint64_t k = (negative % 2 == 0 ? negative : negative + p) / 2; k < window; k += p) {
        composite[k] = 1;
    }
}

// next_word: *x = the first prime from *x on, odd; false if there is none below 2^64.
static bool next_word(uint64_t *x) {
    static const unsigned char primes[] = {3,  5,  7,  11, 13, 17, 19, 23, 29, 31, 37, 41,  43,
                                           47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103};
    for (; *x < LEAST; *x += 2) {
        if (prime_word(*x)) {
            return true;
        }
    }
    for (; *x <= UINT64_MAX - 2 * WORD_WINDOW; *x += 2 * WORD_WINDOW) {
        unsigned char composite[WORD_WINDOW] = {0};
        for (unsigned i = 0; i < sizeof primes; i++) {
            strike(composite, WORD_WINDOW, *x % primes[i], primes[i]);
        }
        for (uint64_t k = 0; k < WORD_WINDOW; k++) {
            const uint64_t n = *x + 2 * k;
            if (composite[k] == 0 && prime_word_base_2(n) && prime_word_lucas(n)) {
                *x = n;
                return true;
            }
        }
    }
    return false;
}

// --- Longer numbers ------------------------------------------------------------------------------

// window: the odd numbers that are tried with one set of remainders, and the small primes whose
// multiples are struck out among them. Twice as many numbers as x has bits contain no prime once in
// 300 times. The more bits, the more a test costs, compared with a remainder.
typedef struct {
    unsigned char *composite;
    uint64_t count;
    const unsigned char *sieve;
    uint64_t most;  // small primes are at most this
} window;

// windows: the numbers of a window for x of this many limbs, and its small primes.
static window window_of(uint64_t limbs) {
    enum { MOST = 1 << 17 };
    return (window){.count = 128 * (limbs < MOST ? limbs : MOST),
                    .most = 1024 * (limbs < MOST / 1024 ? limbs : MOST / 1024)};
}

static bigint_status window_open(bigint_ctx *ctx, const char *who, window *w, uint64_t limbs) {
    *w = window_of(limbs);
    w->composite = arena_take(ctx, who, w->count);
    w->sieve = w->composite == NULL ? NULL : factors_sieve(ctx, who, w->most);
    return w->sieve == NULL ? BIGINT_ENOMEM : BIGINT_OK;
}

// Candidates may be one limb longer.
void next_prime_need(work_need *w, uint64_t an) {
    const uint64_t in_use = w->host.in_use;
    const window own = window_of(an + 1);
    if (an > 0) {
        need_take(&w->host, own.count);
        factors_sieve_need(w, own.most);
        batch_prime_need(w, 1, an + 1);
        need_release(&w->host, in_use);
    }
}

// strike_all strikes out multiples of the small primes among x, x + 2, ... Primes share a division
// of x while their product fits a word.
static void strike_all(const window *w, const bigint *x) {
    memset(w->composite, 0, w->count);
    for (uint64_t begin = 3, end = begin; begin <= w->most; begin = end) {
        uint64_t product = 1, next;
        for (; end <= w->most; end += 2) {
            if (w->sieve[end / 2] == 0) {
                if (__builtin_mul_overflow(product, end, &next)) {
                    break;
                }
                product = next;
            }
        }
        const word_divisor divisor = word_divisor_of(product);
        const uint64_t rest = limbs_mod_by(x->d_, x->n_, &divisor);
        for (uint64_t p = begin; p < end; p += 2) {
            if (w->sieve[p / 2] == 0) {
                strike(w->composite, w->count, rest % p, p);
            }
        }
    }
}

// test_window: the first prime among x, x + 2, ... of the window, in x, odd and above all small
// primes. *found = 0: x has passed them all.
static bigint_status test_window(bigint_ctx *ctx, int *found, bigint *x, const window *w) {
    bigint_status status = BIGINT_OK;
    uint64_t skipped = 0;
    strike_all(w, x);
    *found = 0;
    for (uint64_t k = 0; k < w->count && status == BIGINT_OK && !*found; k++, skipped += 2) {
        if (w->composite[k] == 0) {
            status = bigint_add_u64(ctx, x, x, skipped);
            skipped = 0;
            if (status == BIGINT_OK) {
                status = bigint_probable_prime(ctx, found, x);
            }
        }
    }
    return status != BIGINT_OK || *found ? status : bigint_add_u64(ctx, x, x, skipped);
}

bigint_status bigint_next_prime(bigint_ctx *ctx, bigint *r, const bigint *a) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_next_prime", (host_operands){.r = {r}, .a = {a}});
        return host_call_end(&there, bigint_next_prime(ctx, there.r[0], there.a[0]));
    }
    const char *who = "bigint_next_prime";
    bigint_status status = number_check(ctx, who, r, a, NULL);
    if (status != BIGINT_OK) {
        return status;
    }
    uint64_t word = 3;
    if (a->sign_ <= 0 || (a->n_ == 1 && a->d_[0] == 1)) {
        return bigint_set_u64(ctx, r, 2);
    }
    if (a->n_ == 1 && a->d_[0] < UINT64_MAX) {
        word = (a->d_[0] + 1) | 1;
        if (next_word(&word)) {
            return bigint_set_u64(ctx, r, word);
        }
    }
    const arena_mark mark = arena_get_mark(ctx);
    bigint x = BIGINT_INIT;  // tests take workspace of their own
    window w;
    int found = 0;
    (void)((status = window_open(ctx, who, &w, a->n_ + 1)) ||
           (status = bigint_add_u64(ctx, &x, a, 1 + (a->d_[0] & 1))));
    while (!found && status == BIGINT_OK) {
        status = test_window(ctx, &found, &x, &w);
    }
    if (status == BIGINT_OK) {
        bigint_swap(r, &x);
    }
    bigint_clear(ctx, &x);
    arena_release(ctx, mark);
    return status;
}
