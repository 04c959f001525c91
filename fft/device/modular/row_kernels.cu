// row_kernels.cu: the kernels of rows for the shapes of tables.cuh.
#include "fft/device/modular/kernels.h"

namespace {

template <unsigned kI>
constexpr ModularRowsEntry Entry() {
    constexpr ModularShape kShape = kModularRows[kI];
    using Rows = PassShape<kShape.nodes, kShape.s, kRows>;
    return {kShape.lg, Rows::kThreads, Rows::kX, sizeof(double) << kShape.s,
            ModularRowsKernel<kShape.nodes, kShape.s>};
}

constexpr ModularRowsEntry kEntries[] = {Entry<0>(), Entry<1>(), Entry<2>()};
static_assert(sizeof kEntries / sizeof *kEntries == sizeof kModularRows / sizeof *kModularRows,
              "an entry for every shape");

}  // namespace

const ModularRowsEntry *ModularRowsOf(unsigned lg) {
    for (const ModularRowsEntry &entry : kEntries) {
        if (entry.lg == lg) {
            return &entry;
        }
    }
    return nullptr;
}
