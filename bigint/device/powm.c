// powm.c: modular powers on a device, in batches and single, and batches of terms of Lucas
// sequences. All memory is taken first, then everything is enqueued.
#include "bigint/device/powm.h"

#include "bigint/batch/batch.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/device_stream.h"
#include "bigint/core/tune.h"
#include "bigint/device/spans.h"
#include "primitives/residues/lucas_device.h"
#include "primitives/residues/powm_device.h"

// --- One call ------------------------------------------------------------------------------------

// powers: a batch under way, between powers_begin, which takes its memory, and powers_end.
typedef struct {
    bigint_ctx *ctx;
    const char *who;
    device_room room;
    uint64_t modulus_bits, exponent_limbs;  // of the longest
    // One of powm_device_plan_make, for powers, and powm_device_plan_digits, for Lucas sequences.
    result (*make)(powm_device_plan *plan, uint64_t count, uint64_t modulus_bits,
                   uint64_t exponent_limbs, int multiprocessors, uint64_t most_bytes);
    powm_device_plan plan;
    powm_device_batch batch;
} powers;

// powers_plan is a device_planner.
static bigint_status powers_plan(bigint_ctx *ctx, void *call, uint64_t most_bytes,
                                 uint64_t *bytes) {
    powers *const s = call;
    const uint64_t limbs = (s->modulus_bits + 63) / 64;
    const result done = s->make(&s->plan, s->batch.count, s->modulus_bits, s->exponent_limbs,
                                ctx->device.about.multiprocessors, most_bytes);
    *bytes = s->plan.workspace_bytes;
    if (done == RESULT_NO_MEMORY) {
        return device_no_memory(ctx, s->who, "powers modulo numbers", limbs);
    }
    return done == RESULT_OK
               ? BIGINT_OK
               : bigint_fail(ctx, BIGINT_ERANGE,
                             "%s: moduli of %llu limbs with exponents of %llu; on a device moduli "
                             "have up to %d limbs, exponents %d: take a context on BIGINT_HOST",
                             s->who, (unsigned long long)limbs,
                             (unsigned long long)s->exponent_limbs, POWM_DEVICE_LIMBS_MAX,
                             POWM_DEVICE_EXPONENT_MAX);
}

// powers_begin plans for s->batch.count moduli of up to modulus_bits, and also takes `more` limbs.
// If memory is short, fewer powers are under way at once.
static bigint_status powers_begin(powers *s, uint64_t modulus_bits, uint64_t exponent_limbs,
                                  uint64_t more) {
    s->modulus_bits = modulus_bits, s->exponent_limbs = exponent_limbs;
    return device_room_open(s->ctx, s->who, powers_plan, s, more, &s->room);
}

static void powers_end(const powers *s) { device_room_close(s->ctx, &s->room); }

static result powers_run(const powers *s) {
    return powm_device(&s->plan, &s->batch, s->room.workspace, s->ctx->queue.stream);
}

// --- Batches -------------------------------------------------------------------------------------

bigint_status device_powm_batch(bigint_ctx *ctx, const char *who, const bigint_span *r,
                                const bigint_span *base, const bigint_span *exponent,
                                const bigint_span *modulus) {
    const uint64_t en = batch_longest(exponent);
    uint64_t mn;
    bigint_status status = batch_check_moduli(ctx, who, r, modulus, "modulus", &mn);
    if (status != BIGINT_OK || r->count == 0) {
        return status;
    }
    powers s = {
        .ctx = ctx, .who = who, .make = powm_device_plan_make, .batch = {.count = r->count}};
    const device_span spans[] = {{r, &s.batch.r},
                                 {base, &s.batch.base},
                                 {exponent, &s.batch.exponent},
                                 {modulus, &s.batch.modulus}};
    const size_t n = sizeof spans / sizeof *spans;
    status = powers_begin(&s, 64 * mn, en, device_lists(spans, n));
    if (status != BIGINT_OK) {
        return status;
    }
    uint64_t *at = s.room.more;
    status = device_numbers(ctx, who, &at, spans, n);
    if (status == BIGINT_OK) {
        status = device_status(ctx, who, powers_run(&s));
    }
    powers_end(&s);
    return status;
}

bigint_status device_lucas_batch(bigint_ctx *ctx, const char *who, const bigint_span *low,
                                 const bigint_span *high, const bigint_span *p,
                                 const bigint_span *exponent, const bigint_span *modulus) {
    lucas_device_batch batch = {.count = low->count};
    powers s = {
        .ctx = ctx, .who = who, .make = powm_device_plan_digits, .batch = {.count = low->count}};
    const device_span spans[] = {{low, &batch.low},
                                 {high, &batch.high},
                                 {p, &batch.p},
                                 {exponent, &batch.exponent},
                                 {modulus, &batch.modulus}};
    const size_t n = sizeof spans / sizeof *spans;
    bigint_status status = powers_begin(&s, 64 * batch_longest(modulus), batch_longest(exponent),
                                        device_lists(spans, n));
    if (status != BIGINT_OK) {
        return status;
    }
    uint64_t *at = s.room.more;
    status = device_numbers(ctx, who, &at, spans, n);
    if (status == BIGINT_OK) {
        status = device_status(ctx, who,
                               lucas_device(&s.plan, &batch, s.room.workspace, ctx->queue.stream));
    }
    powers_end(&s);
    return status;
}

// --- One power -----------------------------------------------------------------------------------

bool device_powm_serves(uint64_t modulus_bits, uint64_t exponent_bits) {
    return modulus_bits <= POWM_DEVICE_BITS_MAX && exponent_bits <= 64 * POWM_DEVICE_EXPONENT_MAX;
}

bool device_powm_pays(const bigint_ctx *ctx, uint64_t modulus_bits, uint64_t exponent_bits) {
    return !ctx->queue.forced.long_powers && modulus_bits <= 64 * DEVICE_POWM_KERNEL_LIMBS &&
           device_powm_serves(modulus_bits, exponent_bits);
}

// powers_need: what powers_begin takes.
static void powers_need(work_need *w, powers *s, uint64_t modulus_bits, uint64_t exponent_limbs,
                        uint64_t more) {
    const uint64_t in_use = w->device.in_use;
    uint64_t bytes = 0;
    s->ctx = w->ctx, s->who = w->who;
    s->modulus_bits = modulus_bits, s->exponent_limbs = exponent_limbs;
    w->status = w->status == BIGINT_OK ? powers_plan(w->ctx, s, 0, &bytes) : w->status;
    if (w->status == BIGINT_OK) {
        need_take(&w->device, device_room_bytes(more) + bytes);
        need_release(&w->device, in_use);
    }
}

// secret_limbs: of the copy of a secret exponent.
static uint64_t secret_limbs(uint64_t en, bool secret) { return secret ? en + 1 : 0; }

void device_powm_need(work_need *w, uint64_t modulus_bits, uint64_t exponent_bits, bool secret) {
    const uint64_t n = (modulus_bits + 63) / 64, en = (exponent_bits + 63) / 64;
    powers s = {.make = powm_device_plan_make, .batch = {.count = 1}};
    powers_need(w, &s, modulus_bits, en, n + secret_limbs(en, secret));
}

void device_powm_batch_need(work_need *w, uint64_t count, uint64_t en, uint64_t n) {
    powers s = {.make = powm_device_plan_make, .batch = {.count = count}};
    powers_need(w, &s, 64 * n, en, 0);
}

void device_lucas_batch_need(work_need *w, uint64_t count, uint64_t en, uint64_t n) {
    powers s = {.make = powm_device_plan_digits, .batch = {.count = count}};
    powers_need(w, &s, 64 * n, en, 0);
}

static numbers_device one(uint64_t *p, uint64_t n) {
    return (numbers_device){.p = p, .n = n, .stride = n};
}

bigint_status device_powm(bigint_ctx *ctx, const char *who, bigint *r, const bigint *base,
                          device_exponent exponent, const bigint *modulus, uint64_t modulus_bits) {
    const uint64_t n = (modulus_bits + 63) / 64, en = (exponent.bits + 63) / 64;
    const uint64_t up = secret_limbs(en, exponent.secret != NULL);
    powers s = {.ctx = ctx,
                .who = who,
                .make = powm_device_plan_make,
                .batch = {.count = 1, .secret = exponent.secret != NULL}};
    bigint_status status = powers_begin(&s, modulus_bits, en, n + up);
    if (status != BIGINT_OK) {
        return status;
    }
    uint64_t *const own = exponent.secret != NULL ? s.room.more + n + 1 : exponent.p;
    if (exponent.secret != NULL) {
        status = device_send(ctx, who, own, exponent.secret, en, 0);
    }
    device_target target;
    if (status == BIGINT_OK) {
        status = device_target_open(ctx, who, r, modulus_bits, &target);
    }
    if (status == BIGINT_OK) {
        // Into workspace first, because operands, which may be r, are read to the end.
        s.batch.r = one(s.room.more, n);
        s.batch.base = one(base->d_, base->n_);
        s.batch.negative = base->n_ == 0 ? NULL : base->d_ - 1;
        s.batch.exponent = one(own, en);
        s.batch.modulus = one(modulus->d_, n);
        result done = powers_run(&s);
        if (done == RESULT_OK) {
            done = cuda_copy(target.p, s.room.more, n * sizeof *target.p, ctx->queue.stream);
        }
        if (done == RESULT_OK) {
            done = cuda_set(target.p - 1, 0, sizeof *target.p, ctx->queue.stream);
        }
        status = device_target_close(ctx, r, &target, device_status(ctx, who, done));
    }
    powers_end(&s);
    return status;
}
