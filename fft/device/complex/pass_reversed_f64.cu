// pass_reversed_f64.cu: the pass kernels for complex numbers of two doubles, to reversed order and
// back: those of the plans that transform_plan.cu chooses.
#include "fft/device/complex/pass_entries.cuh"

namespace {

constexpr PassEntry kEntries[] = {
    FewReversed<double, 0x1, 9, true>(),         FewReversed<double, 0x2, 10, true>(),
    FewReversed<double, 0x3, 11, true>(),        FewReversed<double, 0x4, 11, true>(),
    RowsReversed<double, 0x32, 10, true>(),      RowsReversed<double, 0x33, 11, true>(),
    RowsReversed<double, 0x43, 10, true>(),      RowsReversed<double, 0x43, 11, true>(),
    RowsReversed<double, 0x44, 10, true>(),      RowsReversed<double, 0x44, 12, true>(),
    RowsReversed<double, 0x333, 9, true>(),      RowsReversed<double, 0x333, 11, true>(),
    RowsReversed<double, 0x433, 10, true>(),     RowsReversed<double, 0x433, 11, true>(),
    RowsReversed<double, 0x443, 11, true>(),     RowsReversed<double, 0x443, 12, true>(),
    RowsReversed<double, 0x444, 12, true>(),     RowsReversed<double, 0x4333, 13, true>(),
    ColumnsReversed<double, 0x43, 10, true>(),   ColumnsReversed<double, 0x43, 11, true>(),
    ColumnsReversed<double, 0x44, 10, true>(),   ColumnsReversed<double, 0x44, 11, true>(),
    ColumnsReversed<double, 0x44, 12, true>(),   ColumnsReversed<double, 0x333, 11, true>(),
    ColumnsReversed<double, 0x333, 12, true>(),  ColumnsReversed<double, 0x433, 12, true>(),
    ColumnsReversed<double, 0x433, 13, true>(),  ColumnsReversed<double, 0x443, 13, true>(),
    FewReversed<double, 0x1, 9, false>(),        FewReversed<double, 0x2, 10, false>(),
    FewReversed<double, 0x3, 11, false>(),       FewReversed<double, 0x4, 11, false>(),
    RowsReversed<double, 0x32, 10, false>(),     RowsReversed<double, 0x33, 11, false>(),
    RowsReversed<double, 0x43, 10, false>(),     RowsReversed<double, 0x43, 11, false>(),
    RowsReversed<double, 0x44, 10, false>(),     RowsReversed<double, 0x44, 12, false>(),
    RowsReversed<double, 0x333, 9, false>(),     RowsReversed<double, 0x333, 11, false>(),
    RowsReversed<double, 0x433, 10, false>(),    RowsReversed<double, 0x433, 11, false>(),
    RowsReversed<double, 0x443, 11, false>(),    RowsReversed<double, 0x443, 12, false>(),
    RowsReversed<double, 0x444, 12, false>(),    RowsReversed<double, 0x4333, 13, false>(),
    ColumnsReversed<double, 0x43, 10, false>(),  ColumnsReversed<double, 0x43, 11, false>(),
    ColumnsReversed<double, 0x44, 10, false>(),  ColumnsReversed<double, 0x44, 11, false>(),
    ColumnsReversed<double, 0x44, 12, false>(),  ColumnsReversed<double, 0x333, 11, false>(),
    ColumnsReversed<double, 0x333, 12, false>(), ColumnsReversed<double, 0x433, 12, false>(),
    ColumnsReversed<double, 0x433, 13, false>(), ColumnsReversed<double, 0x443, 13, false>(),
};

}  // namespace

PassEntries ReversedPassEntriesF64() { return {kEntries, sizeof kEntries / sizeof *kEntries}; }
