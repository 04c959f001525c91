// powm_device.h: modular powers of many numbers at once on a device. Plain C; the kernels are in
// powm_digits.cu and powm_tiled.cu, the plans in powm_device_plan.c.
//
// Notation as in limbs.h; B = 2^64. Allocates nothing and does not wait. The calling thread's
// current device must be the stream's.
#ifndef PRIMITIVES_RESIDUES_POWM_DEVICE_H_
#define PRIMITIVES_RESIDUES_POWM_DEVICE_H_

#include <stdbool.h>
#include <stdint.h>

#include "primitives/residues/numbers_device.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// A number is either digits of 52 bits, `each` of them (one of these four values) in every lane of
// a group of at most a warp; or tiles of 1024 bits, in a warp of its own. Also the threads of a
// block.
enum {
    POWM_DEVICE_EACH = 20,
    POWM_DEVICE_EACH_MORE = 15,
    POWM_DEVICE_EACH_SOME = 10,
    POWM_DEVICE_EACH_FEW = 5,
    POWM_DEVICE_THREADS = 128
};
// The longest moduli, in bits, and the limbs that always fit; the most limbs of exponents.
enum {
    POWM_DEVICE_BITS_MAX = 52 * 32 * POWM_DEVICE_EACH - 2,
    POWM_DEVICE_LIMBS_MAX = POWM_DEVICE_BITS_MAX / 64,
    POWM_DEVICE_EXPONENT_MAX = 1 << 24
};
// Blocks that a multiprocessor holds: with POWM_DEVICE_EACH_FEW digits a lane, with
// POWM_DEVICE_EACH_SOME, with more.
enum { POWM_DEVICE_BLOCKS_FEW = 4, POWM_DEVICE_BLOCKS_SOME = 3, POWM_DEVICE_BLOCKS = 2 };

// What a multiprocessor holds of blocks of one warp: at most this many tiles together, and at most
// this many blocks.
enum { POWM_DEVICE_TILES = 96, POWM_DEVICE_TILED_BLOCKS = 16 };

// powm_device_entries: powers in a group's table.
static HOST_DEVICE uint64_t powm_device_entries(unsigned window) {
    return ((uint64_t)1 << window) + 1;
}

// powm_device_plan: how a batch of powers is computed. Plain data.
typedef struct {
    unsigned each, lanes;  // digits a lane, lanes a group; not of tiles
    unsigned window;       // bits of the exponent at once; one more where windows slide
    unsigned blocks;       // of the launch; each takes several powers in turn if there are more
    uint64_t workspace_bytes;
    unsigned
        tiles;  // of a number: 2, 3, 4, 6, 8, 12 or 16; 0: digits of 52 bits. Last: ptxas spills
                // in the kernel of 20 digits where it moves what stands before
} powm_device_plan;

// powm_device_plan_make chooses the plan of `count` >= 1 powers modulo numbers below
// 2^modulus_bits, with exponents of up to exponent_limbs limbs. most_bytes bounds the workspace; 0
// means no bound. RESULT_REFUSED: a number is too long. RESULT_NO_MEMORY: most_bytes is too little
// for one block.
result powm_device_plan_make(powm_device_plan *plan, uint64_t count, uint64_t modulus_bits,
                             uint64_t exponent_limbs, int multiprocessors, uint64_t most_bytes);
// powm_device_plan_digits: like powm_device_plan_make, without tiles.
result powm_device_plan_digits(powm_device_plan *plan, uint64_t count, uint64_t modulus_bits,
                               uint64_t exponent_limbs, int multiprocessors, uint64_t most_bytes);
// powm_device_plan_tiles, powm_device_plan_each: like powm_device_plan_make, with that many tiles
// or with `each` digits a lane. RESULT_REFUSED also if these are too few.
result powm_device_plan_tiles(powm_device_plan *plan, unsigned tiles, uint64_t count,
                              uint64_t modulus_bits, uint64_t exponent_limbs, int multiprocessors,
                              uint64_t most_bytes);
result powm_device_plan_each(powm_device_plan *plan, unsigned each, uint64_t count,
                             uint64_t modulus_bits, uint64_t exponent_limbs, int multiprocessors,
                             uint64_t most_bytes);

// powm_device_batch: powers r[i] = base[i]^exponent[i] mod modulus[i], i < count; r[i] has at least
// the modulus's limbs, in all of which it is stored. 0^0 = 1; modulo 1, and modulo 0, all is 0.
// negative: NULL, or an array of words; base[i] is negative if word i is not 0.
// secret: the exponents are secret. Instructions and addresses then depend only on the announced
// lengths (spans, lengths) and on moduli: all digits of an exponent's whole length are used, and a
// window's power is read by reading all powers, with masks.
typedef struct {
    uint64_t count;
    numbers_device r, base, exponent, modulus;
    const uint64_t *negative;
    bool secret;
} powm_device_batch;

// powm_device enqueues a batch. Requires: moduli and exponents as announced to the plan, which may
// be for more powers or longer ones; r overlaps nothing; workspace of the plan's bytes, aligned to
// 16.
// Cost: two launches, the second for even moduli alone. With D = each lanes digits, E bits of
// exponent and windows of w: E + E / w + 2^w products of 2 D^2 digit products, and again half of
// that where moduli are even; in tiles E + E / (w + 2) + 2^w unless exponents are secret. A digit
// product takes three FP64 operations and two additions of three words. Of t tiles a product is
// some 8 t^2 + 10 t products of fragments on tensor cores.
// Errors: RESULT_DEVICE_ERROR.
// Source, bounds: montgomery.cuh, tiled_ring.cuh, docs/proofs/powm.md.
result powm_device(const powm_device_plan *plan, const powm_device_batch *batch, void *workspace,
                   cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_RESIDUES_POWM_DEVICE_H_
