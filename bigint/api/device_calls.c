// device_calls.c: see device_calls.h.
#include "bigint/api/device_calls.h"

#include "bigint/core/device_integer.h"
#include "bigint/core/device_stream.h"
#include "bigint/core/device_sum.h"
#include "bigint/device/divide/quotient.h"
#include "bigint/device/product.h"

// holds: the number of the place is the device's.
static bool holds(const bigint_ctx *ctx, const bigint *x) {
    return x->place_ - 1 == ctx->device.place;
}

const place_calls device_calls = {
    .check = device_check_process,
    .holds = holds,
    .clear = device_clear,
    .store = device_store,
    .load = device_load,
    .measure = device_measure,
    .copy = device_copy,
    .cmp = device_cmp,
    .add = device_add,
    .mul_2exp = device_mul_2exp,
    .tdiv_2exp = device_tdiv_2exp,
    .mul = device_mul,
    .divrem = device_divrem,
    .reserve = device_reserve,
};
