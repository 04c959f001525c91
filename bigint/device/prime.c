// prime.c: the device's part in tests of primality: the powers and the Lucas sequences of a whole
// batch.
#include "bigint/device/prime.h"

#include <string.h>

#include "bigint/batch/prime.h"
#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/device/powm.h"
#include "bigint/modular/prime.h"
#include "bigint/modular/residues.h"
#include "primitives/limbs/limbs.h"

bigint_status device_candidates(bigint_ctx *ctx, const char *who, const bigint_span *n,
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
                           : device_load(ctx, who, view->p, &all, limbs);
}

// --- Rows ----------------------------------------------------------------------------------------

// rows: numbers that are tested, n limbs each, in host memory one set of rows at a time.
typedef struct {
    const char *who;
    const odd_number *numbers;
    uint64_t *host;  // with one more limb after the last row
    uint64_t n, count;
} rows;

static bigint_status rows_open(bigint_ctx *ctx, rows *s, const char *who, const odd_number *numbers,
                               uint64_t count) {
    *s = (rows){.who = who, .numbers = numbers, .count = count};
    for (uint64_t i = 0; i < count; i++) {
        s->n = numbers[i].n > s->n ? numbers[i].n : s->n;
    }
    s->host = arena_take_limbs(ctx, who, s->n * count + 1);
    return s->host == NULL ? BIGINT_ENOMEM : BIGINT_OK;
}

// put_shifted: the rows are the numbers without their lowest shift(number) bits.
static void put_shifted(const rows *s, uint64_t (*shift)(const odd_number *x)) {
    memset(s->host, 0, s->n * s->count * sizeof *s->host);
    for (uint64_t i = 0; i < s->count; i++) {
        const odd_number *const x = &s->numbers[i];
        const uint64_t bits = shift == NULL ? 0 : shift(x), skip = bits / 64;
        if (skip < x->n) {
            limbs_rshift(s->host + i * s->n, x->p + skip, x->n - skip, (unsigned)(bits % 64));
        }
    }
}

// upload: x = the rows; the limb after them is not 0, so that no top limbs are cut off.
static bigint_status upload(bigint_ctx *ctx, const rows *s, bigint *x, bigint_span *span) {
    s->host[s->n * s->count] = 1;
    const bigint_status status = device_store(ctx, s->who, x, s->host, s->n * s->count + 1, 1);
    *span = (bigint_span){.p = x->d_, .n = s->n, .stride = s->n, .count = s->count};
    return status;
}

static bigint_status download(bigint_ctx *ctx, const rows *s, const bigint *x) {
    return device_load(ctx, s->who, s->host, x, s->n * s->count);
}

// upload_both: uploads the moduli, and the exponents, which are the moduli shifted.
static bigint_status upload_both(bigint_ctx *ctx, const rows *s, bigint *x, bigint_span *spans,
                                 uint64_t (*shift)(const odd_number *x)) {
    put_shifted(s, NULL);
    const bigint_status status = upload(ctx, s, &x[0], &spans[0]);
    put_shifted(s, shift);
    return status == BIGINT_OK ? upload(ctx, s, &x[1], &spans[1]) : status;
}

// --- Tests ---------------------------------------------------------------------------------------

// Modulus, exponent, results, 2.
static bigint_status base_2(bigint_ctx *ctx, const rows *s, bigint *x, unsigned char *passed) {
    const uint64_t two = 2;
    bigint_span spans[3];
    bigint_status status = upload_both(ctx, s, x, spans, prime_base_2_shift);
    status = status == BIGINT_OK ? upload(ctx, s, &x[2], &spans[2]) : status;
    status = status == BIGINT_OK ? device_store(ctx, s->who, &x[3], &two, 1, 1) : status;
    const bigint_span base = {.p = x[3].d_, .n = 1, .stride = 0, .count = s->count};
    if (status == BIGINT_OK) {
        status = device_powm_batch(ctx, s->who, &spans[2], &base, &spans[1], &spans[0]);
    }
    status = status == BIGINT_OK ? download(ctx, s, &x[2]) : status;
    for (uint64_t i = 0; i < s->count && status == BIGINT_OK; i++) {
        bool passes = false;
        status = prime_base_2_ends(ctx, s->who, &s->numbers[i], s->host + i * s->n, &passes);
        passed[i] = passes;
    }
    return status;
}

// put_parameters: the rows are P' of each number, 0 of those that are not possible.
static bigint_status put_parameters(bigint_ctx *ctx, const rows *s, uint64_t *parameters,
                                    unsigned char *possible) {
    bigint_status status = BIGINT_OK;
    memset(s->host, 0, s->n * s->count * sizeof *s->host);
    for (uint64_t i = 0; i < s->count && status == BIGINT_OK; i++) {
        bool is = false;
        uint64_t *const p = parameters + i * s->n;
        status = prime_lucas_begins(ctx, s->who, &s->numbers[i], p, &is);
        possible[i] = is;
        if (is) {
            memcpy(s->host + i * s->n, p, s->numbers[i].n * sizeof *p);
        }
    }
    return status;
}

// Modulus, exponent, P', both results.
static bigint_status lucas(bigint_ctx *ctx, const rows *s, bigint *x, unsigned char *passed) {
    const uint64_t all = s->n * s->count;
    uint64_t *const parameters = arena_take_limbs(ctx, s->who, all + 1);
    uint64_t *const low = parameters == NULL ? NULL : arena_take_limbs(ctx, s->who, all);
    bigint_span spans[5];
    bigint_status status =
        low == NULL ? BIGINT_ENOMEM : upload_both(ctx, s, x, spans, prime_lucas_shift);
    status = status == BIGINT_OK ? put_parameters(ctx, s, parameters, passed) : status;
    for (unsigned k = 2; k < 5 && status == BIGINT_OK; k++) {
        status = upload(ctx, s, &x[k], &spans[k]);
    }
    if (status == BIGINT_OK) {
        status =
            device_lucas_batch(ctx, s->who, &spans[3], &spans[4], &spans[2], &spans[1], &spans[0]);
    }
    status = status == BIGINT_OK ? download(ctx, s, &x[3]) : status;
    if (status == BIGINT_OK) {
        memcpy(low, s->host, all * sizeof *low);
        status = download(ctx, s, &x[4]);
    }
    for (uint64_t i = 0; i < s->count && status == BIGINT_OK; i++) {
        bool passes = false;
        if (passed[i] != 0) {
            status = prime_lucas_ends(ctx, s->who, &s->numbers[i], parameters + i * s->n,
                                      low + i * s->n, s->host + i * s->n, &passes);
        }
        passed[i] = passes;
    }
    return status;
}

// run: a test with its integers.
static bigint_status run(bigint_ctx *ctx, const char *who, const odd_number *numbers,
                         uint64_t count, unsigned char *passed,
                         bigint_status (*test)(bigint_ctx *ctx, const rows *s, bigint *x,
                                               unsigned char *passed)) {
    enum { INTEGERS = 5 };
    const arena_mark mark = arena_get_mark(ctx);
    bigint x[INTEGERS] = {BIGINT_INIT, BIGINT_INIT, BIGINT_INIT, BIGINT_INIT, BIGINT_INIT};
    rows s;
    bigint_status status = rows_open(ctx, &s, who, numbers, count);
    status = status == BIGINT_OK ? test(ctx, &s, x, passed) : status;
    for (unsigned k = 0; k < INTEGERS; k++) {
        bigint_clear(ctx, &x[k]);
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status device_strong_base_2(bigint_ctx *ctx, const char *who, const odd_number *numbers,
                                   uint64_t count, unsigned char *passed) {
    return run(ctx, who, numbers, count, passed, base_2);
}

bigint_status device_strong_lucas(bigint_ctx *ctx, const char *who, const odd_number *numbers,
                                  uint64_t count, unsigned char *passed) {
    return run(ctx, who, numbers, count, passed, lucas);
}

void device_prime_need(work_need *w, uint64_t count, uint64_t n) {
    const uint64_t in_use = w->host.in_use, all = count * n;
    if (all == 0) {
        return;
    }
    need_take_limbs(&w->host, all);  // device_candidates
    batch_prime_need(w, count, n);
    if (device_powm_serves(64 * n, 64 * n)) {
        batch_prime_there_need(w, count);
        need_take_limbs(&w->host, all + 1);
        need_take_limbs(&w->host, all + 1);
        need_take_limbs(&w->host, all);
        prime_ends_need(w, n);
        device_powm_batch_need(w, count, n, n);
        device_lucas_batch_need(w, count, n, n);
    }
    need_release(&w->host, in_use);
}
