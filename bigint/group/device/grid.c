// grid.c: see grid.h. Operands go from blocks to strips, digits and parts; prime after prime from
// strips to shares and back, or, with one column group, through whole transforms; residues to those
// who join them; and coefficients from strips to limbs and blocks.
#include "bigint/group/device/grid.h"

#include "bigint/group/device/grid_blocks.h"
#include "bigint/group/device/grid_limbs.h"

static fft_modular_share_step step_of(const grid_work *c, unsigned prime) {
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

// --- Memory --------------------------------------------------------------------------------------

static uint64_t most(uint64_t a, uint64_t b) { return a > b ? a : b; }

// strips_bytes: of the strips of an operand of n limbs that a member has.
static uint64_t strips_bytes(const device_member_plan *plan, uint64_t n) {
    return grid_strips(plan, 0) * grid_limbs_strip(plan, n) * LIMB_BYTES;
}

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
    c->a_limbs = member_work_lay(memory, &used, strips_bytes(plan, plan->an));
    c->b_limbs = member_work_lay(memory, &used, b * strips_bytes(plan, plan->bn));
    return used;
}

// aligned: the first of those limbs that begins a line of memory.
static double *aligned(const uint64_t *p) {
    return (double *)(((uintptr_t)p + DEVICE_MEMBER_LINE - 1) / DEVICE_MEMBER_LINE *
                      DEVICE_MEMBER_LINE);
}

// In turn. y has the last prime's plane, and in its turn the place of a's limbs; x the product's
// block, where that is long enough: operands, which it may belong to, are in strips by then.
static uint64_t lay_in_turn(grid_work *c, unsigned char *memory, uint64_t used) {
    const device_member_plan *const plan = c->w->plan;
    const uint64_t plane = plan->points * sizeof(double), b = plan->square ? 0 : 1;
    c->x[0] = device_member_in_block(plan) ? aligned(c->w->job->rp)
                                           : member_work_lay(memory, &used, plane);
    c->a_limbs = member_work_lay(memory, &used, most(b * plane, strips_bytes(plan, plan->an)));
    c->b_limbs = member_work_lay(memory, &used, b * strips_bytes(plan, plan->bn));
    return used;
}

static uint64_t table_bytes(const grid_work *c) {
    const fft_modular_share_step step = step_of(c, 0);
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
    const uint64_t limbs = grid_limbs_lay_planes(c, memory, *used);
    const uint64_t planes = grid_plane(plan) * plan->modular.primes * sizeof(double);
    c->residues = member_work_lay(memory, used, planes);
    *used = most(*used, limbs);
    const uint64_t transform =
        plan->in_turn ? lay_in_turn(c, memory, *used) : lay_beside(c, memory, *used);
    *used = most(transform, grid_limbs_lay(c, memory, *used));
}

bigint_status grid_begin(grid_work *c) {
    const fft_modular_share_step step = step_of(c, 0);
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

// split: x = the strips of a modulo the round's prime; y = the strips of b, unless y is NULL.
static result split(const grid_work *c, int round, double *x, const uint64_t *a, uint64_t an,
                    double *y, const uint64_t *b, uint64_t bn) {
    const device_member_plan *const plan = c->w->plan;
    const fft_modular_share_step step = step_of(c, prime_of(c, round));
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

static result split_both(const grid_work *c, int round) {
    const device_member_plan *const plan = c->w->plan;
    return split(c, round, strips_out(c, round), c->a_limbs, plan->an,
                 plan->square ? NULL : c->y_strips[round % SPLITS], c->b_limbs, plan->bn);
}

static result gather(const grid_work *c, int round) {
    const device_member_plan *const plan = c->w->plan;
    const fft_modular_share_step step = step_of(c, prime_of(c, round));
    const uint64_t points = device_member_strip_points(plan);
    result done = RESULT_OK;
    for (unsigned k = 0; k < grid_strips(plan, member_work_self(c->w)) && done == RESULT_OK; k++) {
        done = fft_modular_strip_gather(&step, strips_back(c, round) + k * points);
    }
    return done;
}

static result convolve_share(const grid_work *c, int round, double *x, double *y) {
    const bool square = c->w->plan->square;
    const fft_modular_share_step step = step_of(c, prime_of(c, round));
    result done = fft_modular_share_columns(&step, x, square ? NULL : y);
    done = done == RESULT_OK
               ? fft_modular_share_rows(&step, x, y, square ? FFT_ROW_SQUARE : FFT_ROW_MULTIPLY)
               : done;
    return done == RESULT_OK ? fft_modular_share_inverse(&step, x) : done;
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
    double *const x = share_at(c, round);
    return shared(c) ? member_work_status(c->w, convolve_share(c, round, x, c->y[round % 2]))
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
    return shared(c) && round_here(c, round) ? member_work_status(c->w, gather(c, round))
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

// --- In turn -------------------------------------------------------------------------------------

// bring: share = an operand modulo a prime, by way of that prime's strips.
static bigint_status bring(const grid_work *c, int round, double *share, const uint64_t *a,
                           uint64_t n) {
    double *const strips = strips_out(c, round);
    const bigint_status status =
        member_work_status(c->w, split(c, round, strips, a, n, NULL, NULL, 0));
    return status == BIGINT_OK
               ? member_work_exchange(c->w, grid_turn(c, 0, false, share, strips, false))
               : status;
}

static bigint_status convolve_in_turn(const grid_work *c, int round, int last) {
    const member_work *const w = c->w;
    double *const x = c->x[0], *const y = round < last ? strips_back(c, last)
                                                       : (double *)(void *)c->a_limbs;
    bigint_status status = bring(c, round, x, c->a_limbs, w->plan->an);
    if (status == BIGINT_OK && !w->plan->square) {
        status = bring(c, round, y, c->b_limbs, w->plan->bn);
    }
    status = status == BIGINT_OK ? member_work_status(w, convolve_share(c, round, x, y)) : status;
    status = status == BIGINT_OK
                 ? member_work_exchange(w, grid_turn(c, 0, false, x, strips_back(c, round), true))
                 : status;
    return status == BIGINT_OK ? member_work_status(w, gather(c, round)) : status;
}

static bigint_status all_in_turn(const grid_work *c) {
    const int rounds = (int)device_member_rounds(c->w->plan);
    bigint_status status = BIGINT_OK;
    for (int round = 0; round < rounds && status == BIGINT_OK; round++) {
        status = convolve_in_turn(c, round, rounds - 1);
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
    status = status != BIGINT_OK ? status : w->plan->in_turn ? all_in_turn(c) : all_beside(c);
    return status == BIGINT_OK ? grid_limbs_join(c) : status;
}
