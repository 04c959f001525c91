// dealt.h: batches on a group: every member of this process computes a part of the items. Internal
// to bigint/.
#ifndef BIGINT_API_DEALT_H_
#define BIGINT_API_DEALT_H_

#include "bigint/core/context.h"

enum { DEALT_SPANS = 4 };

// dealt_call: one call on a batch. Spans are in the memory of the host.
typedef struct dealt_call {
    const char *who;
    const bigint_span *spans[DEALT_SPANS];  // results, then inputs; NULL: not given
    unsigned results;
    unsigned char *bytes;  // one for each item, or NULL
    // run: the public call on one place, whose memory the spans are in, for a part of the items.
    bigint_status (*run)(bigint_ctx *ctx, const struct dealt_call *call,
                         const bigint_span *const *spans, unsigned char *bytes);
    // cost: of an item whose numbers have n[k] limbs in spans[k], in any unit.
    double (*cost)(const uint64_t *n);
    uint64_t bits;  // of the modulus of a call that takes them
} dealt_call;

// dealt_batch runs a call whose spans batch_check has passed. Parts are neighbours of about the
// same cost. All members take their memory before the first result is written.
bigint_status dealt_batch(bigint_ctx *ctx, const dealt_call *call);

// dealt_on_device: the part of a member on a device: `count` items of these spans of the host. They
// go through the device's memory in pieces, so that a part may be larger than that. Only what needs
// more memory than the first piece, or the device, can fail after the first result is written.
bigint_status dealt_on_device(bigint_ctx *ctx, const dealt_call *call,
                              const bigint_span *const *spans, uint64_t count,
                              unsigned char *bytes);

#endif  // BIGINT_API_DEALT_H_
