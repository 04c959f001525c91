// pass_f32.cu: the pass kernels for complex numbers of two floats: those of the plans that
// transform_plan.cu chooses, and those of the papers' tuples (fft_id_paper_tuple).
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
    Only<float, 0x4444, 16, 2>(), First<float, 0x43, 10>(),    Last<float, 0x43, 10>(),
    First<float, 0x44, 10>(),     Last<float, 0x44, 10>(),     First<float, 0x43, 11>(),
    Last<float, 0x43, 11>(),      First<float, 0x44, 11>(),    Last<float, 0x44, 11>(),
    First<float, 0x333, 11>(),    Last<float, 0x333, 11>(),    First<float, 0x44, 12>(),
    Last<float, 0x44, 12>(),      First<float, 0x333, 12>(),   Last<float, 0x333, 12>(),
    First<float, 0x433, 12>(),    Last<float, 0x433, 12>(),    First<float, 0x44, 13>(),
    Last<float, 0x44, 13>(),      First<float, 0x54, 13>(),    Last<float, 0x54, 13>(),
    First<float, 0x55, 13>(),     Last<float, 0x55, 13>(),     First<float, 0x443, 13>(),
    Last<float, 0x443, 13>(),     First<float, 0x55, 14>(),    Last<float, 0x55, 14>(),
    First<float, 0x443, 14>(),    Last<float, 0x443, 14>(),    First<float, 0x444, 14>(),
    Last<float, 0x444, 14>(),     First<float, 0x32, 12>(),    Last<float, 0x32, 12>(),
    First<float, 0x33, 12>(),     Last<float, 0x33, 12>(),     First<float, 0x43, 12>(),
    Last<float, 0x43, 12>(),      First<float, 0x322, 12>(),   Last<float, 0x322, 12>(),
    First<float, 0x332, 12>(),    Last<float, 0x332, 12>(),
};

}  // namespace

PassEntries PassEntriesF32() { return {kEntries, sizeof kEntries / sizeof *kEntries}; }
