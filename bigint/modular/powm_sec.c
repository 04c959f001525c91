// powm_sec.c: powers with a secret exponent: fixed windows over steady Montgomery products. Masks
// select the powers of the base from the table.
#include "bigint/modular/powm_sec.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/names.h"
#include "bigint/divide/divrem.h"
#include "bigint/divide/plan.h"
#include "bigint/modular/montgomery.h"
#include "bigint/modular/plan.h"
#include "primitives/words/word.h"

static const char who[] = "bigint_powm_sec";

// All powers of the table are read for each window, which costs as much as a product from 2^5 of
// them on: Intel Xeon (Sapphire Rapids), 1024 to 8192 bits.
enum { WINDOW_MAX = 4 };

// window_bits: windows of w bits cost 2^w products once and one for every w bits.
static unsigned window_bits(uint64_t bits) {
    unsigned w = 1;
    while (w < WINDOW_MAX && (UINT64_C(1) << w) < bits / w - bits / (w + 1)) {
        w++;
    }
    return w;
}

// select_entry: {rp, n} = entry `index` of `count`; it reads all of them.
static void select_entry(uint64_t *rp, const uint64_t *table, uint64_t n, uint64_t count,
                         uint64_t index) {
    uint64_t masks[1 << WINDOW_MAX];
    for (uint64_t i = 0; i < count; i++) {
        masks[i] = 0 - (((i ^ index) - 1) >> 63);  // both below 2^63: all ones if equal
    }
    for (uint64_t k = 0; k < n; k++) {
        uint64_t limb = 0;
        for (uint64_t i = 0; i < count; i++) {
            limb |= table[i * n + k] & masks[i];
        }
        rp[k] = limb;
    }
}

// steady_power: {x, words} = x^e for the form x; table: 2^w elements, of which 0 is the form of 1;
// factor: one more. Windows from the top, the highest of which may reach beyond the exponent.
static bigint_status steady_power(bigint_ctx *ctx, const montgomery *form, uint64_t *x,
                                  uint64_t *table, uint64_t *factor, const uint64_t *ep,
                                  uint64_t en, unsigned w) {
    const uint64_t n = form->words, count = UINT64_C(1) << w;
    bigint_status status = BIGINT_OK;
    memcpy(table + n, x, n * sizeof *x);
    for (uint64_t i = 2; i < count && status == BIGINT_OK; i++) {
        status = montgomery_mul(ctx, form, table + i * n, table + (i - 1) * n, table + n);
    }
    uint64_t left = (64 * en - 1) / w * w;
    select_entry(x, table, n, count, limbs_bits(ep, en, left, w));
    while (left > 0 && status == BIGINT_OK) {
        for (unsigned k = 0; k < w && status == BIGINT_OK; k++) {
            status = montgomery_mul(ctx, form, x, x, x);
        }
        left -= w;
        select_entry(factor, table, n, count, limbs_bits(ep, en, left, w));
        if (status == BIGINT_OK) {
            status = montgomery_mul(ctx, form, x, x, factor);
        }
    }
    return status;
}

// reduced_base: {rp, mn} = the base modulo M, which is public.
static bigint_status reduced_base(bigint_ctx *ctx, uint64_t *rp, const uint64_t *bp, uint64_t bn,
                                  bool negative, const uint64_t *mp, uint64_t mn) {
    bigint_status status = BIGINT_OK;
    if (bn >= mn) {
        status = bigint_divrem_limbs(ctx, NULL, rp, bp, bn, mp, mn);
    } else {
        memset(rp, 0, mn * sizeof *rp);
        if (bn > 0) {  // 0 has no limbs, perhaps no pointer to them
            memcpy(rp, bp, bn * sizeof *rp);
        }
    }
    if (status == BIGINT_OK && negative && limbs_normalize(rp, mn) != 0) {
        limbs_sub_n(rp, mp, rp, mn);
    }
    return status;
}

bigint_status powm_sec_limbs(bigint_ctx *ctx, uint64_t *rp, const uint64_t *bp, uint64_t bn,
                             bool negative, const uint64_t *ep, uint64_t en, const uint64_t *mp,
                             uint64_t mn) {
    const uint64_t one = 1;
    if (en == 0) {
        memset(rp, 0, mn * sizeof *rp);
        rp[0] = mn > 1 || mp[0] != 1;
        return BIGINT_OK;
    }
    montgomery form;
    bigint_status status = montgomery_init_steady(ctx, &form, mp, mn);
    if (status != BIGINT_OK) {
        return status;
    }
    const unsigned w = window_bits(64 * en);
    uint64_t *const table = arena_take_limbs(ctx, who, form.words << w);
    uint64_t *const x = table == NULL ? NULL : arena_take_limbs(ctx, who, form.words);
    uint64_t *const factor = x == NULL ? NULL : arena_take_limbs(ctx, who, form.words);
    uint64_t *const base = factor == NULL ? NULL : arena_take_limbs(ctx, who, mn);
    status = base == NULL ? BIGINT_ENOMEM : reduced_base(ctx, base, bp, bn, negative, mp, mn);
    if (status == BIGINT_OK) {
        status = montgomery_from(ctx, &form, table, &one, 1);
    }
    if (status == BIGINT_OK) {
        status = montgomery_from(ctx, &form, x, base, mn);
    }
    if (status == BIGINT_OK) {
        status = steady_power(ctx, &form, x, table, factor, ep, en, w);
    }
    return status != BIGINT_OK ? status : montgomery_to(ctx, &form, rp, x);
}

// --- Plans ---------------------------------------------------------------------------------------

void powm_sec_need(work_need *w, uint64_t an, uint64_t en, uint64_t n) {
    const uint64_t in_use = w->host.in_use;
    if (en == 0 || n == 0) {
        return;
    }
    const uint64_t words = montgomery_need(w, n, true);
    need_take_limbs(&w->host, words << window_bits(64 * en));
    need_take_limbs(&w->host, words);
    need_take_limbs(&w->host, words);
    need_take_limbs(&w->host, n);
    if (an >= n) {
        divrem_limbs_need(w, an, n);
    }
    need_take_limbs(&w->host, 2 * n + 3);  // of a form: bits a limb or two above n
    divrem_limbs_need(w, 2 * n + 3, n);
    need_release(&w->host, in_use);
}

int powm_sec_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t en, uint64_t n) {
    return snprintf(
        buf, cap,
        "%s secret power %s, exponent of %llu limbs, modulus of %llu limbs, steady Montgomery "
        "products %s, windows of %u bits",
        names_backend(ctx->device.backend), ctx->limbs->name, (unsigned long long)en,
        (unsigned long long)n,
        montgomery_way_of(ctx, n, true) == MONTGOMERY_DIGITS ? "in digits" : "by rows",
        en == 0 ? 1 : window_bits(64 * en));
}
