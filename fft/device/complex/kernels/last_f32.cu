// last_f32.cu: the last passes of several over complex numbers of two floats, those of the plans
// that transform_plan.cu chooses and of the papers' tuples (fft_id_paper_tuple).
#include "fft/device/complex/pass_entries.cuh"

namespace {

constexpr PassEntry kEntries[] = {
    Last<float, 0x43, 10>(),  Last<float, 0x44, 10>(),  Last<float, 0x43, 11>(),
    Last<float, 0x44, 11>(),  Last<float, 0x333, 11>(), Last<float, 0x44, 12>(),
    Last<float, 0x333, 12>(), Last<float, 0x433, 12>(), Last<float, 0x44, 13>(),
    Last<float, 0x54, 13>(),  Last<float, 0x55, 13>(),  Last<float, 0x443, 13>(),
    Last<float, 0x55, 14>(),  Last<float, 0x443, 14>(), Last<float, 0x444, 14>(),
    Last<float, 0x32, 12>(),  Last<float, 0x33, 12>(),  Last<float, 0x43, 12>(),
    Last<float, 0x322, 12>(), Last<float, 0x332, 12>(),
};

}  // namespace

template <>
PassEntries LastPasses<float>() {
    return {kEntries, sizeof kEntries / sizeof *kEntries};
}
