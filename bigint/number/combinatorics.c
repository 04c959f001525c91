// combinatorics.c: factorials and primorials.
#include "bigint/core/host_call.h"
#include "bigint/multiply/product.h"
#include "bigint/number/number.h"
#include "bigint/number/plan.h"

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

// odd_limbs: room for the odd part of n!, which has at most bits(n) n bits.
static uint64_t odd_limbs(uint64_t n) { return number_bits(n | 1) * (n / 64 + 1) + 4; }

// odd_factorial: r = the odd part of n!, in workspace: that of floor(n / 2)! squared times the
// swing's, from the top bit of n down.
static bigint_status odd_factorial(bigint_ctx *ctx, const char *who, bigint *r, uint64_t n) {
    prime_list primes;
    factor_list list = factors_of_primes(ctx, who, &primes, n);
    if (list.p == NULL) {
        return BIGINT_ENOMEM;
    }
    const uint64_t limbs = odd_limbs(n);
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

void factorial_need(work_need *w, uint64_t n) {
    const uint64_t in_use = w->host.in_use, half = odd_limbs(n / 2);
    w->status = w->status == BIGINT_OK ? number_check_count(w->ctx, w->who, n) : w->status;
    if (w->status != BIGINT_OK) {
        return;
    }
    // A swing divides (n + 1) times a binomial coefficient, which is below 2^n.
    const unsigned bits = number_bits(n + 1);
    const uint64_t swing = factors_words(n + bits, bits, n / 2 + 1);
    factors_of_primes_need(w, n);
    need_take_limbs(&w->host, odd_limbs(n));
    need_take_limbs(&w->host, odd_limbs(n));
    factors_product_need(w, swing);
    // Shorter numbers than the bound may take another engine, with more memory.
    for (uint64_t m = half; m > half / 2; m -= half / 8 + 1) {
        mul_product_need(w, m, m, true, m);
        mul_product_need(w, 2 * m, swing, false, m);
    }
    need_release(&w->host, in_use);
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

void multifactorial_need(work_need *w, uint64_t n, uint64_t step) {
    const uint64_t in_use = w->host.in_use, count = step == 0 ? 0 : n / step;
    w->status = w->status == BIGINT_OK ? number_check_count(w->ctx, w->who, count) : w->status;
    if (w->status == BIGINT_OK) {
        need_take_limbs(&w->host, count + 1);
        factors_product_need(w, factors_words(count * number_bits(n), number_bits(n), count + 1));
        need_release(&w->host, in_use);
    }
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

void primorial_need(work_need *w, uint64_t n) {
    const uint64_t in_use = w->host.in_use;
    w->status = w->status == BIGINT_OK ? number_check_count(w->ctx, w->who, n) : w->status;
    if (w->status == BIGINT_OK) {
        factors_of_primes_need(w, n);
        // The product is below 3^n [Hanson72], and 2^(8/5) > 3.
        factors_product_need(w, factors_words(n / 5 * 8 + 8, number_bits(n), n / 2 + 1));
        need_release(&w->host, in_use);
    }
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
