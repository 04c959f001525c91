// around_factors.h: the factors of one row of around_bench.c, GMP's products of them, and contexts
// on a device that multiply them in different ways. Plain C; includes bigint.h and timing.h.
#ifndef BENCH_MUL_AROUND_FACTORS_H_
#define BENCH_MUL_AROUND_FACTORS_H_

#include "bench/device/timing.h"
#include "bigint/bigint.h"

// around_stop ends the program with a text.
void around_stop(const char *what, const char *why);

// around_factors: pairs of random numbers on the host, one after the other in {a, a_limbs} and {b,
// b_limbs}, with the length and the offset of each number in limbs. GMP's product of pair i begins
// at the sum of both offsets in {product, a_limbs + b_limbs}.
enum { AROUND_PAIRS_MAX = 64 };
typedef struct {
    uint64_t count, an_most, bn_most;
    uint64_t an[AROUND_PAIRS_MAX], bn[AROUND_PAIRS_MAX], rn[AROUND_PAIRS_MAX];
    uint64_t a_at[AROUND_PAIRS_MAX], b_at[AROUND_PAIRS_MAX], r_at[AROUND_PAIRS_MAX];
    uint64_t a_limbs, b_limbs, *a, *b, *product;
} around_factors;

// around_factors_make draws `count` pairs, a of up to an limbs and b of up to bn. If least is not
// 0, lengths are log-uniform from least to the largest.
around_factors *around_factors_make(uint64_t count, uint64_t an, uint64_t bn, uint64_t least);
void around_factors_free(around_factors *f);
// around_bytes: the least that a way to multiply them reads and writes.
double around_bytes(const around_factors *f);

// around_way: what one call does with them.
typedef enum {
    AROUND_PLAIN,     // bigint_mul, pair after pair
    AROUND_PREPARED,  // bigint_mul_prep of one pair, a prepared for numbers of b's length
    AROUND_SUM,       // bigint_mul_sum
    AROUND_ADDED,     // bigint_mul and bigint_add, pair after pair
    AROUND_RAGGED,    // bigint_mul_batch, every length told
    AROUND_ALIKE,     // bigint_mul_batch of pairs that are all of one size
} around_way;

// around_contender: one way to multiply them, on a context of its own; `self` of around_enqueue.
typedef struct {
    const around_factors *factors;
    around_way way;
    uint64_t cap;  // of the context's workspace; 0: none
    bigint_device *device;
    bigint_ctx *ctx;
    bigint all_a, all_b;  // all factors as one number each, for spans
    bigint a[AROUND_PAIRS_MAX], b[AROUND_PAIRS_MAX], r[AROUND_PAIRS_MAX];
    bigint_prep *prepared;
    uint64_t *products;  // of spans, on the device
} around_contender;

// around_open makes the context on the stream and copies the factors there, or ends the program.
// around_check ends it unless the results of the last call are GMP's.
void around_open(around_contender *c, const around_factors *factors, around_way way, uint64_t cap,
                 cuda_stream stream);
bool around_enqueue(void *self, cuda_stream stream);
void around_check(const around_contender *c);
void around_close(around_contender *c);

#endif  // BENCH_MUL_AROUND_FACTORS_H_
