// modular_test.c: quotients, products, squares and inverses modulo numbers in batches against
// GMP: strided, ragged and repeated, every width, edges, refusals, caps. Built for contexts on the
// host, on a device and under the kernel emulation.
#include <stdlib.h>
#include <string.h>

#include "bigint/core/context.h"
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/device/numbers.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/oracle.h"

// --- One batch -----------------------------------------------------------------------------------

typedef enum { MULMOD, SQRMOD, INVMOD, QUOTIENT, REMAINDER, BOTH, KINDS } kind;

static bool divides(kind k) { return k >= QUOTIENT; }

static bigint_status call(bigint_ctx *ctx, kind k, const bigint_span *q, const bigint_span *r,
                          const bigint_span *a, const bigint_span *b, const bigint_span *m) {
    switch (k) {
        case MULMOD:
            return bigint_mulmod_batch(ctx, r, a, b, m);
        case SQRMOD:
            return bigint_sqrmod_batch(ctx, r, a, m);
        case INVMOD:
            return bigint_invmod_batch(ctx, r, a, m);
        default:
            return bigint_divrem_batch(ctx, k == REMAINDER ? NULL : q, k == QUOTIENT ? NULL : r, a,
                                       m);
    }
}

// wanted: GMP's q and r of item i.
static void wanted(kind k, mpz_t q, mpz_t r, const numbers *a, const numbers *b, const numbers *m,
                   uint64_t i) {
    mpz_t x;
    mpz_init(x);
    oracle_load(q, numbers_at(a, i), numbers_length(a, i));
    oracle_load(r, numbers_at(k == SQRMOD ? a : b, i), numbers_length(k == SQRMOD ? a : b, i));
    oracle_load(x, numbers_at(m, i), numbers_length(m, i));
    if (divides(k)) {
        mpz_tdiv_qr(q, r, q, x);
    } else if (k == INVMOD) {
        if (mpz_cmp_ui(x, 1) == 0 || mpz_invert(r, q, x) == 0) {
            mpz_set_ui(r, 0);
        }
    } else {
        mpz_mul(r, r, q), mpz_mod(r, r, x);
    }
    mpz_clear(x);
}

// expect_untouched: as many marks as were not to be written.
static void expect_untouched(const numbers *s, uint64_t written) {
    uint64_t marks = s->words - written;
    for (uint64_t i = 0; i < s->words; i++) {
        marks -= s->host[i] == NUMBERS_MARK;
    }
    EXPECT_EQ(marks, 0u);
}

// expect_batch: q and r are right and padded, and nothing else was written.
static void expect_batch(bigint_ctx *ctx, kind k, numbers *q, numbers *r, const numbers *a,
                         const numbers *b, const numbers *m) {
    static const char *const names[KINDS] = {"mulmod",   "sqrmod",    "invmod",
                                             "quotient", "remainder", "divrem"};
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
    EXPECT_TRUE(numbers_download(q) && numbers_download(r));
    uint64_t q_written = 0, r_written = 0;
    mpz_t want_q, want_r;
    mpz_inits(want_q, want_r, NULL);
    for (uint64_t i = 0; i < m->span.count; i++) {
        SCOPED_TRACE("%s %d: %d and %d limbs modulo %d", names[k], (int)i,
                     (int)numbers_length(a, i), (int)numbers_length(b, i),
                     (int)numbers_length(m, i));
        wanted(k, want_q, want_r, a, b, m, i);
        if (k == QUOTIENT || k == BOTH) {
            EXPECT_VALUE(numbers_at(q, i), numbers_length(q, i), want_q);
            q_written += numbers_length(q, i);
        }
        if (k != QUOTIENT) {
            EXPECT_VALUE(numbers_at(r, i), numbers_length(r, i), want_r);
            r_written += numbers_length(r, i);
        }
    }
    mpz_clears(want_q, want_r, NULL);
    expect_untouched(q, q_written), expect_untouched(r, r_written);
}

// run_kind: one call with results of its own.
static void run_kind(bigint_ctx *ctx, gen *g, kind k, const numbers *a, const numbers *b,
                     const numbers *m) {
    numbers q = numbers_draw_results(g, a), r = numbers_draw_results(g, m);
    ASSERT_EQ(call(ctx, k, &q.span, &r.span, &a->span, &b->span, &m->span), BIGINT_OK);
    expect_batch(ctx, k, &q, &r, a, b, m);
    numbers_close(&q), numbers_close(&r);
}

// --- Values --------------------------------------------------------------------------------------

// random_batches: of random numbers in spans of every form, on a context.
static void random_batches(bigint_ctx *ctx, uint64_t seed, int rounds) {
    gen g = gen_seed(seed);
    for (int round = 0; round < rounds; round++) {
        const uint64_t count = gen_below(&g, fixture_thinning() == 1 ? 40 : 12);
        const uint64_t longest = round % 4 == 0 ? 40 : 6;
        numbers a = numbers_draw(&g, 0, longest, count), b = numbers_draw(&g, 0, longest, count);
        numbers m = numbers_draw_moduli(&g, round % 3 == 0 ? 30 : 5, count);
        SCOPED_TRACE("round %d: %d items", round, (int)count);
        run_kind(ctx, &g, (kind)(round % KINDS), &a, &b, &m);
        numbers_close(&a), numbers_close(&b), numbers_close(&m);
    }
}

// Mutations: lengths or offsets of one span used for another or not at all, stride 0 advances, the
// longest length is that of the first, the padding is left, a long number is not reduced before
// its inverse, q for r.
TEST(BatchModular, RandomBatches) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    random_batches(ctx, 901, 600 / fixture_thinning());
    bigint_ctx_destroy(ctx);
}

// The same on two threads, checked. Mutations: two threads share a workspace, an item is left out
// or done by none, checks that are not counted.
TEST(BatchModular, TwoThreads) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.threads = 2, .checks = 1});
    random_batches(ctx, 902, 300 / fixture_thinning());
    bigint_ctx_destroy(ctx);
}

// Moduli of every width from 1 to 4096 bits (under the emulation of some), the top bit set, odd
// and even, with factors of the same width. Mutations: a lane or limb too few for a width, a scale
// that loses the top bit, one step of division too few.
TEST(BatchModular, EveryWidth) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(903);
    const bool emulated = context_on_device(ctx) && device_emulated();
    for (uint64_t first = 1; first <= 4096; first += emulated ? 700 : 64) {
        enum { COUNT = 64 };
        const uint64_t n = (first + COUNT + 63) / 64, count = emulated ? 8 : COUNT;
        numbers x[3];
        for (int k = 0; k < 3; k++) {
            x[k] = numbers_open(n, n, count);
            for (uint64_t i = 0; i < count; i++) {
                uint64_t *const p = numbers_at(&x[k], i);
                const uint64_t bits = first + i;
                gen_limbs(&g, GEN_UNIFORM, p, n);
                for (uint64_t at = (bits + 63) / 64; at < n; at++) {
                    p[at] = 0;
                }
                p[(bits - 1) / 64] &= ~UINT64_C(0) >> (63 - (bits - 1) % 64);
                p[(bits - 1) / 64] |= UINT64_C(1) << (bits - 1) % 64;
            }
            numbers_upload(&x[k]);
        }
        SCOPED_TRACE("from %d bits on", (int)first);
        for (int k = 0; k < KINDS; k++) {
            run_kind(ctx, &g, (kind)k, &x[0], &x[1], &x[2]);
        }
        for (int k = 0; k < 3; k++) {
            numbers_close(&x[k]);
        }
    }
    bigint_ctx_destroy(ctx);
}

// All pairs of numbers below SMALL. Mutations: 1 / 1 mod 1, an inverse of numbers with a common
// factor, of 1 modulo an even number, a remainder equal to the divisor.
TEST(BatchModular, SmallValues) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { SMALL = 40, COUNT = SMALL * (SMALL - 1) };
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(904);
    numbers a = numbers_open(1, 1, COUNT), b = numbers_open(1, 1, COUNT),
            m = numbers_open(1, 1, COUNT);
    for (uint64_t i = 0; i < COUNT; i++) {
        a.host[i] = i % SMALL, m.host[i] = 1 + i / SMALL, b.host[i] = i % 11;
    }
    numbers_upload(&a), numbers_upload(&b), numbers_upload(&m);
    for (int k = 0; k < KINDS; k++) {
        run_kind(ctx, &g, (kind)k, &a, &b, &m);
    }
    numbers_close(&a), numbers_close(&b), numbers_close(&m);
    bigint_ctx_destroy(ctx);
}

// Edges of two lengths: moduli 2^k, 2^k +- 1, all ones; numbers 0, 1, M - 1, M, M + 1, all ones.
// Mutations: a quotient's digit of all ones, a borrow or a carry across the whole number.
TEST(BatchModular, EdgesOfValues) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const gen_shape shapes[] = {GEN_ONES, GEN_POWER_PLUS, GEN_POWER_MINUS, GEN_POWER};
    enum { COUNT = 48 };
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(905);
    for (uint64_t n = 1; n <= 64; n = 4 * n - n / 2) {
        numbers a = numbers_open(n, n, COUNT), b = numbers_open(n, n, COUNT),
                m = numbers_open(n, n, COUNT);
        for (uint64_t i = 0; i < COUNT; i++) {
            gen_limbs(&g, shapes[i % 4], numbers_at(&m, i), n);
            numbers *const both[] = {&a, &b};
            for (int k = 0; k < 2; k++) {
                uint64_t *const p = numbers_at(both[k], i);
                const uint64_t shape = (i / 4 + (uint64_t)k * (i / 24)) % 6;
                memcpy(p, numbers_at(&m, i), n * sizeof *p);
                if (shape == 3) {
                    memset(p, 0xff, n * sizeof *p);
                } else if (shape >= 4) {
                    memset(p, 0, n * sizeof *p);
                }
                p[0] += shape == 1 ? UINT64_MAX : shape == 2 || shape == 5;
            }
        }
        numbers_upload(&a), numbers_upload(&b), numbers_upload(&m);
        for (int k = 0; k < KINDS; k++) {
            run_kind(ctx, &g, (kind)k, &a, &b, &m);
        }
        numbers_close(&a), numbers_close(&b), numbers_close(&m);
    }
    bigint_ctx_destroy(ctx);
}

// --- Memory and refusals -------------------------------------------------------------------------

// Without allocations from the third time on; under caps down to the one that is refused.
// Mutations: memory beyond the cap, a refusal that has written something, workspace that is lost.
TEST(BatchModular, CapsAndRepeats) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { COUNT = 300 };
    const uint64_t n = fixture_place() == BIGINT_HOST ? 70 : 3;  // on the host short ones need none
    gen g = gen_seed(906);
    numbers a = numbers_draw(&g, n, n, COUNT), m = numbers_draw_moduli(&g, n, COUNT);
    bool refused = false;
    for (uint64_t cap = 0; !refused;) {
        bigint_ctx *ctx =
            fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = cap, .threads = 2});
        bigint_counters counters = {0};
        numbers q = numbers_draw_results(&g, &a), r = numbers_draw_results(&g, &m);
        SCOPED_TRACE("cap %llu", (unsigned long long)cap);
        for (int round = 0; round < (cap == 0 ? 4 : 1) && !refused; round++) {
            const uint64_t allocations = counters.allocations;
            const bigint_status status =
                bigint_divrem_batch(ctx, &q.span, &r.span, &a.span, &m.span);
            refused = status == BIGINT_ENOMEM;
            EXPECT_TRUE(refused || status == BIGINT_OK);
            if (refused) {
                EXPECT_TRUE(numbers_download(&q) && numbers_download(&r));
                expect_untouched(&q, 0), expect_untouched(&r, 0);
            } else {
                expect_batch(ctx, BOTH, &q, &r, &a, &a, &m);
            }
            bigint_ctx_counters(ctx, &counters);
            EXPECT_TRUE(round < 2 || counters.allocations == allocations);
        }
        numbers_close(&q), numbers_close(&r);
        EXPECT_TRUE(cap == 0 || counters.workspace_peak <= cap);
        cap = cap == 0 ? counters.workspace_peak - 1 : cap / 4 * 3;
        bigint_ctx_destroy(ctx);
    }
    numbers_close(&a), numbers_close(&m);
}

// Mutations: each requirement that is not looked at, an error that has written something.
TEST(BatchModular, Refusals) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(907);
    numbers x = numbers_draw_moduli(&g, 1, 3), out = numbers_open(2, 2, 3);
    numbers other = numbers_open(2, 2, 3);  // for quotients
    numbers_upload(&out), numbers_upload(&other);
    x.span.lengths = x.span.offsets = NULL;
    const bigint_span two = {.p = x.span.p, .n = 1, .stride = 0, .count = 3};
    bigint_span none = two, tight = out.span, tight_other = other.span, few = two;
    none.lengths = (const uint64_t[]){1, 1, 0};
    tight.lengths = tight_other.lengths = (const uint64_t[]){1, 0, 1};
    few.count = 2;
    for (int k = 0; k < KINDS; k++) {
        SCOPED_TRACE("kind %d", k);
        EXPECT_EQ(call(ctx, (kind)k, &other.span, &out.span, &two, &two, &none), BIGINT_EINVAL);
        EXPECT_TEXT(ctx, divides((kind)k) ? "divisor 2 is 0" : "modulus 2 is 0");
        EXPECT_EQ(call(ctx, (kind)k, &tight_other, &tight, &two, &two, &two), BIGINT_EINVAL);
        EXPECT_TEXT(ctx, "result 1 has 0 limbs, 1 are needed");
        EXPECT_EQ(call(ctx, (kind)k, &other.span, &out.span, &two, &two, &few), BIGINT_EINVAL);
        EXPECT_TEXT(ctx, "has count 2");
        bigint_span empty = {0};
        EXPECT_EQ(call(ctx, (kind)k, &empty, &empty, &empty, &empty, &empty), BIGINT_OK);
    }
    EXPECT_TRUE(numbers_download(&out) && numbers_download(&other));
    expect_untouched(&out, 0), expect_untouched(&other, 0);
    // Neither result is wanted: only the operands are looked at.
    EXPECT_EQ(bigint_divrem_batch(ctx, NULL, NULL, &two, &two), BIGINT_OK);
    EXPECT_EQ(bigint_divrem_batch(ctx, NULL, NULL, &two, &none), BIGINT_EINVAL);
    EXPECT_EQ(bigint_divrem_batch(ctx, NULL, NULL, &two, &few), BIGINT_EINVAL);
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
    if (context_on_device(ctx)) {
        enum { LONG = 288 };
        numbers m = numbers_open(LONG, LONG, 1), r = numbers_open(LONG, LONG, 1);
        EXPECT_EQ(bigint_sqrmod_batch(ctx, &r.span, &m.span, &m.span), BIGINT_ERANGE);
        EXPECT_TEXT(ctx, "moduli of 288 limbs; on a device they have up to 287");
        numbers_close(&m), numbers_close(&r);
    }
    numbers_close(&x), numbers_close(&out), numbers_close(&other);
    bigint_ctx_destroy(ctx);
}
