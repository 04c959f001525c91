// operations.h: tables of calls beside their GMP twins. Every call of a table is tried on the same
// operands with every aliasing, with every allocation failing and, on the host, under memory caps.
// Includes GMP and the library.
#ifndef TESTS_BIGINT_CORE_OPERATIONS_H_
#define TESTS_BIGINT_CORE_OPERATIONS_H_

#include <gmp.h>
#include <stdint.h>

#include "bigint/bigint.h"

// paired: a call and its twin: r from a, b, a word and r's old value. Calls that answer a question
// store the answer in r. twin returns 0, and leaves r alone, if the call must return `refusal`.
typedef struct {
    const char *name;
    bigint_status (*call)(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b, uint64_t w);
    int (*twin)(mpz_t r, const mpz_t a, const mpz_t b, uint64_t w);
    bigint_status refusal;
    int several;  // it makes several calls: after a failure r may have any value
} paired;

// The parameters of calls and of twins, and a table's line for x and x_twin.
#define PAIRED_CALL                                                      \
    bigint_ctx *ctx, bigint *r, const bigint *a __attribute__((unused)), \
        const bigint *b __attribute__((unused)), uint64_t w __attribute__((unused))
#define PAIRED_TWIN                                                                        \
    mpz_t r, const mpz_t a __attribute__((unused)), const mpz_t b __attribute__((unused)), \
        uint64_t w __attribute__((unused))
#define PAIRED(name, refusal, several) \
    { #name, name, name##_twin, refusal, several }

// paired_answer: r = value, if the question could be answered.
bigint_status paired_answer(bigint_ctx *ctx, bigint *r, bigint_status status, int64_t value);

// paired_try: r = call(a, b, w) for different integers, r = a, r = b, a = b and all three the same.
// paired_fail: every allocation of the call fails once: r keeps its value, nothing leaks.
void paired_try(bigint_ctx *ctx, const paired *p, const mpz_t r, const mpz_t a, const mpz_t b,
                uint64_t w);
void paired_fail(const paired *p, const mpz_t r, const mpz_t a, const mpz_t b, uint64_t w);

// paired_edges: all of them on pairs of the edges: 0, 1, 2^k and 2^k +- 1 for the bits around one
// and two limbs, all ones, of both signs, with the words 0, 1, 2, 63, 64, 65, 2^32, 2^63 and
// 2^64 - 1. On a device or group some of these pairs and rounds.
// Words are at most `word_limit`. paired_random: `rounds` rounds with up to `limbs` limbs.
void paired_edges(const paired *table, int count, uint64_t word_limit);
void paired_random(const paired *table, int count, uint64_t word_limit, int rounds, size_t limbs);

#endif  // TESTS_BIGINT_CORE_OPERATIONS_H_
