// columns.c: see columns.h. Operands go from blocks to strips, digits and parts; prime after prime
// from strips to shares and back; and coefficients from strips to limbs and blocks.
#include "bigint/group/device/columns.h"

#include "bigint/group/device/column_limbs.h"

// A member's strips and parts, as numbers of kernels.
static unsigned strips_of(const device_member_plan *plan, unsigned m) {
    return (unsigned)device_member_strips(plan, m).count;
}

static fft_modular_share_step step_of(const columns_work *c, unsigned prime) {
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
    return strips_of(plan, 0) * column_limbs_strip(plan, n) * LIMB_BYTES;
}

// packed_bytes: of the longest block of an operand.
static uint64_t packed_bytes(const member_work *w) {
    const uint64_t a = member_work_operand(w, &w->job->a, 0).count,
                   b = member_work_operand(w, &w->job->b, 0).count;
    return most(a, b) * LIMB_BYTES;
}

static uint64_t lay_beside(columns_work *c, unsigned char *memory, uint64_t used) {
    const device_member_plan *const plan = c->w->plan;
    const uint64_t plane = plan->points * sizeof(double), b = plan->square ? 0 : 1;
    for (unsigned i = 0; i < SHARES; i++) {
        c->x[i] = member_work_lay(memory, &used, plane);
    }
    for (unsigned i = 0; i < 2; i++) {
        c->y[i] = member_work_lay(memory, &used, b * plane);
        c->y_strips[i] = member_work_lay(memory, &used, b * plane);
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
static uint64_t lay_in_turn(columns_work *c, unsigned char *memory, uint64_t used) {
    const device_member_plan *const plan = c->w->plan;
    const uint64_t plane = plan->points * sizeof(double), b = plan->square ? 0 : 1;
    c->x[0] = device_member_in_block(plan) ? aligned(c->w->job->rp)
                                           : member_work_lay(memory, &used, plane);
    c->a_limbs = member_work_lay(memory, &used, most(b * plane, strips_bytes(plan, plan->an)));
    c->b_limbs = member_work_lay(memory, &used, b * strips_bytes(plan, plan->bn));
    return used;
}

static uint64_t table_bytes(const columns_work *c) {
    const fft_modular_share_step step = step_of(c, 0);
    return step.lg_inner > 0 ? fft_modular_share_table_bytes(&step) : 0;
}

// What there is of shares, and of limbs afterwards, is in the same memory.
void columns_lay(columns_work *c, unsigned char *memory, uint64_t *used, uint64_t *zeros) {
    const device_member_plan *const plan = c->w->plan;
    for (unsigned i = 0; i < RECOMBINES; i++) {
        c->recombining[i] = member_work_lay(memory, used, column_limbs_workspace(plan));
    }
    *zeros = *used;
    c->tables = member_work_lay(memory, used, table_bytes(c));
    const uint64_t limbs = column_limbs_lay_planes(c, memory, *used);
    const uint64_t planes = plan->points * plan->modular.primes * sizeof(double);
    c->planes = member_work_lay(memory, used, most(planes, packed_bytes(c->w)));
    c->packed = (uint64_t *)(void *)c->planes;
    *used = most(*used, limbs);
    const uint64_t transform =
        plan->in_turn ? lay_in_turn(c, memory, *used) : lay_beside(c, memory, *used);
    *used = most(transform, column_limbs_lay(c, memory, *used));
}

bigint_status columns_begin(columns_work *c) {
    const fft_modular_share_step step = step_of(c, 0);
    return step.lg_inner == 0 ? BIGINT_OK
                              : member_work_status(c->w, fft_modular_share_tables_make(
                                                             c->inner, &step, c->tables));
}

// --- Steps ---------------------------------------------------------------------------------------

// turn: the blocks of one exchange, in sets from `set` on, a set for each strip that a member may
// have: from the own columns of all parts to all columns of the own parts, or back. Returns the
// next set.
static unsigned turn(const columns_work *c, unsigned set, double *share, double *strips,
                     bool back) {
    const member_work *const w = c->w;
    const device_member_plan *const plan = w->plan;
    const unsigned members = plan->members, self = member_work_self(w), sets = strips_of(plan, 0);
    const uint64_t n = (uint64_t)1 << fft_modular_lg_part(&plan->modular),
                   columns = fft_modular_strip_columns(&plan->modular, plan->lg_strips),
                   all = fft_modular_parts(&plan->modular), row = columns * sizeof(double);
    const block_range own = device_member_parts(plan, self);
    exchange_block *const of_strips = back ? w->receive : w->send, *const of_share =
                                                                       back ? w->send : w->receive;
    member_work_clear(w, set, sets);
    for (unsigned i = 0; i < members; i++) {
        const block_range parts = device_member_parts(plan, i),
                          theirs = device_member_strips(plan, i);
        for (unsigned k = 0; k < strips_of(plan, self); k++) {
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

static double *strips_at(const columns_work *c, unsigned prime) {
    return c->planes + prime * c->w->plan->points;
}

// split: x = the strips of a modulo a prime; y = the strips of b, unless y is NULL.
static result split(const columns_work *c, unsigned prime, double *x, const uint64_t *a,
                    uint64_t an, double *y, const uint64_t *b, uint64_t bn) {
    const device_member_plan *const plan = c->w->plan;
    const fft_modular_share_step step = step_of(c, prime);
    const uint64_t points = fft_modular_points(&plan->modular) >> plan->lg_strips;
    const uint64_t a_strip = column_limbs_strip(plan, an), b_strip = column_limbs_strip(plan, bn);
    result done = RESULT_OK;
    for (unsigned k = 0; k < strips_of(plan, member_work_self(c->w)) && done == RESULT_OK; k++) {
        const fft_modular_operand of_a = {a + k * a_strip, a_strip},
                                  of_b = {y == NULL ? NULL : b + k * b_strip, b_strip};
        done = fft_modular_strip_split(&step, x + k * points, of_a,
                                       y == NULL ? NULL : y + k * points, of_b);
    }
    return done;
}

static result gather(const columns_work *c, unsigned prime) {
    const device_member_plan *const plan = c->w->plan;
    const fft_modular_share_step step = step_of(c, prime);
    const uint64_t points = fft_modular_points(&plan->modular) >> plan->lg_strips;
    result done = RESULT_OK;
    for (unsigned k = 0; k < strips_of(plan, member_work_self(c->w)) && done == RESULT_OK; k++) {
        done = fft_modular_strip_gather(&step, strips_at(c, prime) + k * points);
    }
    return done;
}

static result convolve(const columns_work *c, unsigned prime, double *x, double *y) {
    const bool square = c->w->plan->square;
    const fft_modular_share_step step = step_of(c, prime);
    result done = fft_modular_share_columns(&step, x, square ? NULL : y);
    done = done == RESULT_OK
               ? fft_modular_share_rows(&step, x, y, square ? FFT_ROW_SQUARE : FFT_ROW_MULTIPLY)
               : done;
    return done == RESULT_OK ? fft_modular_share_inverse(&step, x) : done;
}

// --- Exchanges beside computation ----------------------------------------------------------------

static result split_both(const columns_work *c, unsigned prime) {
    const device_member_plan *const plan = c->w->plan;
    return split(c, prime, strips_at(c, prime), c->a_limbs, plan->an,
                 plan->square ? NULL : c->y_strips[prime % 2], c->b_limbs, plan->bn);
}

// come: the blocks of the exchange that brings shares modulo a prime. Returns how many sets.
static unsigned come(const columns_work *c, unsigned prime) {
    const unsigned sets = turn(c, 0, c->x[prime % SHARES], strips_at(c, prime), false);
    return c->w->plan->square ? sets
                              : turn(c, sets, c->y[prime % 2], c->y_strips[prime % 2], false);
}

// leave: the sets of the exchange that brings back a share modulo a prime once it is computed.
static unsigned leave(const columns_work *c, unsigned set, unsigned prime) {
    return turn(c, set, c->x[prime % SHARES], strips_at(c, prime), true);
}

// convolve_beside: the convolution modulo one prime, whose shares have come, and what runs beside:
// shares modulo the next one come, and what the one before has become goes back to the strips.
static bigint_status convolve_beside(const columns_work *c, unsigned prime) {
    const member_work *const w = c->w;
    const unsigned next = prime + 1;
    const bool more = next < w->plan->modular.primes;
    bigint_status status = member_work_status(w, more ? split_both(c, next) : RESULT_OK);
    if (status == BIGINT_OK) {
        unsigned sets = more ? come(c, next) : 0;
        sets = prime > 0 ? leave(c, sets, prime - 1) : sets;
        status = member_work_begin(w, sets, DEVICE_PHASE_TRANSFORM);
    }
    status = status == BIGINT_OK
                 ? member_work_status(w, convolve(c, prime, c->x[prime % SHARES], c->y[prime % 2]))
                 : status;
    status = status == BIGINT_OK ? member_work_end(w) : status;
    return status == BIGINT_OK && prime > 0 ? member_work_status(w, gather(c, prime - 1)) : status;
}

// all_beside: the strips' residues of the product modulo all primes.
static bigint_status all_beside(const columns_work *c) {
    const member_work *const w = c->w;
    const unsigned last = w->plan->modular.primes - 1;
    bigint_status status = member_work_status(w, split_both(c, 0));
    status = status == BIGINT_OK ? member_work_exchange(w, come(c, 0)) : status;
    for (unsigned prime = 0; prime <= last && status == BIGINT_OK; prime++) {
        status = convolve_beside(c, prime);
    }
    status = status == BIGINT_OK ? member_work_exchange(w, leave(c, 0, last)) : status;
    return status == BIGINT_OK ? member_work_status(w, gather(c, last)) : status;
}

// --- In turn -------------------------------------------------------------------------------------

// bring: share = an operand modulo a prime, by way of that prime's strips.
static bigint_status bring(const columns_work *c, unsigned prime, double *share, const uint64_t *a,
                           uint64_t n) {
    double *const strips = strips_at(c, prime);
    const bigint_status status =
        member_work_status(c->w, split(c, prime, strips, a, n, NULL, NULL, 0));
    return status == BIGINT_OK ? member_work_exchange(c->w, turn(c, 0, share, strips, false))
                               : status;
}

static bigint_status convolve_in_turn(const columns_work *c, unsigned prime) {
    const member_work *const w = c->w;
    const unsigned last = w->plan->modular.primes - 1;
    double *const x = c->x[0], *const y =
                                   prime < last ? strips_at(c, last) : (double *)(void *)c->a_limbs;
    bigint_status status = bring(c, prime, x, c->a_limbs, w->plan->an);
    if (status == BIGINT_OK && !w->plan->square) {
        status = bring(c, prime, y, c->b_limbs, w->plan->bn);
    }
    status = status == BIGINT_OK ? member_work_status(w, convolve(c, prime, x, y)) : status;
    status = status == BIGINT_OK ? member_work_exchange(w, turn(c, 0, x, strips_at(c, prime), true))
                                 : status;
    return status == BIGINT_OK ? member_work_status(w, gather(c, prime)) : status;
}

static bigint_status all_in_turn(const columns_work *c) {
    bigint_status status = BIGINT_OK;
    for (unsigned prime = 0; prime < c->w->plan->modular.primes && status == BIGINT_OK; prime++) {
        status = convolve_in_turn(c, prime);
    }
    return status;
}

bigint_status columns_run(const columns_work *c) {
    const device_member_job *const job = c->w->job;
    const device_member_plan *const plan = c->w->plan;
    bigint_status status = column_limbs_deal(c, c->a_limbs, &job->a);
    if (status == BIGINT_OK && !plan->square) {
        status = column_limbs_deal(c, c->b_limbs, &job->b);
    }
    status = status != BIGINT_OK ? status : plan->in_turn ? all_in_turn(c) : all_beside(c);
    return status == BIGINT_OK ? column_limbs_join(c) : status;
}
