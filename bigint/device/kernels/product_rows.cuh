// product_rows.cuh: product_rows.h for kernels, and the choice among kernels of one family.
// Includes primitives/cuda/launch.cuh.
#ifndef BIGINT_DEVICE_KERNELS_PRODUCT_ROWS_CUH_
#define BIGINT_DEVICE_KERNELS_PRODUCT_ROWS_CUH_

#include <utility>

#include "bigint/device/kernels/product_rows.h"
#include "primitives/cuda/launch.cuh"
#include "primitives/words/result.h"

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

// ProductSwap: exchanges the factors of all products. Not for a list.
inline void ProductSwap(product_rows &all) {
    std::swap(all.first.a, all.first.b);
    std::swap(all.first.an, all.first.bn);
    std::swap(all.a_stride, all.b_stride);
}

// ProductCommon: makes the factor that is common to all products b; false if there is none, or a
// list.
inline bool ProductCommon(product_rows &all) {
    if (all.a_stride == 0) {
        ProductSwap(all);
    }
    return all.items == nullptr && all.b_stride == 0;
}

// ProductForm: what a kernel may rely on. kSquares: each b is its a.
enum ProductForm { kStrided, kSquares, kListed, kForms };

// ProductKernel: one of a family, for factors of up to `size` limbs or tiles; NULL for a form that
// it does not take.
struct ProductKernel {
    unsigned size, threads;
    unsigned least, each;  // products of a block: `each`, or fewer of few
    size_t bytes;          // shared memory of a block
    void (*form[kForms])(product_rows);
};

// ProductEach: products of a block. If all blocks run at once, it is the number that leaves the
// busiest scheduler the least work, and the smallest such number.
inline cudaError_t ProductEach(const ProductKernel &kernel, ProductForm form, uint64_t count,
                               unsigned *each) {
    constexpr uint64_t kMany = 1 << 15;  // blocks: more than any device runs at once
    constexpr unsigned kSchedulers = 4;
    *each = kernel.each;
    if (kernel.least == kernel.each || count / kernel.each >= kMany) {
        return cudaSuccess;
    }
    unsigned places = 0;
    int multiprocessors = 0;
    cudaError_t e = DeviceAttribute(cudaDevAttrMultiProcessorCount, &multiprocessors);
    if (e == cudaSuccess) {
        e = ResidentBlocks(kernel.form[form], kernel.threads, kernel.bytes, &places);
    }
    uint64_t least = UINT64_MAX;
    for (unsigned k = kernel.least; k <= kernel.each && e == cudaSuccess; k++) {
        const uint64_t blocks = word_ceil_div(count, k);
        const uint64_t load = word_ceil_div(blocks, kSchedulers * (uint64_t)multiprocessors) * k;
        if (blocks <= places && load < least) {
            least = load;
            *each = k;
        }
    }
    return e;
}

// ProductLaunch enqueues the products by the kernel of exactly that size, or refuses.
template <size_t kCount>
result ProductLaunch(const ProductKernel (&kernels)[kCount], unsigned size, product_rows rows,
                     cuda_stream stream) {
    const ProductForm form = rows.items != nullptr         ? kListed
                             : product_rows_squares(&rows) ? kSquares
                                                           : kStrided;
    for (const ProductKernel &kernel : kernels) {
        if (kernel.size != size || kernel.form[form] == nullptr) {
            continue;
        }
        cudaError_t e = AllowShared(kernel.form[form], kernel.bytes);
        if (e == cudaSuccess) {
            e = ProductEach(kernel, form, rows.count, &rows.each);
        }
        if (e != cudaSuccess) {
            return RESULT_DEVICE_ERROR;
        }
        const uint64_t blocks = word_ceil_div(rows.count, rows.each);
        if (blocks > kMaxGridX) {
            continue;
        }
        if (blocks > 0) {
            e = LaunchEarly(kernel.form[form], (unsigned)blocks, kernel.threads, kernel.bytes,
                            stream, rows);
        }
        return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
    }
    return RESULT_REFUSED;
}

// ProductSize: the smallest of the given sizes, in rising order, that is at least `size` and takes
// the form, or 0.
template <size_t kCount>
unsigned ProductSize(const ProductKernel (&kernels)[kCount], uint64_t size, ProductForm form) {
    for (const ProductKernel &kernel : kernels) {
        if (size <= kernel.size && kernel.form[form] != nullptr) {
            return kernel.size;
        }
    }
    return 0;
}

#endif  // BIGINT_DEVICE_KERNELS_PRODUCT_ROWS_CUH_
