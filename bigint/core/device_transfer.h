// device_transfer.h: long copies between memory of the user and of a device, through the slots of
// the staging and by the context's threads. Internal to bigint/.
#ifndef BIGINT_CORE_DEVICE_TRANSFER_H_
#define BIGINT_CORE_DEVICE_TRANSFER_H_

#include "bigint/core/context.h"
#include "bigint/core/device_queue.h"
#include "primitives/words/result.h"

// The calling thread copies up to this many words alone, because waking others may take 80 us.
// Words for the device begin on a line.
enum { TRANSFER_ALONE_MOST = 32768, TRANSFER_LINE_WORDS = 8, TRANSFER_LINE = 64 /* bytes */ };
// Both copy bytes >= 1 through the slots of a ring. The device is current; memory of the user has
// no alignment.
// device_transfer_up enqueues the last copy and has read `from` on return; it leaves the ring's
// current slot full. device_transfer_down waits for the stream up to here, and has written `to` on
// return, which may be new memory: threads ask for its pages before they copy.
result device_transfer_up(bigint_ctx *ctx, slot_ring *ring, void *to, const void *from,
                          uint64_t bytes);
result device_transfer_down(bigint_ctx *ctx, slot_ring *ring, void *to, const void *from,
                            uint64_t bytes);

#endif  // BIGINT_CORE_DEVICE_TRANSFER_H_
