// fixture.c: see fixture.h.
#include "tests/bigint/core/fixture.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/bigint_gmp.h"
#include "tests/ctest/ctest.h"

// The place that fixture_ctx works on is chosen in the BUILD file.
#if !defined(FIXTURE_PLACE)
#define FIXTURE_PLACE BIGINT_HOST
#endif
#if !defined(FIXTURE_MEMBER)
#define FIXTURE_MEMBER BIGINT_HOST  // of FIXTURE_PLACE BIGINT_GROUP
#endif

static void stop(const bigint_ctx *ctx) {
    fprintf(stderr, "fixture: %s\n", bigint_ctx_error(ctx));
    abort();
}

bigint_status fixture_open(bigint_device **device) {
    static const int members[] = {FIXTURE_MEMBER, FIXTURE_MEMBER, FIXTURE_MEMBER};
    return FIXTURE_PLACE == BIGINT_GROUP ? bigint_device_open_group(device, members, 3, NULL)
                                         : bigint_device_open(device, FIXTURE_PLACE, NULL);
}

bigint_ctx *fixture_ctx(const bigint_ctx_options *options) {
    bigint_device *device;
    bigint_ctx *ctx = NULL;
    if (fixture_open(&device) == BIGINT_ENOMEM ||
        bigint_ctx_create(&ctx, device, options) != BIGINT_OK) {
        stop(ctx);
    }
    bigint_device_close(device);
    return ctx;
}

int fixture_place(void) { return FIXTURE_PLACE; }

int fixture_thinning(void) { return FIXTURE_PLACE == BIGINT_HOST ? 1 : 10; }

void fixture_set(bigint_ctx *ctx, bigint *x, const mpz_t z) {
    if (bigint_set_mpz(ctx, x, z) != BIGINT_OK) {
        stop(ctx);
    }
}

void fixture_limbs(gen *g, mpz_t z, size_t n) {
    fixture_shape(g, (gen_shape)(1 + gen_below(g, GEN_SHAPES - 1)), z, n);
}

void fixture_shape(gen *g, gen_shape shape, mpz_t z, size_t n) {
    if (n == 0) {
        mpz_set_ui(z, 0);
        return;
    }
    gen_limbs(g, shape, mpz_limbs_write(z, (mp_size_t)n), n);
    mpz_limbs_finish(z, (mp_size_t)n);
}

void fixture_draw(gen *g, bigint_ctx *ctx, bigint *x, mpz_t z, size_t max_limbs) {
    const size_t n = gen_size(g, 1, max_limbs);
    if (gen_below(g, 16) == 0) {
        mpz_set_ui(z, 0);
    } else {
        fixture_limbs(g, z, n);
        if (gen_below(g, 2) != 0) {
            mpz_neg(z, z);
        }
    }
    fixture_set(ctx, x, z);
}

int fixture_expect(const char *file, int line, const char *what, bigint_ctx *ctx, const bigint *x,
                   const mpz_t z) {
    uint64_t bits = 0;
    int sign = 2;
    mpz_t value;
    mpz_init(value);
    const int read = bigint_get_mpz(ctx, value, x) == BIGINT_OK &&
                     bigint_bits(ctx, &bits, x) == BIGINT_OK &&
                     bigint_sign(ctx, &sign, x) == BIGINT_OK;
    const int equal = read && mpz_cmp(value, z) == 0 && sign == mpz_sgn(z) &&
                      bits == (sign == 0 ? 0 : mpz_sizeinbase(z, 2)) &&
                      (FIXTURE_PLACE == BIGINT_HOST ? bigint_limbs_bound(x) == mpz_size(z)
                                                    : bigint_limbs_bound(x) >= mpz_size(z));
    if (!equal) {
        ct_fail(file, line, 0,
                "%s: sign %d, %llu bits, %llu limbs%s; right are sign %d, %zu bits, %zu limbs",
                what, sign, (unsigned long long)bits, (unsigned long long)bigint_limbs_bound(x),
                read && mpz_cmp(value, z) != 0 ? ", another value" : "", mpz_sgn(z),
                mpz_sgn(z) == 0 ? 0 : mpz_sizeinbase(z, 2), mpz_size(z));
    }
    mpz_clear(value);
    return equal;
}

void fixture_expect_text(const char *file, int line, const bigint_ctx *ctx, const char *text) {
    if (strstr(bigint_ctx_error(ctx), text) == NULL) {
        ct_fail(file, line, 0, "the text \"%s\" does not say \"%s\"", bigint_ctx_error(ctx), text);
    }
}

void fixture_check_product(bigint_ctx *ctx, const mpz_t zx, const mpz_t zy) {
    bigint x = BIGINT_INIT, y = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t want;
    mpz_init(want);
    mpz_mul(want, zx, zy);
    fixture_set(ctx, &x, zx);
    fixture_set(ctx, &y, zy);
    EXPECT_EQ(bigint_mul(ctx, &r, &x, &y), BIGINT_OK);
    EXPECT_BIGINT(ctx, &r, want);
    EXPECT_EQ(bigint_mul(ctx, &x, &x, &y), BIGINT_OK);
    EXPECT_BIGINT(ctx, &x, want);
    fixture_set(ctx, &x, zx);
    EXPECT_EQ(bigint_mul(ctx, &y, &x, &y), BIGINT_OK);
    EXPECT_BIGINT(ctx, &y, want);
    mpz_mul(want, zx, zx);
    EXPECT_EQ(bigint_sqr(ctx, &r, &x), BIGINT_OK);
    EXPECT_BIGINT(ctx, &r, want);
    EXPECT_EQ(bigint_mul(ctx, &x, &x, &x), BIGINT_OK);
    EXPECT_BIGINT(ctx, &x, want);
    bigint_clear(ctx, &x), bigint_clear(ctx, &y), bigint_clear(ctx, &r);
    mpz_clear(want);
}

void fixture_check_loose_lengths(bigint_ctx *ctx) {
    bigint x = BIGINT_INIT, y = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t zero, want;
    mpz_inits(zero, want, NULL);
    EXPECT_EQ(bigint_set_u64(ctx, &x, 5), BIGINT_OK);
    EXPECT_EQ(bigint_set_u64(ctx, &r, 7), BIGINT_OK);
    EXPECT_EQ(bigint_mul(ctx, &r, &x, &y), BIGINT_OK);
    EXPECT_BIGINT(ctx, &r, zero);
    EXPECT_EQ(bigint_mul_2exp(ctx, &y, &x, 5000), BIGINT_OK);
    EXPECT_EQ(bigint_mul(ctx, &r, &y, &x), BIGINT_OK);
    mpz_set_ui(want, 25);
    mpz_mul_2exp(want, want, 5000);
    EXPECT_BIGINT(ctx, &r, want);
    EXPECT_EQ(bigint_sub(ctx, &r, &y, &y), BIGINT_OK);  // 0 with limbs
    EXPECT_EQ(bigint_mul(ctx, &r, &r, &x), BIGINT_OK);
    EXPECT_BIGINT(ctx, &r, zero);
    EXPECT_EQ(bigint_sub(ctx, &r, &y, &x), BIGINT_OK);
    EXPECT_EQ(bigint_sub(ctx, &r, &r, &y), BIGINT_OK);  // -5 in many limbs
    EXPECT_EQ(bigint_mul(ctx, &r, &r, &x), BIGINT_OK);
    mpz_set_si(want, -25);
    EXPECT_BIGINT(ctx, &r, want);
    bigint_clear(ctx, &x), bigint_clear(ctx, &y), bigint_clear(ctx, &r);
    mpz_clears(zero, want, NULL);
}

void fixture_random_products(bigint_ctx *ctx, uint64_t seed, int rounds, size_t longest) {
    gen g = gen_seed(seed);
    mpz_t zx, zy;
    mpz_inits(zx, zy, NULL);
    for (int round = 0; round < rounds; round++) {
        const gen_shape shape = (gen_shape)(round % GEN_SHAPES);
        const size_t n = gen_size(&g, 1, longest), m = gen_size(&g, 1, longest);
        SCOPED_TRACE("%s %zu x %zu", gen_shape_name(shape), n, m);
        fixture_shape(&g, shape, zx, n);
        fixture_shape(&g, (gen_shape)gen_below(&g, GEN_SHAPES), zy, m);
        if (round % 3 == 1) {
            mpz_neg(zx, zx);
        }
        if (round % 4 == 2) {
            mpz_neg(zy, zy);
        }
        fixture_check_product(ctx, zx, zy);
    }
    bigint_counters counters;
    bigint_ctx_counters(ctx, &counters);
    EXPECT_TRUE(counters.checks == counters.products && counters.mismatches == 0);
    mpz_clears(zx, zy, NULL);
}

static void *log_allocate(void *user, size_t bytes) {
    allocator_log *log = user;
    const uint64_t call = __atomic_add_fetch(&log->calls, 1, __ATOMIC_RELAXED);
    if (call == log->fail_at || bytes >> 36 != 0) {  // no test needs 64 GiB
        return NULL;
    }
    const size_t rounded = (bytes + 63) / 64 * 64 + 64;  // the size in front of the block
    unsigned char *p = aligned_alloc(64, rounded);
    if (p == NULL) {
        return NULL;
    }
    memset(p, 0xa5, rounded);
    memcpy(p, &bytes, sizeof bytes);
    __atomic_add_fetch(&log->live_blocks, 1, __ATOMIC_RELAXED);
    const uint64_t live = __atomic_add_fetch(&log->live_bytes, bytes, __ATOMIC_RELAXED);
    uint64_t peak = __atomic_load_n(&log->peak_bytes, __ATOMIC_RELAXED);
    while (peak < live && !__atomic_compare_exchange_n(&log->peak_bytes, &peak, live, true,
                                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return p + 64;
}

static void log_release(void *user, void *p, size_t bytes) {
    allocator_log *log = user;
    unsigned char *block = (unsigned char *)p - 64;
    size_t asked;
    memcpy(&asked, block, sizeof asked);
    if (asked != bytes) {
        ct_fail(__FILE__, __LINE__, 0, "released with %zu bytes, allocated with %zu", bytes, asked);
    }
    __atomic_sub_fetch(&log->live_blocks, 1, __ATOMIC_RELAXED);
    __atomic_sub_fetch(&log->live_bytes, asked, __ATOMIC_RELAXED);
    free(block);
}

bigint_allocator fixture_allocator(allocator_log *log) {
    return (bigint_allocator){log_allocate, log_release, log};
}
