// rows_f64.cu: the only passes of transforms of complex numbers of two doubles, by rows, those of
// the plans that transform_plan.cu chooses.
#include "fft/device/complex/pass_entries.cuh"

namespace {

constexpr PassEntry kEntries[] = {
    Only<double, 0x43, 7>(),       Only<double, 0x44, 8>(),       Only<double, 0x333, 9>(),
    Only<double, 0x433, 10>(),     Only<double, 0x443, 11>(),     Few<double, 0x1, 9>(),
    Few<double, 0x2, 10>(),        Few<double, 0x3, 11>(),        Few<double, 0x4, 11>(),
    Only<double, 0x32, 11>(),      Only<double, 0x33, 11>(),      Only<double, 0x43, 11>(),
    Only<double, 0x44, 12>(),      Only<double, 0x333, 11>(),     Only<double, 0x433, 11>(),
    Only<double, 0x443, 12>(),     Only<double, 0x444, 12>(),     Only<double, 0x3333, 12>(),
    Only<double, 0x4333, 13, 1>(), Only<double, 0x4433, 14, 3>(), Only<double, 0x4443, 15, 3>(),
    Only<double, 0x4444, 16, 3>(),
};

}  // namespace

template <>
PassEntries RowPasses<double>() {
    return {kEntries, sizeof kEntries / sizeof *kEntries};
}
