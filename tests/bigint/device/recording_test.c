// recording_test.c: long calls on a device that one graph enqueues (bigint/device/recording.h),
// against GMP: new values in an old graph, shapes that alternate, memory that moves, and failures.
#include <gmp.h>
#include <stdio.h>

#include "bigint/bigint_gmp.h"
#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/device_integer.h"
#include "bigint/device/divide/divisor.h"
#include "bigint/device/divide/reciprocal.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/recording.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// numbers: operands, results and what is expected.
typedef struct {
    bigint_ctx *ctx;
    mpz_t za, zd, zq, zr;
    bigint a, d, q, r;
    gen g;
} numbers;

static void numbers_open(numbers *s, const bigint_ctx_options *options) {
    *s = (numbers){.ctx = fixture_ctx(options), .g = gen_seed(31)};
    s->ctx->queue.forced.quotient_limbs = 6;
    s->ctx->queue.forced.reciprocal_limbs = 4;
    s->ctx->queue.forced.root_limbs = 2;
    mpz_inits(s->za, s->zd, s->zq, s->zr, NULL);
}

static void numbers_clear(numbers *s) {
    bigint_clear(s->ctx, &s->a), bigint_clear(s->ctx, &s->d);
    bigint_clear(s->ctx, &s->q), bigint_clear(s->ctx, &s->r);
}

static void numbers_close(numbers *s) {
    numbers_clear(s);
    mpz_clears(s->za, s->zd, s->zq, s->zr, NULL);
    bigint_ctx_destroy(s->ctx);
}

// draw: a of an limbs and d of dn, of any sign, d with `zeros` zeros on top.
static void draw(numbers *s, size_t an, size_t dn, unsigned zeros) {
    fixture_shape(&s->g, GEN_UNIFORM, s->za, an);
    fixture_shape(&s->g, GEN_UNIFORM, s->zd, dn);
    const int sign = mpz_sgn(s->zd);
    mpz_abs(s->zd, s->zd), mpz_setbit(s->zd, 64 * dn - 1);
    mpz_tdiv_q_2exp(s->zd, s->zd, zeros);
    if (sign < 0) {
        mpz_neg(s->zd, s->zd);
    }
    fixture_set(s->ctx, &s->a, s->za), fixture_set(s->ctx, &s->d, s->zd);
    mpz_tdiv_qr(s->zq, s->zr, s->za, s->zd);
}

static void divides(numbers *s) {
    EXPECT_EQ(bigint_divrem(s->ctx, &s->q, &s->r, &s->a, &s->d), BIGINT_OK);
    EXPECT_BIGINT(s->ctx, &s->q, s->zq);
    EXPECT_BIGINT(s->ctx, &s->r, s->zr);
}

// graphs: how many there are of that kind.
static unsigned graphs(const bigint_ctx *ctx, body_kind kind) {
    unsigned count = 0;
    for (unsigned i = 0; i < RECORDINGS; i++) {
        const recording *const r = &ctx->queue.recordings[i];
        count += r->graph != NULL && r->key[0] == kind;
    }
    return count;
}

// Mutations: values, signs or the shift of the call that was recorded; a remainder that keeps its
// shift; the products of a graph not counted; a graph for every length in bits.
TEST(DeviceRecording, NewValuesInAnOldGraph) {
    if (!device_ready()) {
        SKIP("no device");
    }
    numbers s;
    numbers_open(&s, NULL);
    uint64_t before = 0, each[5];
    for (unsigned i = 0; i < 5; i++) {
        draw(&s, 20, 9, 13 * i);
        divides(&s);
        bigint_counters c;
        bigint_ctx_counters(s.ctx, &c);
        each[i] = c.products - before, before = c.products;
        EXPECT_EQ(graphs(s.ctx, BODY_DIVIDE), i == 0 ? 0u : 1u);
    }
    EXPECT_TRUE(each[1] > 0 && each[1] == each[2] && each[2] == each[4]);
    numbers_close(&s);
}

// Divisors as long as announced, shorter, and 0 with limbs, in any order; results in place of
// operands. Mutations: a result taken though the divisor was shorter; operands overwritten by one
// that is not taken; a doubt that is never given up.
TEST(DeviceRecording, DivisorsShorterThanAnnounced) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const bool shorter[] = {false, true, true, false, false, true, false};
    numbers s;
    numbers_open(&s, NULL);
    bigint more = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(s.ctx, &more, 1), BIGINT_OK);
    EXPECT_EQ(bigint_mul_2exp(s.ctx, &more, &more, 64 * 12), BIGINT_OK);
    for (unsigned i = 0; i < sizeof shorter / sizeof *shorter; i++) {
        draw(&s, 20, 9, 7);
        if (shorter[i]) {
            EXPECT_EQ(bigint_add(s.ctx, &s.d, &s.d, &more), BIGINT_OK);
            EXPECT_EQ(bigint_sub(s.ctx, &s.d, &s.d, &more), BIGINT_OK);
        }
        EXPECT_EQ(bigint_divrem(s.ctx, &s.a, &s.d, &s.a, &s.d), BIGINT_OK);
        EXPECT_BIGINT(s.ctx, &s.a, s.zq);
        EXPECT_BIGINT(s.ctx, &s.d, s.zr);
        EXPECT_EQ(s.ctx->queue.doubts, shorter[i]);
    }
    draw(&s, 20, 9, 7);
    EXPECT_EQ(bigint_sub(s.ctx, &s.d, &s.d, &s.d), BIGINT_OK);
    EXPECT_EQ(bigint_divrem(s.ctx, &s.a, &s.d, &s.a, &s.d), BIGINT_EINVAL);
    EXPECT_BIGINT(s.ctx, &s.a, s.za);
    bigint_clear(s.ctx, &more);
    numbers_close(&s);
}

// Results alone, in place of operands, and of dividends that are announced too long. Mutation:
// results written before operands are copied.
TEST(DeviceRecording, AliasesAndLooseLengths) {
    if (!device_ready()) {
        SKIP("no device");
    }
    numbers s;
    numbers_open(&s, NULL);
    bigint more = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(s.ctx, &more, 1), BIGINT_OK);
    EXPECT_EQ(bigint_mul_2exp(s.ctx, &more, &more, 64 * 22), BIGINT_OK);
    for (unsigned i = 0; i < 4; i++) {
        draw(&s, 20, 9, 7);
        EXPECT_EQ(bigint_divrem(s.ctx, &s.q, NULL, &s.a, &s.d), BIGINT_OK);
        EXPECT_BIGINT(s.ctx, &s.q, s.zq);
        EXPECT_EQ(bigint_divrem(s.ctx, NULL, &s.r, &s.a, &s.d), BIGINT_OK);
        EXPECT_BIGINT(s.ctx, &s.r, s.zr);
        EXPECT_EQ(bigint_add(s.ctx, &s.a, &s.a, &more), BIGINT_OK);
        EXPECT_EQ(bigint_sub(s.ctx, &s.a, &s.a, &more), BIGINT_OK);
        EXPECT_EQ(bigint_divrem(s.ctx, &s.d, &s.a, &s.a, &s.d), BIGINT_OK);
        EXPECT_BIGINT(s.ctx, &s.d, s.zq);
        EXPECT_BIGINT(s.ctx, &s.a, s.zr);
    }
    EXPECT_EQ(graphs(s.ctx, BODY_DIVIDE), 3u);
    bigint_clear(s.ctx, &more);
    numbers_close(&s);
}

// workspace: where the next call's begins.
static const void *workspace(bigint_ctx *ctx) {
    const arena_mark mark = arena_mark_in(&ctx->queue.memory);
    const void *const p = arena_take_in(ctx, &ctx->queue.memory, "test", 1);
    arena_release_in(ctx, &ctx->queue.memory, mark);
    return p;
}

// Shapes that alternate, and more than are kept; workspace that moves because a longer product came
// between; a context that is trimmed. Mutations: a graph that is run in another's memory, or in
// workspace that is gone; recordings that are never given up.
TEST(DeviceRecording, ShapesAlternateAndMemoryMoves) {
    if (!device_ready()) {
        SKIP("no device");
    }
    numbers s;
    numbers_open(&s, NULL);
    for (unsigned i = 0; i < 9; i++) {
        draw(&s, 14 + 5 * (i % 3), 7, i);
        divides(&s);
        if (i == 5) {
            fixture_shape(&s.g, GEN_UNIFORM, s.zq, 3000);
            fixture_set(s.ctx, &s.q, s.zq);
            const unsigned cluster = s.ctx->queue.cluster;
            s.ctx->queue.cluster = 0;  // several launches, which need workspace
            EXPECT_EQ(bigint_sqr(s.ctx, &s.q, &s.q), BIGINT_OK);
            s.ctx->queue.cluster = cluster;
        }
        if (i >= 3 && i != 5) {  // then the longer product has moved it
            EXPECT_TRUE(s.ctx->queue.recordings[0].workspace == workspace(s.ctx));
        }
    }
    EXPECT_EQ(graphs(s.ctx, BODY_DIVIDE), 3u);
    for (unsigned i = 0; i < 2 * (RECORDINGS + 2); i++) {
        draw(&s, 30 + i / 2, 7, 1);
        divides(&s);
    }
    EXPECT_TRUE(graphs(s.ctx, BODY_DIVIDE) > RECORDINGS / 2);
    bigint_counters c;
    bigint_ctx_counters(s.ctx, &c);
    const uint64_t held = c.workspace_bytes;
    bigint_ctx_trim(s.ctx);
    bigint_ctx_counters(s.ctx, &c);
    EXPECT_EQ(graphs(s.ctx, BODY_DIVIDE), 0u);
    EXPECT_TRUE(c.workspace_bytes < held);
    draw(&s, 19, 7, 3);
    divides(&s);
    numbers_close(&s);
}

// Mutations: recordings beside a cap, with checks, whose graphs would report another call's
// product, or in a call that is stopped.
TEST(DeviceRecording, NotWithACapOrChecks) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned checks = 0; checks < 2; checks++) {
        numbers s;
        numbers_open(&s, &(bigint_ctx_options){.checks = checks,
                                               .max_workspace_bytes = checks ? 0 : 1 << 24});
        for (unsigned i = 0; i < 3; i++) {
            draw(&s, 20, 9, 5);
            divides(&s);
        }
        EXPECT_EQ(graphs(s.ctx, BODY_DIVIDE), 0u);
        numbers_close(&s);
    }
    numbers s;
    numbers_open(&s, NULL);
    for (unsigned i = 0; i < 3; i++) {
        draw(&s, 20, 9, 5);
        divides(&s);
    }
    bigint_ctx_stop(s.ctx);
    EXPECT_EQ(bigint_divrem(s.ctx, &s.q, &s.r, &s.a, &s.d), BIGINT_ECANCELED);
    EXPECT_BIGINT(s.ctx, &s.q, s.zq);
    EXPECT_BIGINT(s.ctx, &s.r, s.zr);
    numbers_close(&s);
}

// Mutations: a divisor's graph for another divisor; a dividend of another length by the same graph.
TEST(DeviceRecording, KeptDivisorsAndReciprocals) {
    if (!device_ready()) {
        SKIP("no device");
    }
    numbers s;
    numbers_open(&s, NULL);
    for (unsigned round = 0; round < 2; round++) {
        device_divisor by;
        draw(&s, 20, 9, 11 * round);
        ASSERT_EQ(device_divisor_open(s.ctx, "test", &by, &s.d, mpz_sizeinbase(s.zd, 2), 9, true),
                  BIGINT_OK);
        for (unsigned i = 0; i < 6; i++) {
            fixture_shape(&s.g, GEN_UNIFORM, s.za, 20 - i % 2);
            fixture_set(s.ctx, &s.a, s.za);
            mpz_tdiv_qr(s.zq, s.zr, s.za, s.zd);
            EXPECT_EQ(device_divide(s.ctx, "test", &s.q, &s.r, &s.a, &by), BIGINT_OK);
            EXPECT_BIGINT(s.ctx, &s.q, s.zq);
            EXPECT_BIGINT(s.ctx, &s.r, s.zr);
        }
        device_divisor_close(s.ctx, &by);
    }
    EXPECT_TRUE(graphs(s.ctx, BODY_BLOCKS) >= 2);
    for (unsigned i = 0; i < 8; i++) {
        const uint64_t k = 20 + i % 2, shift = 9 * i % 64;
        draw(&s, 1, 21, (unsigned)shift);
        EXPECT_EQ(device_reciprocal(s.ctx, "test", &s.q, device_number(&s.d), (unsigned)shift, k),
                  BIGINT_OK);
        EXPECT_EQ(device_step_left(s.ctx, "test", &s.r, 64 * k + 2, device_magnitude(&s.q, 0), 0),
                  BIGINT_OK);
        EXPECT_EQ(bigint_get_mpz(s.ctx, s.zq, &s.r), BIGINT_OK);
        mpz_abs(s.zd, s.zd);
        mpz_mul_2exp(s.zd, s.zd, shift), mpz_tdiv_q_2exp(s.zd, s.zd, 64 * (21 - k));
        mpz_set_ui(s.za, 0), mpz_setbit(s.za, 128 * k);
        mpz_submul(s.za, s.zq, s.zd);
        mpz_tdiv_q(s.za, s.za, s.zd);
        EXPECT_TRUE(mpz_cmpabs_ui(s.za, 2) < 0);
    }
    EXPECT_TRUE(graphs(s.ctx, BODY_RECIPROCAL) >= 2);
    numbers_close(&s);
}

// Square roots, their remainders and reciprocal roots, of squares and their neighbours too.
// Mutations: the root that another call began with; a remainder of the operand before.
TEST(DeviceRecording, Roots) {
    if (!device_ready()) {
        SKIP("no device");
    }
    numbers s;
    numbers_open(&s, NULL);
    for (unsigned i = 0; i < 8; i++) {
        const size_t n = 9 + i % 2;
        fixture_shape(&s.g, GEN_UNIFORM, s.zd, n);
        mpz_abs(s.zd, s.zd), mpz_setbit(s.zd, 64 * n - 3);
        mpz_tdiv_r_2exp(s.zd, s.zd, 64 * n - 2);
        mpz_mul(s.za, s.zd, s.zd);
        mpz_setbit(s.za, 128 * n - 5);
        i < 4 ? mpz_add_ui(s.za, s.za, 3 * (unsigned long)i) : mpz_mul(s.za, s.zd, s.zd);
        mpz_setbit(s.za, 128 * n - 6);
        mpz_sqrtrem(s.zq, s.zr, s.za);
        fixture_set(s.ctx, &s.a, s.za);
        EXPECT_EQ(bigint_sqrt(s.ctx, &s.q, i % 4 < 2 ? &s.r : NULL, &s.a), BIGINT_OK);
        EXPECT_BIGINT(s.ctx, &s.q, s.zq);
        if (i % 4 < 2) {
            EXPECT_BIGINT(s.ctx, &s.r, s.zr);
        }
        EXPECT_EQ(bigint_sqrt(s.ctx, &s.a, NULL, &s.a), BIGINT_OK);
        EXPECT_BIGINT(s.ctx, &s.a, s.zq);
    }
    EXPECT_TRUE(graphs(s.ctx, BODY_SQRT) >= 2);
    for (unsigned i = 0; i < 4; i++) {
        bigint alone = BIGINT_INIT;
        fixture_shape(&s.g, GEN_UNIFORM, s.zd, 11);
        mpz_abs(s.zd, s.zd), mpz_setbit(s.zd, 703);
        fixture_set(s.ctx, &s.d, s.zd);
        EXPECT_EQ(bigint_rsqrt_fixed(s.ctx, &s.q, &s.d, 1000), BIGINT_OK);
        bigint_ctx *const other = fixture_ctx(NULL);
        other->queue.forced.root_limbs = 2;
        fixture_set(other, &alone, s.zd);
        EXPECT_EQ(bigint_rsqrt_fixed(other, &alone, &alone, 1000), BIGINT_OK);
        EXPECT_EQ(bigint_get_mpz(other, s.zq, &alone), BIGINT_OK);
        EXPECT_BIGINT(s.ctx, &s.q, s.zq);
        bigint_clear(other, &alone);
        bigint_ctx_destroy(other);
    }
    EXPECT_EQ(graphs(s.ctx, BODY_RSQRT), 1u);
    numbers_close(&s);
}

// prepared: a division in a context where `calls` of its shape came before; q and r are 5.
static void prepared(numbers *s, unsigned calls) {
    numbers_open(s, NULL);
    for (unsigned i = 0; i < calls; i++) {
        draw(s, 20, 9, 5);
        divides(s);
    }
    draw(s, 20, 9, 5);
    bigint_clear(s->ctx, &s->q), bigint_clear(s->ctx, &s->r);
    EXPECT_EQ(bigint_set_u64(s->ctx, &s->q, 5), BIGINT_OK);
    EXPECT_EQ(bigint_set_u64(s->ctx, &s->r, 5), BIGINT_OK);
}

// Every allocation fails once, and every call of the runtime for good, in the call that is
// remembered, the one that is recorded and one that runs the graph. Mutations: an output changed
// by a call that fails; memory or a graph that is lost; a failure that does not stick.
TEST(DeviceRecording, Failures) {
    if (!device_ready() || !device_faults(0, 0)) {
        return;  // a real one does not fail on demand
    }
    for (unsigned calls = 0; calls < 3; calls++) {
        for (int allocation = 0; allocation < 2; allocation++) {
            int reached = 1;
            for (uint64_t k = 1; reached; k++) {
                SCOPED_TRACE("after %u calls, %s %llu", calls, allocation ? "allocation" : "call",
                             (unsigned long long)k);
                ASSERT_TRUE(k < 2000);
                const int64_t live = device_live();
                numbers s;
                prepared(&s, calls);
                device_faults(allocation ? k : 0, allocation ? 0 : k);
                bigint_status status = bigint_divrem(s.ctx, &s.q, &s.r, &s.a, &s.d);
                if (status == BIGINT_OK && !allocation) {
                    status = bigint_sync(s.ctx);
                }
                reached = device_fault_came();
                if (allocation) {
                    device_faults(0, 0);
                    EXPECT_TRUE(status == BIGINT_OK || (reached && status == BIGINT_ENOMEM));
                    if (status == BIGINT_ENOMEM) {
                        mpz_set_ui(s.za, 5);
                        EXPECT_BIGINT(s.ctx, &s.q, s.za);
                        EXPECT_BIGINT(s.ctx, &s.r, s.za);
                    }
                    divides(&s);
                } else if (reached) {
                    status = status == BIGINT_OK ? bigint_set(s.ctx, &s.q, &s.a) : status;
                    EXPECT_EQ(status, BIGINT_EDEVICE);
                }
                numbers_close(&s);
                device_faults(0, 0);
                EXPECT_EQ(device_live(), live);
            }
        }
    }
}
