// product_shapes.c: product_shapes.h over product_steps.h and fft/device/modular/convolution.h.
#include "bench/mul/product_shapes.h"

#include <stdlib.h>

#include "apps/program.h"
#include "bench/mul/product_gmp.h"
#include "bench/mul/product_steps.h"
#include "fft/device/modular/convolution.h"
#include "tests/support/gen.h"

enum { LG_ROWS_LEAST = 4, LG_ROWS_MOST = 12, LG_MORE_PRIMES = 20, LG_OUTER_ROWS = 8 };

// filling: the most limbs of both factors whose product a shape holds, nothing wrapped around; 0 if
// it has no kernels, or no exact digits.
static uint64_t filling(const product_shape *s, uint64_t points) {
    fft_modular_plan plan, high;
    for (uint64_t n = points * s->most / 128; n > points / 4; n -= n / 64 + 1) {
        if (fft_modular_plan_digits(&plan, n, n, s->primes, s->most)) {
            plan.pieces = s->pieces;
            plan.lg_outer = s->lg_outer;
            plan.lg_rows = s->lg_rows;
            plan.lg_columns = s->lg_columns;
            if (fft_modular_plan_shape(&plan, &high) && plan.wrapped == 0) {
                return n;
            }
        }
    }
    return 0;
}

// wanted: see product_shapes.
static bool wanted(const product_shape *s) {
    const bool long_rows = s->lg_columns == FFT_MODULAR_LG_LONG;
    if (s->primes > FFT_PRIMES_USED) {
        return s->lg_outer == 0 && long_rows && s->lg_rows + s->lg_columns >= LG_MORE_PRIMES &&
               s->pieces <= 3;
    }
    return s->lg_outer == 0 || (long_rows && s->pieces == 2 && s->lg_rows >= LG_OUTER_ROWS);
}

static void measure(const device_run *run, const uint64_t *limbs[2], const product_shape *s,
                    unsigned lg) {
    const uint64_t points = (uint64_t)s->pieces << (s->lg_outer + s->lg_rows + s->lg_columns);
    const uint64_t n = points <= UINT64_C(1) << lg && wanted(s) ? filling(s, points) : 0;
    if (n > 0) {
        product_steps(run, limbs, n, s);
    }
}

void product_shapes(const device_run *run, unsigned lg) {
    static const unsigned bits[FFT_MODULAR_PRIMES + 1] = {
        [3] = 64, [4] = FFT_MODULAR_TWO_CHUNKS, [5] = FFT_MODULAR_THREE_CHUNKS, [6] = 128};
    const uint64_t most = UINT64_C(1) << lg;  // limbs of a factor: of digits of two words
    uint64_t *p[2] = {program_memory(most, 8, "an operand"), program_memory(most, 8, "an operand")};
    gen g = gen_seed(lg);
    gen_limbs(&g, GEN_UNIFORM, p[0], most), gen_limbs(&g, GEN_UNIFORM, p[1], most);
    const uint64_t *limbs[2] = {p[0], p[1]};
    product_shape s = {.whole = true};
    for (s.primes = FFT_PRIMES_USED; s.primes <= FFT_MODULAR_PRIMES; s.primes++) {
        s.most = bits[s.primes];
        for (s.pieces = 1; s.pieces <= FFT_MODULAR_PIECES; s.pieces++) {
            for (s.lg_outer = 0; s.lg_outer <= FFT_MODULAR_LG_OUTER; s.lg_outer++) {
                for (s.lg_columns = FFT_MODULAR_LG_SHORT; s.lg_columns <= FFT_MODULAR_LG_LONG;
                     s.lg_columns += 2) {
                    for (s.lg_rows = LG_ROWS_LEAST; s.lg_rows <= LG_ROWS_MOST; s.lg_rows++) {
                        measure(run, limbs, &s, lg);
                    }
                }
            }
        }
    }
    free(p[0]), free(p[1]);
}
