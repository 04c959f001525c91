// monoid.h: the names of the associative operators that scan.h and reduce.h take, and the form of
// their elements. Plain C; the operators themselves are in monoid.cuh.
#ifndef PRIMITIVES_SCAN_MONOID_H_
#define PRIMITIVES_SCAN_MONOID_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    MONOID_SUM_U32,     // uint32_t, modulo 2^32
    MONOID_SUM_U64,     // uint64_t, modulo 2^64
    MONOID_SUM_F32,     // float; associative up to rounding only
    MONOID_SUM_F64,     // double; likewise
    MONOID_MAX_U32,     // uint32_t
    MONOID_AFFINE_U32,  // monoid_affine: composition of x -> slope x + offset modulo 2^32
    MONOID_MAP3,        // uint8_t: composition of maps of a set of three into itself
    MONOID_SUM_MOD61,   // uint64_t below MONOID_MOD61, modulo that prime
    MONOID_KINDS,
} monoid;

// Composition is not commutative: the lower element is applied first.
typedef struct {
    uint32_t slope, offset;
} monoid_affine;

// A map f of {0, 1, 2}: f(i) in bits 2 i and 2 i + 1. Carries of -1, 0 and 1 compose as such maps.
enum { MONOID_MAP3_IDENTITY = 0x24 };

#define MONOID_MOD61 ((UINT64_C(1) << 61) - 1)

// monoid_bytes returns the size of one element: 1, 4 or 8.
size_t monoid_bytes(monoid m);
// monoid_name returns the operator's name as in records: "sum-u32".
const char *monoid_name(monoid m);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_SCAN_MONOID_H_
