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

// --- What travels --------------------------------------------------------------------------------

unsigned grid_turn(const grid_work *c, unsigned set, bool none, double *share, double *strips,
                   bool back) {
    const member_work *const w = c->w;
    const device_member_plan *const plan = w->plan;
    const unsigned members = plan->members, self = member_work_self(w), sets = grid_strips(plan, 0),
                   first = self - device_member_column_group(plan, self);
    const uint64_t n = (uint64_t)1 << fft_modular_lg_part(&plan->modular), columns = plan->columns,
                   all = fft_modular_parts(&plan->modular), row = columns * sizeof(double);
    const block_range own = device_member_parts(plan, self);
    exchange_block *const of_strips = back ? w->receive : w->send, *const of_share =
                                                                       back ? w->send : w->receive;
    member_work_clear(w, set, sets);
    for (unsigned i = first; i < first + plan->column_groups && !none; i++) {
        const block_range parts = device_member_parts(plan, i),
                          theirs = device_member_strips(plan, i);
        for (unsigned k = 0; k < grid_strips(plan, self); k++) {
            of_strips[(set + k) * members + i] =
                (exchange_block){strips + (k * all + parts.first) * columns, parts.count, row, row};
        }
        for (unsigned k = 0; k < theirs.count; k++) {
            of_share[(set + k) * members + i] = (exchange_block){
                share + (theirs.first + k) * columns, own.count, row, n * sizeof(double)};
        }
    }
    return set + sets;
}

unsigned grid_deal(const grid_work *c, unsigned set, unsigned round, const double *plane) {
    const member_work *const w = c->w;
    const device_member_plan *const plan = w->plan;
    const unsigned members = plan->members, self = member_work_self(w), sets = grid_strips(plan, 0);
    const uint64_t strip = device_member_strip_points(plan), joined = device_member_joined(plan);
    const block_range own = device_member_rows(plan, self);
    member_work_clear(w, set, sets);
    for (unsigned i = device_member_column_group(plan, self); i < members;
         i += plan->column_groups) {
        const block_range rows = device_member_rows(plan, i),
                          primes = device_member_primes(plan, i);
        const double *const from = plane + rows.first * plan->columns;
        double *const to = c->residues + (primes.first + round) * grid_plane(plan);
        for (unsigned k = 0; k < grid_strips(plan, self); k++) {
            if (round < device_member_primes(plan, self).count) {
                w->send[(set + k) * members + i] = exchange_bytes(
                    from + k * strip, device_member_span(plan, rows) * sizeof(double));
            }
            if (round < primes.count) {
                w->receive[(set + k) * members + i] =
                    exchange_bytes(to + k * joined, device_member_span(plan, own) * sizeof(double));
            }
        }
    }
    return set + sets;
}
