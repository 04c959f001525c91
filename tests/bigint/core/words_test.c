// words_test.c: integers as words of any size and order against mpz_import and mpz_export.
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

enum { BYTES = 1200, SENTINEL = 0xa5 };

// expect_words: z exported and imported as GMP does it, at any address, with a buffer that is
// exactly large enough; a word less is refused. Nails are written as 0 and read as anything.
static void expect_words(gen *g, bigint_ctx *ctx, const mpz_t z, const bigint_words *words) {
    static uint8_t want[BYTES], space[BYTES + 8];
    uint8_t *const have = space + gen_below(g, 8);
    size_t count = 0, need = 99;
    bigint x = BIGINT_INIT, y = BIGINT_INIT;
    mpz_t back;
    mpz_init(back);
    SCOPED_TRACE("%zu bytes, %zu nails, order %d, endian %d, %zu bits", words->bytes, words->nails,
                 (int)words->order, (int)words->endian, mpz_sizeinbase(z, 2));
    memset(want, SENTINEL, sizeof want);
    memset(space, SENTINEL, sizeof space);
    mpz_export(want, &count, (int)words->order, words->bytes, (int)words->endian, words->nails, z);
    fixture_set(ctx, &x, z);
    if (count > 0) {
        EXPECT_EQ(bigint_get_words(ctx, have, count - 1, &need, words, &x), BIGINT_ERANGE);
        EXPECT_EQ(need, count);
        EXPECT_EQ(have[0], SENTINEL);
    }
    EXPECT_EQ(bigint_get_words(ctx, have, count, &need, words, &x), BIGINT_OK);
    EXPECT_EQ(need, count);
    EXPECT_TRUE(memcmp(have, want, count * words->bytes + 1) == 0);

    gen_limbs(g, GEN_UNIFORM, (mp_limb_t *)want, BYTES / 8);  // rubbish in the nails, too
    for (size_t i = count * words->bytes; i > 0; i--) {
        have[i - 1] = want[i];
    }
    const int sign = (int)gen_below(g, 2) * 2 - 1;
    mpz_import(back, count, (int)words->order, words->bytes, (int)words->endian, words->nails,
               have);
    mpz_mul_si(back, back, sign);
    EXPECT_EQ(bigint_set_words(ctx, &y, have, count, words, sign), BIGINT_OK);
    EXPECT_BIGINT(ctx, &y, back);
    mpz_clear(back);
    bigint_clear(ctx, &x);
    bigint_clear(ctx, &y);
}

// Mutations: words or their bytes in the other order, bits of a limb lost where a word straddles
// two, a word of whole limbs shifted by 64 bits, nails read, the last word cut to its bytes.
TEST(Words, AgainstGmp) {
    static const size_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 33};
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(341);
    mpz_t z;
    mpz_init(z);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t most = 8 * sizes[i] - 1;
        const size_t nails[] = {0, 1, 3, 8, 13, most / 2, most - 1, most};
        for (size_t k = 0; k < sizeof nails / sizeof *nails; k++) {
            for (int way = 0; way < 6 && nails[k] <= most; way += fixture_thinning()) {
                const bigint_words words = {sizes[i], nails[k],
                                            way < 3 ? BIGINT_LITTLE_ENDIAN : BIGINT_BIG_ENDIAN,
                                            (bigint_byte_order)(way % 3 - 1)};
                // At most (BYTES - 1) / bytes words of 8 bytes - nails bits.
                const size_t bits = (BYTES - 1) / sizes[i] * (8 * sizes[i] - nails[k]);
                fixture_limbs(&g, z, 1 + gen_below(&g, 20));
                mpz_fdiv_r_2exp(z, z, gen_below(&g, bits < 1300 ? bits + 1 : 1300));
                expect_words(&g, ctx, z, &words);
            }
        }
    }
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
}

// Numbers whose bits just fill some words. Mutation: a word too many or too few.
TEST(Words, Edges) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(342);
    mpz_t z;
    mpz_init(z);
    for (size_t bytes = 1; bytes <= 9; bytes++) {
        for (size_t nails = 0; nails < 2; nails++) {
            for (unsigned count = 0; count < 18; count++) {
                for (int d = -1; d <= 1; d++) {
                    const bigint_words words = {
                        bytes, nails, BIGINT_LITTLE_ENDIAN,
                        count % 2 == 0 ? BIGINT_BIG_ENDIAN : BIGINT_LITTLE_ENDIAN};
                    mpz_set_ui(z, 0);
                    mpz_setbit(z, count * (8 * bytes - nails));
                    d < 0 ? mpz_sub_ui(z, z, 1) : mpz_add_ui(z, z, (unsigned long)d);
                    expect_words(&g, ctx, z, &words);
                }
            }
        }
    }
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
}

// Mutations: an order of 0 for words, words without bits, sizes that overflow, r changed by a
// refusal.
TEST(Words, Refused) {
    static const bigint_words bad[] = {
        {0, 0, BIGINT_LITTLE_ENDIAN, BIGINT_NATIVE_ENDIAN},
        {4, 32, BIGINT_LITTLE_ENDIAN, BIGINT_NATIVE_ENDIAN},
        {SIZE_MAX / 4, 0, BIGINT_LITTLE_ENDIAN, BIGINT_NATIVE_ENDIAN},
        {4, 0, BIGINT_NATIVE_ENDIAN, BIGINT_NATIVE_ENDIAN},
        {4, 0, BIGINT_LITTLE_ENDIAN, (bigint_byte_order)2},
    };
    const bigint_words good = {4, 0, BIGINT_LITTLE_ENDIAN, BIGINT_NATIVE_ENDIAN};
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint x = BIGINT_INIT, zero = BIGINT_INIT;
    mpz_t z;
    mpz_init_set_ui(z, 77);
    fixture_set(ctx, &x, z);
    uint8_t p[8] = {1};
    size_t need = 5;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        EXPECT_EQ(bigint_set_words(ctx, &x, p, 1, &bad[i], 1), BIGINT_EINVAL);
        EXPECT_EQ(bigint_get_words(ctx, p, 1, &need, &bad[i], &x), BIGINT_EINVAL);
    }
    EXPECT_EQ(bigint_set_words(ctx, &x, p, SIZE_MAX, &good, 1), BIGINT_ERANGE);
    EXPECT_EQ(bigint_set_words(ctx, &x, p, ((size_t)1 << 59) + 1, &good, 1), BIGINT_ERANGE);
    EXPECT_TRUE(need == 5 && p[0] == 1);
    EXPECT_BIGINT(ctx, &x, z);
    EXPECT_EQ(bigint_get_words(ctx, NULL, 0, &need, &good, &zero), BIGINT_OK);
    EXPECT_EQ(need, 0u);
    EXPECT_EQ(bigint_set_words(ctx, &x, NULL, 0, &good, -1), BIGINT_OK);
    mpz_set_ui(z, 0);
    EXPECT_BIGINT(ctx, &x, z);
    mpz_clear(z);
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
}

// Mutation: r changed, or memory lost, by an allocation that fails.
TEST(Words, EveryAllocationMayFail) {
    const bigint_words words = {3, 1, BIGINT_BIG_ENDIAN, BIGINT_LITTLE_ENDIAN};
    static uint8_t p[300], q[300];
    memset(p, 0x3c, sizeof p);
    bigint_status status = BIGINT_ENOMEM;
    for (uint64_t fail = 1; status == BIGINT_ENOMEM && fail < 100; fail++) {
        allocator_log log = {0};
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.allocator = fixture_allocator(&log)});
        bigint x = BIGINT_INIT;
        EXPECT_EQ(bigint_set_i64(ctx, &x, -7), BIGINT_OK);
        log.fail_at = log.calls + fail;
        status = bigint_set_words(ctx, &x, p, 100, &words, 1);
        if (status == BIGINT_OK) {
            log.fail_at = 0;
            EXPECT_EQ(bigint_get_words(ctx, q, 100, NULL, &words, &x), BIGINT_OK);
            EXPECT_TRUE(memcmp(p, q, sizeof p) == 0);
        } else {
            int64_t value = 0;
            log.fail_at = 0;
            EXPECT_EQ(status, BIGINT_ENOMEM);
            EXPECT_EQ(bigint_get_limbs(ctx, (uint64_t *)&value, 1, NULL, NULL, &x), BIGINT_OK);
            EXPECT_EQ(value, 7);
        }
        bigint_clear(ctx, &x);
        bigint_ctx_destroy(ctx);
        EXPECT_EQ(log.live_blocks, 0u);
    }
    EXPECT_EQ(status, BIGINT_OK);
}
