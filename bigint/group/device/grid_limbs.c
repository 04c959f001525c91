// grid_limbs.c: see grid_limbs.h. Limbs go from blocks to strips and back without a copy: a member
// sends another one runs of rows. Sets of exchange blocks have the runs of the strips
// that are their members' first, the next ones those of the second strips, and so on.
#include "bigint/group/device/grid_limbs.h"

#include "bigint/device/kernels/recombine_device.h"

uint64_t grid_limbs_strip(const device_member_plan *plan, uint64_t n) {
    return (n + plan->row_limbs - 1) / plan->row_limbs * plan->strip_limbs;
}

// over_limbs: what the rows of a strip have beyond it.
static uint64_t over_limbs(const device_member_plan *plan) {
    return plan->rows * DEVICE_MEMBER_OVER;
}

uint64_t grid_limbs_workspace(const device_member_plan *plan) {
    return recombine_device_bytes(plan->strip_limbs + DEVICE_MEMBER_OVER);
}

static block_range own_strips(const grid_work *c) {
    return device_member_strips(c->w->plan, member_work_self(c->w));
}

// --- Memory --------------------------------------------------------------------------------------

// single: one strip, of which a member joins one row at most.
static bool single(const grid_work *c) { return c->w->plan->column_groups == 1; }

// own_bytes: of `limbs` limbs for each row that a member joins.
static uint64_t own_bytes(const device_member_plan *plan, uint64_t limbs) {
    return device_member_strips(plan, 0).count * device_member_rows(plan, 0).count * limbs *
           LIMB_BYTES;
}

// spots: the limbs beyond rows, as addends of the product (carry/spots.h).
static carry_spots spots(const grid_work *c) {
    const device_member_plan *const plan = c->w->plan;
    static_assert((int)CARRY_SPOT == (int)DEVICE_MEMBER_OVER, "limbs beyond a row");
    return (carry_spots){c->overs, plan->strip_limbs, plan->rows, UINT64_C(1) << plan->lg_strips};
}

static uint64_t spots_bytes(const device_member_plan *plan) {
    return carry_spots_bytes(member_work_longest(plan), plan->strip_limbs);
}

// A member of one strip joins one row, whose limbs beyond lie together.
uint64_t grid_limbs_lay(grid_work *c, unsigned char *memory, uint64_t used) {
    const device_member_plan *const plan = c->w->plan;
    c->overs = member_work_lay(memory, &used, (over_limbs(plan) << plan->lg_strips) * LIMB_BYTES);
    c->rows =
        member_work_lay(memory, &used, own_bytes(plan, plan->strip_limbs + DEVICE_MEMBER_OVER));
    if (single(c)) {
        c->over = c->rows == NULL ? NULL : c->rows + plan->strip_limbs;
    } else {
        c->over = member_work_lay(memory, &used, own_bytes(plan, DEVICE_MEMBER_OVER));
    }
    c->adding = member_work_lay(memory, &used, spots_bytes(plan));
    return used;
}

// of_strip: which limbs of a strip are in a range of the number.
static block_range of_strip(const device_member_plan *plan, uint64_t s, block_range range) {
    const uint64_t first = device_member_before(plan, s, range.first);
    return (block_range){first, device_member_before(plan, s, range.first + range.count) - first};
}

// run: limbs of a strip, from number `at` of it on: in each of `rows` rows that follow each other
// `length` limbs; 0 rows: none.
typedef struct {
    uint64_t at, length, rows;
} run;
enum { RUNS = 3 };

// make_runs: neighbouring limbs of a strip as the end of one row, whole rows and the beginning of
// another, in this order; of the only strip, whose rows follow each other in a number, as one run.
static void make_runs(const device_member_plan *plan, block_range limbs, run runs[RUNS]) {
    const uint64_t row = plan->strip_limbs, in_row = limbs.first % row, n = limbs.count;
    const uint64_t rest = in_row == 0 ? 0 : row - in_row;
    const uint64_t head = plan->lg_strips == 0 || rest > n ? n : rest, whole = (n - head) / row,
                   tail = n - head - whole * row;
    runs[0] = (run){limbs.first, head, head > 0};
    runs[1] = (run){limbs.first + head, row, whole};
    runs[2] = (run){limbs.first + head + whole * row, tail, tail > 0};
}

// layout: where limb 0 of a strip is or would be, and limbs from a row of it to the next.
typedef struct {
    uintptr_t origin;
    uint64_t stride;
} layout;

// in_block: of strip s in limbs of a number, p[0] is limb `first`. in_strip: of a strip by itself,
// p[0] is the first limb of row `row`.
static layout in_block(const grid_work *c, uint64_t s, const uint64_t *p, uint64_t first) {
    const device_member_plan *const plan = c->w->plan;
    return (layout){(uintptr_t)p + (s * plan->strip_limbs - first) * LIMB_BYTES, plan->row_limbs};
}

static layout in_strip(const uint64_t *p, uint64_t row, uint64_t stride) {
    return (layout){(uintptr_t)p - row * stride * LIMB_BYTES, stride};
}

// set_runs makes the blocks of the k-th strip for a member: limbs of it that are laid out so.
static void set_runs(const grid_work *c, exchange_block *blocks, unsigned number, uint64_t k,
                     block_range limbs, layout l) {
    const device_member_plan *const plan = c->w->plan;
    run runs[RUNS];
    make_runs(plan, limbs, runs);
    for (unsigned i = 0; i < RUNS; i++) {
        const uint64_t row = runs[i].at / plan->strip_limbs,
                       in_row = runs[i].at % plan->strip_limbs;
        blocks[(k * RUNS + i) * plan->members + number] =
            (exchange_block){(void *)(l.origin + (row * l.stride + in_row) * LIMB_BYTES),
                             runs[i].rows, runs[i].length * LIMB_BYTES, l.stride * LIMB_BYTES};
    }
}

static unsigned most_sets(const device_member_plan *plan) {
    return RUNS * (unsigned)device_member_strips(plan, 0).count;
}

// --- From blocks to strips -----------------------------------------------------------------------

bigint_status grid_limbs_deal(const grid_work *c, uint64_t *strips,
                              const device_member_operand *a) {
    const member_work *const w = c->w;
    const device_member_plan *const plan = w->plan;
    const uint64_t each = grid_limbs_strip(plan, a->n);
    const block_range own = member_work_operand(w, a, member_work_self(w)), mine = own_strips(c);
    result done = RESULT_OK;
    for (uint64_t k = 0; k < mine.count && done == RESULT_OK; k++) {
        const uint64_t n = device_member_before(plan, mine.first + k, a->n);
        done = n < each ? cuda_set(strips + k * each + n, 0, (each - n) * LIMB_BYTES, w->stream)
                        : RESULT_OK;
    }
    member_work_clear(w, 0, most_sets(plan));
    for (unsigned i = 0; i < plan->members; i++) {
        const block_range theirs = device_member_strips(plan, i),
                          limbs = member_work_operand(w, a, i);
        for (uint64_t k = 0; k < theirs.count; k++) {
            const uint64_t s = theirs.first + k;
            set_runs(c, w->send, i, k, of_strip(plan, s, own), in_block(c, s, a->p, own.first));
        }
        for (uint64_t k = 0; k < mine.count; k++) {
            set_runs(c, w->receive, i, k, of_strip(plan, mine.first + k, limbs),
                     in_strip(strips + k * each, 0, plan->strip_limbs));
        }
    }
    const bigint_status status = member_work_status(w, done);
    return status == BIGINT_OK ? member_work_begin(w, most_sets(plan), DEVICE_PHASE_TRANSFORM)
                               : status;
}

// --- From strips to blocks -----------------------------------------------------------------------

// recombine: the rows that the member joins as limbs: main limbs, and those beyond.
static result recombine(const grid_work *c) {
    const member_work *const w = c->w;
    const device_member_plan *const plan = w->plan;
    const block_range own = device_member_rows(plan, member_work_self(w));
    const uint64_t row = plan->strip_limbs + DEVICE_MEMBER_OVER,
                   all = own_strips(c).count * own.count;
    const recombine_signs none = {w->adder.words + 1, w->adder.words, w->adder.words};
    result done = RESULT_OK;
    for (uint64_t i = 0; i < all && done == RESULT_OK; i++) {
        const uint64_t strip = i / own.count, r = i % own.count;
        const recombine_residues residues = {
            c->residues + strip * device_member_joined(plan) + r * plan->columns,
            grid_plane(plan),
            device_member_span(plan, (block_range){own.first + r, 1}),
            plan->modular.primes,
            plan->modular.digit_bits,
            0,
            plan->lg_inner > 0};
        done =
            recombine_device(c->rows + i * row, row, &none, &residues,
                             c->recombining[i % RECOMBINES], grid_limbs_workspace(plan), w->stream);
    }
    return single(c) || done != RESULT_OK
               ? done
               : cuda_copy_rows(c->over, DEVICE_MEMBER_OVER * LIMB_BYTES,
                                c->rows + plan->strip_limbs, row * LIMB_BYTES,
                                DEVICE_MEMBER_OVER * LIMB_BYTES, all, w->stream);
}

// covered: the limbs of a block that rows have; the product's top limb may lie beyond all of them.
static block_range covered(const device_member_plan *plan, block_range block) {
    const uint64_t all = plan->rows * plan->row_limbs, end = block.first + block.count;
    return block.first >= all ? (block_range){all, 0}
                              : (block_range){block.first, (end < all ? end : all) - block.first};
}

// joined_limbs: of a strip, those that a member joins.
static block_range joined_limbs(const device_member_plan *plan, unsigned m) {
    const block_range rows = device_member_rows(plan, m);
    return (block_range){rows.first * plan->strip_limbs, rows.count * plan->strip_limbs};
}

// send_mains, send_overs: the main limbs of strips go to where they are in members' blocks; all get
// the limbs beyond the rows, in a set of their own.
static void send_mains(const grid_work *c) {
    const member_work *const w = c->w;
    const device_member_plan *const plan = w->plan;
    const unsigned self = member_work_self(w);
    const block_range own = covered(plan, member_work_block(w)), mine = own_strips(c),
                      joined = joined_limbs(plan, self), rows = device_member_rows(plan, self);
    const uint64_t row = plan->strip_limbs + DEVICE_MEMBER_OVER;
    member_work_clear(w, 0, most_sets(plan));
    for (unsigned i = 0; i < plan->members; i++) {
        const block_range theirs = device_member_strips(plan, i),
                          block = covered(plan,
                                          block_bounds(member_work_limbs(plan), plan->members, i));
        for (uint64_t k = 0; k < theirs.count; k++) {
            const uint64_t s = theirs.first + k;
            set_runs(c, w->receive, i, k,
                     block_common(of_strip(plan, s, own), joined_limbs(plan, i)),
                     in_block(c, s, w->job->rp, own.first));
        }
        for (uint64_t k = 0; k < mine.count; k++) {
            set_runs(c, w->send, i, k, block_common(of_strip(plan, mine.first + k, block), joined),
                     in_strip(c->rows + k * rows.count * row, rows.first, row));
        }
    }
}

static void send_overs(const grid_work *c, uint64_t set) {
    const member_work *const w = c->w;
    const device_member_plan *const plan = w->plan;
    const uint64_t each = DEVICE_MEMBER_OVER * LIMB_BYTES;
    const unsigned members = plan->members;
    const uint64_t own = device_member_rows(plan, member_work_self(w)).count * each;
    for (unsigned i = 0; i < members; i++) {
        const block_range theirs = device_member_strips(plan, i),
                          rows = device_member_rows(plan, i);
        w->send[set * members + i] = (exchange_block){c->over, own_strips(c).count, own, own};
        w->receive[set * members + i] = (exchange_block){
            c->overs + theirs.first * over_limbs(plan) + rows.first * DEVICE_MEMBER_OVER,
            theirs.count, rows.count * each, plan->rows * each};
    }
}

bigint_status grid_limbs_join(const grid_work *c) {
    const member_work *const w = c->w;
    const block_range block = member_work_block(w);
    const uint64_t have = covered(w->plan, block).count, sets = most_sets(w->plan);
    const carry_spots beyond = spots(c);
    uint64_t *const rp = w->job->rp;
    result done = recombine(c);
    done = done == RESULT_OK && have < block.count
               ? cuda_set(rp + have, 0, (block.count - have) * LIMB_BYTES, w->stream)
               : done;
    bigint_status status = member_work_status(w, done);
    if (status == BIGINT_OK) {
        send_mains(c);
        send_overs(c, sets);
        status = member_work_begin(w, (unsigned)sets + 1, DEVICE_PHASE_JOIN);
    }
    status = status == BIGINT_OK ? member_work_end(w) : status;
    return status == BIGINT_OK
               ? block_add_spots(w->m, member_work_who, &w->adder, rp, block.count, block.first,
                                 &beyond, c->adding, spots_bytes(w->plan))
               : status;
}
