// lanes.h: one call on a batch modulo numbers on the host: its items, eight items at once, and the
// staging of results, which reach the spans only when nothing can fail any more. Internal to
// bigint/.
#ifndef BIGINT_BATCH_LANES_H_
#define BIGINT_BATCH_LANES_H_

#include "bigint/batch/batch.h"
#include "bigint/batch/items.h"
#include "bigint/core/context.h"

// batch_staged: a result span's numbers one after the other, each with its whole length. Number i
// begins at limbs + begins[i], or at i n if begins is NULL.
typedef struct {
    const bigint_span *span;  // NULL: not wanted
    uint64_t *limbs, *begins;
} batch_staged;

// batch_lanes_kind: what eight items at once compute (lanes.c).
typedef enum { BATCH_LANES_NONE, BATCH_LANES_POWERS, BATCH_LANES_PRODUCTS } batch_lanes_kind;

typedef struct {
    const char *who;
    batch_task task;  // of one item
    batch_lanes_kind lanes;
    const bigint_span *a, *b, *modulus;  // b: exponents, of powers; NULL if there are none
    batch_staged q, r;                   // q: of quotients
    bool divides;                        // the modulus is called a divisor
} batch_modular_job;

static inline batch_item batch_staged_item(const batch_staged *s, uint64_t i) {
    const uint64_t n = batch_item_of(s->span, i).n;
    return (batch_item){s->limbs + (s->begins == NULL ? i * s->span->n : s->begins[i]), n};
}

// batch_modular_size: of a job whose items are all alike: its lengths. bn: of second factors; mn:
// of moduli.
typedef struct {
    batch_lanes_kind lanes;
    bool divides;
    uint64_t count, an, bn, mn, exponent_bits;
    batch_item_need item;  // of one item, by this size
} batch_modular_size;

// batch_lanes_possible: whether batch_lanes_run may take a job of this size, for some moduli.
// batch_lanes_need: what it needs then.
bool batch_lanes_possible(const bigint_ctx *ctx, const batch_modular_size *size);
void batch_lanes_need(work_need *w, const batch_modular_size *size);

// batch_lanes_serves: whether eight items of this job at a time are possible here, and faster:
// powers, if there are enough for the context's threads, and products modulo one odd number.
bool batch_lanes_serves(const bigint_ctx *ctx, const batch_modular_job *j);
// batch_lanes_run: computes all items. Items with odd moduli and exponents of similar lengths run
// eight at a time on each of the context's threads, the others by j->task. No modulus is 0.
// Cost:     of eight powers the squarings and products of the longest exponent, by fixed windows,
//           without windows that are 0 in all of them; a division for each, or, modulo one number,
//           one for all and a product for each eight. Products: two for each eight.
// Errors:   ENOMEM, the errors of j->task.
bigint_status batch_lanes_run(bigint_ctx *ctx, batch_modular_job *j);

#endif  // BIGINT_BATCH_LANES_H_
