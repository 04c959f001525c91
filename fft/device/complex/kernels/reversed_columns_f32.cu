// reversed_columns_f32.cu: passes by columns over complex numbers of two floats to reversed order
// and back, those of the plans that transform_plan.cu chooses.
#include "fft/device/complex/pass_entries.cuh"

namespace {

constexpr PassEntry kEntries[] = {
    ColumnsReversed<float, 0x43, 10, true>(),   ColumnsReversed<float, 0x43, 11, true>(),
    ColumnsReversed<float, 0x44, 10, true>(),   ColumnsReversed<float, 0x44, 11, true>(),
    ColumnsReversed<float, 0x44, 12, true>(),   ColumnsReversed<float, 0x333, 11, true>(),
    ColumnsReversed<float, 0x333, 13, true>(),  ColumnsReversed<float, 0x433, 13, true>(),
    ColumnsReversed<float, 0x54, 13, true>(),   ColumnsReversed<float, 0x433, 14, true>(),
    ColumnsReversed<float, 0x443, 14, true>(),  ColumnsReversed<float, 0x55, 14, true>(),
    ColumnsReversed<float, 0x43, 10, false>(),  ColumnsReversed<float, 0x43, 11, false>(),
    ColumnsReversed<float, 0x44, 10, false>(),  ColumnsReversed<float, 0x44, 11, false>(),
    ColumnsReversed<float, 0x44, 12, false>(),  ColumnsReversed<float, 0x333, 11, false>(),
    ColumnsReversed<float, 0x333, 13, false>(), ColumnsReversed<float, 0x433, 13, false>(),
    ColumnsReversed<float, 0x54, 13, false>(),  ColumnsReversed<float, 0x433, 14, false>(),
    ColumnsReversed<float, 0x443, 14, false>(), ColumnsReversed<float, 0x55, 14, false>(),
};

}  // namespace

template <>
PassEntries ReversedColumnPasses<float>() {
    return {kEntries, sizeof kEntries / sizeof *kEntries};
}
