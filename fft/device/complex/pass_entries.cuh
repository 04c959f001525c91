// pass_entries.cuh: how a list of kernels is written. Each shape names its two kernels for columns,
// its two for reals, or its kernels of reversed order. Includes the kernels.
#ifndef FFT_DEVICE_COMPLEX_PASS_ENTRIES_CUH_
#define FFT_DEVICE_COMPLEX_PASS_ENTRIES_CUH_

#include "fft/device/complex/pass_kernel.cuh"
#include "fft/device/complex/pass_real.cuh"

template <class Real, unsigned kNodes, unsigned kS, unsigned kMode>
constexpr auto KernelOf() {
    if constexpr ((kMode & (kRealIn | kRealOut)) != 0) {
        return RealPassKernel<Real, kNodes, kS, kMode>;
    } else {
        return PassKernel<Real, kNodes, kS, kMode>;
    }
}

template <class Real, unsigned kNodes, unsigned kS, unsigned kMode>
constexpr PassEntry EntryOf() {
    using P = Pass<Real, kNodes, kS, kMode>;
    return {kNodes,
            kS,
            kMode,
            P::Shape::kX + (P::kPaired ? 1 : 0),
            P::Shape::kThreads,
            1u << P::kRanks,
            P::kSharedBytes,
            P::kWideRoots,
            KernelOf<Real, kNodes, kS, kMode>()};
}

// The only pass of problems of few digits, of more: a block has as many problems as fill a tile.
template <class Real, unsigned kNodes, unsigned kS>
constexpr PassEntry Few() {
    return EntryOf<Real, kNodes, kS, kStageIn | kStageOut>();
}
// kG: digits of the rank where a tile is spread over a cluster.
template <class Real, unsigned kNodes, unsigned kS, unsigned kG = 0>
constexpr PassEntry Only() {
    return EntryOf<Real, kNodes, kS, kRows | kG << kSpreadShift>();
}
// A pass that others follow, and the last of several.
template <class Real, unsigned kNodes, unsigned kS, unsigned kG = 0>
constexpr PassEntry First() {
    return EntryOf<Real, kNodes, kS, kColumnsIn | kColumnsOut | kG << kSpreadShift>();
}
template <class Real, unsigned kNodes, unsigned kS, unsigned kG = 0>
constexpr PassEntry Last() {
    return EntryOf<Real, kNodes, kS, kColumnsOut | kG << kSpreadShift>();
}

// The same for reals: to frequencies, kForward, by the only or the last pass; from them by the only
// or the first one. FewReal is also for a pass in which lanes would meet in a bank otherwise.
template <class Real, unsigned kNodes, unsigned kS, bool kForward>
constexpr PassEntry FewReal() {
    return EntryOf<Real, kNodes, kS, (kForward ? kStageIn | kRealOut : kRealIn | kStageOut)>();
}
template <class Real, unsigned kNodes, unsigned kS, bool kForward>
constexpr PassEntry OnlyReal() {
    return EntryOf<Real, kNodes, kS, (kForward ? kRealOut : kRealIn)>();
}
template <class Real, unsigned kNodes, unsigned kS>
constexpr PassEntry FirstReal() {
    return EntryOf<Real, kNodes, kS, kColumnsIn | kColumnsOut | kRealIn>();
}
template <class Real, unsigned kNodes, unsigned kS>
constexpr PassEntry LastReal() {
    return EntryOf<Real, kNodes, kS, kColumnsOut | kRealOut>();
}

// To reversed order, kForward, or back from it: the last or the first pass by rows, of few digits
// or more, a block with as many lines as fill a tile; the others by columns. FewReversed is also
// for a pass in which lanes would meet in a bank, or threads lack registers, otherwise.
template <class Real, unsigned kNodes, unsigned kS, bool kForward>
constexpr PassEntry FewReversed() {
    return EntryOf<Real, kNodes, kS,
                   kStageIn | kStageOut | (kForward ? kReversedOut : kReversedIn)>();
}
template <class Real, unsigned kNodes, unsigned kS, bool kForward>
constexpr PassEntry RowsReversed() {
    return EntryOf<Real, kNodes, kS,
                   (kForward ? kStageOut | kReversedOut : kStageIn | kReversedIn)>();
}
template <class Real, unsigned kNodes, unsigned kS, bool kForward>
constexpr PassEntry ColumnsReversed() {
    return EntryOf<Real, kNodes, kS,
                   kColumnsIn | kColumnsOut | (kForward ? kReversedOut : kReversedIn)>();
}

#endif  // FFT_DEVICE_COMPLEX_PASS_ENTRIES_CUH_
