// column_kernels.cu: the kernels of columns for the shapes of tables.cuh.
#include "fft/device/modular/kernels.h"

namespace {

template <class Shape>
constexpr ModularTileEntry TileOf(unsigned more_doubles) {
    return {1u << Shape::kG, Shape::kX, Shape::kThreads,
            sizeof(double) * ((1u << Shape::kLocal) + more_doubles)};
}

template <unsigned kLg, unsigned kLgColumns, bool kSplit>
struct Kernels {
    static constexpr ModularShape kShape = *ModularColumnsShapeOf(kLg, kLgColumns, kSplit);
    static constexpr unsigned kNodes = kShape.nodes, kS = kShape.s, kSpread = kShape.spread;
    using Kernel = void (*)(ModularColumnsJob);

    template <unsigned kDigits>
    static constexpr Kernel Columns() {
        return ModularColumnsKernel<kNodes, kS, kLgColumns, kDigits, kSpread>;
    }
    // Only long operands have balanced digits, or digits of more than a word.
    template <unsigned kDigits>
    static constexpr Kernel Long() {
        if constexpr (kLg >= FFT_MODULAR_LONG_LG_ROWS) {
            return Columns<kDigits>();
        } else {
            return nullptr;
        }
    }
    template <unsigned kJoin>
    static constexpr Kernel Back() {
        if constexpr (kJoin == kJoinLater || kShape.spread_back == 0) {
            return ModularInverseKernel<kNodes, kShape.s_back, kLgColumns, kJoin,
                                        kShape.spread_back>;
        } else {
            return nullptr;
        }
    }

    static constexpr ModularColumnsEntry Sizes() {
        ModularColumnsEntry e = {};
        e.split = kSplit;
        e.lg = kLg;
        e.lg_columns = kLgColumns;
        e.tile = TileOf<ModularForwardShape<kNodes, kS, kSpread>>(ModularRoom(kNodes, kS, kSpread));
        e.back_tile = TileOf<ModularBackShape<kNodes, kShape.s_back, kShape.spread_back>>(0);
        e.back[kJoinLater] = Back<kJoinLater>();
        return e;
    }
};

template <unsigned kLg, unsigned kLgColumns>
constexpr ModularColumnsEntry Entry() {
    using K = Kernels<kLg, kLgColumns, false>;
    ModularColumnsEntry e = K::Sizes();
    e.columns[kWholeDigits] = K::template Columns<kWholeDigits>();
    e.columns[kBalancedDigits] = K::template Long<kBalancedDigits>();
    e.columns[kShortDigits] = K::template Columns<kShortDigits>();
    e.columns[kTwoChunkDigits] = K::template Long<kTwoChunkDigits>();
    e.columns[kThreeChunkDigits] = K::template Long<kThreeChunkDigits>();
    e.columns[kTwoWordDigits] = K::template Long<kTwoWordDigits>();
    e.back[kJoinInBlock] = K::template Back<kJoinInBlock>();
    e.pair_tile = TileOf<ModularPairShape<K::kNodes, K::kShape.s_pair, K::kShape.spread_pair>>(0);
    e.pair = ModularPairKernel<K::kNodes, K::kShape.s_pair, kLgColumns, K::kShape.spread_pair>;
    return e;
}

// Behind an outer pass.
template <unsigned kLg, unsigned kLgColumns>
constexpr ModularColumnsEntry Parts() {
    using K = Kernels<kLg, kLgColumns, true>;
    ModularColumnsEntry e = K::Sizes();
    e.columns[kSplitDigits] = K::template Columns<kSplitDigits>();
    return e;
}

constexpr unsigned kShort = FFT_MODULAR_LG_SHORT, kMiddle = FFT_MODULAR_LG_MIDDLE;
constexpr unsigned kLong = FFT_MODULAR_LG_LONG;
constexpr ModularColumnsEntry kEntries[] = {
    Entry<4, kShort>(),  Entry<5, kShort>(),  Entry<6, kShort>(),  Entry<7, kShort>(),
    Entry<8, kShort>(),  Entry<9, kShort>(),  Entry<10, kShort>(), Entry<11, kShort>(),
    Entry<6, kMiddle>(), Entry<7, kMiddle>(), Entry<8, kMiddle>(), Entry<9, kMiddle>(),
    Entry<6, kLong>(),   Entry<7, kLong>(),   Entry<8, kLong>(),   Entry<9, kLong>(),
    Entry<10, kLong>(),  Entry<11, kLong>(),  Entry<12, kLong>(),  Parts<4, kShort>(),
    Parts<5, kShort>(),  Parts<6, kShort>(),  Parts<7, kShort>(),  Parts<8, kShort>(),
    Parts<9, kShort>(),  Parts<8, kLong>(),   Parts<9, kLong>(),
};

}  // namespace

const ModularColumnsEntry *ModularColumnsOf(unsigned lg, unsigned lg_columns, bool split) {
    for (const ModularColumnsEntry &entry : kEntries) {
        if (entry.split == split && entry.lg == lg && entry.lg_columns == lg_columns) {
            return &entry;
        }
    }
    return nullptr;
}
