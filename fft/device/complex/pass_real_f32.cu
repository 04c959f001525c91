// pass_real_f32.cu: the pass kernels between floats and their frequencies, those of the plans that
// transform_plan.cu chooses. The other passes of a plan are pass_f32.cu's.
#include "fft/device/complex/pass_entries.cuh"

namespace {

constexpr PassEntry kEntries[] = {
    OnlyReal<float, 0x43, 7, true>(),    OnlyReal<float, 0x43, 7, false>(),
    OnlyReal<float, 0x44, 8, true>(),    OnlyReal<float, 0x44, 8, false>(),
    OnlyReal<float, 0x333, 10, true>(),  OnlyReal<float, 0x333, 10, false>(),
    OnlyReal<float, 0x433, 10, true>(),  OnlyReal<float, 0x433, 10, false>(),
    OnlyReal<float, 0x443, 11, true>(),  OnlyReal<float, 0x443, 11, false>(),
    FewReal<float, 0x1, 9, true>(),      FewReal<float, 0x1, 9, false>(),
    FewReal<float, 0x2, 10, true>(),     FewReal<float, 0x2, 10, false>(),
    FewReal<float, 0x3, 11, true>(),     FewReal<float, 0x3, 11, false>(),
    FewReal<float, 0x4, 11, true>(),     FewReal<float, 0x4, 11, false>(),
    OnlyReal<float, 0x32, 11, true>(),   FewReal<float, 0x32, 11, false>(),
    OnlyReal<float, 0x33, 11, true>(),   FewReal<float, 0x33, 11, false>(),
    OnlyReal<float, 0x43, 11, true>(),   OnlyReal<float, 0x43, 11, false>(),
    OnlyReal<float, 0x44, 12, true>(),   OnlyReal<float, 0x44, 12, false>(),
    OnlyReal<float, 0x333, 11, true>(),  OnlyReal<float, 0x333, 11, false>(),
    OnlyReal<float, 0x433, 11, true>(),  OnlyReal<float, 0x433, 11, false>(),
    OnlyReal<float, 0x443, 12, true>(),  OnlyReal<float, 0x443, 12, false>(),
    OnlyReal<float, 0x444, 12, true>(),  OnlyReal<float, 0x444, 12, false>(),
    OnlyReal<float, 0x3333, 12, true>(), OnlyReal<float, 0x3333, 12, false>(),
    OnlyReal<float, 0x544, 13, true>(),  OnlyReal<float, 0x544, 13, false>(),
    OnlyReal<float, 0x554, 14, true>(),  OnlyReal<float, 0x554, 14, false>(),
    FirstReal<float, 0x43, 11>(),        LastReal<float, 0x43, 11>(),
    FirstReal<float, 0x44, 11>(),        LastReal<float, 0x44, 11>(),
    FirstReal<float, 0x43, 12>(),        LastReal<float, 0x43, 12>(),
    FirstReal<float, 0x44, 12>(),        LastReal<float, 0x44, 12>(),
    FirstReal<float, 0x333, 12>(),       LastReal<float, 0x333, 12>(),
    FirstReal<float, 0x44, 13>(),        LastReal<float, 0x44, 13>(),
    FirstReal<float, 0x54, 13>(),        LastReal<float, 0x54, 13>(),
    FirstReal<float, 0x55, 13>(),        LastReal<float, 0x55, 13>(),
    FirstReal<float, 0x55, 14>(),        LastReal<float, 0x55, 14>(),
    FirstReal<float, 0x443, 14>(),       LastReal<float, 0x443, 14>(),
    FirstReal<float, 0x444, 14>(),
};

}  // namespace

PassEntries RealPassEntriesF32() { return {kEntries, sizeof kEntries / sizeof *kEntries}; }
