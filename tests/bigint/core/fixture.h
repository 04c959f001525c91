// fixture.h: what the tests of the public calls share: contexts, integers beside their mpz_t twins,
// and an allocator that counts, checks and fails on demand. Includes GMP, ctest and the generators.
#ifndef TESTS_BIGINT_CORE_FIXTURE_H_
#define TESTS_BIGINT_CORE_FIXTURE_H_

#include <gmp.h>
#include <stddef.h>
#include <stdint.h>

#include "bigint/bigint.h"
#include "tests/support/gen.h"

// fixture_open opens the place that this fixture was built for: the host, device 0, or a group of
// three members on one of these. fixture_ctx makes a context there, or stops the program with the
// library's own text. options may be NULL.
bigint_status fixture_open(bigint_device **device);
bigint_ctx *fixture_ctx(const bigint_ctx_options *options);

// fixture_place: where fixture_ctx works.
int fixture_place(void);

// fixture_thinning: 1 on the host. On a device, whose kernels may be emulated, and on a group a
// test does one round in fixture_thinning().
int fixture_thinning(void);

// fixture_limbs: z = a number of exactly n limbs of any shape; fixture_shape: of that one.
void fixture_limbs(gen *g, mpz_t z, size_t n);
void fixture_shape(gen *g, gen_shape shape, mpz_t z, size_t n);

// fixture_draw sets x and z to the same number: any shape, either sign, up to max_limbs limbs of
// log-uniform length; one in sixteen is 0.
void fixture_draw(gen *g, bigint_ctx *ctx, bigint *x, mpz_t z, size_t max_limbs);

// fixture_set: x = z.
void fixture_set(bigint_ctx *ctx, bigint *x, const mpz_t z);

// fixture_expect returns 1 if x is z in every respect a caller can see (limbs, length, sign, bits);
// otherwise it records a failure at file:line that names `what`.
int fixture_expect(const char *file, int line, const char *what, bigint_ctx *ctx, const bigint *x,
                   const mpz_t z);
#define EXPECT_BIGINT(ctx, x, z) ((void)fixture_expect(__FILE__, __LINE__, #x, (ctx), (x), (z)))
#define ASSERT_BIGINT(ctx, x, z) \
    CT_OR_RETURN(fixture_expect(__FILE__, __LINE__, #x, (ctx), (x), (z)))

// EXPECT_TEXT: the text of the last failure contains `text`.
void fixture_expect_text(const char *file, int line, const bigint_ctx *ctx, const char *text);
#define EXPECT_TEXT(ctx, text) fixture_expect_text(__FILE__, __LINE__, (ctx), (text))

// fixture_check_product checks x y and x x, into a fresh integer and with every aliasing.
void fixture_check_product(bigint_ctx *ctx, const mpz_t x, const mpz_t y);

// fixture_check_loose_lengths checks products of zeros with and without limbs, of factors of very
// different lengths and, on a device, of numbers shorter than their announced length.
void fixture_check_loose_lengths(bigint_ctx *ctx);

// fixture_random_products: runs `rounds` of those checks with numbers of either sign and every
// shape, of log-uniform lengths of up to `longest` limbs, on a context that checks its products. It
// expects that all were checked.
void fixture_random_products(bigint_ctx *ctx, uint64_t seed, int rounds, size_t longest);

// allocator_log: an allocator for any threads. It fails allocation number fail_at (counted from 1;
// 0: never) and absurdly large ones. It fills fresh memory with rubbish, and records a failure when
// memory is released with the wrong size.
typedef struct {
    uint64_t calls, live_blocks, live_bytes, peak_bytes;
    uint64_t fail_at;
} allocator_log;
bigint_allocator fixture_allocator(allocator_log *log);

#endif  // TESTS_BIGINT_CORE_FIXTURE_H_
