// reversed_columns_f64.cu: passes by columns over complex numbers of two doubles to reversed order
// and back, those of the plans that transform_plan.cu chooses.
#include "fft/device/complex/pass_entries.cuh"

namespace {

constexpr PassEntry kEntries[] = {
    ColumnsReversed<double, 0x43, 10, true>(),   ColumnsReversed<double, 0x43, 11, true>(),
    ColumnsReversed<double, 0x44, 10, true>(),   ColumnsReversed<double, 0x44, 11, true>(),
    ColumnsReversed<double, 0x44, 12, true>(),   ColumnsReversed<double, 0x333, 11, true>(),
    ColumnsReversed<double, 0x333, 12, true>(),  ColumnsReversed<double, 0x433, 12, true>(),
    ColumnsReversed<double, 0x433, 13, true>(),  ColumnsReversed<double, 0x443, 13, true>(),
    ColumnsReversed<double, 0x43, 10, false>(),  ColumnsReversed<double, 0x43, 11, false>(),
    ColumnsReversed<double, 0x44, 10, false>(),  ColumnsReversed<double, 0x44, 11, false>(),
    ColumnsReversed<double, 0x44, 12, false>(),  ColumnsReversed<double, 0x333, 11, false>(),
    ColumnsReversed<double, 0x333, 12, false>(), ColumnsReversed<double, 0x433, 12, false>(),
    ColumnsReversed<double, 0x433, 13, false>(), ColumnsReversed<double, 0x443, 13, false>(),
};

}  // namespace

template <>
PassEntries ReversedColumnPasses<double>() {
    return {kEntries, sizeof kEntries / sizeof *kEntries};
}
