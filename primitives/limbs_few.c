// limbs_few.c: products and squares of few limbs, unrolled for each length, in portable C. May
// include limbs.h.
#include <assert.h>

#include "primitives/limbs.h"
#include "primitives/word.h"

// columns: {rp, 2 n} = {ap, n} {bp, n}: column k is the sum of all a_i b_(k-i) and of what the
// columns below carry: less than n B^2 + n B, three limbs.
static inline __attribute__((always_inline)) void columns(uint64_t *rp, const uint64_t *ap,
                                                          const uint64_t *bp, const size_t n) {
    word_pair sum = 0;
    uint64_t over = 0;  // carries out of sum
#pragma GCC unroll 16
    for (size_t k = 0; k + 1 < 2 * n; k++) {
#pragma GCC unroll 8
        for (size_t i = k < n ? 0 : k - n + 1; i <= k && i < n; i++) {
            const word_pair t = (word_pair)ap[i] * bp[k - i];
            sum += t;
            over += sum < t;
        }
        rp[k] = (uint64_t)sum;
        sum = sum >> 64 | (word_pair)over << 64;
        over = 0;
    }
    rp[2 * n - 1] = (uint64_t)sum;
}

void limbs_mul_unrolled(uint64_t *rp, const uint64_t *ap, const uint64_t *bp, size_t n) {
    assert(1 <= n && n <= LIMBS_UNROLLED);
    switch (n) {
        case 1:
            columns(rp, ap, bp, 1);
            break;
        case 2:
            limbs_mul_2(rp, ap, bp);
            break;
        case 3:
            columns(rp, ap, bp, 3);
            break;
        case 4:
            columns(rp, ap, bp, 4);
            break;
        default:
            columns(rp, ap, bp, LIMBS_UNROLLED);
            break;
    }
}

// square_columns: column k is twice the sum of all a_i a_(k-i) with i < k - i, with a_(k/2)^2 for
// an even k, and what the columns below carry. As one of columns it is less than n B^2 + n B,
// three limbs; doubled before the rest is added, since that is the same sum.
static inline __attribute__((always_inline)) void square_columns(uint64_t *rp, const uint64_t *ap,
                                                                 const size_t n) {
    word_pair carried = 0;
#pragma GCC unroll 24
    for (size_t k = 0; k + 1 < 2 * n; k++) {
        word_pair sum = 0;
        uint64_t over = 0;  // carries out of sum
#pragma GCC unroll 8
        for (size_t i = k < n ? 0 : k - n + 1; 2 * i < k; i++) {
            const word_pair t = (word_pair)ap[i] * ap[k - i];
            sum += t;
            over += sum < t;
        }
        over = over << 1 | (uint64_t)(sum >> 127);
        sum <<= 1;
        if (k % 2 == 0) {
            const word_pair t = (word_pair)ap[k / 2] * ap[k / 2];
            sum += t;
            over += sum < t;
        }
        sum += carried;
        over += sum < carried;
        rp[k] = (uint64_t)sum;
        carried = sum >> 64 | (word_pair)over << 64;
    }
    assert(carried >> 64 == 0);  // a^2 < B^(2 n)
    rp[2 * n - 1] = (uint64_t)carried;
}

void limbs_sqr_unrolled(uint64_t *rp, const uint64_t *ap, size_t n) {
    assert(1 <= n && n <= LIMBS_SQUARES_UNROLLED);
    switch (n) {
        case 1:
            square_columns(rp, ap, 1);
            break;
        case 2:
            square_columns(rp, ap, 2);
            break;
        case 3:
            square_columns(rp, ap, 3);
            break;
        case 4:
            square_columns(rp, ap, 4);
            break;
        case 5:
            square_columns(rp, ap, 5);
            break;
        case 6:
            square_columns(rp, ap, 6);
            break;
        case 7:
            square_columns(rp, ap, 7);
            break;
        case 8:
            square_columns(rp, ap, 8);
            break;
        case 9:
            square_columns(rp, ap, 9);
            break;
        case 10:
            square_columns(rp, ap, 10);
            break;
        case 11:
            square_columns(rp, ap, 11);
            break;
        default:
            square_columns(rp, ap, LIMBS_SQUARES_UNROLLED);
            break;
    }
}
