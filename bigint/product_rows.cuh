// product_rows.cuh: product_rows.h for kernels.
#ifndef BIGINT_PRODUCT_ROWS_CUH_
#define BIGINT_PRODUCT_ROWS_CUH_

#include <utility>

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

// ProductSwap: the factors of all products change places. Not of a list.
inline void ProductSwap(product_rows &all) {
    std::swap(all.first.a, all.first.b);
    std::swap(all.first.an, all.first.bn);
    std::swap(all.a_stride, all.b_stride);
}

#endif  // BIGINT_PRODUCT_ROWS_CUH_
