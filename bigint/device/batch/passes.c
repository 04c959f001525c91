// passes.c: see passes.h. Groups of products take their launches one after the other, in branches
// of the stream that take turns: where one group's launch waits for memory, another one's computes,
// and no launch's last blocks leave the device empty. A group has as many products as fit into
// DEVICE_BATCH_PASSES_GROUP.
//
// Memory: planes of a common factor; for every product of a launch the planes of a and of b; packed
// factors.
#include "bigint/device/batch/passes.h"

#include <assert.h>
#include <stdio.h>

#include "bigint/core/device_queue.h"
#include "bigint/core/names.h"
#include "bigint/core/tune.h"
#include "bigint/device/batch/batch_plan.h"
#include "bigint/device/branches.h"
#include "bigint/device/kernels/product_rows_pack.h"
#include "bigint/device/kernels/recombine_rows.h"
#include "bigint/device/kernels/ring_rows.h"
#include "bigint/device/plan.h"
#include "carry/add.h"
#include "fft/device/modular/batch.h"
#include "primitives/words/word.h"

// --- Plan ----------------------------------------------------------------------------------------

// Doubles of the planes of one factor.
static uint64_t planes(const device_passes *plan) {
    return plan->modular.primes * fft_modular_plane(&plan->modular);
}
static bool has_own_b(const device_passes *plan) { return !plan->square && !plan->common; }

// Words of workspace for each product of a launch, and once.
static uint64_t item_words(const device_passes *plan) {
    return planes(plan) * (has_own_b(plan) ? 2 : 1) + (plan->packed ? plan->an + plan->bn : 0);
}
static uint64_t once_words(const device_passes *plan) { return plan->common ? planes(plan) : 0; }
// launch_words: of a branch, whole lines, since planes are read by vectors.
static uint64_t launch_words(const device_passes *plan) {
    return device_lines(plan->items * item_words(plan));
}

// share_out: launches of `most` products or fewer that differ little, in as many branches or fewer.
static void share_out(device_passes *plan, uint64_t most) {
    const uint64_t count = plan->rows.count, groups = word_ceil_div(count, most);
    plan->items = word_ceil_div(count, groups);
    plan->branches = groups < plan->branches ? (unsigned)groups : plan->branches;
}

void device_passes_make(const bigint_ctx *ctx, device_passes *plan, unsigned size,
                        const product_rows *rows, uint64_t an, uint64_t bn, uint64_t rn,
                        uint64_t ring) {
    *plan = (device_passes){.rows = *rows, .an = an, .bn = bn, .rn = rn, .ring = ring};
    const product_item first = rows->first;
    if (rows->items == NULL && rows->a_stride == 0) {
        plan->rows.first.a = first.b, plan->rows.first.an = first.bn;
        plan->rows.first.b = first.a, plan->rows.first.bn = first.an;
        plan->rows.a_stride = rows->b_stride, plan->rows.b_stride = 0;
    }
    const bool alike = plan->rows.first.a != NULL;
    plan->packed = !alike;
    plan->square = alike && product_rows_squares(&plan->rows);
    plan->common = alike && !plan->square && plan->rows.b_stride == 0 && rows->count > 1;
    if (alike) {
        plan->an = plan->rows.first.an;
        plan->bn = plan->rows.first.bn;
    }
    const bool exact = device_batch_passes(size, ring > 0, &plan->modular);
    assert(exact && plan->an + plan->bn <= 2 * fft_modular_points(&plan->modular));
    (void)exact;
    assert(ring == 0 ||
           (ring == fft_modular_points(&plan->modular) && plan->an <= ring && plan->bn <= ring));
    // Not both are so long at once but in a ring; digits above the points would be zeros.
    plan->rn = ring > 0 ? ring : rn;
    plan->modular.a_digits = plan->an;
    plan->modular.b_digits = plan->bn;
    const unsigned forced = ctx->queue.forced.branches;
    plan->branches = forced != 0 ? forced : DEVICE_BATCH_PASSES_BRANCHES;
    const uint64_t room = DEVICE_BATCH_PASSES_GROUP / sizeof(uint64_t) / item_words(plan);
    const uint64_t most = fft_modular_items_most(&plan->modular);
    const uint64_t asked =
        ctx->queue.forced.batch_items != 0 ? ctx->queue.forced.batch_items : room;
    share_out(plan, asked < 1 ? 1 : asked < most ? asked : most);
}

bool device_passes_fewer(device_passes *plan) {
    if (plan->branches > 1) {
        plan->branches = 1;
        return true;
    }
    if (plan->items == 1) {
        return false;
    }
    share_out(plan, plan->items / 2);
    return true;
}

uint64_t device_passes_bytes(const device_passes *plan) {
    return (once_words(plan) + plan->branches * launch_words(plan)) * sizeof(uint64_t);
}

// counters: bytes of the words that a launch counts in, whole lines of a cache.
static uint64_t counters(const device_passes *plan) {
    const uint64_t bytes = recombine_rows_bytes(plan->rn, plan->items);
    return device_lines(word_ceil_div(bytes, sizeof(uint64_t))) * sizeof(uint64_t);
}

uint64_t device_passes_words(const device_passes *plan) {
    return CARRY_ADD_FRONT_BYTES + plan->branches * counters(plan);
}

int device_passes_print(const bigint_ctx *ctx, const device_passes *plan, char *buf, size_t cap) {
    const fft_modular_plan *const m = &plan->modular;
    return snprintf(buf, cap,
                    "%s %s, %llu products of %llu x %llu limbs, %u primes, %llu points = %u pieces "
                    "of 2^%u rows x 2^%u%s%s, %llu products a launch, %u branches",
                    names_backend(ctx->device.backend), names_engine(ENGINE_MODULAR_FFT),
                    (unsigned long long)plan->rows.count, (unsigned long long)plan->an,
                    (unsigned long long)plan->bn, m->primes,
                    (unsigned long long)fft_modular_points(m), m->pieces, m->lg_rows, m->lg_columns,
                    plan->square   ? ", squares"
                    : plan->common ? ", a common factor"
                    : plan->packed ? ", packed"
                                   : "",
                    plan->ring > 0 ? ", around the points" : "", (unsigned long long)plan->items,
                    plan->branches);
}

// --- Execution -----------------------------------------------------------------------------------

// part: the products of one launch, and their memory.
typedef struct {
    const bigint_ctx *ctx;
    const device_passes *plan;
    fft_modular_step step;
    double *x, *y;  // planes of the products, of the other factor
    uint64_t *packed;
    unsigned char *counters;  // of the recombination
} part;

// transform_common: y = the transform of the common factor, by the plan in which it comes first.
static result transform_common(const part *p) {
    fft_modular_plan turned = p->plan->modular;
    turned.a_digits = p->plan->modular.b_digits;
    turned.b_digits = p->plan->modular.a_digits;
    fft_modular_step step = p->step;
    step.plan = &turned;
    const fft_modular_operand b = {p->plan->rows.first.b, p->plan->bn};
    const result done = fft_modular_columns(&step, p->y, b, NULL, b);
    return done == RESULT_OK ? fft_modular_rows(&step, p->y, NULL, FFT_ROW_TRANSFORM) : done;
}

// recombine: the limbs of `rows` from the residues in x. Those above the longest product are 0.
static result recombine(const part *p, const product_rows *rows) {
    const device_passes *const plan = p->plan;
    const uint64_t points = fft_modular_points(&plan->modular), count = plan->an + plan->bn - 1;
    const recombine_residues residues = {p->x,
                                         fft_modular_plane(&plan->modular),
                                         plan->ring == 0 && count < points ? count : points,
                                         plan->modular.primes,
                                         plan->modular.digit_bits,
                                         0,
                                         false};
    const result done = recombine_rows(rows, plan->rn, &residues, planes(plan), p->counters,
                                       counters(plan), p->step.stream);
    return done == RESULT_OK && plan->ring > 0
               ? ring_rows(rows, &residues, planes(plan), p->step.stream)
               : done;
}

// run_part: the products `rows`, no more than plan->items.
static result run_part(const part *p, const product_rows *rows) {
    const device_passes *const plan = p->plan;
    const uint64_t row = plan->an + plan->bn;
    fft_modular_operand a = {rows->first.a, plan->an}, b = {rows->first.b, plan->bn};
    fft_modular_items items = {(unsigned)rows->count, planes(plan), plan->common ? 0 : planes(plan),
                               rows->a_stride, rows->b_stride};
    result done = RESULT_OK;
    if (plan->packed) {
        done = product_rows_pack(rows, p->packed, plan->an, plan->bn, p->step.stream);
        a.words = p->packed;
        b.words = p->packed + plan->an;
        items.a = items.b = row;
    }
    if (done == RESULT_OK) {
        double *const y = has_own_b(plan) ? p->y : NULL;
        done = fft_modular_items_columns(&p->step, &items, p->x, a, y, b);
    }
    if (done == RESULT_OK) {
        const fft_row_mode mode = plan->square   ? FFT_ROW_SQUARE
                                  : plan->common ? FFT_ROW_PREPARED
                                                 : FFT_ROW_MULTIPLY;
        done = fft_modular_items_rows(&p->step, &items, p->x, p->y, mode);
    }
    done = done == RESULT_OK ? fft_modular_items_inverse(&p->step, &items, p->x) : done;
    return done == RESULT_OK ? recombine(p, rows) : done;
}

// rows_from: `count` of the products from number `first` on.
static product_rows rows_from(const product_rows *all, uint64_t first, uint64_t count) {
    product_rows some = *all;
    some.count = count;
    if (all->items != NULL) {
        some.items += first;
        return some;
    }
    some.first.r += first * all->r_stride;
    some.first.a += first * all->a_stride;
    some.first.b += first * all->b_stride;
    return some;
}

// part_of: the memory and the stream of the launches of one branch.
static part part_of(const bigint_ctx *ctx, const device_passes *plan,
                    const fft_modular_tables *tables, void *workspace, unsigned number) {
    const device_queue *const q = &ctx->queue;
    double *const y = workspace, *const x = y + once_words(plan) + number * launch_words(plan);
    double *const other = x + plan->items * planes(plan);
    return (part){
        .ctx = ctx,
        .plan = plan,
        .step = {&plan->modular, tables, 0, plan->modular.primes,
                 device_branch(ctx, q->stream, number)},
        .x = x,
        .y = plan->common ? y : other,
        .packed = (uint64_t *)(other + (has_own_b(plan) ? plan->items * planes(plan) : 0)),
        // After the words of comparisons and sums.
        .counters = (unsigned char *)q->words + CARRY_ADD_FRONT_BYTES + number * counters(plan),
    };
}

// run_branches: the products of group after group, in branch after branch.
static result run_branches(const bigint_ctx *ctx, const device_passes *plan,
                           const fft_modular_tables *tables, void *workspace) {
    result done = RESULT_OK;
    unsigned number = 0;
    for (uint64_t i = 0; i < plan->rows.count && done == RESULT_OK; i += plan->items) {
        const uint64_t left = plan->rows.count - i;
        const product_rows some =
            rows_from(&plan->rows, i, left < plan->items ? left : plan->items);
        const part p = part_of(ctx, plan, tables, workspace, number);
        done = run_part(&p, &some);
        number = (number + 1) % plan->branches;
    }
    return done;
}

// clear_counters: of the branches after the first, where a launch with other lengths may have left
// words. Epochs begin anew there, and the first branch's are no fewer, as it has as many launches:
// so words that stay behind are of none that follows (primitives/cuda/lookback.cuh).
static result clear_counters(const part *first) {
    const uint64_t each = counters(first->plan), others = first->plan->branches - 1;
    return others == 0 ? RESULT_OK
                       : cuda_set(first->counters + each, 0, others * each, first->step.stream);
}

result device_passes_run(const bigint_ctx *ctx, const device_passes *plan,
                         const fft_modular_tables *tables, void *workspace) {
    const cuda_stream stream = ctx->queue.stream;
    const part first = part_of(ctx, plan, tables, workspace, 0);
    result done = clear_counters(&first);
    done = done == RESULT_OK && plan->common ? transform_common(&first) : done;
    done = done == RESULT_OK ? device_fork(ctx, stream, plan->branches) : done;
    done = done == RESULT_OK ? run_branches(ctx, plan, tables, workspace) : done;
    const result joined = device_join(ctx, stream, plan->branches);
    return done == RESULT_OK ? joined : done;
}
