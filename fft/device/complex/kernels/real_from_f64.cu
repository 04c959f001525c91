// real_from_f64.cu: the only passes from frequencies to doubles, those of the plans that
// transform_plan.cu chooses.
#include "fft/device/complex/pass_entries.cuh"

namespace {

constexpr PassEntry kEntries[] = {
    OnlyReal<double, 0x43, 7, false>(),    OnlyReal<double, 0x44, 8, false>(),
    OnlyReal<double, 0x333, 9, false>(),   OnlyReal<double, 0x433, 10, false>(),
    OnlyReal<double, 0x443, 11, false>(),  FewReal<double, 0x1, 9, false>(),
    FewReal<double, 0x2, 10, false>(),     FewReal<double, 0x3, 11, false>(),
    FewReal<double, 0x4, 11, false>(),     FewReal<double, 0x32, 11, false>(),
    OnlyReal<double, 0x33, 11, false>(),   OnlyReal<double, 0x43, 11, false>(),
    OnlyReal<double, 0x44, 12, false>(),   OnlyReal<double, 0x333, 11, false>(),
    OnlyReal<double, 0x433, 11, false>(),  OnlyReal<double, 0x443, 12, false>(),
    OnlyReal<double, 0x444, 12, false>(),  OnlyReal<double, 0x3333, 12, false>(),
    OnlyReal<double, 0x4333, 13, false>(),
};

}  // namespace

template <>
PassEntries RealFromPasses<double>() {
    return {kEntries, sizeof kEntries / sizeof *kEntries};
}
