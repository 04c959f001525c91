// Memory: every allocation of every public call fails once; outputs keep their values, nothing
// leaks, the call works afterwards, and repeated calls allocate nothing.
#include <stdio.h>
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

// state: what the calls work on. a, b, r and s belong to the case; r and s are its outputs.
typedef struct {
    bigint_ctx *ctx;
    bigint a, b, r, s, five;
    uint64_t limbs[64];  // output of the batches
} state;

// An operation: one public call with its sizes. Operands a and b have an and bn limbs.
typedef struct {
    const char *name;
    bigint_status (*call)(state *);
    uint64_t an, bn;
} operation;

static uint64_t p64[64];     // all ones
static char text[9000];      // decimal digits, which are hexadecimal ones too
static char written[20000];  // "#" before a call that writes text

static bigint_status call_set(state *s) { return bigint_set(s->ctx, &s->r, &s->a); }
static bigint_status call_u64(state *s) { return bigint_set_u64(s->ctx, &s->r, 5); }
static bigint_status call_limbs(state *s) { return bigint_set_limbs(s->ctx, &s->r, p64, 64, -1); }
static bigint_status call_hex(state *s) {
    return bigint_set_hex(s->ctx, &s->r, text, sizeof text - 1, NULL);
}
static bigint_status call_bytes(state *s) {
    return bigint_set_bytes(s->ctx, &s->r, (const uint8_t *)p64, 500, BIGINT_BIG_ENDIAN, 1);
}
static bigint_status call_neg(state *s) { return bigint_neg(s->ctx, &s->r, &s->a); }
static bigint_status call_abs(state *s) { return bigint_abs(s->ctx, &s->r, &s->a); }
static bigint_status call_add(state *s) { return bigint_add(s->ctx, &s->r, &s->a, &s->b); }
static bigint_status call_sub(state *s) { return bigint_sub(s->ctx, &s->r, &s->a, &s->b); }
static bigint_status call_mul_2exp(state *s) { return bigint_mul_2exp(s->ctx, &s->r, &s->a, 1000); }
static bigint_status call_tdiv_2exp(state *s) { return bigint_tdiv_2exp(s->ctx, &s->r, &s->a, 70); }
static bigint_status call_mul(state *s) { return bigint_mul(s->ctx, &s->r, &s->a, &s->b); }
static bigint_status call_sqr(state *s) { return bigint_sqr(s->ctx, &s->r, &s->a); }
static bigint_status call_mul_sum(state *s) {
    const bigint *const a[] = {&s->a, &s->b, &s->a}, *const b[] = {&s->b, &s->b, &s->a};
    return bigint_mul_sum(s->ctx, &s->r, a, b, (const int[]){1, -1, 1}, 3);
}
static bigint_status call_prep(state *s) {
    bigint_prep *prep = NULL;
    bigint_status status = bigint_prep_create(s->ctx, &prep, &s->a, 1000);
    EXPECT_EQ(prep != NULL, status == BIGINT_OK);
    if (status == BIGINT_OK) {
        status = bigint_mul_prep(s->ctx, &s->r, prep, &s->b);
    }
    bigint_prep_destroy(s->ctx, prep);
    return status;
}
static bigint_status call_mul_batch(state *s) {
    const bigint_span r = {.p = s->limbs, .n = 8, .stride = 8, .count = 8};
    const bigint_span a = {.p = p64, .n = 4, .stride = 4, .count = 8};
    return bigint_mul_batch(s->ctx, &r, &a, &a);
}
static bigint_status call_mul_mod_batch(state *s) {
    const bigint_span r = {.p = s->limbs, .n = 8, .stride = 8, .count = 8};
    const bigint_span a = {.p = p64, .n = 4, .stride = 4, .count = 8};
    return bigint_mul_mod_2exp_plus1_batch(s->ctx, &r, &a, &a, 253);
}
static bigint_status call_mulmod_batch(state *s) {
    const bigint_span r = {.p = s->limbs, .n = 8, .stride = 8, .count = 8};
    const bigint_span a = {.p = p64, .n = 8, .stride = 8, .count = 8};
    return bigint_mulmod_batch(s->ctx, &r, &a, &a, &a);
}
static bigint_status call_invmod_batch(state *s) {
    const uint64_t even[4] = {2, 4, 6, 8};
    const bigint_span r = {.p = s->limbs, .n = 4, .stride = 4, .count = 8};
    const bigint_span a = {.p = p64, .n = 8, .stride = 8, .count = 8};
    const bigint_span m = {.p = (bigint_limb *)even, .n = 4, .stride = 0, .count = 8};
    return bigint_invmod_batch(s->ctx, &r, &a, &m);
}
// Eight primes that are tested together, where there are lanes, and two longer ones.
static bigint_status call_prime_batch(state *s) {
    uint64_t primes[10][2];
    for (int i = 0; i < 10; i++) {
        primes[i][0] = UINT64_MAX >> (i < 8 ? 3 : 0);
        primes[i][1] = i < 8 ? 0 : UINT64_MAX >> 1;
    }
    const bigint_span n = {.p = primes[0], .n = 2, .stride = 2, .count = 10};
    return bigint_probable_prime_batch(s->ctx, (unsigned char *)s->limbs, &n);
}
static bigint_status call_divrem_batch(state *s) {
    const uint64_t lengths[2] = {8, 8};
    const bigint_span q = {.p = s->limbs, .n = 8, .stride = 8, .count = 2, .lengths = lengths};
    const bigint_span r = {.p = s->limbs + 16, .n = 4, .stride = 4, .count = 2};
    const bigint_span a = {.p = p64, .n = 8, .stride = 8, .count = 2};
    const bigint_span d = {.p = p64, .n = 4, .stride = 4, .count = 2};
    return bigint_divrem_batch(s->ctx, &q, &r, &a, &d);
}
static bigint_status call_divrem(state *s) {
    return bigint_divrem(s->ctx, &s->r, &s->s, &s->a, &s->b);
}
static bigint_status call_powm(state *s) {
    return bigint_powm(s->ctx, &s->r, &s->a, &s->five, &s->b);
}
static bigint_status call_mul_mod(state *s) {
    return bigint_mul_mod_2exp_plus1(s->ctx, &s->r, &s->a, &s->b, 64 * 1024);
}
static bigint_status call_sqrt(state *s) { return bigint_sqrt(s->ctx, &s->r, &s->s, &s->a); }
static bigint_status call_root(state *s) { return bigint_root(s->ctx, &s->r, &s->s, &s->b, 3); }
static bigint_status call_decimal(state *s) {
    return bigint_set_decimal(s->ctx, &s->r, text, sizeof text - 1, NULL);
}
static bigint_status call_get_decimal(state *s) {
    size_t need = 7;
    const bigint_status status = bigint_get_decimal(s->ctx, written, sizeof written, &need, &s->a);
    EXPECT_EQ(written[0] == '#', status != BIGINT_OK);
    return status;
}
static bigint_status call_mul_decimal(state *s) {
    const bigint_status status = bigint_mul_decimal(s->ctx, written, sizeof written, NULL, text,
                                                    sizeof text - 1, text, 1000, NULL);
    EXPECT_EQ(written[0] == '#', status != BIGINT_OK);
    return status;
}
static bigint_status call_powm_batch(state *s) {
    const bigint_span r = {.p = s->limbs, .n = 8, .stride = 8, .count = 8};
    const bigint_span a = {.p = p64, .n = 4, .stride = 4, .count = 8};
    const bigint_span m = {.p = p64, .n = 5, .stride = 0, .count = 8};
    return bigint_powm_batch(s->ctx, &r, &a, &a, &m);
}

static const operation operations[] = {
    {"set", call_set, 30, 1},
    {"set_u64", call_u64, 1, 1},
    {"set_limbs", call_limbs, 1, 1},
    {"set_hex", call_hex, 1, 1},
    {"set_bytes", call_bytes, 1, 1},
    {"neg", call_neg, 30, 1},
    {"abs", call_abs, 30, 1},
    {"add", call_add, 30, 20},
    {"sub", call_sub, 30, 20},
    {"mul_2exp", call_mul_2exp, 30, 1},
    {"tdiv_2exp", call_tdiv_2exp, 30, 1},
    {"mul_small", call_mul, 3, 2},
    {"mul_middle", call_mul, 300, 200},
    {"mul_large", call_mul, 6000, 5000},
    {"mul_unbalanced", call_mul, 20000, 2000},
    {"sqr_middle", call_sqr, 300, 1},
    {"sqr_large", call_sqr, 6000, 1},
    {"mul_sum_small", call_mul_sum, 30, 20},
    {"mul_sum_large", call_mul_sum, 6000, 5000},
    {"mul_sum_mixed", call_mul_sum, 6000, 20},
    {"prep_small", call_prep, 30, 20},
    {"prep_large", call_prep, 5000, 1000},
    {"mul_batch", call_mul_batch, 1, 1},
    {"divrem_one_limb", call_divrem, 20, 1},
    {"divrem_middle", call_divrem, 300, 100},
    {"divrem_large", call_divrem, 5000, 2000},
    {"powm_even", call_powm, 3, 2},
    {"powm_middle", call_powm, 20, 90},
    {"powm_large", call_powm, 2, 3000},
    {"powm_batch", call_powm_batch, 1, 1},
    {"mul_mod_batch", call_mul_mod_batch, 1, 1},
    {"mulmod_batch", call_mulmod_batch, 1, 1},
    {"invmod_batch", call_invmod_batch, 1, 1},
    {"divrem_batch", call_divrem_batch, 1, 1},
    {"prime_batch", call_prime_batch, 1, 1},
    {"mul_mod_small", call_mul_mod, 3, 2},
    {"mul_mod_large", call_mul_mod, 1024, 3000},
    {"sqrt_small", call_sqrt, 1, 1},
    {"sqrt_large", call_sqrt, 5000, 1},
    {"root_large", call_root, 1, 3000},
    {"set_decimal", call_decimal, 1, 1},
    {"get_decimal", call_get_decimal, 400, 1},
    {"mul_decimal", call_mul_decimal, 1, 1},
};

static void label(char *buf, size_t cap, const operation *o) { snprintf(buf, cap, "%s", o->name); }

// ones: x = sign (2^(64 n) - 2^7).
static void ones(bigint_ctx *ctx, bigint *x, uint64_t n, int sign) {
    mpz_t z;
    mpz_init_set_ui(z, 1);
    mpz_mul_2exp(z, z, 64 * n);
    mpz_sub_ui(z, z, 128);
    if (sign < 0) {
        mpz_neg(z, z);
    }
    fixture_set(ctx, x, z);
    mpz_clear(z);
}

static void open_state(state *s, allocator_log *log, const operation *o) {
    *s = (state){.ctx = fixture_ctx(&(bigint_ctx_options){.allocator = fixture_allocator(log)})};
    memset(p64, 0xff, sizeof p64);
    memset(text, '7', sizeof text);
    memset(written, '#', sizeof written);
    ones(s->ctx, &s->a, o->an, 1);
    ones(s->ctx, &s->b, o->bn, -1);
    ones(s->ctx, &s->r, 0, 1);  // -127: a value, and hardly any room
    ones(s->ctx, &s->s, 0, 1);
    EXPECT_EQ(bigint_set_u64(s->ctx, &s->five, 5), BIGINT_OK);
    memset(s->limbs, 0x11, sizeof s->limbs);
}

static void close_state(state *s, const allocator_log *log) {
    bigint_clear(s->ctx, &s->a);
    bigint_clear(s->ctx, &s->b);
    bigint_clear(s->ctx, &s->r);
    bigint_clear(s->ctx, &s->s);
    bigint_clear(s->ctx, &s->five);
    bigint_ctx_destroy(s->ctx);
    EXPECT_EQ(log->live_blocks, 0u);
    EXPECT_EQ(log->live_bytes, 0u);
}

static void expect_unchanged(state *s, const operation *o) {
    mpz_t z;
    mpz_init_set_si(z, -127);
    EXPECT_BIGINT(s->ctx, &s->r, z);
    EXPECT_BIGINT(s->ctx, &s->s, z);
    mpz_clear(z);
    for (int i = 0; i < 64; i++) {
        EXPECT_EQ(s->limbs[i], (uint64_t)0x1111111111111111);
    }
    bigint a = BIGINT_INIT;
    int order = 1;
    ones(s->ctx, &a, o->an, 1);
    EXPECT_EQ(bigint_cmp(s->ctx, &order, &a, &s->a), BIGINT_OK);
    EXPECT_EQ(order, 0);
    ones(s->ctx, &a, o->bn, -1);
    EXPECT_EQ(bigint_cmp(s->ctx, &order, &a, &s->b), BIGINT_OK);
    EXPECT_EQ(order, 0);
    bigint_clear(s->ctx, &a);
}

// Mutations: an allocation that is not looked at, an output written before the last allocation, a
// buffer that is dropped on the way out, a release with another size.
TEST_EACH(Alloc, EveryFailure, operation, operations, label) {
    for (uint64_t k = 1;; k++) {
        SCOPED_TRACE("allocation %llu fails", (unsigned long long)k);
        allocator_log log = {0};
        state s;
        open_state(&s, &log, p);
        log.fail_at = log.calls + k;
        const bigint_status status = p->call(&s);
        const int reached = log.calls >= log.fail_at;
        log.fail_at = 0;
        if (status != BIGINT_OK) {
            EXPECT_EQ(status, BIGINT_ENOMEM);
            EXPECT_TEXT(s.ctx, "bigint_");
            expect_unchanged(&s, p);
            EXPECT_EQ(p->call(&s), BIGINT_OK);
        }
        close_state(&s, &log);
        if (!reached) {
            break;
        }
        ASSERT_TRUE(k < 200);
    }
}

// The first call makes room in the result, the second, which finds it, perhaps in the workspace.
// Mutation: workspace or result is allocated anew although there is room.
TEST_EACH(Alloc, RepeatAllocatesNothing, operation, operations, label) {
    allocator_log log = {0};
    state s;
    open_state(&s, &log, p);
    EXPECT_EQ(p->call(&s), BIGINT_OK);
    memset(written, '#', sizeof written);
    EXPECT_EQ(p->call(&s), BIGINT_OK);
    memset(written, '#', sizeof written);
    const uint64_t calls = log.calls, prepared = p->call == call_prep;  // one that is new each time
    EXPECT_EQ(p->call(&s), BIGINT_OK);
    EXPECT_EQ(log.calls, calls + prepared);
    bigint_counters counters;
    bigint_ctx_counters(s.ctx, &counters);
    EXPECT_EQ(counters.allocations, log.calls);
    close_state(&s, &log);
}

// x = x y and x = x^2 with the operand set back to its size in between. Mutation: a product in
// place takes new limbs each time.
TEST(Alloc, RepeatInPlaceAllocatesNothing) {
    allocator_log log = {0};
    const operation o = {"in place", call_mul, 200, 100};
    state s;
    open_state(&s, &log, &o);
    uint64_t calls = 0;
    for (int i = 0; i < 4; i++) {
        calls = i == 2 ? log.calls : calls;
        EXPECT_EQ(bigint_set(s.ctx, &s.r, &s.a), BIGINT_OK);
        EXPECT_EQ(bigint_mul(s.ctx, &s.r, &s.r, &s.b), BIGINT_OK);
        EXPECT_EQ(bigint_set(s.ctx, &s.s, &s.a), BIGINT_OK);
        EXPECT_EQ(bigint_sqr(s.ctx, &s.s, &s.s), BIGINT_OK);
        EXPECT_EQ(bigint_add(s.ctx, &s.s, &s.s, &s.r), BIGINT_OK);
    }
    EXPECT_EQ(log.calls, calls);
    close_state(&s, &log);
}

// A result in place keeps its value when the workspace is refused. Mutation: written over before
// the workspace is there.
TEST(Alloc, InPlaceFailureKeepsTheOperand) {
    const operation o = {"in place", call_mul, 3000, 2500};
    for (uint64_t k = 1; k < 8; k++) {
        SCOPED_TRACE("allocation %llu fails", (unsigned long long)k);
        allocator_log log = {0};
        state s;
        open_state(&s, &log, &o);
        ones(s.ctx, &s.r, 6000, 1);
        EXPECT_EQ(bigint_set(s.ctx, &s.r, &s.a), BIGINT_OK);
        log.fail_at = log.calls + k;
        if (bigint_mul(s.ctx, &s.r, &s.r, &s.b) != BIGINT_OK) {
            int order = 1;
            EXPECT_EQ(bigint_cmp(s.ctx, &order, &s.r, &s.a), BIGINT_OK);
            EXPECT_EQ(order, 0);
        }
        close_state(&s, &log);
    }
}

// Contexts, with threads and without. Mutation: the context is dropped when its threads do not
// come.
TEST(Alloc, ContextCreation) {
    for (uint32_t threads = 0; threads <= 2; threads++) {
        for (uint64_t k = 1; k <= 3; k++) {
            allocator_log log = {.fail_at = k};
            const bigint_ctx_options options = {.threads = threads,
                                                .allocator = fixture_allocator(&log)};
            bigint_ctx *ctx = NULL;
            const bigint_status status = bigint_ctx_create(&ctx, NULL, &options);
            EXPECT_EQ(status, log.calls >= k ? BIGINT_ENOMEM : BIGINT_OK);
            EXPECT_EQ(ctx == NULL, k == 1);
            bigint_ctx_destroy(ctx);
            EXPECT_EQ(log.live_blocks, 0u);
        }
    }
}

// Short and long numbers from the library's own memory. Mutation: short ones are not counted.
TEST(Alloc, OwnMemoryIsCounted) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint_counters before, after;
    for (uint64_t n = 1; n <= 128; n *= 2) {
        bigint a = BIGINT_INIT, r = BIGINT_INIT;
        EXPECT_EQ(bigint_set_u64(ctx, &a, 1), BIGINT_OK);
        EXPECT_EQ(bigint_mul_2exp(ctx, &a, &a, 64 * n - 1), BIGINT_OK);
        bigint_ctx_counters(ctx, &before);
        EXPECT_EQ(bigint_set(ctx, &r, &a), BIGINT_OK);
        bigint_ctx_counters(ctx, &after);
        EXPECT_EQ(after.allocations, before.allocations + 1);
        bigint_clear(ctx, &r);
        bigint_clear(ctx, &a);
    }
    bigint_ctx_destroy(ctx);
}

// Mutations: trim keeps a block, or frees what the next call needs without asking for it again.
TEST(Alloc, Trim) {
    allocator_log log = {0};
    const operation o = {"trim", call_mul, 300, 200};
    state s;
    open_state(&s, &log, &o);
    const uint64_t before = log.live_blocks;
    EXPECT_EQ(call_mul(&s), BIGINT_OK);
    EXPECT_TRUE(log.live_blocks >
                before);  // r's limbs are one block as before; the rest is workspace
    bigint_ctx_trim(s.ctx);
    bigint_ctx_trim(s.ctx);
    EXPECT_EQ(log.live_blocks, before);
    EXPECT_EQ(call_mul(&s), BIGINT_OK);
    close_state(&s, &log);
}
