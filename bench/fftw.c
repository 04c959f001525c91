// fftw.c: finds the functions of libfftw3.so.3.
#define _POSIX_C_SOURCE 200809L
#include "bench/fftw.h"

#include <dlfcn.h>
#include <string.h>

// POSIX gives functions as void *; copying the bits is the way that C allows.
static bool find(void *library, const char *name, void *function) {
    void *const symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

bool bench_fftw_load(bench_fftw *fftw) {
    void *const library = dlopen("libfftw3.so.3", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        return false;
    }
    fftw->version = dlsym(library, "fftw_version");
    return fftw->version != NULL && find(library, "fftw_plan_dft_1d", &fftw->plan_dft_1d) &&
           find(library, "fftw_plan_dft_r2c_1d", &fftw->plan_dft_r2c_1d) &&
           find(library, "fftw_execute", &fftw->execute) &&
           find(library, "fftw_destroy_plan", &fftw->destroy_plan);
}
