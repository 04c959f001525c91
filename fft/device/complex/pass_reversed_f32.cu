// pass_reversed_f32.cu: the pass kernels for complex numbers of two floats, to reversed order and
// back: those of the plans that transform_plan.cu chooses.
#include "fft/device/complex/pass_entries.cuh"

namespace {

constexpr PassEntry kEntries[] = {
    FewReversed<float, 0x1, 9, true>(),         FewReversed<float, 0x2, 10, true>(),
    FewReversed<float, 0x3, 11, true>(),        FewReversed<float, 0x4, 11, true>(),
    RowsReversed<float, 0x32, 11, true>(),      RowsReversed<float, 0x33, 11, true>(),
    RowsReversed<float, 0x43, 11, true>(),      RowsReversed<float, 0x44, 10, true>(),
    RowsReversed<float, 0x44, 12, true>(),      RowsReversed<float, 0x333, 11, true>(),
    RowsReversed<float, 0x433, 10, true>(),     RowsReversed<float, 0x433, 11, true>(),
    RowsReversed<float, 0x443, 11, true>(),     RowsReversed<float, 0x443, 12, true>(),
    RowsReversed<float, 0x444, 12, true>(),     RowsReversed<float, 0x544, 13, true>(),
    RowsReversed<float, 0x554, 14, true>(),     ColumnsReversed<float, 0x43, 10, true>(),
    ColumnsReversed<float, 0x43, 11, true>(),   ColumnsReversed<float, 0x44, 10, true>(),
    ColumnsReversed<float, 0x44, 11, true>(),   ColumnsReversed<float, 0x44, 12, true>(),
    ColumnsReversed<float, 0x333, 11, true>(),  ColumnsReversed<float, 0x333, 13, true>(),
    ColumnsReversed<float, 0x433, 13, true>(),  ColumnsReversed<float, 0x54, 13, true>(),
    ColumnsReversed<float, 0x433, 14, true>(),  ColumnsReversed<float, 0x443, 14, true>(),
    ColumnsReversed<float, 0x55, 14, true>(),   FewReversed<float, 0x1, 9, false>(),
    FewReversed<float, 0x2, 10, false>(),       FewReversed<float, 0x3, 11, false>(),
    FewReversed<float, 0x4, 11, false>(),       FewReversed<float, 0x32, 11, false>(),
    FewReversed<float, 0x33, 11, false>(),      FewReversed<float, 0x4333, 13, false>(),
    FewReversed<float, 0x554, 14, false>(),     RowsReversed<float, 0x43, 10, false>(),
    RowsReversed<float, 0x43, 11, false>(),     RowsReversed<float, 0x44, 10, false>(),
    RowsReversed<float, 0x44, 12, false>(),     RowsReversed<float, 0x333, 11, false>(),
    RowsReversed<float, 0x433, 10, false>(),    RowsReversed<float, 0x433, 11, false>(),
    RowsReversed<float, 0x443, 11, false>(),    RowsReversed<float, 0x444, 12, false>(),
    ColumnsReversed<float, 0x43, 10, false>(),  ColumnsReversed<float, 0x43, 11, false>(),
    ColumnsReversed<float, 0x44, 10, false>(),  ColumnsReversed<float, 0x44, 11, false>(),
    ColumnsReversed<float, 0x44, 12, false>(),  ColumnsReversed<float, 0x333, 11, false>(),
    ColumnsReversed<float, 0x333, 13, false>(), ColumnsReversed<float, 0x433, 13, false>(),
    ColumnsReversed<float, 0x54, 13, false>(),  ColumnsReversed<float, 0x433, 14, false>(),
    ColumnsReversed<float, 0x443, 14, false>(), ColumnsReversed<float, 0x55, 14, false>(),
};

}  // namespace

PassEntries ReversedPassEntriesF32() { return {kEntries, sizeof kEntries / sizeof *kEntries}; }
