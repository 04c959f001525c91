// division_device_stub.c: division_device.h's kernels in a build without a CUDA toolkit.
#include "primitives/residues/division_device.h"

result division_device(const division_device_plan *plan, const division_device_batch *batch,
                       void *workspace, cuda_stream stream) {
    (void)plan, (void)batch, (void)workspace, (void)stream;
    return RESULT_NO_DEVICE;
}
