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

// The odd parts of 0! to 67! modulo 2^64. n over k is a word up to n = 67.
enum { WORD_MOST = 67 };
// clang-format off
static const uint64_t odd_factorials[WORD_MOST + 1] = {
    1, 1, 1, 3, 3, 15, 45, 315, 315, 2835, 14175, 155925, 467775, 6081075, 42567525, 638512875,
    638512875, 10854718875, 97692469875, 1856156927625, 9280784638125, 194896477400625,
    2143861251406875, 49308808782358125, 147926426347074375, 3698160658676859375,
    0x9b3093d46fdd5923, 6782306035909027505, 0x92dd23d6966aced7, 0xa30d0f4f0a196e5b,
    0x8dc3e5a1977d7755, 3078437468952949579, 3078437468952949579, 0x81d2a0bc5e5fdcab,
    0x9efcac82445da75b, 0xbc8b95cf58cde171, 0xa0e8444a1f3cecf9, 4724802359565107197,
    0xddd3878bc84ebfc7, 0xcb39a64b83ff3751, 0xf8203f7993fc1495, 0xbd2a2a78b35f4bdd,
    0x84757be6b6d13921, 4592492671614097547, 0xbd11ed47c8928df9, 4334351382703436997,
    7456361433631292851, 0xff74e943b03b93dd, 0xfe5ebbcb10b2bb97, 0xb021f1de3235e7e7,
    3697629785292514703, 4111678312822733693, 0xe5cb0154f031c559, 0x93074695ba4ddb6d,
    0x81c471caa636247f, 0xe1347289b5a1d749, 2913584609485447935, 53626077284567751,
    1555156241252464779, 0xf95877595b018809, 0x9c2efe3c5516f887, 3977404562141689899,
    0xaf1ff7a888adcd35, 1791854830999142411, 1791854830999142411, 5790099572686947019,
    6605845161573735467, 0xfe3152bcbff89f41,
};
// clang-format on

// in_word: n over k for n <= WORD_MOST: its odd part is below 2^64, and so known modulo 2^64.
// Legendre: n! has n - popcount(n) twos.
static uint64_t in_word(uint64_t n, uint64_t k) {
    const unsigned ones = (unsigned)__builtin_popcountll(n);
    const unsigned twos = (unsigned)(__builtin_popcountll(k) + __builtin_popcountll(n - k)) - ones;
    const uint64_t below = odd_factorials[k] * odd_factorials[n - k];
    return odd_factorials[n] * word_inverse(below) << twos;
}

// carries_of: p^m, m how often the sum of k and n - k carries in base p; p <= n.
static uint64_t carries_of(uint64_t p, uint64_t n, uint64_t k) {
    if (p > n - k) {
        return p;  // and p > k: the lowest digits are all, and n has two
    }
    if (p > n / p) {  // two digits at most: the upper ones of k and n - k add up to that of n
        return n % p < k % p ? p : 1;
    }
    uint64_t power = 1, carry = 0;
    for (uint64_t rest = n, a = k, b = n - k; rest > 0; rest /= p, a /= p, b /= p) {
        carry = a % p + b % p + carry >= p;
        power *= carry != 0 ? p : 1;
    }
    return power;
}

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
        const uint64_t power = carries_of(p, n, k);
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
    if (n <= WORD_MOST) {
        return bigint_set_u64(ctx, r, in_word(n, k));
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
