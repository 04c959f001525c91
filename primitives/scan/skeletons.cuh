// skeletons.cuh: reductions, scans, segmented scans and compactions with operators of your own, on
// a device. CUDA C++17. Installed as longmul/skeletons.cuh, one file that needs CUDA's headers
// alone.
//
// An operator is a class Op with
//   using Value                        trivially copyable, 1, 4, 8 or 16 bytes without padding
//   static Value Identity()            Combine(Identity(), x) = Combine(x, Identity()) = x
//   static Value Combine(Value first, Value then)
//                                      associative; `first` stands lower in the sequence, and the
//                                      order is kept: it need not commute
//   static constexpr bool kCommutative optional: true lets reductions take another order, which is
//                                      faster
//   using Element, static Value Of(Element)
//                                      optional: reductions read elements of this type (1, 2, 4, 8
//                                      or 16 bytes) and combine their values
// all of them __host__ __device__.
//
// Every function enqueues on the stream, waits for nothing and allocates nothing. Data in device
// memory, aligned to its type, 16 bytes being faster. workspace: device memory aligned to 256
// bytes, of what the function's ...WorkspaceBytes returns, used by one stream at a time; zero
// before its first use and after any use by something else; scans of values of up to 8 bytes and
// Compact may share one; Reduce, and scans of 16 bytes, need their own. cudaErrorInvalidValue
// (workspace too small, lengths above the bounds) changes nothing. Sequences have at most 2^34
// elements; of SegmentedScan and Compact, 2^22 tiles of 16 KiB, of bytes 4 KiB.
#ifndef PRIMITIVES_SCAN_SKELETONS_CUH_
#define PRIMITIVES_SCAN_SKELETONS_CUH_

#include <type_traits>

#include "primitives/scan/compact.cuh"
#include "primitives/scan/flagged.cuh"
#include "primitives/scan/look_back.cuh"
#include "primitives/scan/reduce.cuh"
#include "primitives/scan/three_kernel.cuh"

namespace longmul {

enum class ScanKind { kInclusive, kExclusive };

// The operator as the kernels take it, with what is optional filled in.
template <class Op, class = void>
struct CommutesOf : std::false_type {};
template <class Op>
struct CommutesOf<Op, std::void_t<decltype(Op::kCommutative)>>
    : std::bool_constant<Op::kCommutative> {};

template <class Op>
struct MonoidOf : Op {
    using Value = typename Op::Value;
    static_assert(std::is_trivially_copyable_v<Value>, "values are moved as bytes");
    static_assert(sizeof(Value) == 1 || sizeof(Value) == 4 || sizeof(Value) == 8 ||
                      sizeof(Value) == 16,
                  "a value has 1, 4, 8 or 16 bytes");
    static constexpr bool kCommutative = CommutesOf<Op>::value;
};

constexpr uint64_t kMostElements = uint64_t{1} << 34, kMostTiles = uint64_t{1} << 22;

// n rows elements, in bounds.
inline bool IsLength(uint64_t n, uint64_t rows) { return n == 0 || rows <= kMostElements / n; }

// --- Reduce: the product of every row ------------------------------------------------------------
// out[r] = in[r n] * .. * in[r n + n - 1], the identity if n = 0, for r < rows < 2^31. One launch,
// each element is read once.
template <class Op>
constexpr size_t ReduceWorkspaceBytes() {
    return Reduction<MonoidOf<Op>>::WorkspaceBytes();
}

template <class Op>
cudaError_t Reduce(typename Op::Value *out, const typename ElementsOf<Op>::Element *in, uint64_t n,
                   uint64_t rows, void *workspace, size_t bytes, cudaStream_t stream) {
    if (!IsLength(n, rows) || rows >> 31 != 0 || bytes < ReduceWorkspaceBytes<Op>()) {
        return cudaErrorInvalidValue;
    }
    return rows == 0 ? cudaSuccess
                     : Reduction<MonoidOf<Op>>::Run(out, in, n, rows, workspace, stream);
}

// --- Scan: every row of n by itself --------------------------------------------------------------
// out[i] = in[0] * .. * in[i], or up to in[i - 1] of an exclusive scan, whose first is the
// identity. out may be in. Values of up to 8 bytes: one launch, each read and written once; of 16
// bytes: read twice, three launches for rows of more than 16 KiB.
template <class Op>
using ScheduleOf = std::conditional_t<sizeof(typename Op::Value) <= 8, ScanLookBack<MonoidOf<Op>>,
                                      ScanThreeKernel<MonoidOf<Op>>>;

template <class Op>
size_t ScanWorkspaceBytes(uint64_t n, uint64_t rows) {
    if constexpr (sizeof(typename Op::Value) <= 8) {
        return ScheduleOf<Op>::WorkspaceBytes(n * rows);
    } else {
        return ScheduleOf<Op>::WorkspaceBytes(n, rows);
    }
}

template <class Op>
ScanData<MonoidOf<Op>> ScanDataOf(typename Op::Value *out, const typename Op::Value *in, uint64_t n,
                                  uint64_t rows, ScanKind kind) {
    const bool vectors = (uintptr_t)in % 16 == 0 && (uintptr_t)out % 16 == 0;
    return {in, out, n * rows, n, kind == ScanKind::kExclusive, vectors};
}

template <class Op>
cudaError_t Scan(ScanKind kind, typename Op::Value *out, const typename Op::Value *in, uint64_t n,
                 uint64_t rows, void *workspace, size_t bytes, cudaStream_t stream) {
    if (!IsLength(n, rows) || bytes < ScanWorkspaceBytes<Op>(n, rows)) {
        return cudaErrorInvalidValue;
    }
    return n * rows == 0
               ? cudaSuccess
               : ScheduleOf<Op>::Run(ScanDataOf<Op>(out, in, n, rows, kind), workspace, stream);
}

// --- SegmentedScan: of segments that begin at 0 and wherever heads[i] != 0 -----------------------
// Values of up to 8 bytes; one launch. out may be in.
template <class Op>
size_t SegmentedScanWorkspaceBytes(uint64_t n) {
    return ScanFlagged<MonoidOf<Op>>::WorkspaceBytes(n);
}

template <class Op>
cudaError_t SegmentedScan(ScanKind kind, typename Op::Value *out, const typename Op::Value *in,
                          const uint8_t *heads, uint64_t n, void *workspace, size_t bytes,
                          cudaStream_t stream) {
    static_assert(sizeof(typename Op::Value) <= 8, "values of a segmented scan have up to 8 bytes");
    using Schedule = ScanFlagged<MonoidOf<Op>>;
    if (Schedule::Tiles(n) > kMostTiles || bytes < Schedule::WorkspaceBytes(n)) {
        return cudaErrorInvalidValue;
    }
    return n == 0 ? cudaSuccess
                  : Schedule::Run(ScanDataOf<Op>(out, in, n, 1, kind), heads, workspace, stream);
}

// --- Compact: the elements that keep(in[i]) accepts ----------------------------------------------
// They go to out, in their order, and their number to *count.
// T: trivially copyable, at most 64 bytes. Keep: a class with bool operator()(const T &) const for
// the device. out has room for the elements kept, and may be in. One launch.
template <class T>
size_t CompactWorkspaceBytes(uint64_t n) {
    return Compaction<T>::WorkspaceBytes(n);
}

template <class T, class Keep>
cudaError_t Compact(T *out, uint64_t *count, const T *in, uint64_t n, Keep keep, void *workspace,
                    size_t bytes, cudaStream_t stream) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 64, "elements of up to 64 bytes");
    if (Compaction<T>::Tiles(n) > kMostTiles || bytes < Compaction<T>::WorkspaceBytes(n)) {
        return cudaErrorInvalidValue;
    }
    return Compaction<T>::Run(out, count, in, n, keep, workspace, stream);
}

}  // namespace longmul

#endif  // PRIMITIVES_SCAN_SKELETONS_CUH_
