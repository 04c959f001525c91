// product_rows.cuh: product_rows.h for kernels.
#ifndef BIGINT_PRODUCT_ROWS_CUH_
#define BIGINT_PRODUCT_ROWS_CUH_

#include "bigint/product_rows.h"
#include "primitives/device.cuh"

// ProductItem: product i.
DEVICE product_item ProductItem(const product_rows &all, uint64_t i) {
    if (all.items != nullptr) {
        return all.items[i];
    }
    product_item item = all.first;
    item.r += i * all.r_stride;
    item.a += i * all.a_stride;
    item.b += i * all.b_stride;
    return item;
}

#endif  // BIGINT_PRODUCT_ROWS_CUH_
