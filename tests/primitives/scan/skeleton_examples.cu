// skeleton_examples.cu: see skeleton_examples.h.
#include "tests/primitives/scan/skeleton_examples.h"

#include "primitives/scan/skeletons.cuh"
#include "tests/primitives/scan/skeleton_examples.cuh"

namespace {

// Calls f with the operator; false for those above `most`.
template <skeleton_operator kMost, class F>
bool With(skeleton_operator op, F f) {
    switch (op) {
        case SKELETON_ARGMAX:
            return f(Argmax()), true;
        case SKELETON_AFFINE:
            return f(Affine()), true;
        case SKELETON_CARRY:
            return f(Carry()), true;
        case SKELETON_MATRIX:
            if constexpr (kMost >= SKELETON_MATRIX) {
                return f(Matrix()), true;
            }
            return false;
        case SKELETON_SEGMENT:
            if constexpr (kMost >= SKELETON_SEGMENT) {
                return f(Segment()), true;
            }
            return false;
        default:
            return false;
    }
}

longmul::ScanKind KindOf(bool exclusive) {
    return exclusive ? longmul::ScanKind::kExclusive : longmul::ScanKind::kInclusive;
}

result ResultOf(cudaError_t e) {
    return e == cudaSuccess             ? RESULT_OK
           : e == cudaErrorInvalidValue ? RESULT_REFUSED
                                        : RESULT_DEVICE_ERROR;
}

}  // namespace

size_t skeleton_scan_bytes(skeleton_operator op, uint64_t n, uint64_t rows) {
    size_t bytes = 0;
    With<SKELETON_MATRIX>(
        op, [&](auto o) { bytes = longmul::ScanWorkspaceBytes<decltype(o)>(n, rows); });
    return bytes;
}

result skeleton_scan(skeleton_operator op, bool exclusive, void *out, const void *in, uint64_t n,
                     uint64_t rows, void *workspace, size_t bytes, cuda_stream stream) {
    cudaError_t e = cudaErrorInvalidValue;
    With<SKELETON_MATRIX>(op, [&](auto o) {
        using Value = typename decltype(o)::Value;
        e = longmul::Scan<decltype(o)>(KindOf(exclusive), (Value *)out, (const Value *)in, n, rows,
                                       workspace, bytes, stream);
    });
    return ResultOf(e);
}

size_t skeleton_segmented_bytes(skeleton_operator op, uint64_t n) {
    size_t bytes = 0;
    With<SKELETON_CARRY>(
        op, [&](auto o) { bytes = longmul::SegmentedScanWorkspaceBytes<decltype(o)>(n); });
    return bytes;
}

result skeleton_segmented(skeleton_operator op, bool exclusive, void *out, const void *in,
                          const uint8_t *heads, uint64_t n, void *workspace, size_t bytes,
                          cuda_stream stream) {
    cudaError_t e = cudaErrorInvalidValue;
    With<SKELETON_CARRY>(op, [&](auto o) {
        using Value = typename decltype(o)::Value;
        e = longmul::SegmentedScan<decltype(o)>(KindOf(exclusive), (Value *)out, (const Value *)in,
                                                heads, n, workspace, bytes, stream);
    });
    return ResultOf(e);
}

size_t skeleton_reduce_bytes(skeleton_operator op) {
    size_t bytes = 0;
    With<SKELETON_SEGMENT>(op,
                           [&](auto o) { bytes = longmul::ReduceWorkspaceBytes<decltype(o)>(); });
    return bytes;
}

result skeleton_reduce(skeleton_operator op, void *out, const void *in, uint64_t n, uint64_t rows,
                       void *workspace, size_t bytes, cuda_stream stream) {
    cudaError_t e = cudaErrorInvalidValue;
    With<SKELETON_SEGMENT>(op, [&](auto o) {
        using Op = decltype(o);
        e = longmul::Reduce<Op>((typename Op::Value *)out,
                                (const typename ElementsOf<Op>::Element *)in, n, rows, workspace,
                                bytes, stream);
    });
    return ResultOf(e);
}

size_t skeleton_compact_bytes(bool parcels, uint64_t n) {
    return parcels ? longmul::CompactWorkspaceBytes<skeleton_parcel>(n)
                   : longmul::CompactWorkspaceBytes<uint32_t>(n);
}

result skeleton_compact(bool parcels, void *out, uint64_t *count, const void *in, uint64_t n,
                        void *workspace, size_t bytes, cuda_stream stream) {
    return ResultOf(parcels ? longmul::Compact((skeleton_parcel *)out, count,
                                               (const skeleton_parcel *)in, n, IsOdd(), workspace,
                                               bytes, stream)
                            : longmul::Compact((uint32_t *)out, count, (const uint32_t *)in, n,
                                               IsOdd(), workspace, bytes, stream));
}
