// decimal_tiled_stub.c: decimal_tiled.h in a build without a CUDA toolkit: nothing runs.
#include "bench/fft/decimal_tiled.h"

bool decimal_tiled_enqueue(void *job, cuda_stream stream) { return (void)job, (void)stream, false; }
