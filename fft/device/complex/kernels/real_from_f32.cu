// real_from_f32.cu: the only passes from frequencies to floats, those of the plans that
// transform_plan.cu chooses.
#include "fft/device/complex/pass_entries.cuh"

namespace {

constexpr PassEntry kEntries[] = {
    OnlyReal<float, 0x43, 7, false>(),   OnlyReal<float, 0x44, 8, false>(),
    OnlyReal<float, 0x333, 10, false>(), OnlyReal<float, 0x433, 10, false>(),
    OnlyReal<float, 0x443, 11, false>(), FewReal<float, 0x1, 9, false>(),
    FewReal<float, 0x2, 10, false>(),    FewReal<float, 0x3, 11, false>(),
    FewReal<float, 0x4, 11, false>(),    FewReal<float, 0x32, 11, false>(),
    FewReal<float, 0x33, 11, false>(),   OnlyReal<float, 0x43, 11, false>(),
    OnlyReal<float, 0x44, 12, false>(),  OnlyReal<float, 0x333, 11, false>(),
    OnlyReal<float, 0x433, 11, false>(), OnlyReal<float, 0x443, 12, false>(),
    OnlyReal<float, 0x444, 12, false>(), OnlyReal<float, 0x3333, 12, false>(),
    OnlyReal<float, 0x544, 13, false>(), OnlyReal<float, 0x554, 14, false>(),
};

}  // namespace

template <>
PassEntries RealFromPasses<float>() {
    return {kEntries, sizeof kEntries / sizeof *kEntries};
}
