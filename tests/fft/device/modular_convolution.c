// modular_convolution.c: see modular_convolution.h.
#include "tests/fft/device/modular_convolution.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "primitives/words/modarith.h"
#include "tests/ctest/ctest.h"
#include "tests/fft/modular/reference.h"
#include "tests/support/device.h"

// digit_residues: digits of the plan modulo p, from the words bit by bit.
static void digit_residues(uint64_t *d, const fft_modular_plan *plan, uint64_t count,
                           const uint64_t *words, uint64_t words_n, uint64_t p) {
    for (uint64_t i = 0; plan->digit_bits > 64 && i < count; i++) {
        d[i] = 0;
        for (uint64_t bit = (i + 1) * plan->digit_bits; bit-- > i * plan->digit_bits;) {
            d[i] = 2 * d[i] + (bit / 64 < words_n ? words[bit / 64] >> bit % 64 & 1 : 0);
            d[i] -= d[i] >= p ? p : 0;
        }
    }
    if (plan->digit_bits > 64) {
        return;
    }
    reference_digits(d, count, words, words_n, plan->digit_bits);
    for (uint64_t i = count; plan->balanced && i-- > 0;) {
        const uint64_t below = i > 0 ? d[i - 1] >> 63 : 0;
        const bool negative = i + 1 < count && d[i] >> 63 != 0;
        d[i] = (d[i] % p + below + (negative ? p - mod_pow(2, 64, p) : 0)) % p;
    }
    for (uint64_t i = 0; !plan->balanced && i < count; i++) {
        d[i] %= p;
    }
}

// Words of ones before an operand, and as many or one more after it, which no digit reads: the
// first one is aligned to 16 bytes, the second one to 8.
enum { BESIDE_A = 2, BESIDE_B = 3 };

static uint64_t *operand_make(const uint64_t *words, uint64_t n, uint64_t beside) {
    const size_t bytes = (n + 2 * beside) * 8;
    uint64_t *const memory = device_alloc(bytes), *const at = memory + beside;
    EXPECT_TRUE(device_fill(memory, 0xFF, bytes) && device_upload(at, words, n * 8));
    return at;
}

convolution convolution_make(const fft_modular_plan *plan, const fft_modular_plan *high, gen *g,
                             gen_shape shape, uint64_t an, uint64_t bn) {
    convolution c = {.plan = *plan, .an = an, .bn = bn};
    if (plan->wrapped > 0) {
        c.high = *high;
        c.high_x = device_alloc(convolution_plane_bytes(high)),
        c.high_y = device_alloc(convolution_plane_bytes(high));
        c.high_memory = device_alloc(fft_modular_table_bytes(high));
    }
    c.a = malloc(an * 8), c.b = malloc(bn * 8);
    gen_limbs(g, shape, c.a, an);
    gen_limbs(g, shape, c.b, bn);
    c.da = operand_make(c.a, an, BESIDE_A), c.db = operand_make(c.b, bn, BESIDE_B);
    c.x = device_alloc(convolution_plane_bytes(plan)),
    c.y = device_alloc(convolution_plane_bytes(plan));
    c.memory = device_alloc(fft_modular_table_bytes(plan));
    return c;
}

void convolution_release(convolution *c) {
    free(c->a), free(c->b);
    device_free(c->da - BESIDE_A), device_free(c->db - BESIDE_B);
    device_free(c->x), device_free(c->y), device_free(c->memory);
    device_free(c->high_x), device_free(c->high_y), device_free(c->high_memory);
}

// run_high: the high convolution, and its coefficients' way to their places.
static result run_high(const convolution *c, const fft_modular_step *step, double *x) {
    fft_modular_tables tables;
    result done = fft_modular_tables_make(&tables, &c->high, c->high_memory, NULL);
    const fft_modular_step high = {&c->high, &tables, step->first, step->primes, NULL};
    const fft_modular_operand a = {c->da, c->an}, b = {c->db, c->bn};
    done = done == RESULT_OK ? fft_modular_columns(&high, c->high_x, a, c->high_y, b) : done;
    done =
        done == RESULT_OK ? fft_modular_rows(&high, c->high_x, c->high_y, FFT_ROW_MULTIPLY) : done;
    done = done == RESULT_OK ? fft_modular_inverse(&high, c->high_x) : done;
    return done == RESULT_OK ? fft_modular_unwrap(step, x, &c->high, c->high_x) : done;
}

result convolution_run_step(const convolution *c, fft_row_mode mode, unsigned first,
                            unsigned primes) {
    fft_modular_tables tables;
    result done = fft_modular_tables_make(&tables, &c->plan, c->memory, NULL);
    const fft_modular_step step = {&c->plan, &tables, first, primes, NULL};
    const fft_modular_operand a = {c->da, c->an}, b = {c->db, c->bn}, none = {NULL, 0};
    double *const x = c->x + first * fft_modular_plane(&c->plan);
    if (done == RESULT_OK && mode == FFT_ROW_PREPARED) {
        done = fft_modular_columns(&step, c->y, b, NULL, none);
        done = done == RESULT_OK ? fft_modular_rows(&step, c->y, NULL, FFT_ROW_TRANSFORM) : done;
    }
    if (done == RESULT_OK) {
        done = fft_modular_columns(&step, x, a, mode == FFT_ROW_MULTIPLY ? c->y : NULL, b);
    }
    done = done == RESULT_OK ? fft_modular_rows(&step, x, c->y, mode) : done;
    done = done == RESULT_OK ? fft_modular_inverse(&step, x) : done;
    return done == RESULT_OK && c->plan.wrapped > 0 ? run_high(c, &step, x) : done;
}

result convolution_run(const convolution *c, fft_row_mode mode) {
    result done = RESULT_OK;
    for (unsigned first = 0; first < c->plan.primes && done == RESULT_OK;
         first += FFT_PRIMES_USED) {
        done = convolution_run_step(c, mode, first, fft_modular_group(&c->plan, first));
    }
    return done;
}

void convolution_check(const convolution *c, bool square) {
    const uint64_t points = fft_modular_plane(&c->plan), an = c->plan.a_digits;
    const uint64_t bn = square ? an : c->plan.b_digits;
    double *planes = malloc(convolution_plane_bytes(&c->plan));
    uint64_t *a = malloc(an * 8), *b = malloc(bn * 8), *want = malloc(points * 8);
    ASSERT_TRUE(device_download(planes, c->x, convolution_plane_bytes(&c->plan)));
    for (unsigned prime = 0; prime < c->plan.primes; prime++) {
        const uint64_t p = reference_prime(prime);
        const double *plane = planes + prime * points;
        digit_residues(a, &c->plan, an, c->a, c->an, p);
        digit_residues(b, &c->plan, bn, square ? c->a : c->b, square ? c->an : c->bn, p);
        memset(want, 0, points * 8);
        for (uint64_t i = 0; i < an; i++) {
            for (uint64_t j = 0; a[i] != 0 && j < bn; j++) {
                want[i + j] = (want[i + j] + mod_mul(a[i], b[j], p)) % p;
            }
        }
        uint64_t wrong = 0, first = 0;
        double largest = 0;
        for (uint64_t i = points; i-- > 0;) {
            largest = fabs(plane[i]) > largest ? fabs(plane[i]) : largest;
            const bool right =
                fabs(plane[i]) < 0x1p53 && reference_residue(plane[i], prime) == want[i];
            wrong += !right;
            first = right ? first : i;
        }
        EXPECT_EQ(wrong, 0u);
        EXPECT_TRUE(largest <= 4.22 * (double)p);
        if (wrong > 0) {
            printf("prime %u: %llu wrong, the first at %llu\n", prime, (unsigned long long)wrong,
                   (unsigned long long)first);
        }
    }
    free(planes), free(a), free(b), free(want);
}
