// group_batch_test.c: batches dealt out to 1 to 8 members of the host: the results of one place.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bigint/group/groups.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"

// batch: numbers of up to n limbs, one after the other, or ragged with gaps.
typedef struct {
    bigint_span span;
    uint64_t *lengths, *offsets;
    uint64_t limbs;
} batch;

static void batch_open(batch *x, gen *g, uint64_t count, uint64_t n, bool ragged, bool odd) {
    *x = (batch){.limbs = count * (n + 1) + 1};
    uint64_t *const p = malloc(x->limbs * sizeof *p);
    x->lengths = malloc((count + 1) * sizeof *x->lengths);
    x->offsets = malloc((count + 1) * sizeof *x->offsets);
    gen_limbs(g, GEN_UNIFORM, p, x->limbs);
    for (uint64_t i = 0; i < count; i++) {
        x->lengths[i] = i % 7 == 3 ? 1 + gen_below(g, n) : 1 + gen_below(g, n < 3 ? n : 3);
        x->offsets[i] = (count - 1 - i) * (n + 1);  // in another order
        for (unsigned k = 0; odd && k < 2; k++) {
            p[k == 0 ? x->offsets[i] : i * (n + 1)] |= 1;
        }
    }
    for (uint64_t k = 1; !odd && count > 0 && k < n; k++) {
        p[(count - 1) * (n + 1) + k] = 0;  // the last of several, or the first
    }
    x->span = (bigint_span){.p = p,
                            .n = n,
                            .stride = n + 1,
                            .count = count,
                            .lengths = ragged ? x->lengths : NULL,
                            .offsets = ragged ? x->offsets : NULL};
}

static void batch_close(batch *x) { free(x->span.p), free(x->lengths), free(x->offsets); }

// trial: the operands of all calls, and the results of one place and of a group.
enum { OPERANDS = 3, RESULTS = 2 };
typedef struct {
    batch in[OPERANDS], out[RESULTS], want[RESULTS];
    unsigned char prime[400], want_prime[400];
} trial;

typedef bigint_status batch_call(bigint_ctx *ctx, trial *t, const batch *out, unsigned char *prime);

static bigint_status mul(bigint_ctx *ctx, trial *t, const batch *out, unsigned char *prime) {
    (void)prime;
    return bigint_mul_batch(ctx, &out[0].span, &t->in[0].span, &t->in[1].span);
}
static bigint_status minus1(bigint_ctx *ctx, trial *t, const batch *out, unsigned char *prime) {
    (void)prime;
    return bigint_mul_mod_2exp_minus1_batch(ctx, &out[0].span, &t->in[0].span, &t->in[1].span,
                                            64 * t->in[0].span.n - 3);
}
static bigint_status plus1(bigint_ctx *ctx, trial *t, const batch *out, unsigned char *prime) {
    (void)prime;
    return bigint_mul_mod_2exp_plus1_batch(ctx, &out[0].span, &t->in[0].span, &t->in[1].span,
                                           64 * t->in[0].span.n - 3);
}
static bigint_status powm(bigint_ctx *ctx, trial *t, const batch *out, unsigned char *prime) {
    (void)prime;
    return bigint_powm_batch(ctx, &out[0].span, &t->in[0].span, &t->in[1].span, &t->in[2].span);
}
static bigint_status mulmod(bigint_ctx *ctx, trial *t, const batch *out, unsigned char *prime) {
    (void)prime;
    return bigint_mulmod_batch(ctx, &out[0].span, &t->in[0].span, &t->in[1].span, &t->in[2].span);
}
static bigint_status sqrmod(bigint_ctx *ctx, trial *t, const batch *out, unsigned char *prime) {
    (void)prime;
    return bigint_sqrmod_batch(ctx, &out[0].span, &t->in[0].span, &t->in[2].span);
}
static bigint_status invmod(bigint_ctx *ctx, trial *t, const batch *out, unsigned char *prime) {
    (void)prime;
    return bigint_invmod_batch(ctx, &out[0].span, &t->in[0].span, &t->in[2].span);
}
static bigint_status divrem(bigint_ctx *ctx, trial *t, const batch *out, unsigned char *prime) {
    (void)prime;
    return bigint_divrem_batch(ctx, &out[0].span, &out[1].span, &t->in[0].span, &t->in[2].span);
}
static bigint_status quotient(bigint_ctx *ctx, trial *t, const batch *out, unsigned char *prime) {
    (void)prime;
    return bigint_divrem_batch(ctx, &out[0].span, NULL, &t->in[0].span, &t->in[2].span);
}
static bigint_status prime(bigint_ctx *ctx, trial *t, const batch *out, unsigned char *prime) {
    (void)out;
    return bigint_probable_prime_batch(ctx, prime, &t->in[2].span);
}

static const struct {
    const char *name;
    batch_call *call;
} calls[] = {{"mul", mul},           {"minus1", minus1}, {"plus1", plus1},   {"powm", powm},
             {"mulmod", mulmod},     {"sqrmod", sqrmod}, {"invmod", invmod}, {"divrem", divrem},
             {"quotient", quotient}, {"prime", prime}};
enum { CALLS = sizeof calls / sizeof calls[0] };

static void trial_open(trial *t, uint64_t seed, uint64_t count, uint64_t n, bool ragged) {
    gen g = gen_seed(seed);
    memset(t, 0, sizeof *t);
    for (unsigned k = 0; k < OPERANDS; k++) {
        batch_open(&t->in[k], &g, count, n, ragged && k < 2, k == 2);
    }
    t->in[2].span.stride = seed % 3 == 0 ? 0 : t->in[2].span.stride;  // one modulus for all
    for (unsigned k = 0; k < RESULTS; k++) {
        batch_open(&t->out[k], &g, count, 2 * n, false, false);
        batch_open(&t->want[k], &g, count, 2 * n, false, false);
    }
}

// same: the results of a call, and that nothing between them was written.
static bool same(const trial *t) {
    bool equal = memcmp(t->prime, t->want_prime, sizeof t->prime) == 0;
    for (unsigned k = 0; k < RESULTS; k++) {
        equal = equal && memcmp(t->out[k].span.p, t->want[k].span.p,
                                t->out[k].limbs * sizeof(uint64_t)) == 0;
    }
    return equal;
}

static void clean(trial *t) {
    for (unsigned k = 0; k < RESULTS; k++) {
        memset(t->out[k].span.p, 0x33, t->out[k].limbs * sizeof(uint64_t));
        memset(t->want[k].span.p, 0x33, t->want[k].limbs * sizeof(uint64_t));
    }
    memset(t->prime, 9, sizeof t->prime);
    memset(t->want_prime, 9, sizeof t->want_prime);
}

static void trial_close(trial *t) {
    for (unsigned k = 0; k < OPERANDS; k++) {
        batch_close(&t->in[k]);
    }
    for (unsigned k = 0; k < RESULTS; k++) {
        batch_close(&t->out[k]), batch_close(&t->want[k]);
    }
}

// Mutations: an item belongs to two parts, or to none; offsets or lengths of a part begin at those
// of the whole; a shared modulus moves with the part. On devices: a piece's results go to the first
// items; zeros on top of the last number are not sent.
TEST(GroupBatch, SameAsOnOnePlace) {
    static const uint64_t counts[] = {0, 1, 2, 7, 40, 333};
    bigint_device *device;
    bigint_ctx *host;
    ASSERT_EQ(bigint_device_open(&device, BIGINT_HOST, NULL), BIGINT_OK);
    ASSERT_EQ(bigint_ctx_create(&host, device, NULL), BIGINT_OK);
    bigint_device_close(device);
    const bool device_members = groups_on_device();
    // On devices the cap is for pieces of a few hundred numbers.
    const bigint_ctx_options options = {.max_workspace_bytes = device_members ? 1 << 18 : 0};
    const unsigned most = device_members ? 3 : GROUPS_MEMBERS;
    for (unsigned members = 1; members <= most; members += members < 4 ? 1 : 2) {
        bigint_ctx *const ctx = group_of(members, &options);
        for (unsigned i = device_members ? 5 : 0; i < 24; i += device_members ? 3 : 1) {
            const uint64_t count = counts[i % 6], n = i < 12 || device_members ? 4 : 1 + i;
            trial t;
            trial_open(&t, 100 * members + i, count, n, i / 6 % 2 != 0);
            for (unsigned k = 0; k < CALLS; k++) {
                SCOPED_TRACE("%s, %u members, %llu numbers of %llu limbs, trial %u", calls[k].name,
                             members, (unsigned long long)count, (unsigned long long)n, i);
                clean(&t);
                EXPECT_EQ(calls[k].call(host, &t, t.want, t.want_prime), BIGINT_OK);
                EXPECT_EQ(calls[k].call(ctx, &t, t.out, t.prime), BIGINT_OK);
                EXPECT_TRUE(same(&t));
            }
            trial_close(&t);
        }
        bigint_ctx_destroy(ctx);
    }
    bigint_ctx_destroy(host);
}

// Every allocation fails once, in one member: the others write nothing. Mutation: a member writes
// before the others have their memory.
TEST(GroupBatch, FailingAllocations) {
    trial t;
    trial_open(&t, 7, 40, 24, false);
    for (unsigned k = 0; k < (groups_on_device() ? 1 : CALLS); k++) {
        bigint_status status = BIGINT_ENOMEM;
        const uint64_t step = groups_on_device() ? 7 : 1;
        for (uint64_t fail_at = 1; status == BIGINT_ENOMEM && fail_at < 300; fail_at += step) {
            SCOPED_TRACE("%s, allocation %llu", calls[k].name, (unsigned long long)fail_at);
            jitter j = {.state = fail_at};
            const bigint_ctx_options options = {.allocator = groups_jitter(&j), .timeout_s = 60};
            bigint_ctx *const ctx = group_of(3, &options);
            j.log.fail_at = j.log.calls + fail_at;
            clean(&t);
            status = calls[k].call(ctx, &t, t.out, t.prime);
            EXPECT_TRUE(status == BIGINT_OK || status == BIGINT_ENOMEM);
            if (status != BIGINT_OK) {
                EXPECT_TEXT(ctx, "of the group");
                EXPECT_TRUE(same(&t));  // as untouched as what no call was given
            }
            EXPECT_EQ(calls[k].call(ctx, &t, t.out, t.prime), BIGINT_OK);
            bigint_ctx_destroy(ctx);
            EXPECT_EQ(j.log.live_blocks, 0u);
        }
        EXPECT_EQ(status, BIGINT_OK);
    }
    trial_close(&t);
}

// Errors that one member alone can see.
TEST(GroupBatch, Errors) {
    if (groups_on_device()) {
        SKIP("devices do not look at values first");
    }
    bigint_ctx *const ctx = group_of(3, NULL);
    trial t;
    trial_open(&t, 8, 9, 4, false);
    clean(&t);
    memset(t.in[2].span.p + 7 * 5, 0, 4 * sizeof(uint64_t));  // a modulus of the last member
    EXPECT_EQ(mulmod(ctx, &t, t.out, t.prime), BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "bigint_mulmod_batch: member 2 of the group: modulus");
    EXPECT_TRUE(same(&t));
    t.out[0].span.n = 7;
    EXPECT_EQ(mul(ctx, &t, t.out, t.prime), BIGINT_EINVAL);
    EXPECT_TRUE(same(&t));
    bigint_span short_count = t.in[0].span;
    short_count.count--;
    EXPECT_EQ(bigint_mul_batch(ctx, &t.out[0].span, &short_count, &t.in[1].span), BIGINT_EINVAL);
    EXPECT_TRUE(same(&t));
    trial_close(&t);
    bigint_ctx_destroy(ctx);
}
