// transform_kinds.h: transforms of any layout by two kinds of kernels, for transform_passes.cu,
// transform_plan.cu and transform_choice.cu. Functions that begin with Passes use kernels whose
// nodes are constants. They serve powers of two whose items, or the same items of neighbouring
// problems, are side by side. Functions that begin with Mixed use one kernel whose nodes are known
// at run time, and serve everything else. Each implements the function of transform_strided.h of
// the same name for its problems. Requires fft_id_refusal of the plan to be NULL; functions other
// than the refusals also require a plan that their refusal accepts. Includes the doors only.
#ifndef FFT_DEVICE_COMPLEX_TRANSFORM_KINDS_H_
#define FFT_DEVICE_COMPLEX_TRANSFORM_KINDS_H_

#include "fft/device/complex/transform_strided.h"

const char *PassesRefusal(const fft_strided_plan *plan);
bool PassesPlan(fft_strided_plan *plan, const fft_id_problem *problem, fft_strided_layout in,
                fft_strided_layout out);
size_t PassesTableBytes(const fft_strided_plan *plan);
result PassesTables(const fft_strided_plan *plan, void *tables, cuda_stream stream);
result PassesTransform(const fft_strided_plan *plan, const void *in, void *out, void *workspace,
                       const void *tables, cuda_stream stream);

const char *MixedRefusal(const fft_strided_plan *plan);
bool MixedPlan(fft_strided_plan *plan, const fft_id_problem *problem, fft_strided_layout in,
               fft_strided_layout out);
size_t MixedTableBytes(const fft_strided_plan *plan);
result MixedTables(const fft_strided_plan *plan, void *tables, cuda_stream stream);
result MixedTransform(const fft_strided_plan *plan, const void *in, void *out, void *workspace,
                      const void *tables, cuda_stream stream);

// A plan in the layout that fft_device_transform takes.
inline fft_strided_plan Dense(const fft_id_plan *plan) {
    return {*plan, fft_strided_dense(&plan->problem, false),
            fft_strided_dense(&plan->problem, true)};
}

// Whether items are of two doubles, not of two floats.
inline bool OfDoubles(const fft_id_problem *problem) {
    return fft_id_item_bytes(problem) == 2 * sizeof(double);
}

// Whether items move between passes: in natural order, where there are several.
inline bool NeedsWorkspace(const fft_id_plan *plan) {
    return plan->problem.order == FFT_ID_NATURAL && fft_id_passes(plan) > 1;
}

// Where the first of `left` remaining passes writes. If their number is odd, it leaves items at
// their places, so it may be in place.
inline void *PassOutput(unsigned left, void *out, void *workspace) {
    return left % 2 != 0 ? out : workspace;
}

#endif  // FFT_DEVICE_COMPLEX_TRANSFORM_KINDS_H_
