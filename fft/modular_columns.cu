// modular_columns.cu: the kernels of columns for the shapes of modular_tables.cuh.
#include "fft/modular_kernels.h"

namespace {

// Only long operands have balanced digits.
template <unsigned kI, unsigned kLgColumns>
constexpr auto Balanced() -> void (*)(ModularColumnsJob) {
    constexpr ModularShape kShape = kModularColumns[kI];
    if constexpr (kShape.lg >= FFT_MODULAR_BALANCED_LG_ROWS) {
        return ModularColumnsKernel<kShape.nodes, kShape.s, kLgColumns, kBalancedDigits>;
    } else {
        return nullptr;
    }
}

template <unsigned kI, unsigned kLgColumns>
constexpr ModularColumnsEntry Entry() {
    constexpr ModularShape kShape = kModularColumns[kI];
    using Columns = PassShape<kShape.nodes, kShape.s, kColumnsIn | kColumnsOut>;
    using Back = PassShape<kShape.nodes, kShape.s_back, kColumnsIn | kColumnsOut>;
    return {
        kShape.lg,
        kLgColumns,
        Columns::kThreads,
        Columns::kX,
        Back::kThreads,
        Back::kX,
        sizeof(double) * ((1u << kShape.s) + (Columns::kItems << Columns::kX) + Columns::kThreads),
        sizeof(double) << kShape.s_back,
        {ModularColumnsKernel<kShape.nodes, kShape.s, kLgColumns, kWholeDigits>,
         Balanced<kI, kLgColumns>(),
         ModularColumnsKernel<kShape.nodes, kShape.s, kLgColumns, kShortDigits>},
        ModularInverseKernel<kShape.nodes, kShape.s_back, kLgColumns>};
}

constexpr unsigned kShort = FFT_MODULAR_LG_SHORT, kLong = FFT_MODULAR_LG_LONG;
constexpr ModularColumnsEntry kEntries[] = {
    Entry<0, kShort>(), Entry<1, kShort>(), Entry<2, kShort>(), Entry<3, kShort>(),
    Entry<4, kShort>(), Entry<5, kShort>(), Entry<2, kLong>(),  Entry<3, kLong>(),
    Entry<4, kLong>(),  Entry<5, kLong>(),  Entry<6, kLong>(),  Entry<7, kLong>(),
    Entry<8, kLong>(),
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
