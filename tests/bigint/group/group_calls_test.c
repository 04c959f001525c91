// group_calls_test.c: groups opened, blocks, moves, calls on one process, refusals.
#include <gmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/bigint_gmp.h"
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/group/groups.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"

// --- Opening -------------------------------------------------------------------------------------

static void refused(const int *places, unsigned count, const char *backend, bigint_status status,
                    const char *text) {
    bigint_device *device;
    bigint_ctx *ctx;
    EXPECT_EQ(bigint_device_open_group(&device, places, count, backend), status);
    EXPECT_TRUE(strstr(bigint_device_error(device), text) != NULL);
    EXPECT_EQ(bigint_ctx_create(&ctx, device, NULL), status);
    EXPECT_TEXT(ctx, text);
    bigint x = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(ctx, &x, 1), status);
    EXPECT_EQ(bigint_group_members(ctx), 0u);
    bigint_ctx_destroy(ctx);
    bigint_device_close(device);
}

TEST(Calls, Open) {
    static const int places[] = {BIGINT_HOST, BIGINT_GROUP, 1 << 20};
    refused(places, 0, NULL, BIGINT_EINVAL, "a group of 0 members");
    refused(places, 1025, NULL, BIGINT_EINVAL, "a group has 1 to 1024");
    refused(places, 2, NULL, BIGINT_EINVAL, "member 1 of the group is itself a group");
    refused(places, 1, "none", BIGINT_ENOBACKEND, "member 0 of the group: no backend is called");
    static const int far[] = {BIGINT_HOST, 1 << 20};
    refused(far, 2, NULL, BIGINT_ENOBACKEND, "member 1 of the group: backend cuda");
    bigint_device *device;
    bigint_ctx *ctx;
    EXPECT_EQ(bigint_device_open_group(&device, places, 1, NULL), BIGINT_OK);
    const bigint_ctx_options stream = {.stream = (bigint_stream)&device};
    EXPECT_EQ(bigint_ctx_create(&ctx, device, &stream), BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "options.stream");
    bigint_ctx_destroy(ctx);
    const bigint_ctx_options engine = {.engine = "none"};
    EXPECT_EQ(bigint_ctx_create(&ctx, device, &engine), BIGINT_ENOBACKEND);
    bigint_ctx_destroy(ctx);
    bigint_device_close(device);
    ctx = fixture_ctx(NULL);
    EXPECT_EQ(bigint_group_members(ctx), 0u);
    uint64_t first, count;
    EXPECT_EQ(bigint_block(ctx, 5, 0, &first, &count), BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "not on a group");
    bigint_ctx_destroy(ctx);
}

// --- Blocks --------------------------------------------------------------------------------------

// The blocks of a number are its limbs, each once and in order. Mutations: a block is one limb too
// short; the last block's end is that of its neighbours.
static void tile(bigint_ctx *ctx, uint64_t n, const uint64_t *p) {
    const unsigned members = bigint_group_members(ctx);
    bigint x = BIGINT_INIT, y = BIGINT_INIT;
    uint64_t at = 0, *const q = malloc((n + 1) * sizeof *q);
    EXPECT_EQ(bigint_set_limbs(ctx, &x, p, n, -1), BIGINT_OK);
    for (unsigned i = 0; i < members; i++) {
        uint64_t first, count, need;
        ASSERT_EQ(bigint_block(ctx, n, i, &first, &count), BIGINT_OK);
        EXPECT_EQ(first, at);
        EXPECT_TRUE(count == 0 || first % 16 == 0);
        EXPECT_EQ(bigint_get_block(ctx, i, q, count, &need, &x), BIGINT_OK);
        EXPECT_EQ(need, count);
        EXPECT_TRUE(memcmp(q, p + first, count * sizeof *q) == 0);
        EXPECT_EQ(bigint_block_limbs(&x, i) == NULL, count == 0);
        if (count > 0) {
            EXPECT_EQ(bigint_get_block(ctx, i, q, count - 1, NULL, &x), BIGINT_ERANGE);
            EXPECT_EQ(*bigint_block_limbs(&x, i), p[first]);
        }
        const unsigned other = members - 1 - i;  // set in another order
        uint64_t other_first, other_count;
        ASSERT_EQ(bigint_block(ctx, n, other, &other_first, &other_count), BIGINT_OK);
        EXPECT_EQ(bigint_set_block(ctx, &y, other, p + other_first, n, -1), BIGINT_OK);
        at += count;
    }
    EXPECT_EQ(at, n);
    int order = 7;
    EXPECT_EQ(bigint_cmp(ctx, &order, &x, &y), BIGINT_OK);
    EXPECT_EQ(order, 0);
    free(q);
    bigint_clear(ctx, &x), bigint_clear(ctx, &y);
}

TEST(Calls, Blocks) {
    uint64_t p[300];
    for (unsigned members = 1; members <= GROUPS_MEMBERS; members++) {
        bigint_ctx *const ctx = group_of(members, NULL);
        for (uint64_t n = 0; n <= 300; n += n < 40 ? 1 : 13) {
            SCOPED_TRACE("%u members, %llu limbs", members, (unsigned long long)n);
            memset(p, 0xff, sizeof p);
            for (uint64_t i = 0; i < n; i++) {
                p[i] -= i;
            }
            tile(ctx, n, p);
        }
        bigint_ctx_destroy(ctx);
    }
}

// Blocks that are set replace others of the same length alone. Mutation: a new length keeps the
// old blocks.
TEST(Calls, SetBlock) {
    bigint_ctx *const ctx = group_of(3, NULL);
    bigint x = BIGINT_INIT;
    uint64_t p[48], q[48];
    int sign = 7;
    memset(p, 0xff, sizeof p);
    EXPECT_EQ(bigint_set_limbs(ctx, &x, p, 48, 1), BIGINT_OK);
    p[0] = 5;
    EXPECT_EQ(bigint_set_block(ctx, &x, 1, p, 48, -1), BIGINT_OK);
    EXPECT_EQ(bigint_get_limbs(ctx, q, 48, NULL, &sign, &x), BIGINT_OK);
    EXPECT_EQ(q[0], UINT64_MAX), EXPECT_EQ(q[16], 5u), EXPECT_EQ(q[17], UINT64_MAX);
    EXPECT_EQ(sign, -1);
    EXPECT_EQ(bigint_set_block(ctx, &x, 0, p, 40, 1), BIGINT_OK);
    uint64_t need;
    EXPECT_EQ(bigint_get_limbs(ctx, q, 48, &need, &sign, &x), BIGINT_OK);
    EXPECT_EQ(need, 16u), EXPECT_EQ(sign, 1);
    EXPECT_EQ(bigint_set_block(ctx, &x, 2, NULL, 40, 1), BIGINT_OK);
    bigint_block_limbs(&x, 2)[7] = 9;
    EXPECT_EQ(bigint_get_limbs(ctx, q, 48, &need, &sign, &x), BIGINT_OK);
    EXPECT_EQ(need, 40u), EXPECT_EQ(q[39], 9u);
    // A zero with a sign is 0.
    memset(p, 0, sizeof p);
    EXPECT_EQ(bigint_set_block(ctx, &x, 1, p, 20, -1), BIGINT_OK);
    EXPECT_EQ(bigint_sign(ctx, &sign, &x), BIGINT_OK);
    EXPECT_EQ(sign, 0);
    bigint y = BIGINT_INIT;
    int order = 7;
    EXPECT_EQ(bigint_cmp(ctx, &order, &x, &y), BIGINT_OK);
    EXPECT_EQ(order, 0);
    EXPECT_EQ(bigint_set_block(ctx, &x, 3, p, 20, 1), BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "member 3 of a group of 3");
    EXPECT_EQ(bigint_set_block(ctx, &x, 0, p, ((uint64_t)1 << 56) + 1, 1), BIGINT_ERANGE);
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
}

// --- Places --------------------------------------------------------------------------------------

TEST(Calls, Places) {
    bigint_ctx *const three = group_of(3, NULL), *const two = group_of(2, NULL);
    bigint_ctx *const host = fixture_ctx(NULL), *const other = group_of(3, NULL);
    bigint x = BIGINT_INIT, y = BIGINT_INIT, z = BIGINT_INIT;
    EXPECT_EQ(bigint_set_i64(host, &x, -7), BIGINT_OK);
    EXPECT_EQ(bigint_add(three, &y, &x, &x), BIGINT_EPLACE);
    EXPECT_EQ(bigint_move(three, &x, BIGINT_GROUP), BIGINT_OK);
    EXPECT_EQ(bigint_limbs_read(&x) == NULL, 1);
    EXPECT_EQ(bigint_add(host, &y, &x, &x), BIGINT_EPLACE);
    EXPECT_EQ(bigint_add(two, &y, &x, &x), BIGINT_EPLACE);
    EXPECT_TEXT(two, "other members");
    EXPECT_EQ(bigint_move(host, &x, BIGINT_HOST), BIGINT_EPLACE);
    EXPECT_TEXT(host, "a context on the group");
    EXPECT_EQ(bigint_move(two, &x, BIGINT_HOST), BIGINT_EPLACE);
    EXPECT_EQ(bigint_add(other, &y, &x, &x), BIGINT_OK);  // a group of the same places
    bigint_clear(two, &x);                                // not here
    EXPECT_EQ(bigint_move(three, &x, BIGINT_HOST), BIGINT_OK);
    EXPECT_EQ(bigint_move(three, &y, BIGINT_HOST), BIGINT_OK);
    EXPECT_EQ(bigint_add(host, &z, &x, &x), BIGINT_OK);
    int order = 7;
    EXPECT_EQ(bigint_cmp(host, &order, &y, &z), BIGINT_OK);
    EXPECT_EQ(order, 0);
    EXPECT_EQ(bigint_move(three, &x, 0), BIGINT_EPLACE);
    bigint_clear(host, &x), bigint_clear(host, &y), bigint_clear(host, &z);
    bigint_ctx_destroy(three), bigint_ctx_destroy(two);
    bigint_ctx_destroy(host), bigint_ctx_destroy(other);
}

// --- Calls on one process, and refusals ----------------------------------------------------------

TEST(Calls, Gathered) {
    bigint_ctx *const ctx = group_of(4, NULL);
    bigint a = BIGINT_INIT, d = BIGINT_INIT, q = BIGINT_INIT;
    gen g = gen_seed(3);
    mpz_t az, dz, qz, rz;
    mpz_inits(az, dz, qz, rz, NULL);
    for (int round = 0; round < 40; round++) {
        SCOPED_TRACE("round %d", round);
        fixture_draw(&g, ctx, &a, az, 500);
        fixture_draw(&g, ctx, &d, dz, 500);
        if (mpz_sgn(dz) == 0) {
            EXPECT_EQ(bigint_divrem(ctx, &q, &a, &a, &d), BIGINT_EINVAL);
            continue;
        }
        mpz_tdiv_qr(qz, rz, az, dz);
        EXPECT_EQ(bigint_divrem(ctx, &q, &a, &a, &d), BIGINT_OK);
        EXPECT_TRUE(group_has(ctx, &q, qz) && group_has(ctx, &a, rz));
        char *const text = mpz_get_str(NULL, 10, dz);
        char *const ours = malloc(strlen(text) + 1);
        EXPECT_EQ(bigint_get_decimal(ctx, ours, strlen(text) + 1, NULL, &d), BIGINT_OK);
        EXPECT_TRUE(strcmp(text, ours) == 0);
        EXPECT_EQ(bigint_set_decimal(ctx, &d, ours, strlen(ours), NULL), BIGINT_OK);
        EXPECT_TRUE(group_has(ctx, &d, dz));
        free(text), free(ours);
        const bigint *const as[] = {&d, &q, &d}, *const bs[] = {&q, &a, &d};
        static const int signs[] = {1, -1, -1};
        mpz_mul(az, dz, qz), mpz_submul(az, qz, rz), mpz_submul(az, dz, dz);
        EXPECT_EQ(bigint_mul_sum(ctx, &q, as, bs, signs, 3), BIGINT_OK);
        EXPECT_TRUE(group_has(ctx, &q, az));
    }
    mpz_clears(az, dz, qz, rz, NULL);
    bigint_clear(ctx, &a), bigint_clear(ctx, &d), bigint_clear(ctx, &q);
    bigint_ctx_destroy(ctx);
}

// Calls that the host computes. Mutations: a root's remainder that is the root, a modulus one
// shorter, a product by another number than the prepared one.
TEST(Calls, ByTheHost) {
    bigint_ctx *const ctx = group_of(2, NULL);
    bigint x = BIGINT_INIT, y = BIGINT_INIT, r = BIGINT_INIT;
    bigint_prep *prep;
    EXPECT_EQ(bigint_set_u64(ctx, &x, 1000), BIGINT_OK);
    EXPECT_EQ(bigint_sqrt(ctx, &y, &r, &x), BIGINT_OK);
    EXPECT_TRUE(group_has_word(ctx, &y, 31) && group_has_word(ctx, &r, 39));
    EXPECT_EQ(bigint_root(ctx, &y, NULL, &x, 3), BIGINT_OK);
    EXPECT_TRUE(group_has_word(ctx, &y, 10));
    EXPECT_EQ(bigint_rsqrt_fixed(ctx, &y, &r, 10), BIGINT_OK);  // 1024 / sqrt(39) = 163.97
    EXPECT_TRUE(group_has_word(ctx, &y, 164));
    EXPECT_EQ(bigint_mul_mod_2exp_plus1(ctx, &y, &x, &x, 16), BIGINT_OK);
    EXPECT_TRUE(group_has_word(ctx, &y, 1000000 % 65537));
    EXPECT_EQ(bigint_mul_mod_2exp_minus1(ctx, &y, &x, &x, 16), BIGINT_OK);
    EXPECT_TRUE(group_has_word(ctx, &y, 1000000 % 65535));
    EXPECT_EQ(bigint_divexact(ctx, &y, &x, &x), BIGINT_OK);
    EXPECT_TRUE(group_has_word(ctx, &y, 1));
    EXPECT_EQ(bigint_prep_create(ctx, &prep, &x, 10), BIGINT_OK);
    EXPECT_EQ(bigint_set_u64(ctx, &x, 7), BIGINT_OK);
    EXPECT_EQ(bigint_mul_prep(ctx, &y, prep, &x), BIGINT_OK);
    EXPECT_TRUE(group_has_word(ctx, &y, 7000));
    bigint_prep_destroy(ctx, prep);
    bigint_clear(ctx, &x), bigint_clear(ctx, &y), bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
}

TEST(Calls, Refused) {
    bigint_ctx *const ctx = group_of(2, NULL);
    uint64_t limb = 1;
    EXPECT_EQ(bigint_limbs_mul(ctx, &limb, &limb, 0, &limb, 0), BIGINT_ENOBACKEND);
    EXPECT_TEXT(ctx, "not built for groups");
    bigint_ctx_destroy(ctx);
}

TEST(Calls, Explain) {
    bigint_ctx *const ctx = group_of(4, NULL);
    char line[400];
    size_t need;
    EXPECT_EQ(bigint_explain(ctx, line, sizeof line, &need, 100000, 90000), BIGINT_OK);
    EXPECT_EQ(need, strlen(line) + 1);
    EXPECT_TRUE(strstr(line, "group: 4 members, way columns") != NULL);
    EXPECT_EQ(bigint_explain(ctx, line, sizeof line, &need, 3, 0), BIGINT_OK);
    EXPECT_TRUE(strstr(line, "way whole") != NULL);
    EXPECT_EQ(bigint_explain(ctx, line, sizeof line, NULL, (uint64_t)1 << 56, 1), BIGINT_ERANGE);
    // 2^30 digits of 59 bits each: the longest that host members multiply.
    const uint64_t most = ((uint64_t)59 << 30) / 64;
    EXPECT_EQ(bigint_explain(ctx, line, sizeof line, NULL, most, most), BIGINT_OK);
    EXPECT_TRUE(strstr(line, "digits of 59 bits") != NULL);
    EXPECT_EQ(bigint_explain(ctx, line, sizeof line, NULL, most + 1, most + 1), BIGINT_ERANGE);
    EXPECT_TEXT(ctx, "more than 2^31 points; cut the operands");
    EXPECT_TRUE(strcmp(bigint_backend_name(ctx), "cpu") == 0);
    bigint_ctx_destroy(ctx);
}

// No member holds more than announced, for products of every way. Mutation: a term of
// member_workspace_bytes is left out.
TEST(Calls, WorkspaceBytes) {
    static const uint64_t lengths[][2] = {{3000, 2000}, {60000, 5000}, {60000, 55000}, {20000, 0}};
    for (unsigned members = 1; members <= GROUPS_MEMBERS; members++) {
        for (unsigned i = 0; i < 4; i++) {
            SCOPED_TRACE("%u members, lengths %u", members, i);
            bigint_ctx *const ctx = group_of(members, NULL);
            bigint a = BIGINT_INIT, b = BIGINT_INIT;
            uint64_t bytes, first;
            EXPECT_EQ(bigint_set_u64(ctx, &a, 1), BIGINT_OK);
            EXPECT_EQ(bigint_set_u64(ctx, &b, lengths[i][1] > 0), BIGINT_OK);
            EXPECT_EQ(bigint_mul_2exp(ctx, &a, &a, 64 * lengths[i][0] - 1), BIGINT_OK);
            EXPECT_EQ(bigint_mul_2exp(ctx, &b, &b, 64 * lengths[i][1] - 1), BIGINT_OK);
            bigint_ctx_trim(ctx);
            bigint_counters before, after;
            bigint_ctx_counters(ctx, &before);
            EXPECT_EQ(bigint_workspace_bytes(ctx, &bytes, lengths[i][0], lengths[i][1]), BIGINT_OK);
            EXPECT_EQ(bigint_mul(ctx, &b, &a, &b), BIGINT_OK);
            bigint_ctx_counters(ctx, &after);
            first = after.workspace_bytes - before.workspace_bytes;
            EXPECT_TRUE(first <= members * bytes);
            EXPECT_TRUE(i == 3 || bytes <= 2 * first);  // one member at least has a full share
            bigint_clear(ctx, &a), bigint_clear(ctx, &b);
            bigint_ctx_destroy(ctx);
        }
    }
}
