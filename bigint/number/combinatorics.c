// combinatorics.c: factorials, primorials, binomial coefficients.
#include "bigint/number/number.h"

// Factors of one prime power each are below n: a list of all of them has room for one word a prime.
static uint64_t primes_most(uint64_t n) { return n / 2 + 2; }

// add_swing: the odd part of the swing of n, n! / floor(n / 2)!^2: a prime p as often as one of
// floor(n / p^k) is odd.
static void add_swing(factor_list *list, const unsigned char *sieve, uint64_t n) {
    for (uint64_t i = 1; 2 * i + 1 <= n; i++) {
        const uint64_t p = 2 * i + 1;
        if (sieve[i] == 0) {
            uint64_t power = 1;
            for (uint64_t q = n / p; q > 0; q /= p) {
                power *= q % 2 == 1 ? p : 1;  // at most n
            }
            if (power > 1) {
                factors_add(list, power);
            }
        }
    }
}

// odd_factorial: r = the odd part of n!, in workspace: that of floor(n / 2)! squared times the
// swing's, from the top bit of n down.
static bigint_status odd_factorial(bigint_ctx *ctx, const char *who, bigint *r, uint64_t n) {
    const unsigned char *const sieve = factors_sieve(ctx, who, n);
    factor_list list = sieve == NULL ? (factor_list){0} : factors_begin(ctx, who, primes_most(n));
    if (list.p == NULL) {
        return BIGINT_ENOMEM;
    }
    // The odd part has at most bits(n) n bits.
    const uint64_t limbs = (64 - word_clz(n | 1)) * (n / 64 + 1) + 4;
    bigint square = bigint_scratch(ctx, who, limbs), value = BIGINT_INIT;
    if (square.d_ != NULL) {
        value = bigint_scratch(ctx, who, limbs);
    }
    bigint_status status = value.d_ == NULL ? BIGINT_ENOMEM : bigint_set_u64(ctx, &value, 1);
    for (unsigned shift = 64 - word_clz(n | 1); shift-- > 0 && status == BIGINT_OK;) {
        const arena_mark mark = arena_get_mark(ctx);
        bigint swing;
        list.n = 0;
        add_swing(&list, sieve, n >> shift);
        (void)((status = factors_product(ctx, who, &swing, &list)) ||
               (status = bigint_sqr(ctx, &square, &value)) ||
               (status = bigint_mul(ctx, &value, &square, &swing)));
        arena_release(ctx, mark);
    }
    *r = value;
    return status;
}

bigint_status bigint_factorial(bigint_ctx *ctx, bigint *r, uint64_t n) {
    const char *who = "bigint_factorial";
    bigint_status status = number_check(ctx, who, r, NULL, NULL);
    if (status == BIGINT_OK) {
        status = number_check_count(ctx, who, n);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    bigint odd;
    const uint64_t twos = n - (uint64_t)__builtin_popcountll(n);  // Legendre
    (void)((status = odd_factorial(ctx, who, &odd, n)) ||
           (status = bigint_mul_2exp(ctx, r, &odd, twos)));
    arena_release(ctx, mark);
    return status;
}

// list_product: r = the product of the list; ENOMEM if the list was not made.
static bigint_status list_product(bigint_ctx *ctx, const char *who, bigint *r,
                                  const factor_list *list) {
    bigint product;
    bigint_status status = BIGINT_ENOMEM;
    if (list->p != NULL) {
        (void)((status = factors_product(ctx, who, &product, list)) ||
               (status = bigint_set(ctx, r, &product)));
    }
    return status;
}

bigint_status bigint_multifactorial(bigint_ctx *ctx, bigint *r, uint64_t n, uint64_t step) {
    const char *who = "bigint_multifactorial";
    bigint_status status = number_check(ctx, who, r, NULL, NULL);
    if (status == BIGINT_OK && step == 0) {
        status = bigint_fail(ctx, BIGINT_EINVAL, "%s: the step is 0", who);
    }
    if (status == BIGINT_OK) {
        status = number_check_count(ctx, who, n / step);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    factor_list list = factors_begin(ctx, who, n / step + 1);
    for (uint64_t k = n; list.p != NULL && k > 1; k = k > step ? k - step : 0) {
        factors_add(&list, k);
    }
    status = list_product(ctx, who, r, &list);
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_primorial(bigint_ctx *ctx, bigint *r, uint64_t n) {
    const char *who = "bigint_primorial";
    bigint_status status = number_check(ctx, who, r, NULL, NULL);
    if (status == BIGINT_OK) {
        status = number_check_count(ctx, who, n);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    const unsigned char *const sieve = factors_sieve(ctx, who, n);
    factor_list list = sieve == NULL ? (factor_list){0} : factors_begin(ctx, who, primes_most(n));
    if (list.p != NULL && n >= 2) {
        factors_add(&list, 2);
        for (uint64_t i = 1; i <= (n - 1) / 2; i++) {
            if (sieve[i] == 0) {
                factors_add(&list, 2 * i + 1);
            }
        }
    }
    status = list_product(ctx, who, r, &list);
    arena_release(ctx, mark);
    return status;
}

// --- Binomial coefficients -----------------------------------------------------------------------

// by_primes: each prime p divides n over k as often as the sum of k and n - k carries in base p, in
// all at most to the power p^m <= n. [Kummer52]
static bigint_status by_primes(bigint_ctx *ctx, const char *who, bigint *r, uint64_t n,
                               uint64_t k) {
    const unsigned char *const sieve = factors_sieve(ctx, who, n);
    factor_list list = sieve == NULL ? (factor_list){0} : factors_begin(ctx, who, primes_most(n));
    for (uint64_t p = 2; list.p != NULL && p <= n; p += p == 2 ? 1 : 2) {
        if (p > 2 && sieve[p / 2] != 0) {
            continue;
        }
        uint64_t power = 1, a = k, b = n - k, carry = 0;
        for (uint64_t rest = n; rest > 0; rest /= p, a /= p, b /= p) {
            carry = a % p + b % p + carry >= p;
            power *= carry != 0 ? p : 1;
        }
        if (power > 1) {
            factors_add(&list, power);
        }
    }
    return list_product(ctx, who, r, &list);
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

bigint_status bigint_binomial_u64(bigint_ctx *ctx, bigint *r, uint64_t n, uint64_t k) {
    const char *who = "bigint_binomial_u64";
    bigint_status status = number_check(ctx, who, r, NULL, NULL);
    if (status != BIGINT_OK || k > n) {
        return status != BIGINT_OK ? status : bigint_set_u64(ctx, r, 0);
    }
    const uint64_t least = k < n - k ? k : n - k;
    const bool few = least < n / 16;  // factors, compared with the primes up to n
    status = number_check_count(ctx, who, few ? least : n);
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    status = few ? by_quotient(ctx, who, r, n, least) : by_primes(ctx, who, r, n, least);
    arena_release(ctx, mark);
    return status;
}
