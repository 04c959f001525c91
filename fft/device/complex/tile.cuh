// tile.cuh: the tile of a pass while kernels work on it: each thread's items in registers, layout
// after layout, and the exchanges between them through shared memory. Independent of what items
// are. Includes pass_shape.cuh.
#ifndef FFT_DEVICE_COMPLEX_TILE_CUH_
#define FFT_DEVICE_COMPLEX_TILE_CUH_

#include "fft/device/complex/pass_shape.cuh"

template <class Item, unsigned kNodes, unsigned kS, unsigned kMode>
struct Tile {
    using Shape = PassShape<kNodes, kS, kMode>;
    static constexpr unsigned kBankBits = sizeof(Item) == 16 ? 3 : 4;
    static constexpr unsigned kItems = Shape::kItems;
    static_assert(Shape::BanksDiffer(kBankBits), "lanes would meet in a bank");

    // Maps: from a thread's, from a register's number in a layout to slots; and on to digits of the
    // point, of the frequency, of the line, of the points left after a node.
    template <unsigned kLayout>
    struct ThreadSlots {
        static constexpr BitMap kMap = Shape::kAll.layout[kLayout].thread;
    };
    template <unsigned kLayout>
    struct RegisterSlots {
        static constexpr BitMap kMap = Shape::kAll.layout[kLayout].registers;
    };
    template <class Slots>
    struct Point {
        static constexpr BitMap kMap = Slots::kMap.Then(Shape::MakePoint());
    };
    template <class Slots>
    struct Frequency {
        static constexpr BitMap kMap = Slots::kMap.Then(Shape::MakeFrequency());
    };
    template <class Slots>
    struct Line {
        static constexpr BitMap kMap = Slots::kMap.Then(Shape::MakeLine());
    };
    template <class Slots, unsigned kNode>
    struct Left {
        static constexpr BitMap kMap = Slots::kMap.Then(Shape::MakeLeft(kNode));
    };
    template <class Slots>
    struct Bank {
        static constexpr BitMap kMap = Slots::kMap.Then(Shape::MakeSwizzle(kBankBits));
    };

    template <class Slots>
    DEVICE static unsigned Address(unsigned number) {
        return MoveBits<Slots>(number) ^ MoveBits<Bank<Slots>>(number);
    }

    Item *tile;       // in shared memory
    unsigned thread;  // of the tile
    Item v[kItems];

    // The address in this block of what a thread has in a layout after the first exchange.
    template <unsigned kLayout>
    DEVICE unsigned Own() const {
        return Address<ThreadSlots<kLayout>>(thread) % (1u << Shape::kLocal);
    }

    template <unsigned kLayout>
    DEVICE void Put() {
        const unsigned from = Own<kLayout>();
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            tile[from ^ Address<RegisterSlots<kLayout>>(r)] = v[r];
        }
    }

    template <unsigned kLayout>
    DEVICE void Take() {
        const unsigned to = Own<kLayout>();
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            v[r] = tile[to ^ Address<RegisterSlots<kLayout>>(r)];
        }
    }
};

#endif  // FFT_DEVICE_COMPLEX_TILE_CUH_
