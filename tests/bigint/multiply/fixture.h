// fixture.h: what the tests of products by every engine share: the engines, each with every
// variant, and a context with the numbers of one test. Includes GMP and the fixture.
#ifndef TESTS_BIGINT_MULTIPLY_FIXTURE_H_
#define TESTS_BIGINT_MULTIPLY_FIXTURE_H_

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

// One forced engine with one forced variant, and the sizes up to which it is tried.
typedef struct {
    const char *engine;  // NULL: the library's choice
    const char *variant;
    size_t max_limbs;
    int rounds;
} mul_combination;

static const mul_combination mul_combinations[] = {
    {"schoolbook", "portable", 300, 300},
    {"schoolbook", "avx2", 300, 300},
    {"schoolbook", "ifma", 300, 300},
    {"karatsuba", "portable", 900, 150},
    {"karatsuba", "avx2", 900, 150},
    {"karatsuba", "ifma", 900, 150},
    {"toom3", "portable", 2500, 100},
    {"toom3", "avx2", 2500, 100},
    {"toom3", "ifma", 2500, 100},
    {"modular-fft", "portable", 9000, 60},
    {"modular-fft", "avx2", 20000, 100},
    {"modular-fft", "avx512", 20000, 150},
    {"modular-fft", "ifma", 20000, 150},
    {"real-fft", "portable", 2000, 40},
    {"real-fft", "avx2", 4000, 60},
    {"real-fft", "avx512", 4000, 60},
    {"complex-fft", "portable", 2000, 40},
    {"complex-fft", "avx512", 4000, 60},
    {"real-fft-f32", "avx512", 300, 60},
    {"complex-fft-f32", "avx2", 300, 60},
    {"tiled", "portable", 120, 300},
    {"tiled", "avx2", 120, 100},
    {"tiled", "ifma", 120, 300},
    {NULL, "portable", 9000, 100},
    {NULL, "avx2", 20000, 100},
    {NULL, "avx512", 20000, 150},
    {NULL, "ifma", 20000, 150},
};

// mul_label: the combination as part of a test's name.
void mul_label(char *buf, size_t cap, const mul_combination *c);

// A context and the numbers of one test; z are their twins in GMP.
typedef struct {
    bigint_ctx *ctx;
    bigint a, b, r;
    mpz_t az, bz, rz;
} mul_fixture;

// mul_start returns 0 if this machine lacks the variant; then there is nothing to stop.
int mul_start(mul_fixture *t, const bigint_ctx_options *options);
void mul_stop(mul_fixture *t);

// MUL_REQUIRE(mul_start(...)) leaves the test out where the variant cannot run.
#define MUL_REQUIRE(ok)                                                                \
    do {                                                                               \
        if (!(ok)) {                                                                   \
            SKIP("this processor lacks the variant's instructions: it is not tested"); \
        }                                                                              \
    } while (0)

// mul_set: x and z of exactly n limbs and the given shape.
void mul_set(mul_fixture *t, gen *g, bigint *x, mpz_t z, gen_shape shape, size_t n);

// mul_expect_product: a b and b a; mul_expect_square: a a.
void mul_expect_product(mul_fixture *t);
void mul_expect_square(mul_fixture *t);

#endif  // TESTS_BIGINT_MULTIPLY_FIXTURE_H_
