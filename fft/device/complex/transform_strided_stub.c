// transform_strided_stub.c: transform_strided.h where there is no CUDA.
#include "fft/device/complex/transform_strided.h"

const char *fft_strided_refusal(const fft_strided_plan *plan) {
    const char *why = fft_id_refusal(&plan->plan);
    why = why != NULL ? why : fft_strided_layout_refusal(plan);
    return why != NULL ? why : "built without CUDA";
}

const char *fft_strided_make(fft_strided_plan *plan, const fft_id_problem *problem,
                             fft_strided_layout in, fft_strided_layout out) {
    (void)plan, (void)problem, (void)in, (void)out;
    return "built without CUDA";
}

size_t fft_strided_table_bytes(const fft_strided_plan *plan) {
    (void)plan;
    return 0;
}

size_t fft_strided_workspace_bytes(const fft_strided_plan *plan) {
    (void)plan;
    return 0;
}

result fft_strided_tables(const fft_strided_plan *plan, void *tables, cuda_stream stream) {
    (void)plan, (void)tables, (void)stream;
    return RESULT_NO_DEVICE;
}

result fft_strided_transform(const fft_strided_plan *plan, const void *in, void *out,
                             void *workspace, const void *tables, cuda_stream stream) {
    (void)plan, (void)in, (void)out, (void)workspace, (void)tables, (void)stream;
    return RESULT_NO_DEVICE;
}
