// monoid_examples_stub.c: monoid_examples.h in a build without a CUDA toolkit: nothing runs.
#include "tests/primitives/scan/monoid_examples.h"

size_t example_workspace_bytes(uint64_t n) { return (size_t)n; }
result example_best_segment(example_segment *out, const int32_t *x, uint64_t n, void *workspace,
                            cuda_stream stream) {
    return (void)out, (void)x, (void)n, (void)workspace, (void)stream, RESULT_NO_DEVICE;
}
result example_compare(int32_t *out, const uint64_t *a, const uint64_t *b, uint64_t n,
                       void *workspace, cuda_stream stream) {
    return (void)out, (void)a, (void)b, (void)n, (void)workspace, (void)stream, RESULT_NO_DEVICE;
}
result example_compact(uint32_t *out, uint32_t *kept, const uint32_t *x, uint64_t n,
                       void *workspace, cuda_stream stream) {
    return (void)out, (void)kept, (void)x, (void)n, (void)workspace, (void)stream, RESULT_NO_DEVICE;
}
