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

// ProductWalk: products first, first + step, ... in turn, of a list or of strides.
template <bool kListed>
struct ProductWalk {
    const product_item *list;
    uint64_t r_step, a_step, b_step;  // of a list, r_step in items
    product_item item;

    DEVICE ProductWalk(const product_rows &all, uint64_t first, unsigned step)
        : list(all.items + (kListed ? first : 0)),
          r_step(kListed ? step : step * all.r_stride),
          a_step(step * all.a_stride),
          b_step(step * all.b_stride),
          item(all.first) {
        if constexpr (!kListed) {
            item.r += first * all.r_stride;
            item.a += first * all.a_stride;
            item.b += first * all.b_stride;
        }
    }
    DEVICE product_item Item() const {
        if constexpr (kListed) {
            return *list;
        } else {
            return item;
        }
    }
    DEVICE void Next() {
        if constexpr (kListed) {
            list += r_step;
        } else {
            item.r += r_step;
            item.a += a_step;
            item.b += b_step;
        }
    }
};

// ProductSwap: the factors of all products change places. Not of a list.
inline void ProductSwap(product_rows &all) {
    std::swap(all.first.a, all.first.b);
    std::swap(all.first.an, all.first.bn);
    std::swap(all.a_stride, all.b_stride);
}

#endif  // BIGINT_PRODUCT_ROWS_CUH_
