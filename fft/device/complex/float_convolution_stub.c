// float_convolution_stub.c: float_convolution.h's launches where there is no CUDA.
#include "fft/device/complex/float_convolution.h"

result fft_float_device_tables(const fft_float_device_plan *plan, void *tables,
                               cuda_stream stream) {
    (void)plan, (void)tables, (void)stream;
    return RESULT_NO_DEVICE;
}

result fft_float_device_convolve(const fft_float_device_convolution *c,
                                 const fft_float_device_operand *a,
                                 const fft_float_device_operand *b) {
    (void)c, (void)a, (void)b;
    return RESULT_NO_DEVICE;
}
