// prime.c: bigint_probable_prime and its batch: checks and places.
#include "bigint/batch/prime.h"
#include "bigint/api/dealt.h"
#include "bigint/batch/batch.h"
#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/integer.h"
#include "bigint/device/powm.h"
#include "bigint/device/prime.h"
#include "bigint/modular/prime.h"
#include "primitives/words/word.h"

// there: the tests on the context's device; NULL on the host.
static const batch_prime_device *there(const bigint_ctx *ctx) {
    static const batch_prime_device device = {device_powm_serves,
                                              {device_strong_base_2, device_strong_lucas}};
    return context_on_device(ctx) ? &device : NULL;
}

// prime_part, prime_cost: on a group, what a member runs, and the cost of an item.
static bigint_status prime_part(bigint_ctx *ctx, const dealt_call *call,
                                const bigint_span *const *s, unsigned char *prime) {
    (void)call;
    return bigint_probable_prime_batch(ctx, prime, s[0]);
}

static double prime_cost(const uint64_t *n) { return (double)n[0] * (double)n[0] * (double)n[0]; }

bigint_status bigint_probable_prime_batch(bigint_ctx *ctx, unsigned char *prime,
                                          const bigint_span *n) {
    const char *who = "bigint_probable_prime_batch";
    const bigint_span *const none[] = {NULL}, *const inputs[] = {n, NULL};
    bigint_status status = batch_check(ctx, who, none, inputs, (const char *[]){"n"});
    if (status != BIGINT_OK || n->count == 0) {
        return status;
    }
    if (context_on_group(ctx)) {
        return dealt_batch(ctx, &(dealt_call){who, {n}, 0, prime, prime_part, prime_cost, 0});
    }
    const arena_mark mark = arena_get_mark(ctx);
    bigint_span on_host = *n;
    if (context_on_device(ctx)) {
        status = device_candidates(ctx, who, n, &on_host);
    }
    if (status == BIGINT_OK) {
        status = batch_probable_prime(ctx, who, prime, &on_host, there(ctx));
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_probable_prime(bigint_ctx *ctx, int *prime, const bigint *n) {
    const char *who = "bigint_probable_prime";
    if (bigint_all_on_host(ctx, n, n, n) && n->n_ <= 1) {
        *prime = n->sign_ > 0 && prime_word(n->d_[0]);
        return BIGINT_OK;
    }
    uint64_t bits;
    int sign;
    bigint_status status = bigint_measure(ctx, who, &bits, &sign, n);
    if (status != BIGINT_OK) {
        return status;
    }
    if (sign <= 0) {
        *prime = 0;
        return BIGINT_OK;
    }
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t limbs = word_ceil_div(bits, 64);
    const uint64_t *const p = bigint_view(ctx, who, n, limbs, &status);
    const bigint_span one = {.p = (bigint_limb *)p, .n = limbs, .stride = limbs, .count = 1};
    unsigned char answer;
    if (status == BIGINT_OK) {
        status = batch_probable_prime(ctx, who, &answer, &one, there(ctx));
    }
    if (status == BIGINT_OK) {
        *prime = answer;
    }
    arena_release(ctx, mark);
    return status;
}
