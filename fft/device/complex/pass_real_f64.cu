// pass_real_f64.cu: the pass kernels between doubles and their frequencies, those of the plans that
// transform_plan.cu chooses. The other passes of a plan are pass_f64.cu's.
#include "fft/device/complex/pass_entries.cuh"

namespace {

constexpr PassEntry kEntries[] = {
    OnlyReal<double, 0x43, 7, true>(),    OnlyReal<double, 0x43, 7, false>(),
    OnlyReal<double, 0x44, 8, true>(),    OnlyReal<double, 0x44, 8, false>(),
    OnlyReal<double, 0x333, 9, true>(),   OnlyReal<double, 0x333, 9, false>(),
    OnlyReal<double, 0x433, 10, true>(),  OnlyReal<double, 0x433, 10, false>(),
    OnlyReal<double, 0x443, 11, true>(),  OnlyReal<double, 0x443, 11, false>(),
    FewReal<double, 0x1, 9, true>(),      FewReal<double, 0x1, 9, false>(),
    FewReal<double, 0x2, 10, true>(),     FewReal<double, 0x2, 10, false>(),
    FewReal<double, 0x3, 11, true>(),     FewReal<double, 0x3, 11, false>(),
    FewReal<double, 0x4, 11, true>(),     FewReal<double, 0x4, 11, false>(),
    OnlyReal<double, 0x32, 11, true>(),   FewReal<double, 0x32, 11, false>(),
    OnlyReal<double, 0x33, 11, true>(),   OnlyReal<double, 0x33, 11, false>(),
    OnlyReal<double, 0x43, 11, true>(),   OnlyReal<double, 0x43, 11, false>(),
    OnlyReal<double, 0x44, 12, true>(),   OnlyReal<double, 0x44, 12, false>(),
    OnlyReal<double, 0x333, 10, true>(),  OnlyReal<double, 0x333, 11, false>(),
    OnlyReal<double, 0x433, 11, true>(),  OnlyReal<double, 0x433, 11, false>(),
    OnlyReal<double, 0x443, 12, true>(),  OnlyReal<double, 0x443, 12, false>(),
    OnlyReal<double, 0x444, 12, true>(),  OnlyReal<double, 0x444, 12, false>(),
    OnlyReal<double, 0x3333, 12, true>(), OnlyReal<double, 0x3333, 12, false>(),
    OnlyReal<double, 0x4333, 13, true>(), OnlyReal<double, 0x4333, 13, false>(),
    FirstReal<double, 0x43, 10>(),        LastReal<double, 0x43, 10>(),
    FirstReal<double, 0x43, 11>(),        LastReal<double, 0x43, 11>(),
    FirstReal<double, 0x43, 12>(),        LastReal<double, 0x43, 12>(),
    FirstReal<double, 0x44, 10>(),        LastReal<double, 0x44, 10>(),
    FirstReal<double, 0x44, 11>(),        LastReal<double, 0x44, 11>(),
    FirstReal<double, 0x44, 12>(),        LastReal<double, 0x44, 12>(),
    FirstReal<double, 0x333, 11>(),       LastReal<double, 0x333, 11>(),
    FirstReal<double, 0x333, 12>(),       LastReal<double, 0x333, 12>(),
    FirstReal<double, 0x433, 12>(),       LastReal<double, 0x433, 12>(),
    FirstReal<double, 0x433, 13>(),       LastReal<double, 0x433, 13>(),
    FirstReal<double, 0x443, 13>(),       LastReal<double, 0x443, 13>(),
};

}  // namespace

PassEntries RealPassEntriesF64() { return {kEntries, sizeof kEntries / sizeof *kEntries}; }
