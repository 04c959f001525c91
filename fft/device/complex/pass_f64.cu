// pass_f64.cu: the pass kernels for complex numbers of two doubles: those of the plans that
// transform_plan.cu chooses, and those of the papers' tuples (fft_id_paper_tuple).
#include "fft/device/complex/pass_entries.cuh"

namespace {

constexpr PassEntry kEntries[] = {
    Only<double, 0x43, 7>(),       Only<double, 0x44, 8>(),       Only<double, 0x333, 9>(),
    Only<double, 0x433, 10>(),     Only<double, 0x443, 11>(),     Few<double, 0x1, 9>(),
    Few<double, 0x2, 10>(),        Few<double, 0x3, 11>(),        Few<double, 0x4, 11>(),
    Only<double, 0x32, 11>(),      Only<double, 0x33, 11>(),      Only<double, 0x43, 11>(),
    Only<double, 0x44, 12>(),      Only<double, 0x333, 11>(),     Only<double, 0x433, 11>(),
    Only<double, 0x443, 12>(),     Only<double, 0x444, 12>(),     Only<double, 0x3333, 12>(),
    Only<double, 0x4333, 13, 1>(), First<double, 0x43, 10>(),     Last<double, 0x43, 10>(),
    First<double, 0x44, 10>(),     Last<double, 0x44, 10>(),      Only<double, 0x4433, 14, 3>(),
    Only<double, 0x4443, 15, 3>(), Only<double, 0x4444, 16, 3>(), First<double, 0x43, 11>(),
    Last<double, 0x43, 11>(),      First<double, 0x44, 11>(),     Last<double, 0x44, 11>(),
    First<double, 0x333, 11>(),    Last<double, 0x333, 11>(),     First<double, 0x44, 12>(),
    Last<double, 0x44, 12>(),      First<double, 0x333, 12>(),    Last<double, 0x333, 12>(),
    First<double, 0x433, 12>(),    Last<double, 0x433, 12>(),     First<double, 0x443, 12>(),
    Last<double, 0x443, 12>(),     First<double, 0x433, 13, 1>(), Last<double, 0x433, 13>(),
    First<double, 0x443, 13, 1>(), Last<double, 0x443, 13>(),     First<double, 0x444, 13>(),
    Last<double, 0x444, 13>(),     First<double, 0x32, 12>(),     Last<double, 0x32, 12>(),
    First<double, 0x33, 12>(),     Last<double, 0x33, 12>(),      First<double, 0x43, 12>(),
    Last<double, 0x43, 12>(),      First<double, 0x322, 12>(),    Last<double, 0x322, 12>(),
    First<double, 0x332, 12>(),    Last<double, 0x332, 12>(),
};

}  // namespace

PassEntries PassEntriesF64() { return {kEntries, sizeof kEntries / sizeof *kEntries}; }
