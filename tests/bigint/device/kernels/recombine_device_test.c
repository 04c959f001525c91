// recombine_device_test.c: residues to limbs on a device, or under the kernel emulation, against
// GMP's sum of the coefficients: signs of coefficients, widths of digits, stretches of a warp, and
// carries that ripple through all of the number.

#include <gmp.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/device/kernels/recombine_device.h"
#include "bigint/device/kernels/recombine_rows.h"
#include "fft/device/modular/second_primes.h"
#include "fft/modular/primes.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

typedef enum { ANY, LARGEST, ZERO, ONES, PATTERNS } pattern;

// lg_of: coefficients modulo that number of primes are within 2^lg_of of zero.
static unsigned lg_of(unsigned primes) {
    return primes == 3 ? 148 : primes == 4 ? 197 : primes == 5 ? 247 : 296;
}

// coefficient: number i of that pattern, within 2^lg of zero. ONES: their value is 2^(bits n) - 1
// without a last carry. The lowest ones are large enough to make the sum positive.
static void coefficient(gen *g, mpz_t c, pattern what, uint64_t i, uint64_t n, unsigned bits,
                        unsigned lg) {
    uint64_t word[5] = {gen_u64(g), gen_u64(g), gen_u64(g), gen_u64(g), gen_u64(g)};
    const bool minus = (word[0] & 1) != 0;
    mpz_import(c, 5, -1, 8, 0, 0, word);
    mpz_tdiv_r_2exp(c, c, lg);
    if (what == ANY && minus && i + 3 < n) {
        mpz_neg(c, c);
    } else if (what == LARGEST) {
        mpz_set_ui(c, 1);
        mpz_mul_2exp(c, c, lg);
        if (i % 2 == 1 && i + 3 < n) {
            mpz_neg(c, c);
        }
    } else if (what == ZERO) {
        mpz_set_ui(c, i == 0);
    } else if (what == ONES) {
        mpz_set_ui(c, 1);
        mpz_mul_2exp(c, c, bits);
        mpz_sub_ui(c, c, i != 0);  // digit 0 carries into all others
    }
}

// residue: c modulo p as a double, up to 4 p away from the balanced one.
static double residue(gen *g, const mpz_t c, const fft_prime *prime) {
    const long p = (long)prime->p;
    const long r = (long)mpz_fdiv_ui(c, (unsigned long)p);
    return (double)(r > p / 2 ? r - p : r) + (double)p * ((double)gen_below(g, 7) - 3);
}

// expect_sum expects rn limbs of the value of the residues, or of the reals, to equal `sum`, and
// the sign. It does so twice, because the first call must leave the workspace ready.
static void expect_sum(const mpz_t sum, uint64_t rn, const recombine_residues *residues,
                       const recombine_reals *reals) {
    ASSERT_TRUE(mpz_sgn(sum) >= 0);
    const size_t words = recombine_device_bytes(rn);
    uint64_t *r = malloc(8 * rn), *want = calloc(rn, 8), signs[3] = {7, 1, 0};
    mpz_export(want, NULL, -1, 8, 0, 0, sum);
    uint64_t *d_r = device_alloc(8 * rn + 128), *workspace = device_alloc(words);
    uint64_t *d_signs = device_alloc(sizeof signs);
    EXPECT_TRUE(device_fill(workspace, 0, words) && device_upload(d_signs, signs, sizeof signs));
    const recombine_signs at = {d_signs, d_signs + 1, d_signs + 2};
    for (int twice = 0; twice < 2; twice++) {
        const result done =
            residues ? recombine_device(d_r + 16, rn, &at, residues, workspace, words, NULL)
                     : recombine_device_reals(d_r + 16, rn, &at, reals, workspace, words, NULL);
        EXPECT_EQ(done, RESULT_OK);
        EXPECT_TRUE(device_download(r, d_r + 16, 8 * rn));
        EXPECT_LIMBS_EQ(r, want, rn);
    }
    EXPECT_TRUE(device_download(signs, d_signs, sizeof signs));
    EXPECT_EQ(signs[0], 1u);
    device_free(d_r), device_free(workspace), device_free(d_signs);
    free(r), free(want);
}

static void check_modulo(const fft_prime *moduli, uint64_t n, unsigned primes, unsigned bits,
                         unsigned stretches, pattern what) {
    const bool second = moduli == fft_second_primes;
    SCOPED_TRACE("%llu coefficients of %u bits, %u %sprimes, %u stretches, pattern %d",
                 (unsigned long long)n, bits, primes, second ? "second " : "", stretches, what);
    gen g = gen_seed(n * 64 + bits + (unsigned)what);
    const uint64_t plane = (n + 3) / 4 * 4, rn = (n * bits + 63) / 64 + (primes == 3 ? 3 : 5);
    double *planes = calloc(primes * plane, sizeof *planes);
    mpz_t sum, c;
    mpz_inits(sum, c, NULL);
    for (uint64_t i = n; i-- > 0;) {
        coefficient(&g, c, what, i, n, bits, lg_of(primes));
        mpz_mul_2exp(sum, sum, bits);
        mpz_add(sum, sum, c);
        for (unsigned prime = 0; prime < primes; prime++) {
            planes[prime * plane + i] = residue(&g, c, &moduli[prime]);
        }
    }
    double *d_planes = device_alloc(8 * primes * plane);
    EXPECT_TRUE(device_upload(d_planes, planes, 8 * primes * plane));
    const recombine_residues residues = {d_planes, plane, n, primes, bits, stretches, second};
    expect_sum(sum, rn, &residues, NULL);
    device_free(d_planes);
    free(planes);
    mpz_clears(sum, c, NULL);
}

static void check(uint64_t n, unsigned primes, unsigned bits, unsigned stretches, pattern what) {
    check_modulo(fft_primes, n, primes, bits, stretches, what);
}

// expect_roundoff expects the largest distance in device memory to be exactly that one.
static void expect_roundoff(const double *d_roundoff, double want) {
    double got = -1;
    EXPECT_TRUE(device_download(&got, d_roundoff, sizeof got));
    EXPECT_EQ(got, want);
}

// check_reals: coefficients near integers below 2^lg in absolute value, as points of a right angle
// or, imaginary, of a packed transform, where what stands beside them is rubbish; and how far they
// are from them at most, which is kept if it is asked for.
static void check_reals(uint64_t n, unsigned bits, unsigned lg, bool imaginary, bool single) {
    SCOPED_TRACE("%llu coefficients of %u bits below 2^%u%s%s", (unsigned long long)n, bits, lg,
                 imaginary ? ", imaginary" : "", single ? ", single" : "");
    gen g = gen_seed(n * 64 + bits + lg);
    const uint64_t points = imaginary ? n : (n + 1) / 2, rn = (n * bits + 63) / 64 + 2;
    const size_t each = single ? sizeof(float) : sizeof(double);
    void *x = malloc(2 * points * each);
    mpz_t sum;
    mpz_init(sum);
    for (uint64_t i = 0; i < 2 * points; i++) {
        single ? (((float *)x)[i] = 0.5f) : (((double *)x)[i] = 0.5);
    }
    double most = 0;
    for (uint64_t i = n; i-- > 0;) {
        const int64_t size = (int64_t)gen_below(&g, (uint64_t)1 << lg);
        const bool negative = (gen_u64(&g) & 1) != 0 && i + 64 / bits + 2 < n;
        const int64_t c = negative ? -size : i + 1 == n ? (int64_t)1 << lg : size;
        const double off = lg > 20 || single ? 0 : (double)gen_below(&g, 99) / 100 - 0.49;
        const uint64_t at = imaginary ? 2 * i + 1 : i < points ? 2 * i : 2 * (i - points) + 1;
        const double v = (double)c + off;
        single ? (((float *)x)[at] = (float)c) : (((double *)x)[at] = v);
        most = fmax(most, fabs(v - rint(v)));
        mpz_mul_2exp(sum, sum, bits);
        c < 0 ? mpz_sub_ui(sum, sum, (unsigned long)-c) : mpz_add_ui(sum, sum, (unsigned long)c);
    }
    void *d_x = device_alloc(2 * points * each);
    EXPECT_TRUE(device_upload(d_x, x, 2 * points * each));
    double *d_roundoff = device_alloc(sizeof *d_roundoff);
    EXPECT_TRUE(device_fill(d_roundoff, 0, sizeof *d_roundoff));
    recombine_reals reals = {d_x, points, n, imaginary, single, bits, 0, most, NULL};
    expect_sum(sum, rn, NULL, &reals);
    expect_roundoff(d_roundoff, 0);
    reals.roundoff = d_roundoff;
    expect_sum(sum, rn, NULL, &reals);
    expect_roundoff(d_roundoff, most);
    const double before = 0.75;  // more than any has
    EXPECT_TRUE(device_upload(d_roundoff, &before, sizeof before));
    expect_sum(sum, rn, NULL, &reals);
    expect_roundoff(d_roundoff, before);
    device_free(d_x), device_free(d_roundoff);
    free(x);
    mpz_clear(sum);
}

// Catches a digit of the mixed radix, an offset or a word of a coefficient that is wrong, a spill
// between lanes, warps, stretches or blocks that is lost, a carry that is added twice or not.
TEST(RecombineDevice, SumsOfCoefficients) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const uint64_t counts[] = {1, 2, 3, 4, 5, 123, 124, 125, 991, 992, 993, 3967, 9000};
    static const unsigned widths[] = {64, 63, 58, 52};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            for (unsigned stretches = 0; stretches <= 8; stretches += stretches == 0 ? 1 : 3) {
                const bool some = (i + w + stretches) % 3 == 0;
                for (pattern what = ANY; what < PATTERNS && (some || !device_emulated()); what++) {
                    device_order(stretches);
                    check(counts[i], 3, widths[w], stretches, what);
                }
            }
        }
    }
    device_order(0);
    check(64000, 3, 64, 0, ANY);  // of a small device's blocks a whole number of waves
}

// The same of more primes: digits of two words, of odd widths, of the least and the most. Catches a
// digit of the mixed radix or its shift, a word of Horner's rule or a coefficient that another lane
// has not computed yet.
TEST(RecombineDevice, SumsOfLongCoefficients) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const uint64_t counts[] = {1, 2, 3, 5, 59, 60, 61, 124, 463, 497, 2000, 4500};
    static const unsigned widths[] = {65, 86, 90, 111, 113, 128};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            for (unsigned primes = 4; primes <= (widths[w] == 128 ? 6 : 5); primes++) {
                const bool some = (i + w + primes) % 4 == 0;
                for (pattern what = ANY; what < PATTERNS && (some || !device_emulated()); what++) {
                    device_order((unsigned)w);
                    check(counts[i], primes, widths[w], (unsigned)(i + w) % 3, what);
                }
            }
        }
    }
    device_order(0);
    check(30000, 6, 128, 0, ANY);
}

// Widths of digits from 1 bit up, coefficients up to 2^51. Catches the halves of a right angle
// exchanged, the real part of a packed point, rounding down, a coefficient beyond the last; a
// round-off taken from one lane or one warp alone or from a neighbour, the last one in place of the
// largest, and one written unasked.
TEST(RecombineDevice, SumsOfReals) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const uint64_t counts[] = {1, 2, 3, 7, 124, 991, 992, 5000, 20001};
    static const unsigned widths[] = {1, 2, 7, 16, 17, 24, 33, 64};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            const bool imaginary = (i + w) % 2 == 0;
            check_reals(counts[i], widths[w], 51, imaginary, false);
            check_reals(counts[i], widths[w], 20, !imaginary, false);
            check_reals(counts[i], widths[w], 22, imaginary, true);
        }
    }
}

// Catches constants of remaindering that are those of the first primes.
TEST(RecombineDevice, SecondPrimesEqualGmp) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (pattern what = ANY; what < PATTERNS; what++) {
        check_modulo(fft_second_primes, 700, FFT_SECOND_PRIMES, 128, 0, what);
    }
}

// add_limb: c += limb B^at.
static void add_limb(mpz_t c, uint64_t limb, uint64_t at) {
    mpz_t own;
    mpz_init_set_ui(own, limb);
    mpz_mul_2exp(own, own, 64 * at);
    mpz_add(c, c, own);
    mpz_clear(own);
}

// check_plus: n coefficients of `each` limbs and a number of `more` limbs, which wraps around, and
// a power of B.
static void check_plus(uint64_t each, uint64_t n, uint64_t more, uint64_t one_at, unsigned shape) {
    SCOPED_TRACE("%llu coefficients of %llu, %llu limbs, power %llu, shape %u",
                 (unsigned long long)n, (unsigned long long)each, (unsigned long long)more,
                 (unsigned long long)one_at, shape);
    gen g = gen_seed(n + more);
    const unsigned primes = 3 * (unsigned)each;
    const uint64_t plane = (n + 3) / 4 * 4, rn = each * n + 6, words = recombine_device_bytes(rn);
    const uint64_t bytes = 8 * primes * plane;
    double *planes = calloc(primes * plane, sizeof *planes);
    uint64_t *limbs = malloc(8 * (more + 1)), *r = malloc(8 * rn), *want = calloc(rn, 8);
    mpz_t sum, c;
    mpz_inits(sum, c, NULL);
    gen_limbs(&g, shape % 2 == 0 ? GEN_UNIFORM : GEN_ONES, limbs, more + 1);
    for (uint64_t i = n; i-- > 0;) {
        coefficient(&g, c, shape < 2 ? ZERO : ANY, i, n, 64, lg_of(3));
        mpz_set_ui(c, shape < 2 ? 0 : mpz_get_ui(c));
        mpz_neg(c, c);
        for (unsigned prime = 0; prime < primes; prime++) {
            planes[prime * plane + i] = residue(&g, c, &fft_primes[prime]);
        }
        for (uint64_t j = each * i; j < more; j += each * n) {
            for (uint64_t k = 0; k < each && j + k < more; k++) {
                add_limb(c, limbs[j + k], k);
            }
        }
        if (one_at != UINT64_MAX && one_at / each % n == i) {
            add_limb(c, 1, one_at % each);
        }
        mpz_mul_2exp(sum, sum, 64 * each);
        mpz_add(sum, sum, c);
    }
    mpz_fdiv_r_2exp(sum, sum, 64 * rn);  // in two's complement
    mpz_export(want, NULL, -1, 8, 0, 0, sum);
    double *d_planes = device_alloc(bytes);
    uint64_t *d_limbs = device_alloc(8 * (more + 1)), *d_r = device_alloc(8 * rn),
             *workspace = device_alloc(words);
    EXPECT_TRUE(device_upload(d_planes, planes, bytes) && device_fill(workspace, 0, words) &&
                device_upload(d_limbs, limbs, 8 * (more + 1)));
    const recombine_residues residues = {d_planes, plane, n, primes, 64 * (unsigned)each, 0, false};
    const recombine_more plus = {d_limbs, more, one_at};
    EXPECT_EQ(recombine_device_plus(d_r, rn, &plus, &residues, workspace, words, NULL), RESULT_OK);
    EXPECT_TRUE(device_download(r, d_r, 8 * rn));
    EXPECT_LIMBS_EQ(r, want, rn);
    device_free(d_planes), device_free(d_limbs), device_free(d_r), device_free(workspace);
    free(planes), free(limbs), free(r), free(want);
    mpz_clears(sum, c, NULL);
}

// Coefficients of a limb and of two. Mutations: a limb that wraps around twice left out, or one
// added beyond the coefficients; the power at another one, or for none, or at the other half of a
// coefficient; a carry out of the sum of limbs lost; an odd last limb left out.
TEST(RecombineDevice, PlusANumberThatWraps) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const uint64_t n = 1024;
    for (unsigned i = 0; i < 8; i++) {
        const uint64_t each = 1 + i / 4, all = each * n;
        const unsigned shape = i % 4;
        check_plus(each, n, 0, UINT64_MAX, shape);
        check_plus(each, n, all, all, shape);
        check_plus(each, n, 2 * all + 5, 3 * all - 1, shape);
        check_plus(each, n, all - 1, 8, shape);
        check_plus(each, 4, 11, UINT64_MAX, shape);
    }
}

// term_sum: sum becomes what the term says, modulo 2^(64 rn).
enum { TERM_LIMBS = 40, TERM_ROW = 160 };
static void term_sum(mpz_t sum, const recombine_term *t, const uint64_t *limbs) {
    mpz_t own;
    mpz_init(own);
    mpz_import(own, t->n, -1, 8, 0, 0, limbs);
    mpz_mul_2exp(own, own, 64 * t->at);
    mpz_mul_ui(own, own, t->times);
    (t->less ? mpz_sub : mpz_add)(sum, sum, own);
    mpz_set_ui(own, t->one_at != UINT64_MAX);
    mpz_mul_2exp(own, own, t->one_at != UINT64_MAX ? 64 * t->one_at : 0);
    (t->negative ? mpz_sub : mpz_add)(sum, own, sum);
    mpz_fdiv_r_2exp(sum, sum, UINT64_C(64) * TERM_ROW);
    mpz_clear(own);
}

// Two products of 100 coefficients. Mutations: a term of the other product; one beyond the
// coefficients left out; its high word lost; signs mixed up; the power negated with the product; a
// carry of one product into the next.
TEST(RecombineDevice, Terms) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const uint64_t n = 100, stride = 3 * n, rn = TERM_ROW, none = UINT64_MAX;
    const size_t words = recombine_rows_bytes(rn, 2), bytes = 2 * stride * sizeof(double);
    gen g = gen_seed(7);
    uint64_t limbs[TERM_LIMBS], r[2 * TERM_ROW];
    double *planes = malloc(bytes), *d_planes = device_alloc(bytes);
    uint64_t *d_limbs = device_alloc(sizeof limbs), *d_r = device_alloc(sizeof r),
             *workspace = device_alloc(words);
    mpz_t sum[2], c;
    mpz_inits(sum[0], sum[1], c, NULL);
    for (unsigned i = 0; i < 6; i++) {
        SCOPED_TRACE("case %u", i);
        gen_limbs(&g, i % 2 == 0 ? GEN_ONES : GEN_UNIFORM, limbs, TERM_LIMBS);
        mpz_set_ui(sum[0], 0), mpz_set_ui(sum[1], 0);
        for (uint64_t k = 2 * n; k-- > 0;) {
            coefficient(&g, c, i < 2 ? ONES : ANY, k % n, n, 64, 140);
            for (unsigned prime = 0; prime < 3; prime++) {
                planes[k / n * stride + prime * n + k % n] = residue(&g, c, &fft_primes[prime]);
            }
            mpz_mul_2exp(sum[k / n], sum[k / n], 64);
            mpz_add(sum[k / n], sum[k / n], c);
        }
        const uint64_t at = i % 2 == 0 ? n + 10 : 0, times = i % 3 == 0 ? 1 : none - i;
        const recombine_term terms[RECOMBINE_TERMS] = {
            {d_limbs, TERM_LIMBS, at, times, none, i >= 4, false},
            {d_limbs, TERM_LIMBS, 3, 8, n + 20, i % 2 == 0, true}};
        EXPECT_TRUE(device_upload(d_planes, planes, bytes) && device_fill(workspace, 0, words) &&
                    device_upload(d_limbs, limbs, sizeof limbs));
        const recombine_residues residues = {d_planes, n, n, 3, 64, 0, false};
        const product_rows rows = {{d_r, NULL, NULL, rn, 0, 0}, rn, 0, 0, NULL, 2, 0};
        EXPECT_EQ(recombine_rows_terms(&rows, rn, terms, &residues, stride, workspace, words, NULL),
                  RESULT_OK);
        EXPECT_TRUE(device_download(r, d_r, sizeof r));
        for (unsigned k = 0; k < 2; k++) {
            uint64_t want[TERM_ROW] = {0};
            term_sum(sum[k], &terms[k], limbs);
            mpz_export(want, NULL, -1, 8, 0, 0, sum[k]);
            EXPECT_LIMBS_EQ(r + k * rn, want, rn);
        }
    }
    device_free(d_planes), device_free(d_limbs), device_free(d_r), device_free(workspace);
    free(planes);
    mpz_clears(sum[0], sum[1], c, NULL);
}

TEST(RecombineDevice, Refuses) {
    const recombine_residues many = {NULL, 4, 4, 3, 64, 9, false},
                             right = {NULL, 4, 4, 3, 64, 0, false};
    const recombine_residues narrow = {NULL, 4, 4, 3, 51, 0, false},
                             wide = {NULL, 4, 4, 3, 65, 0, false};
    const recombine_residues others[] = {{NULL, 4, 4, 4, 64, 0, false},
                                         {NULL, 4, 4, 6, 127, 0, false},
                                         {NULL, 4, 4, 2, 64, 0, false},
                                         {NULL, 4, 4, 7, 128, 0, false},
                                         {NULL, 4, 4, 5, 120, 0, true}};
    const recombine_signs none = {NULL, NULL, NULL};
    if (!device_ready()) {
        SKIP("no device");
    }
    EXPECT_EQ(recombine_device(NULL, 4, &none, &many, NULL, 1 << 20, NULL), RESULT_REFUSED);
    EXPECT_EQ(recombine_device(NULL, 4, &none, &right, NULL, 8, NULL), RESULT_REFUSED);
    EXPECT_EQ(recombine_device(NULL, 4, &none, &narrow, NULL, 1 << 20, NULL), RESULT_REFUSED);
    EXPECT_EQ(recombine_device(NULL, 4, &none, &wide, NULL, 1 << 20, NULL), RESULT_REFUSED);
    EXPECT_EQ(recombine_device(NULL, 0, &none, &right, NULL, 1 << 20, NULL), RESULT_REFUSED);
    for (int i = 0; i < 5; i++) {
        EXPECT_EQ(recombine_device(NULL, 4, &none, &others[i], NULL, 1 << 20, NULL),
                  RESULT_REFUSED);
    }
    const recombine_more more = {NULL, 0, UINT64_MAX};
    EXPECT_EQ(recombine_device_plus(NULL, 4, &more, others, NULL, 1 << 20, NULL), RESULT_REFUSED);
    EXPECT_EQ(recombine_device_plus(NULL, 4, &more, &narrow, NULL, 1 << 20, NULL), RESULT_REFUSED);
}
