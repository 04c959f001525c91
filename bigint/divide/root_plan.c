// root_plan.c: see root_plan.h.
#include "bigint/divide/root_plan.h"

#include <stdio.h>

#include "bigint/core/names.h"
#include "bigint/divide/root_halves.h"
#include "bigint/divide/root_newton.h"
#include "bigint/divide/root_thirds.h"
#include "bigint/divide/rsqrt.h"
#include "bigint/multiply/mod.h"
#include "bigint/multiply/mul.h"
#include "primitives/words/word.h"

root_way root_way_of(uint64_t an, uint64_t bits, uint64_t k) {
    return k >= bits                          ? ROOT_ONE
           : k == 2                           ? ROOT_HALVES
           : an <= 2                          ? ROOT_PAIR
           : k == 3 && an <= ROOT_THIRDS_MOST ? ROOT_THIRDS
                                              : ROOT_NEWTON;
}

int root_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t k) {
    static const char *const ways[ROOT_WAYS] = {
        [ROOT_ONE] = "1",
        [ROOT_HALVES] = "by halves: roots of half the length, and divisions",
        [ROOT_PAIR] = "in doubles",
        [ROOT_THIRDS] = "by a root of half the length, and divisions",
        [ROOT_NEWTON] = "by Newton's iteration for the reciprocal root"};
    return snprintf(buf, cap, "%s root %s, degree %llu, %llu limbs, %s",
                    names_backend(ctx->device.backend), ctx->limbs->name, (unsigned long long)k,
                    (unsigned long long)an,
                    k <= 1 || an == 0 ? "a copy" : ways[root_way_of(an, 64 * an, k)]);
}

int rsqrt_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t bits) {
    rsqrt_form form = {0};
    const bool fits = rsqrt_form_of(ctx, "bigint_rsqrt_fixed", &form, 64 * an, bits) == BIGINT_OK;
    return snprintf(
        buf, cap, "%s reciprocal square root, %llu limbs, %llu places: %llu limbs by %s",
        names_backend(ctx->device.backend), (unsigned long long)an, (unsigned long long)bits,
        (unsigned long long)(fits ? form.limbs : 0), "Newton's iteration");
}

// below_need: what `below` needs for a - s^k.
static void below_need(work_need *n, uint64_t an, uint64_t k) {
    const uint64_t in_use = n->host.in_use, sn = an / k + 1;
    const uint64_t within = word_ceil_div((k - 1) * 64 * sn + 64, 64) + 2;
    const uint64_t ends = within < an + 2 ? within : an + 2, half = (an + 1) / 2;
    need_take_limbs(&n->host, ends);
    need_take_limbs(&n->host, an + 1);
    need_take_limbs(&n->host, an + 1);
    mul_need(n, half, half, true);  // of an odd power, the longest product but the last
    mul_difference_need(n, ends, k % 2 == 0 ? half : an, k % 2 == 0 ? half : sn, k % 2 == 0);
    need_release(&n->host, in_use);
}

static void way_need(work_need *n, uint64_t an, uint64_t k) {
    const uint64_t sn = word_ceil_div(an, k);
    switch (root_way_of(an, 64 * an, k)) {
        case ROOT_HALVES:
            need_take_limbs(&n->host, ROOT_HALVES_WORKSPACE * an);
            root_halves_need(n, an);
            break;
        case ROOT_THIRDS:
            mul_need(n, sn, sn, true);
            mul_need(n, 2 * sn, sn, false);
            break;
        case ROOT_NEWTON:
            root_near_need(n, an, k);
            below_need(n, an, k);
            break;
        default:
            break;
    }
}

void root_need(work_need *n, uint64_t an, uint64_t k) {
    const uint64_t in_use = n->host.in_use;
    if (an == 0 || k <= 1) {
        return;
    }
    need_take_limbs(&n->host, root_limbs_bound(an, k));
    need_take_limbs(&n->host, an);
    way_need(n, an, k);
    need_release(&n->host, in_use);
}

void rsqrt_need(work_need *n, uint64_t an, uint64_t bits) {
    const uint64_t in_use = n->host.in_use;
    rsqrt_form form;
    if (n->status != BIGINT_OK || an == 0) {
        return;
    }
    n->status = rsqrt_form_of(n->ctx, n->who, &form, 64 * (an - 1) + 1, bits);  // the most places
    if (n->status == BIGINT_OK && form.places >= 0) {
        need_take_limbs(&n->host, form.limbs);
        need_take_limbs(&n->host, an < form.limbs + 2 ? an : form.limbs + 2);
        root_reciprocal_need(n, form.limbs);
    }
    need_release(&n->host, in_use);
}
