// reversed_from_f64.cu: passes by rows over complex numbers of two doubles from reversed order,
// those of the plans that transform_plan.cu chooses.
#include "fft/device/complex/pass_entries.cuh"

namespace {

constexpr PassEntry kEntries[] = {
    FewReversed<double, 0x1, 9, false>(),     FewReversed<double, 0x2, 10, false>(),
    FewReversed<double, 0x3, 11, false>(),    FewReversed<double, 0x4, 11, false>(),
    RowsReversed<double, 0x32, 10, false>(),  RowsReversed<double, 0x33, 11, false>(),
    RowsReversed<double, 0x43, 10, false>(),  RowsReversed<double, 0x43, 11, false>(),
    RowsReversed<double, 0x44, 10, false>(),  RowsReversed<double, 0x44, 12, false>(),
    RowsReversed<double, 0x333, 9, false>(),  RowsReversed<double, 0x333, 11, false>(),
    RowsReversed<double, 0x433, 10, false>(), RowsReversed<double, 0x433, 11, false>(),
    RowsReversed<double, 0x443, 11, false>(), RowsReversed<double, 0x443, 12, false>(),
    RowsReversed<double, 0x444, 12, false>(), RowsReversed<double, 0x4333, 13, false>(),
};

}  // namespace

template <>
PassEntries ReversedFromPasses<double>() {
    return {kEntries, sizeof kEntries / sizeof *kEntries};
}
