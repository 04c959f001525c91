// lines.cuh: a tile of residues whose lines are columns: where its items are, and their twists.
// Shared by columns and the outer pass. Includes residues.cuh and tables.cuh.
#ifndef FFT_DEVICE_MODULAR_LINES_CUH_
#define FFT_DEVICE_MODULAR_LINES_CUH_

#include "fft/device/modular/residues.cuh"
#include "fft/device/modular/tables.cuh"

// ModularColumnsWay: back; forward, where the node before the last is turned (tables.cuh);
// the same with its roots in shared memory.
enum ModularColumnsWay : unsigned { kBack, kForward, kForwardStaged };

template <unsigned kNodes, unsigned kWay>
constexpr unsigned kModularTurned = kWay == kBack ? kMaxNodes : ModularTurnsOf(kNodes).node;

template <unsigned kNodes, unsigned kS, unsigned kMode, unsigned kWay>
using ModularColumnsTile =
    ModularTile<kNodes, kS, kMode, false, kModularTurned<kNodes, kWay>, kWay == kForwardStaged>;

// ModularLines: a tile whose lines are columns: where its items are, and what is done to all.
template <unsigned kNodes, unsigned kS, unsigned kMode, unsigned kWay>
struct ModularLines : ModularColumnsTile<kNodes, kS, kMode, kWay> {
    using Base = ModularColumnsTile<kNodes, kS, kMode, kWay>;
    using Shape = typename Base::Shape;
    using Base::kItems, Base::kLast, Base::prime, Base::thread, Base::v;
    static constexpr unsigned kQ = Shape::kQ;
    template <unsigned kLayout>
    using ThreadLine =
        typename Base::Base::template Line<typename Base::template ThreadSlots<kLayout>>;

    struct LastRegisters {
        static constexpr BitMap kMap = Base::Base::template Frequency<
            typename Base::template RegisterSlots<Base::kLast>>::kMap;
    };
    struct LastThreads {
        static constexpr BitMap kMap =
            Base::Base::template Frequency<typename Base::template ThreadSlots<Base::kLast>>::kMap;
    };
    struct FirstRegisters {
        static constexpr BitMap kMap =
            Base::Base::template Point<typename Base::template RegisterSlots<0>>::kMap;
    };
    struct FirstThreads {
        static constexpr BitMap kMap =
            Base::Base::template Point<typename Base::template ThreadSlots<0>>::kMap;
    };
    DEVICE static constexpr bool RowsAscend() {
        for (unsigned i = 1; 1u << i < kItems; i++) {
            if (FirstRegisters::kMap.to[i - 1] >= FirstRegisters::kMap.to[i]) {
                return false;
            }
        }
        return true;
    }
    static_assert(RowsAscend(), "registers have rows as ModularFold takes them");

    DEVICE unsigned FirstLine() const { return MoveBits<ThreadLine<0>>(thread); }
    DEVICE unsigned LastLine() const { return MoveBits<ThreadLine<Base::kLast>>(thread); }

    // The row of item r in the first layout: its point, the sum of the thread's and RowOf, or the
    // negative of that where the transposed flow has left it.
    DEVICE unsigned RowOfThread() const { return MoveBits<FirstThreads>(thread); }
    DEVICE static constexpr unsigned RowOf(unsigned r) { return MoveBits<FirstRegisters>(r); }
    template <bool kInverse>
    DEVICE unsigned Row(unsigned r) const {
        const unsigned point = RowOfThread() + RowOf(r);
        return kInverse ? (0u - point) % (1u << kQ) : point;
    }

    // Times powers of w, or of its inverse, by the row.
    template <bool kInverse>
    DEVICE void Twist(const double *powers) {
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            v[r] = ModularMul(v[r], powers[Row<kInverse>(r)], prime.field);
        }
    }

    DEVICE void Reduce() {
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            v[r] = ModularReduce(v[r], prime.field);
        }
    }
};

#endif  // FFT_DEVICE_MODULAR_LINES_CUH_
