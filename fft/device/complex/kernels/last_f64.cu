// last_f64.cu: the last passes of several over complex numbers of two doubles, those of the plans
// that transform_plan.cu chooses.
#include "fft/device/complex/pass_entries.cuh"

namespace {

constexpr PassEntry kEntries[] = {
    Last<double, 0x43, 10>(),  Last<double, 0x44, 10>(),  Last<double, 0x43, 11>(),
    Last<double, 0x44, 11>(),  Last<double, 0x333, 11>(), Last<double, 0x44, 12>(),
    Last<double, 0x333, 12>(), Last<double, 0x433, 12>(), Last<double, 0x443, 12>(),
    Last<double, 0x433, 13>(), Last<double, 0x443, 13>(), Last<double, 0x444, 13>(),
    Last<double, 0x32, 12>(),  Last<double, 0x33, 12>(),  Last<double, 0x43, 12>(),
    Last<double, 0x322, 12>(), Last<double, 0x332, 12>(),
};

}  // namespace

template <>
PassEntries LastPasses<double>() {
    return {kEntries, sizeof kEntries / sizeof *kEntries};
}
