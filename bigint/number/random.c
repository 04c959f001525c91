// random.c: random integers from the caller's generator.
#include <string.h>

#include "bigint/core/host_call.h"
#include "bigint/number/number.h"
#include "bigint/number/plan.h"

// draw: n limbs of the generator, of which `bits` bits stay.
static bigint_status draw(bigint_ctx *ctx, const char *who, const bigint_generator *generator,
                          uint64_t *p, uint64_t n, uint64_t bits) {
    if (generator->fill(generator->user, p, n) != 0) {
        return bigint_fail(ctx, BIGINT_EINVAL, "%s: the generator failed", who);
    }
    p[n - 1] &= UINT64_MAX >> (64 * n - bits);  // 64 n - 63 <= bits <= 64 n
    return BIGINT_OK;
}

// begin: the checks, and workspace for a number of `bits` bits, at least one limb, in *p.
static bigint_status begin(bigint_ctx *ctx, const char *who, const bigint *r, const bigint *bound,
                           uint64_t **p, uint64_t bits) {
    bigint_status status = number_check(ctx, who, r, bound, NULL);
    if (status == BIGINT_OK) {
        status = bigint_check_size(ctx, who, word_ceil_div(bits, 64));
    }
    if (status == BIGINT_OK) {
        *p = arena_take_limbs(ctx, who, bits / 64 + 1);
        status = *p == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    }
    return status;
}

void random_need(work_need *w, uint64_t limbs) { need_take_limbs(&w->host, limbs + 1); }

// drawer: {p, n}, n > 0, of `bits` bits from the generator.
typedef bigint_status drawer(bigint_ctx *ctx, const char *who, const bigint_generator *generator,
                             uint64_t *p, uint64_t n, uint64_t bits);

// drawn: r = a number of `bits` bits by that drawer.
static bigint_status drawn(bigint_ctx *ctx, const char *who, bigint *r,
                           const bigint_generator *generator, uint64_t bits, drawer *by) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, who, (host_operands){.r = {r}});
        return host_call_end(&there, drawn(ctx, who, there.r[0], generator, bits, by));
    }
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t n = word_ceil_div(bits, 64);
    uint64_t *p;
    bigint_status status = begin(ctx, who, r, NULL, &p, bits);
    if (status == BIGINT_OK && n > 0) {
        status = by(ctx, who, generator, p, n, bits);
    }
    if (status == BIGINT_OK) {
        status = bigint_store(ctx, who, r, p, n, 1);
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_random_bits(bigint_ctx *ctx, bigint *r, const bigint_generator *generator,
                                 uint64_t bits) {
    return drawn(ctx, "bigint_random_bits", r, generator, bits, draw);
}

// draw_below: {p, bound's length} below the bound, which is above 0.
static bigint_status draw_below(bigint_ctx *ctx, const char *who, const bigint_generator *generator,
                                uint64_t *p, const bigint *bound) {
    enum { DRAWS = 128 };
    const uint64_t n = bound->n_, bits = 64 * n - word_clz(bound->d_[n - 1]);
    for (int i = 0; i < DRAWS; i++) {
        const bigint_status status = draw(ctx, who, generator, p, n, bits);
        if (status != BIGINT_OK || limbs_cmp(p, bound->d_, n) < 0) {
            return status;
        }
    }
    return bigint_fail(ctx, BIGINT_EINVAL,
                       "%s: the generator is not random: %d numbers of the bound's %llu bits, and "
                       "none below it",
                       who, (int)DRAWS, (unsigned long long)bits);
}

bigint_status bigint_random_below(bigint_ctx *ctx, bigint *r, const bigint_generator *generator,
                                  const bigint *bound) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_random_below",
                        (host_operands){.r = {r}, .a = {bound}});
        return host_call_end(&there, bigint_random_below(ctx, there.r[0], generator, there.a[0]));
    }
    const char *who = "bigint_random_below";
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *p;
    bigint_status status = begin(ctx, who, r, bound, &p, 64 * bound->n_);
    if (status == BIGINT_OK && bound->sign_ <= 0) {
        status = bigint_fail(ctx, BIGINT_EINVAL, "%s: no natural number is below a bound of %s",
                             who, bound->sign_ < 0 ? "less than 0" : "0");
    }
    if (status == BIGINT_OK) {
        status = draw_below(ctx, who, generator, p, bound);
    }
    if (status == BIGINT_OK) {
        status = bigint_store(ctx, who, r, p, bound->n_, 1);
    }
    arena_release(ctx, mark);
    return status;
}

// --- Runs ----------------------------------------------------------------------------------------

// set_ones: bits [begin, end) of p, begin < end.
static void set_ones(uint64_t *p, uint64_t begin, uint64_t end) {
    const uint64_t first = begin / 64, last = (end - 1) / 64;
    const uint64_t low = UINT64_MAX << begin % 64, high = UINT64_MAX >> (63 - (end - 1) % 64);
    if (first == last) {
        p[first] |= low & high;
        return;
    }
    p[first] |= low;
    memset(p + first + 1, 0xff, (last - first - 1) * sizeof *p);
    p[last] |= high;
}

// draw_runs: {p, n}, n > 0, of `bits` bits, from the top: runs of ones and zeros in turn, whose
// lengths are as likely short as long.
static bigint_status draw_runs(bigint_ctx *ctx, const char *who, const bigint_generator *generator,
                               uint64_t *p, uint64_t n, uint64_t bits) {
    const unsigned scales = 65 - word_clz(bits);
    bool ones = true;
    memset(p, 0, n * sizeof *p);
    for (uint64_t left = bits; left > 0; ones = !ones) {
        uint64_t words[2];  // of the scale, and of the length below 2^scale
        const bigint_status status = draw(ctx, who, generator, words, 2, 128);
        if (status != BIGINT_OK) {
            return status;
        }
        const unsigned scale = (unsigned)((words[0] >> 32) * scales >> 32);  // below 64
        const uint64_t any = 1 + (words[1] >> 1 >> (63 - scale));
        const uint64_t length = any < left ? any : left;
        if (ones) {
            set_ones(p, left - length, left);
        }
        left -= length;
    }
    return BIGINT_OK;
}

bigint_status bigint_random_runs(bigint_ctx *ctx, bigint *r, const bigint_generator *generator,
                                 uint64_t bits) {
    return drawn(ctx, "bigint_random_runs", r, generator, bits, draw_runs);
}
