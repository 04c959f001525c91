// reduce_study_stub.c: reduce_study.h in a build without a CUDA toolkit: nothing runs.
#include "tests/primitives/scan/reduce_study.h"

size_t study_workspace_bytes(uint64_t n) { return (size_t)n; }
result study_sum(uint32_t *out, const uint32_t *x, uint64_t n, study_form form, void *workspace,
                 cuda_stream stream) {
    return (void)out, (void)x, (void)n, (void)form, (void)workspace, (void)stream, RESULT_NO_DEVICE;
}
result study_best_segment(example_segment *out, const int32_t *x, uint64_t n, study_form form,
                          void *workspace, cuda_stream stream) {
    return (void)out, (void)x, (void)n, (void)form, (void)workspace, (void)stream, RESULT_NO_DEVICE;
}
