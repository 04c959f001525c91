// modular_columns.cu: the kernels of columns for the shapes of modular_tables.cuh.
#include "fft/modular_kernels.h"

namespace {

// Only long operands have balanced digits, or digits of more than a word.
template <unsigned kLg, unsigned kLgColumns, unsigned kDigits>
constexpr auto Long() -> void (*)(ModularColumnsJob) {
    constexpr ModularShape kShape = *ModularColumnsShapeOf(kLg, kLgColumns, false);
    if constexpr (kShape.lg >= FFT_MODULAR_LONG_LG_ROWS) {
        return ModularColumnsKernel<kShape.nodes, kShape.s, kLgColumns, kDigits, kShape.spread>;
    } else {
        return nullptr;
    }
}

template <unsigned kLg, unsigned kLgColumns>
constexpr ModularPairEntry Pair() {
    constexpr ModularShape kShape = *ModularColumnsShapeOf(kLg, kLgColumns, false);
    if constexpr (kShape.s_pair > 0) {
        using Tile = PassShape<kShape.nodes, kShape.s_pair, kColumnsIn | kColumnsOut>;
        return {Tile::kThreads, Tile::kX - 1, sizeof(double) << kShape.s_pair,
                ModularPairKernel<kShape.nodes, kShape.s_pair, kLgColumns>};
    } else {
        return {};
    }
}

template <unsigned kLg, unsigned kLgColumns, bool kSplit>
constexpr ModularColumnsEntry Sizes() {
    constexpr ModularShape kShape = *ModularColumnsShapeOf(kLg, kLgColumns, kSplit);
    constexpr unsigned kMode = ModularColumnsMode(kShape.s, false, kShape.spread);
    using Columns = PassShape<kShape.nodes, kShape.s, kMode>;
    using Back = PassShape<kShape.nodes, kShape.s_back, kColumnsIn | kColumnsOut>;
    return {kSplit,
            kShape.lg,
            kLgColumns,
            1u << kShape.spread,
            Columns::kThreads,
            Columns::kX,
            Back::kThreads,
            Back::kX,
            sizeof(double) *
                ((1u << Columns::kLocal) + ModularRoom(kShape.nodes, kShape.s, kShape.spread)),
            sizeof(double) << kShape.s_back,
            {},
            {},
            {}};
}

template <unsigned kLg, unsigned kLgColumns>
constexpr ModularColumnsEntry Entry() {
    constexpr ModularShape kShape = *ModularColumnsShapeOf(kLg, kLgColumns, false);
    ModularColumnsEntry e = Sizes<kLg, kLgColumns, false>();
    e.columns[kWholeDigits] =
        ModularColumnsKernel<kShape.nodes, kShape.s, kLgColumns, kWholeDigits, kShape.spread>;
    e.columns[kBalancedDigits] = Long<kLg, kLgColumns, kBalancedDigits>();
    e.columns[kShortDigits] =
        ModularColumnsKernel<kShape.nodes, kShape.s, kLgColumns, kShortDigits, kShape.spread>;
    e.columns[kTwoChunkDigits] = Long<kLg, kLgColumns, kTwoChunkDigits>();
    e.columns[kThreeChunkDigits] = Long<kLg, kLgColumns, kThreeChunkDigits>();
    e.columns[kTwoWordDigits] = Long<kLg, kLgColumns, kTwoWordDigits>();
    e.back[kJoinInBlock] =
        ModularInverseKernel<kShape.nodes, kShape.s_back, kLgColumns, kJoinInBlock>;
    e.back[kJoinInCluster] =
        ModularInverseKernel<kShape.nodes, kShape.s_back, kLgColumns, kJoinInCluster>;
    e.back[kJoinLater] = ModularInverseKernel<kShape.nodes, kShape.s_back, kLgColumns, kJoinLater>;
    e.pair = Pair<kLg, kLgColumns>();
    return e;
}

// Behind an outer pass.
template <unsigned kLg, unsigned kLgColumns>
constexpr ModularColumnsEntry Parts() {
    constexpr ModularShape kShape = *ModularColumnsShapeOf(kLg, kLgColumns, true);
    ModularColumnsEntry e = Sizes<kLg, kLgColumns, true>();
    e.columns[kSplitDigits] =
        ModularColumnsKernel<kShape.nodes, kShape.s, kLgColumns, kSplitDigits, kShape.spread>;
    e.back[kJoinLater] = ModularInverseKernel<kShape.nodes, kShape.s_back, kLgColumns, kJoinLater>;
    return e;
}

constexpr unsigned kShort = FFT_MODULAR_LG_SHORT, kMiddle = FFT_MODULAR_LG_MIDDLE;
constexpr unsigned kLong = FFT_MODULAR_LG_LONG;
constexpr ModularColumnsEntry kEntries[] = {
    Entry<4, kShort>(),  Entry<5, kShort>(),  Entry<6, kShort>(),  Entry<7, kShort>(),
    Entry<8, kShort>(),  Entry<9, kShort>(),  Entry<11, kShort>(), Entry<6, kMiddle>(),
    Entry<7, kMiddle>(), Entry<8, kMiddle>(), Entry<9, kMiddle>(), Entry<6, kLong>(),
    Entry<7, kLong>(),   Entry<8, kLong>(),   Entry<9, kLong>(),   Entry<10, kLong>(),
    Entry<11, kLong>(),  Entry<12, kLong>(),  Parts<4, kShort>(),  Parts<5, kShort>(),
    Parts<6, kShort>(),  Parts<7, kShort>(),  Parts<8, kShort>(),  Parts<9, kShort>(),
    Parts<8, kLong>(),   Parts<9, kLong>(),
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
