// crypto_batch.h: a scheme's items many at a time: each of its powers by one call for all, on a
// device or on the host's threads; what follows on the host, item by item. May include bigint.h
// and crypto_schemes.h.
#ifndef APPS_CRYPTO_BATCH_H_
#define APPS_CRYPTO_BATCH_H_

#include "apps/crypto_schemes.h"
#include "bigint/bigint.h"

// crypto_place: where the powers of so many items are computed by one call: the place of ctx.
typedef struct {
    bigint_ctx *ctx;  // NULL: not there
    unsigned batch;
    bool on_device;
} crypto_place;

// crypto_batch_times: seconds for all items of a batch.
typedef struct {
    double powers;      // operands and results in the memory of the context's place
    double end_to_end;  // with the copies there and back and the steps that follow, all threads
} crypto_batch_times;

// crypto_batch_run: the powers of a batch of items, those of `items` over and over; each answer is
// checked. Of candidates that are tested by BPSW: the library's test of the batch, with
// times->powers = 0. Returns NULL, or what is wrong.
const char *crypto_batch_run(const crypto_place *place, const crypto_items *items, unsigned threads,
                             crypto_batch_times *times);

#endif  // APPS_CRYPTO_BATCH_H_
