// decimal.h: bigint_mul_decimal on a device. Internal to bigint/.
#ifndef BIGINT_DEVICE_DECIMAL_H_
#define BIGINT_DEVICE_DECIMAL_H_

#include "bigint/text/mul_decimal.h"

// decimal_on_device: the texts travel to the device and the product's comes back, with no
// arithmetic on the host; waits for the stream. Engines: real-fft, which is the default,
// complex-fft, both in float, and tiled. Errors: ENOBACKEND for modular-fft, ERANGE where an engine
// asked for by name has no exact plan.
// Cost: three copies, decimal_product_tables and decimal_product_run (decimal/product.h).
decimal_multiplier decimal_on_device;

#endif  // BIGINT_DEVICE_DECIMAL_H_
