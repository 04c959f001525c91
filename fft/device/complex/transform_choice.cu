// transform_choice.cu: transform_strided.h: which kernels serve a layout, those whose nodes are
// constants or, where they do not, those whose nodes are known when they run. Includes
// transform_kinds.h.
#include "fft/device/complex/transform_kinds.h"

namespace {

bool IsDense(const fft_strided_plan *plan) {
    return fft_strided_is_dense(&plan->plan.problem, plan->in, false) &&
           fft_strided_is_dense(&plan->plan.problem, plan->out, true);
}

bool ByPasses(const fft_strided_plan *plan) {
    return !fft_id_mixed(&plan->plan.problem) && PassesRefusal(plan) == nullptr;
}

}  // namespace

const char *fft_strided_refusal(const fft_strided_plan *plan) {
    const char *why = fft_id_refusal(&plan->plan);
    why = why != nullptr ? why : fft_strided_layout_refusal(plan);
    return why != nullptr   ? why
           : IsDense(plan)  ? fft_device_refusal(&plan->plan)
           : ByPasses(plan) ? nullptr
                            : MixedRefusal(plan);
}

const char *fft_strided_make(fft_strided_plan *plan, const fft_id_problem *problem,
                             fft_strided_layout in, fft_strided_layout out) {
    // A tuple that serves every length: what is refused is the problem.
    const fft_id_tuple any = fft_id_mixed(problem) ? fft_id_tuple{3, 3, 0} : fft_id_tuple{1, 1, 0};
    const char *why = fft_id_make(&plan->plan, problem, any, FFT_ID_AFTER);
    plan->in = in, plan->out = out;
    why = why != nullptr ? why : fft_strided_layout_refusal(plan);
    if (why != nullptr) {
        return why;
    }
    const bool made = (!fft_id_mixed(problem) && PassesPlan(plan, problem, in, out)) ||
                      MixedPlan(plan, problem, in, out);
    return made ? fft_strided_refusal(plan) : "no kernel was built for such a problem";
}

size_t fft_strided_table_bytes(const fft_strided_plan *plan) {
    return fft_strided_refusal(plan) != nullptr ? 0
           : ByPasses(plan)                     ? PassesTableBytes(plan)
                                                : MixedTableBytes(plan);
}

size_t fft_strided_workspace_bytes(const fft_strided_plan *plan) {
    const fft_id_problem *problem = &plan->plan.problem;
    return fft_strided_refusal(plan) != nullptr || !NeedsWorkspace(&plan->plan)
               ? 0
               : fft_id_item_bytes(problem) * problem->batch * fft_id_length(problem);
}

result fft_strided_tables(const fft_strided_plan *plan, void *tables, cuda_stream stream) {
    return fft_strided_refusal(plan) != nullptr ? RESULT_REFUSED
           : ByPasses(plan)                     ? PassesTables(plan, tables, stream)
                                                : MixedTables(plan, tables, stream);
}

result fft_strided_transform(const fft_strided_plan *plan, const void *in, void *out,
                             void *workspace, const void *tables, cuda_stream stream) {
    if (fft_strided_refusal(plan) != nullptr || (in == out && !fft_strided_in_place(plan))) {
        return RESULT_REFUSED;
    }
    return ByPasses(plan) ? PassesTransform(plan, in, out, workspace, tables, stream)
                          : MixedTransform(plan, in, out, workspace, tables, stream);
}
