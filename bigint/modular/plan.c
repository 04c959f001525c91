// plan.c: see plan.h.
#include "bigint/modular/plan.h"

#include <stdio.h>

#include "bigint/core/names.h"
#include "bigint/core/tune.h"
#include "bigint/divide/plan.h"
#include "bigint/modular/exponent.h"
#include "bigint/modular/montgomery.h"
#include "bigint/modular/montgomery_ifma.h"
#include "bigint/modular/montgomery_rings.h"
#include "bigint/modular/powm_few.h"
#include "bigint/multiply/mul.h"
#include "bigint/multiply/operand.h"
#include "bigint/multiply/small.h"
#include "bigint/multiply/wrap.h"
#include "primitives/words/word.h"

bool powm_tries_rings(const bigint_ctx *ctx, uint64_t en, uint64_t n) {
    return en >= POWM_RINGS_EXPONENT && montgomery_products(ctx, n);
}

static bool in_rings(const bigint_ctx *ctx, uint64_t exponent_bits, uint64_t n) {
    return powm_tries_rings(ctx, word_ceil_div(exponent_bits, 64), n);
}

// --- Forms ---------------------------------------------------------------------------------------

static void inverse_need(work_need *w, uint64_t n) {
    const uint64_t in_use = w->host.in_use;
    need_take_limbs(&w->host, 2 * n);
    need_take_limbs(&w->host, 2 * n);
    mul_need(w, n, n / 2 + 1, false);
    mul_need(w, n / 2 + 1, n / 2 + 1, false);
    need_release(&w->host, in_use);
}

static void small_product_need(work_need *w, uint64_t n) {
    need_take_limbs(&w->host, 2 * n);
    need_take_limbs(&w->host, mul_small_workspace_limbs(n, n));
}

// products_need: init_products, and products.
static void products_need(work_need *w, uint64_t n) {
    need_take_limbs(&w->host, 5 * n);
    inverse_need(w, n);
    need_take(&w->host, mul_operand_bytes(w->ctx, n, n));
    mul_operand_need(w, n, n);
    const uint64_t wrapped = mul_wrap_need(w, n, n, n);
    need_take_limbs(&w->host, wrapped + 2 < 2 * n ? 2 * n : wrapped + 2);
    if (wrapped == 0) {
        need_take(&w->host, mul_operand_bytes(w->ctx, n, n));
    }
    mul_operand_need(w, n, n);
    mul_wrap_mul_need(w, n, n, n);
    mul_need(w, n, n, true);
    mul_need(w, n, n, false);
}

uint64_t montgomery_need(work_need *w, uint64_t n, bool steady) {
    uint64_t words = n;
    switch (montgomery_way_of(w->ctx, n, steady)) {
        case MONTGOMERY_ROWS:
            small_product_need(w, n);
            break;
        case MONTGOMERY_DIGITS:
            words = montgomery_ifma_words(montgomery_digits_of(64 * n));
            need_take_limbs(&w->host, words);
            need_take_limbs(&w->host, words + 2 * n + 1);  // at the end; at the start less
            break;
        case MONTGOMERY_BLOCKS:
            need_take_limbs(&w->host, limbs_redc_words(n));
            small_product_need(w, n);
            break;
        default:
            products_need(w, n);
            break;
    }
    return words;
}

// --- Powers --------------------------------------------------------------------------------------

// windows_need: the powers of a window, elements of `words` words.
static void windows_need(work_need *w, uint64_t exponent_bits, uint64_t words) {
    const uint64_t most =
        exponent_powers_most(w->ctx->options.max_workspace_bytes, words * sizeof(uint64_t));
    const uint64_t count = (uint64_t)1 << (exponent_window_bits(exponent_bits, most) - 1);
    need_take_limbs(&w->host, (count + 1) * words);
}

// form_need: a power of a base of an limbs in the form of montgomery_init. Its memory stays.
static void form_need(work_need *w, uint64_t an, uint64_t exponent_bits, uint64_t n) {
    const uint64_t words = montgomery_need(w, n, false);
    need_take_limbs(&w->host, words);
    const uint64_t element = w->host.in_use;
    need_take_limbs(&w->host, n + an + 3);  // the base times 2^bits, bits a limb or two above n
    divrem_limbs_need(w, n + an + 3, n);
    need_release(&w->host, element);
    windows_need(w, exponent_bits, words);
    if (montgomery_products(w->ctx, n)) {
        mul_need(w, n, n, true);
        mul_need(w, n, n, false);
        mul_operand_need(w, n, n);
        mul_wrap_mul_need(w, n, n, n);
    }
}

// odd_need: power_odd, whose memory stays.
static void odd_need(work_need *w, uint64_t an, uint64_t exponent_bits, uint64_t n) {
    const uint64_t in_use = w->host.in_use;
    if (n <= POWM_FEW) {
        if (an > n) {
            divrem_limbs_need(w, an, n);
        }
        return;
    }
    if (in_rings(w->ctx, exponent_bits, n) && montgomery_rings_need(w, an, n)) {
        need_take_limbs(&w->host, n);
        windows_need(w, exponent_bits, n);
        montgomery_rings_mul_need(w, n);
        need_release(&w->host, in_use);
    }
    form_need(w, an, exponent_bits, n);  // also where a modulus has no rings
}

// cut_need: power_cut modulo a power of 2 of n limbs. Its table stays.
static void cut_need(work_need *w, uint64_t exponent_bits, uint64_t n) {
    need_take_limbs(&w->host, n);
    windows_need(w, exponent_bits < 64 * n ? exponent_bits : 64 * n, n);
    const uint64_t in_use = w->host.in_use;
    need_take_limbs(&w->host, 2 * n);
    mul_need(w, n, n, true);
    mul_need(w, n, n, false);
    need_release(&w->host, in_use);
}

// even_need: power_even of an odd factor of `odd` limbs and a power of 2 of n.
static void even_need(work_need *w, uint64_t an, uint64_t exponent_bits, uint64_t odd, uint64_t n) {
    const uint64_t in_use = w->host.in_use;
    need_take_limbs(&w->host, odd + n + 1);
    need_take_limbs(&w->host, odd);
    need_take_limbs(&w->host, odd);
    need_take_limbs(&w->host, n);
    cut_need(w, exponent_bits, n);
    odd_need(w, an, exponent_bits, odd);
    need_take_limbs(&w->host, n);
    need_take_limbs(&w->host, n);
    need_take_limbs(&w->host, 2 * n);
    inverse_need(w, n);
    mul_need(w, n, n, false);
    mul_need(w, odd, n, false);
    need_release(&w->host, in_use);
}

void powm_need(work_need *w, uint64_t an, uint64_t exponent_bits, uint64_t n) {
    enum { SPLITS = 4 };  // of a modulus into the odd factor and the power of 2
    if (n == 0 || exponent_bits == 0 || an == 0) {
        return;
    }
    const uint64_t in_use = w->host.in_use;
    odd_need(w, an, exponent_bits, n);
    need_release(&w->host, in_use);
    for (uint64_t i = 0; i <= SPLITS; i++) {
        const uint64_t twos = n * i / SPLITS;
        even_need(w, an, exponent_bits, n - twos > 0 ? n - twos : 1, twos > 0 ? twos : 1);
    }
}

int powm_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t exponent_bits,
               uint64_t n) {
    return snprintf(
        buf, cap,
        "%s power %s, base of %llu limbs, exponent of %llu bits, modulus of %llu limbs, "
        "%s",
        names_backend(ctx->device.backend), ctx->limbs->name, (unsigned long long)an,
        (unsigned long long)exponent_bits, (unsigned long long)n,
        n <= POWM_FEW                     ? "in words"
        : in_rings(ctx, exponent_bits, n) ? "Montgomery products in two rings"
        : montgomery_products(ctx, n)     ? "Montgomery products by transforms"
                                          : "Montgomery products");
}
