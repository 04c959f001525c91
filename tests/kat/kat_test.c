// Every known answer of this folder, on every engine and variant that the machine has, with the
// result in every place where it may stand. The answers are Python's (gen_kats.py, check_kats.py);
// GMP has no part in them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/bigint.h"
#include "tests/ctest/ctest.h"
#include "tests/kat/kat_reader.h"

enum { VALUES_MAX = 4 };

// vector: one block's context and numbers.
typedef struct {
    kat_reader *k;
    bigint_ctx *ctx;
    bigint values[VALUES_MAX];  // cleared after the block
    int count;
} vector;

#define REQUIRE(v, call)                                                     \
    do {                                                                     \
        const bigint_status required_status = (call);                        \
        if (required_status != BIGINT_OK) {                                  \
            kat_fail((v)->k, "%s gives %d: %s", #call, (int)required_status, \
                     bigint_ctx_error((v)->ctx));                            \
            return;                                                          \
        }                                                                    \
    } while (0)

// take_hex, take_decimal: an attribute as a number of the vector's.
static const bigint *take(vector *v, const char *name,
                          bigint_status (*set)(bigint_ctx *, bigint *, const char *, size_t,
                                               size_t *)) {
    bigint *x = &v->values[v->count++];
    const char *text = kat_take(v->k, name);
    if (set(v->ctx, x, text, strlen(text), NULL) != BIGINT_OK) {
        kat_fail(v->k, "attribute %s: %s", name, bigint_ctx_error(v->ctx));
    }
    return x;
}
static const bigint *take_hex(vector *v, const char *name) { return take(v, name, bigint_set_hex); }

static uint64_t take_u64(vector *v, const char *name) {
    return strtoull(kat_take(v->k, name), NULL, 16);
}

// expect: x is the value of the attribute, as a number and as text.
static void expect(vector *v, const char *what, const bigint *x, const bigint *right) {
    int order = 1;
    if (bigint_cmp(v->ctx, &order, x, right) != BIGINT_OK || order != 0) {
        kat_fail(v->k, "%s is wrong", what);
    }
}

// --- Operations with two operands and one result -------------------------------------------------

typedef bigint_status (*binary)(bigint_ctx *, bigint *, const bigint *, const bigint *);

// try_binary: r = f(a, b) in new limbs, in a's place and in b's.
static void try_binary(vector *v, const char *what, binary f, const bigint *a, const bigint *b,
                       const bigint *right) {
    bigint r = BIGINT_INIT;
    REQUIRE(v, f(v->ctx, &r, a, b));
    expect(v, what, &r, right);
    REQUIRE(v, bigint_set(v->ctx, &r, a));
    REQUIRE(v, f(v->ctx, &r, &r, b));
    expect(v, what, &r, right);
    REQUIRE(v, bigint_set(v->ctx, &r, b));
    REQUIRE(v, f(v->ctx, &r, a, &r));
    expect(v, what, &r, right);
    bigint_clear(v->ctx, &r);
}

// try_batch: the magnitudes' product with zero limbs at the top of either operand, in a span that
// is longer than the product.
static void try_batch(vector *v, const bigint *a, const bigint *b, const bigint *right) {
    const uint64_t an = bigint_limbs_bound(a), bn = bigint_limbs_bound(b);
    uint64_t *p = calloc(2 * (an + bn) + 9, sizeof *p);
    bigint r = BIGINT_INIT;
    REQUIRE(v, bigint_get_limbs(v->ctx, p, an, NULL, NULL, a));
    REQUIRE(v, bigint_get_limbs(v->ctx, p + an + 2, bn, NULL, NULL, b));
    for (uint64_t zeros = 0; zeros < 4; zeros++) {
        const bigint_span a_span = {.p = p, .n = an + zeros % 2 * 2, .count = 1};
        const bigint_span b_span = {.p = p + an + 2, .n = bn + zeros / 2, .count = 1};
        const bigint_span r_span = {.p = p + an + bn + 3, .n = an + bn + 4, .count = 1};
        REQUIRE(v, bigint_mul_batch(v->ctx, &r_span, &a_span, &b_span));
        REQUIRE(v, bigint_set_limbs(v->ctx, &r, r_span.p, r_span.n, 1));
        int order = 1;
        REQUIRE(v, bigint_cmp_abs(v->ctx, &order, &r, right));
        if (order != 0) {
            kat_fail(v->k, "the product with zero limbs (%d) is wrong", (int)zeros);
        }
    }
    bigint_clear(v->ctx, &r);
    free(p);
}

static void run_product(vector *v) {
    const bigint *a = take_hex(v, "A"), *b = take_hex(v, "B"), *right = take_hex(v, "Result");
    try_binary(v, "A B", bigint_mul, a, b, right);
    try_binary(v, "B A", bigint_mul, b, a, right);
    try_batch(v, a, b, right);
    bigint_prep *prep = NULL;
    bigint r = BIGINT_INIT;
    REQUIRE(v, bigint_prep_create(v->ctx, &prep, a, bigint_limbs_bound(b)));
    REQUIRE(v, bigint_mul_prep(v->ctx, &r, prep, b));
    expect(v, "prepared A times B", &r, right);
    bigint_prep_destroy(v->ctx, prep);
    bigint_clear(v->ctx, &r);
}

static bigint_status sqr_of_first(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b) {
    (void)b;
    return bigint_sqr(ctx, r, a);
}

static void run_square(vector *v) {
    const bigint *a = take_hex(v, "A"), *right = take_hex(v, "Result");
    try_binary(v, "A^2", sqr_of_first, a, a, right);
    try_binary(v, "A A", bigint_mul, a, a, right);
}

static void run_sum(vector *v) {
    const bigint *a = take_hex(v, "A"), *b = take_hex(v, "B");
    const bigint *sum = take_hex(v, "Sum"), *difference = take_hex(v, "Difference");
    bigint r = BIGINT_INIT;
    try_binary(v, "A + B", bigint_add, a, b, sum);
    try_binary(v, "B + A", bigint_add, b, a, sum);
    try_binary(v, "A - B", bigint_sub, a, b, difference);
    REQUIRE(v, bigint_sub(v->ctx, &r, b, a));
    REQUIRE(v, bigint_neg(v->ctx, &r, &r));
    expect(v, "-(B - A)", &r, difference);
    bigint_clear(v->ctx, &r);
}

// --- Other operations ----------------------------------------------------------------------------

static void run_shift(vector *v) {
    const bigint *a = take_hex(v, "A");
    const uint64_t bits = take_u64(v, "Bits");
    const bigint *left = take_hex(v, "Left"), *right = take_hex(v, "Right");
    bigint r = BIGINT_INIT;
    REQUIRE(v, bigint_mul_2exp(v->ctx, &r, a, bits));
    expect(v, "A 2^Bits", &r, left);
    REQUIRE(v, bigint_tdiv_2exp(v->ctx, &r, &r, bits));
    expect(v, "A 2^Bits / 2^Bits", &r, a);
    REQUIRE(v, bigint_mul_2exp(v->ctx, &r, &r, bits));
    expect(v, "A 2^Bits in place", &r, left);
    REQUIRE(v, bigint_tdiv_2exp(v->ctx, &r, a, bits));
    expect(v, "A / 2^Bits", &r, right);
    bigint_clear(v->ctx, &r);
}

static void run_division(vector *v) {
    const bigint *a = take_hex(v, "A"), *d = take_hex(v, "D");
    const bigint *quotient = take_hex(v, "Quotient"), *remainder = take_hex(v, "Remainder");
    bigint q = BIGINT_INIT, r = BIGINT_INIT;
    for (int place = 0; place < 4; place++) {  // bit 0: q is a; bit 1: r is d
        REQUIRE(v, bigint_set(v->ctx, &q, a));
        REQUIRE(v, bigint_set(v->ctx, &r, d));
        REQUIRE(v, bigint_divrem(v->ctx, &q, &r, place & 1 ? &q : a, place & 2 ? &r : d));
        expect(v, "quotient", &q, quotient);
        expect(v, "remainder", &r, remainder);
    }
    REQUIRE(v, bigint_set(v->ctx, &q, d));
    REQUIRE(v, bigint_set(v->ctx, &r, a));
    REQUIRE(v, bigint_divrem(v->ctx, &q, &r, &r, &q));
    expect(v, "quotient in D", &q, quotient);
    expect(v, "remainder in A", &r, remainder);
    REQUIRE(v, bigint_divrem(v->ctx, &q, NULL, a, d));
    expect(v, "quotient alone", &q, quotient);
    REQUIRE(v, bigint_divrem(v->ctx, NULL, &r, a, d));
    expect(v, "remainder alone", &r, remainder);
    bigint_clear(v->ctx, &q);
    bigint_clear(v->ctx, &r);
}

static void run_power(vector *v) {
    const bigint *base = take_hex(v, "Base"), *exponent = take_hex(v, "Exponent");
    const bigint *modulus = take_hex(v, "Modulus"), *right = take_hex(v, "Result");
    bigint r = BIGINT_INIT;
    REQUIRE(v, bigint_powm(v->ctx, &r, base, exponent, modulus));
    expect(v, "power", &r, right);
    REQUIRE(v, bigint_set(v->ctx, &r, base));
    REQUIRE(v, bigint_powm(v->ctx, &r, &r, exponent, modulus));
    expect(v, "power in Base", &r, right);
    REQUIRE(v, bigint_set(v->ctx, &r, exponent));
    REQUIRE(v, bigint_powm(v->ctx, &r, base, &r, modulus));
    expect(v, "power in Exponent", &r, right);
    REQUIRE(v, bigint_set(v->ctx, &r, modulus));
    REQUIRE(v, bigint_powm(v->ctx, &r, base, exponent, &r));
    expect(v, "power in Modulus", &r, right);
    bigint_clear(v->ctx, &r);
}

static void run_mod_product(vector *v) {
    const bigint *a = take_hex(v, "A"), *b = take_hex(v, "B");
    const uint64_t bits = take_u64(v, "Bits");
    const bigint *minus = take_hex(v, "Minus1"), *plus = take_hex(v, "Plus1");
    bigint r = BIGINT_INIT;
    REQUIRE(v, bigint_mul_mod_2exp_minus1(v->ctx, &r, a, b, bits));
    expect(v, "A B mod 2^Bits - 1", &r, minus);
    REQUIRE(v, bigint_set(v->ctx, &r, b));
    REQUIRE(v, bigint_mul_mod_2exp_minus1(v->ctx, &r, &r, a, bits));
    expect(v, "B A mod 2^Bits - 1 in B", &r, minus);
    REQUIRE(v, bigint_mul_mod_2exp_plus1(v->ctx, &r, a, b, bits));
    expect(v, "A B mod 2^Bits + 1", &r, plus);
    REQUIRE(v, bigint_set(v->ctx, &r, a));
    REQUIRE(v, bigint_mul_mod_2exp_plus1(v->ctx, &r, b, &r, bits));
    expect(v, "B A mod 2^Bits + 1 in A", &r, plus);
    bigint_clear(v->ctx, &r);
}

static void run_root(vector *v) {
    const bigint *a = take_hex(v, "A");
    const uint64_t k = take_u64(v, "K");
    const bigint *root = take_hex(v, "Root"), *remainder = take_hex(v, "Remainder");
    bigint s = BIGINT_INIT, r = BIGINT_INIT;
    REQUIRE(v, bigint_root(v->ctx, &s, &r, a, k));
    expect(v, "root", &s, root);
    expect(v, "remainder", &r, remainder);
    REQUIRE(v, bigint_root(v->ctx, &r, NULL, a, k));
    expect(v, "root alone", &r, root);
    REQUIRE(v, bigint_set(v->ctx, &r, a));
    REQUIRE(v, bigint_root(v->ctx, &s, &r, &r, k));
    expect(v, "root of A in place", &s, root);
    expect(v, "remainder in A", &r, remainder);
    if (k == 2) {
        REQUIRE(v, bigint_sqrt(v->ctx, &s, &r, a));
        expect(v, "square root", &s, root);
        expect(v, "its remainder", &r, remainder);
    }
    bigint_clear(v->ctx, &s);
    bigint_clear(v->ctx, &r);
}

// expect_text: the text a call writes is `right`, and fits exactly.
static void expect_text(vector *v, const char *what, const char *text, size_t need,
                        const char *right) {
    if (strcmp(text, right) != 0 || need != strlen(right) + 1) {
        kat_fail(v->k, "%s is wrong as text", what);
    }
}

static void run_decimal(vector *v) {
    const char *hex = kat_take(v->k, "Hex"), *decimal = kat_take(v->k, "Decimal");
    const size_t cap = strlen(decimal) + 2;
    char *text = malloc(cap);
    size_t need = 0;
    bigint x = BIGINT_INIT;
    REQUIRE(v, bigint_set_decimal(v->ctx, &x, decimal, strlen(decimal), NULL));
    REQUIRE(v, bigint_get_hex(v->ctx, text, cap, &need, &x));
    expect_text(v, "Hex", text, need, hex);
    REQUIRE(v, bigint_set_hex(v->ctx, &x, hex, strlen(hex), NULL));
    REQUIRE(v, bigint_get_decimal(v->ctx, text, cap, &need, &x));
    expect_text(v, "Decimal", text, need, decimal);
    bigint_clear(v->ctx, &x);
    free(text);
}

static void run_decimal_product(vector *v) {
    const char *a = kat_take(v->k, "A"), *b = kat_take(v->k, "B"),
               *right = kat_take(v->k, "Result");
    const size_t cap = strlen(right) + 2;
    char *text = malloc(cap);
    size_t need = 0;
    const bigint_status status =
        bigint_mul_decimal(v->ctx, text, cap, &need, a, strlen(a), b, strlen(b), NULL);
    // In floats digits of base 10 are proved for short numbers only; no other engine may refuse.
    if (status != BIGINT_ERANGE ||
        strstr(bigint_ctx_error(v->ctx), "-f32 has no exact plan") == NULL) {
        REQUIRE(v, status);
        expect_text(v, "Result", text, need, right);
    }
    free(text);
}

// --- Files ---------------------------------------------------------------------------------------

typedef struct {
    const char *operation;
    void (*run)(vector *);
} runner;
static const runner runners[] = {
    {"Product", run_product},   {"Square", run_square},
    {"Sum", run_sum},           {"Shift", run_shift},
    {"Division", run_division}, {"Power", run_power},
    {"Root", run_root},         {"ModProduct", run_mod_product},
    {"Decimal", run_decimal},   {"DecimalProduct", run_decimal_product},
};

static void run_block(kat_reader *k, bigint_ctx *ctx, const char *operation) {
    vector v = {.k = k, .ctx = ctx};
    size_t i = 0;
    while (i < sizeof runners / sizeof runners[0] && strcmp(runners[i].operation, operation) != 0) {
        i++;
    }
    if (i == sizeof runners / sizeof runners[0]) {
        kat_fail(k, "no operation is called %.40s", operation);
        return;
    }
    runners[i].run(&v);
    for (int j = 0; j < VALUES_MAX; j++) {
        bigint_clear(ctx, &v.values[j]);
    }
}

// read_file: a file of this folder as text; NULL if it is not there. To be freed.
static char *read_file(const char *name) {
    char path[100];
    snprintf(path, sizeof path, "tests/kat/%s", name);
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    const size_t size = file == NULL || text == NULL ? 0 : fread(text, 1, (1 << 20) - 1, file);
    if (file != NULL) {
        fclose(file);
    }
    if (size == 0) {
        free(text);
        return NULL;
    }
    return text;
}

typedef struct {
    const char *file;
    unsigned blocks;  // that are in it at least: a file that is cut short is noticed
    int by_engine;    // on every engine, not only the best
} kat_file;
static const kat_file files[] = {
    {"product.txt", 180, 1}, {"square.txt", 50, 1},       {"sum.txt", 250, 0},
    {"shift.txt", 130, 0},   {"division.txt", 200, 0},    {"power.txt", 400, 0},
    {"root.txt", 300, 0},    {"mod_product.txt", 400, 1}, {"decimal.txt", 150, 1}};
static void label(char *buf, size_t cap, const kat_file *f) {
    snprintf(buf, cap, "%.*s", (int)strcspn(f->file, "."), f->file);
}

// run_with: the whole file on one engine and variant; what the machine lacks is passed over.
static int run_with(const char *file, const char *engine, const char *variant, unsigned blocks) {
    SCOPED_TRACE("%s, engine %s, variant %s", file, engine == NULL ? "best" : engine, variant);
    bigint_ctx *ctx = NULL;
    const bigint_ctx_options options = {.engine = engine, .variant = variant, .checks = 1};
    const bigint_status status = bigint_ctx_create(&ctx, NULL, &options);
    if (status == BIGINT_OK) {
        char *text = read_file(file);
        EXPECT_TRUE(text != NULL);
        if (text != NULL) {
            kat_reader k = kat_open(text);
            unsigned seen = 0;
            for (const char *operation; (operation = kat_next(&k)) != NULL; seen++) {
                run_block(&k, ctx, operation);
            }
            EXPECT_EQ(k.error, "");
            EXPECT_TRUE(seen >= blocks);
            free(text);
        }
    } else {
        EXPECT_EQ(status, BIGINT_ENOBACKEND);
    }
    bigint_ctx_destroy(ctx);
    return status == BIGINT_OK;
}

// Mutations: any wrong answer of the library; an attribute or operation that the reader lets pass.
TEST_EACH(Kat, File, kat_file, files, label) {
    int runs = 0;
    for (int v = 0; bigint_variants()[v] != NULL; v++) {
        runs += run_with(p->file, NULL, bigint_variants()[v], p->blocks);
        for (int e = 0; p->by_engine && bigint_engines()[e] != NULL; e++) {
            if (strcmp(bigint_engines()[e], "tiled") == 0) {
                continue;  // takes short factors alone: tests/bigint/multiply/mul_small_test.c
            }
            runs += run_with(p->file, bigint_engines()[e], bigint_variants()[v], p->blocks);
        }
    }
    EXPECT_TRUE(runs >= 1);
    ct_record("runs", runs);
}
