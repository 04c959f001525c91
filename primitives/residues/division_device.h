// division_device.h: quotients, remainders, products modulo numbers and inverses of many numbers at
// once on a device. Plain C; the kernels are in division_device.cu, the plans in
// division_device_plan.c.
//
// Notation as in limbs.h. Allocates nothing and does not wait. The calling thread's current device
// must be the stream's.
#ifndef PRIMITIVES_RESIDUES_DIVISION_DEVICE_H_
#define PRIMITIVES_RESIDUES_DIVISION_DEVICE_H_

#include <stdbool.h>
#include <stdint.h>

#include "primitives/residues/numbers_device.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// A number is digits of 48 bits, DIVISION_DEVICE_EACH in each of the lanes of a group, which is a
// warp at most. Threads of a block; the longest moduli and divisors, in limbs.
enum {
    DIVISION_DEVICE_EACH = 12,
    DIVISION_DEVICE_THREADS = 128,
    DIVISION_DEVICE_LIMBS_MAX = (48 * 32 * DIVISION_DEVICE_EACH - 2) / 64
};
// Blocks that a multiprocessor holds: of products and quotients, of inverses.
enum { DIVISION_DEVICE_BLOCKS = 4, DIVISION_DEVICE_INVERSE_BLOCKS = 2 };

// division_device_work: products a b modulo numbers; quotients and remainders of a; inverses of a.
typedef enum {
    DIVISION_DEVICE_PRODUCT,
    DIVISION_DEVICE_QUOTIENT,
    DIVISION_DEVICE_INVERSE
} division_device_work;

// division_device_plan: how a batch is computed. Plain data.
typedef struct {
    division_device_work work;
    unsigned lanes;            // of a group
    unsigned blocks;           // what they do not hold at once, they do one after the other
    uint64_t quotient_digits;  // room for each group's; 0 if no quotients are wanted
    uint64_t workspace_bytes;
} division_device_plan;

// division_device_plan_make chooses the plan of `count` >= 1 items with moduli of up to
// modulus_limbs limbs; dividend_limbs: those of the longest dividend whose quotient is wanted, else
// 0. most_bytes bounds the workspace; 0: nothing does. RESULT_REFUSED: a modulus is too long;
// RESULT_NO_MEMORY: most_bytes is too little for one block.
result division_device_plan_make(division_device_plan *plan, division_device_work work,
                                 uint64_t count, uint64_t modulus_limbs, uint64_t dividend_limbs,
                                 int multiprocessors, uint64_t most_bytes);

// division_device_batch: for i < count, with the numbers modulus[i] = m:
//   products   r[i] = a[i] b[i] mod m; a and b of any lengths
//   quotients  q[i] = floor(a[i] / m), r[i] = a[i] mod m; either is left out where its p is NULL
//   inverses   r[i] a[i] = 1 mod m, or r[i] = 0 where there is none; a[i] has at most the limbs
//              that the plan's moduli have
// Results fill all their limbs; r[i] has at least m's, q[i] at least a[i]'s. Of m = 0, and of
// inverses modulo 1, all results are 0.
typedef struct {
    uint64_t count;
    numbers_device a, b, modulus, q, r;
} division_device_batch;

// division_device enqueues a batch. Requires: a batch as announced to the plan, which may be for
// more items or longer ones; results overlap nothing; workspace of the plan's bytes, aligned to 16.
// Cost: one launch. With D digits of 48 bits in the modulus's lanes and N in a: products and
// quotients 2 N D, or N D, products of digits, three FP64 operations and two additions of three
// words each, and half of that for each digit by which b is longer than m; no inverse of m is
// computed before. Inverses: some 2 bits(m) / 48 rounds, at most 49 / 17 bits(m) / 48, of 10 D
// products of digits and 48 steps on words; D^2 more where a modulus among some neighbours is even.
// Running time depends on the values.
// Errors: RESULT_DEVICE_ERROR.
// Source, bounds: division.cuh, inversion.cuh, docs/proofs/division_device.md.
result division_device(const division_device_plan *plan, const division_device_batch *batch,
                       void *workspace, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_RESIDUES_DIVISION_DEVICE_H_
