// fftw.h: FFTW 3 as a rival, loaded at run time where the dynamic linker finds it. Building does
// not need it. Includes C's own headers only.
#ifndef BENCH_FFTW_H_
#define BENCH_FFTW_H_

#include <stdbool.h>

// bench_fftw: the functions of libfftw3.so.3 that we call: one thread, doubles.
typedef struct {
    void *(*plan_dft_1d)(int n, double *in, double *out, int sign, unsigned flags);
    void *(*plan_dft_r2c_1d)(int n, double *in, double *out, unsigned flags);
    void (*execute)(void *plan);
    void (*destroy_plan)(void *plan);
    const char *version;  // "fftw-3.3.10-sse2-avx"
} bench_fftw;
enum { BENCH_FFTW_FORWARD = -1, BENCH_FFTW_MEASURE = 0 };

// bench_fftw_load: false where the library is not found. It stays loaded until the program ends.
bool bench_fftw_load(bench_fftw *fftw);

#endif  // BENCH_FFTW_H_
