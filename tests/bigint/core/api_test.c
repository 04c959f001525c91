// The public calls that compute nothing: lifetime, names and choices, places, errors and their
// texts, memory cap and counters.
#define _POSIX_C_SOURCE 200809L  // setenv
#include <stdlib.h>
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

// --- Lifetime ------------------------------------------------------------------------------------

// Mutations: NULL is followed, clear leaves a pointer behind, the zero state is not the number 0.
TEST(Api, ZeroState) {
    bigint_ctx_destroy(NULL);
    bigint_device_close(NULL);
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint_prep_destroy(ctx, NULL);
    EXPECT_EQ(bigint_ctx_error(ctx), "");
    bigint x = BIGINT_INIT, y = BIGINT_INIT, zeroed;
    memset(&zeroed, 0, sizeof zeroed);
    mpz_t zero;
    mpz_init(zero);
    EXPECT_BIGINT(ctx, &zeroed, zero);
    EXPECT_EQ(bigint_mul(ctx, &x, &zeroed, &y), BIGINT_OK);
    EXPECT_EQ(bigint_sqr(ctx, &x, &x), BIGINT_OK);
    EXPECT_EQ(bigint_add(ctx, &x, &x, &y), BIGINT_OK);
    EXPECT_EQ(bigint_neg(ctx, &x, &zeroed), BIGINT_OK);
    EXPECT_EQ(bigint_set(ctx, &x, &zeroed), BIGINT_OK);
    EXPECT_BIGINT(ctx, &x, zero);
    EXPECT_EQ(bigint_set_u64(ctx, &x, 5), BIGINT_OK);
    bigint_clear(ctx, &x);
    bigint_clear(ctx, &x);
    EXPECT_BIGINT(ctx, &x, zero);
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
    mpz_clear(zero);
    bigint_ctx_destroy(ctx);
}

// Mutation: swap forgets the capacity or the sign.
TEST(Api, Swap) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint x = BIGINT_INIT, y = BIGINT_INIT;
    mpz_t a, b;
    mpz_init_set_si(a, -3);
    mpz_init_set_str(b, "123456789abcdef0123456789abcdef", 16);
    fixture_set(ctx, &x, a);
    fixture_set(ctx, &y, b);
    bigint_swap(&x, &y);
    EXPECT_BIGINT(ctx, &x, b);
    EXPECT_BIGINT(ctx, &y, a);
    bigint_swap(&x, &x);
    EXPECT_BIGINT(ctx, &x, b);
    EXPECT_EQ(bigint_mul(ctx, &y, &x, &x), BIGINT_OK);
    mpz_mul(a, b, b);
    EXPECT_BIGINT(ctx, &y, a);
    bigint_clear(ctx, &x);
    bigint_clear(ctx, &y);
    mpz_clears(a, b, NULL);
    bigint_ctx_destroy(ctx);
}

// Mutation: a status without a text of its own.
TEST(Api, StatusTexts) {
    for (int s = BIGINT_EPEER; s <= BIGINT_OK; s++) {
        EXPECT_TRUE(strncmp(bigint_status_text((bigint_status)s), "BIGINT_", 7) == 0);
        for (int t = BIGINT_EPEER; t < s; t++) {
            EXPECT_TRUE(strcmp(bigint_status_text((bigint_status)s),
                               bigint_status_text((bigint_status)t)) != 0);
        }
    }
    EXPECT_TRUE(strlen(bigint_status_text((bigint_status)1)) > 0);
    EXPECT_TRUE(strlen(bigint_ctx_error(NULL)) > 0);
    EXPECT_TRUE(strlen(bigint_device_error(NULL)) > 0);
}

// --- Names and choices ---------------------------------------------------------------------------

// expect_refused: no context with these options; one that says why and refuses every call.
static void expect_refused(const bigint_ctx_options *options, bigint_status status,
                           const char *text) {
    bigint_ctx *ctx = NULL;
    EXPECT_EQ(bigint_ctx_create(&ctx, NULL, options), status);
    ASSERT_TRUE(ctx != NULL);
    EXPECT_TEXT(ctx, text);
    bigint x = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(ctx, &x, 1), status);
    EXPECT_EQ(bigint_add(ctx, &x, &x, &x), status);
    EXPECT_EQ(bigint_sync(ctx), status);
    EXPECT_TEXT(ctx, text);
    bigint_ctx_destroy(ctx);
}

// Mutations: an unknown name falls back to the default, a name is cut before it is compared.
TEST(Api, UnknownNamesFail) {
    expect_refused(&(bigint_ctx_options){.engine = "fast"}, BIGINT_ENOBACKEND,
                   "'fast'; the engines are schoolbook");
    expect_refused(&(bigint_ctx_options){.engine = ""}, BIGINT_ENOBACKEND, "options.engine");
    expect_refused(&(bigint_ctx_options){.engine = "toom3x"}, BIGINT_ENOBACKEND, "real-fft");
    expect_refused(&(bigint_ctx_options){.variant = "sse"}, BIGINT_ENOBACKEND,
                   "'sse'; the variants are portable");
    expect_refused(&(bigint_ctx_options){.mode = "quick"}, BIGINT_EINVAL, "certified");
    expect_refused(&(bigint_ctx_options){.checks = 2}, BIGINT_EINVAL, "options.checks");
    bigint_ctx *ctx = NULL;
    const bigint_allocator half = {.allocate = fixture_allocator(NULL).allocate};
    EXPECT_EQ(bigint_ctx_create(&ctx, NULL, &(bigint_ctx_options){.allocator = half}),
              BIGINT_EINVAL);
    EXPECT_TRUE(ctx == NULL);
}

// Mutations: the environment is ignored, or wins over an option, or an unknown name in it is
// ignored.
TEST(Api, EnvironmentChooses) {
    setenv("BIGINT_ENGINE", "nonsense", 1);
    expect_refused(NULL, BIGINT_ENOBACKEND, "BIGINT_ENGINE: no engine is called 'nonsense'");
    char line[200];
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = "karatsuba"});
    EXPECT_EQ(bigint_explain(ctx, line, sizeof line, NULL, 100, 100), BIGINT_OK);
    EXPECT_TRUE(strstr(line, "karatsuba") != NULL);
    bigint_ctx_destroy(ctx);
    setenv("BIGINT_ENGINE", "schoolbook", 1);
    ctx = fixture_ctx(NULL);
    EXPECT_EQ(bigint_explain(ctx, line, sizeof line, NULL, 100, 100), BIGINT_OK);
    EXPECT_TRUE(strstr(line, "schoolbook") != NULL);
    bigint_ctx_destroy(ctx);
    setenv("BIGINT_ENGINE", "", 1);  // as if unset
    bigint_ctx_destroy(fixture_ctx(NULL));
    unsetenv("BIGINT_ENGINE");

    setenv("BIGINT_VARIANT", "mmx", 1);
    expect_refused(NULL, BIGINT_ENOBACKEND, "BIGINT_VARIANT");
    setenv("BIGINT_VARIANT", "portable", 1);
    ctx = fixture_ctx(NULL);
    EXPECT_EQ(bigint_variant_name(ctx), "portable");
    bigint_ctx_destroy(ctx);
    unsetenv("BIGINT_VARIANT");

    setenv("BIGINT_BACKEND", "abacus", 1);
    expect_refused(NULL, BIGINT_ENOBACKEND, "BIGINT_BACKEND: no backend is called 'abacus'");
    setenv("BIGINT_BACKEND", "ref", 1);
    ctx = fixture_ctx(NULL);
    EXPECT_EQ(bigint_backend_name(ctx), "ref");
    bigint_ctx_destroy(ctx);
    unsetenv("BIGINT_BACKEND");
}

// Every name either works, and is then the one that is reported, or is refused with a sentence.
// Mutation: a forced variant is accepted and another one runs.
TEST(Api, EveryNameIsAnswered) {
    for (int i = 0; bigint_variants()[i] != NULL; i++) {
        const char *name = bigint_variants()[i];
        SCOPED_TRACE("variant %s", name);
        bigint_ctx *ctx = NULL;
        if (bigint_ctx_create(&ctx, NULL, &(bigint_ctx_options){.variant = name}) == BIGINT_OK) {
            EXPECT_EQ(bigint_variant_name(ctx), name);
        } else {
            EXPECT_TRUE(strcmp(name, "portable") != 0);
            EXPECT_TEXT(ctx, name);
        }
        bigint_ctx_destroy(ctx);
    }
    for (int i = 0; bigint_engines()[i] != NULL; i++) {
        const char *name = bigint_engines()[i];
        SCOPED_TRACE("engine %s", name);
        bigint_ctx *ctx = NULL;
        char line[200] = "";
        if (bigint_ctx_create(&ctx, NULL, &(bigint_ctx_options){.engine = name}) == BIGINT_OK) {
            EXPECT_EQ(bigint_explain(ctx, line, sizeof line, NULL, 100, 100), BIGINT_OK);
            EXPECT_TRUE(strstr(line, name) != NULL);
        } else {
            EXPECT_TEXT(ctx, name);
        }
        bigint_ctx_destroy(ctx);
    }
}

// Mutation: backend ref uses what the processor offers.
TEST(Api, Devices) {
    bigint_device *device = NULL;
    bigint_ctx *ctx = NULL;
    char line[200] = "";
    EXPECT_EQ(bigint_device_open(&device, BIGINT_HOST, "ref"), BIGINT_OK);
    EXPECT_EQ(bigint_device_error(device), "");
    EXPECT_EQ(bigint_ctx_create(&ctx, device, NULL), BIGINT_OK);
    bigint_device_close(device);  // the context keeps what it needs
    EXPECT_EQ(bigint_backend_name(ctx), "ref");
    EXPECT_EQ(bigint_variant_name(ctx), "portable");
    EXPECT_EQ(bigint_explain(ctx, line, sizeof line, NULL, 5000, 5000), BIGINT_OK);
    EXPECT_TRUE(strstr(line, "schoolbook") != NULL);
    bigint_ctx_destroy(ctx);

    EXPECT_EQ(bigint_device_open(&device, BIGINT_HOST, "ref"), BIGINT_OK);
    EXPECT_EQ(bigint_ctx_create(&ctx, device, &(bigint_ctx_options){.variant = "avx2"}),
              BIGINT_ENOBACKEND);
    EXPECT_TEXT(ctx, "ref");
    bigint_ctx_destroy(ctx);
    bigint_device_close(device);

    const struct {
        int place;
        const char *backend, *text;
    } refused[] = {{BIGINT_HOST, "gpu", "'gpu'; the backends are ref, cpu, cuda"},
                   {BIGINT_HOST, "cuda", "cuda"},
                   {12345, NULL, "place 12345"},
                   {0, "cpu", "host"},
                   {-7, "cpu", "-7"}};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        SCOPED_TRACE("refused %zu", i);
        EXPECT_EQ(bigint_device_open(&device, refused[i].place, refused[i].backend),
                  BIGINT_ENOBACKEND);
        ASSERT_TRUE(device != NULL);
        EXPECT_TRUE(strstr(bigint_device_error(device), refused[i].text) != NULL);
        EXPECT_EQ(bigint_ctx_create(&ctx, device, NULL), BIGINT_ENOBACKEND);
        EXPECT_TEXT(ctx, refused[i].text);
        bigint_ctx_destroy(ctx);
        bigint_device_close(device);
    }
}

// --- Places --------------------------------------------------------------------------------------

// Mutations: an operand of another place is read, its zero state refused, a failure changes the
// result.
TEST(Api, Places) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint x = BIGINT_INIT, elsewhere = BIGINT_INIT, r = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(ctx, &x, 3), BIGINT_OK);
    EXPECT_EQ(bigint_set_u64(ctx, &elsewhere, 4), BIGINT_OK);
    EXPECT_EQ(bigint_set_u64(ctx, &r, 5), BIGINT_OK);
    elsewhere.place_ = 2;  // as if it lived on device 1
    int order;
    EXPECT_EQ(bigint_add(ctx, &r, &x, &elsewhere), BIGINT_EPLACE);
    EXPECT_TEXT(ctx, "bigint_add: an operand lives on place 1");
    EXPECT_EQ(bigint_mul(ctx, &r, &elsewhere, &x), BIGINT_EPLACE);
    EXPECT_EQ(bigint_mul(ctx, &elsewhere, &x, &x), BIGINT_EPLACE);
    EXPECT_EQ(bigint_cmp(ctx, &order, &x, &elsewhere), BIGINT_EPLACE);
    EXPECT_EQ(bigint_set_u64(ctx, &elsewhere, 1), BIGINT_EPLACE);
    mpz_t five;
    mpz_init_set_ui(five, 5);
    EXPECT_BIGINT(ctx, &r, five);
    EXPECT_EQ(bigint_move(ctx, &x, BIGINT_HOST), BIGINT_OK);
    EXPECT_EQ(bigint_move(ctx, &x, 12345), BIGINT_ENOBACKEND);
    EXPECT_TEXT(ctx, "bigint_move");
    EXPECT_EQ(bigint_move(ctx, &elsewhere, 2), BIGINT_EPLACE);
    bigint_clear(ctx, &elsewhere);  // not this context's to free
    EXPECT_TEXT(ctx, "bigint_clear: an operand lives on place 1");
    EXPECT_EQ(bigint_divrem(ctx, NULL, &elsewhere, &r, &x), BIGINT_EPLACE);
    EXPECT_EQ(bigint_divrem(ctx, &elsewhere, NULL, &r, &x), BIGINT_EPLACE);
    EXPECT_EQ(bigint_powm(ctx, &elsewhere, &x, &x, &r), BIGINT_EPLACE);
    elsewhere.place_ = x.place_;
    mpz_clear(five);
    bigint_clear(ctx, &x);
    bigint_clear(ctx, &elsewhere);
    bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
}

// --- Memory --------------------------------------------------------------------------------------

// set_ones: x = 2^(64 n) - 1.
static void set_ones(bigint_ctx *ctx, bigint *x, uint64_t n) {
    bigint one = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(ctx, &one, 1), BIGINT_OK);
    EXPECT_EQ(bigint_mul_2exp(ctx, x, &one, 64 * n), BIGINT_OK);
    EXPECT_EQ(bigint_sub(ctx, x, x, &one), BIGINT_OK);
    bigint_clear(ctx, &one);
}

// The workspace that is asked for is enough, and is what is used. Mutations: the copy of an operand
// in place is not counted, a block is counted without its header, a released block stays in the
// count.
TEST(Api, WorkspaceQueryIsTrue) {
    const uint64_t sizes[][2] = {{1, 1}, {30, 30}, {100, 7}, {500, 500}, {2000, 900}, {5000, 5000}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int in_place = 0; in_place < 2; in_place++) {
            SCOPED_TRACE("%llu x %llu limbs, in place %d", (unsigned long long)sizes[i][0],
                         (unsigned long long)sizes[i][1], in_place);
            bigint_ctx *ctx = fixture_ctx(NULL);
            bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
            uint64_t bound = 0;
            bigint_counters counters;
            EXPECT_EQ(bigint_workspace_bytes(ctx, &bound, sizes[i][0], sizes[i][1]), BIGINT_OK);
            bigint_ctx_counters(ctx, &counters);
            EXPECT_EQ(counters.workspace_bytes, 0u);
            set_ones(ctx, &a, sizes[i][0] + sizes[i][1] + 1);  // room for the product
            set_ones(ctx, &a, sizes[i][0]);
            set_ones(ctx, &b, sizes[i][1]);
            EXPECT_EQ(bigint_mul(ctx, in_place ? &a : &r, &a, &b), BIGINT_OK);
            bigint_ctx_counters(ctx, &counters);
            EXPECT_TRUE(counters.workspace_peak <= bound);
            EXPECT_TRUE(counters.workspace_bytes <= counters.workspace_peak);
            EXPECT_EQ(counters.products, 1u);
            bigint_ctx_trim(ctx);
            bigint_ctx_counters(ctx, &counters);
            EXPECT_EQ(counters.workspace_bytes, 0u);

            // The same under a cap of just that much, after smaller products have left their
            // traces in the arena.
            bigint_ctx_destroy(ctx);
            ctx = fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = bound});
            for (uint64_t n = 1; n <= sizes[i][0]; n += n < 4 ? 1 : n / 4) {
                set_ones(ctx, &a, n);
                EXPECT_EQ(bigint_mul(ctx, in_place ? &a : &r, &a, &b), BIGINT_OK);
            }
            bigint_ctx_counters(ctx, &counters);
            EXPECT_TRUE(counters.workspace_peak <= bound);
            bigint_clear(ctx, &a);
            bigint_clear(ctx, &b);
            bigint_clear(ctx, &r);
            bigint_ctx_destroy(ctx);
        }
    }
}

// Mutations: the cap is not looked at, the result is changed before the workspace is there.
TEST(Api, WorkspaceCap) {
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = 100});
    bigint a = BIGINT_INIT;
    mpz_t z;
    mpz_init(z);
    set_ones(ctx, &a, 10000);
    set_ones(ctx, &a, 5000);
    EXPECT_EQ(bigint_mul(ctx, &a, &a, &a), BIGINT_ENOMEM);
    EXPECT_TEXT(ctx, "bigint_mul");
    EXPECT_TEXT(ctx, "100");
    EXPECT_TEXT(ctx, "max_workspace_bytes");
    mpz_ui_pow_ui(z, 2, 64 * 5000);
    mpz_sub_ui(z, z, 1);
    EXPECT_BIGINT(ctx, &a, z);
    bigint_counters counters;
    bigint_ctx_counters(ctx, &counters);
    EXPECT_TRUE(counters.workspace_peak <= 100);
    mpz_clear(z);
    bigint_clear(ctx, &a);
    bigint_ctx_destroy(ctx);
}

// Sizes that no machine holds. Mutation: an + bn or the bytes wrap around.
TEST(Api, AbsurdSizes) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    uint64_t bytes;
    char line[200];
    const uint64_t huge[] = {((uint64_t)1 << 56) + 1, (uint64_t)1 << 61, (uint64_t)1 << 63,
                             UINT64_MAX};
    for (size_t i = 0; i < sizeof huge / sizeof huge[0]; i++) {
        EXPECT_EQ(bigint_workspace_bytes(ctx, &bytes, huge[i], 1), BIGINT_ERANGE);
        EXPECT_EQ(bigint_workspace_bytes(ctx, &bytes, huge[i], huge[i]), BIGINT_ERANGE);
        EXPECT_TEXT(ctx, "bigint_workspace_bytes");
        EXPECT_EQ(bigint_explain(ctx, line, sizeof line, NULL, 1, huge[i]), BIGINT_ERANGE);
    }
    bigint x = BIGINT_INIT;
    uint64_t limb = 1;
    EXPECT_EQ(bigint_set_limbs(ctx, &x, &limb, UINT64_MAX, 1), BIGINT_ERANGE);
    bigint_ctx_destroy(ctx);
}

// Mutations: checks are not done, or not counted, for products with a plan or without.
TEST(Api, CountersAndChecks) {
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.checks = 1});
    bigint a = BIGINT_INIT;
    set_ones(ctx, &a, 40);
    for (int i = 0; i < 5; i++) {
        EXPECT_EQ(bigint_sqr(ctx, &a, &a), BIGINT_OK);
    }
    bigint_counters counters;
    bigint_ctx_counters(ctx, &counters);
    EXPECT_EQ(counters.products, 5u);
    EXPECT_EQ(counters.checks, 5u);
    EXPECT_EQ(counters.mismatches, 0u);
    set_ones(ctx, &a, 1);
    EXPECT_EQ(bigint_sqr(ctx, &a, &a), BIGINT_OK);  // few limbs, in place
    bigint b = BIGINT_INIT;
    EXPECT_EQ(bigint_set(ctx, &b, &a), BIGINT_OK);
    EXPECT_EQ(bigint_sqr(ctx, &b, &a), BIGINT_OK);
    set_ones(ctx, &a, 1);
    EXPECT_EQ(bigint_mul(ctx, &b, &a, &a), BIGINT_OK);
    bigint_ctx_counters(ctx, &counters);
    EXPECT_EQ(counters.products, 8u);
    EXPECT_EQ(counters.checks, 8u);
    bigint_clear(ctx, &b);
    bigint_clear(ctx, &a);
    bigint_ctx_destroy(ctx);
}
