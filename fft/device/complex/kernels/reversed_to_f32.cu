// reversed_to_f32.cu: passes by rows over complex numbers of two floats to reversed order, those
// of the plans that transform_plan.cu chooses.
#include "fft/device/complex/pass_entries.cuh"

namespace {

constexpr PassEntry kEntries[] = {
    FewReversed<float, 0x1, 9, true>(),     FewReversed<float, 0x2, 10, true>(),
    FewReversed<float, 0x3, 11, true>(),    FewReversed<float, 0x4, 11, true>(),
    RowsReversed<float, 0x32, 11, true>(),  RowsReversed<float, 0x33, 11, true>(),
    RowsReversed<float, 0x43, 11, true>(),  RowsReversed<float, 0x44, 10, true>(),
    RowsReversed<float, 0x44, 12, true>(),  RowsReversed<float, 0x333, 11, true>(),
    RowsReversed<float, 0x433, 10, true>(), RowsReversed<float, 0x433, 11, true>(),
    RowsReversed<float, 0x443, 11, true>(), RowsReversed<float, 0x443, 12, true>(),
    RowsReversed<float, 0x444, 12, true>(), RowsReversed<float, 0x544, 13, true>(),
    RowsReversed<float, 0x554, 14, true>(),
};

}  // namespace

template <>
PassEntries ReversedToPasses<float>() {
    return {kEntries, sizeof kEntries / sizeof *kEntries};
}
