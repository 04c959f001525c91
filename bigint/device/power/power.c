// power.c: see power.h. Bounds: docs/proofs/powm.md, sections 6 and 13.
#include "bigint/device/power/power.h"

#include <assert.h>
#include <stdio.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/names.h"
#include "bigint/device/divide/quotient.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/power/barrett.h"
#include "primitives/limbs/ring_device.h"
#include "primitives/words/word.h"

// powering: a power under way. table: a^(2 i + 1) for i < count, and a^2 behind them.
typedef struct {
    device_barrett ring;
    natural e;
    uint64_t bits;  // of e
    unsigned w;
    bigint *table;
    uint64_t count;
    bigint x;
} powering;

// first_power: table[0] = |base| mod M, or |base| itself if that is no longer than M.
static bigint_status first_power(powering *s, device_power_base base, const bigint *modulus) {
    bigint_ctx *ctx = s->ring.ctx;
    bigint exact = *base.x, rest = BIGINT_INIT;  // without zeros on top: its limbs, not a copy
    device_announce(&exact, base.bits);
    bigint_status status = BIGINT_OK;
    if (base.bits > s->ring.bits) {
        status = device_divrem(ctx, NULL, &rest, &exact, modulus);
    }
    if (status == BIGINT_OK) {
        status = device_copy(ctx, s->ring.who, &s->table[0],
                             base.bits > s->ring.bits ? &rest : &exact, LIMBS_SIGN_CLEAR);
    }
    bigint_clear(ctx, &rest);
    return status;
}

static bigint_status odd_powers(powering *s) {
    bigint *const table = s->table, *const square = &table[s->count];
    bigint_status status = BIGINT_OK;
    if (s->count > 1) {
        status = device_barrett_mul(&s->ring, square, &table[0], &table[0]);
    }
    for (uint64_t i = 1; i < s->count && status == BIGINT_OK; i++) {
        status = device_barrett_mul(&s->ring, &table[i], &table[i - 1], square);
    }
    return status;
}

// by_windows: x = table[0]^e.
static bigint_status by_windows(powering *s) {
    bigint_ctx *ctx = s->ring.ctx;
    bigint_status status = BIGINT_OK;
    for (uint64_t left = s->bits; left > 0 && status == BIGINT_OK;) {
        const exponent_window next = exponent_window_next(s->e, left, s->w);
        const bigint *const factor = &s->table[next.index];
        unsigned squares = next.zeros + next.length;
        if (left == s->bits) {  // its top bit is a one
            status = device_copy(ctx, s->ring.who, &s->x, factor, LIMBS_SIGN_CLEAR);
            squares = 0;
        }
        for (; squares > 0 && status == BIGINT_OK; squares--) {
            status = device_barrett_mul(&s->ring, &s->x, &s->x, &s->x);
        }
        if (left < s->bits && next.length > 0 && status == BIGINT_OK) {
            status = device_barrett_mul(&s->ring, &s->x, &s->x, factor);
        }
        left -= next.zeros + next.length;
    }
    return status;
}

// settle: r = x mod M, or -x mod M: 2 M - x is 2 M at most.
static bigint_status settle(powering *s, bigint *r, bool negative) {
    bigint_ctx *ctx = s->ring.ctx;
    const uint64_t bits = s->ring.bits + 1;
    bigint twice = BIGINT_INIT, value = BIGINT_INIT;
    if (!negative) {
        return device_barrett_settle(&s->ring, r, &s->x);
    }
    bigint_status status =
        device_step_left(ctx, s->ring.who, &twice, bits, device_magnitude(&s->ring.m, 0), 1);
    if (status == BIGINT_OK) {
        status = device_step_sum(ctx, s->ring.who, &value, bits, device_number(&twice),
                                 device_number(&s->x), true);
    }
    if (status == BIGINT_OK) {  // M at most
        status = device_barrett_settle(&s->ring, &s->x, &value);
    }
    if (status == BIGINT_OK) {
        status = device_barrett_settle(&s->ring, r, &s->x);
    }
    bigint_clear(ctx, &twice), bigint_clear(ctx, &value);
    return status;
}

// run: r = base^e mod M, with the table's integers there.
static bigint_status run(powering *s, bigint *r, device_power_base base, const bigint *modulus) {
    bigint_status status = first_power(s, base, modulus);
    if (status == BIGINT_OK) {
        status = device_barrett_open(&s->ring, s->ring.ctx, s->ring.who, modulus, s->ring.bits);
    }
    if (status == BIGINT_OK) {
        status = odd_powers(s);
    }
    if (status == BIGINT_OK) {
        status = by_windows(s);
    }
    if (status == BIGINT_OK) {
        status = settle(s, r, base.negative && (s->e.p[0] & 1) != 0);
    }
    device_barrett_close(&s->ring);
    bigint_clear(s->ring.ctx, &s->x);
    for (uint64_t i = 0; i <= s->count; i++) {
        bigint_clear(s->ring.ctx, &s->table[i]);
    }
    return status;
}

// each_bytes: of a power in the table: of a remainder found by a ring.
static uint64_t each_bytes(uint64_t n) { return 8 * (n + LIMBS_RING_LOW + 2); }

static unsigned window_bits(const bigint_ctx *ctx, uint64_t exponent_bits, uint64_t n) {
    return exponent_window_bits(
        exponent_bits, exponent_powers_most(ctx->options.max_workspace_bytes, each_bytes(n)));
}

static uint64_t integers_bytes(uint64_t count, uint64_t n) {
    return (count + 2) * each_bytes(n) + device_barrett_bytes(n);
}

void device_power_need(work_need *w, uint64_t an, uint64_t exponent_bits, uint64_t n) {
    const uint64_t host = w->host.in_use, device = w->device.in_use;
    const uint64_t count = (uint64_t)1 << (window_bits(w->ctx, exponent_bits, n) - 1);
    need_take(&w->host, (count + 1) * sizeof(bigint));
    need_integers(w, integers_bytes(count, n));
    if (an >= n) {
        device_divrem_need(w, an, n);
    }
    device_barrett_need(w, n);
    need_integers_end(w, integers_bytes(count, n));
    need_release(&w->host, host);
    need_release(&w->device, device);
}

int device_power_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t exponent_bits,
                       uint64_t n) {
    return snprintf(buf, cap,
                    "%s power, exponent of %llu bits, modulus of %llu limbs, products by Barrett, "
                    "windows of %u bits",
                    names_backend(ctx->device.backend), (unsigned long long)exponent_bits,
                    (unsigned long long)n, window_bits(ctx, exponent_bits, n));
}

bigint_status device_power(bigint_ctx *ctx, const char *who, bigint *r, device_power_base base,
                           natural e, const bigint *modulus, uint64_t modulus_bits) {
    assert(modulus_bits >= 2 && e.n > 0 && e.p[e.n - 1] != 0);
    const uint64_t n = word_ceil_div(modulus_bits, 64);
    powering s = {.ring = {.ctx = ctx, .who = who, .bits = modulus_bits}, .e = e};
    s.bits = 64 * e.n - word_clz(e.p[e.n - 1]);
    s.w = window_bits(ctx, s.bits, n);
    s.count = exponent_powers(e, s.bits, s.w);
    const arena_mark host = arena_get_mark(ctx), mark = arena_mark_in(&ctx->queue.memory);
    bigint result_of = BIGINT_INIT;
    s.table = arena_take(ctx, who, (s.count + 1) * sizeof *s.table);
    bigint_status status = s.table == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    for (uint64_t i = 0; i <= s.count && status == BIGINT_OK; i++) {
        s.table[i] = (bigint)BIGINT_INIT;
    }
    const uint64_t bytes = integers_bytes(s.count, n);
    if (status == BIGINT_OK) {
        status = device_count_integers(ctx, who, bytes);
    }
    if (status == BIGINT_OK) {
        status = run(&s, &result_of, base, modulus);
        device_uncount_integers(ctx, bytes);
    }
    if (status == BIGINT_OK) {
        bigint_swap(r, &result_of);
    }
    bigint_clear(ctx, &result_of);
    arena_release_in(ctx, &ctx->queue.memory, mark);
    arena_release(ctx, host);
    return status;
}
