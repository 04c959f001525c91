// spots.h: short addends at regular places of a long number, on a device. Plain C; the kernels are
// in spots.cu.
#ifndef CARRY_SPOTS_H_
#define CARRY_SPOTS_H_

#include <stddef.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// CARRY_SPOT: limbs of an addend.
enum { CARRY_SPOT = 4 };

// carry_spots: addends 0 .. rows lanes - 1. Addend k has its lowest limb at limb (k + 1) each of a
// number, and is {p + CARRY_SPOT (k mod lanes rows + k / lanes), CARRY_SPOT}: [lane][row][limb].
// each >= CARRY_SPOT, so addends do not overlap.
typedef struct {
    const uint64_t *p;
    uint64_t each, rows, lanes;
} carry_spots;

// carry_spots_bytes: workspace for a stretch of n limbs of such a number. Nothing is asked of what
// is there.
size_t carry_spots_bytes(uint64_t n, uint64_t each);

// carry_add_spots adds to {rp, n}, limbs first .. first + n - 1 of a number, the limbs of addends
// that lie there; limb n becomes what is carried out, 0 or 1. n >= 1.
// Cost: three launches. Around each addend some limbs are read, and those that a carry goes
//       through are written
// Errors: RESULT_REFUSED: too little workspace, or an addend longer than what lies between two
result carry_add_spots(uint64_t *rp, uint64_t n, uint64_t first, const carry_spots *spots,
                       void *workspace, size_t bytes, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // CARRY_SPOTS_H_
