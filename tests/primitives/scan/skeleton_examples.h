// skeleton_examples.h: what a user's operators look like, and the skeletons of
// primitives/scan/skeletons.cuh run with them. Plain C; includes monoid_examples.h.
#ifndef TESTS_PRIMITIVES_SCAN_SKELETON_EXAMPLES_H_
#define TESTS_PRIMITIVES_SCAN_SKELETON_EXAMPLES_H_

#include <stdbool.h>

#include "tests/primitives/scan/monoid_examples.h"

#ifdef __cplusplus
extern "C" {
#endif

// The operators and their values. Only argmax commutes.
typedef enum {
    SKELETON_ARGMAX,   // skeleton_place: the larger value, of equal ones the lower index
    SKELETON_AFFINE,   // skeleton_map: x -> slope x + offset modulo 2^32, the lower one first
    SKELETON_CARRY,    // uint8_t: what a digit does to a carry, skeleton_carry
    SKELETON_MATRIX,   // skeleton_matrix: products modulo 2^32, the lower one left
    SKELETON_SEGMENT,  // example_segment of int32_t elements: reductions alone
    SKELETON_OPERATORS,
} skeleton_operator;

typedef struct {
    int32_t value;
    uint32_t index;
} skeleton_place;
typedef struct {
    uint32_t slope, offset;
} skeleton_map;
typedef enum { SKELETON_KILL, SKELETON_PROPAGATE, SKELETON_GENERATE } skeleton_carry;
typedef struct {
    uint32_t x[4];  // row by row
} skeleton_matrix;

// An element that is moved, not combined; kept if its weight is odd.
typedef struct {
    uint32_t weight, name[2];
} skeleton_parcel;

// The functions of longmul:: with these operators. workspace as there.
size_t skeleton_scan_bytes(skeleton_operator op, uint64_t n, uint64_t rows);
result skeleton_scan(skeleton_operator op, bool exclusive, void *out, const void *in, uint64_t n,
                     uint64_t rows, void *workspace, size_t bytes, cuda_stream stream);
// All but matrix and segment.
size_t skeleton_segmented_bytes(skeleton_operator op, uint64_t n);
result skeleton_segmented(skeleton_operator op, bool exclusive, void *out, const void *in,
                          const uint8_t *heads, uint64_t n, void *workspace, size_t bytes,
                          cuda_stream stream);
size_t skeleton_reduce_bytes(skeleton_operator op);
result skeleton_reduce(skeleton_operator op, void *out, const void *in, uint64_t n, uint64_t rows,
                       void *workspace, size_t bytes, cuda_stream stream);
// The odd words, and the parcels of odd weight.
size_t skeleton_compact_bytes(bool parcels, uint64_t n);
result skeleton_compact(bool parcels, void *out, uint64_t *count, const void *in, uint64_t n,
                        void *workspace, size_t bytes, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // TESTS_PRIMITIVES_SCAN_SKELETON_EXAMPLES_H_
