// Absurd sizes for every size argument of every public call: lengths and counts that no memory
// holds are refused before anything is read, and nothing is written. Built for contexts on the host
// and on a device.
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

// Sizes for which n + 1, 8 n, 64 n, n + 7, 2 n or sums of two of them wrap around.
static const uint64_t huge[] = {((uint64_t)1 << 61) - 1, (uint64_t)1 << 61, ((uint64_t)1 << 61) + 1,
                                (uint64_t)1 << 62,       INT64_MAX,         (uint64_t)1 << 63,
                                UINT64_MAX - 63,         UINT64_MAX - 18,   UINT64_MAX - 7,
                                UINT64_MAX - 1,          UINT64_MAX};
enum { SIZES = sizeof huge / sizeof *huge };

// state: small operands; r and what the calls write to keep their values.
typedef struct {
    allocator_log log;
    bigint_ctx *ctx;
    bigint a, r;
} state;

static void open_state(state *s) {
    *s = (state){0};
    s->ctx = fixture_ctx(&(bigint_ctx_options){.allocator = fixture_allocator(&s->log)});
    EXPECT_EQ(bigint_set_i64(s->ctx, &s->a, -35), BIGINT_OK);
    EXPECT_EQ(bigint_set_i64(s->ctx, &s->r, 77), BIGINT_OK);
}

static void close_state(state *s) {
    mpz_t z;
    mpz_init_set_ui(z, 77);
    EXPECT_BIGINT(s->ctx, &s->r, z);
    mpz_set_si(z, -35);
    EXPECT_BIGINT(s->ctx, &s->a, z);
    mpz_clear(z);
    bigint_clear(s->ctx, &s->a), bigint_clear(s->ctx, &s->r);
    bigint_ctx_destroy(s->ctx);
    EXPECT_EQ(s->log.live_blocks, 0u);
}

// host_alone: the status of a call that is not built for devices.
static bigint_status host_alone(bigint_status status) {
    return fixture_place() == BIGINT_HOST ? status : BIGINT_ENOBACKEND;
}

// Mutations: a length that is read before it is checked; one rounded up to words that wraps around;
// a count of characters beyond SIZE_MAX / 2 in one of two texts; an exponent of 64 n bits.
TEST(Sizes, Buffers) {
    state s;
    open_state(&s);
    const uint64_t limbs[2] = {5, 0};
    const char *const digits = "1234567890123456789012345678901234567890";
    const uint8_t *const bytes = (const uint8_t *)digits;
    char text[100] = "#";
    size_t need = 3, bad_at = 3;
    for (int i = 0; i < SIZES; i++) {
        const uint64_t n = huge[i];
        SCOPED_TRACE("size %llu", (unsigned long long)n);
        EXPECT_EQ(bigint_set_limbs(s.ctx, &s.r, limbs, n, 1), BIGINT_ERANGE);
        EXPECT_TEXT(s.ctx, "bigint_set_limbs: a number of");
        EXPECT_EQ(bigint_set_bytes(s.ctx, &s.r, bytes, n, BIGINT_LITTLE_ENDIAN, 1), BIGINT_ERANGE);
        EXPECT_EQ(bigint_set_bytes(s.ctx, &s.r, bytes, n, BIGINT_BIG_ENDIAN, 1), BIGINT_ERANGE);
        EXPECT_TEXT(s.ctx, "bigint_set_bytes: a number of");
        EXPECT_EQ(bigint_set_hex(s.ctx, &s.r, digits, n, &bad_at), BIGINT_ERANGE);
        EXPECT_TEXT(s.ctx, "bigint_set_hex: a number of");
        EXPECT_EQ(bigint_set_decimal(s.ctx, &s.r, digits, n, &bad_at), BIGINT_ERANGE);
        EXPECT_TEXT(s.ctx, "bigint_set_decimal: a number of");
        EXPECT_EQ(bigint_powm_sec(s.ctx, &s.r, &s.a, limbs, n, &s.a), BIGINT_ERANGE);
        EXPECT_TEXT(s.ctx, "bigint_powm_sec: a number of");
        EXPECT_EQ(bigint_mul_decimal(s.ctx, text, sizeof text, &need, digits, n, "7", 1, &bad_at),
                  BIGINT_ERANGE);
        EXPECT_EQ(bigint_mul_decimal(s.ctx, text, sizeof text, &need, "7", 1, digits, n, &bad_at),
                  BIGINT_ERANGE);
        EXPECT_EQ(bigint_mul_decimal(s.ctx, text, n, &need, digits, n, digits, n, NULL),
                  BIGINT_ERANGE);
        EXPECT_TRUE(need == 3 && bad_at == 3 && text[0] == '#');
        const bigint *const factors[] = {&s.a};
        EXPECT_EQ(bigint_mul_sum(s.ctx, &s.r, factors, factors, NULL, n), BIGINT_ERANGE);
        EXPECT_TEXT(s.ctx, "bigint_mul_sum");
    }
    close_state(&s);
}

// The calls on limbs in the caller's memory. Mutations: a short other factor that lets a length
// pass; a top limb that is looked at before its place is checked.
TEST(Sizes, CallersLimbs) {
    state s;
    open_state(&s);
    const uint64_t a[2] = {5, 1};
    uint64_t r[4] = {7, 7, 7, 7}, rn = 7;
    char text[100] = "#";
    size_t need = 7, bad_at = 7;
    int exact = 7;
    const bigint_status refused = host_alone(BIGINT_ERANGE);
    for (int i = 0; i < SIZES; i++) {
        const uint64_t n = huge[i], others[] = {0, 1, 2, 0 - n, 1 - n, n};
        SCOPED_TRACE("%llu limbs", (unsigned long long)n);
        for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
            EXPECT_EQ(bigint_limbs_mul(s.ctx, r, a, n, a, others[k]), refused);
            EXPECT_EQ(bigint_limbs_mul(s.ctx, r, a, others[k], a, n), refused);
        }
        EXPECT_EQ(bigint_limbs_sqr(s.ctx, r, a, n), refused);
        bigint_status (*const products[])(bigint_ctx *, bigint_limb *, const bigint_limb *,
                                          uint64_t, const bigint_limb *, uint64_t, uint64_t) = {
            bigint_limbs_mul_mod_2exp_minus1, bigint_limbs_mul_mod_2exp_plus1};
        for (int k = 0; k < 2; k++) {
            EXPECT_EQ(products[k](s.ctx, r, a, n, a, 1, 100), host_alone(BIGINT_EINVAL));
            EXPECT_EQ(products[k](s.ctx, r, a, 1, a, n, UINT64_MAX), host_alone(BIGINT_EINVAL));
            EXPECT_EQ(products[k](s.ctx, r, a, 1, a, 1, UINT64_MAX), refused);
        }
        EXPECT_EQ(bigint_limbs_divrem(s.ctx, r, NULL, a, n, a, 2), refused);
        EXPECT_EQ(bigint_limbs_divrem(s.ctx, NULL, r, a, n, a, n), refused);
        EXPECT_EQ(bigint_limbs_divrem(s.ctx, r, NULL, a, 2, a, n), host_alone(BIGINT_EINVAL));
        EXPECT_EQ(bigint_limbs_sqrt(s.ctx, r, NULL, &exact, a, n), refused);
        EXPECT_EQ(bigint_limbs_powm(s.ctx, r, a, n, a, 2, a, 2), refused);
        EXPECT_EQ(bigint_limbs_powm(s.ctx, r, a, 2, a, n, a, 2), refused);
        EXPECT_EQ(bigint_limbs_powm(s.ctx, r, a, 2, a, 2, a, n), refused);
        EXPECT_EQ(bigint_limbs_set_decimal(s.ctx, r, 4, &rn, "123", n, &bad_at), refused);
        EXPECT_EQ(bigint_limbs_get_decimal(s.ctx, text, sizeof text, &need, a, n), refused);
        EXPECT_TRUE(r[0] == 7 && rn == 7 && bad_at == 7 && exact == 7);
        EXPECT_TRUE(need == 7 && text[0] == '#');
    }
    close_state(&s);
}

// A capacity may be any number. Mutation: buf + cap, or cap + 1, wraps around.
TEST(Sizes, Capacities) {
    state s;
    open_state(&s);
    for (int i = 0; i < SIZES; i++) {
        const uint64_t cap = huge[i];
        uint64_t limbs[1] = {0}, need = 0;
        size_t size = 0;
        uint8_t bytes[1] = {0};
        char text[400] = "#";
        SCOPED_TRACE("capacity %llu", (unsigned long long)cap);
        EXPECT_EQ(bigint_get_limbs(s.ctx, limbs, cap, &need, NULL, &s.a), BIGINT_OK);
        EXPECT_TRUE(limbs[0] == 35 && need == 1);
        EXPECT_EQ(bigint_get_bytes(s.ctx, bytes, cap, &size, BIGINT_BIG_ENDIAN, &s.a), BIGINT_OK);
        EXPECT_TRUE(bytes[0] == 35 && size == 1);
        EXPECT_EQ(bigint_get_hex(s.ctx, text, cap, &size, &s.a), BIGINT_OK);
        EXPECT_EQ(text, "-23");
        EXPECT_EQ(bigint_get_decimal(s.ctx, text, cap, &size, &s.a), BIGINT_OK);
        EXPECT_EQ(text, "-35");
        EXPECT_EQ(bigint_explain(s.ctx, text, cap, &size, 100, 100), BIGINT_OK);
        EXPECT_EQ(strlen(text) + 1, size);
        EXPECT_EQ(bigint_mul_decimal(s.ctx, text, cap, &size, "-12", 3, "12", 2, NULL), BIGINT_OK);
        EXPECT_EQ(text, "-144");
    }
    close_state(&s);
}

// Mutation: the sum of two lengths wraps around.
TEST(Sizes, Plans) {
    state s;
    open_state(&s);
    for (int i = 0; i < SIZES; i++) {
        uint64_t bytes = 3;
        size_t need = 3;
        bigint_prep *prep = NULL;
        // n and what makes n + other 0, 1 or small, or is as large.
        const uint64_t n = huge[i], others[] = {0, 1, 0 - n, 1 - n, 100 - n, n, UINT64_MAX};
        for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
            SCOPED_TRACE("%llu by %llu limbs", (unsigned long long)n,
                         (unsigned long long)others[k]);
            EXPECT_EQ(bigint_workspace_bytes(s.ctx, &bytes, n, others[k]), BIGINT_ERANGE);
            EXPECT_EQ(bigint_workspace_bytes(s.ctx, &bytes, others[k], n), BIGINT_ERANGE);
            EXPECT_TEXT(s.ctx, "bigint_workspace_bytes: a product of");
            EXPECT_EQ(bigint_explain(s.ctx, NULL, 0, &need, n, others[k]), BIGINT_ERANGE);
            EXPECT_EQ(bigint_explain(s.ctx, NULL, 0, &need, others[k], n), BIGINT_ERANGE);
        }
        EXPECT_TRUE(bytes == 3 && need == 3);
        EXPECT_EQ(bigint_prep_create(s.ctx, &prep, &s.a, n), BIGINT_ERANGE);
        EXPECT_TEXT(s.ctx, "bigint_prep_create");
        EXPECT_TRUE(prep == NULL);
    }
    close_state(&s);
}

// expect_value: x is a small number.
static void expect_value(bigint_ctx *ctx, const bigint *x, int64_t value) {
    mpz_t z;
    mpz_init_set_si(z, value);
    EXPECT_BIGINT(ctx, x, z);
    mpz_clear(z);
}

// Numbers of bits, and degrees. Mutations: bits + 1 or 64 n wraps around, a modulus of more than
// 2^56 limbs is made, one is not made although the result is small.
TEST(Sizes, BitsAndDegrees) {
    state s;
    open_state(&s);
    bigint x = BIGINT_INIT, five = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(s.ctx, &five, 5), BIGINT_OK);
    for (int i = 0; i < SIZES; i++) {
        const uint64_t n = huge[i];
        // Below 2^56 limbs a number is allowed, but there is no memory for it.
        const bool allowed = n < (uint64_t)1 << 62;
        SCOPED_TRACE("%llu bits", (unsigned long long)n);
        EXPECT_EQ(bigint_mul_2exp(s.ctx, &s.r, &s.a, n), allowed ? BIGINT_ENOMEM : BIGINT_ERANGE);
        EXPECT_EQ(bigint_tdiv_2exp(s.ctx, &x, &s.a, n), BIGINT_OK);
        expect_value(s.ctx, &x, 0);
        bigint_status (*const products[])(bigint_ctx *, bigint *, const bigint *, const bigint *,
                                          uint64_t) = {bigint_mul_mod_2exp_minus1,
                                                       bigint_mul_mod_2exp_plus1};
        for (int k = 0; k < 2; k++) {
            EXPECT_EQ(products[k](s.ctx, &s.r, &s.a, &five, n),
                      allowed ? BIGINT_ENOMEM : BIGINT_ERANGE);
            // A device might have to add the modulus, since the host knows no signs.
            EXPECT_EQ(products[k](s.ctx, &x, &five, &five, n), fixture_place() == BIGINT_HOST
                                                                   ? BIGINT_OK
                                                               : allowed ? BIGINT_ENOMEM
                                                                         : BIGINT_ERANGE);
            expect_value(s.ctx, &x, fixture_place() == BIGINT_HOST ? 25 : 0);
        }
        EXPECT_EQ(bigint_root(s.ctx, &x, NULL, &five, n), BIGINT_OK);
        expect_value(s.ctx, &x, 1);
    }
    bigint_clear(s.ctx, &x), bigint_clear(s.ctx, &five);
    close_state(&s);
}

// Options and places. Mutations: threads times the bytes of each, a cap plus something, or a place
// plus one wraps around.
TEST(Sizes, OptionsAndPlaces) {
    state s;
    open_state(&s);
    for (int i = 0; i < SIZES; i++) {
        bigint_ctx *const ctx = fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = huge[i]});
        bigint x = BIGINT_INIT;
        EXPECT_EQ(bigint_set_i64(ctx, &x, -5), BIGINT_OK);
        EXPECT_EQ(bigint_mul_2exp(ctx, &x, &x, 1000000), BIGINT_OK);
        EXPECT_EQ(bigint_sqr(ctx, &x, &x), BIGINT_OK);
        EXPECT_EQ(bigint_tdiv_2exp(ctx, &x, &x, 2000000), BIGINT_OK);
        expect_value(ctx, &x, 25);
        bigint_clear(ctx, &x);
        bigint_ctx_destroy(ctx);
    }
    static const int places[] = {INT_MAX, INT_MIN, INT_MAX - 1, INT_MIN + 1};
    for (int i = 0; i < 4; i++) {
        bigint_device *device = NULL;
        bigint_ctx *ctx = NULL;
        EXPECT_EQ(bigint_device_open(&device, places[i], NULL), BIGINT_ENOBACKEND);
        EXPECT_EQ(bigint_ctx_create(&ctx, device, NULL), BIGINT_ENOBACKEND);
        bigint_clear(ctx, &s.a);  // not its to free
        EXPECT_TEXT(ctx, "bigint_clear");
        bigint_ctx_destroy(ctx);
        bigint_device_close(device);
        EXPECT_EQ(bigint_move(s.ctx, &s.a, places[i]), BIGINT_ENOBACKEND);
    }
    allocator_log log = {0};
    bigint_ctx *ctx = NULL;
    const bigint_ctx_options many = {.threads = UINT32_MAX, .allocator = fixture_allocator(&log)};
    EXPECT_EQ(bigint_ctx_create(&ctx, NULL, &many), BIGINT_ENOMEM);
    EXPECT_TEXT(ctx, "4294967295 threads");
    bigint_ctx_destroy(ctx);
    EXPECT_EQ(log.live_blocks, 0u);
    close_state(&s);
}

// --- Batches -------------------------------------------------------------------------------------

// The calls on batches, x[0] and x[1] being results where there are two, then one; `spans` of x.
typedef struct {
    const char *name;
    int spans;
    bigint_status (*call)(bigint_ctx *ctx, const bigint_span *x);
} batch;

static bigint_status mul(bigint_ctx *ctx, const bigint_span *x) {
    return bigint_mul_batch(ctx, &x[0], &x[1], &x[2]);
}
static bigint_status powm(bigint_ctx *ctx, const bigint_span *x) {
    return bigint_powm_batch(ctx, &x[0], &x[1], &x[2], &x[3]);
}
static bigint_status mulmod(bigint_ctx *ctx, const bigint_span *x) {
    return bigint_mulmod_batch(ctx, &x[0], &x[1], &x[2], &x[3]);
}
static bigint_status sqrmod(bigint_ctx *ctx, const bigint_span *x) {
    return bigint_sqrmod_batch(ctx, &x[0], &x[1], &x[2]);
}
static bigint_status invmod(bigint_ctx *ctx, const bigint_span *x) {
    return bigint_invmod_batch(ctx, &x[0], &x[1], &x[2]);
}
static bigint_status divrem(bigint_ctx *ctx, const bigint_span *x) {
    return bigint_divrem_batch(ctx, &x[0], &x[1], &x[2], &x[3]);
}
static bigint_status quotient(bigint_ctx *ctx, const bigint_span *x) {
    return bigint_divrem_batch(ctx, &x[0], NULL, &x[1], &x[2]);
}
static bigint_status remainder_of(bigint_ctx *ctx, const bigint_span *x) {
    return bigint_divrem_batch(ctx, NULL, &x[0], &x[1], &x[2]);
}
static bigint_status neither(bigint_ctx *ctx, const bigint_span *x) {
    return bigint_divrem_batch(ctx, NULL, NULL, &x[0], &x[1]);
}
static bigint_status prime(bigint_ctx *ctx, const bigint_span *x) {
    unsigned char answers[2] = {7, 7};
    const bigint_status status = bigint_probable_prime_batch(ctx, answers, &x[0]);
    EXPECT_TRUE(answers[0] == 7 && answers[1] == 7);
    return status;
}

static const batch batches[] = {
    {"mul", 3, mul},           {"powm", 4, powm},
    {"mulmod", 4, mulmod},     {"sqrmod", 3, sqrmod},
    {"invmod", 3, invmod},     {"divrem", 4, divrem},
    {"quotient", 3, quotient}, {"remainder", 3, remainder_of},
    {"neither", 2, neither},   {"prime", 1, prime},
};

static void label(char *buf, size_t cap, const batch *b) { snprintf(buf, cap, "%s", b->name); }

// Each field of each span in turn. Mutations: a count that is only multiplied by the stride, so
// that stride 0 lets any count pass; an offset that wraps around; a field of one span that is not
// looked at.
TEST_EACH(Sizes, Spans, batch, batches, label) {
    enum { COUNT = 2, N = 2, WORDS = 16 };
    state s;
    open_state(&s);
    uint64_t words[4][WORDS];
    memset(words, 0x77, sizeof words);
    for (int at = 0; at < p->spans; at++) {
        for (int i = 0; i < SIZES; i++) {
            SCOPED_TRACE("span %d, %llu", at, (unsigned long long)huge[i]);
            bigint_span x[4];
            for (int k = 0; k < p->spans; k++) {
                x[k] = (bigint_span){.p = words[k], .n = N, .stride = N, .count = COUNT};
            }
            bigint_span *const one = &x[at], whole = *one;
            one->n = huge[i];
            EXPECT_EQ(p->call(s.ctx, x), BIGINT_ERANGE);
            EXPECT_TEXT(s.ctx, "exceeds 2^56");
            one->stride = 0;
            EXPECT_EQ(p->call(s.ctx, x), BIGINT_ERANGE);
            *one = whole;
            one->stride = huge[i];
            EXPECT_EQ(p->call(s.ctx, x), BIGINT_ERANGE);
            *one = whole;
            one->count = huge[i];
            const bigint_status status = p->call(s.ctx, x);  // too large, or not the others' count
            EXPECT_TRUE(status == BIGINT_ERANGE || status == BIGINT_EINVAL);
            *one = whole;
            one->lengths = (const uint64_t[]){1, huge[i]};
            EXPECT_EQ(p->call(s.ctx, x), BIGINT_EINVAL);
            *one = whole;
            one->offsets = (const uint64_t[]){0, huge[i]};
            EXPECT_EQ(p->call(s.ctx, x), BIGINT_ERANGE);
            EXPECT_TEXT(s.ctx, "exceeds 2^56");
            for (int k = 0; k < p->spans; k++) {  // numbers without limbs take no memory
                x[k] = (bigint_span){.count = huge[i]};
            }
            EXPECT_EQ(p->call(s.ctx, x), BIGINT_ERANGE);
        }
    }
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < WORDS; i++) {
            EXPECT_EQ(words[k][i], (uint64_t)0x7777777777777777);
        }
    }
    close_state(&s);
}
