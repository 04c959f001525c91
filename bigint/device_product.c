// device_product.c: products of integers on a device: the plan, its tables and memory, and the
// launches. May include device.h and recombine_device.h; the arithmetic is in fft/modular.h's
// kernels.
#include <assert.h>
#include <stdio.h>

#include "bigint/device.h"
#include "bigint/mul.h"
#include "bigint/recombine_device.h"
#include "carry/carry_add.h"
#include "primitives/word.h"

// Pieces of either operand beyond which a product is refused: 256 times the time.
enum { CUTS_MAX = 256, LINE = 16 };

// product_tables: of one shape.
struct product_tables {
    product_tables *next;
    void *memory;
    uint64_t bytes;
    fft_modular_tables tables;
};

// --- Plan ----------------------------------------------------------------------------------------

static uint64_t max(uint64_t a, uint64_t b) { return a > b ? a : b; }

static bool is_cut(const resident_plan *plan) {
    return plan->a_piece < plan->an || plan->b_piece < plan->bn;
}

static uint64_t plane_bytes(const resident_plan *plan) {
    return fft_modular_points(&plan->modular) * sizeof(double);
}

static uint64_t others(const resident_plan *plan) {
    return plan->square ? 0 : plan->in_turn ? 1 : FFT_PRIMES_USED;
}

// Of a product of pieces that is added to the result: a line of signs, the limbs.
static uint64_t scratch_bytes(const resident_plan *plan) {
    return is_cut(plan) ? (LINE + plan->a_piece + plan->b_piece) * sizeof(uint64_t) : 0;
}

// piece_of: n limbs in so many pieces, whole lines each unless it is one.
static uint64_t piece_of(uint64_t n, uint64_t cuts) {
    return cuts == 1 ? n : word_ceil_div(n, cuts * LINE) * LINE;
}

// plan_pieces fills in the plan for such pieces. False if there is none.
static bool plan_pieces(resident_plan *plan, uint64_t a_cuts, uint64_t b_cuts, bool square,
                        bool in_turn) {
    plan->a_piece = piece_of(plan->an, a_cuts);
    plan->b_piece = piece_of(plan->bn, b_cuts);
    if (!fft_modular_plan_limbs(&plan->modular, plan->a_piece, plan->b_piece)) {
        return false;
    }
    plan->square = square && !is_cut(plan);
    plan->in_turn = in_turn && !plan->square;
    plan->workspace_bytes =
        (FFT_PRIMES_USED + others(plan)) * plane_bytes(plan) + scratch_bytes(plan);
    const uint64_t adds = is_cut(plan) ? carry_add_workspace_bytes(plan->an + plan->bn) : 0;
    plan->words_bytes =
        max(adds, CARRY_ADD_FRONT_BYTES + recombine_device_bytes(plan->a_piece + plan->b_piece));
    plan->tables_bytes = fft_modular_table_bytes(&plan->modular);
    return true;
}

uint64_t resident_held_bytes(const bigint_ctx *ctx, const resident_plan *plan) {
    return arena_held_bytes(plan->workspace_bytes) + arena_held_bytes(plan->words_bytes) +
           plan->tables_bytes + sizeof(product_tables) + queue_staging_bytes(ctx) +
           resident_check_bytes(ctx);
}

static bool within_cap(const bigint_ctx *ctx, const resident_plan *plan) {
    const uint64_t cap = ctx->options.max_workspace_bytes;
    return resident_held_bytes(ctx, plan) <= ctx->device.about.memory_bytes &&
           (cap == 0 || resident_held_bytes(ctx, plan) <= cap);
}

// cost: points that are transformed, and a tenth more where primes come in turn.
static uint64_t cost(const resident_plan *plan) {
    const uint64_t products =
        word_ceil_div(plan->an, plan->a_piece) * word_ceil_div(plan->bn, plan->b_piece);
    return products * fft_modular_points(&plan->modular) / 10 * (plan->in_turn ? 11 : 10);
}

static bigint_status refuse(bigint_ctx *ctx, const char *who, const resident_plan *least) {
    return bigint_fail(ctx, BIGINT_ENOMEM,
                       "%s: %llu by %llu limbs need %llu bytes of workspace on device %d even cut "
                       "in pieces; the cap is %llu, the device has %llu",
                       who, (unsigned long long)least->an, (unsigned long long)least->bn,
                       (unsigned long long)resident_held_bytes(ctx, least), ctx->device.place,
                       (unsigned long long)ctx->options.max_workspace_bytes,
                       (unsigned long long)ctx->device.about.memory_bytes);
}

bigint_status resident_plan_make(bigint_ctx *ctx, const char *who, resident_plan *plan, uint64_t an,
                                 uint64_t bn, bool square) {
    const bigint_status status = bigint_check_size(ctx, who, an + bn);
    if (status != BIGINT_OK) {
        return status;
    }
    // A product of nothing is planned as one of a limb; it needs less.
    *plan = (resident_plan){.an = max(max(an, bn), 1), .bn = max(an < bn ? an : bn, 1)};
    resident_plan p = *plan, least = *plan;
    if (plan_pieces(plan, 1, 1, square, false) && within_cap(ctx, plan)) {
        return BIGINT_OK;
    }
    bool found = false;
    for (uint64_t b_cuts = 1; b_cuts <= CUTS_MAX && b_cuts <= p.bn; b_cuts *= 2) {
        for (uint64_t a_cuts = b_cuts; a_cuts <= p.an && a_cuts <= b_cuts * CUTS_MAX; a_cuts *= 2) {
            for (int in_turn = 0; in_turn < 2; in_turn++) {
                if (!plan_pieces(&p, a_cuts, b_cuts, square, in_turn != 0)) {
                    continue;
                }
                const bool less = resident_held_bytes(ctx, &p) < resident_held_bytes(ctx, &least);
                least = least.a_piece == 0 || less ? p : least;
                if (within_cap(ctx, &p) && (!found || cost(&p) < cost(plan))) {
                    *plan = p;
                    found = true;
                }
            }
        }
    }
    return found ? BIGINT_OK : refuse(ctx, who, &least);
}

int resident_plan_print(const bigint_ctx *ctx, const resident_plan *plan, char *buf, size_t cap) {
    const fft_modular_plan *const m = &plan->modular;
    return snprintf(
        buf, cap,
        "%s %s, %llu x %llu limbs, %d primes%s, %u-bit %sdigits, %llu points = %u pieces of 2^%u "
        "rows x 2^%u, %llu x %llu parts",
        ctx->device.backend, bigint_engines()[ENGINE_MODULAR_FFT - 1], (unsigned long long)plan->an,
        (unsigned long long)plan->bn, FFT_PRIMES_USED, plan->in_turn ? " in turn" : "",
        m->digit_bits, m->balanced ? "balanced " : "", (unsigned long long)fft_modular_points(m),
        m->pieces, m->lg_rows, m->lg_columns,
        (unsigned long long)word_ceil_div(plan->an, plan->a_piece),
        (unsigned long long)word_ceil_div(plan->bn, plan->b_piece));
}

// --- Tables --------------------------------------------------------------------------------------

static void tables_free(bigint_ctx *ctx, product_tables *t) {
    workspace_release(ctx, MEMORY_DEVICE, t->memory, t->bytes);
    workspace_release(ctx, MEMORY_HOST, t, sizeof *t);
}

void resident_tables_trim(bigint_ctx *ctx) {
    while (ctx->queue.tables != NULL) {
        product_tables *const t = ctx->queue.tables;
        ctx->queue.tables = t->next;
        tables_free(ctx, t);
    }
}

// tables_for: those of the plan's shape, made if need be; NULL with the error in *status.
static const fft_modular_tables *tables_for(bigint_ctx *ctx, const char *who,
                                            const resident_plan *plan, bigint_status *status) {
    queue *q = &ctx->queue;
    for (product_tables *t = q->tables; t != NULL; t = t->next) {
        if (fft_modular_same_shape(&plan->modular, &t->tables)) {
            return &t->tables;
        }
    }
    if (ctx->options.max_workspace_bytes != 0) {
        resident_tables_trim(ctx);  // others may be in the way
    }
    product_tables *t = workspace_allocate(ctx, who, MEMORY_HOST, sizeof *t);
    void *memory =
        t == NULL ? NULL : workspace_allocate(ctx, who, MEMORY_DEVICE, plan->tables_bytes);
    if (memory == NULL) {
        workspace_release(ctx, MEMORY_HOST, t, sizeof *t);
        *status = ctx->failed != BIGINT_OK ? ctx->failed : BIGINT_ENOMEM;
        return NULL;
    }
    *t = (product_tables){q->tables, memory, plan->tables_bytes, {0}};
    *status = queue_check(ctx, who,
                          fft_modular_tables_make(&t->tables, &plan->modular, memory, q->stream));
    if (*status != BIGINT_OK) {
        tables_free(ctx, t);
        return NULL;
    }
    q->tables = t;
    return &t->tables;
}

// --- Execution -----------------------------------------------------------------------------------

// multiplication: one product while it is enqueued.
typedef struct {
    bigint_ctx *ctx;
    const resident_plan *plan;
    const fft_modular_tables *tables;
    double *x, *y;
    uint64_t *scratch;  // a line of signs, then limbs
} multiplication;

// multiply_piece enqueues {rp, rn} = a b and the sign.
static result multiply_piece(const multiplication *m, uint64_t *rp, uint64_t rn,
                             const recombine_signs *signs, fft_modular_operand a,
                             fft_modular_operand b) {
    const resident_plan *const plan = m->plan;
    const fft_modular_plan *const modular = &plan->modular;
    const uint64_t points = fft_modular_points(modular);
    const unsigned together = plan->in_turn ? 1 : FFT_PRIMES_USED;
    const fft_row_mode mode = plan->square ? FFT_ROW_SQUARE : FFT_ROW_MULTIPLY;
    result done = RESULT_OK;
    for (unsigned first = 0; first < FFT_PRIMES_USED && done == RESULT_OK; first += together) {
        const fft_modular_step step = {modular, m->tables, first, together, m->ctx->queue.stream};
        double *const x = m->x + first * points;
        done = fft_modular_columns(&step, x, a, plan->square ? NULL : m->y, b);
        done = done == RESULT_OK ? fft_modular_rows(&step, x, m->y, mode) : done;
        done = done == RESULT_OK ? fft_modular_inverse(&step, x) : done;
    }
    // Behind what comparisons and sums keep there.
    const queue *const q = &m->ctx->queue;
    unsigned char *const words = (unsigned char *)q->words + CARRY_ADD_FRONT_BYTES;
    const uint64_t bytes = q->words_bytes - CARRY_ADD_FRONT_BYTES;
    const recombine_residues residues = {m->x, points, modular->a_digits + modular->b_digits - 1,
                                         modular->digit_bits};
    return done == RESULT_OK ? recombine_device(rp, rn, signs, &residues, words, bytes, q->stream)
                             : done;
}

// multiply_pieces: {rp, rn} = a b, piece by piece. Overlaps neither.
static result multiply_pieces(const multiplication *m, uint64_t *rp, uint64_t rn,
                              fft_modular_operand a, fft_modular_operand b) {
    const resident_plan *const plan = m->plan;
    const queue *const q = &m->ctx->queue;
    uint64_t *const zero = m->scratch, *const piece = m->scratch + LINE;
    const recombine_signs none = {zero, zero, zero};
    result done = device_set(rp, 0, rn * sizeof *rp, q->stream);
    done = done == RESULT_OK ? device_set(zero, 0, LINE * sizeof *zero, q->stream) : done;
    for (uint64_t j = 0; j < b.words_n && done == RESULT_OK; j += plan->b_piece) {
        for (uint64_t i = 0; i < a.words_n && done == RESULT_OK; i += plan->a_piece) {
            const fft_modular_operand ai = {
                a.words + i, a.words_n - i < plan->a_piece ? a.words_n - i : plan->a_piece};
            const fft_modular_operand bj = {
                b.words + j, b.words_n - j < plan->b_piece ? b.words_n - j : plan->b_piece};
            // The piece's product is no larger than the whole one, so it fits what is left.
            const uint64_t left = rn - i - j, sum = ai.words_n + bj.words_n;
            const uint64_t n = sum < left ? sum : left;
            if (i + j == 0) {
                done = multiply_piece(m, rp, n, &none, ai, bj);
                continue;
            }
            done = multiply_piece(m, piece, n, &none, ai, bj);
            const limbs_device_number so_far = {rp + i + j, left, zero}, more = {piece, n, zero};
            done = done == RESULT_OK ? carry_add(rp + i + j, left, zero, so_far, more, false,
                                                 q->words, q->words_bytes, q->stream)
                                     : done;
        }
    }
    return done;
}

// multiply: r = a b by a plan whose workspace is taken; a is the longer one.
static bigint_status multiply(multiplication *m, const char *who, bigint *r, const bigint *a,
                              const bigint *b) {
    bigint_ctx *ctx = m->ctx;
    const bigint none = BIGINT_INIT;
    // Pieces are read after others were written.
    const bool apart = is_cut(m->plan) && (r->d_ == a->d_ || r->d_ == b->d_);
    resident_target target;
    bigint_status status =
        resident_open(ctx, who, apart ? &none : r, resident_bits(a) + resident_bits(b), &target);
    if (status != BIGINT_OK) {
        return status;
    }
    const fft_modular_operand of_a = {a->d_, a->n_}, of_b = {b->d_, b->n_};
    const recombine_signs signs = {target.p - 1, a->d_ - 1, b->d_ - 1};
    result done = resident_check_factors(ctx, a->d_, a->n_, b->d_, b->n_);
    if (done == RESULT_OK && !is_cut(m->plan)) {
        done = multiply_piece(m, target.p, target.n, &signs, of_a, of_b);
    } else if (done == RESULT_OK) {
        done = multiply_pieces(m, target.p, target.n, of_a, of_b);
        done = done == RESULT_OK ? recombine_device_sign(&signs, ctx->queue.stream) : done;
    }
    if (done == RESULT_OK) {
        done = resident_check_product(ctx, target.p, target.n, a->n_, b->n_);
    }
    return resident_close(ctx, r, &target, queue_check(ctx, who, done));
}

bigint_status resident_mul(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                           const bigint *b) {
    const bigint nothing = BIGINT_INIT;
    if (a->n_ == 0 || b->n_ == 0) {
        return resident_copy(ctx, who, r, &nothing, LIMBS_SIGN_KEEP);
    }
    if (a->n_ < b->n_) {
        return resident_mul(ctx, who, r, b, a);
    }
    resident_plan plan;
    bigint_status status = resident_plan_make(ctx, who, &plan, a->n_, b->n_, a->d_ == b->d_);
    if (status == BIGINT_OK) {
        status = queue_enter(ctx, who);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    queue *q = &ctx->queue;
    const arena_mark mark = arena_mark_in(&q->memory);
    multiplication m = {.ctx = ctx, .plan = &plan};
    m.tables = tables_for(ctx, who, &plan, &status);
    if (status == BIGINT_OK) {
        status = queue_words_need(ctx, who, plan.words_bytes);
    }
    if (status == BIGINT_OK) {
        status = resident_check_need(ctx, who);
    }
    if (status == BIGINT_OK) {
        m.x = arena_take_in(ctx, &q->memory, who, plan.workspace_bytes);
        status = m.x != NULL ? BIGINT_OK : ctx->failed != BIGINT_OK ? ctx->failed : BIGINT_ENOMEM;
    }
    if (status == BIGINT_OK) {
        const uint64_t plane = plane_bytes(&plan) / sizeof *m.x;
        m.y = m.x + FFT_PRIMES_USED * plane;
        m.scratch = (uint64_t *)(m.y + others(&plan) * plane);
        status = multiply(&m, who, r, a, b);
    }
    arena_release_in(ctx, &q->memory, mark);
    queue_leave(ctx);
    ctx->counters.products += status == BIGINT_OK;
    ctx->counters.checks += status == BIGINT_OK && ctx->check_modulus != 0;
    return status;
}
