// rows.h: what calls on a batch's products have on the device: the products in rows of one length,
// and lists of items for kernels. Internal to bigint/.
#ifndef BIGINT_DEVICE_BATCH_ROWS_H_
#define BIGINT_DEVICE_BATCH_ROWS_H_

#include "bigint/core/context.h"
#include "bigint/device/kernels/product_rows.h"

// device_list_take takes room for `count` items on the host, *here, and on the device, *there.
// device_list_send starts the copy. Errors: ENOMEM, EDEVICE.
bigint_status device_list_take(bigint_ctx *ctx, const char *who, uint64_t count,
                               product_item **here, product_item **there);
bigint_status device_list_send(bigint_ctx *ctx, const char *who, const product_item *here,
                               product_item *there, uint64_t count);

// device_rows: one or two products of each item, `row` limbs each, and states for a kernel that
// makes a result of them. list: NULL if the results are alike.
typedef struct {
    uint64_t *p, *q, row;
    void *states;
    product_item *list;
} device_rows;

// device_rows_take takes all that from both arenas, for rows of m->row limbs: `products` of each
// item. Outside device_enter. Errors: ENOMEM, EDEVICE.
bigint_status device_rows_take(bigint_ctx *ctx, const char *who, const bigint_span *r,
                               unsigned products, uint64_t state_bytes, device_rows *m);
// device_rows_of: the results for kernels; the factors are an item's rows.
product_rows device_rows_of(const bigint_span *r, const device_rows *m);
// device_rows_products: the span of the first or second rows.
static inline bigint_span device_rows_products(const device_rows *m, uint64_t *p, uint64_t count) {
    return (bigint_span){p, m->row, m->row, count, NULL, NULL};
}

#endif  // BIGINT_DEVICE_BATCH_ROWS_H_
