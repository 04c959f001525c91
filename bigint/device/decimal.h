// decimal.h: bigint_mul_decimal on a device. Internal to bigint/.
#ifndef BIGINT_DEVICE_DECIMAL_H_
#define BIGINT_DEVICE_DECIMAL_H_

#include "bigint/text/mul_decimal.h"

// Digits of both factors from which a product is modular unless the context names an engine: the
// fewest that were measured (h200-decimal-modular.jsonl, and in h200-decimal-text.jsonl stream_ns
// of real-f64 in the largest base).
enum { DECIMAL_MODULAR_FROM = 1 << 11 };

// decimal_on_device: the texts travel to the device and the product's comes back, with no
// arithmetic on the host; waits for the stream. Engines: modular-fft; real-fft, complex-fft, both
// in float, and tiled. Unless one is named, real-fft takes short products and modular-fft the
// others. Errors: ERANGE where an engine has no exact plan.
// Cost: three copies and decimal_modular_run, or decimal_product_tables and decimal_product_run
// (decimal/product.h).
decimal_multiplier decimal_on_device;

// decimal_device_need: what decimal_on_device needs for factors of an by bn digits.
// decimal_device_print: how it multiplies, on one line, like snprintf.
void decimal_device_need(work_need *w, uint64_t an, uint64_t bn);
int decimal_device_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t bn);

#endif  // BIGINT_DEVICE_DECIMAL_H_
