// powm_device_stub.c: powm_device.h's kernels in a build without a CUDA toolkit.
#include "primitives/residues/powm_device.h"

result powm_device(const powm_device_plan *plan, const powm_device_batch *batch, void *workspace,
                   cuda_stream stream) {
    (void)plan, (void)batch, (void)workspace, (void)stream;
    return RESULT_NO_DEVICE;
}
