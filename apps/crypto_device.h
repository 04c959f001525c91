// crypto_device.h: a scheme's items by the thousand on a device: powers there, what follows on the
// host. May include bigint.h and crypto_schemes.h.
#ifndef APPS_CRYPTO_DEVICE_H_
#define APPS_CRYPTO_DEVICE_H_

#include "apps/crypto_schemes.h"
#include "bigint/bigint.h"

// crypto_device_times: seconds for all items of a batch.
typedef struct {
    double powers;      // operands and results in the device's memory
    double end_to_end;  // with the copies there and back and the steps that follow, all threads
} crypto_device_times;

// crypto_device_run: the powers of `batch` items, those of `items` over and over, on ctx, a context
// on a device; each answer is checked. Of candidates that are tested by BPSW: the library's test of
// the batch, with times->powers = 0. Returns NULL, or what is wrong.
const char *crypto_device_run(bigint_ctx *ctx, const crypto_items *items, unsigned batch,
                              unsigned threads, crypto_device_times *times);

#endif  // APPS_CRYPTO_DEVICE_H_
