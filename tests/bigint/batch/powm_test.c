// powm_test.c: batches of modular powers on the host against GMP: spans of every form,
// moduli that share lanes and that do not, every width, edges, counts up to 10^6, caps. Where the
// processor has AVX-512 IFMA eight powers share a group, elsewhere each is computed alone.
#include <stdlib.h>
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/bigint/device/numbers.h"
#include "tests/ctest/ctest.h"

// expect_powers: one call; every power is right and padded, and nothing else was written.
static void expect_powers(bigint_ctx *ctx, gen *g, const numbers *base, const numbers *exponent,
                          const numbers *modulus) {
    numbers r = numbers_draw_results(g, modulus);
    EXPECT_EQ(bigint_powm_batch(ctx, &r.span, &base->span, &exponent->span, &modulus->span),
              BIGINT_OK);
    numbers_expect_powers(ctx, &r, base, exponent, modulus);
    numbers_close(&r);
}

static void random_batches(bigint_ctx *ctx, uint64_t seed, int rounds) {
    gen g = gen_seed(seed);
    for (int round = 0; round < rounds; round++) {
        const uint64_t count = gen_below(&g, 60);
        numbers base = numbers_draw(&g, 0, 6, count);
        numbers exponent = numbers_draw(&g, 0, round % 3 == 0 ? 5 : 1, count);
        numbers modulus = numbers_draw_moduli(&g, round % 4 == 0 ? 30 : 5, count);
        SCOPED_TRACE("round %d: %d powers", round, (int)count);
        expect_powers(ctx, &g, &base, &exponent, &modulus);
        numbers_close(&base), numbers_close(&exponent), numbers_close(&modulus);
    }
}

// Mutations: a group's items in another order than its results, a lane of the group before left in
// the next, the exponent of lane 0 for all, a base that is not below the modulus, even moduli in
// lanes, R^2 of one length for another.
TEST(BatchPowm, RandomBatches) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    random_batches(ctx, 921, 200);
    bigint_ctx_destroy(ctx);
}

// Mutations: two threads share a group's workspace, a group that is left out.
TEST(BatchPowm, TwoThreads) {
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.threads = 2});
    random_batches(ctx, 922, 100);
    bigint_ctx_destroy(ctx);
}

// put_bits: fills {p, n} with a random number of exactly `bits` bits.
static void put_bits(gen *g, uint64_t *p, uint64_t n, uint64_t bits) {
    gen_limbs(g, GEN_UNIFORM, p, n);
    const uint64_t top = (bits - 1) / 64;
    memset(p + top + 1, 0, (n - top - 1) * sizeof *p);
    p[top] &= ~UINT64_C(0) >> (63 - (bits - 1) % 64);
    p[top] |= UINT64_C(1) << (bits - 1) % 64;
}

// Moduli of every width from 1 to 4096 bits. Every ninth is even. Exponents have one width, from 1
// to 128 bits. Mutations: a digit too few for a width, a class of lengths that holds a longer one,
// a window across the exponent's end.
TEST(BatchPowm, EveryWidth) {
    enum { COUNT = 64 };
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(923);
    for (uint64_t first = 1; first <= 4096; first += COUNT) {
        const uint64_t n = (first + COUNT + 63) / 64;
        numbers base = numbers_open(n, n, COUNT), exponent = numbers_open(2, 2, COUNT);
        numbers modulus = numbers_open(n, n, COUNT);
        for (uint64_t i = 0; i < COUNT; i++) {
            gen_limbs(&g, GEN_UNIFORM, numbers_at(&base, i), n);
            put_bits(&g, numbers_at(&exponent, i), 2, 1 + first / COUNT * 2 % 128);
            put_bits(&g, numbers_at(&modulus, i), n, first + i);
            numbers_at(&modulus, i)[0] |= i % 9 != 8;
        }
        numbers_upload(&base), numbers_upload(&exponent), numbers_upload(&modulus);
        SCOPED_TRACE("from %d bits on", (int)first);
        expect_powers(ctx, &g, &base, &exponent, &modulus);
        numbers_close(&base), numbers_close(&exponent), numbers_close(&modulus);
    }
    bigint_ctx_destroy(ctx);
}

// Moduli 2^k + 1, 2^k - 1, all ones and 2^k, alone and common to all; bases 0, 1, M - 1, M, M + 1
// and all ones; exponents 0, 1, 2, 65537, all ones, of up to 8192 bits, which need the widest
// window. Mutations: 0^0, a residue M for 0, a carry across the number, a power read behind the
// table.
TEST(BatchPowm, Edges) {
    static const gen_shape shapes[] = {GEN_POWER_PLUS, GEN_POWER_MINUS, GEN_ONES, GEN_POWER};
    enum { COUNT = 36, LONG = 128 };
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(924);
    for (unsigned at = 0; at < 32; at++) {
        const uint64_t n = (const uint64_t[]){1, 2, 7, 33}[at / 8];
        const bool alone = at % 2 == 0;
        numbers base = numbers_open(n, n, COUNT), modulus = numbers_open(n, n, COUNT);
        const uint64_t en = at == 11 ? LONG : 2;
        numbers exponent = numbers_open(en, en, COUNT);
        gen_limbs(&g, shapes[at / 2 % 4], numbers_at(&modulus, 0), n);
        for (uint64_t i = 0; i < COUNT; i++) {
            uint64_t *const b = numbers_at(&base, i), *const e = numbers_at(&exponent, i);
            uint64_t *const m = numbers_at(&modulus, i);
            if (alone) {
                gen_limbs(&g, shapes[(i + at / 2) % 4], m, n);
            } else {
                memcpy(m, numbers_at(&modulus, 0), n * sizeof *m);
            }
            const uint64_t kind = i % 6;
            memcpy(b, m, n * sizeof *b);
            if (kind >= 3) {
                memset(b, kind == 3 ? 0xff : 0, n * sizeof *b);
            }
            b[0] += kind == 1 ? UINT64_MAX : kind == 2 || kind == 5;
            memset(e, i / 6 == 5 ? 0xff : 0, en * sizeof *e);
            e[0] += (const uint64_t[]){0, 1, 2, 65537, 3, 0}[i / 6];
        }
        modulus.span.stride = alone ? n : 0;
        numbers_upload(&base), numbers_upload(&exponent), numbers_upload(&modulus);
        SCOPED_TRACE("%d limbs, case %d", (int)n, (int)at);
        expect_powers(ctx, &g, &base, &exponent, &modulus);
        numbers_close(&base), numbers_close(&exponent), numbers_close(&modulus);
    }
    bigint_ctx_destroy(ctx);
}

// 0, 1, 7, 9 and 10^6 powers. Mutations: groups without memory for all, a count cut to 32 bits.
TEST(BatchPowm, Counts) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(925);
    for (unsigned k = 0; k < 5; k++) {
        const uint64_t count = (const uint64_t[]){0, 1, 7, 9, 1000000}[k];
        numbers base = numbers_open(1, 1, count + 1), exponent = numbers_open(1, 1, count + 1);
        numbers modulus = numbers_open(1, 1, count + 1);
        gen_limbs(&g, GEN_UNIFORM, base.host, count + 1);
        gen_limbs(&g, GEN_UNIFORM, modulus.host, count + 1);
        for (uint64_t i = 0; i < count; i++) {
            modulus.host[i] |= 1, exponent.host[i] = i % 19;
        }
        base.span.count = exponent.span.count = modulus.span.count = count;
        numbers_upload(&base), numbers_upload(&exponent), numbers_upload(&modulus);
        expect_powers(ctx, &g, &base, &exponent, &modulus);
        numbers_close(&base), numbers_close(&exponent), numbers_close(&modulus);
    }
    bigint_ctx_destroy(ctx);
}

// Under caps down to the one that is refused. Mutations: memory beyond the cap, a cap that has no
// room for groups and is refused though there is room for one power.
TEST(BatchPowm, Caps) {
    enum { N = 9, COUNT = 40 };
    gen g = gen_seed(926);
    numbers base = numbers_open(N, N, COUNT), modulus = numbers_open(N, N, COUNT);
    gen_limbs(&g, GEN_UNIFORM, base.host, N * COUNT);
    gen_limbs(&g, GEN_UNIFORM, modulus.host, N * COUNT);
    for (uint64_t i = 0; i < COUNT; i++) {
        modulus.host[N * i] |= 1;
    }
    numbers_upload(&base), numbers_upload(&modulus);
    bool refused = false;
    for (uint64_t cap = 0; !refused;) {
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = cap});
        bigint_counters counters = {0};
        numbers r = numbers_draw_results(&g, &modulus);
        const bigint_status status =
            bigint_powm_batch(ctx, &r.span, &base.span, &base.span, &modulus.span);
        refused = status == BIGINT_ENOMEM;
        EXPECT_TRUE(refused || status == BIGINT_OK);
        if (!refused) {
            expect_powers(ctx, &g, &base, &base, &modulus);
        }
        bigint_ctx_counters(ctx, &counters);
        EXPECT_TRUE(cap == 0 || counters.workspace_peak <= cap);
        EXPECT_TRUE(!refused || cap < 16 * 1024);
        cap = cap == 0 ? counters.workspace_peak - 1 : cap / 4 * 3;
        numbers_close(&r);
        bigint_ctx_destroy(ctx);
    }
    numbers_close(&base), numbers_close(&modulus);
}
