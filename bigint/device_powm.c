// device_powm.c: modular powers on a device, batches of them and one alone: enqueued, with all
// memory taken before. May include batch.h, device.h and primitives/powm_device.h.
#include "bigint/batch.h"
#include "bigint/device.h"
#include "primitives/powm_device.h"

// --- One call ------------------------------------------------------------------------------------

// powers: a batch under way, between powers_begin, which takes its memory, and powers_end.
typedef struct {
    bigint_ctx *ctx;
    const char *who;
    arena_mark mark;
    powm_device_plan plan;
    powm_device_batch batch;
    void *workspace;
    uint64_t *more;  // limbs beside it
} powers;

// no_plan: why a plan was refused.
static bigint_status no_plan(const powers *s, result done, uint64_t limbs, uint64_t exponent) {
    if (done == RESULT_NO_MEMORY) {
        return bigint_fail(s->ctx, BIGINT_ENOMEM,
                           "%s: no memory on device %d, or none under the cap of %llu bytes, for "
                           "powers modulo %llu limbs; raise max_workspace_bytes or trim contexts",
                           s->who, s->ctx->device.place,
                           (unsigned long long)s->ctx->options.max_workspace_bytes,
                           (unsigned long long)limbs);
    }
    return bigint_fail(s->ctx, BIGINT_ERANGE,
                       "%s: moduli of %llu limbs with exponents of %llu; on a device moduli have "
                       "up to %d limbs, exponents %d: take a context on BIGINT_HOST",
                       s->who, (unsigned long long)limbs, (unsigned long long)exponent,
                       POWM_DEVICE_LIMBS_MAX, POWM_DEVICE_EXPONENT_MAX);
}

static void powers_end(powers *s) {
    arena_release_in(s->ctx, &s->ctx->queue.memory, s->mark);
    queue_leave(s->ctx);
}

// powers_begin plans for s->batch.count moduli of up to modulus_bits, and takes `more` limbs too.
// Fewer powers at once where memory is short.
static bigint_status powers_begin(powers *s, uint64_t modulus_bits, uint64_t exponent_limbs,
                                  uint64_t more) {
    bigint_ctx *ctx = s->ctx;
    arena *memory = &ctx->queue.memory;
    const uint64_t more_bytes = (more * sizeof *s->more / 256 + 1) * 256;
    s->mark = arena_mark_in(memory);
    bigint_status status = queue_enter(ctx, s->who);
    if (status != BIGINT_OK) {
        return status;
    }
    status = queue_staging_need(ctx, s->who);
    uint64_t most = 0;  // bytes; 0: no bound, after that half of what was refused
    while (status == BIGINT_OK && s->workspace == NULL) {
        const result done =
            powm_device_plan_make(&s->plan, s->batch.count, modulus_bits, exponent_limbs,
                                  ctx->device.about.multiprocessors, most);
        most = s->plan.workspace_bytes / 2;
        if (done != RESULT_OK) {
            status = no_plan(s, done, (modulus_bits + 63) / 64, exponent_limbs);
        } else if (arena_make_room(ctx, memory, s->plan.workspace_bytes + more_bytes)) {
            s->more = arena_take_in(ctx, memory, s->who, more_bytes);
            s->workspace = arena_take_in(ctx, memory, s->who, s->plan.workspace_bytes);
        } else if (ctx->failed != BIGINT_OK) {
            status = ctx->failed;
        }
    }
    if (status != BIGINT_OK) {
        powers_end(s);
    }
    return status;
}

static result powers_run(const powers *s) {
    return powm_device(&s->plan, &s->batch, s->workspace, s->ctx->queue.stream);
}

// --- Batches -------------------------------------------------------------------------------------

// upload_list: {at + 1, count} = {list, count}, limb `at` is used too; *out is where it lies.
static bigint_status upload_list(const powers *s, uint64_t **at, const uint64_t *list,
                                 const uint64_t **out) {
    *out = NULL;
    if (list == NULL) {
        return BIGINT_OK;
    }
    *out = *at + 1;
    const bigint_status status = queue_upload(s->ctx, s->who, *at + 1, list, s->batch.count, 0);
    *at += s->batch.count + 1;
    return status;
}

static bigint_status upload_span(const powers *s, uint64_t **at, const bigint_span *span,
                                 powm_device_numbers *out) {
    *out = (powm_device_numbers){.p = span->p, .n = span->n, .stride = span->stride};
    const bigint_status status = upload_list(s, at, span->lengths, &out->lengths);
    return status != BIGINT_OK ? status : upload_list(s, at, span->offsets, &out->offsets);
}

// check_items: results that are long enough; the longest modulus and exponent.
static bigint_status check_items(bigint_ctx *ctx, const char *who, const bigint_span *r,
                                 const bigint_span *exponent, const bigint_span *modulus,
                                 uint64_t *mn, uint64_t *en) {
    *mn = *en = 0;
    for (uint64_t i = 0; i < r->count; i++) {
        const uint64_t m = batch_item_of(modulus, i).n, e = batch_item_of(exponent, i).n;
        const uint64_t rn = batch_item_of(r, i).n;
        if (m == 0) {
            return bigint_fail(ctx, BIGINT_EINVAL, "%s: modulus %llu is 0", who,
                               (unsigned long long)i);
        }
        if (rn < m) {
            return batch_does_not_hold(ctx, who, i, rn, m);
        }
        *mn = m > *mn ? m : *mn;
        *en = e > *en ? e : *en;
    }
    return BIGINT_OK;
}

bigint_status resident_powm_batch(bigint_ctx *ctx, const char *who, const bigint_span *r,
                                  const bigint_span *base, const bigint_span *exponent,
                                  const bigint_span *modulus) {
    uint64_t mn, en;
    bigint_status status = check_items(ctx, who, r, exponent, modulus, &mn, &en);
    if (status != BIGINT_OK || r->count == 0) {
        return status;
    }
    powers s = {.ctx = ctx, .who = who, .batch = {.count = r->count}};
    const bigint_span *const spans[] = {r, base, exponent, modulus};
    powm_device_numbers *const numbers[] = {&s.batch.r, &s.batch.base, &s.batch.exponent,
                                            &s.batch.modulus};
    uint64_t lists = 0;
    for (int k = 0; k < 4; k++) {
        lists += spans[k]->lengths != NULL ? 1 : 0;
        lists += spans[k]->offsets != NULL ? 1 : 0;
    }
    status = powers_begin(&s, 64 * mn, en, lists * (r->count + 1));
    if (status != BIGINT_OK) {
        return status;
    }
    uint64_t *at = s.more;
    for (int k = 0; k < 4 && status == BIGINT_OK; k++) {
        status = upload_span(&s, &at, spans[k], numbers[k]);
    }
    if (status == BIGINT_OK) {
        status = queue_check(ctx, who, powers_run(&s));
    }
    powers_end(&s);
    return status;
}

// --- One power -----------------------------------------------------------------------------------

bool resident_powm_serves(uint64_t modulus_bits, uint64_t exponent_bits) {
    return modulus_bits <= POWM_DEVICE_BITS_MAX && exponent_bits <= 64 * POWM_DEVICE_EXPONENT_MAX;
}

static powm_device_numbers one(uint64_t *p, uint64_t n) {
    return (powm_device_numbers){.p = p, .n = n, .stride = n};
}

bigint_status resident_powm(bigint_ctx *ctx, const char *who, bigint *r, const bigint *base,
                            resident_exponent exponent, const bigint *modulus,
                            uint64_t modulus_bits) {
    const uint64_t n = (modulus_bits + 63) / 64, en = (exponent.bits + 63) / 64;
    const uint64_t up = exponent.secret != NULL ? en + 1 : 0;
    powers s = {.ctx = ctx, .who = who, .batch = {.count = 1, .secret = exponent.secret != NULL}};
    bigint_status status = powers_begin(&s, modulus_bits, en, n + up);
    if (status != BIGINT_OK) {
        return status;
    }
    uint64_t *const own = exponent.secret != NULL ? s.more + n + 1 : exponent.p;
    if (exponent.secret != NULL) {
        status = queue_upload(ctx, who, own, exponent.secret, en, 0);
    }
    resident_target target;
    if (status == BIGINT_OK) {
        status = resident_open(ctx, who, r, modulus_bits, &target);
    }
    if (status == BIGINT_OK) {
        // Into workspace first: operands, which may be r, are read to the end.
        s.batch.r = one(s.more, n);
        s.batch.base = one(base->d_, base->n_);
        s.batch.negative = base->n_ == 0 ? NULL : base->d_ - 1;
        s.batch.exponent = one(own, en);
        s.batch.modulus = one(modulus->d_, n);
        result done = powers_run(&s);
        if (done == RESULT_OK) {
            done = device_copy(target.p, s.more, n * sizeof *target.p, ctx->queue.stream);
        }
        if (done == RESULT_OK) {
            done = device_set(target.p - 1, 0, sizeof *target.p, ctx->queue.stream);
        }
        status = resident_close(ctx, r, &target, queue_check(ctx, who, done));
    }
    powers_end(&s);
    return status;
}
