// operations.c: see operations.h.
#include "tests/bigint/device/operations.h"

#include <stdio.h>
#include <string.h>

#include "bigint/core/context.h"
#include "tests/bigint/device/batch_operations.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

static char text[700], long_text[3000];

// --- Values --------------------------------------------------------------------------------------

static bigint_status call_set(operands *s) { return bigint_set(s->ctx, &s->r, &s->a); }
static bigint_status call_u64(operands *s) { return bigint_set_u64(s->ctx, &s->r, 5); }
static bigint_status call_i64(operands *s) { return bigint_set_i64(s->ctx, &s->r, -5); }
static bigint_status call_limbs(operands *s) {
    uint64_t p[64];
    memset(p, 0xff, sizeof p);
    return bigint_set_limbs(s->ctx, &s->r, p, 64, -1);
}
static bigint_status call_hex(operands *s) {
    return bigint_set_hex(s->ctx, &s->r, text, sizeof text - 1, NULL);
}
static bigint_status call_bytes(operands *s) {
    return bigint_set_bytes(s->ctx, &s->r, (const uint8_t *)text, 500, BIGINT_BIG_ENDIAN, 1);
}
static bigint_status call_decimal(operands *s) {
    return bigint_set_decimal(s->ctx, &s->r, text, sizeof text - 1, NULL);
}
// By the device: two leaves.
static bigint_status call_decimal_there(operands *s) {
    s->ctx->queue.forced.text_digits = 1;
    return bigint_set_decimal(s->ctx, &s->r, long_text, sizeof long_text, NULL);
}
static bigint_status call_bits(operands *s) {
    uint64_t bits = 7;
    const bigint_status status = bigint_bits(s->ctx, &bits, &s->a);
    EXPECT_EQ(bits, status == BIGINT_OK ? 64u * 40 : 7u);
    return status;
}
static bigint_status call_sign(operands *s) {
    int sign = 7;
    const bigint_status status = bigint_sign(s->ctx, &sign, &s->b);
    EXPECT_EQ(sign, status == BIGINT_OK ? -1 : 7);
    return status;
}
static bigint_status call_cmp(operands *s) {
    int order = 7;
    const bigint_status status = bigint_cmp(s->ctx, &order, &s->a, &s->b);
    EXPECT_EQ(order, status == BIGINT_OK ? 1 : 7);
    return status;
}
static bigint_status call_cmp_abs(operands *s) {
    int order = 7;
    const bigint_status status = bigint_cmp_abs(s->ctx, &order, &s->b, &s->a);
    EXPECT_EQ(order, status == BIGINT_OK ? -1 : 7);
    return status;
}
static bigint_status call_get_limbs(operands *s) {
    uint64_t p[60];
    return bigint_get_limbs(s->ctx, p, 60, NULL, NULL, &s->a);
}

// What a call writes into the host's memory, which keeps its marks where it fails.
static char written[1000];
static void mark(void) { memset(written, '#', sizeof written); }
static bigint_status marked(bigint_status status) {
    EXPECT_EQ(written[0] == '#', status != BIGINT_OK);
    return status;
}
static bigint_status call_get_decimal(operands *s) {
    mark();
    return marked(bigint_get_decimal(s->ctx, written, sizeof written, NULL, &s->a));
}
static bigint_status call_get_decimal_there(operands *s) {
    s->ctx->queue.forced.text_digits = 1;
    return call_get_decimal(s);
}
static bigint_status call_mul_decimal(operands *s) {
    mark();
    return marked(
        bigint_mul_decimal(s->ctx, written, sizeof written, NULL, text, 400, text, 300, NULL));
}
static bigint_status call_get_hex(operands *s) {
    mark();
    return marked(bigint_get_hex(s->ctx, written, sizeof written, NULL, &s->a));
}
static bigint_status call_get_bytes(operands *s) {
    mark();
    return marked(bigint_get_bytes(s->ctx, (uint8_t *)written, sizeof written, NULL,
                                   BIGINT_BIG_ENDIAN, &s->a));
}

// To the host and back; what fails on the way stays where it was.
static bigint_status call_move(operands *s) {
    bigint_status status = bigint_move(s->ctx, &s->a, BIGINT_HOST);
    if (status == BIGINT_OK) {
        status = bigint_move(s->ctx, &s->a, 0);
        if (status == BIGINT_ENOMEM) {  // for those who look at it there
            EXPECT_EQ(bigint_move(s->ctx, &s->a, 0), BIGINT_OK);
        }
    }
    return status;
}

// --- Arithmetic ----------------------------------------------------------------------------------

static bigint_status call_neg(operands *s) { return bigint_neg(s->ctx, &s->r, &s->a); }
static bigint_status call_abs(operands *s) { return bigint_abs(s->ctx, &s->r, &s->b); }
static bigint_status call_add(operands *s) { return bigint_add(s->ctx, &s->r, &s->a, &s->b); }
static bigint_status call_sub(operands *s) { return bigint_sub(s->ctx, &s->r, &s->b, &s->a); }
static bigint_status call_left(operands *s) { return bigint_mul_2exp(s->ctx, &s->r, &s->a, 1000); }
static bigint_status call_right(operands *s) { return bigint_tdiv_2exp(s->ctx, &s->r, &s->a, 70); }
// In place, in limbs that have room for it.
static bigint_status call_in_place(operands *s) {
    const bigint_status status = bigint_mul_2exp(s->ctx, &s->a, &s->a, 3);
    return status != BIGINT_OK ? status : bigint_tdiv_2exp(s->ctx, &s->a, &s->a, 3);
}
static bigint_status call_mul(operands *s) { return bigint_mul(s->ctx, &s->r, &s->a, &s->b); }
static bigint_status call_branches(operands *s) {
    s->ctx->queue.cluster = 0;
    s->ctx->queue.forced.branches = 3;
    return bigint_mul(s->ctx, &s->r, &s->a, &s->b);
}
static bigint_status call_sqr(operands *s) { return bigint_sqr(s->ctx, &s->r, &s->b); }
static bigint_status call_mul_sum(operands *s) {
    const bigint *const a[] = {&s->a, &s->b, &s->a}, *const b[] = {&s->b, &s->b, &s->b};
    return bigint_mul_sum(s->ctx, &s->r, a, b, (const int[]){1, -1, 1}, 3);
}
static bigint_status call_prepared(operands *s) {
    bigint_prep *prep;
    bigint_status status = bigint_prep_create(s->ctx, &prep, &s->a, 30);
    EXPECT_EQ(prep != NULL, status == BIGINT_OK);
    if (status == BIGINT_OK) {
        status = bigint_mul_prep(s->ctx, &s->r, prep, &s->b);
    }
    bigint_prep_destroy(s->ctx, prep);
    return status;
}
static bigint_status call_quotient(operands *s) {
    return bigint_divrem(s->ctx, &s->r, NULL, &s->a, &s->b);
}
// By a reciprocal, in two blocks, whose numbers are allocated each time.
static bigint_status call_blocks(operands *s) {
    bigint q = BIGINT_INIT;
    s->ctx->queue.forced.quotient_limbs = 6;
    bigint_status status = bigint_divrem(s->ctx, &q, &s->r, &s->a, &s->b);
    bigint_clear(s->ctx, &q);
    return status;
}
static bigint_status call_divexact(operands *s) {
    return bigint_divexact(s->ctx, &s->r, &s->m, &s->m);
}
static bigint_status call_sqrt(operands *s) { return bigint_sqrt(s->ctx, &s->r, NULL, &s->a); }
static bigint_status call_root(operands *s) {
    s->ctx->queue.forced.root_limbs = 2;
    return bigint_root(s->ctx, &s->r, NULL, &s->a, 12);
}
static bigint_status call_rsqrt(operands *s) {
    s->ctx->queue.forced.root_limbs = 2;
    return bigint_rsqrt_fixed(s->ctx, &s->r, &s->a, 64 * 24);
}
static bigint_status call_minus1(operands *s) {
    return bigint_mul_mod_2exp_minus1(s->ctx, &s->r, &s->a, &s->b, 2001);
}
static bigint_status call_plus1(operands *s) {
    return bigint_mul_mod_2exp_plus1(s->ctx, &s->r, &s->a, &s->b, 2048);
}
static bigint_status call_powm(operands *s) {
    return bigint_powm(s->ctx, &s->r, &s->b, &s->e, &s->m);
}
static bigint_status call_powm_long(operands *s) {
    bigint e = BIGINT_INIT;
    s->ctx->queue.forced.long_powers = true;
    bigint_status status = bigint_set_u64(s->ctx, &e, 11);
    if (status == BIGINT_OK) {
        status = bigint_powm(s->ctx, &s->r, &s->b, &e, &s->m);
    }
    bigint_clear(s->ctx, &e);
    return status;
}
static bigint_status call_powm_sec(operands *s) {
    const uint64_t exponent[] = {1000003};
    return bigint_powm_sec(s->ctx, &s->r, &s->a, exponent, 1, &s->m);
}

// --- Words, rounded, by the host -----------------------------------------------------------------

static bigint_status call_and(operands *s) { return bigint_and(s->ctx, &s->r, &s->a, &s->b); }
static bigint_status call_fdiv(operands *s) {
    bigint q = BIGINT_INIT;
    const bigint_status status = bigint_fdiv(s->ctx, &q, &s->r, &s->a, &s->b);
    return bigint_clear(s->ctx, &q), status;
}
static bigint_status call_fdiv_u64(operands *s) {
    uint64_t rest = 7;
    const bigint_status status = bigint_fdiv_u64(s->ctx, &s->r, &rest, &s->a, 10);
    EXPECT_EQ(rest, status == BIGINT_OK ? 8u : 7u);  // 2^2560 = 6 and 128 = 8 mod 10
    return status;
}
static bigint_status call_fibonacci(operands *s) {
    return bigint_fibonacci(s->ctx, &s->r, &s->m, 300);
}
static bigint_status call_addmul(operands *s) { return bigint_addmul_u64(s->ctx, &s->r, &s->a, 7); }
static bigint_status call_shrink(operands *s) { return bigint_shrink(s->ctx, &s->a); }
static bigint_status call_reserve(operands *s) { return bigint_reserve_bits(s->ctx, &s->r, 9999); }

const operation operations[OPERATIONS] = {
    {"set", call_set, 0, NULL, NULL},
    {"set_u64", call_u64, 0, NULL, NULL},
    {"set_i64", call_i64, 0, NULL, NULL},
    {"set_limbs", call_limbs, 0, NULL, NULL},
    {"set_hex", call_hex, 0, NULL, NULL},
    {"set_bytes", call_bytes, 0, NULL, NULL},
    {"set_decimal", call_decimal, 0, NULL, NULL},
    {"set_decimal_there", call_decimal_there, 2, NULL, NULL},
    {"bits", call_bits, 0, NULL, NULL},
    {"sign", call_sign, 0, NULL, NULL},
    {"cmp", call_cmp, 0, NULL, NULL},
    {"cmp_abs", call_cmp_abs, 0, NULL, NULL},
    {"get_limbs", call_get_limbs, 0, NULL, NULL},
    {"get_hex", call_get_hex, 0, NULL, NULL},
    {"get_bytes", call_get_bytes, 0, NULL, NULL},
    {"get_decimal", call_get_decimal, 0, NULL, NULL},
    {"get_decimal_there", call_get_decimal_there, 3, NULL, NULL},
    {"mul_decimal", call_mul_decimal, 0, NULL, NULL},
    {"mul_decimal_tiled", call_mul_decimal, 0, "tiled", NULL},
    {"move", call_move, 2, NULL, NULL},
    {"neg", call_neg, 0, NULL, NULL},
    {"abs", call_abs, 0, NULL, NULL},
    {"add", call_add, 0, NULL, NULL},
    {"sub", call_sub, 0, NULL, NULL},
    {"mul_2exp", call_left, 0, NULL, NULL},
    {"tdiv_2exp", call_right, 0, NULL, NULL},
    {"in_place", call_in_place, 0, NULL, NULL},
    {"mul", call_mul, 0, NULL, NULL},
    {"mul_modular", call_mul, 0, "modular-fft", NULL},
    {"mul_in_branches", call_branches, 0, "modular-fft", NULL},
    {"mul_tiled", call_mul, 0, "tiled", NULL},
    {"mul_real", call_mul, 0, "real-fft", NULL},
    {"mul_complex_f32", call_mul, 0, "complex-fft-f32", NULL},
    {"mul_certified", call_mul, 0, NULL, "certified"},
    {"mul_real_certified", call_mul, 0, "real-fft", "certified"},
    {"sqr", call_sqr, 0, NULL, NULL},
    {"mul_sum", call_mul_sum, 0, NULL, NULL},
    {"mul_sum_one_by_one", call_mul_sum, 2, "real-fft", NULL},
    {"prepared", call_prepared, 3, "modular-fft", NULL},
    {"divrem_in_one_launch", call_quotient, 1, NULL, NULL},
    {"divrem_in_blocks", call_blocks, 4, NULL, NULL},
    {"divexact", call_divexact, 2, NULL, NULL},
    {"sqrt", call_sqrt, 2, NULL, NULL},
    {"root", call_root, 35, NULL, NULL},
    {"rsqrt", call_rsqrt, 2, NULL, NULL},
    {"mul_mod_minus1", call_minus1, 2, NULL, NULL},
    {"mul_mod_plus1", call_plus1, 2, NULL, NULL},
    {"powm", call_powm, 0, NULL, NULL},
    {"powm_long", call_powm_long, 25, NULL, NULL},
    {"powm_sec", call_powm_sec, 0, NULL, NULL},
    {"and", call_and, 1, NULL, NULL},
    {"fdiv", call_fdiv, 3, NULL, NULL},
    {"fdiv_u64", call_fdiv_u64, 3, NULL, NULL},
    {"fibonacci", call_fibonacci, 4, NULL, NULL},
    {"addmul_u64", call_addmul, 2, NULL, NULL},
    {"shrink", call_shrink, 1, NULL, NULL},
    {"reserve_bits", call_reserve, 0, NULL, NULL},
    {"batch", operation_mul_batch, 1, NULL, NULL},
    {"batch_ragged", operation_ragged_batch, 1, NULL, NULL},
    {"batch_tiled", operation_mul_batch, 1, "tiled", NULL},
    {"batch_real", operation_mul_batch, 1, "real-fft", NULL},
    {"mul_mod_batch", operation_residue_batch, 1, NULL, NULL},
    {"powm_batch", operation_powm_batch, 1, NULL, NULL},
    {"mulmod_batch", operation_mulmod_batch, 1, NULL, NULL},
    {"sqrmod_batch", operation_sqrmod_batch, 1, NULL, NULL},
    {"invmod_batch", operation_invmod_batch, 1, NULL, NULL},
    {"divrem_batch", operation_divrem_batch, 1, NULL, NULL},
};

void operation_label(char *buf, size_t cap, const operation *o) {
    snprintf(buf, cap, "%s", o->name);
}

// --- Operands ------------------------------------------------------------------------------------

// value: z = sign (2^(64 n) - less).
static void value(mpz_t z, unsigned n, unsigned less, int sign) {
    mpz_ui_pow_ui(z, 2, 64 * n);
    mpz_sub_ui(z, z, less);
    mpz_mul_si(z, z, sign);
}

// values calls `each` for every operand and its value.
static void values(operands *s, void (*each)(bigint_ctx *ctx, bigint *x, const mpz_t z)) {
    mpz_t z;
    mpz_init(z);
    value(z, 40, 128, 1), each(s->ctx, &s->a, z);
    value(z, 30, 128, -1), each(s->ctx, &s->b, z);
    value(z, 3, 237, 1), each(s->ctx, &s->m, z);
    mpz_set_ui(z, 1000003), each(s->ctx, &s->e, z);
    mpz_set_si(z, -127), each(s->ctx, &s->r, z);
    mpz_clear(z);
}

void operation_open(operands *s, allocator_log *log, const operation *o) {
    *s = (operands){.ctx = fixture_ctx(&(bigint_ctx_options){.allocator = fixture_allocator(log),
                                                             .checks = 1,
                                                             .engine = o->engine,
                                                             .mode = o->mode})};
    memset(text, '7', sizeof text);
    memset(long_text, '7', sizeof long_text);
    values(s, fixture_set);
    EXPECT_EQ(bigint_sync(s->ctx), BIGINT_OK);
    bigint_ctx_trim(s->ctx);  // the first call that needs words and staging allocates them
}

void operation_close(operands *s, const allocator_log *log, int64_t live) {
    // What a device did not take back is the host's.
    bigint_ctx *host = NULL;
    const bigint_ctx_options options = {.allocator = s->ctx->options.allocator};
    ASSERT_EQ(bigint_ctx_create(&host, NULL, &options), BIGINT_OK);
    bigint *const all[] = {&s->a, &s->b, &s->m, &s->e, &s->r};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        bigint_clear(all[i]->place_ == BIGINT_HOST + 1 ? host : s->ctx, all[i]);
    }
    bigint_ctx_destroy(host);
    bigint_ctx_destroy(s->ctx);
    EXPECT_EQ(log->live_blocks, 0u);
    EXPECT_EQ(device_live(), live);
}

static void expect(bigint_ctx *ctx, bigint *x, const mpz_t z) { EXPECT_BIGINT(ctx, x, z); }

void operation_unchanged(operands *s) { values(s, expect); }
