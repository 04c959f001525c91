// combinatorics.c: factorials and primorials.
#include "bigint/core/host_call.h"
#include "bigint/number/number.h"

// add_swing: the odd part of the swing of n, n! / floor(n / 2)!^2: a prime p as often as one of
// floor(n / p^k) is odd.
static void add_swing(factor_list *list, const prime_list *primes, uint64_t n) {
    for (uint64_t i = 0; i < primes->n && primes->p[i] <= n; i++) {
        const uint64_t p = primes->p[i];
        uint64_t power = 1;
        for (uint64_t q = n / p; q > 0; q /= p) {
            power *= q % 2 == 1 ? p : 1;  // at most n
        }
        factors_add(list, power);
    }
}

// odd_factorial: r = the odd part of n!, in workspace: that of floor(n / 2)! squared times the
// swing's, from the top bit of n down.
static bigint_status odd_factorial(bigint_ctx *ctx, const char *who, bigint *r, uint64_t n) {
    prime_list primes;
    factor_list list = factors_of_primes(ctx, who, &primes, n);
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
        add_swing(&list, &primes, n >> shift);
        (void)((status = factors_product(ctx, who, &swing, &list)) ||
               (status = bigint_sqr(ctx, &square, &value)) ||
               (status = bigint_mul(ctx, &value, &square, &swing)));
        arena_release(ctx, mark);
    }
    *r = value;
    return status;
}

bigint_status bigint_factorial(bigint_ctx *ctx, bigint *r, uint64_t n) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_factorial", (host_operands){.r = {r}});
        return host_call_end(&there, bigint_factorial(ctx, there.r[0], n));
    }
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

bigint_status bigint_multifactorial(bigint_ctx *ctx, bigint *r, uint64_t n, uint64_t step) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_multifactorial", (host_operands){.r = {r}});
        return host_call_end(&there, bigint_multifactorial(ctx, there.r[0], n, step));
    }
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
    status = factors_store(ctx, who, r, &list);
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_primorial(bigint_ctx *ctx, bigint *r, uint64_t n) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_primorial", (host_operands){.r = {r}});
        return host_call_end(&there, bigint_primorial(ctx, there.r[0], n));
    }
    const char *who = "bigint_primorial";
    bigint_status status = number_check(ctx, who, r, NULL, NULL);
    if (status == BIGINT_OK) {
        status = number_check_count(ctx, who, n);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    prime_list primes;
    factor_list list = factors_of_primes(ctx, who, &primes, n);
    if (list.p != NULL && n >= 2) {
        factors_add(&list, 2);
        for (uint64_t i = 0; i < primes.n; i++) {
            factors_add(&list, primes.p[i]);
        }
    }
    status = factors_store(ctx, who, r, &list);
    arena_release(ctx, mark);
    return status;
}
