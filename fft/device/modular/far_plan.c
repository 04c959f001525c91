// far_plan.c: see far_plan.h; pure functions, integers only.
#include "fft/device/modular/far_plan.h"

#include <assert.h>

#include "fft/device/modular/second_primes.h"
#include "primitives/words/word.h"

enum {
    FAR_BITS = 128,
    // 2^LG_FAR_DIGITS products of such digits are within half of the second primes' product, which
    // is above 2^296 (docs/proofs/modular_device.md, section 13).
    LG_FAR_DIGITS = 296 - 2 * FAR_BITS,
};

static_assert(3 + 2 * FFT_MODULAR_LG_OUTER + 9 + FFT_MODULAR_LG_LONG <= FFT_SECOND_LG_ROOT,
              "turns of pieces are multiples of 2^-3, those of points of parts of parts of 2^-40");

// has_kernels: of an inner pass, columns and rows.
static bool has_kernels(const fft_modular_plan *plan, unsigned lg_inner) {
    fft_modular_plan high, p = {.a_digits = 1,
                                .b_digits = 1,
                                .primes = FFT_PRIMES_USED,
                                .digit_bits = 64,
                                .clusters = true,
                                .pieces = 1,
                                .lg_outer = lg_inner,
                                .lg_rows = plan->lg_rows - lg_inner,
                                .lg_columns = plan->lg_columns};
    return lg_inner > 0 && plan->lg_rows > lg_inner && fft_modular_plan_shape(&p, &high);
}

bool fft_modular_plan_far(fft_modular_plan *plan, unsigned lg_inner, uint64_t an, uint64_t bn) {
    const uint64_t most = UINT64_C(1) << LG_FAR_DIGITS;
    assert(an >= 1 && bn >= 1);
    if (an > most || bn > most || !has_kernels(plan, lg_inner)) {
        return false;
    }
    *plan = (fft_modular_plan){.a_digits = word_ceil_div(an, FAR_BITS / 64),
                               .b_digits = word_ceil_div(bn, FAR_BITS / 64),
                               .primes = FFT_SECOND_PRIMES,
                               .digit_bits = FAR_BITS,
                               .pieces = plan->pieces,
                               .lg_outer = plan->lg_outer,
                               .lg_rows = plan->lg_rows,
                               .lg_columns = plan->lg_columns,
                               .clusters = true,
                               .branches = 1};
    return plan->pieces >= 1 && plan->pieces <= FFT_MODULAR_PIECES && plan->lg_outer >= 1 &&
           plan->lg_outer <= FFT_MODULAR_LG_OUTER &&
           plan->a_digits + plan->b_digits - 1 <= fft_modular_points(plan);
}
