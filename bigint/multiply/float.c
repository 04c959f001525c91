// float.c: see float.h. This file holds plans and memory; the arithmetic is in
// fft/complex/float_product.c and recombine.c, tables are in float_tables.c.
#include "bigint/multiply/float.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/names.h"
#include "bigint/core/tune.h"
#include "bigint/multiply/recombine.h"
#include "primitives/limbs/limbs.h"
#include "primitives/words/word.h"

bool mul_float_engine(engine_kind engine) { return engine >= ENGINE_COMPLEX_FFT; }

fft_bound_method mul_float_method(engine_kind engine) {
    return engine == ENGINE_COMPLEX_FFT || engine == ENGINE_COMPLEX_FFT_F32 ? FFT_BOUND_PACKED
                                                                            : FFT_BOUND_RIGHT_ANGLE;
}

fft_float mul_float_type(engine_kind engine) {
    return engine == ENGINE_COMPLEX_FFT || engine == ENGINE_REAL_FFT ? FFT_F64 : FFT_F32;
}

bigint_status mul_float_refuse(bigint_ctx *ctx, const char *who, engine_kind engine, uint64_t an,
                               uint64_t bn, const char *unit, const char *why) {
    return bigint_fail(ctx, BIGINT_ERANGE,
                       "%s: engine %s has no exact plan for %llu by %llu %s: %s; leave the engine "
                       "unset",
                       who, names_engine(engine), (unsigned long long)an, (unsigned long long)bn,
                       unit, why);
}

uint64_t mul_float_points(const mul_float_plan *plan) {
    const uint64_t transforms = plan->square ? 2 : plan->pieces > 1 ? 2 * plan->pieces + 1 : 3;
    return transforms * plan->fft.transform.problem.length;
}

// work: the time of a plan's transforms, up to a factor: points times levels, a fourth more if
// planes do not fit a second level cache of 2 MiB.
static uint64_t work(const mul_float_plan *plan) {
    const uint64_t points = plan->fft.transform.problem.length;
    return mul_float_points(plan) * (64 - word_clz(points)) * (points > 1 << 15 ? 5 : 4);
}

// An operand less than TIMES_LEAST times as long as the other is not cut. A piece is about
// TIMES_MOST / 2 to TIMES_MOST times as long as b, which counts as at least SHORTER_LEAST limbs.
enum { TIMES_LEAST = 4, TIMES_MOST = 8, SHORTER_LEAST = 128 };

// cut: replaces the plan by a cheaper one that cuts a into pieces, the same number for each thread.
// Each piece is as long as its transform allows.
static const char *cut(mul_float_plan *plan, const char *why, engine_kind engine, uint64_t an,
                       uint64_t bn, unsigned threads) {
    uint64_t least = why != NULL ? UINT64_MAX : work(plan) / 16 * 15;  // the rest pays for cutting
    const uint64_t unit = bn < SHORTER_LEAST ? SHORTER_LEAST : bn;
    for (uint64_t times = TIMES_LEAST / 2; times <= TIMES_MOST; times *= 2) {
        uint64_t count = an, fewer = word_ceil_div(an, times * unit);
        while (1 < fewer && fewer < count) {
            count = fewer;
            mul_float_plan part = {.bn = bn, .ranges = count < threads ? count : threads};
            part.pieces = word_ceil_div(count, part.ranges) * part.ranges;
            part.a_piece = word_ceil_div(an, part.pieces);
            assert(part.a_piece >= bn);  // more than half of an / count
            const char *const refused =
                fft_float_plan_limbs(&part.fft, mul_float_method(engine), mul_float_type(engine),
                                     part.a_piece, bn, plan->fft.certified);
            if (refused != NULL) {
                break;
            }
            if (work(&part) / part.ranges < least) {
                least = work(&part) / part.ranges;
                *plan = part;
                why = NULL;
            }
            const uint64_t room = 2 * part.fft.transform.problem.length - part.fft.b_digits;
            fewer = word_ceil_div(an, room * part.fft.width / 64);
        }
    }
    return why;
}

const char *mul_float_plan_make(mul_float_plan *plan, engine_kind engine, uint64_t an, uint64_t bn,
                                bool square, bool certified, unsigned threads) {
    assert(mul_float_engine(engine) && an >= bn);
    const fft_bound_method method = mul_float_method(engine);
    *plan = (mul_float_plan){.a_piece = an, .bn = bn, .pieces = 1, .ranges = 1, .square = square};
    const char *const why =
        fft_float_plan_limbs(&plan->fft, method, mul_float_type(engine), an, bn, certified);
    const bool cuts = method == FFT_BOUND_RIGHT_ANGLE && an + bn >= MUL_REAL_FFT_CUT_LEAST &&
                      an / TIMES_LEAST >= bn;
    return cuts ? cut(plan, why, engine, an, bn,
                      an + bn < MUL_REAL_FFT_CUT_THREADS_LEAST ? 1 : threads)
                : why;
}

const char *mul_float_plan_decimal(mul_float_plan *plan, engine_kind engine, uint64_t a_digits,
                                   uint64_t b_digits, bool square) {
    assert(mul_float_engine(engine));
    const char *why = "no plan yet";
    uint64_t radix = 10000000;
    for (unsigned k = 7; k >= 1 && why != NULL; k--, radix /= 10) {  // 10^8 > 2^26
        *plan = (mul_float_plan){.pieces = 1, .ranges = 1, .square = square, .k = k};
        why = fft_float_plan_words(&plan->fft, mul_float_method(engine), mul_float_type(engine),
                                   word_ceil_div(a_digits, k), word_ceil_div(b_digits, k), radix);
    }
    return why;
}

const char *mul_float_plan_wrapped(mul_float_plan *plan, uint64_t an, uint64_t bn, uint64_t n,
                                   bool sums) {
    *plan = (mul_float_plan){.a_piece = an, .bn = bn, .pieces = 1, .ranges = 1};
    return fft_float_plan_wrapped(&plan->fft, FFT_F64, an, bn, n, sums);
}

const char *mul_float_plan_pair(mul_float_plan plan[2], uint64_t bn, uint64_t n) {
    fft_float_plan fft[2];
    const char *const why = fft_float_plan_wrapped_pair(fft, FFT_F64, bn, n);
    for (unsigned i = 0; why == NULL && i < 2; i++) {
        plan[i] = (mul_float_plan){.fft = fft[i], .pieces = 1, .ranges = 1};
        plan[i].a_piece = mul_float_wrap_limbs(&plan[0]) + i;
        plan[i].bn = i == 0 ? plan[0].a_piece : bn;
    }
    return why;
}

uint64_t mul_float_wrap_limbs(const mul_float_plan *plan) {
    return plan->fft.transform.problem.length * plan->fft.width / 32;
}

word_pair mul_float_wrap_offset(const mul_float_plan *plan) {
    return (word_pair)1 << 2 * FFT_FLOAT_WRAPPED_COLUMNS * plan->fft.width;
}

void mul_float_plan_share(mul_float_plan *plan) {
    if (plan->fft.method == FFT_BOUND_RIGHT_ANGLE && plan->pieces == 1) {
        fft_product_share(&plan->fft.transform);
    }
}

// --- Memory --------------------------------------------------------------------------------------

// range_bytes: the memory that a range of pieces has to itself: values, the limbs that one piece
// leaves to the next, a product of a piece, the transform's own memory.
static uint64_t range_bytes(const mul_float_plan *plan) {
    return fft_float_values_bytes(&plan->fft) + arena_limbs_bytes(plan->bn) +
           arena_limbs_bytes(plan->a_piece + plan->bn) + fft_float_workspace_bytes(&plan->fft, 1);
}

uint64_t mul_float_workspace_bytes(const bigint_ctx *ctx, const mul_float_plan *plan) {
    if (plan->pieces > 1) {
        return fft_float_plane_bytes(&plan->fft) + plan->ranges * range_bytes(plan);
    }
    return fft_float_values_bytes(&plan->fft) +
           (plan->square ? 0 : fft_float_other_bytes(&plan->fft)) +
           fft_float_workspace_bytes(&plan->fft, team_size(ctx->team));
}

// --- Execution -----------------------------------------------------------------------------------

static void read_columns(uint64_t *out, const void *from, uint64_t first, size_t n) {
    fft_float_read(out, from, first, n);
}

// within_bound: whether every coefficient is as close to an integer as the proof says.
static inline __attribute__((unused)) bool within_bound(const fft_float_convolution *c) {
    const fft_float_plan *const plan = c->plan;
    const uint64_t coefficients =
        plan->wraps ? 2 * plan->transform.problem.length : plan->a_digits + plan->b_digits;
    return fft_float_roundoff(c, 0, coefficients) <= (double)plan->error * 0x1p-32;
}

// recombine: {rp, rn} = the product with the coefficients of c.
static void recombine(const bigint_ctx *ctx, const mul_float_plan *plan, uint64_t *rp, uint64_t rn,
                      const fft_float_convolution *c) {
    assert(c->plan->certified || within_bound(c));
    const recombine_source source = {
        .read = read_columns,
        .from = c,
        .count = fft_float_columns(c->plan),
        .words = 1,
        .columns = ctx->columns,
        .surplus = fft_float_surplus(c->plan) - c->plan->wraps,  // as mul_float_wrap_offset says
        .doubtful = c->plan->certified,
        .team = c->team,
    };
    if (plan->k > 0) {
        recombine_decimal(rp, &source, plan->k);
    } else {
        recombine_limbs(rp, rn, &source, 2 * c->plan->width);
    }
}

// convolution: a convolution without its memory.
static fft_float_convolution convolution(const bigint_ctx *ctx, const mul_float_plan *plan) {
    return (fft_float_convolution){
        .plan = &plan->fft,
        .ops = ctx->floats[plan->fft.transform.problem.type],
        .loops = ctx->float_loops,
        .tables = mul_float_find(ctx, plan),
    };
}

// pieces_job: a product in ranges of pieces. `memory`: the plane of b, then each range's memory.
typedef struct {
    const bigint_ctx *ctx;
    const mul_float_plan *plan;
    uint64_t *rp;
    const uint64_t *ap;
    uint64_t an;
    unsigned char *memory;
    atomic_uint_fast64_t done;  // pieces
    atomic_bool ended;          // the call is to end
} pieces_job;

// range_memory: gives c the memory of a range. Returns the limbs that one piece leaves to the next,
// followed by room for a product of a piece.
static uint64_t *range_memory(const pieces_job *job, uint64_t range, fft_float_convolution *c) {
    const fft_float_plan *const fft = &job->plan->fft;
    unsigned char *const at =
        job->memory + fft_float_plane_bytes(fft) + range * range_bytes(job->plan);
    c->values = at;
    c->workspace = at + fft_float_values_bytes(fft);
    return (uint64_t *)(void *)((unsigned char *)c->workspace + fft_float_workspace_bytes(fft, 1));
}

// range_end: the first limb of a beyond a range.
static uint64_t range_end(const pieces_job *job, uint64_t range) {
    const uint64_t end = (range + 1) * (job->plan->pieces / job->plan->ranges) * job->plan->a_piece;
    return end < job->an ? end : job->an;
}

// steps: the pieces, and one more for the end.
static uint64_t steps(const pieces_job *job) {
    return word_ceil_div(job->an, job->plan->a_piece) + 1;
}

// add: {rp, rn} += {left, bn}. The sum is a part of a, from the same limb on, times b, or a smaller
// number. So no carry is lost, unless pieces are wrong.
static void add(const mul_float_plan *plan, uint64_t *rp, uint64_t rn, const uint64_t *left) {
    const uint64_t lost = limbs_add(rp, rp, rn, left, plan->bn);
    assert(lost == 0 || plan->fft.certified);
    (void)lost;
}

// run_range is a team_task: it works piece by piece. Each piece is added to the limbs in `left`,
// where the one before it ended. The last piece leaves there what belongs to the next range.
static void run_range(void *arg, size_t range, unsigned worker) {
    pieces_job *const job = arg;
    const mul_float_plan *const plan = job->plan;
    const uint64_t begin = range > 0 ? range_end(job, range - 1) : 0, end = range_end(job, range);
    const uint64_t bn = plan->bn;
    fft_float_convolution c = convolution(job->ctx, plan);
    uint64_t *const left = range_memory(job, range, &c);
    uint64_t *const room = left + arena_limbs_bytes(bn) / 8;
    for (uint64_t first = begin; first < end && !atomic_load(&job->ended); first += plan->a_piece) {
        const uint64_t n = end - first < plan->a_piece ? end - first : plan->a_piece;
        const bool stays = first + n == end && end < job->an;
        const fft_float_operand a = {job->ap + first, n};
        fft_float_plan part = plan->fft;  // the last piece has fewer digits
        part.a_digits = word_ceil_div(64 * n, part.width);
        c.plan = &part;
        fft_float_convolve_prepared(&c, &a, job->memory);
        uint64_t *const to = stays ? room : job->rp + first;
        if (first > begin) {
            memcpy(left, job->rp + first, bn * sizeof *left);
        }
        recombine(job->ctx, plan, to, n + bn, &c);
        if (first > begin) {
            add(plan, to, n + bn, left);
        }
        if (stays) {
            memcpy(job->rp + first, room, n * sizeof *room);
            memcpy(left, room + n, bn * sizeof *left);
        }
        const uint64_t done = atomic_fetch_add_explicit(&job->done, 1, memory_order_relaxed) + 1;
        if (!(worker == 0 ? context_step(job->ctx, (double)done, (double)steps(job))
                          : context_goes_on(job->ctx))) {  // worker 0: the calling thread
            atomic_store(&job->ended, true);
        }
    }
}

// run_pieces: mul_float_run by pieces. a_piece >= bn, so a piece reaches only into the next one.
static bool run_pieces(pieces_job *job, const uint64_t *bp, team *workers) {
    const uint64_t bn = job->plan->bn;
    fft_float_convolution c = convolution(job->ctx, job->plan);
    range_memory(job, 0, &c);
    fft_float_prepare(&c, &(fft_float_operand){bp, bn}, job->memory);
    team_run(workers, run_range, job, (size_t)job->plan->ranges);
    if (atomic_load(&job->ended)) {
        return false;
    }
    for (uint64_t range = 0; range_end(job, range) < job->an; range++) {
        const uint64_t end = range_end(job, range);
        add(job->plan, job->rp + end, job->an + bn - end, range_memory(job, range, &c));
    }
    return context_step(job->ctx, (double)steps(job), (double)steps(job));
}

bool mul_float_run(const bigint_ctx *ctx, const mul_float_plan *plan, uint64_t *rp,
                   const uint64_t *ap, uint64_t an, const uint64_t *bp, uint64_t bn, void *ws,
                   team *workers) {
    if (plan->pieces > 1) {
        pieces_job job = {ctx, plan, rp, ap, an, ws, 0, false};
        return run_pieces(&job, bp, workers);
    }
    if (!context_step(ctx, 0, 1)) {
        return false;
    }
    fft_float_convolution c = convolution(ctx, plan);
    c.team = workers;
    c.values = ws;
    c.other = (unsigned char *)ws + fft_float_values_bytes(&plan->fft);
    c.workspace = (unsigned char *)c.other + (plan->square ? 0 : fft_float_other_bytes(&plan->fft));
    const fft_float_operand a = {ap, an}, b = {bp, bn};
    fft_float_convolve(&c, &a, plan->square ? NULL : &b);
    recombine(ctx, plan, rp, an + bn, &c);
    return true;
}

// --- Prepared operands ---------------------------------------------------------------------------

uint64_t mul_float_plane_bytes(const mul_float_plan *plan) {
    return fft_float_plane_bytes(&plan->fft);
}

uint64_t mul_float_prepared_bytes(const mul_float_plan *plan) {
    return fft_float_values_bytes(&plan->fft) + fft_float_workspace_bytes(&plan->fft, 1);
}

// prepared: a convolution in the memory of mul_float_prepared_bytes.
static fft_float_convolution prepared(const bigint_ctx *ctx, const mul_float_plan *plan, void *ws) {
    fft_float_convolution c = convolution(ctx, plan);
    c.values = ws;
    c.workspace = (unsigned char *)ws + fft_float_values_bytes(&plan->fft);
    return c;
}

void mul_float_prepare(const bigint_ctx *ctx, const mul_float_plan *plan, void *plane,
                       const uint64_t *bp, uint64_t bn, void *ws) {
    const fft_float_convolution c = prepared(ctx, plan, ws);
    fft_float_prepare(&c, &(fft_float_operand){bp, bn}, plane);
}

void mul_float_run_prepared(const bigint_ctx *ctx, const mul_float_plan *plan, uint64_t *rp,
                            const uint64_t *ap, uint64_t an, const void *plane, uint64_t bn,
                            void *ws) {
    fft_float_convolution c = prepared(ctx, plan, ws);
    fft_float_plan part = plan->fft;
    part.a_digits = word_ceil_div(64 * an, part.width);
    part.b_digits = word_ceil_div(64 * bn, part.width);
    c.plan = &part;
    fft_float_convolve_prepared(&c, &(fft_float_operand){ap, an}, plane);
    recombine(ctx, plan, rp, part.wraps ? mul_float_wrap_limbs(plan) + 2 : an + bn, &c);
}

void mul_float_run_sum(const bigint_ctx *ctx, const mul_float_plan *plan, uint64_t *rp,
                       const void *const planes[4], bool minus, void *ws) {
    assert(plan->fft.wraps);
    const fft_float_convolution c = prepared(ctx, plan, ws);
    fft_float_sum(&c, planes, minus);
    recombine(ctx, plan, rp, mul_float_wrap_limbs(plan) + 2, &c);
}

uint64_t mul_float_wrapped_bytes(const mul_float_plan *plan) {
    return mul_float_prepared_bytes(plan) + fft_float_other_bytes(&plan->fft);
}

void mul_float_run_wrapped(const bigint_ctx *ctx, const mul_float_plan *plan, uint64_t *rp,
                           const uint64_t *ap, uint64_t an, const uint64_t *bp, uint64_t bn,
                           void *ws) {
    assert(plan->fft.wraps);
    fft_float_convolution c = prepared(ctx, plan, ws);
    c.other = (unsigned char *)ws + mul_float_prepared_bytes(plan);
    const fft_float_operand a = {ap, an}, b = {bp, bn};
    fft_float_convolve(&c, &a, bp != NULL ? &b : NULL);
    recombine(ctx, plan, rp, mul_float_wrap_limbs(plan) + 2, &c);
}
