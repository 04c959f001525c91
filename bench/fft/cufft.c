// cufft.c: cufft.h over the dynamic loader. The prototypes come from NVIDIA's cufft.h.
#include "bench/fft/cufft.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/symbol.h"

enum { SUCCESS = 0, FORWARD = -1, INVERSE = 1 };

struct cufft {
    void *handle;
    char name[32];
    int (*get_version)(int *version);
    int (*create)(int *plan);
    int (*destroy)(int plan);
    int (*set_auto_allocation)(int plan, int automatic);
    int (*make_plan)(int plan, int rank, long long *n, long long *in_embed, long long in_stride,
                     long long in_distance, long long *out_embed, long long out_stride,
                     long long out_distance, int type, long long batch, size_t *work);
    int (*set_work_area)(int plan, void *work);
    int (*set_stream)(int plan, cuda_stream stream);
    int (*c2c)(int plan, void *in, void *out, int direction);
    int (*z2z)(int plan, void *in, void *out, int direction);
    int (*r2c)(int plan, void *in, void *out);
    int (*d2z)(int plan, void *in, void *out);
    int (*c2r)(int plan, void *in, void *out);
    int (*z2d)(int plan, void *in, void *out);
};

static bool load_all(cufft *c) {
    void *const h = c->handle;
    return bench_symbol(h, "cufftGetVersion", &c->get_version) &&
           bench_symbol(h, "cufftCreate", &c->create) &&
           bench_symbol(h, "cufftDestroy", &c->destroy) &&
           bench_symbol(h, "cufftSetAutoAllocation", &c->set_auto_allocation) &&
           bench_symbol(h, "cufftMakePlanMany64", &c->make_plan) &&
           bench_symbol(h, "cufftSetWorkArea", &c->set_work_area) &&
           bench_symbol(h, "cufftSetStream", &c->set_stream) &&
           bench_symbol(h, "cufftExecC2C", &c->c2c) && bench_symbol(h, "cufftExecZ2Z", &c->z2z) &&
           bench_symbol(h, "cufftExecR2C", &c->r2c) && bench_symbol(h, "cufftExecD2Z", &c->d2z) &&
           bench_symbol(h, "cufftExecC2R", &c->c2r) && bench_symbol(h, "cufftExecZ2D", &c->z2d);
}

static void *find(const char *path) {
    static const char *const folders[] = {"", "/usr/local/cuda/lib64/"};
    static const char *const names[] = {"libcufft.so.12", "libcufft.so.11", "libcufft.so"};
    if (path != NULL) {
        return dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    void *handle = NULL;
    for (size_t i = 0; i < 6 && handle == NULL; i++) {
        char full[64];
        snprintf(full, sizeof full, "%s%s", folders[i / 3], names[i % 3]);
        handle = dlopen(full, RTLD_NOW | RTLD_LOCAL);
    }
    return handle;
}

cufft *cufft_open(const char *path, char *why, size_t cap) {
    cufft *c = calloc(1, sizeof *c);
    if (c == NULL) {
        snprintf(why, cap, "no memory");
        return NULL;
    }
    c->handle = find(path);
    int version = 0;
    if (c->handle != NULL && load_all(c) && c->get_version(&version) == SUCCESS) {
        snprintf(c->name, sizeof c->name, "cuFFT %d.%d.%d", version / 1000, version / 100 % 10,
                 version % 100);
        return c;
    }
    const char *error = dlerror();
    snprintf(why, cap, "%s", error != NULL ? error : "cuFFT does not tell its version");
    cufft_close(c);
    return NULL;
}

const char *cufft_name(const cufft *library) { return library->name; }

void cufft_close(cufft *library) {
    if (library != NULL && library->handle != NULL) {
        dlclose(library->handle);
    }
    free(library);
}

bool cufft_plan(cufft_job *job, uint64_t n, uint64_t batch) {
    const cufft *c = job->library;
    long long length = (long long)n;
    long long *const strided =
        job->from.stride > 0 ? &length : NULL;  // of one row any size will do
    if (c->create(&job->handle) != SUCCESS) {
        return false;
    }
    if (c->set_auto_allocation(job->handle, 0) == SUCCESS &&
        c->make_plan(job->handle, 1, &length, strided, (long long)job->from.stride,
                     (long long)job->from.distance, strided, (long long)job->to.stride,
                     (long long)job->to.distance, (int)job->type, (long long)batch,
                     &job->workspace_bytes) == SUCCESS) {
        return true;
    }
    cufft_forget(job);
    return false;
}

bool cufft_give_workspace(const cufft_job *job) {
    return job->library->set_work_area(job->handle, job->workspace) == SUCCESS;
}

void cufft_forget(const cufft_job *job) { job->library->destroy(job->handle); }

bool cufft_enqueue(void *job, cuda_stream stream) {
    const cufft_job *j = job;
    const cufft *c = j->library;
    const int direction = j->inverse ? INVERSE : FORWARD;
    if (c->set_stream(j->handle, stream) != SUCCESS) {
        return false;
    }
    switch (j->type) {
        case CUFFT_C2C:
            return c->c2c(j->handle, j->in, j->out, direction) == SUCCESS;
        case CUFFT_Z2Z:
            return c->z2z(j->handle, j->in, j->out, direction) == SUCCESS;
        case CUFFT_R2C:
            return c->r2c(j->handle, j->in, j->out) == SUCCESS;
        case CUFFT_D2Z:
            return c->d2z(j->handle, j->in, j->out) == SUCCESS;
        case CUFFT_C2R:
            return c->c2r(j->handle, j->in, j->out) == SUCCESS;
        case CUFFT_Z2D:
            return c->z2d(j->handle, j->in, j->out) == SUCCESS;
    }
    return false;
}
