// block_product.cu: block_product.h: the kernels of all lengths and forms (block_convolution.cuh),
// and which digits are proved exact. Includes the rooms' device headers.
#include "bigint/device/kernels/block_product.h"

#include "bigint/device/kernels/block_convolution.cuh"
#include "fft/complex/bound.h"
#include "primitives/cuda/launch.cuh"

namespace {

template <unsigned kLgPieces, unsigned kRings, BlockForm kForm>
__global__ void __launch_bounds__((BlockProduct<kLgPieces, kRings, kForm>::kThreads),
                                  (BlockProduct<kLgPieces, kRings, kForm>::kBlocks))
    BlockProductKernel(const __grid_constant__ BlockJob job) {
    using Product = BlockProduct<kLgPieces, kRings, kForm>;
    DYNAMIC_SHARED(typename Product::Shared, shared);
    const Product product = {{}, job, *shared};
    product.Run();
}

// The same for products by two rings. A name of its own because ptxas spills some 90 bytes, which
// are written and read once a ring; variants that spill less were slower (docs/batch_limits.md).
using RingsProduct = BlockProduct<3, 2, kPlain>;
__global__ void __launch_bounds__(RingsProduct::kThreads, RingsProduct::kBlocks)
    RingsProductKernel(const __grid_constant__ BlockJob job) {
    DYNAMIC_SHARED(typename RingsProduct::Shared, shared);
    const RingsProduct product = {{}, job, *shared};
    product.Run();
}

struct Kernel {
    size_t bytes;
    void (*run)(BlockJob);
};

struct Entry {
    unsigned lg, rings, threads, top;  // BlockDigits' kTop
    uint64_t largest;                  // and kLargest
    Kernel of[3];                      // of each form, or none
};

template <unsigned kLgPieces, unsigned kRings>
constexpr auto ProductKernelOf() {
    if constexpr (kRings == 1) {
        return BlockProductKernel<kLgPieces, kRings, kPlain>;
    } else {
        return RingsProductKernel;
    }
}

template <unsigned kLgPieces, unsigned kRings>
constexpr Kernel WrappedKernelOf() {
    if constexpr (kLgPieces == 3) {
        return {sizeof(typename BlockProduct<kLgPieces, kRings, kWrapped>::Shared),
                BlockProductKernel<kLgPieces, kRings, kWrapped>};
    } else {
        return {};
    }
}

template <unsigned kLgPieces, unsigned kRings = 1>
constexpr Entry EntryOf() {
    using Product = BlockProduct<kLgPieces, kRings, kPlain>;
    using Square = BlockProduct<kLgPieces, kRings, kSquared>;
    return {Product::kPieceLg + kLgPieces + kRings - 1,
            kRings,
            Product::kThreads,
            Product::Digits::kTop,
            Product::Digits::kLargest,
            {{sizeof(typename Product::Shared), ProductKernelOf<kLgPieces, kRings>()},
             {sizeof(typename Square::Shared), BlockProductKernel<kLgPieces, kRings, kSquared>},
             WrappedKernelOf<kLgPieces, kRings>()}};
}

constexpr Entry kEntries[] = {EntryOf<0>(), EntryOf<1>(), EntryOf<2>(), EntryOf<3>(),
                              EntryOf<3, 2>()};

const Entry *EntryFor(unsigned lg) {
    for (const Entry &entry : kEntries) {
        if (entry.lg == lg) {
            return &entry;
        }
    }
    return nullptr;
}

// Limbs of both factors of a product that a kernel holds: two digits a point.
uint64_t LimbsOf(unsigned lg) { return (UINT64_C(2) << lg) / BlockShape<0>::kDigits; }

// Limbs of the modulus that products wrap around at: a digit a point.
uint64_t ModulusOf(unsigned lg) { return LimbsOf(lg) / 2; }

// BoundShape: of products of such factors (section 6: a top digit of up to 2^kWidth counts as
// four).
fft_bound_shape BoundShape(const Entry &entry, BlockForm form, uint64_t an, uint64_t bn) {
    using Shape = BlockShape<0>;
    fft_bound_shape shape = {};
    shape.method = form == kWrapped ? FFT_BOUND_PACKED : FFT_BOUND_RIGHT_ANGLE;
    shape.significand = FFT_BOUND_F64;
    shape.a_digits = Shape::kDigits * an + entry.top;
    shape.b_digits = Shape::kDigits * bn + entry.top;
    fft_bound_tree(&shape, entry.lg - Shape::kPieceLg, Shape::kNodes,
                   entry.rings > 1 || form == kWrapped);
    return shape;
}

// Proved: coefficients of such factors are rounded to the right integers.
bool Proved(const Entry &entry, BlockForm form, uint64_t an, uint64_t bn) {
    const fft_bound_shape shape = BoundShape(entry, form, an, bn);
    return fft_bound_refusal(&shape, entry.largest) == nullptr;
}

// BoundOf: the largest error of any product that a kernel takes; factors of equal length have it,
// of half of a product's limbs or of all limbs of a modulus.
double BoundOf(const Entry &entry, BlockForm form) {
    const uint64_t half = LimbsOf(entry.lg) / 2;
    const fft_bound_shape shape = BoundShape(entry, form, half, half);
    return (double)fft_bound_error(&shape, entry.largest) * 0x1p-32;
}

// Enqueue: products of one form, which fit the kernel.
result Enqueue(const Entry &entry, BlockForm form, const product_rows &rows, void *workspace,
               size_t bytes, cuda_stream stream) {
    const Kernel &kernel = entry.of[form];
    const size_t each = block_product_bytes(entry.lg, 1);  // a block's
    BlockJob job = {rows, false, BoundOf(entry, form), 0, each > 0 ? workspace : nullptr};
    if (rows.items == nullptr && rows.b_stride == 0) {
        ProductSwap(job.rows);
    }
    job.common = rows.items == nullptr && job.rows.a_stride == 0;
    cudaError_t e = AllowShared(kernel.run, kernel.bytes);
    if (e == cudaSuccess) {
        e = ResidentBlocks(kernel.run, entry.threads, kernel.bytes, &job.together);
    }
    if (each > 0 && job.together > bytes / each) {
        job.together = (unsigned)(bytes / each);
    }
    if (e == cudaSuccess && rows.count > 0) {
        const uint64_t blocks = job.Blocks();
        e = blocks > kMaxGridX ? cudaErrorInvalidConfiguration
                               : LaunchEarly(kernel.run, (unsigned)blocks, entry.threads,
                                             kernel.bytes, stream, job);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

}  // namespace

unsigned block_product_lg(uint64_t an, uint64_t bn) {
    for (const Entry &entry : kEntries) {
        const uint64_t limbs = LimbsOf(entry.lg);
        if (an > 0 && bn > 0 && an < limbs && bn <= limbs - an) {
            return Proved(entry, kPlain, an, bn) ? entry.lg : 0;
        }
    }
    return 0;
}

result block_product(const product_rows *rows, unsigned lg, void *workspace, size_t bytes,
                     cuda_stream stream) {
    const Entry *const entry = EntryFor(lg);
    const product_item *const first = &rows->first;
    const size_t each = block_product_bytes(lg, 1);  // a block's
    if (entry == nullptr || (rows->items == nullptr && first->an + first->bn > LimbsOf(lg)) ||
        (rows->count > 0 && bytes < each)) {
        return RESULT_REFUSED;
    }
    return Enqueue(*entry, product_rows_squares(rows) ? kSquared : kPlain, *rows, workspace, bytes,
                   stream);
}

unsigned block_wrapped_lg(uint64_t n) {
    for (const Entry &entry : kEntries) {
        if (ModulusOf(entry.lg) == n && entry.of[kWrapped].run != nullptr) {
            return Proved(entry, kWrapped, n, n) ? entry.lg : 0;
        }
    }
    return 0;
}

result block_wrapped(const product_rows *rows, unsigned lg, void *workspace, size_t bytes,
                     cuda_stream stream) {
    const Entry *const entry = EntryFor(lg);
    const product_item *const first = &rows->first;
    if (entry == nullptr || entry->of[kWrapped].run == nullptr ||
        (rows->items == nullptr &&
         (first->an > ModulusOf(lg) || first->bn > ModulusOf(lg) || first->rn < ModulusOf(lg))) ||
        (rows->count > 0 && bytes < block_product_bytes(lg, 1))) {
        return RESULT_REFUSED;
    }
    return Enqueue(*entry, kWrapped, *rows, workspace, bytes, stream);
}
