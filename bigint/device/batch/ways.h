// ways.h: which way each product of a batch takes on a device, and what the ways need. Pure data;
// it enqueues nothing. Internal to bigint/.
#ifndef BIGINT_DEVICE_BATCH_WAYS_H_
#define BIGINT_DEVICE_BATCH_WAYS_H_

#include "bigint/batch/batch.h"
#include "bigint/device/batch/batch_plan.h"
#include "bigint/device/batch/classes.h"
#include "bigint/device/product.h"

enum { BATCH_WAYS = BATCH_KINDS * BATCH_SIZES };

typedef struct {
    bigint_ctx *ctx;
    const char *who;
    const bigint_span *r, *a, *b;
    bool alike;                   // the numbers of each span have one length and a stride
    device_batch_sharing shares;  // if alike: what the products share
    bool one_by_one;              // no memory for other ways
    uint64_t ring;                // 0, or limbs: modulo B^ring - 1
    device_batch_way ring_way;    // of all these
    uint64_t count[BATCH_WAYS];   // products of each way
    uint64_t together;            // products computed in launches of a way
    uint64_t an, bn;              // the longest factors of products enqueued alone
    device_plan longest;          // the plan for these
    device_work run;              // the memory for these
    product_item *list;           // on the device, way after way
    device_classes classes;       // of products by passes
} device_batch;

// device_batch_product: one product of a batch, the longer factor first. n = 0 of either: the
// product is 0.
typedef struct {
    batch_item r, a, b;
} device_batch_product;

device_batch_product device_batch_product_of(const device_batch *s, uint64_t i);
// device_batch_item: the same as kernels see it. device_batch_rows: the products of a batch whose
// numbers are alike.
product_item device_batch_item(const device_batch_product *p);
product_rows device_batch_rows(const device_batch *s);

// device_batch_decide validates the products, counts how many go each way and plans passes. If a
// cap leaves no room, it decides again: then products are computed one by one.
// Errors: as bigint_mul_batch for results that are too short.
bigint_status device_batch_decide(device_batch *s);
// device_batch_way_of: the way of a product, once that is decided.
device_batch_way device_batch_way_of(const device_batch *s, const device_batch_product *p);
// The places of ways in device_batch.count.
static inline unsigned device_batch_index(device_batch_way way) {
    return way.kind * BATCH_SIZES + way.size;
}
static inline device_batch_way device_batch_way_at(unsigned index) {
    return (device_batch_way){(device_batch_kind)(index / BATCH_SIZES), index % BATCH_SIZES};
}
// device_batch_alone: how many products are enqueued alone. device_batch_list_bytes: of the list of
// the others, if there is one.
static inline uint64_t device_batch_alone(const device_batch *s) {
    return s->count[BATCH_ALONE * BATCH_SIZES];
}
static inline uint64_t device_batch_list_bytes(const device_batch *s) {
    return s->alike ? 0 : (s->r->count - device_batch_alone(s)) * sizeof(product_item);
}
// device_batch_table_plan: the plan whose tables products of that way need. False if they need
// none, or if the batch has no such products.
bool device_batch_table_plan(const device_batch *s, unsigned way, device_plan *plan);

#endif  // BIGINT_DEVICE_BATCH_WAYS_H_
