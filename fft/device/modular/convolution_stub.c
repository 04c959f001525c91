// convolution_stub.c: convolution.h's steps where no CUDA toolkit was there to build them: refused.
#include "fft/device/modular/convolution.h"

size_t fft_modular_table_bytes(const fft_modular_plan *plan) {
    (void)plan;
    return 0;
}

result fft_modular_tables_make(fft_modular_tables *tables, const fft_modular_plan *plan,
                               void *memory, cuda_stream stream) {
    (void)tables, (void)plan, (void)memory, (void)stream;
    return RESULT_NO_DEVICE;
}

result fft_modular_columns(const fft_modular_step *step, double *x, fft_modular_operand a,
                           double *y, fft_modular_operand b) {
    (void)step, (void)x, (void)a, (void)y, (void)b;
    return RESULT_NO_DEVICE;
}

result fft_modular_rows(const fft_modular_step *step, double *x, const double *y,
                        fft_row_mode mode) {
    (void)step, (void)x, (void)y, (void)mode;
    return RESULT_NO_DEVICE;
}

result fft_modular_rows_sum(const fft_modular_step *step, double *x, const double *y,
                            fft_row_mode mode, const fft_modular_sum *sum) {
    (void)step, (void)x, (void)y, (void)mode, (void)sum;
    return RESULT_NO_DEVICE;
}

result fft_modular_inverse(const fft_modular_step *step, double *x) {
    (void)step, (void)x;
    return RESULT_NO_DEVICE;
}

result fft_modular_unwrap(const fft_modular_step *step, double *x, const fft_modular_plan *high,
                          const double *high_x) {
    (void)step, (void)x, (void)high, (void)high_x;
    return RESULT_NO_DEVICE;
}
