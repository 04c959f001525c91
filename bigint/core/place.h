// place.h: what places other than the host do for the calls that every place has: devices
// (device_integer.h) and groups of members (bigint/group). Internal to bigint/.
#ifndef BIGINT_CORE_PLACE_H_
#define BIGINT_CORE_PLACE_H_

#include "bigint/core/context.h"
#include "primitives/limbs/device.h"

// place_calls: the calls of bigint.h, for integers whose places have been checked; load: {p, n} =
// the lowest n limbs of |a| in host memory. They take any value that the public call takes, and
// wait only where that call waits.
typedef struct place_calls {
    // check: the status of a context that failed; an error in a forked child.
    bigint_status (*check)(bigint_ctx *ctx, const char *who);
    // holds: whether x, which lives on a place of this number, lives where the context works.
    bool (*holds)(const bigint_ctx *ctx, const bigint *x);
    // counters adds what the contexts behind this one have counted; NULL: there are none.
    void (*counters)(const bigint_ctx *ctx, bigint_counters *out);
    void (*clear)(bigint_ctx *ctx, bigint *x);
    bigint_status (*store)(bigint_ctx *ctx, const char *who, bigint *r, const uint64_t *p,
                           uint64_t n, int sign);
    bigint_status (*load)(bigint_ctx *ctx, const char *who, uint64_t *p, const bigint *a,
                          uint64_t n);
    bigint_status (*measure)(bigint_ctx *ctx, const char *who, uint64_t *bits, int *sign,
                             const bigint *a);
    bigint_status (*copy)(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                          limbs_sign sign);
    bigint_status (*cmp)(bigint_ctx *ctx, const char *who, int *order, const bigint *a,
                         const bigint *b, bool magnitudes);
    bigint_status (*add)(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                         const bigint *b, bool subtract);
    bigint_status (*mul_2exp)(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                              uint64_t bits);
    bigint_status (*tdiv_2exp)(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                               uint64_t bits);
    bigint_status (*mul)(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                         const bigint *b);
    // divrem, reserve: NULL where the host divides, and where integers take room as they need it.
    bigint_status (*divrem)(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a,
                            const bigint *d);
    bigint_status (*reserve)(bigint_ctx *ctx, const char *who, bigint *x, uint64_t limbs);
} place_calls;

#endif  // BIGINT_CORE_PLACE_H_
