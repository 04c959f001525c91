// binomial_word.c: binomial coefficients of words.
#include "bigint/core/host_call.h"
#include "bigint/divide/plan.h"
#include "bigint/number/number.h"
#include "bigint/number/odd_factorials.h"
#include "bigint/number/plan.h"

// n over k is a word up to n = WORD_MOST, and two up to ODD_FACTORIALS_MOST.
enum { WORD_MOST = 67 };

// ones: how many bits of x are 1, for x < 256.
static inline unsigned ones(unsigned x) {
    x -= x >> 1 & 0x55;
    x = (x & 0x33) + (x >> 2 & 0x33);
    return (x + (x >> 4)) & 0x0F;
}

// twos: how often 2 divides n over k, n < 256: as often as the sum of k and n - k carries, and a
// carry changes a bit. [Kummer52]
static inline unsigned twos(unsigned n, unsigned k) { return ones(n ^ k ^ (n - k)); }

// word: n over k, k <= n <= WORD_MOST, by its odd part modulo 2^64.
static inline uint64_t word(unsigned n, unsigned k) {
    const uint64_t inverse = odd_factorials[k].inverse * odd_factorials[n - k].inverse;
    return odd_factorials[n].low * inverse << twos(n, k);
}

// few: r = n over k, k <= n <= ODD_FACTORIALS_MOST. Its odd part is below 2^128, and so known
// modulo 2^128.
static bigint_status few(bigint_ctx *ctx, bigint *r, unsigned n, unsigned k) {
    const odd_factorial *const above = &odd_factorials[n];
    const odd_factorial *const f = &odd_factorials[k], *const g = &odd_factorials[n - k];
    if (n <= WORD_MOST) {
        return bigint_set_u64(ctx, r, word(n, k));
    }
    const uint64_t inverse = f->inverse * g->inverse;
    const word_pair below =
        ((word_pair)f->high << 64 | f->low) * ((word_pair)g->high << 64 | g->low);
    const word_pair both = inverse * (2 - below * inverse);  // Newton's step
    const word_pair value = (((word_pair)above->high << 64 | above->low) * both) << twos(n, k);
    const uint64_t limbs[] = {(uint64_t)value, (uint64_t)(value >> 64)};
    return bigint_set_limbs(ctx, r, limbs, 2, 1);
}

// carries: p^m, m how often the sum of k and n - k carries in base p.
static inline __attribute__((always_inline)) uint64_t carries(uint64_t p, uint64_t n, uint64_t k) {
    uint64_t power = 1, carry = 0;
    for (uint64_t rest = n, a = k, b = n - k; rest > 0; rest /= p, a /= p, b /= p) {
        carry = a % p + b % p + carry >= p;
        power *= carry != 0 ? p : 1;
    }
    return power;
}

// carries_of: the same, with products in place of divisions for the first primes, which have the
// most digits.
static uint64_t carries_of(uint64_t p, uint64_t n, uint64_t k) {
    switch (p) {
        case 3:
            return carries(3, n, k);
        case 5:
            return carries(5, n, k);
        case 7:
            return carries(7, n, k);
        case 11:
            return carries(11, n, k);
        case 13:
            return carries(13, n, k);
        default:
            return carries(p, n, k);
    }
}

// carry_of_two: p if the sum carries, of numbers of two digits: the upper ones of k and n - k add
// up to that of n. Shorter divisions take half the time.
static inline uint64_t carry_of_two(uint64_t p, uint64_t n, uint64_t k) {
    const bool carry =
        n >> 32 == 0 ? (uint32_t)n % (uint32_t)p < (uint32_t)k % (uint32_t)p : n % p < k % p;
    return carry ? p : 1;
}

// by_primes: each prime p divides n over k as often as the sum of k and n - k carries in base p, in
// all at most to the power p^m <= n. [Kummer52] k <= n / 2.
static bigint_status by_primes(bigint_ctx *ctx, const char *who, bigint *r, uint64_t n,
                               uint64_t k) {
    prime_list primes;
    factor_list list = factors_of_primes(ctx, who, &primes, n);
    if (list.p == NULL) {
        return BIGINT_ENOMEM;
    }
    const int twos =
        __builtin_popcountll(k) + __builtin_popcountll(n - k) - __builtin_popcountll(n);
    factors_add(&list, (uint64_t)1 << twos);
    uint64_t i = 0;
    for (; i < primes.n && primes.p[i] <= n / primes.p[i]; i++) {
        factors_add(&list, carries_of(primes.p[i], n, k));
    }
    for (; i < primes.n && primes.p[i] <= n - k; i++) {
        factors_add(&list, carry_of_two(primes.p[i], n, k));
    }
    for (; i < primes.n; i++) {
        factors_add(&list, primes.p[i]);  // p > k, too: the lowest digits are all, and n has two
    }
    return factors_store(ctx, who, r, &list);
}

// by_quotient: n (n - 1) ... (n - k + 1) / k!.
static bigint_status by_quotient(bigint_ctx *ctx, const char *who, bigint *r, uint64_t n,
                                 uint64_t k) {
    factor_list above = factors_begin(ctx, who, k + 1);
    factor_list below = above.p == NULL ? (factor_list){0} : factors_begin(ctx, who, k + 1);
    if (below.p == NULL) {
        return BIGINT_ENOMEM;
    }
    for (uint64_t i = 0; i < k; i++) {
        factors_add(&above, n - i);
        factors_add(&below, i + 1);
    }
    bigint numerator, denominator;
    bigint_status status;
    (void)((status = factors_product(ctx, who, &numerator, &above)) ||
           (status = factors_product(ctx, who, &denominator, &below)) ||
           (status = bigint_divrem(ctx, r, NULL, &numerator, &denominator)));
    return status;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

binomial_way number_binomial_way(uint64_t n, uint64_t k) {
    return k > n                      ? BINOMIAL_ZERO
           : n <= ODD_FACTORIALS_MOST ? BINOMIAL_PAIR
           : least(k, n - k) < n / 16 ? BINOMIAL_QUOTIENT  // factors, compared with primes up to n
                                      : BINOMIAL_PRIMES;
}

// factors_of: how many numbers a way looks at.
static uint64_t factors_of(binomial_way way, uint64_t n, uint64_t k) {
    return way == BINOMIAL_QUOTIENT ? least(k, n - k) : n;
}

void binomial_u64_need(work_need *w, uint64_t n, uint64_t k) {
    const uint64_t in_use = w->host.in_use;
    const binomial_way way = number_binomial_way(n, k);
    if (way == BINOMIAL_ZERO || way == BINOMIAL_PAIR || w->status != BIGINT_OK) {
        return;
    }
    const uint64_t count = factors_of(way, n, k);
    const unsigned bits = number_bits(n), its = number_bits(count);
    w->status = number_check_count(w->ctx, w->who, count);
    if (w->status == BIGINT_OK && way == BINOMIAL_PRIMES) {
        factors_of_primes_need(w, n);
        factors_product_need(w, factors_words(n, bits, n / 2 + 1) + 1);  // below 2^n; twos
    } else if (w->status == BIGINT_OK) {
        const uint64_t above = factors_words(count * bits, bits, count + 1),
                       below = factors_words(count * its, its, count + 1);
        need_take_limbs(&w->host, count + 1);
        need_take_limbs(&w->host, count + 1);
        factors_product_need(w, above);
        factors_product_need(w, below);
        divrem_need(w, above, below);
    }
    need_release(&w->host, in_use);
}

// any_binomial: bigint_binomial_u64 of any arguments.
static __attribute__((noinline)) bigint_status any_binomial(bigint_ctx *ctx, bigint *r, uint64_t n,
                                                            uint64_t k) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_binomial_u64", (host_operands){.r = {r}});
        return host_call_end(&there, any_binomial(ctx, there.r[0], n, k));
    }
    const char *who = "bigint_binomial_u64";
    bigint_status status = number_check(ctx, who, r, NULL, NULL);
    const binomial_way way = number_binomial_way(n, k);
    if (status != BIGINT_OK || way == BINOMIAL_ZERO) {
        return status != BIGINT_OK ? status : bigint_set_u64(ctx, r, 0);
    }
    if (way == BINOMIAL_PAIR) {
        return few(ctx, r, (unsigned)n, (unsigned)k);
    }
    status = number_check_count(ctx, who, factors_of(way, n, k));
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t shorter = least(k, n - k);
    status = way == BINOMIAL_QUOTIENT ? by_quotient(ctx, who, r, n, shorter)
                                      : by_primes(ctx, who, r, n, shorter);
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_binomial_u64(bigint_ctx *ctx, bigint *r, uint64_t n, uint64_t k) {
    if (n > WORD_MOST || k > n || r->cap_ == 0 || !bigint_all_on_host(ctx, r, r, r)) {
        return any_binomial(ctx, r, n, k);
    }
    r->d_[0] = word((unsigned)n, (unsigned)k);
    r->n_ = 1;
    r->sign_ = 1;
    return BIGINT_OK;
}
