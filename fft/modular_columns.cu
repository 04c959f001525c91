// modular_columns.cu: the kernels of columns for the shapes of modular_tables.cuh.
#include "fft/modular_kernels.h"

namespace {

template <unsigned kI>
constexpr ModularColumnsEntry Entry() {
    constexpr ModularShape kShape = kModularColumns[kI];
    using Columns = PassShape<kShape.nodes, kShape.s, kColumnsIn | kColumnsOut>;
    using Back = PassShape<kShape.nodes, kShape.s_back, kColumnsIn | kColumnsOut>;
    return {kShape.lg,
            Columns::kThreads,
            Columns::kX,
            Back::kThreads,
            Back::kX,
            sizeof(double) << kShape.s,
            sizeof(double) << kShape.s_back,
            ModularColumnsKernel<kShape.nodes, kShape.s, true>,
            ModularColumnsKernel<kShape.nodes, kShape.s, false>,
            ModularInverseKernel<kShape.nodes, kShape.s_back>};
}

constexpr ModularColumnsEntry kEntries[] = {Entry<0>(), Entry<1>(), Entry<2>(),
                                            Entry<3>(), Entry<4>(), Entry<5>(),
                                            Entry<6>(), Entry<7>(), Entry<8>()};
static_assert(sizeof kEntries / sizeof *kEntries == sizeof kModularColumns / sizeof *kModularColumns,
              "an entry for every shape");

}  // namespace

const ModularColumnsEntry *ModularColumnsOf(unsigned lg) {
    for (const ModularColumnsEntry &entry : kEntries) {
        if (entry.lg == lg) {
            return &entry;
        }
    }
    return nullptr;
}
