// fftw.c: finds the functions of libfftw3.so.3.
#define _POSIX_C_SOURCE 200809L
#include "bench/fftw.h"

#include "bench/symbol.h"

bool bench_fftw_load(bench_fftw *fftw) {
    void *const library = dlopen("libfftw3.so.3", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        return false;
    }
    fftw->version = dlsym(library, "fftw_version");
    return fftw->version != NULL && bench_symbol(library, "fftw_plan_dft_1d", &fftw->plan_dft_1d) &&
           bench_symbol(library, "fftw_plan_dft_r2c_1d", &fftw->plan_dft_r2c_1d) &&
           bench_symbol(library, "fftw_execute", &fftw->execute) &&
           bench_symbol(library, "fftw_destroy_plan", &fftw->destroy_plan);
}
