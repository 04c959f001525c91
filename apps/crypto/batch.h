// batch.h: many items of a scheme at a time. One call computes each power for all items, on
// a device or on the host's threads. The host then does the remaining steps item by item. May
// include bigint.h and schemes.h.
#ifndef APPS_CRYPTO_BATCH_H_
#define APPS_CRYPTO_BATCH_H_

#include "apps/crypto/schemes.h"
#include "bigint/bigint.h"

// crypto_place: the place of ctx, and how many items' powers one call computes there.
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

// crypto_batch_run: computes the powers of a batch, repeating `items` as often as needed, and
// checks every answer. For candidates tested by BPSW it runs the library's test of the batch, with
// times->powers = 0. Returns NULL, or what is wrong.
const char *crypto_batch_run(const crypto_place *place, const crypto_items *items, unsigned threads,
                             crypto_batch_times *times);

#endif  // APPS_CRYPTO_BATCH_H_
