// real_to_f64.cu: the only passes from doubles to their frequencies, those of the plans that
// transform_plan.cu chooses.
#include "fft/device/complex/pass_entries.cuh"

namespace {

constexpr PassEntry kEntries[] = {
    OnlyReal<double, 0x43, 7, true>(),    OnlyReal<double, 0x44, 8, true>(),
    OnlyReal<double, 0x333, 9, true>(),   OnlyReal<double, 0x433, 10, true>(),
    OnlyReal<double, 0x443, 11, true>(),  FewReal<double, 0x1, 9, true>(),
    FewReal<double, 0x2, 10, true>(),     FewReal<double, 0x3, 11, true>(),
    FewReal<double, 0x4, 11, true>(),     OnlyReal<double, 0x32, 11, true>(),
    OnlyReal<double, 0x33, 11, true>(),   OnlyReal<double, 0x43, 11, true>(),
    OnlyReal<double, 0x44, 12, true>(),   OnlyReal<double, 0x333, 10, true>(),
    OnlyReal<double, 0x433, 11, true>(),  OnlyReal<double, 0x443, 12, true>(),
    OnlyReal<double, 0x444, 12, true>(),  OnlyReal<double, 0x3333, 12, true>(),
    OnlyReal<double, 0x4333, 13, true>(),
};

}  // namespace

template <>
PassEntries RealToPasses<double>() {
    return {kEntries, sizeof kEntries / sizeof *kEntries};
}
