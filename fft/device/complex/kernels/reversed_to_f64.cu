// reversed_to_f64.cu: passes by rows over complex numbers of two doubles to reversed order, those
// of the plans that transform_plan.cu chooses.
#include "fft/device/complex/pass_entries.cuh"

namespace {

constexpr PassEntry kEntries[] = {
    FewReversed<double, 0x1, 9, true>(),     FewReversed<double, 0x2, 10, true>(),
    FewReversed<double, 0x3, 11, true>(),    FewReversed<double, 0x4, 11, true>(),
    RowsReversed<double, 0x32, 10, true>(),  RowsReversed<double, 0x33, 11, true>(),
    RowsReversed<double, 0x43, 10, true>(),  RowsReversed<double, 0x43, 11, true>(),
    RowsReversed<double, 0x44, 10, true>(),  RowsReversed<double, 0x44, 12, true>(),
    RowsReversed<double, 0x333, 9, true>(),  RowsReversed<double, 0x333, 11, true>(),
    RowsReversed<double, 0x433, 10, true>(), RowsReversed<double, 0x433, 11, true>(),
    RowsReversed<double, 0x443, 11, true>(), RowsReversed<double, 0x443, 12, true>(),
    RowsReversed<double, 0x444, 12, true>(), RowsReversed<double, 0x4333, 13, true>(),
};

}  // namespace

template <>
PassEntries ReversedToPasses<double>() {
    return {kEntries, sizeof kEntries / sizeof *kEntries};
}
