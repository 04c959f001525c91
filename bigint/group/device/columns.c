// columns.c: see columns.h. Operands go from blocks to strips, digits and parts; prime after prime
// from strips to shares and back; and coefficients from strips to limbs and blocks.
#include "bigint/group/device/columns.h"

#include "bigint/device/kernels/recombine_device.h"
#include "bigint/group/device/strips.h"

// --- Memory --------------------------------------------------------------------------------------

// Limbs of a strip of an operand of n limbs: whole rows.
static uint64_t strip_limbs(const device_member_plan *plan, uint64_t n) {
    return (n + plan->row_limbs - 1) / plan->row_limbs * plan->strip_limbs;
}

static uint64_t over_limbs(const device_member_plan *plan) {
    return plan->rows * DEVICE_MEMBER_OVER;
}

static uint64_t recombine_bytes(const device_member_plan *plan) {
    return recombine_device_bytes(plan->strip_limbs + DEVICE_MEMBER_OVER);
}

// longest: limbs of the longest block that a member may have of the lowest n limbs of a number.
static uint64_t longest(const member_work *w, const device_member_operand *a) {
    return member_work_operand(w, a, 0).count;
}

// lay_transform and lay_limbs point into the same memory, for one after the other, from `used` on,
// and return how far they come.
static uint64_t lay_transform(columns_work *c, unsigned char *memory, uint64_t used) {
    const device_member_plan *const plan = c->w->plan;
    const uint64_t plane = plan->points * sizeof(double), b = plan->square ? 0 : 1;
    const uint64_t a_block = longest(c->w, &c->w->job->a), b_block = longest(c->w, &c->w->job->b);
    for (unsigned i = 0; i < SHARES; i++) {
        c->x[i] = member_work_lay(memory, &used, plane);
    }
    for (unsigned i = 0; i < 2; i++) {
        c->y[i] = member_work_lay(memory, &used, b * plane);
        c->y_strip[i] = member_work_lay(memory, &used, b * plane);
    }
    c->a_limbs = member_work_lay(memory, &used, strip_limbs(plan, plan->an) * LIMB_BYTES);
    c->b_limbs = member_work_lay(memory, &used, b * strip_limbs(plan, plan->bn) * LIMB_BYTES);
    c->packed =
        member_work_lay(memory, &used, (a_block > b_block ? a_block : b_block) * LIMB_BYTES);
    return used;
}

static uint64_t lay_limbs(columns_work *c, unsigned char *memory, uint64_t used) {
    const device_member_plan *const plan = c->w->plan;
    const uint64_t main = plan->rows * plan->strip_limbs * LIMB_BYTES,
                   over = over_limbs(plan) * LIMB_BYTES;
    const uint64_t block = block_bounds(member_work_limbs(plan), plan->members, 0).count;
    c->rows = member_work_lay(memory, &used, main + over);
    c->main = member_work_lay(memory, &used, main);
    c->over = member_work_lay(memory, &used, over);
    c->mains = member_work_lay(memory, &used, block * LIMB_BYTES);
    c->overs = member_work_lay(memory, &used, over * plan->members);
    member_work_lay_blocks(c->w, memory, &used);
    return used;
}

void columns_lay(columns_work *c, unsigned char *memory, uint64_t *used, uint64_t *zeros) {
    const device_member_plan *const plan = c->w->plan;
    for (unsigned i = 0; i < RECOMBINES; i++) {
        c->recombining[i] = member_work_lay(memory, used, recombine_bytes(plan));
    }
    *zeros = *used;
    c->planes = member_work_lay(memory, used, plan->points * plan->modular.primes * sizeof(double));
    const uint64_t transform = lay_transform(c, memory, *used), limbs = lay_limbs(c, memory, *used);
    *used = transform > limbs ? transform : limbs;
}

// --- From blocks to strips -----------------------------------------------------------------------

static bigint_status exchange_now(const columns_work *c) {
    const bigint_status status = member_work_begin(c->w, 1, DEVICE_PHASE_TRANSFORM);
    return status == BIGINT_OK ? member_work_end(c->w) : status;
}

// deal: strip = the own strip of an operand, zeros above it.
static bigint_status deal(const columns_work *c, uint64_t *strip, const device_member_operand *a) {
    const member_work *const w = c->w;
    const device_member_plan *const plan = w->plan;
    const unsigned self = member_work_self(w);
    const block_range own = member_work_operand(w, a, self);
    result done = cuda_set(strip, 0, strip_limbs(plan, a->n) * LIMB_BYTES, w->stream);
    uint64_t *at = c->packed;
    for (unsigned i = 0; i < plan->members && done == RESULT_OK; i++) {
        const block_range theirs = member_work_operand(w, a, i);
        const uint64_t first = device_member_before(plan, i, own.first),
                       end = device_member_before(plan, i, own.first + own.count),
                       begin = device_member_before(plan, self, theirs.first),
                       last = device_member_before(plan, self, theirs.first + theirs.count);
        done = device_strip_pack(plan, i, at, a->p, own, w->stream);
        w->send[i] = exchange_bytes(at, (end - first) * LIMB_BYTES);
        w->receive[i] = exchange_bytes(strip + begin, (last - begin) * LIMB_BYTES);
        at += end - first;
    }
    const bigint_status status = member_work_status(w, done);
    return status == BIGINT_OK ? exchange_now(c) : status;
}

// --- The transform -------------------------------------------------------------------------------

// turn: the blocks of one set, from the own columns of all parts to all columns of the own parts,
// or back.
static void turn(const columns_work *c, unsigned set, double *share, double *strip, bool back) {
    const member_work *const w = c->w;
    const fft_modular_plan *const modular = &w->plan->modular;
    const unsigned members = w->plan->members;
    const uint64_t n = (uint64_t)1 << fft_modular_lg_part(modular), columns = n / members;
    const uint64_t parts = fft_modular_parts(modular) / members;
    for (unsigned i = 0; i < members; i++) {
        const exchange_block in_share = {share + i * columns, parts, columns * sizeof(double),
                                         n * sizeof(double)};
        const exchange_block in_strip = {strip + i * parts * columns, parts,
                                         columns * sizeof(double), columns * sizeof(double)};
        w->send[set * members + i] = back ? in_share : in_strip;
        w->receive[set * members + i] = back ? in_strip : in_share;
    }
}

static double *strip_of(const columns_work *c, unsigned prime) {
    return c->planes + prime * c->w->plan->points;
}

static fft_modular_step step_of(const columns_work *c, unsigned prime) {
    return (fft_modular_step){&c->w->plan->modular, c->w->tables, prime, 1, c->w->stream};
}

static result split(const columns_work *c, unsigned prime) {
    const device_member_plan *const plan = c->w->plan;
    const fft_modular_step step = step_of(c, prime);
    const fft_modular_operand a = {c->a_limbs, strip_limbs(plan, plan->an)},
                              b = {c->b_limbs, strip_limbs(plan, plan->bn)};
    return fft_modular_strip_split(&step, plan->lg_members, strip_of(c, prime), a,
                                   plan->square ? NULL : c->y_strip[prime % 2], b);
}

static result convolve(const columns_work *c, unsigned prime) {
    const bool square = c->w->plan->square;
    const fft_modular_step step = step_of(c, prime);
    const fft_modular_share share = {c->w->plan->lg_members, member_work_self(c->w)};
    double *const x = c->x[prime % SHARES], *const y = c->y[prime % 2];
    result done = fft_modular_share_columns(&step, share, x, square ? NULL : y);
    done = done == RESULT_OK ? fft_modular_share_rows(&step, share, x, y,
                                                      square ? FFT_ROW_SQUARE : FFT_ROW_MULTIPLY)
                             : done;
    return done == RESULT_OK ? fft_modular_share_inverse(&step, share, x) : done;
}

// exchange_beside begins the exchanges that run beside the convolution modulo one prime: shares
// modulo the next one come, and what the one before has become goes back to the strips.
static bigint_status exchange_beside(const columns_work *c, unsigned prime) {
    const device_member_plan *const plan = c->w->plan;
    const unsigned next = prime + 1;
    unsigned sets = 0;
    if (next < plan->modular.primes) {
        turn(c, sets++, c->x[next % SHARES], strip_of(c, next), false);
        if (!plan->square) {
            turn(c, sets++, c->y[next % 2], c->y_strip[next % 2], false);
        }
    }
    if (prime > 0) {
        turn(c, sets++, c->x[(prime - 1) % SHARES], strip_of(c, prime - 1), true);
    }
    return member_work_begin(c->w, sets, DEVICE_PHASE_TRANSFORM);
}

static result gather(const columns_work *c, unsigned prime) {
    const fft_modular_step step = step_of(c, prime);
    return fft_modular_strip_gather(&step, c->w->plan->lg_members, strip_of(c, prime));
}

// convolve_beside: the convolution modulo one prime, whose shares have come, and what runs beside.
static bigint_status convolve_beside(const columns_work *c, unsigned prime) {
    const member_work *const w = c->w;
    const bool more = prime + 1 < w->plan->modular.primes;
    bigint_status status = member_work_status(w, more ? split(c, prime + 1) : RESULT_OK);
    status = status == BIGINT_OK ? exchange_beside(c, prime) : status;
    status = status == BIGINT_OK ? member_work_status(w, convolve(c, prime)) : status;
    status = status == BIGINT_OK ? member_work_end(w) : status;
    return status == BIGINT_OK && prime > 0 ? member_work_status(w, gather(c, prime - 1)) : status;
}

// residues_of_all: the strip's residues of the product modulo all primes.
static bigint_status residues_of_all(const columns_work *c) {
    const member_work *const w = c->w;
    const unsigned last = w->plan->modular.primes - 1;
    bigint_status status = member_work_status(w, split(c, 0));
    turn(c, 0, c->x[0], strip_of(c, 0), false);
    if (!w->plan->square) {
        turn(c, 1, c->y[0], c->y_strip[0], false);
    }
    status = status == BIGINT_OK
                 ? member_work_begin(w, w->plan->square ? 1 : 2, DEVICE_PHASE_TRANSFORM)
                 : status;
    status = status == BIGINT_OK ? member_work_end(w) : status;
    for (unsigned prime = 0; prime <= last && status == BIGINT_OK; prime++) {
        status = convolve_beside(c, prime);
    }
    if (status == BIGINT_OK) {
        turn(c, 0, c->x[last % SHARES], strip_of(c, last), true);
        status = exchange_now(c);
    }
    return status == BIGINT_OK ? member_work_status(w, gather(c, last)) : status;
}

// --- From strips to blocks -----------------------------------------------------------------------

// recombine: the strip's rows as limbs: main limbs, and those beyond.
static result recombine(const columns_work *c) {
    const member_work *const w = c->w;
    const device_member_plan *const plan = w->plan;
    const uint64_t row = plan->strip_limbs + DEVICE_MEMBER_OVER;
    const uint64_t columns = plan->points / fft_modular_parts(&plan->modular);
    const recombine_signs none = {w->adder.words + 1, w->adder.words, w->adder.words};
    result done = RESULT_OK;
    for (uint64_t r = 0; r < plan->rows && done == RESULT_OK; r++) {
        const recombine_residues residues = {c->planes + r * columns,
                                             plan->points,
                                             columns,
                                             plan->modular.primes,
                                             plan->modular.digit_bits,
                                             0};
        done = recombine_device(c->rows + r * row, row, &none, &residues,
                                c->recombining[r % RECOMBINES], recombine_bytes(plan), w->stream);
    }
    done = done == RESULT_OK
               ? cuda_copy_rows(c->main, plan->strip_limbs * LIMB_BYTES, c->rows, row * LIMB_BYTES,
                                plan->strip_limbs * LIMB_BYTES, plan->rows, w->stream)
               : done;
    return done == RESULT_OK
               ? cuda_copy_rows(c->over, DEVICE_MEMBER_OVER * LIMB_BYTES,
                                c->rows + plan->strip_limbs, row * LIMB_BYTES,
                                DEVICE_MEMBER_OVER * LIMB_BYTES, plan->rows, w->stream)
               : done;
}

// covered: the limbs of a block that rows have; the product's top limb may lie beyond all of them.
static block_range covered(const device_member_plan *plan, block_range block) {
    const uint64_t all = plan->rows * plan->row_limbs, end = block.first + block.count;
    return block.first >= all ? (block_range){all, 0}
                              : (block_range){block.first, (end < all ? end : all) - block.first};
}

// send_mains, send_overs: the blocks of one set: the main limbs of strips go to the members whose
// blocks they are in; all get the limbs beyond the rows.
static void send_mains(const columns_work *c, unsigned set) {
    const member_work *const w = c->w;
    const device_member_plan *const plan = w->plan;
    const unsigned members = plan->members, self = member_work_self(w);
    const block_range own = covered(plan, member_work_block(w));
    uint64_t *at = c->mains;
    for (unsigned i = 0; i < members; i++) {
        const block_range theirs = covered(plan, block_bounds(member_work_limbs(plan), members, i));
        const uint64_t first = device_member_before(plan, self, theirs.first),
                       end = device_member_before(plan, self, theirs.first + theirs.count),
                       count = device_member_before(plan, i, own.first + own.count) -
                               device_member_before(plan, i, own.first);
        w->send[set * members + i] = exchange_bytes(c->main + first, (end - first) * LIMB_BYTES);
        w->receive[set * members + i] = exchange_bytes(at, count * LIMB_BYTES);
        at += count;
    }
}

static void send_overs(const columns_work *c, unsigned set) {
    const member_work *const w = c->w;
    const uint64_t each = over_limbs(w->plan);
    const unsigned members = w->plan->members;
    for (unsigned i = 0; i < members; i++) {
        w->send[set * members + i] = exchange_bytes(c->over, each * LIMB_BYTES);
        w->receive[set * members + i] = exchange_bytes(c->overs + i * each, each * LIMB_BYTES);
    }
}

// place: low = the main limbs of the own block, high = what rows reach into beyond.
static result place(const columns_work *c) {
    const member_work *const w = c->w;
    const device_member_plan *const plan = w->plan;
    const block_range block = member_work_block(w), own = covered(plan, block);
    const uint64_t each = over_limbs(plan);
    const uint64_t *at = c->mains;
    result done = RESULT_OK;
    for (unsigned i = 0; i < plan->members && done == RESULT_OK; i++) {
        done = device_strip_unpack(plan, i, w->low, own, at, w->stream);
        done = done == RESULT_OK
                   ? device_strip_overs(plan, i, w->high, block, c->overs + i * each, w->stream)
                   : done;
        at += device_member_before(plan, i, own.first + own.count) -
              device_member_before(plan, i, own.first);
    }
    return done;
}

static bigint_status join(const columns_work *c) {
    const member_work *const w = c->w;
    const block_range block = member_work_block(w);
    const uint64_t have = covered(w->plan, block).count;
    result done = recombine(c);
    done = done == RESULT_OK && have < block.count
               ? cuda_set(w->low + have, 0, (block.count - have) * LIMB_BYTES, w->stream)
               : done;
    done = done == RESULT_OK && block.count > 0
               ? cuda_set(w->high, 0, block.count * LIMB_BYTES, w->stream)
               : done;
    bigint_status status = member_work_status(w, done);
    if (status == BIGINT_OK) {
        send_mains(c, 0);
        send_overs(c, 1);
        status = member_work_begin(w, 2, DEVICE_PHASE_JOIN);
    }
    status = status == BIGINT_OK ? member_work_end(w) : status;
    status = status == BIGINT_OK ? member_work_status(w, place(c)) : status;
    return status == BIGINT_OK ? member_work_carry(w, block.count) : status;
}

bigint_status columns_run(const columns_work *c) {
    const device_member_job *const job = c->w->job;
    bigint_status status = deal(c, c->a_limbs, &job->a);
    if (status == BIGINT_OK && !c->w->plan->square) {
        status = deal(c, c->b_limbs, &job->b);
    }
    status = status == BIGINT_OK ? residues_of_all(c) : status;
    return status == BIGINT_OK ? join(c) : status;
}
