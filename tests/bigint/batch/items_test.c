// items_test.c: items of a batch on several threads: each once, what needs more memory than
// the longest, failures, caps, allocations that fail, powers and inverses of mixed lengths.
#include <stdio.h>
#include <string.h>

#include "bigint/batch/items.h"
#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/oracle.h"

// --- Tasks that record ---------------------------------------------------------------------------

enum { MOST = 200 };

// record: how often each item came, and on which context last; item i takes limbs[i] of workspace
// and, where it is below `good`, succeeds.
typedef struct {
    const bigint_ctx *on[MOST], *own;
    unsigned times[MOST];
    uint64_t limbs[MOST];
    uint64_t good;
} record;

static bigint_status note(bigint_ctx *ctx, void *arg, uint64_t i) {
    record *const s = arg;
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const p = arena_take_limbs(ctx, "note", s->limbs[i]);
    if (p == NULL) {
        return BIGINT_ENOMEM;
    }
    memset(p, (int)i, s->limbs[i] * sizeof *p);
    s->times[i]++;
    s->on[i] = ctx;
    ctx->counters.products++;
    for (uint64_t k = 0; k < s->limbs[i]; k++) {
        EXPECT_EQ((unsigned char)p[k], (unsigned char)i);  // and no other item's
    }
    arena_release(ctx, mark);
    return i < s->good ? BIGINT_OK
                       : bigint_fail(ctx, BIGINT_EINVAL, "note: item %d is bad", (int)i);
}

// run: the items behind a take, as batches do.
static bigint_status run(bigint_ctx *ctx, record *s, uint64_t count, uint64_t longest,
                         uint64_t bytes) {
    const arena_mark mark = arena_get_mark(ctx);
    EXPECT_TRUE(arena_take(ctx, "run", 8) != NULL);
    s->own = ctx;
    const bigint_status status = batch_items(ctx, "run", note, s, count, longest, bytes);
    arena_release(ctx, mark);
    return status;
}

// Mutations: the longest item twice, a chunk's last item left out, counters that are not added up.
TEST(BatchItems, EachOnce) {
    for (uint32_t threads = 1; threads <= 3; threads++) {
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.threads = threads});
        uint64_t products = 0;
        for (uint64_t count = 1; count <= MOST; count += 1 + count / 3) {
            record s = {.good = MOST};
            EXPECT_EQ(run(ctx, &s, count, count / 2, count % 3 * 64), BIGINT_OK);
            for (uint64_t i = 0; i < MOST; i++) {
                EXPECT_EQ(s.times[i], i < count);
            }
            products += count;
        }
        bigint_counters counters;
        bigint_ctx_counters(ctx, &counters);
        EXPECT_EQ(counters.products, products);
        bigint_ctx_destroy(ctx);
    }
}

// Items that take more than the longest are done on the context, others not, behind them too.
// Mutations: a workspace that grows on a thread, one that is lost after such an item.
TEST(BatchItems, TooLittleMemory) {
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.threads = 2});
    record s = {.good = MOST};
    for (uint64_t i = 0; i < MOST; i++) {
        s.limbs[i] = i % 7 == 3 ? 5000 : i % 50;
    }
    s.limbs[1] = 50;
    EXPECT_EQ(run(ctx, &s, MOST, 1, 0), BIGINT_OK);
    for (uint64_t i = 0; i < MOST; i++) {
        EXPECT_EQ(s.times[i], 1u);
        EXPECT_EQ(s.on[i] == ctx, i == 1 || i % 7 == 3);
    }
    bigint_ctx_destroy(ctx);
}

// With a workspace that is known no item runs alone; what it is too little for is done all the
// same, one alone and the others with as much as that took, once each.
// Mutations: items run again that are done; what is left is forgotten; the longest, already done,
// is run alone.
TEST(BatchItems, KnownMemory) {
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.threads = 2});
    for (int more = 0; more < 3; more++) {  // no item needs more; some; the longest too
        record s = {.good = MOST};
        for (uint64_t i = 0; i < MOST; i++) {
            s.limbs[i] = more > 0 && i % 7 == 3 ? 500 : 1 + i % 50;
        }
        s.limbs[1] = more == 2 ? 500 : 50;
        EXPECT_EQ(run(ctx, &s, MOST, 1, 50 * sizeof(uint64_t)), BIGINT_OK);
        unsigned alone = 0;
        for (uint64_t i = 0; i < MOST; i++) {
            EXPECT_EQ(s.times[i], 1u);
            alone += s.on[i] == ctx;
        }
        EXPECT_EQ(alone, more > 0);
        EXPECT_EQ(s.on[more == 2 ? 1 : 3] == ctx, more > 0);
    }
    bigint_ctx_destroy(ctx);
}

// Mutations: the last failure told of, or none, or without its text.
TEST(BatchItems, Failures) {
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.threads = 2});
    for (uint64_t good = 1; good < MOST; good += 60) {
        record s = {.good = good};
        EXPECT_EQ(run(ctx, &s, MOST, 0, 0), BIGINT_EINVAL);
        char text[80];
        snprintf(text, sizeof text, "note: item %d is bad", (int)good);
        EXPECT_TEXT(ctx, text);
    }
    bigint_ctx_destroy(ctx);
}

// Mutation: a cap that refuses what one thread could do.
TEST(BatchItems, Caps) {
    for (uint64_t cap = 1 << 15; cap <= 1 << 19; cap *= 4) {
        bigint_ctx *ctx =
            fixture_ctx(&(bigint_ctx_options){.threads = 2, .max_workspace_bytes = cap});
        record s = {.good = MOST};
        for (uint64_t i = 0; i < MOST; i++) {
            s.limbs[i] = 3000;
        }
        EXPECT_EQ(run(ctx, &s, MOST, 0, 0), BIGINT_OK);
        EXPECT_EQ(s.on[1] == ctx, cap == 1 << 15);
        bigint_counters counters;
        bigint_ctx_counters(ctx, &counters);
        EXPECT_TRUE(counters.workspace_peak <= cap);
        bigint_ctx_destroy(ctx);
    }
}

// --- Batches -------------------------------------------------------------------------------------

enum { COUNT = 12, LONG = 300 };

// batch: odd and even moduli, some LONG, which need transforms or long products.
typedef struct {
    uint64_t a[COUNT * LONG], m[COUNT * LONG], r[COUNT * LONG], e[COUNT];
    uint64_t lengths[COUNT];
    bigint_span base, exponent, modulus, result;
} batch;

static void open_batch(batch *s) {
    gen g = gen_seed(920);
    gen_limbs(&g, GEN_UNIFORM, s->a, COUNT * LONG), gen_limbs(&g, GEN_UNIFORM, s->m, COUNT * LONG);
    gen_limbs(&g, GEN_UNIFORM, s->e, COUNT);
    memset(s->r, 0x11, sizeof s->r);
    for (uint64_t i = 0; i < COUNT; i++) {
        s->lengths[i] = i % 5 == 2 ? LONG : 1 + i;
        s->m[i * LONG] += i % 3 == 0 && (s->m[i * LONG] & 1) == 0;
        s->e[i] >>= 40;
    }
    s->base = s->result = (bigint_span){.p = s->a, .n = LONG, .stride = LONG, .count = COUNT};
    s->modulus =
        (bigint_span){.p = s->m, .n = LONG, .stride = LONG, .count = COUNT, .lengths = s->lengths};
    s->exponent = (bigint_span){.p = s->e, .n = 1, .stride = 1, .count = COUNT};
    s->result.p = s->r;
}

static void expect_powers(const batch *s) {
    mpz_t x, e, m;
    mpz_inits(x, e, m, NULL);
    for (uint64_t i = 0; i < COUNT; i++) {
        oracle_load(x, s->a + i * LONG, LONG), oracle_load(e, s->e + i, 1);
        oracle_load(m, s->m + i * LONG, s->lengths[i]);
        mpz_powm(x, x, e, m);
        SCOPED_TRACE("power %d modulo %d limbs", (int)i, (int)s->lengths[i]);
        EXPECT_VALUE(s->r + i * LONG, LONG, x);
    }
    mpz_clears(x, e, m, NULL);
}

// Mutations: a thread's powers in another one's memory, an error of a thread that hides the result
// of what was left; allocations after the third time.
TEST(BatchItems, PowersOfMixedLengths) {
    static batch s;
    allocator_log log = {0};
    bigint_ctx *ctx = fixture_ctx(
        &(bigint_ctx_options){.threads = 2, .checks = 1, .allocator = fixture_allocator(&log)});
    uint64_t calls = 0;
    for (int round = 0; round < 4; round++) {
        open_batch(&s);
        calls = log.calls;
        EXPECT_EQ(bigint_powm_batch(ctx, &s.result, &s.base, &s.exponent, &s.modulus), BIGINT_OK);
        expect_powers(&s);
    }
    EXPECT_EQ(log.calls, calls);
    bigint_ctx_destroy(ctx);
    EXPECT_EQ(log.live_blocks, 0u);
}

// Mutations: results written before the last allocation, memory that is lost where one fails.
TEST(BatchItems, EveryAllocationMayFail) {
    static batch s;
    bool reached = true;
    for (uint64_t at = 1; reached && at < 100; at++) {
        allocator_log log = {0};
        bigint_ctx *ctx =
            fixture_ctx(&(bigint_ctx_options){.threads = 2, .allocator = fixture_allocator(&log)});
        SCOPED_TRACE("allocation %d", (int)at);
        open_batch(&s);
        log.fail_at = log.calls + at;
        const bigint_status status =
            bigint_powm_batch(ctx, &s.result, &s.base, &s.exponent, &s.modulus);
        reached = log.calls >= log.fail_at;
        EXPECT_TRUE(status == BIGINT_ENOMEM || status == BIGINT_OK);
        for (uint64_t i = 0; i < COUNT * LONG && status != BIGINT_OK; i++) {
            EXPECT_EQ(s.r[i], UINT64_C(0x1111111111111111));
        }
        log.fail_at = 0;
        EXPECT_EQ(bigint_powm_batch(ctx, &s.result, &s.base, &s.exponent, &s.modulus), BIGINT_OK);
        expect_powers(&s);
        bigint_ctx_destroy(ctx);
        EXPECT_EQ(log.live_blocks, 0u);
    }
    EXPECT_FALSE(reached);
}
