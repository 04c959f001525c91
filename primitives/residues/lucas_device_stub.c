// lucas_device_stub.c: lucas_device.h's kernel in a build without a CUDA toolkit.
#include "primitives/residues/lucas_device.h"

result lucas_device(const powm_device_plan *plan, const lucas_device_batch *batch, void *workspace,
                    cuda_stream stream) {
    (void)plan, (void)batch, (void)workspace, (void)stream;
    return RESULT_NO_DEVICE;
}
