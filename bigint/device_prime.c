// device_prime.c: what a device does for tests of primality: powers of a whole batch, which show
// nearly all composite numbers to be that. May include device.h, prime.h and primitives/.
#include <string.h>

#include "bigint/device.h"
#include "bigint/prime.h"
#include "primitives/limbs.h"

bigint_status resident_candidates(bigint_ctx *ctx, const char *who, const bigint_span *n,
                                  bigint_span *view) {
    uint64_t limbs = n->count == 0 || n->offsets != NULL ? 0 : (n->count - 1) * n->stride + n->n;
    for (uint64_t i = 0; n->offsets != NULL && i < n->count; i++) {
        const uint64_t end = n->offsets[i] + (n->lengths != NULL ? n->lengths[i] : n->n);
        limbs = end > limbs ? end : limbs;
    }
    *view = *n;
    view->p = arena_take_limbs(ctx, who, limbs);
    const bigint all = {.d_ = n->p, .n_ = limbs};
    return view->p == NULL ? BIGINT_ENOMEM
           : limbs == 0    ? BIGINT_OK
                           : resident_load(ctx, who, view->p, &all, limbs);
}

// operands: rows of limbs on the device, one number behind the other, for one batch of powers.
typedef struct {
    bigint modulus, exponent, base, r;
} operands;

// upload: x = the rows; the limb behind them is not 0, so that none is cut off.
static bigint_status upload(bigint_ctx *ctx, const char *who, bigint *x, uint64_t *rows,
                            uint64_t limbs) {
    rows[limbs] = 1;
    return resident_store(ctx, who, x, rows, limbs + 1, 1);
}

// raise: {rows, n} each = 2^(number - 1) mod number.
static bigint_status raise(bigint_ctx *ctx, const char *who, operands *o, uint64_t *rows,
                           uint64_t n, uint64_t count) {
    const uint64_t two = 2;
    bigint_status status = resident_store(ctx, who, &o->base, &two, 1, 1);
    status = status == BIGINT_OK ? upload(ctx, who, &o->modulus, rows, n * count) : status;
    for (uint64_t i = 0; i < count; i++) {
        rows[i * n] -= 1;  // the numbers are odd
    }
    status = status == BIGINT_OK ? upload(ctx, who, &o->exponent, rows, n * count) : status;
    status = status == BIGINT_OK ? upload(ctx, who, &o->r, rows, n * count) : status;
    if (status != BIGINT_OK) {
        return status;
    }
    const bigint_span r = {.p = o->r.d_, .n = n, .stride = n, .count = count};
    const bigint_span modulus = {.p = o->modulus.d_, .n = n, .stride = n, .count = count};
    const bigint_span exponent = {.p = o->exponent.d_, .n = n, .stride = n, .count = count};
    const bigint_span base = {.p = o->base.d_, .n = 1, .stride = 0, .count = count};
    status = resident_powm_batch(ctx, who, &r, &base, &exponent, &modulus);
    return status == BIGINT_OK ? resident_load(ctx, who, rows, &o->r, n * count) : status;
}

bigint_status resident_fermat(bigint_ctx *ctx, const char *who, const odd_number *numbers,
                              uint64_t count, unsigned char *passed) {
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t n = 0;
    for (uint64_t i = 0; i < count; i++) {
        n = numbers[i].n > n ? numbers[i].n : n;
    }
    uint64_t *const rows = arena_take_limbs(ctx, who, n * count + 1);
    bigint_status status = BIGINT_ENOMEM;
    if (rows != NULL) {
        operands o = {BIGINT_INIT, BIGINT_INIT, BIGINT_INIT, BIGINT_INIT};
        memset(rows, 0, n * count * sizeof *rows);
        for (uint64_t i = 0; i < count; i++) {
            memcpy(rows + i * n, numbers[i].p, numbers[i].n * sizeof *rows);
        }
        status = raise(ctx, who, &o, rows, n, count);
        for (uint64_t i = 0; i < count && status == BIGINT_OK; i++) {
            passed[i] = rows[i * n] == 1 && limbs_normalize(rows + i * n, n) == 1;
        }
        bigint_clear(ctx, &o.modulus), bigint_clear(ctx, &o.exponent);
        bigint_clear(ctx, &o.base), bigint_clear(ctx, &o.r);
    }
    arena_release(ctx, mark);
    return status;
}
