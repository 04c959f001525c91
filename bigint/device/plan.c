// plan.c: plans of products on a device: engine, shape, parts under the cap, memory. It has no side
// effects except the text of a refusal and the plans that a context keeps.
#include "bigint/device/plan.h"

#include <stdio.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/limbs.h"
#include "bigint/core/names.h"
#include "bigint/core/tune.h"
#include "bigint/device/check.h"
#include "bigint/device/float.h"
#include "bigint/device/kernels/recombine_device.h"
#include "bigint/device/kernels/tiled_product.h"
#include "bigint/device/ways.h"
#include "bigint/multiply/float.h"
#include "carry/add.h"
#include "primitives/limbs/device.h"
#include "primitives/words/team.h"
#include "primitives/words/word.h"

// A product is refused beyond this many pieces of either operand: 256 times the time.
enum { CUTS_MAX = 256 };

// --- Plan ----------------------------------------------------------------------------------------

static uint64_t max(uint64_t a, uint64_t b) { return a > b ? a : b; }

unsigned device_plan_cluster(const bigint_ctx *ctx, uint64_t limbs) {
    const device_cluster *row = device_clusters;
    while (row->limbs < limbs) {
        row++;  // the last row is for all
    }
    return row->blocks < ctx->queue.cluster ? row->blocks : ctx->queue.cluster;
}

// For parts: a product of pieces that is added to the result, and the result if it is apart.
static uint64_t scratch_limbs(const device_plan *plan) {
    const uint64_t whole = plan->apart ? device_whole(plan) : 0;
    return device_is_cut(plan) ? whole + plan->a_piece + plan->b_piece : 0;
}

// piece_of: the limbs of a piece when n limbs are cut into `cuts`; whole lines unless it is one
// piece.
static uint64_t piece_of(uint64_t n, uint64_t cuts) {
    return cuts == 1 ? n : word_ceil_div(n, cuts * DEVICE_LINE) * DEVICE_LINE;
}

static const kept_plan *find(const kept_plans *plans, const kept_plan *key) {
    for (unsigned i = 0; i < KEPT_PLANS; i++) {
        const kept_plan *const k = &plans->kept[i];
        if (k->an == key->an && k->bn == key->bn && k->primes == key->primes &&
            k->clusters == key->clusters) {
            return k;
        }
    }
    return NULL;
}

// plan_limbs: fft_modular_plan_limbs of a piece. Its search of all shapes may take the host longer
// than to enqueue the product, so its plans are kept, unless plans is NULL. What else the device's
// plan depends on, the cap, checks and engine, may change: that is looked at each time.
static bool plan_limbs(const bigint_ctx *ctx, kept_plans *plans, device_plan *plan) {
    kept_plan own = {.an = plan->a_piece,
                     .bn = plan->b_piece,
                     .primes = ctx->queue.forced.primes,
                     .clusters = ctx->queue.clusters};
    const kept_plan *const kept = plans == NULL ? NULL : find(plans, &own);
    if (kept != NULL) {
        plan->modular = kept->plan;
        plan->high = kept->high;
        return true;
    }
    if (!fft_modular_plan_limbs(&own.plan, &own.high, own.an, own.bn, own.primes, own.clusters)) {
        return false;
    }
    plan->modular = own.plan;
    plan->high = own.high;
    if (plans != NULL) {
        plans->kept[plans->turn] = own;
        plans->turn = (plans->turn + 1) % KEPT_PLANS;
    }
    return true;
}

// plan_modular: the transforms of a product of pieces, in one launch if it is whole, short and the
// only one. False if there is no such plan.
static bool plan_modular(const bigint_ctx *ctx, kept_plans *plans, device_plan *plan) {
    const unsigned primes = ctx->queue.forced.primes;
    const bool alone = !device_is_cut(plan) && !plan->prepared && !plan->in_turn;
    return (alone && primes <= FFT_PRIMES_USED &&
            fft_modular_plan_whole(&plan->modular, plan->an, plan->bn,
                                   device_plan_cluster(ctx, (plan->an + plan->bn + 1) / 2))) ||
           plan_limbs(ctx, plans, plan);
}

bool device_modular(const device_plan *plan) {
    return plan->certified || (!mul_float_engine(plan->engine) && plan->engine != ENGINE_TILED);
}

static device_memory modular_memory(const device_plan *plan) {
    const uint64_t doubles = plan->modular.primes * device_plane(plan) + device_others(plan);
    const uint64_t adds = device_is_cut(plan) ? carry_add_workspace_bytes(plan->an + plan->bn) : 0;
    device_memory memory = {
        .workspace = (DEVICE_LINE + doubles + scratch_limbs(plan)) * sizeof(uint64_t),
        .words = max(adds,
                     CARRY_ADD_FRONT_BYTES + recombine_device_bytes(plan->a_piece + plan->b_piece)),
        .tables = fft_modular_table_bytes(&plan->modular) + sizeof(product_tables),
    };
    if (plan->modular.wrapped > 0) {
        memory.tables += fft_modular_table_bytes(&plan->high) + sizeof(product_tables);
    }
    return memory;
}

// set_memory: the memory of a plan whose transforms are chosen. Two transforms share everything
// except tables, one after the other.
static void set_memory(device_plan *plan) {
    const device_memory none = {0};
    const device_memory floats = mul_float_engine(plan->engine) ? device_float_memory(plan) : none;
    const device_memory modular = device_modular(plan) ? modular_memory(plan) : none;
    plan->workspace_bytes = max(floats.workspace, modular.workspace);
    plan->words_bytes = max(floats.words, modular.words);
    plan->tables_bytes = floats.tables + modular.tables;
}

// branches_of: the number that its transforms are planned with, or that was asked for; one if the
// primes come one after another.
static unsigned branches_of(const bigint_ctx *ctx, const device_plan *plan) {
    return plan->in_turn                     ? 1
           : ctx->queue.forced.branches != 0 ? ctx->queue.forced.branches
                                             : plan->modular.branches;
}

// choose_branches: of a plan whose transforms are chosen, and its memory.
static void choose_branches(const bigint_ctx *ctx, device_plan *plan) {
    plan->branches = device_modular(plan) ? branches_of(ctx, plan) : 0;
    set_memory(plan);
    if ((device_beside(plan) || device_groups_beside(plan)) && !device_plan_fits(ctx, plan)) {
        plan->branches = 1;  // one after the other, sharing the other operand's memory
        set_memory(plan);
    }
}

// plan_pieces fills in the plan for pieces of the modular transform; floating-point plans are
// already complete. False if there is no plan.
static bool plan_pieces(const bigint_ctx *ctx, kept_plans *plans, device_plan *plan,
                        uint64_t a_cuts, uint64_t b_cuts, bool square, bool in_turn) {
    plan->a_piece = piece_of(plan->an, a_cuts);
    plan->b_piece = piece_of(plan->bn, b_cuts);
    plan->square = square && !device_is_cut(plan);
    plan->in_turn = in_turn && !plan->square;
    if (device_modular(plan) && !plan_modular(ctx, plans, plan)) {
        return false;
    }
    plan->recorded = device_modular(plan) && !fft_modular_whole(&plan->modular) &&
                     plan->an + plan->bn <= DEVICE_RECORDED_LIMBS_MOST;
    choose_branches(ctx, plan);
    return true;
}

uint64_t device_held_bytes(const bigint_ctx *ctx, const device_plan *plan) {
    return arena_held_bytes(plan->workspace_bytes) + arena_held_bytes(plan->words_bytes) +
           plan->tables_bytes + device_staging_bytes(ctx) + device_check_bytes(ctx);
}

bool device_plan_fits(const bigint_ctx *ctx, const device_plan *plan) {
    const uint64_t cap = ctx->options.max_workspace_bytes;
    return device_held_bytes(ctx, plan) <= ctx->device.about.memory_bytes &&
           (cap == 0 || device_held_bytes(ctx, plan) <= cap);
}

// cost: the points transformed modulo all primes, and a tenth more if the primes come one after
// another.
static uint64_t cost(const device_plan *plan) {
    const uint64_t products =
        word_ceil_div(plan->an, plan->a_piece) * word_ceil_div(plan->bn, plan->b_piece);
    const uint64_t high = plan->modular.wrapped > 0 ? fft_modular_points(&plan->high) : 0;
    return products * plan->modular.primes * (fft_modular_points(&plan->modular) + high) / 10 *
           (plan->in_turn ? 11 : 10);
}

static bigint_status refuse(bigint_ctx *ctx, const char *who, const device_plan *least,
                            const char *how) {
    return bigint_fail(ctx, BIGINT_ENOMEM,
                       "%s: %llu by %llu limbs need %llu bytes of workspace on device %d%s; the "
                       "cap is %llu, the device has %llu",
                       who, (unsigned long long)least->an, (unsigned long long)least->bn,
                       (unsigned long long)device_held_bytes(ctx, least), ctx->device.place, how,
                       (unsigned long long)ctx->options.max_workspace_bytes,
                       (unsigned long long)ctx->device.about.memory_bytes);
}

engine_kind device_plan_engine(const bigint_ctx *ctx, uint64_t an) {
    const device_engine *row = device_engines;
    while (row->limbs < an) {
        row++;  // the last row is for all
    }
    return ctx->engine == ENGINE_AUTO ? row->engine : ctx->engine;
}

// plan_tiled: the plan of the tiled engine. False if the factors are too long for it.
static bool plan_tiled(device_plan *plan) {
    plan->a_piece = plan->an;
    plan->b_piece = plan->bn;
    plan->workspace_bytes = DEVICE_LINE * sizeof(uint64_t);
    return tiled_product_tiles(plan->an, plan->bn) > 0;
}

// plan_cut: the fastest plan that keeps to the cap, with primes one after another or with few cuts.
// More cuts than needed cost more time, and so does the search, which every call makes. If both
// operands cut alike fit, it tries no more cuts of the shorter one. False if there is no such plan;
// *least, the start of the modular plan, then needs the least memory of all.
static bool plan_cut(bigint_ctx *ctx, device_plan *plan, device_plan *least, bool square) {
    device_plan p = *least;
    bool found = false, alike = false;
    for (uint64_t b_cuts = 1; !alike && b_cuts <= CUTS_MAX && b_cuts <= p.bn; b_cuts *= 2) {
        bool fits = false;
        for (uint64_t a_cuts = b_cuts; !fits && a_cuts <= p.an && a_cuts <= b_cuts * CUTS_MAX;
             a_cuts *= 2) {
            for (int in_turn = 0; in_turn < 2; in_turn++) {
                if (!plan_pieces(ctx, &ctx->queue.plans, &p, a_cuts, b_cuts, square,
                                 in_turn != 0)) {
                    continue;
                }
                const bool less = device_held_bytes(ctx, &p) < device_held_bytes(ctx, least);
                *least = least->a_piece == 0 || less ? p : *least;
                if (device_plan_fits(ctx, &p)) {
                    fits = true;
                    *plan = found && cost(plan) <= cost(&p) ? *plan : p;
                    found = true;
                }
            }
            alike = fits && a_cuts == b_cuts;
        }
    }
    return found;
}

bigint_status device_plan_make(bigint_ctx *ctx, const char *who, device_plan *plan, uint64_t an,
                               uint64_t bn, bool square, bool apart) {
    const bigint_status status = bigint_check_product_size(ctx, who, an, bn);
    if (status != BIGINT_OK) {
        return status;
    }
    // A product with no limbs is planned as one of a limb; it needs less.
    *plan = (device_plan){.an = max(max(an, bn), 1),
                          .bn = max(an < bn ? an : bn, 1),
                          .engine = device_plan_engine(ctx, max(an, bn)),
                          .apart = apart};
    if (mul_float_engine(plan->engine)) {
        const char *why = device_float_plan(plan, ctx->certified);
        if (why != NULL) {
            return mul_float_refuse(ctx, who, plan->engine, plan->an, plan->bn, "limbs", why);
        }
    }
    if (plan->engine == ENGINE_TILED) {
        const bool by_name = ctx->engine == ENGINE_TILED;
        if (plan_tiled(plan) && (by_name || device_plan_fits(ctx, plan))) {
            return BIGINT_OK;
        }
        if (by_name) {
            return mul_float_refuse(ctx, who, plan->engine, plan->an, plan->bn, "limbs",
                                    "they are too long");
        }
        plan->engine = ENGINE_MODULAR_FFT;  // its refusal says how much the cap lacks
    }
    device_plan least = *plan;
    if (plan_pieces(ctx, &ctx->queue.plans, plan, 1, 1, square, false) &&
        device_plan_fits(ctx, plan)) {
        return BIGINT_OK;
    }
    if (!device_modular(plan)) {
        return refuse(ctx, who, plan, "");  // no other engine may take over
    }
    return plan_cut(ctx, plan, &least, square) ? BIGINT_OK
                                               : refuse(ctx, who, &least, " even cut in pieces");
}

bool device_plan_whole(const bigint_ctx *ctx, device_plan *plan, uint64_t an, uint64_t bn,
                       bool square, bool prepared) {
    *plan = (device_plan){
        .an = an, .bn = bn, .engine = device_plan_engine(ctx, max(an, bn)), .prepared = prepared};
    if (mul_float_engine(plan->engine) &&
        (prepared || device_float_plan(plan, ctx->certified) != NULL)) {
        return false;
    }
    if (plan->engine == ENGINE_TILED) {
        return !prepared && plan_tiled(plan);
    }
    return plan_pieces(ctx, NULL, plan, 1, 1, square, false) && device_plan_fits(ctx, plan);
}

uint64_t device_plan_words(const bigint_ctx *ctx, device_plan *plan, uint64_t an, uint64_t bn,
                           const fft_modular_words *words, bool square) {
    *plan = (device_plan){.an = an,
                          .bn = bn,
                          .engine = ENGINE_MODULAR_FFT,
                          .a_piece = an,
                          .b_piece = bn,
                          .square = square};
    const uint64_t of_plan =
        fft_modular_plan_words(&plan->modular, &plan->high, an, bn, words, ctx->queue.clusters);
    if (of_plan != UINT64_MAX) {
        choose_branches(ctx, plan);
    }
    return of_plan;
}

work_need device_need_begin(bigint_ctx *ctx, const char *who) {
    work_need n = need_begin(ctx, who);
    n.more = device_staging_bytes(ctx) + device_check_bytes(ctx);
    need_words(&n, LIMBS_COMPARE_WORKSPACE_BYTES);  // lengths are asked for
    return n;
}

// shape_need: the tables of a modular shape, told apart as fft_modular_same_shape does.
static void shape_need(work_need *n, const fft_modular_plan *p) {
    const uint64_t key =
        ((((uint64_t)p->primes << 8 | p->pieces) << 8 | p->lg_outer) << 8 | p->lg_rows) << 8 |
        p->lg_columns | (p->negacyclic ? 128 : 0);
    need_tables(n, (uint64_t)1 << 63 | key, fft_modular_table_bytes(p) + sizeof(product_tables));
}

void device_plan_need(work_need *n, const device_plan *plan) {
    const uint64_t in_use = n->device.in_use;
    if (mul_float_engine(plan->engine)) {
        const uint64_t points = fft_id_length(&plan->floats.transform.problem);
        need_tables(n, (uint64_t)1 << 62 | points, device_float_memory(plan).tables);
    }
    if (device_modular(plan)) {
        shape_need(n, &plan->modular);
        if (plan->modular.wrapped > 0) {
            shape_need(n, &plan->high);
        }
    }
    need_words(n, plan->words_bytes);
    need_take(&n->device, plan->workspace_bytes);
    need_release(&n->device, in_use);
}

void device_mul_need(work_need *n, uint64_t an, uint64_t bn, bool square) {
    device_plan plan;
    if (n->status == BIGINT_OK) {
        n->status = device_plan_make(n->ctx, n->who, &plan, an, bn, square, false);
    }
    if (n->status == BIGINT_OK) {
        device_plan_need(n, &plan);
    }
}

void device_transfer_need(work_need *n, uint64_t bytes) {
    const bigint_ctx *const ctx = n->ctx;
    need_pinned(n,
                device_rings_bytes(ctx->options.max_workspace_bytes, team_size(ctx->team), bytes) -
                    device_staging_bytes(ctx));
}

int device_plan_print(const bigint_ctx *ctx, const device_plan *plan, char *buf, size_t cap) {
    if (mul_float_engine(plan->engine)) {
        return device_float_print(ctx, plan, buf, cap);
    }
    const char *origin = ctx->engine == ENGINE_AUTO ? "; as measured on " DEVICE_WAYS_OF : "";
    if (plan->engine == ENGINE_TILED) {
        return snprintf(buf, cap, "%s tiled, %llu x %llu limbs, %u tiles of 32 limbs, one launch%s",
                        names_backend(ctx->device.backend), (unsigned long long)plan->an,
                        (unsigned long long)plan->bn, tiled_product_tiles(plan->an, plan->bn),
                        origin);
    }
    const fft_modular_plan *const m = &plan->modular, *const high = &plan->high;
    char wrapped[120] = "", branches[24] = "";
    if (m->wrapped > 0) {
        snprintf(wrapped, sizeof wrapped, ", %llu wrapped: %u x 2^%u x 2^%u x 2^%u",
                 (unsigned long long)m->wrapped, high->pieces, high->lg_outer, high->lg_rows,
                 high->lg_columns);
    }
    if (plan->branches > 1) {
        snprintf(branches, sizeof branches, ", %u branches", plan->branches);
    }
    return snprintf(buf, cap,
                    "%s %s, %llu x %llu limbs, %u primes%s, %u-bit %sdigits, %llu points = %u "
                    "pieces of 2^%u x 2^%u rows x 2^%u%s, %llu x %llu parts%s%s%s",
                    names_backend(ctx->device.backend), names_engine(ENGINE_MODULAR_FFT),
                    (unsigned long long)plan->an, (unsigned long long)plan->bn, m->primes,
                    plan->in_turn ? " in turn" : "", m->digit_bits, m->balanced ? "balanced " : "",
                    (unsigned long long)fft_modular_points(m), m->pieces, m->lg_outer, m->lg_rows,
                    m->lg_columns, wrapped,
                    (unsigned long long)word_ceil_div(plan->an, plan->a_piece),
                    (unsigned long long)word_ceil_div(plan->bn, plan->b_piece),
                    fft_modular_whole(m) ? ", one launch" : "", branches, origin);
}
