// plan.h: plans of decimal products on a device, from text to text: which pipeline, which base,
// how far its rounding errors can go. Pure. Internal to bigint/.
#ifndef BIGINT_DEVICE_DECIMAL_PLAN_H_
#define BIGINT_DEVICE_DECIMAL_PLAN_H_

#include "bigint/device/decimal/digits.h"
#include "fft/device/complex/transform.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { DECIMAL_COMPLEX, DECIMAL_REAL, DECIMAL_TILED } decimal_method;

// decimal_way: what can be asked for. The papers' pipelines have k = 1 and two_phase
// [DieguezThesis18] 7: Complex-ID and Real-ID by transforms, Tiling-based with atomics.
typedef struct {
    decimal_method method;
    bool single;     // FP32 instead of FP64
    unsigned k;      // base 10^k; 0: the largest that is proved exact
    bool two_phase;  // carries by carry/two_phase.h, with k = 1; else by carry/device.h
    bool atomics;    // tiled: as decimal_tiled_job
} decimal_way;

enum { DECIMAL_K_MAX = 6, DECIMAL_POINTS_LEAST = 16 };
// Longest factors of tiled products, whose cost is quadratic, in digits of the base.
#define DECIMAL_TILED_DIGITS_MOST (UINT64_C(1) << 20)

// decimal_plan: `rows` products of numbers of an by bn characters, an, bn >= 1.
typedef struct {
    decimal_way way;  // with the k that is used
    bool square;      // b is a
    uint64_t an, bn;
    decimal_form form;             // of a; of b too, but that tiled it may have other points
    uint64_t b_points;             // tiled: of a row of b
    uint64_t coefficients;         // of a row of the product
    unsigned lg_tile;              // tiled
    fft_id_plan forward, inverse;  // else
    // Of transforms: an upper bound of every coefficient's error, in 2^-32; UINT64_MAX above 2.
    // proved: it is so small that rounding gives the exact product; always, if tiled.
    uint64_t error;
    bool proved;
} decimal_plan;

// decimal_plan_make fills in the plan. Digits are balanced, unless tiled or k = 1 was asked for.
// Returns NULL, or why there is no such plan (a sentence of the program's own memory): with k = 0
// no base is proved; a k that was asked for is not refused for that.
// Requires: rows >= 1; k <= DECIMAL_K_MAX; a square has an == bn.
const char *decimal_plan_make(decimal_plan *plan, const decimal_way *way, uint64_t an, uint64_t bn,
                              uint64_t rows, bool square);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_DECIMAL_PLAN_H_
