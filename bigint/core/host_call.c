// host_call.c: see host_call.h.
#include "bigint/core/host_call.h"

#include "bigint/core/limbs.h"
#include "bigint/core/place.h"
#include "primitives/words/word.h"

// bring: *to = x in host memory: an integer of its own if `owned`, else workspace with the lowest
// `most` limbs.
static bigint_status bring(host_call *c, bigint *to, const bigint *x, bool owned, uint64_t most) {
    uint64_t bits;
    int sign;
    bigint_status status = bigint_measure(c->ctx, c->who, &bits, &sign, x);
    const uint64_t n = status == BIGINT_OK ? word_ceil_div(bits, 64) : 0;
    if (n == 0) {
        return status;
    }
    const uint64_t limbs = n < most ? n : most;
    if (owned) {
        to->d_ = bigint_limbs_allocate(c->ctx, c->who, n, &to->cap_, &status);
    } else {
        *to = bigint_scratch(c->ctx, c->who, limbs);
        status = to->d_ == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    }
    if (status == BIGINT_OK) {
        status = c->ctx->away->load(c->ctx, c->who, to->d_, x, limbs);
        to->n_ = n;
        to->sign_ = sign;
    }
    return status;
}

// bring_operand: operand i, unless an operand before it is the same object.
static bigint_status bring_operand(host_call *c, unsigned i) {
    const bigint *const x = c->of.a[i];
    for (unsigned k = 0; k < i; k++) {
        if (c->of.a[k] == x) {
            c->a[i] = c->a[k];
            return BIGINT_OK;
        }
    }
    for (unsigned k = 0; k < HOST_CALL_RESULTS; k++) {
        if (c->of.r[k] == x) {
            c->a[i] = c->r[k];
            return bring(c, c->r[k], x, true, UINT64_MAX);
        }
    }
    return bring(c, &c->operands[i], x, false, c->of.low == 0 ? UINT64_MAX : c->of.low);
}

void host_call_begin(host_call *c, bigint_ctx *ctx, const char *who, host_operands of) {
    *c = (host_call){.ctx = ctx, .who = who, .of = of, .mark = arena_get_mark(ctx)};
    for (unsigned i = 0; i < HOST_CALL_OPERANDS; i++) {
        c->a[i] = of.a[i] == NULL ? NULL : &c->operands[i];
    }
    bigint_status status = bigint_check_places(ctx, who, NULL, NULL, NULL);
    for (unsigned i = 0; i < HOST_CALL_RESULTS; i++) {
        c->r[i] = of.r[i] == NULL ? NULL : &c->results[i];
        for (unsigned k = 0; k < i && of.r[i] != NULL; k++) {
            c->r[i] = of.r[k] == of.r[i] ? c->r[k] : c->r[i];
        }
        status = status == BIGINT_OK ? bigint_check_places(ctx, who, of.r[i], NULL, NULL) : status;
    }
    for (unsigned i = 0; i < HOST_CALL_OPERANDS && status == BIGINT_OK; i++) {
        status = of.a[i] == NULL ? BIGINT_OK : bring_operand(c, i);
    }
    c->away = ctx->away;
    c->failed = ctx->failed;
    c->engine = ctx->engine;
    c->place = ctx->device.place;
    if (context_on_device(ctx)) {
        ctx->engine = ENGINE_AUTO;
    }
    ctx->away = NULL;
    ctx->failed = status;
    ctx->on_host = status == BIGINT_OK;
    ctx->device.place = BIGINT_HOST;
}

// store: the results, in new integers first if there are several.
static bigint_status store(host_call *c) {
    bigint fresh[HOST_CALL_RESULTS] = {BIGINT_INIT, BIGINT_INIT, BIGINT_INIT};
    unsigned count = 0;
    for (unsigned i = 0; i < HOST_CALL_RESULTS; i++) {
        count += c->r[i] != NULL;
    }
    bigint_status status = BIGINT_OK;
    for (unsigned i = 0; i < HOST_CALL_RESULTS && status == BIGINT_OK; i++) {
        const bigint *const x = c->r[i];
        if (x != NULL) {
            bigint *const to = count == 1 ? c->of.r[i] : &fresh[i];
            status = bigint_store(c->ctx, c->who, to, x->d_, x->n_, x->sign_);
        }
    }
    for (unsigned i = 0; i < HOST_CALL_RESULTS && count > 1; i++) {
        if (status == BIGINT_OK && c->r[i] != NULL) {
            bigint_swap(c->of.r[i], &fresh[i]);
        }
        bigint_clear(c->ctx, &fresh[i]);
    }
    return status;
}

bigint_status host_call_end(host_call *c, bigint_status status) {
    bigint_ctx *const ctx = c->ctx;
    ctx->away = c->away;
    // A release of idle device memory may have failed, for good.
    ctx->failed = ctx->failed == BIGINT_EDEVICE ? BIGINT_EDEVICE : c->failed;
    ctx->engine = c->engine;
    ctx->device.place = c->place;
    ctx->on_host = false;
    if (status == BIGINT_OK) {
        status = store(c);
    }
    for (unsigned i = 0; i < HOST_CALL_RESULTS; i++) {
        bigint_limbs_release(ctx, c->results[i].d_, c->results[i].cap_);
    }
    arena_release(ctx, c->mark);
    return status;
}
