// sum.c: sums of products on a device. Some terms are added in the transform domain (they "meet"
// there), the others one by one.
#include "bigint/device/sum.h"

#include <stdio.h>

#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/core/device_sum.h"
#include "bigint/device/check.h"
#include "bigint/device/kernels/recombine_device.h"
#include "bigint/device/plan.h"
#include "bigint/device/product.h"
#include "bigint/multiply/mul.h"
#include "carry/add.h"
#include "primitives/words/word.h"

static uint64_t max(uint64_t a, uint64_t b) { return a > b ? a : b; }

// --- Plan ----------------------------------------------------------------------------------------

// sum_plan: which terms meet, and how. Pure data.
typedef struct {
    uint64_t limbs;        // of the longest product
    uint64_t terms;        // that are not announced as 0
    uint64_t meet;         // terms that meet: none, or at least two
    uint64_t bits;         // their sum is below 2^bits
    uint64_t n;            // limbs of it with its sign
    device_plan products;  // of any of them: the transform and all memory
} sum_plan;

static bool meets(const sum_plan *plan, const bigint *a, const bigint *b) {
    return a->n_ > 0 && b->n_ > 0 && mul_sum_meets(a->n_ + b->n_, plan->limbs);
}

// Other engines chosen by name compute each product by itself.
static bool sums_in_transforms(const bigint_ctx *ctx) {
    return ctx->engine == ENGINE_AUTO || ctx->engine == ENGINE_MODULAR_FFT;
}

// factors_words: words for the residues of the terms that meet, if they are checked.
static uint64_t factors_words(const bigint_ctx *ctx, const sum_plan *plan) {
    return ctx->check_modulus == 0 ? 0 : 2 * plan->meet;
}

// plan_transform: false if there is no exact plan, or it does not keep to the cap.
static bool plan_transform(const bigint_ctx *ctx, sum_plan *plan) {
    device_plan *const p = &plan->products;
    if (plan->meet < 2 || !sums_in_transforms(ctx) ||
        !fft_modular_plan_sum(&p->modular, p->an, p->bn, plan->meet, ctx->queue.forced.primes,
                              ctx->queue.clusters)) {
        return false;
    }
    p->a_piece = p->an;
    p->b_piece = p->bn;
    // Of an operand and the sum, and of a group of primes of the other one.
    const uint64_t planes = 2 * p->modular.primes + FFT_PRIMES_USED;
    p->workspace_bytes = (DEVICE_LINE + planes * device_plane(p) + 2 * device_lines(plan->n + 1) +
                          factors_words(ctx, plan)) *
                         sizeof(uint64_t);
    p->words_bytes = max(carry_add_workspace_bytes(plan->n + 1),
                         CARRY_ADD_FRONT_BYTES + recombine_device_bytes(plan->n));
    p->tables_bytes = fft_modular_table_bytes(&p->modular) + sizeof(product_tables);
    return device_plan_fits(ctx, p);
}

// plan_meeting: whether and how the terms meet, whose number, factors and largest product are
// known.
static void plan_meeting(const bigint_ctx *ctx, sum_plan *plan) {
    for (uint64_t n = 1; n < plan->meet; n *= 2) {
        plan->bits++;
    }
    plan->n = plan->bits / 64 + 1;  // one bit more, for the sign
    plan->meet = plan_transform(ctx, plan) ? plan->meet : 0;
}

static sum_plan plan_make(const bigint_ctx *ctx, const bigint *const *a, const bigint *const *b,
                          uint64_t count) {
    sum_plan plan = {0};
    for (uint64_t i = 0; i < count; i++) {
        if (a[i]->n_ > 0 && b[i]->n_ > 0) {
            plan.terms++;
            plan.limbs = max(plan.limbs, a[i]->n_ + b[i]->n_);
        }
    }
    for (uint64_t i = 0; i < count; i++) {
        if (meets(&plan, a[i], b[i])) {
            const uint64_t an = max(a[i]->n_, b[i]->n_), bn = a[i]->n_ + b[i]->n_ - an;
            plan.meet++;
            plan.products.an = max(plan.products.an, an);
            plan.products.bn = max(plan.products.bn, bn);
            plan.bits = max(plan.bits, device_bits(a[i]) + device_bits(b[i]));
        }
    }
    plan_meeting(ctx, &plan);
    return plan;
}

// plan_alike: the plan of products of up to an by bn limbs, an >= bn, that all meet if any do.
static sum_plan plan_alike(const bigint_ctx *ctx, uint64_t an, uint64_t bn, uint64_t terms) {
    sum_plan plan = {.limbs = an + bn,
                     .terms = terms,
                     .meet = terms,
                     .bits = 64 * (an + bn),
                     .products = {.an = an, .bn = bn}};
    plan_meeting(ctx, &plan);
    return plan;
}

uint64_t device_sum_held_bytes(const bigint_ctx *ctx, uint64_t an, uint64_t bn, uint64_t terms) {
    const sum_plan plan = plan_alike(ctx, an, bn, terms);
    return plan.meet == 0 ? 0 : device_held_bytes(ctx, &plan.products);
}

// One by one the sum grows by a limb a term.
void device_mul_sum_need(work_need *w, uint64_t an, uint64_t bn, uint64_t terms) {
    const uint64_t longer = max(an, bn), shorter = an + bn - longer, n = an + bn + terms + 1;
    if (shorter == 0 || terms == 0 || w->status != BIGINT_OK) {
        return;
    }
    const sum_plan plan = plan_alike(w->ctx, longer, shorter, terms);
    if (plan.meet > 0) {
        device_plan_need(w, &plan.products);
        return;
    }
    for (unsigned square = 0; square < (an == bn ? 2 : 1); square++) {
        device_mul_need(w, longer, shorter, square == 1);
    }
    need_words(w, carry_add_workspace_bytes(n));
}

int device_mul_sum_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t bn,
                         uint64_t terms) {
    const uint64_t longer = max(an, bn), shorter = an + bn - longer;
    char how[512] = "";
    device_plan alone;
    sum_plan plan = {0};
    if (shorter > 0 && terms > 0) {
        plan = plan_alike(ctx, longer, shorter, terms);
    }
    if (plan.meet == 0 && shorter > 0 && terms > 0 &&
        device_plan_make(ctx, "bigint_mul_sum", &alone, longer, shorter, false, false) ==
            BIGINT_OK) {
        device_plan_print(ctx, &alone, how, sizeof how);
    }
    return snprintf(
        buf, cap, "sum of %llu products of %llu x %llu limbs, %s%s", (unsigned long long)terms,
        (unsigned long long)an, (unsigned long long)bn,
        plan.meet > 0 ? "added in the transform domain: modular-fft" : "one by one: ", how);
}

// --- Execution -----------------------------------------------------------------------------------

// room: what a run has beside two operands' planes.
typedef struct {
    double *planes;        // of the sum
    uint64_t *sum, *wrap;  // the sum in two's complement; 2^(64 n) if negative, else 0
    uint64_t *factors;     // residues of the terms, if they are checked
} room;

static room room_of(const device_work *run, const sum_plan *plan) {
    double *const planes = (double *)run->scratch;
    uint64_t *const sum = run->scratch + run->plan->modular.primes * device_plane(run->plan);
    uint64_t *const wrap = sum + device_lines(plan->n + 1);
    return (room){planes, sum, wrap, wrap + device_lines(plan->n + 1)};
}

// add_term enqueues the addition of a b to the sum in the transform domain as its term k.
static result add_term(const device_work *run, const sum_plan *plan, const room *m, const bigint *a,
                       const bigint *b, bool subtract, uint64_t k) {
    if (a->n_ < b->n_) {
        return add_term(run, plan, m, b, a, subtract, k);
    }
    const fft_modular_plan *const modular = &run->plan->modular;
    const bool square = a->d_ == b->d_;
    result done = RESULT_OK;
    for (unsigned first = 0, n = 0; first < modular->primes && done == RESULT_OK; first += n) {
        n = fft_modular_group(modular, first);
        const uint64_t at = first * device_plane(run->plan);
        const fft_modular_step step = {modular, run->tables, first, n, run->ctx->queue.stream};
        const fft_modular_sum sum = {m->planes + at, a->d_ - 1, b->d_ - 1,
                                     subtract,       k > 0,     k + 1 < plan->meet};
        done = fft_modular_columns(&step, run->x + at, (fft_modular_operand){a->d_, a->n_},
                                   square ? NULL : run->y, (fft_modular_operand){b->d_, b->n_});
        if (done == RESULT_OK) {
            done = fft_modular_rows_sum(&step, run->x + at, run->y,
                                        square ? FFT_ROW_SQUARE : FFT_ROW_MULTIPLY, &sum);
        }
    }
    return done == RESULT_OK ? device_check_term(run->ctx, m->factors + 2 * k, device_number(a),
                                                 device_number(b), subtract)
                             : done;
}

// finish enqueues the way back: coefficients, two's complement, sign and magnitude: the sum less
// 2^(64 n) where its top bit is set.
static result finish(const device_work *run, const sum_plan *plan, const room *m,
                     const device_target *target) {
    const fft_modular_plan *const modular = &run->plan->modular;
    const device_queue *const q = &run->ctx->queue;
    const uint64_t plane = device_plane(run->plan);
    const recombine_residues residues = {run->x,
                                         plane,
                                         modular->a_digits + modular->b_digits - 1,
                                         modular->primes,
                                         modular->digit_bits,
                                         0,
                                         false};
    const recombine_signs none = {run->zero, run->zero, run->zero};  // a word xor itself: 0
    const limbs_device_number sum = {m->sum, plan->n, run->zero},
                              wrap = {m->wrap, plan->n + 1, run->zero},
                              top = {m->sum + plan->n - 1, 1, run->zero};
    result done = RESULT_OK;
    for (unsigned first = 0, n = 0; first < modular->primes && done == RESULT_OK; first += n) {
        n = fft_modular_group(modular, first);
        const fft_modular_step step = {modular, run->tables, first, n, q->stream};
        done = fft_modular_inverse(&step, run->x + first * plane);
    }
    if (done == RESULT_OK) {
        done = recombine_device(m->sum, plan->n, &none, &residues,
                                (unsigned char *)q->words + CARRY_ADD_FRONT_BYTES,
                                q->words_bytes - CARRY_ADD_FRONT_BYTES, q->stream);
    }
    if (done == RESULT_OK) {
        done = cuda_set(m->wrap, 0, plan->n * sizeof *m->wrap, q->stream);
    }
    if (done == RESULT_OK) {
        done = limbs_device_rshift(m->wrap + plan->n, 1, run->zero, top, 63, LIMBS_SIGN_CLEAR,
                                   q->stream);
    }
    if (done == RESULT_OK) {
        done = carry_add(target->p, target->n, target->p - 1, sum, wrap, true, q->words,
                         q->words_bytes, q->stream);
    }
    const limbs_device_number r = {target->p, target->n, target->p - 1};
    return done == RESULT_OK
               ? device_check_sum(run->ctx, r, m->factors, plan->meet, run->plan->an, run->plan->bn)
               : done;
}

// sum_together: r = the sum of the terms that meet; r may be any of the operands.
static bigint_status sum_together(bigint_ctx *ctx, const char *who, bigint *r,
                                  const bigint *const *a, const bigint *const *b, const int *signs,
                                  uint64_t count, const sum_plan *plan) {
    device_work run;
    device_target target;
    bigint_status status = device_begin(&run, ctx, who, &plan->products);
    if (status != BIGINT_OK) {
        return status;
    }
    status = device_target_open(ctx, who, r, plan->bits, &target);
    if (status == BIGINT_OK) {
        const room m = room_of(&run, plan);
        result done = RESULT_OK;
        for (uint64_t i = 0, k = 0; i < count && done == RESULT_OK; i++) {
            if (meets(plan, a[i], b[i])) {
                const bool subtract = signs != NULL && signs[i] < 0;
                done = add_term(&run, plan, &m, a[i], b[i], subtract, k++);
            }
        }
        done = done == RESULT_OK ? finish(&run, plan, &m, &target) : done;
        ctx->counters.products += done == RESULT_OK ? plan->meet : 0;
        ctx->counters.checks += done == RESULT_OK && ctx->check_modulus != 0 ? plan->meet : 0;
        status = device_target_close(ctx, r, &target, device_status(ctx, who, done));
    }
    device_end(&run);
    return status;
}

// If not all terms meet, the sum grows in an integer of its own, so that r keeps its value until
// all of the sum is enqueued.
bigint_status device_mul_sum(bigint_ctx *ctx, const char *who, bigint *r, const bigint *const *a,
                             const bigint *const *b, const int *signs, uint64_t count) {
    const sum_plan plan = plan_make(ctx, a, b, count);
    bigint sum = BIGINT_INIT, product = BIGINT_INIT;
    if (plan.terms > 0 && plan.meet == plan.terms) {
        return sum_together(ctx, who, r, a, b, signs, count, &plan);
    }
    bigint_status status =
        plan.meet > 0 ? sum_together(ctx, who, &sum, a, b, signs, count, &plan) : BIGINT_OK;
    for (uint64_t i = 0; i < count && status == BIGINT_OK; i++) {
        if (plan.meet == 0 || !meets(&plan, a[i], b[i])) {
            status = device_mul(ctx, who, &product, a[i], b[i]);
            if (status == BIGINT_OK) {
                status = device_add(ctx, who, &sum, &sum, &product, signs != NULL && signs[i] < 0);
            }
        }
    }
    if (status == BIGINT_OK) {
        bigint_swap(r, &sum);
    }
    bigint_clear(ctx, &sum);
    bigint_clear(ctx, &product);
    return status;
}
