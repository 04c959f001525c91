// device_integer.h: integers on a device: their limbs, values, comparisons and copies. Internal to
// bigint/.
//
// An integer on a device: d_ points to limb 0 in device memory. The word before limb 0 is the sign:
// 0 for plus, 1 for minus; the host does not know it. The value 0 may have either sign. n_ is the
// announced length: top limbs may be zero. n_ = 0 is the value 0, whose sign is not read. sign_ is
// the number of top bits of limb n_ - 1 that are certainly zero, 0 .. 63, so that a number grows by
// a bit with every sum, not by a limb. Limbs begin on a line of 128 bytes. Sums and shifts can
// therefore be enqueued with what the host knows, and a value is copied as one row of words.
#ifndef BIGINT_CORE_DEVICE_INTEGER_H_
#define BIGINT_CORE_DEVICE_INTEGER_H_

#include "bigint/core/context.h"
#include "bigint/core/place.h"
#include "primitives/limbs/device.h"

// device_number: x as the kernels see it.
limbs_device_number device_number(const bigint *x);
// device_bits: the bits for which the host knows |x| < 2^bits; 0 for n_ = 0.
uint64_t device_bits(const bigint *x);
// device_clear frees the limbs of x, which lives on this device, in stream order, and makes x 0.
void device_clear(bigint_ctx *ctx, bigint *x);

// device_target: where a result below 2^bits goes: r's own limbs if there is room, else new limbs,
// so that r keeps its value until the result is enqueued. bits >= 1. device_target_open chooses
// them. device_target_close makes them r's if status is BIGINT_OK, otherwise drops them; it returns
// status.
typedef struct {
    uint64_t *p, cap, n, bits;
} device_target;
bigint_status device_target_open(bigint_ctx *ctx, const char *who, const bigint *r, uint64_t bits,
                                 device_target *target);
bigint_status device_target_close(bigint_ctx *ctx, bigint *r, const device_target *target,
                                  bigint_status status);

// device_integer_bytes: of an integer of up to that many limbs, below 2^56, on a device.
uint64_t device_integer_bytes(uint64_t limbs);
// device_reserve makes room for `limbs` limbs in x, which keeps its value, and for transfers.
// Afterwards a device_store of that many limbs takes no memory. device_blank: x gets `limbs` >= 1
// limbs of any values.
bigint_status device_reserve(bigint_ctx *ctx, const char *who, bigint *x, uint64_t limbs);
bigint_status device_blank(bigint_ctx *ctx, const char *who, bigint *x, uint64_t limbs);
// device_measure_begin enqueues device_measure's question for a, which has limbs, and
// device_measure_end waits for its answer alone, not for what was enqueued behind it. In between no
// other value is asked for in this way.
bigint_status device_measure_begin(bigint_ctx *ctx, const char *who, const bigint *a);
bigint_status device_measure_end(bigint_ctx *ctx, const char *who, uint64_t *bits, int *sign);

// Calls of place.h, for contexts on a device.
bigint_status device_store(bigint_ctx *ctx, const char *who, bigint *r, const uint64_t *p,
                           uint64_t n, int sign);
bigint_status device_load(bigint_ctx *ctx, const char *who, uint64_t *p, const bigint *a,
                          uint64_t n);
bigint_status device_measure(bigint_ctx *ctx, const char *who, uint64_t *bits, int *sign,
                             const bigint *a);
bigint_status device_copy(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                          limbs_sign sign);
bigint_status device_cmp(bigint_ctx *ctx, const char *who, int *order, const bigint *a,
                         const bigint *b, bool magnitudes);
// device_from_device: moves x from another device, where no work on it is under way, to the
// context's. On failure x stays where it is.
bigint_status device_from_device(bigint_ctx *ctx, const char *who, bigint *x);

#endif  // BIGINT_CORE_DEVICE_INTEGER_H_
