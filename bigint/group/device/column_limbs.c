// column_limbs.c: see column_limbs.h. A set of exchange blocks has the strips that are their
// members' first, the next one the second ones, and so on.
#include "bigint/group/device/column_limbs.h"

#include "bigint/device/kernels/recombine_device.h"
#include "bigint/group/device/strips.h"

uint64_t column_limbs_strip(const device_member_plan *plan, uint64_t n) {
    return (n + plan->row_limbs - 1) / plan->row_limbs * plan->strip_limbs;
}

// over_limbs: what the rows of a strip have beyond it.
static uint64_t over_limbs(const device_member_plan *plan) {
    return plan->rows * DEVICE_MEMBER_OVER;
}

uint64_t column_limbs_workspace(const device_member_plan *plan) {
    return recombine_device_bytes(plan->strip_limbs + DEVICE_MEMBER_OVER);
}

static block_range own_strips(const columns_work *c) {
    return device_member_strips(c->w->plan, member_work_self(c->w));
}

// --- Memory --------------------------------------------------------------------------------------

// main_bytes: of the rows of a member's strips.
static uint64_t main_bytes(const device_member_plan *plan) {
    return device_member_strips(plan, 0).count * plan->rows * plan->strip_limbs * LIMB_BYTES;
}

static uint64_t over_bytes(const device_member_plan *plan) {
    return device_member_strips(plan, 0).count * over_limbs(plan) * LIMB_BYTES;
}

uint64_t column_limbs_lay_planes(columns_work *c, unsigned char *memory, uint64_t used) {
    c->main = member_work_lay(memory, &used, main_bytes(c->w->plan));
    c->mains = member_work_lay_block(c->w, memory, &used);
    c->w->low = member_work_lay_block(c->w, memory, &used);
    return used;
}

// high takes the place of rows when those have been copied.
uint64_t column_limbs_lay(columns_work *c, unsigned char *memory, uint64_t used) {
    const device_member_plan *const plan = c->w->plan;
    c->over = member_work_lay(memory, &used, over_bytes(plan));
    c->overs = member_work_lay(memory, &used, (over_limbs(plan) << plan->lg_strips) * LIMB_BYTES);
    uint64_t after = used;
    c->rows = member_work_lay(memory, &used, main_bytes(plan) + over_bytes(plan));
    c->w->high = member_work_lay_block(c->w, memory, &after);
    return used > after ? used : after;
}

// --- From blocks to strips -----------------------------------------------------------------------

bigint_status column_limbs_deal(const columns_work *c, uint64_t *strips,
                                const device_member_operand *a) {
    const member_work *const w = c->w;
    const device_member_plan *const plan = w->plan;
    const unsigned members = plan->members;
    const uint64_t each = column_limbs_strip(plan, a->n),
                   most = device_member_strips(plan, 0).count;
    const block_range own = member_work_operand(w, a, member_work_self(w)), mine = own_strips(c);
    result done = cuda_set(strips, 0, mine.count * each * LIMB_BYTES, w->stream);
    uint64_t *at = c->packed;
    member_work_clear(w, 0, (unsigned)most);
    for (unsigned i = 0; i < members && done == RESULT_OK; i++) {
        const block_range theirs = device_member_strips(plan, i),
                          limbs = member_work_operand(w, a, i);
        for (uint64_t k = 0; k < theirs.count && done == RESULT_OK; k++) {
            const uint64_t s = theirs.first + k, first = device_member_before(plan, s, own.first),
                           end = device_member_before(plan, s, own.first + own.count);
            done = device_strip_pack(plan, s, at, a->p, own, w->stream);
            w->send[k * members + i] = exchange_bytes(at, (end - first) * LIMB_BYTES);
            at += end - first;
        }
        for (uint64_t k = 0; k < mine.count; k++) {
            const uint64_t s = mine.first + k, first = device_member_before(plan, s, limbs.first),
                           end = device_member_before(plan, s, limbs.first + limbs.count);
            w->receive[k * members + i] =
                exchange_bytes(strips + k * each + first, (end - first) * LIMB_BYTES);
        }
    }
    const bigint_status status = member_work_status(w, done);
    return status == BIGINT_OK ? member_work_exchange(w, (unsigned)most) : status;
}

// --- From strips to blocks -----------------------------------------------------------------------

// recombine: the strips' rows as limbs: main limbs, and those beyond.
static result recombine(const columns_work *c) {
    const member_work *const w = c->w;
    const device_member_plan *const plan = w->plan;
    const uint64_t row = plan->strip_limbs + DEVICE_MEMBER_OVER, rows = plan->rows,
                   columns = fft_modular_strip_columns(&plan->modular, plan->lg_strips),
                   strip = fft_modular_parts(&plan->modular) * columns,
                   all = own_strips(c).count * rows;
    const recombine_signs none = {w->adder.words + 1, w->adder.words, w->adder.words};
    result done = RESULT_OK;
    for (uint64_t i = 0; i < all && done == RESULT_OK; i++) {
        const recombine_residues residues = {c->planes + i / rows * strip + i % rows * columns,
                                             plan->points,
                                             columns,
                                             plan->modular.primes,
                                             plan->modular.digit_bits,
                                             0,
                                             plan->lg_inner > 0};
        done = recombine_device(c->rows + i * row, row, &none, &residues,
                                c->recombining[i % RECOMBINES], column_limbs_workspace(plan),
                                w->stream);
    }
    done = done == RESULT_OK
               ? cuda_copy_rows(c->main, plan->strip_limbs * LIMB_BYTES, c->rows, row * LIMB_BYTES,
                                plan->strip_limbs * LIMB_BYTES, all, w->stream)
               : done;
    return done == RESULT_OK ? cuda_copy_rows(c->over, DEVICE_MEMBER_OVER * LIMB_BYTES,
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

// of_strip: which limbs of a strip are in a range of the number.
static block_range of_strip(const device_member_plan *plan, uint64_t s, block_range range) {
    const uint64_t first = device_member_before(plan, s, range.first);
    return (block_range){first, device_member_before(plan, s, range.first + range.count) - first};
}

// send_mains, send_overs: the main limbs of strips go to the members whose blocks they are in; all
// get the limbs beyond the rows, in a set of their own.
static void send_mains(const columns_work *c) {
    const member_work *const w = c->w;
    const device_member_plan *const plan = w->plan;
    const unsigned members = plan->members;
    const block_range own = covered(plan, member_work_block(w)), mine = own_strips(c);
    uint64_t *at = c->mains;
    member_work_clear(w, 0, (unsigned)device_member_strips(plan, 0).count);
    for (unsigned i = 0; i < members; i++) {
        const block_range theirs = device_member_strips(plan, i),
                          block = covered(plan, block_bounds(member_work_limbs(plan), members, i));
        for (uint64_t k = 0; k < mine.count; k++) {
            const block_range out = of_strip(plan, mine.first + k, block);
            w->send[k * members + i] = exchange_bytes(
                c->main + k * plan->rows * plan->strip_limbs + out.first, out.count * LIMB_BYTES);
        }
        for (uint64_t k = 0; k < theirs.count; k++) {
            const uint64_t count = of_strip(plan, theirs.first + k, own).count;
            w->receive[k * members + i] = exchange_bytes(at, count * LIMB_BYTES);
            at += count;
        }
    }
}

static void send_overs(const columns_work *c, uint64_t set) {
    const member_work *const w = c->w;
    const uint64_t each = over_limbs(w->plan) * LIMB_BYTES;
    const unsigned members = w->plan->members;
    for (unsigned i = 0; i < members; i++) {
        const block_range theirs = device_member_strips(w->plan, i);
        w->send[set * members + i] = exchange_bytes(c->over, own_strips(c).count * each);
        w->receive[set * members + i] =
            exchange_bytes(c->overs + theirs.first * over_limbs(w->plan), theirs.count * each);
    }
}

// place: low = the main limbs of the own block, high = what rows reach into beyond.
static result place(const columns_work *c) {
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

bigint_status column_limbs_join(const columns_work *c) {
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
