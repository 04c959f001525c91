// device_types.h: the jobs of device.h, for it and for the kernels. Plain C; includes C's own
// headers only.
#ifndef CARRY_DEVICE_TYPES_H_
#define CARRY_DEVICE_TYPES_H_

#include <stdint.h>

enum { CARRY_DEVICE_WORDS_MAX = 7 };

// What a coefficient is.
typedef enum {
    CARRY_U64,  // `words` 64-bit words, least significant first
    CARRY_S64,  // the same in two's complement
    CARRY_S32,  // int32_t: columns of a tiled convolution. words = 1
    CARRY_F64,  // double within 2^62 of zero, rounded to the nearest integer. words = 1
    CARRY_FORMS,
} carry_form;

typedef enum {
    CARRY_POW2,   // radix 2^w, 1 <= w <= 64 words; the result in limbs
    CARRY_POW10,  // radix 10^w, 1 <= w <= 19; the result in digits below 10^w, a word each
    CARRY_RADICES,
} carry_radix;

// rows: independent numbers, one after another: coefficients dense, results dense. out: limbs or
// digits of each; it reaches at least to the last coefficient: 64 out >= n w, or out >= n. Any of
// n, rows and out may be 0.
typedef struct {
    carry_form form;
    carry_radix radix;
    unsigned words, w;
    uint64_t n, rows, out;
} carry_job;

#endif  // CARRY_DEVICE_TYPES_H_
