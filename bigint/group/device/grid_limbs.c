// grid_limbs.c: see grid_limbs.h. A set of exchange blocks has the strips that are their
// members' first, the next one the second ones, and so on.
#include "bigint/group/device/grid_limbs.h"

#include "bigint/device/kernels/recombine_device.h"
#include "bigint/group/device/strips.h"

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

// own_bytes: of so many limbs for each row that a member joins.
static uint64_t own_bytes(const device_member_plan *plan, uint64_t limbs) {
    return device_member_strips(plan, 0).count * device_member_rows(plan, 0).count * limbs *
           LIMB_BYTES;
}

uint64_t grid_limbs_lay_planes(grid_work *c, unsigned char *memory, uint64_t used) {
    c->main = member_work_lay(memory, &used, own_bytes(c->w->plan, c->w->plan->strip_limbs));
    c->mains = member_work_lay_block(c->w, memory, &used);
    c->w->low = member_work_lay_block(c->w, memory, &used);
    return used;
}

// high takes the place of rows when those have been copied.
uint64_t grid_limbs_lay(grid_work *c, unsigned char *memory, uint64_t used) {
    const device_member_plan *const plan = c->w->plan;
    c->over = member_work_lay(memory, &used, own_bytes(plan, DEVICE_MEMBER_OVER));
    c->overs = member_work_lay(memory, &used, (over_limbs(plan) << plan->lg_strips) * LIMB_BYTES);
    uint64_t after = used;
    c->rows =
        member_work_lay(memory, &used, own_bytes(plan, plan->strip_limbs + DEVICE_MEMBER_OVER));
    c->w->high = member_work_lay_block(c->w, memory, &after);
    return used > after ? used : after;
}

// of_strip: which limbs of a strip are in a range of the number.
static block_range of_strip(const device_member_plan *plan, uint64_t s, block_range range) {
    const uint64_t first = device_member_before(plan, s, range.first);
    return (block_range){first, device_member_before(plan, s, range.first + range.count) - first};
}

// --- From blocks to strips -----------------------------------------------------------------------

bigint_status grid_limbs_deal(const grid_work *c, uint64_t *strips,
                              const device_member_operand *a) {
    const member_work *const w = c->w;
    const device_member_plan *const plan = w->plan;
    const unsigned members = plan->members;
    const uint64_t each = grid_limbs_strip(plan, a->n), most = device_member_strips(plan, 0).count;
    const block_range own = member_work_operand(w, a, member_work_self(w)), mine = own_strips(c);
    result done = cuda_set(strips, 0, mine.count * each * LIMB_BYTES, w->stream);
    uint64_t *at = c->packed;
    member_work_clear(w, 0, (unsigned)most);
    for (uint64_t s = 0; s < UINT64_C(1) << plan->lg_strips && done == RESULT_OK; s++) {
        const uint64_t count = of_strip(plan, s, own).count;
        done = device_strip_pack(plan, s, at, a->p, own, w->stream);
        for (unsigned i = 0; i < members; i++) {
            const block_range theirs = device_member_strips(plan, i);
            if (s - theirs.first < theirs.count) {
                w->send[(s - theirs.first) * members + i] = exchange_bytes(at, count * LIMB_BYTES);
            }
        }
        at += count;
    }
    for (unsigned i = 0; i < members; i++) {
        const block_range limbs = member_work_operand(w, a, i);
        for (uint64_t k = 0; k < mine.count; k++) {
            const block_range in = of_strip(plan, mine.first + k, limbs);
            w->receive[k * members + i] =
                exchange_bytes(strips + k * each + in.first, in.count * LIMB_BYTES);
        }
    }
    const bigint_status status = member_work_status(w, done);
    return status == BIGINT_OK ? member_work_begin(w, (unsigned)most, DEVICE_PHASE_TRANSFORM)
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
    done = done == RESULT_OK && all > 0
               ? cuda_copy_rows(c->main, plan->strip_limbs * LIMB_BYTES, c->rows, row * LIMB_BYTES,
                                plan->strip_limbs * LIMB_BYTES, all, w->stream)
               : done;
    return done == RESULT_OK && all > 0
               ? cuda_copy_rows(c->over, DEVICE_MEMBER_OVER * LIMB_BYTES,
                                c->rows + plan->strip_limbs, row * LIMB_BYTES,
                                DEVICE_MEMBER_OVER * LIMB_BYTES, all, w->stream)
               : done;
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

// send_mains, send_overs: the main limbs of strips go to the members whose blocks they are in,
// which have them strip by strip; all get the limbs beyond the rows, in a set of their own.
static void send_mains(const grid_work *c) {
    const member_work *const w = c->w;
    const device_member_plan *const plan = w->plan;
    const unsigned members = plan->members, self = member_work_self(w);
    const block_range own = covered(plan, member_work_block(w)), mine = own_strips(c),
                      joined = joined_limbs(plan, self);
    uint64_t *at = c->mains;
    member_work_clear(w, 0, (unsigned)device_member_strips(plan, 0).count);
    for (uint64_t s = 0; s < UINT64_C(1) << plan->lg_strips; s++) {
        const block_range all = of_strip(plan, s, own);
        for (unsigned i = 0; i < members; i++) {
            const block_range theirs = device_member_strips(plan, i);
            if (s - theirs.first < theirs.count) {
                const uint64_t count = block_common(all, joined_limbs(plan, i)).count;
                w->receive[(s - theirs.first) * members + i] =
                    exchange_bytes(at, count * LIMB_BYTES);
                at += count;
            }
        }
    }
    for (unsigned i = 0; i < members; i++) {
        const block_range block = covered(plan, block_bounds(member_work_limbs(plan), members, i));
        for (uint64_t k = 0; k < mine.count; k++) {
            const block_range out = block_common(of_strip(plan, mine.first + k, block), joined);
            w->send[k * members + i] = exchange_bytes(
                c->main + k * joined.count + (out.count > 0 ? out.first - joined.first : 0),
                out.count * LIMB_BYTES);
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

// place: low = the main limbs of the own block, high = what rows reach into beyond.
static result place(const grid_work *c) {
    const member_work *const w = c->w;
    const device_member_plan *const plan = w->plan;
    const block_range block = member_work_block(w), own = covered(plan, block);
    const uint64_t *at = c->mains;
    result done = RESULT_OK;
    for (uint64_t s = 0; s < UINT64_C(1) << plan->lg_strips && done == RESULT_OK; s++) {
        done = device_strip_unpack(plan, s, w->low, own, at, w->stream);
        done = done == RESULT_OK ? device_strip_overs(plan, s, w->high, block,
                                                      c->overs + s * over_limbs(plan), w->stream)
                                 : done;
        at += of_strip(plan, s, own).count;
    }
    return done;
}

bigint_status grid_limbs_join(const grid_work *c) {
    const member_work *const w = c->w;
    const block_range block = member_work_block(w);
    const uint64_t have = covered(w->plan, block).count,
                   sets = device_member_strips(w->plan, 0).count;
    result done = recombine(c);
    done = done == RESULT_OK && have < block.count
               ? cuda_set(w->low + have, 0, (block.count - have) * LIMB_BYTES, w->stream)
               : done;
    done = done == RESULT_OK && block.count > 0
               ? cuda_set(w->high, 0, block.count * LIMB_BYTES, w->stream)
               : done;
    bigint_status status = member_work_status(w, done);
    if (status == BIGINT_OK) {
        send_mains(c);
        send_overs(c, sets);
        status = member_work_begin(w, (unsigned)sets + 1, DEVICE_PHASE_JOIN);
    }
    status = status == BIGINT_OK ? member_work_end(w) : status;
    status = status == BIGINT_OK ? member_work_status(w, place(c)) : status;
    return status == BIGINT_OK ? member_work_carry(w, block.count) : status;
}
