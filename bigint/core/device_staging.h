// device_staging.h: words that kernels count in, and the pinned staging buffer through which limbs
// are copied. Internal to bigint/.
#ifndef BIGINT_CORE_DEVICE_STAGING_H_
#define BIGINT_CORE_DEVICE_STAGING_H_

#include "bigint/core/context.h"
#include "bigint/core/device_queue.h"

// device_words_need makes queue.words at least this long.
bigint_status device_words_need(bigint_ctx *ctx, const char *who, uint64_t bytes);
// device_staging_need makes the staging and its events; device_staging_bytes is its size.
// device_rings_bytes: all pinned memory of a context with this cap and number of threads, after
// transfers of up to `bytes`.
uint64_t device_staging_bytes(const bigint_ctx *ctx);
uint64_t device_rings_bytes(uint64_t cap, unsigned threads, uint64_t bytes);
bigint_status device_staging_need(bigint_ctx *ctx, const char *who);
// device_answer: a line of pinned memory for a kernel's answer to the host. Call
// device_staging_need first.
void *device_answer(const bigint_ctx *ctx);
// device_slot: a slot's memory.
uint64_t *device_slot(const slot_ring *ring, unsigned slot);
// device_send enqueues to[-1] = sign, {to, n} = {p, n}, n >= 1, and has read p on return. It waits
// only if the staging is full of limbs that have not been copied yet.
bigint_status device_send(bigint_ctx *ctx, const char *who, uint64_t *to, const uint64_t *p,
                          uint64_t n, uint64_t sign);
// device_fetch: {p, n} = {from, n}; waits for the stream, like device_wait.
bigint_status device_fetch(bigint_ctx *ctx, const char *who, uint64_t *p, const uint64_t *from,
                           uint64_t n);
// device_send_bytes, device_fetch_bytes: the same for bytes >= 1, without a sign; `to` on the
// device begins on a line of 64 bytes.
bigint_status device_send_bytes(bigint_ctx *ctx, const char *who, void *to, const void *from,
                                uint64_t bytes);
bigint_status device_fetch_bytes(bigint_ctx *ctx, const char *who, void *to, const void *from,
                                 uint64_t bytes);
// device_staging_trim frees staging and words; the stream must be idle.
void device_staging_trim(bigint_ctx *ctx);

#endif  // BIGINT_CORE_DEVICE_STAGING_H_
