// recombine_decimal_test.c: residues to decimal characters on a device, or under the kernel
// emulation, against GMP's sum of the coefficients: carries that ripple through all tiles, lengths
// around a tile and around a digit, texts at every distance from a line.
#include "bigint/device/kernels/recombine_decimal.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "fft/modular/primes.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

// Places of a tile of a short text and of a long one, which begins with 2^22 characters.
enum { GUARD = 16, TILE = 253, LONG_TILE = 509, LONG = 1 << 22, WORDS = 5 };
typedef enum { ANY, LARGEST, ZERO, NINES, RIPPLE, PATTERNS } pattern;

// of_base: a base, and its coefficients' largest logarithm.
typedef struct {
    recombine_decimal_base base;
    unsigned lg;
} of_base;

static of_base base_of(unsigned i) {
    static const unsigned lg[RECOMBINE_DECIMAL_BASES] = {148, 197, 296};
    return (of_base){recombine_decimal_bases[i], lg[i]};
}

// coefficient: number i of that pattern. NINES: all digits are nines; RIPPLE: the lowest
// coefficient carries into all others.
static void coefficient(gen *g, mpz_t c, const of_base *of, pattern what, uint64_t i) {
    const uint64_t word[WORDS] = {gen_u64(g), gen_u64(g), gen_u64(g), gen_u64(g), gen_u64(g)};
    mpz_import(c, WORDS, -1, 8, 0, 0, word);
    mpz_tdiv_r_2exp(c, c, of->lg);
    if (what == LARGEST) {
        mpz_set_ui(c, 1);
        mpz_mul_2exp(c, c, of->lg);
    } else if (what == ZERO) {
        mpz_set_ui(c, i == 0);
    } else if (what == NINES || what == RIPPLE) {
        mpz_ui_pow_ui(c, 10, of->base.digits);
        mpz_sub_ui(c, c, what == RIPPLE && i == 0 ? 0 : 1);
    }
}

// residue: c modulo p as a double, up to 4 p away from the balanced one.
static double residue(gen *g, const mpz_t c, unsigned prime) {
    const long p = (long)fft_primes[prime].p;
    const long r = (long)mpz_fdiv_ui(c, (unsigned long)p);
    return (double)(r > p / 2 ? r - p : r) + (double)p * ((double)gen_below(g, 7) - 3);
}

// expect_text expects n characters of the value modulo 10^n, `apart` bytes behind a line, and
// nothing written beside them; twice, because the first call must leave the workspace ready.
static void expect_text(const mpz_t sum, uint64_t n, unsigned apart,
                        const recombine_residues *residues) {
    SCOPED_TRACE("%d characters, %d behind a line", (int)n, (int)apart);
    const size_t words = recombine_device_decimal_bytes(n), all = n + 3 * GUARD;
    char *const got = malloc(all), *const want = malloc(n),
                *const value = mpz_get_str(NULL, 10, sum);
    const size_t digits = strlen(value), put = digits < n ? digits : n;
    memset(want, '0', n);
    memcpy(want + n - put, value + digits - put, put);
    char *const text = device_alloc(all);
    void *const workspace = device_alloc(words);
    EXPECT_TRUE(device_fill(workspace, 0, words));
    for (int twice = 0; twice < 2; twice++) {
        EXPECT_TRUE(device_fill(text, '#', all));
        EXPECT_EQ(
            recombine_device_decimal(text + GUARD + apart, n, residues, workspace, words, NULL),
            RESULT_OK);
        EXPECT_TRUE(device_download(got, text, all));
        EXPECT_TRUE(memcmp(got + GUARD + apart, want, n) == 0);
        EXPECT_TRUE(got[GUARD + apart - 1] == '#' && got[GUARD + apart + n] == '#');
    }
    device_free(text), device_free(workspace);
    free(got), free(want), free(value);
}

// check: with as many characters as the value has, and fewer; at least `least`.
static void check(const of_base *of, uint64_t count, pattern what, uint64_t least) {
    SCOPED_TRACE("%d digits, %d coefficients, pattern %d", (int)of->base.digits, (int)count, what);
    gen g = gen_seed(count * PATTERNS + what);
    const unsigned primes = of->base.primes, digits = of->base.digits;
    const uint64_t plane = (count + 3) / 4 * 4;
    double *const planes = calloc(primes * plane, sizeof *planes);
    mpz_t sum, c, radix;
    mpz_inits(sum, c, radix, NULL);
    mpz_ui_pow_ui(radix, 10, digits);
    for (uint64_t i = count; i-- > 0;) {
        coefficient(&g, c, of, what, i);
        mpz_mul(sum, sum, radix);
        mpz_add(sum, sum, c);
        for (unsigned prime = 0; prime < primes; prime++) {
            planes[prime * plane + i] = residue(&g, c, prime);
        }
    }
    double *const there = device_alloc(8 * primes * plane);
    EXPECT_TRUE(device_upload(there, planes, 8 * primes * plane));
    const recombine_residues residues = {
        .x = there, .plane = plane, .count = count, .primes = primes, .bits = of->base.bits};
    const uint64_t whole = least + digits * (count + 2);
    expect_text(sum, whole + (count + (uint64_t)what) % digits, (unsigned)count % GUARD, &residues);
    expect_text(sum, whole - 2 * digits - count % digits, (unsigned)(count + what) % GUARD,
                &residues);
    device_free(there);
    free(planes);
    mpz_clears(sum, c, radix, NULL);
}

// Mutations: a digit of the coefficient below is left out, at a tile's or a warp's beginning too; a
// sum sends 1 where it is 2; nothing enters the second tile, or what it sends is taken twice; a
// word beyond the last coefficient is not 0; characters beside the text are written; tiles of short
// and of long texts are taken for each other.
TEST(RecombineDecimal, EqualsGmp) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const uint64_t counts[] = {1,        2,        3,    4,        31,           32,  33,
                                      TILE - 2, TILE - 1, TILE, TILE + 1, 2 * TILE + 1, 5000};
    for (unsigned i = 0; i < RECOMBINE_DECIMAL_BASES; i++) {
        const of_base of = base_of(i);
        for (size_t j = 0; j < PATTERNS * sizeof counts / sizeof *counts; j++) {
            check(&of, counts[j / PATTERNS], (pattern)(j % PATTERNS), 0);
        }
        check(&of, 2 * LONG_TILE + 1, ANY, LONG);
        check(&of, 2 * LONG_TILE + 1, RIPPLE, LONG);
    }
}

// Mutation: other primes, another base's bits, or too little workspace, are taken for what they are
// not.
TEST(RecombineDecimal, Refuses) {
    if (!device_ready()) {
        SKIP("no device");
    }
    char *const memory = device_alloc(4096);
    const size_t bytes = recombine_device_decimal_bytes(19);
    recombine_residues residues = {
        .x = (double *)memory, .plane = 4, .count = 1, .primes = 5, .bits = 64};
    EXPECT_EQ(recombine_device_decimal(memory + 512, 19, &residues, memory + 1024, bytes, NULL),
              RESULT_REFUSED);
    residues.primes = 4;
    EXPECT_EQ(recombine_device_decimal(memory + 512, 19, &residues, memory + 1024, bytes, NULL),
              RESULT_REFUSED);
    residues.primes = 3;
    EXPECT_EQ(recombine_device_decimal(memory + 512, 19, &residues, memory + 1024, bytes - 1, NULL),
              RESULT_REFUSED);
    EXPECT_EQ(recombine_device_decimal(memory + 512, 0, &residues, memory + 1024, bytes, NULL),
              RESULT_REFUSED);
    device_free(memory);
}
