// transform_stub.c: transform.h where there is no CUDA.
#include "fft/device/complex/transform.h"

const char *fft_device_refusal(const fft_id_plan *plan) {
    const char *why = fft_id_refusal(plan);
    return why != NULL ? why : "built without CUDA";
}

bool fft_device_plan(fft_id_plan *plan, const fft_id_problem *problem) {
    (void)plan, (void)problem;
    return false;
}

size_t fft_device_table_bytes(const fft_id_plan *plan) {
    (void)plan;
    return 0;
}

size_t fft_device_workspace_bytes(const fft_id_plan *plan) {
    (void)plan;
    return 0;
}

result fft_device_tables(const fft_id_plan *plan, void *tables, cuda_stream stream) {
    (void)plan, (void)tables, (void)stream;
    return RESULT_NO_DEVICE;
}

result fft_device_transform(const fft_id_plan *plan, const void *in, void *out, void *workspace,
                            const void *tables, cuda_stream stream) {
    (void)plan, (void)in, (void)out, (void)workspace, (void)tables, (void)stream;
    return RESULT_NO_DEVICE;
}
