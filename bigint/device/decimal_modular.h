// decimal_modular.h: decimal products on a device by the modular transform, from text to text:
//
//   text --text_pack--> digits below 10^19, 10^26 or 10^38 --device_convolve--> residues
//        --recombine_device_decimal--> text
//
// Internal to bigint/.
#ifndef BIGINT_DEVICE_DECIMAL_MODULAR_H_
#define BIGINT_DEVICE_DECIMAL_MODULAR_H_

#include "bigint/device/kernels/recombine_decimal.h"
#include "bigint/device/plan.h"
#include "bigint/device/product.h"

// decimal_modular: a product of an by bn digits under way, or of a square, an == bn. bad: on the
// device: for each factor the position of the first character that is no digit, if it has one.
typedef struct {
    device_plan plan;
    recombine_decimal_base base;
    uint64_t an, bn;
    device_work work;
    uint64_t *words[2], *bad;
} decimal_modular;

// decimal_modular_plan: the plan for an, bn >= 1, in the base that is fastest by the measured costs
// of its transforms, or that of the primes that are forced. False if none is exact: where the
// product has more than 2^31 digits of the largest base.
bool decimal_modular_plan(const bigint_ctx *ctx, decimal_modular *d, uint64_t an, uint64_t bn,
                          bool square);
// decimal_modular_open takes the memory of a planned product and enters the queue, which
// decimal_modular_close leaves. Errors: as device_begin; the queue is left again then.
bigint_status decimal_modular_open(bigint_ctx *ctx, const char *who, decimal_modular *d);
void decimal_modular_close(decimal_modular *d);
// decimal_modular_run enqueues text[0 .. an + bn) = a b: digits in device memory, most significant
// first, the product's with leading zeros. For a square b is not read. text overlaps neither.
// Cost: the launches of a convolution and 3, of a square 2; a memset.
result decimal_modular_run(const decimal_modular *d, char *text, const char *a, const char *b);
// Its steps, which can be called one by one, so that a benchmark can time them: texts to digits and
// `bad`; their residues' product; that to its text.
result decimal_modular_pack(const decimal_modular *d, const char *a, const char *b);
result decimal_modular_convolve(const decimal_modular *d);
result decimal_modular_write(const decimal_modular *d, char *text);

// decimal_modular_need: what decimal_modular_open of a planned product needs, and keeps.
void decimal_modular_need(work_need *w, const decimal_modular *d);

#endif  // BIGINT_DEVICE_DECIMAL_MODULAR_H_
