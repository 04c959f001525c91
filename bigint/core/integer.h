// integer.h: integers inside the library: stores, views and the checks at the start of public
// calls. Internal to bigint/.
#ifndef BIGINT_CORE_INTEGER_H_
#define BIGINT_CORE_INTEGER_H_

#include "bigint/core/context.h"

// On the host the length of an integer is exact: its top limb is not zero. device_integer.h
// describes integers on a device. Comments below are about the host unless they say otherwise.
//
// bigint_store: r = sign {p, n} from host limbs, which may be r's own, on either kind of place.
// Errors: as bigint_reserve.
bigint_status bigint_store(bigint_ctx *ctx, const char *who, bigint *r, const uint64_t *p,
                           uint64_t n, int sign);
// bigint_draft: host memory for `limbs` limbs that bigint_store will turn into r. On the host it is
// r's own memory, and r's value is lost; otherwise the caller's mark frees it. NULL with the error
// in *status.
uint64_t *bigint_draft(bigint_ctx *ctx, const char *who, bigint *r, uint64_t limbs,
                       bigint_status *status);
// bigint_measure: the length of |a| in bits and the sign, on either kind of place; waits for the
// stream. Begins with bigint_check_places.
bigint_status bigint_measure(bigint_ctx *ctx, const char *who, uint64_t *bits, int *sign,
                             const bigint *a);
// bigint_view: the lowest n limbs of a, n >= 1, in host memory, on either kind of place; waits for
// the stream. The caller's mark frees them. NULL with the error in *status.
const uint64_t *bigint_view(bigint_ctx *ctx, const char *who, const bigint *a, uint64_t n,
                            bigint_status *status);
// bigint_check_places: EPLACE unless every given integer (NULL ends the list) is on the context's
// place; a failed context's status; EDEVICE in a forked child for a context on a device. Every
// public call that works on ctx begins with it.
bigint_status bigint_check_places(bigint_ctx *ctx, const char *who, const bigint *a,
                                  const bigint *b, const bigint *c);
// bigint_all_on_host: whether the context works on the host and has not failed, and the integers
// live there. If not, bigint_check_places knows more.
static inline bool bigint_all_on_host(const bigint_ctx *ctx, const bigint *a, const bigint *b,
                                      const bigint *c) {
    return ctx->on_host && (a->place_ | b->place_ | c->place_) == 0;
}
// bigint_is_away: whether the context works on another place than the host. bigint_all_on_host
// begins with the same condition, so that a call that asks both has one branch for it.
static inline bool bigint_is_away(const bigint_ctx *ctx) {
    return __builtin_expect(!ctx->on_host, 0) && ctx->away != NULL;
}
// bigint_check_host: bigint_check_places, and ENOBACKEND on another place, for what only the host
// does, of integers none of which is NULL. bigint_off_host: its status where bigint_all_on_host is
// false; never OK. Compilers that know it leave the call at once there, so that a short call saves
// no registers.
bigint_status bigint_off_host(bigint_ctx *ctx, const char *who, const bigint *a, const bigint *b,
                              const bigint *c);
static inline bigint_status bigint_check_host(bigint_ctx *ctx, const char *who, const bigint *a,
                                              const bigint *b, const bigint *c) {
    if (__builtin_expect(bigint_all_on_host(ctx, a, b, c), 1)) {
        return BIGINT_OK;
    }
    const bigint_status status = bigint_off_host(ctx, who, a, b, c);
    if (status == BIGINT_OK) {
        __builtin_unreachable();
    }
    return status;
}
// bigint_check_limbs: every call of bigint_limbs.h begins with it: a failed context's status, or
// ENOBACKEND on a device.
bigint_status bigint_check_limbs(bigint_ctx *ctx, const char *who);
// bigint_check_capacity: ERANGE if the caller's buffer of cap units ("limbs", "bytes",
// "characters") is smaller than needed.
bigint_status bigint_check_capacity(bigint_ctx *ctx, const char *who, const char *unit,
                                    uint64_t cap, uint64_t needed);

#endif  // BIGINT_CORE_INTEGER_H_
