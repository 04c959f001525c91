// grid_blocks.c: see grid_blocks.h.
#include "bigint/group/device/grid_blocks.h"

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
