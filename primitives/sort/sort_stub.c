// sort_stub.c: the device side of sort.h in a build without a CUDA toolkit.
#include "primitives/sort/sort.h"

result sort_device(const sort_job *job, const sort_plan *plan, const sort_arrays *arrays,
                   void *workspace, size_t bytes, cuda_stream stream) {
    (void)job, (void)plan, (void)arrays, (void)workspace, (void)bytes, (void)stream;
    return RESULT_NO_DEVICE;
}
