// plan.c: plans of products on limbs: which engine for which size, pieces, memory against the cap,
// and the tables that a plan needs. Multiplies nothing.
#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/limbs.h"
#include "bigint/core/tune.h"
#include "bigint/multiply/float.h"
#include "bigint/multiply/halves.h"
#include "bigint/multiply/modular.h"
#include "bigint/multiply/mul.h"
#include "bigint/multiply/small.h"
#include "primitives/words/word.h"

// A capped product is refused beyond this many pieces of either operand: 256 times the time.
enum { CUTS_MAX = 256 };

// Without a cap operands are cut only if one is this many times as long as the other (UNBALANCED of
// modular.c, TIMES_LEAST of float.c), or if the modular transform has too few points: 2^31 of at
// least 32 bits each hold this many limbs.
enum { CUT_TIMES = 4, UNCUT_LIMBS = 1 << 30 };

// thresholds: of one variant, in limbs.
typedef struct {
    variant_kind variant;
    uint64_t fft[2];  // [square]: the first size of equal operands for the modular transform
    // the shortest operand for it, where both together are as long as two of those
    uint64_t fft_shorter;
    // the shortest operand for the real transform, and the first for which the longer one is not
    // cut to fit it
    uint64_t real_shorter, real_cut_end;
    // [certified][square]: the first size of the real transform, and the first at which the modular
    // one takes over again
    uint64_t real[2][2], real_end[2][2];
} thresholds;

static const thresholds *thresholds_of(const bigint_ctx *ctx) {
    static const thresholds all[] = {
        {VARIANT_IFMA,
         {MUL_FFT_IFMA_THRESHOLD, SQR_FFT_IFMA_THRESHOLD},
         MUL_FFT_IFMA_SHORTER,
         MUL_REAL_FFT_IFMA_SHORTER,
         MUL_REAL_FFT_IFMA_CUT_END,
         {{MUL_REAL_FFT_IFMA_THRESHOLD, SQR_REAL_FFT_IFMA_THRESHOLD},
          {MUL_CERTIFIED_IFMA_THRESHOLD, SQR_CERTIFIED_IFMA_THRESHOLD}},
         {{MUL_REAL_FFT_IFMA_END, SQR_REAL_FFT_IFMA_END},
          {MUL_CERTIFIED_IFMA_END, SQR_CERTIFIED_IFMA_END}}},
        {VARIANT_AVX512,
         {MUL_FFT_AVX512_THRESHOLD, SQR_FFT_AVX512_THRESHOLD},
         MUL_FFT_AVX512_SHORTER,
         MUL_REAL_FFT_AVX512_SHORTER,
         MUL_REAL_FFT_AVX512_CUT_END,
         {{MUL_REAL_FFT_AVX512_THRESHOLD, SQR_REAL_FFT_AVX512_THRESHOLD},
          {MUL_CERTIFIED_AVX512_THRESHOLD, SQR_CERTIFIED_AVX512_THRESHOLD}},
         {{MUL_REAL_FFT_AVX512_END, SQR_REAL_FFT_AVX512_END},
          {MUL_CERTIFIED_AVX512_END, SQR_CERTIFIED_AVX512_END}}},
        {VARIANT_AVX2,
         {MUL_FFT_AVX2_THRESHOLD, SQR_FFT_AVX2_THRESHOLD},
         MUL_FFT_AVX2_SHORTER,
         MUL_REAL_FFT_AVX2_SHORTER,
         MUL_REAL_FFT_AVX2_CUT_END,
         {{MUL_REAL_FFT_AVX2_THRESHOLD, SQR_REAL_FFT_AVX2_THRESHOLD},
          {MUL_CERTIFIED_AVX2_THRESHOLD, SQR_CERTIFIED_AVX2_THRESHOLD}},
         {{MUL_REAL_FFT_AVX2_END, SQR_REAL_FFT_AVX2_END},
          {MUL_CERTIFIED_AVX2_END, SQR_CERTIFIED_AVX2_END}}},
        {VARIANT_PORTABLE,
         {MUL_FFT_PORTABLE_THRESHOLD, SQR_FFT_PORTABLE_THRESHOLD},
         MUL_FFT_PORTABLE_SHORTER,
         0,
         0,
         {{0}, {0}},
         {{0}, {0}}},
    };
    const thresholds *t = all;
    while (t->variant != ctx->variant) {
        t++;
    }
    return t;
}

// real_end: the size at which the range of the real transform ends on this many threads; few
// threads gain more from a prime each. 0: they have no range.
static uint64_t real_end(const thresholds *t, bool certified, bool square, unsigned threads) {
    const uint64_t end = t->real_end[certified][square];
    if (threads == 1 || end == 0) {
        return end;
    }
    if (threads < MUL_REAL_FFT_TEAM_THREADS) {
        return 0;
    }
    return end < MUL_REAL_FFT_TEAM_END ? MUL_REAL_FFT_TEAM_END : end;
}

// real_fft_pays: whether the library chooses the engine and the real transform is the fastest: the
// mean of the operands is in its range, or beyond, where the longer operand is cut, the shorter one
// is in its own range. Threads share a modular product better than few pieces.
static bool real_fft_pays(const bigint_ctx *ctx, const mul_plan *plan, bool square) {
    const thresholds *const t = thresholds_of(ctx);
    const uint64_t begin = t->real[ctx->certified][square], mean = (plan->an + plan->bn) / 2;
    const unsigned threads = plan->bn < MUL_FFT_TEAM_THRESHOLD ? 1 : team_size(ctx->team);
    if (ctx->engine != ENGINE_AUTO || begin == 0 || mean < begin || plan->bn < t->real_shorter) {
        return false;
    }
    return mean < real_end(t, ctx->certified, square, threads) ||
           (mean >= t->real_end[ctx->certified][square] && plan->bn < t->real_cut_end &&
            plan->an / plan->bn >= MUL_REAL_FFT_CUT_TIMES * (threads - 1));
}

engine_kind mul_choose_engine(const bigint_ctx *ctx, uint64_t longer, uint64_t shorter,
                              bool square) {
    if (shorter == 0) {
        return ENGINE_SCHOOLBOOK;  // nothing to multiply: any forced engine gives way
    }
    if (ctx->engine != ENGINE_AUTO) {
        return ctx->engine;
    }
    // a long operand's transform pays even if the other operand is shorter
    const thresholds *const t = thresholds_of(ctx);
    if (shorter >= t->fft_shorter && (longer + shorter) / 2 >= t->fft[square]) {
        return ENGINE_MODULAR_FFT;
    }
    switch (mul_small_best(ctx->limbs, shorter, square)) {
        case MUL_SMALL_TOOM3:
            return ENGINE_TOOM3;
        case MUL_SMALL_KARATSUBA:
            return ENGINE_KARATSUBA;
        default:
            return ENGINE_SCHOOLBOOK;
    }
}

bool mul_plan_real(const bigint_ctx *ctx, mul_float_plan *plan, uint64_t an, uint64_t bn) {
    const thresholds *const t = thresholds_of(ctx);
    const uint64_t longer = an > bn ? an : bn, shorter = an > bn ? bn : an;
    const uint64_t begin = t->real[0][0], mean = (an + bn) / 2;
    return ctx->engine == ENGINE_AUTO && !ctx->certified && begin > 0 &&
           MUL_REAL_FFT_KEPT_TIMES * mean >= begin &&
           MUL_REAL_FFT_KEPT_TIMES * shorter >= t->real_shorter && mean < t->real_end[0][0] &&
           (shorter < MUL_FFT_TEAM_THRESHOLD || team_size(ctx->team) == 1) &&
           mul_float_plan_make(plan, ENGINE_REAL_FFT, longer, shorter, false, false, 1) == NULL &&
           plan->pieces == 1;
}

uint64_t mul_short_limbs(const bigint_ctx *ctx) {
    uint64_t n = 0;
    while (ctx->engine == ENGINE_AUTO && n < SHORT_LIMBS_MOST &&
           mul_choose_engine(ctx, n + 1, n + 1, false) == ENGINE_SCHOOLBOOK &&
           mul_choose_engine(ctx, n + 1, n + 1, true) == ENGINE_SCHOOLBOOK) {
        n++;
    }
    return n;
}

// modular: whether a plan needs the modular transform, even if only to repeat a wrong product.
static bool modular(const mul_plan *plan) {
    return plan->engine == ENGINE_MODULAR_FFT || plan->certified;
}

static bool within_cap(const bigint_ctx *ctx, uint64_t bytes) {
    return ctx->options.max_workspace_bytes == 0 || bytes <= ctx->options.max_workspace_bytes;
}

// workspace_with: the bytes that the arena holds with the plan's workspace and what is in use.
static uint64_t workspace_with(const bigint_ctx *ctx, const mul_plan *plan) {
    return arena_held_with(&ctx->arena, plan->workspace_bytes);
}

bool mul_plan_fits(const bigint_ctx *ctx, const mul_plan *plan) {
    return within_cap(ctx, workspace_with(ctx, plan) + plan->tables_bytes);
}

// set_bytes: the memory of a plan whose transforms are chosen. Two transforms share the workspace,
// one after the other.
static void set_bytes(const bigint_ctx *ctx, mul_plan *plan) {
    plan->workspace_bytes = plan->tables_bytes = 0;
    if (mul_float_engine(plan->engine)) {
        plan->workspace_bytes = mul_float_workspace_bytes(ctx, &plan->floats);
        plan->tables_bytes = mul_float_tables_bytes(&plan->floats);
    }
    if (modular(plan)) {
        const uint64_t bytes = mul_fft_workspace_bytes(ctx, &plan->fft, false);
        plan->workspace_bytes = bytes > plan->workspace_bytes ? bytes : plan->workspace_bytes;
        plan->tables_bytes += mul_fft_tables_bytes(ctx, &plan->fft);
    }
}

static bigint_status beyond_cap(bigint_ctx *ctx, const char *who, const mul_plan *plan,
                                const char *how) {
    return bigint_fail(ctx, BIGINT_ENOMEM,
                       "%s: %llu by %llu limbs need %llu bytes of workspace%s, the cap is %llu; "
                       "raise max_workspace_bytes",
                       who, (unsigned long long)plan->an, (unsigned long long)plan->bn,
                       (unsigned long long)(plan->workspace_bytes + plan->tables_bytes), how,
                       (unsigned long long)ctx->options.max_workspace_bytes);
}

bool mul_plan_writes_late(const bigint_ctx *ctx, uint64_t an, uint64_t bn) {
    const uint64_t shorter = an < bn ? an : bn, longer = an < bn ? bn : an;
    // A wrong product of a certified plan is computed again over the first one.
    return ctx->options.max_workspace_bytes == 0 && !ctx->certified &&
           longer / CUT_TIMES < shorter && an + bn <= UNCUT_LIMBS;
}

bool mul_plan_reads_first(const bigint_ctx *ctx, const mul_plan *plan) {
    if (plan->certified || ctx->check_modulus != 0) {
        return false;  // the check reads operands after the product
    }
    return mul_float_engine(plan->engine)
               ? plan->floats.pieces == 1
               : plan->engine == ENGINE_MODULAR_FFT && !plan->fft.cut && plan->ring_limbs == 0;
}

// try_halves: a plan of two rings, if it fits the cap.
static bool try_halves(const bigint_ctx *ctx, mul_plan *plan, bool square) {
    mul_plan halves = {.engine = plan->engine, .an = plan->an, .bn = plan->bn};
    if (plan->engine != ENGINE_MODULAR_FFT || !mul_halves_plan_make(ctx, &halves, square) ||
        !mul_plan_fits(ctx, &halves)) {
        return false;
    }
    *plan = halves;
    return true;
}

// try_fft: the fastest modular transform that fits the cap, together with the floating-point one of
// a certified plan. Fewer planes, two rings and more cuts need less memory. False if none fits.
static bool try_fft(const bigint_ctx *ctx, mul_plan *plan, bool square) {
    for (uint64_t cuts = 1; cuts <= CUTS_MAX && cuts <= plan->bn; cuts *= 2) {
        if (!mul_fft_plan_make(ctx, &plan->fft, plan->an, plan->bn, square, cuts)) {
            continue;  // too long for the transform: pieces may fit
        }
        plan->uses_team = ctx->team != NULL && plan->fft.b_piece >= MUL_FFT_TEAM_THRESHOLD;
        plan->fft.others = plan->uses_team ? mul_fft_others(ctx, &plan->fft) : 1;
        set_bytes(ctx, plan);
        if (mul_plan_fits(ctx, plan)) {
            return true;
        }
        plan->fft.others = 1;
        set_bytes(ctx, plan);
        if (mul_plan_fits(ctx, plan) || (cuts == 1 && try_halves(ctx, plan, square))) {
            return true;
        }
    }
    return false;
}

// no_fft: why there was none.
static bigint_status no_fft(bigint_ctx *ctx, const char *who, const mul_plan *plan) {
    if (plan->workspace_bytes == 0) {
        return bigint_fail(ctx, BIGINT_ERANGE,
                           "%s: no exact plan for %llu by %llu limbs: cut the operands", who,
                           (unsigned long long)plan->an, (unsigned long long)plan->bn);
    }
    return beyond_cap(ctx, who, plan, " even cut in pieces");
}

// try_float: the plan of a floating-point engine for this many threads, at the digit width that is
// proved or, certified, expected. Ignores the cap. NULL, or why there is none.
static const char *try_float(const bigint_ctx *ctx, mul_plan *plan, bool square, unsigned threads) {
    plan->certified = ctx->certified;
    const char *const why = mul_float_plan_make(&plan->floats, plan->engine, plan->an, plan->bn,
                                                square, plan->certified, threads);
    plan->uses_team =
        threads > 1 && (plan->bn >= MUL_FFT_TEAM_THRESHOLD || plan->floats.ranges > 1);
    if (why == NULL && plan->uses_team) {
        mul_float_plan_share(&plan->floats);
    }
    return why;
}

// fits: whether such a plan keeps to the cap; a certified one together with its modular repetition.
static bool fits(const bigint_ctx *ctx, mul_plan *plan, bool square) {
    if (plan->certified) {
        return try_fft(ctx, plan, square);
    }
    set_bytes(ctx, plan);
    return mul_plan_fits(ctx, plan);
}

// float_fits: the same; if a plan of ranges of pieces does not fit, tries it for one thread.
static bool float_fits(const bigint_ctx *ctx, mul_plan *plan, bool square) {
    return fits(ctx, plan, square) ||
           (plan->floats.ranges > 1 && try_float(ctx, plan, square, 1) == NULL &&
            fits(ctx, plan, square));
}

// plan_float: a floating-point plan if no other engine may take over.
static bigint_status plan_float(bigint_ctx *ctx, const char *who, mul_plan *plan, bool square) {
    const char *why = try_float(ctx, plan, square, team_size(ctx->team));
    if (why != NULL) {
        return mul_float_refuse(ctx, who, plan->engine, plan->an, plan->bn, "limbs", why);
    }
    if (float_fits(ctx, plan, square)) {
        return BIGINT_OK;
    }
    return plan->certified ? no_fft(ctx, who, plan) : beyond_cap(ctx, who, plan, "");
}

bigint_status mul_plan_make(bigint_ctx *ctx, const char *who, mul_plan *plan, uint64_t an,
                            uint64_t bn, bool square) {
    const uint64_t longer = an > bn ? an : bn, shorter = an > bn ? bn : an;
    const bigint_status status = bigint_check_product_size(ctx, who, an, bn);
    if (status != BIGINT_OK) {
        return status;
    }
    assert(!square || an == bn);
    *plan = (mul_plan){
        .engine = mul_choose_engine(ctx, longer, shorter, square), .an = longer, .bn = shorter};
    if (real_fft_pays(ctx, plan, square)) {
        mul_plan real = {.engine = ENGINE_REAL_FFT, .an = longer, .bn = shorter};
        if (try_float(ctx, &real, square, team_size(ctx->team)) == NULL &&
            float_fits(ctx, &real, square)) {
            *plan = real;
            return BIGINT_OK;
        }
    }
    if (plan->engine == ENGINE_MODULAR_FFT) {
        return try_fft(ctx, plan, square) ? BIGINT_OK : no_fft(ctx, who, plan);
    }
    if (mul_float_engine(plan->engine)) {
        return plan_float(ctx, who, plan, square);
    }
    if (plan->engine == ENGINE_TILED) {
        return longer <= LIMBS_TILED_MAX
                   ? BIGINT_OK
                   : bigint_fail(ctx, BIGINT_ERANGE,
                                 "%s: engine tiled takes factors of up to %d limbs, which are one "
                                 "convolution, not %llu by %llu; name another engine, or none",
                                 who, LIMBS_TILED_MAX, (unsigned long long)an,
                                 (unsigned long long)bn);
    }
    if (shorter > 0) {
        plan->workspace_bytes = mul_small_workspace_limbs(longer, shorter) * sizeof(uint64_t);
    }
    return BIGINT_OK;
}

bigint_status mul_plan_decimal(bigint_ctx *ctx, const char *who, mul_plan *plan, uint64_t a_digits,
                               uint64_t b_digits, bool square) {
    const uint64_t longer = a_digits > b_digits ? a_digits : b_digits;
    const uint64_t shorter = a_digits + b_digits - longer;
    *plan = (mul_plan){.engine = ENGINE_MODULAR_FFT, .uses_team = true};
    if (mul_float_engine(ctx->engine)) {
        plan->engine = ctx->engine;
        const char *why =
            mul_float_plan_decimal(&plan->floats, plan->engine, longer, shorter, square);
        if (why != NULL) {
            return mul_float_refuse(ctx, who, plan->engine, a_digits, b_digits, "digits", why);
        }
        plan->k = plan->floats.k;
        set_bytes(ctx, plan);
    } else if (mul_fft_plan_decimal(ctx, &plan->fft, longer, shorter, square)) {
        plan->k = plan->fft.k;
        plan->fft.others = mul_fft_others(ctx, &plan->fft);
        set_bytes(ctx, plan);
    } else {
        return bigint_fail(ctx, BIGINT_ERANGE,
                           "%s: no exact plan for %llu by %llu digits: more than 2^31 points", who,
                           (unsigned long long)a_digits, (unsigned long long)b_digits);
    }
    plan->an = word_ceil_div(longer, plan->k);
    plan->bn = word_ceil_div(shorter, plan->k);
    return BIGINT_OK;
}

// --- Tables ---

// missing: bytes of tables that the plan needs and the context does not have.
static uint64_t missing(const bigint_ctx *ctx, const mul_plan *plan) {
    uint64_t bytes = 0;
    if (mul_float_engine(plan->engine) && mul_float_find(ctx, &plan->floats) == NULL) {
        bytes += mul_float_tables_bytes(&plan->floats);
    }
    if (modular(plan) && !mul_fft_ready(ctx, &plan->fft)) {
        bytes += mul_fft_tables_bytes(ctx, &plan->fft);
    }
    return bytes;
}

bigint_status mul_tables(bigint_ctx *ctx, const char *who, const mul_plan *plan) {
    bigint_status status = BIGINT_OK;
    if (mul_float_engine(plan->engine)) {
        status = mul_float_tables(ctx, who, &plan->floats);
    }
    return status == BIGINT_OK && modular(plan) ? mul_fft_tables(ctx, who, &plan->fft) : status;
}

bigint_status mul_ready(bigint_ctx *ctx, const char *who, const mul_plan *plan) {
    if (plan->tables_bytes > 0 &&
        !within_cap(ctx, workspace_with(ctx, plan) + ctx->tables_bytes + missing(ctx, plan))) {
        mul_fft_trim(ctx);  // tables of other transforms are in the way
        mul_float_trim(ctx);
    }
    return mul_tables(ctx, who, plan);
}
