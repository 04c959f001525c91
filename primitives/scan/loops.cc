// loops.cc: see loops.h. SCAN_LOOPS names the table that this compilation makes.
//
// Order of operations, for floating point the same for every instruction set, so that results are:
// a product of n elements is taken in kLanes interleaved ones, if the operator commutes, which are
// then halved by pairs; a scan goes in groups of 32 bytes from the first element of its row or
// share, a group by Kogge-Stone's circuit, then what stands before the group times each; elements
// that do not fill a group follow one by one.
#include "primitives/scan/loops.h"

#include <utility>

#include "primitives/scan/monoid.cuh"

namespace {

constexpr unsigned kGroupBytes = 32;
#if defined(__AVX512F__)
constexpr unsigned kVectorBytes = 64;
#else
constexpr unsigned kVectorBytes = kGroupBytes;  // two of 16 bytes where there is no AVX2
#endif

// --- Products ------------------------------------------------------------------------------------
template <class M>
typename M::Value Fold(const typename M::Value *x, uint64_t n) {
    using Value = typename M::Value;
    constexpr unsigned kLanes = M::kCommutative ? 128 / sizeof(Value) : 1;
    Value lane[kLanes];
    for (unsigned l = 0; l < kLanes; l++) {
        lane[l] = M::Identity();
    }
    uint64_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
        for (unsigned l = 0; l < kLanes; l++) {
            lane[l] = M::Combine(lane[l], x[i + l]);
        }
    }
    for (unsigned l = 0; i + l < n; l++) {
        lane[l] = M::Combine(lane[l], x[i + l]);
    }
    for (unsigned half = kLanes / 2; half > 0; half /= 2) {
        for (unsigned l = 0; l < half; l++) {
            lane[l] = M::Combine(lane[l], lane[l + half]);
        }
    }
    return lane[0];
}

// --- Scans by groups -----------------------------------------------------------------------------
// Operators that gain by groups. Their identity is 0, and what is not a floating-point number may
// be scanned in any order.
template <class M>
constexpr bool kByGroups = M::kCommutative;
#if !defined(__AVX512F__)
template <>
constexpr bool kByGroups<SumMod61> = false;
#endif

// Vectors of one or two groups, in the compiler's own notation.
template <class M, unsigned kBytes>
struct VectorGroups {
    using Value = typename M::Value;
    typedef Value Vector __attribute__((vector_size(kBytes)));
    static constexpr unsigned kLanes = kBytes / sizeof(Value);
    static constexpr unsigned kGroup = kGroupBytes / sizeof(Value);
    using Lanes = std::make_integer_sequence<unsigned, kLanes>;

    static Vector Combine(Vector first, Vector then) { return CombineVectors(M(), first, then); }

    // Each lane takes the lane `by` before it in its group, or 0.
    template <unsigned by, unsigned... l>
    static Vector Shift(Vector v, std::integer_sequence<unsigned, l...>) {
        return __builtin_shufflevector(Vector{}, v, (l % kGroup >= by ? kLanes + l - by : 0)...);
    }

    template <unsigned by>
    static Vector Steps(Vector v) {
        if constexpr (by < kGroup) {
            return Steps<2 * by>(Combine(Shift<by>(v, Lanes()), v));
        } else {
            return v;
        }
    }

    // The last lane of `before`, then all of v but its last.
    template <unsigned... l>
    static Vector Delay(Vector before, Vector v, std::integer_sequence<unsigned, l...>) {
        return __builtin_shufflevector(before, v, (l + kLanes - 1)...);
    }

    template <unsigned... l>
    static Vector Spread(Value low, Value high, std::integer_sequence<unsigned, l...>) {
        return Vector{(l < kGroup ? low : high)...};
    }

    // As many vectors as there are whole ones, `product` standing before them and then up to their
    // end; returns the elements done.
    static uint64_t Scan(Value *out, const Value *in, uint64_t n, Value &product, bool exclusive) {
        Vector last = Spread(product, product, Lanes());
        uint64_t i = 0;
        for (; i + kLanes <= n; i += kLanes) {
            Vector v;
            memcpy(&v, in + i, sizeof v);
            v = Steps<1>(v);
            // The chain from one round to the next: an operation for each group.
            const Value low = product;
            const Value high = M::Combine(low, v[kGroup - 1]);
            product = kLanes == kGroup ? high : M::Combine(high, v[kLanes - 1]);
            v = Combine(Spread(low, high, Lanes()), v);
            const Vector y = exclusive ? Delay(last, v, Lanes()) : v;
            memcpy(out + i, &y, sizeof y);
            last = v;
        }
        return i;
    }

   private:
    template <class T>
    static Vector CombineVectors(Sum<T>, Vector first, Vector then) {
        return first + then;
    }
    static Vector CombineVectors(MaxU32, Vector first, Vector then) {
        return first > then ? first : then;
    }
    static Vector CombineVectors(SumMod61, Vector first, Vector then) {
        const Vector sum = first + then;
        return sum >= MONOID_MOD61 ? sum - MONOID_MOD61 : sum;
    }
};

// Elements of one row, `product` standing before them; returns the product up to their end.
template <class M>
typename M::Value ScanRow(typename M::Value *out, const typename M::Value *in, uint64_t n,
                          typename M::Value product, bool exclusive) {
    uint64_t i = 0;
    if constexpr (kByGroups<M>) {
        i = VectorGroups<M, kVectorBytes>::Scan(out, in, n, product, exclusive);
        if constexpr (kVectorBytes > kGroupBytes) {
            i += VectorGroups<M, kGroupBytes>::Scan(out + i, in + i, n - i, product, exclusive);
        }
    }
    for (; i < n; i++) {
        const typename M::Value before = product;
        product = M::Combine(product, in[i]);
        out[i] = exclusive ? before : product;
    }
    return product;
}

template <class M>
void ScanLoop(const ScanRows &rows, uint64_t first, uint64_t last, uint64_t word) {
    using Value = typename M::Value;
    Value product = FromWord<Value>(word);
    for (uint64_t at = first; at < last;) {
        const uint64_t row_end = at - at % rows.n + rows.n;
        const uint64_t end = row_end < last ? row_end : last;
        product = ScanRow<M>((Value *)rows.out + at, (const Value *)rows.in + at, end - at, product,
                             rows.exclusive);
        product = end == row_end ? M::Identity() : product;
        at = end;
    }
}

template <class M>
uint64_t FoldLoop(const void *in, uint64_t first, uint64_t last) {
    return ToWord(Fold<M>((const typename M::Value *)in + first, last - first));
}

template <class M>
constexpr ScanLoops LoopsOf() {
    return {ScanLoop<M>, FoldLoop<M>};
}

}  // namespace

// In the order of monoid.h.
extern const ScanLoops SCAN_LOOPS[MONOID_KINDS] = {
    LoopsOf<Sum<uint32_t>>(), LoopsOf<Sum<uint64_t>>(), LoopsOf<Sum<float>>(),
    LoopsOf<Sum<double>>(),   LoopsOf<MaxU32>(),        LoopsOf<AffineU32>(),
    LoopsOf<Map3>(),          LoopsOf<SumMod61>()};
