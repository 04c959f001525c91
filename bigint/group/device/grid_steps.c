// grid_steps.c: see grid_steps.h.
#include "bigint/group/device/grid_steps.h"

#include "bigint/group/device/grid_limbs.h"

fft_modular_share_step grid_step(const grid_work *c, unsigned prime) {
    const member_work *const w = c->w;
    const device_member_plan *const plan = w->plan;
    const block_range parts = device_member_parts(plan, member_work_self(w));
    const bool inner = plan->lg_inner > 0;
    return (fft_modular_share_step){.plan = &plan->modular,
                                    .lg_inner = plan->lg_inner,
                                    .lg_strips = plan->lg_strips,
                                    .first_part = (unsigned)parts.first,
                                    .parts = (unsigned)parts.count,
                                    .tables = inner ? &c->inner[0] : w->tables,
                                    .of_share = inner ? &c->inner[1] : w->tables,
                                    .prime = prime,
                                    .stream = w->stream};
}

uint64_t grid_strips_bytes(const device_member_plan *plan, uint64_t n) {
    return grid_strips(plan, 0) * grid_limbs_strip(plan, n) * LIMB_BYTES;
}

result grid_split(const grid_work *c, unsigned prime, double *x, const uint64_t *a, uint64_t an,
                  double *y, const uint64_t *b, uint64_t bn) {
    const device_member_plan *const plan = c->w->plan;
    const fft_modular_share_step step = grid_step(c, prime);
    const uint64_t points = device_member_strip_points(plan);
    const uint64_t a_strip = grid_limbs_strip(plan, an), b_strip = grid_limbs_strip(plan, bn);
    result done = RESULT_OK;
    for (unsigned k = 0; k < grid_strips(plan, member_work_self(c->w)) && done == RESULT_OK; k++) {
        const fft_modular_operand of_a = {a + k * a_strip, a_strip},
                                  of_b = {y == NULL ? NULL : b + k * b_strip, b_strip};
        done = fft_modular_strip_split(&step, x + k * points, of_a,
                                       y == NULL ? NULL : y + k * points, of_b);
    }
    return done;
}

result grid_gather(const grid_work *c, unsigned prime, double *strips) {
    const device_member_plan *const plan = c->w->plan;
    const fft_modular_share_step step = grid_step(c, prime);
    const uint64_t points = device_member_strip_points(plan);
    result done = RESULT_OK;
    for (unsigned k = 0; k < grid_strips(plan, member_work_self(c->w)) && done == RESULT_OK; k++) {
        done = fft_modular_strip_gather(&step, strips + k * points);
    }
    return done;
}

result grid_columns(const grid_work *c, unsigned prime, double *x) {
    const fft_modular_share_step step = grid_step(c, prime);
    return fft_modular_share_columns(&step, x, NULL);
}

result grid_rows(const grid_work *c, unsigned prime, double *x, double *y) {
    const fft_modular_share_step step = grid_step(c, prime);
    const result done =
        fft_modular_share_rows(&step, x, y, y == NULL ? FFT_ROW_SQUARE : FFT_ROW_MULTIPLY);
    return done == RESULT_OK ? fft_modular_share_inverse(&step, x) : done;
}

result grid_convolve(const grid_work *c, unsigned prime, double *x, double *y) {
    const fft_modular_share_step step = grid_step(c, prime);
    const result done = fft_modular_share_columns(&step, x, y);
    return done == RESULT_OK ? grid_rows(c, prime, x, y) : done;
}
