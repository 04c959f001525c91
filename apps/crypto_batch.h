// crypto_batch.h: a scheme's items many at a time: each of its powers by one call for all, on a
// device or on the host's threads; what follows on the host, item by item. May include bigint.h
// and crypto_schemes.h.
#ifndef APPS_CRYPTO_BATCH_H_
#define APPS_CRYPTO_BATCH_H_

#include "apps/crypto_schemes.h"
#include "bigint/bigint.h"

// crypto_batch_times: seconds for all items of a batch.
typedef struct {
    double powers;      // operands and results in the memory of the context's place
    double end_to_end;  // with the copies there and back and the steps that follow, all threads
} crypto_batch_times;

// crypto_batch_run: the powers of `batch` items, those of `items` over and over, on ctx, whose
// place is a device or the host; each
// answer is checked. Of candidates that are tested by BPSW: the library's test of
// the batch, with times->powers = 0. Returns NULL, or what is wrong.
const char *crypto_batch_run(bigint_ctx *ctx, const crypto_items *items, unsigned batch,
                             unsigned threads, bool on_device, crypto_batch_times *times);

#endif  // APPS_CRYPTO_BATCH_H_
