// grid.c: see grid.h. Operands go from blocks to strips, digits and parts; prime after prime from
// strips to shares and back, or, with one column group, through whole transforms; residues to those
// who join them; and coefficients from strips to limbs and blocks.
#include "bigint/group/device/grid.h"

#include "bigint/group/device/grid_limbs.h"
#include "bigint/group/device/grid_saving.h"
#include "bigint/group/device/grid_steps.h"

// --- Memory --------------------------------------------------------------------------------------

static uint64_t most(uint64_t a, uint64_t b) { return a > b ? a : b; }

uint64_t grid_plane(const device_member_plan *plan) {
    return device_member_deals(plan) ? grid_strips(plan, 0) * device_member_joined(plan)
                                     : plan->points;
}

static bool shared(const grid_work *c) { return c->w->plan->column_groups > 1; }

static uint64_t lay_beside(grid_work *c, unsigned char *memory, uint64_t used) {
    const device_member_plan *const plan = c->w->plan;
    const uint64_t plane = plan->points * sizeof(double), b = plan->square ? 0 : 1;
    const uint64_t strips = shared(c) ? plane : 0;
    const uint64_t dealt = device_member_deals(plan) ? strips : 0;
    for (unsigned i = 0; i < (shared(c) ? SHARES : 2); i++) {
        c->x[i] = member_work_lay(memory, &used, plane);
    }
    for (unsigned i = 0; i < 2; i++) {
        c->y[i] = member_work_lay(memory, &used, shared(c) || i == 0 ? b * plane : 0);
    }
    for (unsigned i = 0; i < BACKS; i++) {
        c->back[i] = member_work_lay(memory, &used, dealt);
    }
    for (unsigned i = 0; i < SPLITS; i++) {
        c->x_strips[i] = member_work_lay(memory, &used, dealt);
        c->y_strips[i] = member_work_lay(memory, &used, b * strips);
    }
    c->a_limbs = member_work_lay(memory, &used, grid_strips_bytes(plan, plan->an));
    c->b_limbs = member_work_lay(memory, &used, b * grid_strips_bytes(plan, plan->bn));
    return used;
}

static uint64_t table_bytes(const grid_work *c) {
    const fft_modular_share_step step = grid_step(c, 0);
    return step.lg_inner > 0 ? fft_modular_share_table_bytes(&step) : 0;
}

// What there is of shares, and of limbs afterwards, is in the same memory.
void grid_lay(grid_work *c, unsigned char *memory, uint64_t *used, uint64_t *zeros) {
    const device_member_plan *const plan = c->w->plan;
    for (unsigned i = 0; i < RECOMBINES; i++) {
        c->recombining[i] = member_work_lay(memory, used, grid_limbs_workspace(plan));
    }
    *zeros = *used;
    c->tables = member_work_lay(memory, used, table_bytes(c));
    const uint64_t planes = grid_plane(plan) * plan->modular.primes * sizeof(double);
    c->residues = member_work_lay(memory, used, planes);
    const uint64_t transform = plan->pace == DEVICE_PACE_BESIDE ? lay_beside(c, memory, *used)
                                                                : grid_saving_lay(c, memory, *used);
    *used = most(transform, grid_limbs_lay(c, memory, *used));
}

bigint_status grid_begin(grid_work *c) {
    const fft_modular_share_step step = grid_step(c, 0);
    return step.lg_inner == 0 ? BIGINT_OK
                              : member_work_status(c->w, fft_modular_share_tables_make(
                                                             c->inner, &step, c->tables));
}

// --- Rounds --------------------------------------------------------------------------------------

// round_here: whether this member has a prime in that round; round_any: whether any has.
static bool round_here(const grid_work *c, int round) {
    const member_work *const w = c->w;
    return round >= 0 && (unsigned)round < device_member_primes(w->plan, member_work_self(w)).count;
}

static bool round_any(const grid_work *c, int round) {
    return round >= 0 && (unsigned)round < device_member_rounds(c->w->plan);
}

static unsigned prime_of(const grid_work *c, int round) {
    const member_work *const w = c->w;
    return (unsigned)device_member_primes(w->plan, member_work_self(w)).first + (unsigned)round;
}

// share_at: the share, or the plane, that is computed in a round; strips_back: where the product's
// strips come back to; strips_out: what those of the operands leave from, of the first one the same
// where it has its own for each prime.
static double *share_at(const grid_work *c, int round) {
    return c->x[round % (shared(c) ? SHARES : 2)];
}

static double *strips_back(const grid_work *c, int round) {
    return device_member_deals(c->w->plan)
               ? c->back[round % BACKS]
               : c->residues + prime_of(c, round) * grid_plane(c->w->plan);
}

static double *strips_out(const grid_work *c, int round) {
    return device_member_deals(c->w->plan) ? c->x_strips[round % SPLITS] : strips_back(c, round);
}

static result split_both(const grid_work *c, int round) {
    const device_member_plan *const plan = c->w->plan;
    return grid_split(c, prime_of(c, round), strips_out(c, round), c->a_limbs, plan->an,
                      plan->square ? NULL : c->y_strips[round % SPLITS], c->b_limbs, plan->bn);
}

// pass_whole: the first pass of both operands. The second one comes, for the first round, while the
// first one's pass runs.
static bigint_status pass_whole(const grid_work *c, const fft_modular_step *step, double *x,
                                double *y, bool comes) {
    const member_work *const w = c->w;
    const fft_modular_operand a = {c->a_limbs, w->plan->an}, b = {c->b_limbs, w->plan->bn};
    if (y == NULL || !comes) {
        return member_work_status(w, fft_modular_columns(step, x, a, y, b));
    }
    bigint_status status = member_work_status(w, fft_modular_columns(step, x, a, NULL, a));
    status = status == BIGINT_OK ? member_work_end(w) : status;
    return status == BIGINT_OK ? member_work_status(w, fft_modular_columns(step, y, b, NULL, b))
                               : status;
}

static bigint_status convolve_whole(const grid_work *c, int round, double *x, double *y) {
    const member_work *const w = c->w;
    const bool square = w->plan->square;
    const fft_modular_step step = {&w->plan->modular, w->tables, prime_of(c, round), 1, w->stream};
    const bigint_status status = pass_whole(c, &step, x, square ? NULL : y, round == 0);
    if (status != BIGINT_OK) {
        return status;
    }
    const result done = fft_modular_rows(&step, x, y, square ? FFT_ROW_SQUARE : FFT_ROW_MULTIPLY);
    return member_work_status(w, done == RESULT_OK ? fft_modular_inverse(&step, x) : done);
}

static bigint_status convolve(const grid_work *c, int round) {
    double *const x = share_at(c, round), *const y = c->w->plan->square ? NULL : c->y[round % 2];
    return shared(c) ? member_work_status(c->w, grid_convolve(c, prime_of(c, round), x, y))
                     : convolve_whole(c, round, x, c->y[0]);
}

// --- Exchanges beside computation ----------------------------------------------------------------

// Step s of a grid of shares has, beside each other:
//
//   travels    operands of round s + 1 to shares; product of round s - 1 to strips;
//              residues of round s - 2 to those who join them
//   computes   residues of round s - 2 of its strips, before the step where those travel;
//              the convolution of round s; strips of the operands of round s + 2
//
// One column group has only the convolution of round s and the residues of round s - 1.

// travel: the blocks of the exchange of step s. Returns how many sets; all members come to the
// same.
static unsigned travel(const grid_work *c, int s) {
    const device_member_plan *const plan = c->w->plan;
    const int finished = shared(c) ? s - 2 : s - 1;
    unsigned sets = 0;
    if (shared(c) && round_any(c, s + 1)) {
        const bool none = !round_here(c, s + 1);
        sets = grid_turn(c, sets, none, none ? NULL : share_at(c, s + 1),
                         none ? NULL : strips_out(c, s + 1), false);
        sets = plan->square ? sets
                            : grid_turn(c, sets, none, c->y[(s + 1) % 2],
                                        c->y_strips[(s + 1) % SPLITS], false);
    }
    if (shared(c) && round_any(c, s - 1)) {
        const bool none = !round_here(c, s - 1);
        sets = grid_turn(c, sets, none, none ? NULL : share_at(c, s - 1),
                         none ? NULL : strips_back(c, s - 1), true);
    }
    if (device_member_deals(plan) && round_any(c, finished)) {
        sets = grid_deal(c, sets, (unsigned)finished,
                         shared(c) ? strips_back(c, finished) : share_at(c, finished));
    }
    return sets;
}

static bigint_status gather_any(const grid_work *c, int round) {
    return shared(c) && round_here(c, round)
               ? member_work_status(c->w, grid_gather(c, prime_of(c, round), strips_back(c, round)))
               : BIGINT_OK;
}

static bigint_status split_any(const grid_work *c, int round) {
    return shared(c) && round_here(c, round) ? member_work_status(c->w, split_both(c, round))
                                             : BIGINT_OK;
}

static bigint_status step(const grid_work *c, int s) {
    const member_work *const w = c->w;
    const bool deals = device_member_deals(w->plan);
    bigint_status status = deals ? gather_any(c, s - 2) : BIGINT_OK;
    const unsigned sets = status == BIGINT_OK ? travel(c, s) : 0;
    if (sets > 0) {
        status = member_work_begin(w, sets, DEVICE_PHASE_TRANSFORM);
    }
    status = status == BIGINT_OK && !deals ? gather_any(c, s - 2) : status;
    status = status == BIGINT_OK && round_here(c, s) ? convolve(c, s) : status;
    status = status == BIGINT_OK ? split_any(c, s + 2) : status;
    return status == BIGINT_OK && sets > 0 ? member_work_end(w) : status;
}

// all_beside: the residues of the product modulo all primes, of what this member joins.
static bigint_status all_beside(const grid_work *c) {
    const int rounds = (int)device_member_rounds(c->w->plan);
    bigint_status status = BIGINT_OK;
    for (int s = -2; s < rounds + 2 && status == BIGINT_OK; s++) {
        status = step(c, s);
    }
    return status;
}

bigint_status grid_run(const grid_work *c) {
    const member_work *const w = c->w;
    bigint_status status = grid_limbs_deal(c, c->a_limbs, &w->job->a);
    status = status == BIGINT_OK ? member_work_end(w) : status;
    if (status == BIGINT_OK && !w->plan->square) {
        status = grid_limbs_deal(c, c->b_limbs, &w->job->b);
        status = status == BIGINT_OK && shared(c) ? member_work_end(w) : status;
    }
    status = status != BIGINT_OK                   ? status
             : w->plan->pace == DEVICE_PACE_BESIDE ? all_beside(c)
                                                   : grid_saving_run(c);
    return status == BIGINT_OK ? grid_limbs_join(c) : status;
}
