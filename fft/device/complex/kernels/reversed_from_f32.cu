// reversed_from_f32.cu: passes by rows over complex numbers of two floats from reversed order,
// those of the plans that transform_plan.cu chooses.
#include "fft/device/complex/pass_entries.cuh"

namespace {

constexpr PassEntry kEntries[] = {
    FewReversed<float, 0x1, 9, false>(),     FewReversed<float, 0x2, 10, false>(),
    FewReversed<float, 0x3, 11, false>(),    FewReversed<float, 0x4, 11, false>(),
    FewReversed<float, 0x32, 11, false>(),   FewReversed<float, 0x33, 11, false>(),
    FewReversed<float, 0x4333, 13, false>(), FewReversed<float, 0x554, 14, false>(),
    RowsReversed<float, 0x43, 10, false>(),  RowsReversed<float, 0x43, 11, false>(),
    RowsReversed<float, 0x44, 10, false>(),  RowsReversed<float, 0x44, 12, false>(),
    RowsReversed<float, 0x333, 11, false>(), RowsReversed<float, 0x433, 10, false>(),
    RowsReversed<float, 0x433, 11, false>(), RowsReversed<float, 0x443, 11, false>(),
    RowsReversed<float, 0x444, 12, false>(),
};

}  // namespace

template <>
PassEntries ReversedFromPasses<float>() {
    return {kEntries, sizeof kEntries / sizeof *kEntries};
}
