// primes.c: the next prime, and the Kronecker symbol.
#include "bigint/number/number.h"

// --- The next prime ------------------------------------------------------------------------------

// Odd primes whose multiples are skipped without a test, and the odd numbers tried with one set of
// remainders.
enum { SMALL_PRIMES = 167, SMALL_MOST = 1000, WINDOW = 4096 };

// small_primes: the odd primes below SMALL_MOST.
static unsigned small_primes(uint32_t *primes) {
    unsigned count = 0;
    for (uint32_t k = 3; k < SMALL_MOST; k += 2) {
        bool prime = true;
        for (unsigned i = 0; i < count && prime; i++) {
            prime = k % primes[i] != 0;
        }
        if (prime) {
            primes[count++] = k;
        }
    }
    return count;
}

// test_window: the first prime among x, x + 2, ..., of WINDOW numbers, in x; x odd and above
// SMALL_MOST. *found = 0: x has passed them all.
static bigint_status test_window(bigint_ctx *ctx, int *found, bigint *x, const uint32_t *primes,
                                 unsigned count) {
    unsigned char composite[WINDOW] = {0};
    bigint_status status = BIGINT_OK;
    for (unsigned i = 0; i < count && status == BIGINT_OK; i++) {
        const uint64_t p = primes[i];
        uint64_t rest = 0;
        status = bigint_tdiv_u64(ctx, NULL, &rest, x, p);
        // x + 2 k = 0 modulo p: k = -rest / 2.
        const uint64_t negative = rest == 0 ? 0 : p - rest;
        for (uint64_t k = (negative % 2 == 0 ? negative : negative + p) / 2; k < WINDOW; k += p) {
            composite[k] = 1;
        }
    }
    uint64_t skipped = 0;
    *found = 0;
    for (unsigned k = 0; k < WINDOW && status == BIGINT_OK && !*found; k++, skipped += 2) {
        if (composite[k] == 0) {
            status = bigint_add_u64(ctx, x, x, skipped);
            skipped = 0;
            if (status == BIGINT_OK) {
                status = bigint_probable_prime(ctx, found, x);
            }
        }
    }
    return status != BIGINT_OK || *found ? status : bigint_add_u64(ctx, x, x, skipped);
}

// small_next: the first prime above a < SMALL_MOST.
static uint64_t small_next(uint64_t a, const uint32_t *primes, unsigned count) {
    enum { FIRST_ABOVE = 1009 };  // the first prime above SMALL_MOST
    for (unsigned i = 0; i < count && a >= 2; i++) {
        if (primes[i] > a) {
            return primes[i];
        }
    }
    return a < 2 ? 2 : FIRST_ABOVE;
}

bigint_status bigint_next_prime(bigint_ctx *ctx, bigint *r, const bigint *a) {
    uint32_t primes[SMALL_PRIMES];
    bigint_status status = number_check(ctx, "bigint_next_prime", r, a, NULL);
    if (status != BIGINT_OK) {
        return status;
    }
    const unsigned count = small_primes(primes);
    if (a->n_ == 0 || a->sign_ < 0 || (a->n_ == 1 && a->d_[0] < SMALL_MOST)) {
        const bool none = a->n_ == 0 || a->sign_ < 0;
        return bigint_set_u64(ctx, r, small_next(none ? 0 : a->d_[0], primes, count));
    }
    bigint x = BIGINT_INIT;  // tests take workspace of their own
    int found = 0;
    status = bigint_add_u64(ctx, &x, a, 1 + (a->d_[0] & 1));
    while (!found && status == BIGINT_OK) {
        status = test_window(ctx, &found, &x, primes, count);
    }
    if (status == BIGINT_OK) {
        bigint_swap(r, &x);
    }
    bigint_clear(ctx, &x);
    return status;
}

// --- The Kronecker symbol ------------------------------------------------------------------------

// shift_odd divides x, not 0, by the power of two in it; returns the exponent's parity.
static bigint_status shift_odd(bigint_ctx *ctx, bigint *x, bool *odd_exponent) {
    uint64_t twos = 0;
    const bigint_status status = bigint_scan1(ctx, &twos, x, 0);
    *odd_exponent = twos % 2 != 0;
    return status != BIGINT_OK ? status : bigint_tdiv_2exp(ctx, x, x, twos);
}

// jacobi: *symbol *= (a / b) for odd b > 0; destroys a and b. [Cohen93], algorithm 1.4.10.
static bigint_status jacobi(bigint_ctx *ctx, int *symbol, bigint *a, bigint *b) {
    bigint_status status = bigint_mod(ctx, a, a, b);
    while (status == BIGINT_OK && a->n_ != 0) {
        bool twice;
        status = shift_odd(ctx, a, &twice);
        const uint64_t low = b->d_[0] % 8;
        *symbol = twice && (low == 3 || low == 5) ? -*symbol : *symbol;
        *symbol = (a->d_[0] & b->d_[0] & 2) != 0 ? -*symbol : *symbol;  // both 3 modulo 4
        bigint_swap(a, b);
        if (status == BIGINT_OK) {
            status = bigint_mod(ctx, a, a, b);
        }
    }
    *symbol = b->n_ == 1 && b->d_[0] == 1 ? *symbol : 0;
    return status;
}

// kronecker: for b not 0; destroys a and b.
static bigint_status kronecker(bigint_ctx *ctx, int *symbol, bigint *a, bigint *b) {
    bool twice;
    if (((a->n_ == 0 ? 0 : a->d_[0]) | b->d_[0]) % 2 == 0) {
        *symbol = 0;
        return BIGINT_OK;
    }
    *symbol = a->sign_ < 0 && b->sign_ < 0 ? -1 : 1;
    bigint_status status = shift_odd(ctx, b, &twice);
    const uint64_t low = a->n_ == 0 ? 0 : a->d_[0] % 8;
    *symbol = twice && (low == 3 || low == 5) ? -*symbol : *symbol;
    if (status == BIGINT_OK) {
        status = bigint_abs(ctx, b, b);
    }
    return status != BIGINT_OK ? status : jacobi(ctx, symbol, a, b);
}

bigint_status bigint_kronecker(bigint_ctx *ctx, int *symbol, const bigint *a, const bigint *b) {
    const char *who = "bigint_kronecker";
    bigint_status status = number_check(ctx, who, a, b, NULL);
    if (status != BIGINT_OK) {
        return status;
    }
    if (b->n_ == 0) {
        *symbol = a->n_ == 1 && a->d_[0] == 1;
        return BIGINT_OK;
    }
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t limbs = (a->n_ > b->n_ ? a->n_ : b->n_) + 2;  // for all that bigint_mod reserves
    bigint x = bigint_scratch(ctx, who, limbs), y = BIGINT_INIT;
    if (x.d_ != NULL) {
        y = bigint_scratch(ctx, who, limbs);
    }
    int value = 1;
    status = y.d_ == NULL ? BIGINT_ENOMEM : bigint_set(ctx, &x, a);
    (void)(status || (status = bigint_set(ctx, &y, b)) ||
           (status = kronecker(ctx, &value, &x, &y)));
    if (status == BIGINT_OK) {
        *symbol = value;
    }
    arena_release(ctx, mark);
    return status;
}
