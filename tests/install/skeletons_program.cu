// skeletons_program.cu: running maxima. See skeletons_program.h.
#include "tests/install/skeletons_program.h"

#include "primitives/scan/longmul/skeletons.cuh"

struct Maximum {
    using Value = uint32_t;
    __host__ __device__ static Value Identity() { return 0; }
    __host__ __device__ static Value Combine(Value a, Value b) { return a > b ? a : b; }
};

result skeletons_program_records(uint32_t *out, const uint32_t *x, uint64_t n, void *workspace,
                                 size_t bytes, cuda_stream stream) {
    return longmul::Scan<Maximum>(longmul::ScanKind::kInclusive, out, x, n, 1, workspace, bytes,
                                  stream) == cudaSuccess
               ? RESULT_OK
               : RESULT_DEVICE_ERROR;
}

size_t skeletons_program_bytes(uint64_t n) {
    const size_t scan = longmul::ScanWorkspaceBytes<Maximum>(n, 1);
    const size_t reduce = longmul::ReduceWorkspaceBytes<Maximum>();
    return scan > reduce ? scan : reduce;
}
