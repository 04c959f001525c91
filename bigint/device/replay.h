// replay.h: repeated products on a device: one call enqueues all their launches. Internal to
// bigint/.
#ifndef BIGINT_DEVICE_REPLAY_H_
#define BIGINT_DEVICE_REPLAY_H_

#include "bigint/core/context.h"

// device_launches: enqueues a product's launches, and nothing else, on a stream.
typedef result (*device_launches)(const void *call, cuda_stream stream);
// device_replay enqueues them on the context's stream, from the second time on by one call of the
// driver. key: REPLAY_WORDS words, not all zero, that determine every launch and its arguments. If
// the stream is already being recorded, they are enqueued one by one. spread: they begin on several
// branches at once.
result device_replay(bigint_ctx *ctx, const uint64_t *key, device_launches enqueue,
                     const void *call, bool spread);
// device_replay_trim forgets all recorded products. The stream must be idle.
void device_replay_trim(bigint_ctx *ctx);

#endif  // BIGINT_DEVICE_REPLAY_H_
