// first_f32.cu: passes by columns of complex numbers of two floats that others follow, those of
// the plans that transform_plan.cu chooses and of the papers' tuples (fft_id_paper_tuple).
#include "fft/device/complex/pass_entries.cuh"

namespace {

constexpr PassEntry kEntries[] = {
    First<float, 0x43, 10>(),  First<float, 0x44, 10>(),  First<float, 0x43, 11>(),
    First<float, 0x44, 11>(),  First<float, 0x333, 11>(), First<float, 0x44, 12>(),
    First<float, 0x333, 12>(), First<float, 0x433, 12>(), First<float, 0x44, 13>(),
    First<float, 0x54, 13>(),  First<float, 0x55, 13>(),  First<float, 0x443, 13>(),
    First<float, 0x55, 14>(),  First<float, 0x443, 14>(), First<float, 0x444, 14>(),
    First<float, 0x32, 12>(),  First<float, 0x33, 12>(),  First<float, 0x43, 12>(),
    First<float, 0x322, 12>(), First<float, 0x332, 12>(),
};

}  // namespace

template <>
PassEntries FirstPasses<float>() {
    return {kEntries, sizeof kEntries / sizeof *kEntries};
}
