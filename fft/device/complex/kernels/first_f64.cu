// first_f64.cu: passes by columns of complex numbers of two doubles that others follow, those of
// the plans that transform_plan.cu chooses.
#include "fft/device/complex/pass_entries.cuh"

namespace {

constexpr PassEntry kEntries[] = {
    First<double, 0x43, 10>(),     First<double, 0x44, 10>(),     First<double, 0x43, 11>(),
    First<double, 0x44, 11>(),     First<double, 0x333, 11>(),    First<double, 0x44, 12>(),
    First<double, 0x333, 12>(),    First<double, 0x433, 12>(),    First<double, 0x443, 12>(),
    First<double, 0x433, 13, 1>(), First<double, 0x443, 13, 1>(), First<double, 0x444, 13>(),
    First<double, 0x32, 12>(),     First<double, 0x33, 12>(),     First<double, 0x43, 12>(),
    First<double, 0x322, 12>(),    First<double, 0x332, 12>(),
};

}  // namespace

template <>
PassEntries FirstPasses<double>() {
    return {kEntries, sizeof kEntries / sizeof *kEntries};
}
