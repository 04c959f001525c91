// factors.c: products of many words, and the primes below a bound.
#include <assert.h>
#include <string.h>

#include "bigint/modular/prime.h"
#include "bigint/multiply/mul.h"
#include "bigint/number/number.h"

bigint_status number_check_count(bigint_ctx *ctx, const char *who, uint64_t count) {
    return count >> 50 == 0 ? BIGINT_OK
                            : bigint_fail(ctx, BIGINT_ENOMEM,
                                          "%s: no memory for a product of up to %llu factors", who,
                                          (unsigned long long)count);
}

factor_list factors_begin(bigint_ctx *ctx, const char *who, uint64_t cap) {
    return (factor_list){.p = arena_take_limbs(ctx, who, cap), .cap = cap};
}

enum { ROWS_MOST = 16 };

// product: r = the product of {p, n}, n >= 1, by halves; r has room for n limbs.
static bigint_status product(bigint_ctx *ctx, const char *who, bigint *r, const uint64_t *p,
                             uint64_t n) {
    if (n <= ROWS_MOST) {
        r->d_[0] = p[0];
        for (uint64_t i = 1; i < n; i++) {
            r->d_[i] = ctx->limbs->mul_1(r->d_, r->d_, i, p[i]);
        }
        bigint_finish(r, n, 1);
        return BIGINT_OK;
    }
    const arena_mark mark = arena_get_mark(ctx);
    bigint low = bigint_scratch(ctx, who, n / 2 + 1), high = BIGINT_INIT;
    bigint_status status = low.d_ == NULL ? BIGINT_ENOMEM : product(ctx, who, &low, p, n / 2);
    if (status == BIGINT_OK) {
        high = bigint_scratch(ctx, who, n - n / 2 + 1);
        status = high.d_ == NULL ? BIGINT_ENOMEM : product(ctx, who, &high, p + n / 2, n - n / 2);
    }
    if (status == BIGINT_OK) {
        status = bigint_mul(ctx, r, &low, &high);
    }
    arena_release(ctx, mark);
    return status;
}

void factors_product_need(work_need *w, uint64_t words) {
    need_take_limbs(&w->host, words + 1);
    const uint64_t in_use = w->host.in_use;
    for (uint64_t n = words; n > ROWS_MOST; n -= n / 2) {  // down the upper halves
        need_take_limbs(&w->host, n / 2 + 1);
        need_take_limbs(&w->host, n - n / 2 + 1);
        mul_need(w, n / 2, n - n / 2, false);
    }
    need_release(&w->host, in_use);
}

bigint_status factors_product(bigint_ctx *ctx, const char *who, bigint *r,
                              const factor_list *list) {
    if (list->failed) {
        return context_impossible(ctx, who, "the number of factors");
    }
    *r = bigint_scratch(ctx, who, list->n + 1);
    return r->d_ == NULL  ? BIGINT_ENOMEM
           : list->n == 0 ? bigint_set_u64(ctx, r, 1)
                          : product(ctx, who, r, list->p, list->n);
}

// sieve_last: the index of the last odd number up to n.
static uint64_t sieve_last(uint64_t n) { return n == 0 ? 0 : (n - 1) / 2; }

void factors_sieve_need(work_need *w, uint64_t n) { need_take(&w->host, sieve_last(n) + 1); }

const unsigned char *factors_sieve(bigint_ctx *ctx, const char *who, uint64_t n) {
    const uint64_t last = sieve_last(n);
    unsigned char *const sieve = arena_take(ctx, who, last + 1);
    if (sieve == NULL) {
        return NULL;
    }
    memset(sieve, 0, last + 1);
    for (uint64_t i = 1; 2 * i * (i + 1) <= last; i++) {  // (2 i + 1)^2 = 2 (2 i (i + 1)) + 1
        for (uint64_t k = 2 * i * (i + 1); sieve[i] == 0 && k <= last; k += 2 * i + 1) {
            sieve[k] = 1;
        }
    }
    return sieve;
}

// The odd primes up to SMALL_MOST, which take no sieve.
enum { SMALL_MOST = 4098 };
// clang-format off
static const uint64_t small[] = {
    3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97,
    101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193,
    197, 199, 211, 223, 227, 229, 233, 239, 241, 251, 257, 263, 269, 271, 277, 281, 283, 293, 307,
    311, 313, 317, 331, 337, 347, 349, 353, 359, 367, 373, 379, 383, 389, 397, 401, 409, 419, 421,
    431, 433, 439, 443, 449, 457, 461, 463, 467, 479, 487, 491, 499, 503, 509, 521, 523, 541, 547,
    557, 563, 569, 571, 577, 587, 593, 599, 601, 607, 613, 617, 619, 631, 641, 643, 647, 653, 659,
    661, 673, 677, 683, 691, 701, 709, 719, 727, 733, 739, 743, 751, 757, 761, 769, 773, 787, 797,
    809, 811, 821, 823, 827, 829, 839, 853, 857, 859, 863, 877, 881, 883, 887, 907, 911, 919, 929,
    937, 941, 947, 953, 967, 971, 977, 983, 991, 997, 1009, 1013, 1019, 1021, 1031, 1033, 1039,
    1049, 1051, 1061, 1063, 1069, 1087, 1091, 1093, 1097, 1103, 1109, 1117, 1123, 1129, 1151, 1153,
    1163, 1171, 1181, 1187, 1193, 1201, 1213, 1217, 1223, 1229, 1231, 1237, 1249, 1259, 1277, 1279,
    1283, 1289, 1291, 1297, 1301, 1303, 1307, 1319, 1321, 1327, 1361, 1367, 1373, 1381, 1399, 1409,
    1423, 1427, 1429, 1433, 1439, 1447, 1451, 1453, 1459, 1471, 1481, 1483, 1487, 1489, 1493, 1499,
    1511, 1523, 1531, 1543, 1549, 1553, 1559, 1567, 1571, 1579, 1583, 1597, 1601, 1607, 1609, 1613,
    1619, 1621, 1627, 1637, 1657, 1663, 1667, 1669, 1693, 1697, 1699, 1709, 1721, 1723, 1733, 1741,
    1747, 1753, 1759, 1777, 1783, 1787, 1789, 1801, 1811, 1823, 1831, 1847, 1861, 1867, 1871, 1873,
    1877, 1879, 1889, 1901, 1907, 1913, 1931, 1933, 1949, 1951, 1973, 1979, 1987, 1993, 1997, 1999,
    2003, 2011, 2017, 2027, 2029, 2039, 2053, 2063, 2069, 2081, 2083, 2087, 2089, 2099, 2111, 2113,
    2129, 2131, 2137, 2141, 2143, 2153, 2161, 2179, 2203, 2207, 2213, 2221, 2237, 2239, 2243, 2251,
    2267, 2269, 2273, 2281, 2287, 2293, 2297, 2309, 2311, 2333, 2339, 2341, 2347, 2351, 2357, 2371,
    2377, 2381, 2383, 2389, 2393, 2399, 2411, 2417, 2423, 2437, 2441, 2447, 2459, 2467, 2473, 2477,
    2503, 2521, 2531, 2539, 2543, 2549, 2551, 2557, 2579, 2591, 2593, 2609, 2617, 2621, 2633, 2647,
    2657, 2659, 2663, 2671, 2677, 2683, 2687, 2689, 2693, 2699, 2707, 2711, 2713, 2719, 2729, 2731,
    2741, 2749, 2753, 2767, 2777, 2789, 2791, 2797, 2801, 2803, 2819, 2833, 2837, 2843, 2851, 2857,
    2861, 2879, 2887, 2897, 2903, 2909, 2917, 2927, 2939, 2953, 2957, 2963, 2969, 2971, 2999, 3001,
    3011, 3019, 3023, 3037, 3041, 3049, 3061, 3067, 3079, 3083, 3089, 3109, 3119, 3121, 3137, 3163,
    3167, 3169, 3181, 3187, 3191, 3203, 3209, 3217, 3221, 3229, 3251, 3253, 3257, 3259, 3271, 3299,
    3301, 3307, 3313, 3319, 3323, 3329, 3331, 3343, 3347, 3359, 3361, 3371, 3373, 3389, 3391, 3407,
    3413, 3433, 3449, 3457, 3461, 3463, 3467, 3469, 3491, 3499, 3511, 3517, 3527, 3529, 3533, 3539,
    3541, 3547, 3557, 3559, 3571, 3581, 3583, 3593, 3607, 3613, 3617, 3623, 3631, 3637, 3643, 3659,
    3671, 3673, 3677, 3691, 3697, 3701, 3709, 3719, 3727, 3733, 3739, 3761, 3767, 3769, 3779, 3793,
    3797, 3803, 3821, 3823, 3833, 3847, 3851, 3853, 3863, 3877, 3881, 3889, 3907, 3911, 3917, 3919,
    3923, 3929, 3931, 3943, 3947, 3967, 3989, 4001, 4003, 4007, 4013, 4019, 4021, 4027, 4049, 4051,
    4057, 4073, 4079, 4091, 4093,
};
// clang-format on

// small_primes: how many odd primes there are up to n <= SMALL_MOST.
static uint64_t small_primes(uint64_t n) {
    uint64_t low = 0, high = sizeof small / sizeof *small;
    while (low < high) {
        const uint64_t middle = (low + high) / 2;
        *(small[middle] <= n ? &low : &high) = middle + (small[middle] <= n);
    }
    return low;
}

// primes_room: above 3 primes are 1 or 5 modulo 6, so there are less than n / 3 + 2. One word more
// is written, and overwritten.
static uint64_t primes_room(uint64_t n) { return n / 3 + 3; }

// odd_primes: the odd primes up to n; p is NULL with the error recorded.
static prime_list odd_primes(bigint_ctx *ctx, const char *who, uint64_t n) {
    if (n <= SMALL_MOST) {
        return (prime_list){small, small_primes(n)};
    }
    uint64_t *const p = arena_take_limbs(ctx, who, primes_room(n)), count = 0;
    const unsigned char *const sieve = p == NULL ? NULL : factors_sieve(ctx, who, n);
    for (uint64_t i = 1; sieve != NULL && i <= (n - 1) / 2; i++) {
        p[count] = 2 * i + 1;
        count += sieve[i] == 0;  // no branch, which would often be foretold wrong
    }
    return (prime_list){sieve == NULL ? NULL : p, count};
}

// primes_most: no fewer than the odd primes up to n < 2^50.
static uint64_t primes_most(uint64_t n) {
    return n <= SMALL_MOST ? small_primes(n) : prime_count_most(n);
}

void factors_of_primes_need(work_need *w, uint64_t n) {
    if (n > SMALL_MOST) {
        need_take_limbs(&w->host, primes_room(n));
        factors_sieve_need(w, n);
    }
    need_take_limbs(&w->host, primes_most(n) + 1);
}

factor_list factors_of_primes(bigint_ctx *ctx, const char *who, prime_list *primes, uint64_t n) {
    *primes = odd_primes(ctx, who, n);
    assert(primes->p == NULL || primes->n <= primes_most(n));
    // Factors of one prime power each are below n: room for one word a prime, and for twos.
    return primes->p == NULL ? (factor_list){0} : factors_begin(ctx, who, primes->n + 1);
}

bigint_status factors_store(bigint_ctx *ctx, const char *who, bigint *r, const factor_list *list) {
    bigint product;
    bigint_status status = BIGINT_ENOMEM;
    if (list->p != NULL) {
        (void)((status = factors_product(ctx, who, &product, list)) ||
               (status = bigint_set(ctx, r, &product)));
    }
    return status;
}
