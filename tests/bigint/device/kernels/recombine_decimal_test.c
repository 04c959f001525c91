// recombine_decimal_test.c: residues to decimal characters on a device, or under the kernel
// emulation, against GMP's sum of the coefficients: carries that ripple through all tiles, lengths
// around a tile and around a word, texts at every distance from a line.
#include "bigint/device/kernels/recombine_decimal.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "fft/modular/primes.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { LG = 148, PRIMES = 3, GUARD = 16, TILE = 1021, DIGITS = RECOMBINE_DECIMAL_DIGITS };
typedef enum { ANY, LARGEST, ZERO, NINES, RIPPLE, PATTERNS } pattern;

// coefficient: number i of that pattern. NINES: all digits are nines; RIPPLE: the lowest
// coefficient carries into all others.
static void coefficient(gen *g, mpz_t c, pattern what, uint64_t i) {
    const uint64_t word[3] = {gen_u64(g), gen_u64(g), gen_u64(g)};
    mpz_import(c, 3, -1, 8, 0, 0, word);
    mpz_tdiv_r_2exp(c, c, LG);
    if (what == LARGEST) {
        mpz_set_ui(c, 1);
        mpz_mul_2exp(c, c, LG);
    } else if (what == ZERO) {
        mpz_set_ui(c, i == 0);
    } else if (what == NINES || what == RIPPLE) {
        mpz_set_ui(c, RECOMBINE_DECIMAL_RADIX - (what == RIPPLE && i == 0 ? 0 : 1));
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
    char *const got = malloc(all), *const want = malloc(n + 3);
    mpz_t ten, low;
    mpz_inits(ten, low, NULL);
    mpz_ui_pow_ui(ten, 10, n);
    mpz_fdiv_r(low, sum, ten);
    mpz_add(low, low, ten);  // a 1 in front of the zeros
    mpz_get_str(want, 10, low);
    char *const text = device_alloc(all);
    void *const workspace = device_alloc(words);
    EXPECT_TRUE(device_fill(workspace, 0, words));
    for (int twice = 0; twice < 2; twice++) {
        EXPECT_TRUE(device_fill(text, '#', all));
        EXPECT_EQ(
            recombine_device_decimal(text + GUARD + apart, n, residues, workspace, words, NULL),
            RESULT_OK);
        EXPECT_TRUE(device_download(got, text, all));
        EXPECT_TRUE(memcmp(got + GUARD + apart, want + 1, n) == 0);
        EXPECT_TRUE(got[GUARD + apart - 1] == '#' && got[GUARD + apart + n] == '#');
    }
    device_free(text), device_free(workspace);
    mpz_clears(ten, low, NULL);
    free(got), free(want);
}

static void check(uint64_t count, pattern what) {
    SCOPED_TRACE("%d coefficients, pattern %d", (int)count, what);
    gen g = gen_seed(count * PATTERNS + what);
    const uint64_t plane = (count + 3) / 4 * 4;
    double *const planes = calloc(PRIMES * plane, sizeof *planes);
    mpz_t sum, c;
    mpz_inits(sum, c, NULL);
    for (uint64_t i = count; i-- > 0;) {
        coefficient(&g, c, what, i);
        mpz_mul_ui(sum, sum, RECOMBINE_DECIMAL_RADIX);
        mpz_add(sum, sum, c);
        for (unsigned prime = 0; prime < PRIMES; prime++) {
            planes[prime * plane + i] = residue(&g, c, prime);
        }
    }
    double *const there = device_alloc(8 * PRIMES * plane);
    EXPECT_TRUE(device_upload(there, planes, 8 * PRIMES * plane));
    const recombine_residues residues = {
        .x = there, .plane = plane, .count = count, .primes = PRIMES};
    const uint64_t whole = DIGITS * (count + 2);
    expect_text(sum, whole + (count + (uint64_t)what) % DIGITS, (unsigned)count % GUARD, &residues);
    expect_text(sum, whole - 2 * DIGITS - count % DIGITS, (unsigned)(count + what) % GUARD,
                &residues);
    device_free(there);
    free(planes);
    mpz_clears(sum, c, NULL);
}

// Mutations: a digit of the coefficient below is left out, at a tile's or a warp's beginning too; a
// sum sends 1 where it is 2; nothing enters the second tile, or what it sends is taken twice; a
// word beyond the last coefficient is not 0; characters beside the text are written.
TEST(RecombineDecimal, EqualsGmp) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const uint64_t counts[] = {1,        2,        3,    4,        31,           32,  33,
                                      TILE - 2, TILE - 1, TILE, TILE + 1, 2 * TILE + 1, 5000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (pattern what = 0; what < PATTERNS; what++) {
            check(counts[i], what);
        }
    }
}

// Mutation: other primes, or too little workspace, are taken for what they are not.
TEST(RecombineDecimal, Refuses) {
    if (!device_ready()) {
        SKIP("no device");
    }
    char *const memory = device_alloc(4096);
    const size_t bytes = recombine_device_decimal_bytes(18);
    recombine_residues residues = {
        .x = (double *)memory, .plane = 4, .count = 1, .primes = PRIMES + 1};
    EXPECT_EQ(recombine_device_decimal(memory + 512, 18, &residues, memory + 1024, bytes, NULL),
              RESULT_REFUSED);
    residues.primes = PRIMES;
    EXPECT_EQ(recombine_device_decimal(memory + 512, 18, &residues, memory + 1024, bytes - 1, NULL),
              RESULT_REFUSED);
    EXPECT_EQ(recombine_device_decimal(memory + 512, 0, &residues, memory + 1024, bytes, NULL),
              RESULT_REFUSED);
    device_free(memory);
}
