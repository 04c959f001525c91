// real_to_f32.cu: the only passes from floats to their frequencies, those of the plans that
// transform_plan.cu chooses.
#include "fft/device/complex/pass_entries.cuh"

namespace {

constexpr PassEntry kEntries[] = {
    OnlyReal<float, 0x43, 7, true>(),   OnlyReal<float, 0x44, 8, true>(),
    OnlyReal<float, 0x333, 10, true>(), OnlyReal<float, 0x433, 10, true>(),
    OnlyReal<float, 0x443, 11, true>(), FewReal<float, 0x1, 9, true>(),
    FewReal<float, 0x2, 10, true>(),    FewReal<float, 0x3, 11, true>(),
    FewReal<float, 0x4, 11, true>(),    OnlyReal<float, 0x32, 11, true>(),
    OnlyReal<float, 0x33, 11, true>(),  OnlyReal<float, 0x43, 11, true>(),
    OnlyReal<float, 0x44, 12, true>(),  OnlyReal<float, 0x333, 11, true>(),
    OnlyReal<float, 0x433, 11, true>(), OnlyReal<float, 0x443, 12, true>(),
    OnlyReal<float, 0x444, 12, true>(), OnlyReal<float, 0x3333, 12, true>(),
    OnlyReal<float, 0x544, 13, true>(), OnlyReal<float, 0x554, 14, true>(),
};

}  // namespace

template <>
PassEntries RealToPasses<float>() {
    return {kEntries, sizeof kEntries / sizeof *kEntries};
}
