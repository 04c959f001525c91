// modular_columns.cu: the kernels of columns for the shapes of modular_tables.cuh.
#include "fft/modular_kernels.h"

namespace {

// Only long operands have balanced digits, or digits of more than a word.
template <unsigned kLg, unsigned kLgColumns, unsigned kDigits>
constexpr auto Long() -> void (*)(ModularColumnsJob) {
    constexpr ModularShape kShape = *ModularColumnsShapeOf(kLg, kLgColumns);
    if constexpr (kShape.lg >= FFT_MODULAR_LONG_LG_ROWS) {
        return ModularColumnsKernel<kShape.nodes, kShape.s, kLgColumns, kDigits>;
    } else {
        return nullptr;
    }
}

template <unsigned kLg, unsigned kLgColumns>
constexpr ModularPairEntry Pair() {
    constexpr ModularShape kShape = *ModularColumnsShapeOf(kLg, kLgColumns);
    if constexpr (kShape.s_pair > 0) {
        using Tile = PassShape<kShape.nodes, kShape.s_pair, kColumnsIn | kColumnsOut>;
        return {Tile::kThreads, Tile::kX - 1, sizeof(double) << kShape.s_pair,
                ModularPairKernel<kShape.nodes, kShape.s_pair, kLgColumns>};
    } else {
        return {};
    }
}

template <unsigned kLg, unsigned kLgColumns>
constexpr ModularColumnsEntry Entry() {
    constexpr ModularShape kShape = *ModularColumnsShapeOf(kLg, kLgColumns);
    using Columns = PassShape<kShape.nodes, kShape.s, kColumnsIn | kColumnsOut>;
    using Back = PassShape<kShape.nodes, kShape.s_back, kColumnsIn | kColumnsOut>;
    return {kShape.lg,
            kLgColumns,
            Columns::kThreads,
            Columns::kX,
            Back::kThreads,
            Back::kX,
            sizeof(double) * ((1u << kShape.s) + ModularRoom(kShape.nodes, kShape.s)),
            sizeof(double) << kShape.s_back,
            {ModularColumnsKernel<kShape.nodes, kShape.s, kLgColumns, kWholeDigits>,
             Long<kLg, kLgColumns, kBalancedDigits>(),
             ModularColumnsKernel<kShape.nodes, kShape.s, kLgColumns, kShortDigits>,
             Long<kLg, kLgColumns, kTwoChunkDigits>(), Long<kLg, kLgColumns, kThreeChunkDigits>(),
             Long<kLg, kLgColumns, kTwoWordDigits>(),
             ModularColumnsKernel<kShape.nodes, kShape.s, kLgColumns, kSplitDigits>},
            {ModularInverseKernel<kShape.nodes, kShape.s_back, kLgColumns, kJoinInBlock>,
             ModularInverseKernel<kShape.nodes, kShape.s_back, kLgColumns, kJoinInCluster>,
             ModularInverseKernel<kShape.nodes, kShape.s_back, kLgColumns, kJoinLater>},
            Pair<kLg, kLgColumns>()};
}

constexpr unsigned kShort = FFT_MODULAR_LG_SHORT, kMiddle = FFT_MODULAR_LG_MIDDLE;
constexpr unsigned kLong = FFT_MODULAR_LG_LONG;
constexpr ModularColumnsEntry kEntries[] = {
    Entry<4, kShort>(),  Entry<5, kShort>(),  Entry<6, kShort>(),  Entry<7, kShort>(),
    Entry<8, kShort>(),  Entry<9, kShort>(),  Entry<6, kMiddle>(), Entry<7, kMiddle>(),
    Entry<8, kMiddle>(), Entry<9, kMiddle>(), Entry<6, kLong>(),   Entry<7, kLong>(),
    Entry<8, kLong>(),   Entry<9, kLong>(),   Entry<10, kLong>(),  Entry<11, kLong>(),
    Entry<12, kLong>(),
};

}  // namespace

const ModularColumnsEntry *ModularColumnsOf(unsigned lg, unsigned lg_columns) {
    for (const ModularColumnsEntry &entry : kEntries) {
        if (entry.lg == lg && entry.lg_columns == lg_columns) {
            return &entry;
        }
    }
    return nullptr;
}
