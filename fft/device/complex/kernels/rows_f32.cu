// rows_f32.cu: the only passes of transforms of complex numbers of two floats, by rows, those of
// the plans that transform_plan.cu chooses and of the papers' tuples (fft_id_paper_tuple).
#include "fft/device/complex/pass_entries.cuh"

namespace {

constexpr PassEntry kEntries[] = {
    Only<float, 0x43, 7>(),       Only<float, 0x44, 8>(),      Only<float, 0x333, 10>(),
    Only<float, 0x433, 10>(),     Only<float, 0x443, 11>(),    Few<float, 0x1, 9>(),
    Few<float, 0x2, 10>(),        Few<float, 0x3, 11>(),       Few<float, 0x4, 11>(),
    Only<float, 0x32, 11>(),      Only<float, 0x33, 11>(),     Only<float, 0x43, 11>(),
    Only<float, 0x44, 12>(),      Only<float, 0x333, 11>(),    Only<float, 0x433, 11>(),
    Only<float, 0x443, 12>(),     Only<float, 0x444, 12>(),    Only<float, 0x3333, 12>(),
    Only<float, 0x4333, 13>(),    Only<float, 0x554, 14, 1>(), Only<float, 0x555, 15, 2>(),
    Only<float, 0x4444, 16, 2>(),
};

}  // namespace

template <>
PassEntries RowPasses<float>() {
    return {kEntries, sizeof kEntries / sizeof *kEntries};
}
