// real_columns_f32.cu: the last passes of several from floats to their frequencies, and the first
// ones back, those of the plans that transform_plan.cu chooses.
#include "fft/device/complex/pass_entries.cuh"

namespace {

constexpr PassEntry kEntries[] = {
    FirstReal<float, 0x43, 11>(),  LastReal<float, 0x43, 11>(),  FirstReal<float, 0x44, 11>(),
    LastReal<float, 0x44, 11>(),   FirstReal<float, 0x43, 12>(), LastReal<float, 0x43, 12>(),
    FirstReal<float, 0x44, 12>(),  LastReal<float, 0x44, 12>(),  FirstReal<float, 0x333, 12>(),
    LastReal<float, 0x333, 12>(),  FirstReal<float, 0x44, 13>(), LastReal<float, 0x44, 13>(),
    FirstReal<float, 0x54, 13>(),  LastReal<float, 0x54, 13>(),  FirstReal<float, 0x55, 13>(),
    LastReal<float, 0x55, 13>(),   FirstReal<float, 0x55, 14>(), LastReal<float, 0x55, 14>(),
    FirstReal<float, 0x443, 14>(), LastReal<float, 0x443, 14>(), FirstReal<float, 0x444, 14>(),
};

}  // namespace

template <>
PassEntries RealColumnPasses<float>() {
    return {kEntries, sizeof kEntries / sizeof *kEntries};
}
