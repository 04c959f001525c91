// The transforms alone: every variant against direct evaluation at the documented points, whole
// and truncated, and its inverse. Planes are full of NaNs before, so what is read must have been
// written.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "primitives/words/modarith.h"
#include "tests/ctest/ctest.h"
#include "tests/fft/modular/fixture.h"
#include "tests/fft/modular/reference.h"
#include "tests/support/gen.h"

typedef struct {
    unsigned lg_rows, lg_columns, lg_strip;
} shape;

static void shape_label(char *buf, size_t cap, const shape *s) {
    snprintf(buf, cap, "%ux%u_%u", 1u << s->lg_rows, 1u << s->lg_columns, 1u << s->lg_strip);
}

static void variant_label(char *buf, size_t cap, const fixture_variant *v) {
    snprintf(buf, cap, "%s", v->ops->name);
}

// One line in the log for every variant that the other tests leave out here.
TEST_EACH(Variant, IsTested, fixture_variant, fixture_variants, variant_label) {
    if (!fixture_runs(p)) {
        SKIP("this processor lacks the variant's instructions: it is not tested");
    }
    EXPECT_TRUE(p->ops->name[0] != 0);
}

static double at(const fft_plan *plan, const double *plane, uint64_t i) {
    return plane[(i >> plan->lg_columns) * plan->row_stride +
                 (i & (((uint64_t)1 << plan->lg_columns) - 1))];
}

// draw fills d with digits of all sizes: whole words, and words near multiples of p / 2.
static void draw(gen *g, uint64_t *d, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const uint64_t p = reference_prime((unsigned)gen_below(g, FFT_PRIMES_USED));
        d[i] = gen_below(g, 2) ? gen_u64(g)
                               : gen_below(g, UINT64_MAX / p) * p + p / 2 + gen_below(g, 3) - 1;
    }
}

// expect_leaves: the first rows of every prime's prepared plane are the leaves' values; expected
// values by prime and leaf, in a table of 2^lg each.
static void expect_leaves(const fixture *f, const fixture_variant *v, const uint64_t *expected) {
    const fft_plan *const plan = &f->c.plan;
    const uint64_t points = (uint64_t)1 << fft_plan_lg(plan);
    for (unsigned prime = 0; prime < FFT_PRIMES_USED; prime++) {
        for (uint64_t i = 0; i < plan->rows << plan->lg_columns; i++) {
            const uint64_t e = reference_leaf(v->lg_width, plan->lg_columns, i >> plan->lg_columns,
                                              i & (((uint64_t)1 << plan->lg_columns) - 1));
            const double x = f->c.ops->item(at(plan, f->prepared[prime], i));
            if (reference_residue(x, prime) != expected[prime * points + e]) {
                FAIL("prime %u, position %llu (leaf %llu): %.17g", prime, (unsigned long long)i,
                     (unsigned long long)e, x);
            }
            const double half = fft_primes[prime].p / 2;
            if (v->words ? !(x < 3 * 0x1p50) : !(x <= half && -x <= half)) {
                FAIL("prime %u, position %llu: %.17g is out of range", prime, (unsigned long long)i,
                     x);
            }
        }
    }
}

// add_row: expected += the digits of input row r at every leaf.
static void add_row(uint64_t *expected, const shape *s, const uint64_t *digits, uint64_t r) {
    const uint64_t points = (uint64_t)1 << (s->lg_rows + s->lg_columns),
                   columns = (uint64_t)1 << s->lg_columns;
    for (unsigned prime = 0; prime < FFT_PRIMES_USED; prime++) {
        const uint64_t p = reference_prime(prime);
        for (uint64_t e = 0; e < points; e++) {
            const uint64_t x = reference_point(prime, e);
            const uint64_t row = reference_value(prime, digits + r * columns, columns, x);
            uint64_t *const to = expected + prime * points + e;
            *to = (*to + mod_mul(row, mod_pow(x, r * columns, p), p)) % p;
        }
    }
}

// Every number of output rows with every number of input rows, against evaluation at every leaf.
// Mutations: in tree_forward_truncated any half that is not copied, not zeroed or cut at the wrong
// row; a pass that starts from the wrong node; a swapped transposition; a lane twiddle of the wrong
// leaf; a strip that is written to the wrong columns.
static const shape small_shapes[] = {{0, 6, 3}, {1, 6, 6}, {2, 7, 4}, {3, 6, 5},
                                     {4, 6, 3}, {5, 6, 6}, {2, 9, 7}, {1, 10, 7}};
TEST_EACH(Transform, EveryTruncation, shape, small_shapes, shape_label) {
    const size_t points = (size_t)1 << (p->lg_rows + p->lg_columns),
                 columns = (size_t)1 << p->lg_columns;
    uint64_t *const digits = fixture_words(points), *const expected =
                                                        fixture_words(FFT_PRIMES_USED * points);
    gen g = gen_seed(1);
    draw(&g, digits, points);
    for (uint64_t in = 1; in <= (uint64_t)1 << p->lg_rows; in++) {
        add_row(expected, p, digits, in - 1);
        const fft_digits a = {digits, in * columns, in * columns, 64};
        for (uint64_t rows = in; rows <= (uint64_t)1 << p->lg_rows; rows++) {
            FOR_EACH_VARIANT(v) {
                SCOPED_TRACE("%s, %llu input rows, %llu output rows", v->ops->name,
                             (unsigned long long)in, (unsigned long long)rows);
                const fft_plan plan =
                    fixture_plan(p->lg_rows, p->lg_columns, p->lg_strip, rows, 64);
                fixture f;
                fixture_start(&f, v->ops, &plan, &(fixture_options){.more_lg = (unsigned)(in % 3)});
                fixture_prepare(&f, &a);
                expect_leaves(&f, v, expected);
                fixture_stop(&f);
            }
        }
    }
    free(digits);
    free(expected);
}

// Passes of every radix at the lengths that plans use, at some leaves. Mutations: pass_levels
// leaves a level out; tree_forward hands a child the wrong node; tables_double with the wrong
// root.
static const shape large_shapes[] = {{6, 12, 7}, {8, 9, 7},  {12, 6, 3}, {8, 10, 7},
                                     {0, 13, 5}, {3, 14, 7}, {1, 15, 6}, {10, 8, 5}};
TEST_EACH(Transform, SampledLeaves, shape, large_shapes, shape_label) {
    enum { SAMPLES = 12 };
    const size_t points = (size_t)1 << (p->lg_rows + p->lg_columns);
    uint64_t *const digits = fixture_words(points);
    gen g = gen_seed(2);
    draw(&g, digits, points);
    FOR_EACH_VARIANT(v) {
        const uint64_t rows = 1 + gen_below(&g, (uint64_t)1 << p->lg_rows);
        const fft_plan plan = fixture_plan(p->lg_rows, p->lg_columns, p->lg_strip, rows, 64);
        const uint64_t count = 1 + gen_below(&g, rows << p->lg_columns);
        SCOPED_TRACE("%s, %llu digits, %llu rows", v->ops->name, (unsigned long long)count,
                     (unsigned long long)rows);
        fixture f;
        fixture_start(&f, v->ops, &plan, &(fixture_options){0});
        fixture_prepare(&f, &(fft_digits){digits, count, count, 64});
        for (int i = 0; i < SAMPLES; i++) {
            const uint64_t r = i == 0 ? rows - 1 : gen_below(&g, rows);
            const uint64_t c = gen_below(&g, (uint64_t)1 << p->lg_columns);
            const uint64_t e = reference_leaf(v->lg_width, p->lg_columns, r, c);
            const unsigned prime = (unsigned)i % FFT_PRIMES_USED;
            EXPECT_EQ(
                reference_residue(v->ops->item(f.prepared[prime][r * plan.row_stride + c]), prime),
                reference_value(prime, digits, count, reference_point(prime, e)));
        }
        fixture_stop(&f);
    }
    free(digits);
}

// Digits of every width, cut from words that end before the digits do. Mutations: a mask one bit
// off; a digit that lies in two words loses its upper part; words past the end are read.
TEST(Transform, EveryDigitWidth) {
    const shape s = {1, 6, 3};
    const size_t points = 128;
    uint64_t *const digits = fixture_words(points), *const expected =
                                                        fixture_words(FFT_PRIMES_USED * points);
    gen g = gen_seed(3);
    for (unsigned bits = 1; bits <= 64; bits++) {
        const size_t most = points * bits / 64, words_n = most == 0 ? 1 : most - bits % 3 % most;
        const uint64_t count = (words_n * 64 + bits - 1) / bits;
        const uint64_t used = count < points ? count : points;
        uint64_t *const words =
            fixture_words(words_n);  // its own memory: an address sanitizer sees the end
        gen_limbs(&g, bits % 2 == 0 ? GEN_UNIFORM : GEN_ONES, words, words_n);
        memset(digits, 0, points * sizeof *digits);
        reference_digits(digits, used, words, words_n, bits);
        memset(expected, 0, FFT_PRIMES_USED * points * sizeof *expected);
        add_row(expected, &s, digits, 0);
        add_row(expected, &s, digits, 1);
        FOR_EACH_VARIANT(v) {
            SCOPED_TRACE("%s, %u bits", v->ops->name, bits);
            const fft_plan plan = fixture_plan(s.lg_rows, s.lg_columns, s.lg_strip, 2, bits);
            fixture f;
            fixture_start(&f, v->ops, &plan, &(fixture_options){0});
            fixture_prepare(&f, &(fft_digits){words, words_n, used, bits});
            expect_leaves(&f, v, expected);
            fixture_stop(&f);
        }
        free(words);
    }
    free(digits);
    free(expected);
}

// A one at position i gives the i-th powers of all points. Mutation: two inputs change places.
TEST(Transform, Deltas) {
    const shape s = {2, 6, 4};
    const size_t points = 256;
    uint64_t *const digits = fixture_words(points), *const expected =
                                                        fixture_words(FFT_PRIMES_USED * points);
    for (size_t i = 0; i < points; i += i % 9 + 1) {
        memset(digits, 0, points * sizeof *digits);
        digits[i] = 1;
        for (unsigned prime = 0; prime < FFT_PRIMES_USED; prime++) {
            for (size_t e = 0; e < points; e++) {
                expected[prime * points + e] =
                    mod_pow(reference_point(prime, e), i, reference_prime(prime));
            }
        }
        FOR_EACH_VARIANT(v) {
            SCOPED_TRACE("%s, digit %zu", v->ops->name, i);
            const fft_plan plan = fixture_plan(s.lg_rows, s.lg_columns, s.lg_strip, 4, 64);
            fixture f;
            fixture_start(&f, v->ops, &plan, &(fixture_options){0});
            fixture_prepare(&f, &(fft_digits){digits, points, points, 64});
            expect_leaves(&f, v, expected);
            fixture_stop(&f);
        }
    }
    free(digits);
    free(expected);
}

// The transform of a sum is the sum of the transforms, at sizes where no evaluation is affordable.
// Mutation: an additive error in a level, such as a reduction by something else than p.
TEST(Transform, IsLinear) {
    const fft_plan plan = fixture_plan(9, 9, 6, 300, 64);
    const size_t n = (size_t)plan.rows << plan.lg_columns;
    uint64_t *const words = fixture_words(3 * n);
    gen g = gen_seed(4);
    draw(&g, words, 2 * n);
    for (size_t i = 0; i < n; i++) {
        words[i] >>= 1;
        words[n + i] >>= 1;
        words[2 * n + i] = words[i] + words[n + i];
    }
    FOR_EACH_VARIANT(v) {
        SCOPED_TRACE("%s", v->ops->name);
        double (*const item)(double) = v->ops->item;
        fixture f[3];
        for (size_t k = 0; k < 3; k++) {
            fixture_start(&f[k], v->ops, &plan, &(fixture_options){0});
            fixture_prepare(&f[k], &(fft_digits){words + k * n, n, n, 64});
        }
        for (unsigned prime = 0; prime < FFT_PRIMES_USED; prime++) {
            size_t wrong = 0;
            for (size_t i = 0; i < n; i++) {
                wrong += reference_residue(item(at(&plan, f[0].prepared[prime], i)) +
                                               item(at(&plan, f[1].prepared[prime], i)),
                                           prime) !=
                         reference_residue(item(at(&plan, f[2].prepared[prime], i)), prime);
            }
            EXPECT_EQ(wrong, (size_t)0);
        }
        for (size_t k = 0; k < 3; k++) {
            fixture_stop(&f[k]);
        }
    }
    free(words);
}

// The inverse of the forward transform is the input times 2^lg: the product with the transform of
// the digit 1, which is 1 everywhere.
static void expect_round_trip(const fixture_variant *v, const shape *s, uint64_t rows,
                              const uint64_t *digits, uint64_t count) {
    const fft_plan plan = fixture_plan(s->lg_rows, s->lg_columns, s->lg_strip, rows, 64);
    fixture f;
    fixture_start(&f, v->ops, &plan, &(fixture_options){0});
    fixture_prepare(&f, &(fft_digits){&(uint64_t){1}, 1, 1, 64});
    fixture_convolve(&f, &(fft_digits){digits, count, count, 64}, NULL, true);
    for (unsigned prime = 0; prime < FFT_PRIMES_USED; prime++) {
        const uint64_t p = reference_prime(prime), scale = mod_pow(2, fft_plan_lg(&plan), p);
        for (uint64_t i = 0; i < rows << s->lg_columns; i++) {
            const uint64_t right = i < count ? mod_mul(digits[i] % p, scale, p) : 0;
            if (reference_residue(v->ops->item(at(&plan, f.c.planes[prime], i)), prime) != right) {
                FAIL("%s, %llu rows, %llu digits, prime %u, coefficient %llu", v->ops->name,
                     (unsigned long long)rows, (unsigned long long)count, prime,
                     (unsigned long long)i);
            }
        }
    }
    fixture_stop(&f);
}

// Mutations: in tree_inverse_truncated a lost factor 2, w_j for -w_j, a split one row off; mirror
// twiddles of the wrong sign or index; the leaf's lanes not reversed.
TEST_EACH(Transform, InverseOfForward, shape, small_shapes, shape_label) {
    const size_t points = (size_t)1 << (p->lg_rows + p->lg_columns);
    uint64_t *const digits = fixture_words(points);
    gen g = gen_seed(5);
    draw(&g, digits, points);
    for (uint64_t rows = 1; rows <= (uint64_t)1 << p->lg_rows; rows++) {
        FOR_EACH_VARIANT(v) {
            expect_round_trip(v, p, rows, digits, rows << p->lg_columns);
            expect_round_trip(v, p, rows, digits, 1 + gen_below(&g, rows << p->lg_columns));
        }
    }
    free(digits);
}

TEST_EACH(Transform, InverseOfForwardAtLength, shape, large_shapes, shape_label) {
    const size_t points = (size_t)1 << (p->lg_rows + p->lg_columns);
    uint64_t *const digits = fixture_words(points);
    gen g = gen_seed(6);
    draw(&g, digits, points);
    FOR_EACH_VARIANT(v) {
        const uint64_t rows = 1 + gen_below(&g, (uint64_t)1 << p->lg_rows);
        expect_round_trip(v, p, rows, digits, rows << p->lg_columns);
    }
    free(digits);
}
