// classes.c: see classes.h.
#include "bigint/device/batch/classes.h"

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_staging.h"
#include "bigint/device/branches.h"
#include "bigint/device/tables.h"

static uint64_t max(uint64_t a, uint64_t b) { return a > b ? a : b; }

void device_classes_add(device_classes *all, unsigned size, uint64_t products, uint64_t an,
                        uint64_t bn, uint64_t rn) {
    device_passes *const p = &all->plan[size];
    p->rows.count += products;
    p->an = max(p->an, an);
    p->bn = max(p->bn, bn);
    p->rn = max(p->rn, rn);
}

void device_classes_plan(const bigint_ctx *ctx, device_classes *all, const product_rows *alike) {
    for (unsigned size = 0; size < BATCH_SIZES; size++) {
        device_passes *const p = &all->plan[size];
        if (p->rows.count > 0) {
            const product_rows rows = alike != NULL ? *alike : p->rows;
            device_passes_make(ctx, p, size, &rows, p->an, p->bn, p->rn, all->ring);
        }
    }
}

device_memory device_classes_need(const device_classes *all, bool least) {
    device_memory m = {.workspace = all->blocks_bytes};
    for (unsigned size = 0; size < BATCH_SIZES; size++) {
        if (all->plan[size].rows.count > 0) {
            device_passes p = all->plan[size];
            p.items = least ? 1 : p.items;
            p.branches = least ? 1 : p.branches;
            m.workspace = max(m.workspace, device_passes_bytes(&p));
            m.words = max(m.words, device_passes_words(&p));
        }
    }
    return m;
}

static unsigned most_branches(const device_classes *all) {
    unsigned most = 1;
    for (unsigned size = 0; size < BATCH_SIZES; size++) {
        const device_passes *const p = &all->plan[size];
        most = p->rows.count > 0 && p->branches > most ? p->branches : most;
    }
    return most;
}

// fewer: launches that need more than `most` bytes get half of their products. False if no launch
// has several.
static bool fewer(device_classes *all, uint64_t most) {
    bool any = false;
    for (unsigned size = 0; size < BATCH_SIZES; size++) {
        device_passes *const p = &all->plan[size];
        if (p->rows.count > 0 && device_passes_bytes(p) > most) {
            any |= device_passes_fewer(p);
        }
    }
    return any;
}

bigint_status device_classes_take(bigint_ctx *ctx, const char *who, device_classes *all) {
    device_memory need = device_classes_need(all, false);
    bigint_status status = device_branches_need(ctx, who, most_branches(all));
    if (status == BIGINT_OK && need.words > 0) {
        status = device_words_need(ctx, who, need.words);
    }
    while (need.workspace > 0 && all->workspace == NULL && status == BIGINT_OK) {
        all->workspace = arena_take_in(ctx, &ctx->queue.memory, who, need.workspace);
        if (all->workspace == NULL && ctx->failed != BIGINT_OK) {
            status = ctx->failed;
        } else if (all->workspace == NULL && !fewer(all, need.workspace / 2)) {
            status = BIGINT_ENOMEM;
        }
        need = device_classes_need(all, false);
    }
    return status;
}

result device_classes_run(const bigint_ctx *ctx, const device_classes *all, unsigned size,
                          const product_item *items) {
    device_passes plan = all->plan[size];
    plan.rows.items = items;
    return device_passes_run(ctx, &plan, device_tables(ctx, &plan.modular), all->workspace);
}
