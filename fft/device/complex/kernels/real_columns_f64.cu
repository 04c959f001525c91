// real_columns_f64.cu: the last passes of several from doubles to their frequencies, and the first
// ones back, those of the plans that transform_plan.cu chooses.
#include "fft/device/complex/pass_entries.cuh"

namespace {

constexpr PassEntry kEntries[] = {
    FirstReal<double, 0x43, 10>(),  LastReal<double, 0x43, 10>(),   FirstReal<double, 0x43, 11>(),
    LastReal<double, 0x43, 11>(),   FirstReal<double, 0x43, 12>(),  LastReal<double, 0x43, 12>(),
    FirstReal<double, 0x44, 10>(),  LastReal<double, 0x44, 10>(),   FirstReal<double, 0x44, 11>(),
    LastReal<double, 0x44, 11>(),   FirstReal<double, 0x44, 12>(),  LastReal<double, 0x44, 12>(),
    FirstReal<double, 0x333, 11>(), LastReal<double, 0x333, 11>(),  FirstReal<double, 0x333, 12>(),
    LastReal<double, 0x333, 12>(),  FirstReal<double, 0x433, 12>(), LastReal<double, 0x433, 12>(),
    FirstReal<double, 0x433, 13>(), LastReal<double, 0x433, 13>(),  FirstReal<double, 0x443, 13>(),
    LastReal<double, 0x443, 13>(),
};

}  // namespace

template <>
PassEntries RealColumnPasses<double>() {
    return {kEntries, sizeof kEntries / sizeof *kEntries};
}
