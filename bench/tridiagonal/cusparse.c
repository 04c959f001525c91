// cusparse.c: cusparse.h over the dynamic loader. The prototypes come from NVIDIA's cusparse.h.
#include "bench/tridiagonal/cusparse.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/symbol.h"

enum { SUCCESS = 0, LU = 1 };

// All four types of element pointers are void * here: the functions are called as the library has
// them, whose pointers differ in their targets alone.
typedef int one_size(void *handle, int m, int n, const void *dl, const void *d, const void *du,
                     const void *b, int ldb, size_t *bytes);
typedef int one_solve(void *handle, int m, int n, const void *dl, const void *d, const void *du,
                      void *b, int ldb, void *buffer);
typedef int strided_size(void *handle, int m, const void *dl, const void *d, const void *du,
                         const void *x, int batch, int stride, size_t *bytes);
typedef int strided_solve(void *handle, int m, const void *dl, const void *d, const void *du,
                          void *x, int batch, int stride, void *buffer);
typedef int interleaved_size(void *handle, int algorithm, int m, const void *dl, const void *d,
                             const void *du, const void *x, int batch, size_t *bytes);
typedef int interleaved_solve(void *handle, int algorithm, int m, void *dl, void *d, void *du,
                              void *x, int batch, void *buffer);

struct cusparse {
    void *library, *handle;
    char name[32];
    int (*create)(void **handle);
    int (*destroy)(void *handle);
    int (*get_version)(void *handle, int *version);
    int (*set_stream)(void *handle, cuda_stream stream);
    struct {
        one_size *size, *plain_size;
        one_solve *solve, *plain_solve;
        strided_size *strided_size;
        strided_solve *strided;
        interleaved_size *interleaved_size;
        interleaved_solve *interleaved;
    } of[TRIDIAGONAL_TYPES];
};

const char *cusparse_routine_name(cusparse_routine r) {
    static const char *const names[CUSPARSE_ROUTINES] = {
        "gtsv2", "gtsv2_nopivot", "gtsv2StridedBatch", "gtsvInterleavedBatch"};
    return names[r];
}

static bool load(const cusparse *c, const char *format, char type, void *function) {
    char name[64];
    snprintf(name, sizeof name, format, type);
    return bench_symbol(c->library, name, function);
}

static bool load_all(cusparse *c) {
    bool ok = bench_symbol(c->library, "cusparseCreate", &c->create) &&
              bench_symbol(c->library, "cusparseDestroy", &c->destroy) &&
              bench_symbol(c->library, "cusparseGetVersion", &c->get_version) &&
              bench_symbol(c->library, "cusparseSetStream", &c->set_stream);
    for (unsigned t = 0; t < TRIDIAGONAL_TYPES; t++) {
        const char l = t == TRIDIAGONAL_F32 ? 'S' : 'D';
        ok = ok && load(c, "cusparse%cgtsv2_bufferSizeExt", l, &c->of[t].size) &&
             load(c, "cusparse%cgtsv2", l, &c->of[t].solve) &&
             load(c, "cusparse%cgtsv2_nopivot_bufferSizeExt", l, &c->of[t].plain_size) &&
             load(c, "cusparse%cgtsv2_nopivot", l, &c->of[t].plain_solve) &&
             load(c, "cusparse%cgtsv2StridedBatch_bufferSizeExt", l, &c->of[t].strided_size) &&
             load(c, "cusparse%cgtsv2StridedBatch", l, &c->of[t].strided) &&
             load(c, "cusparse%cgtsvInterleavedBatch_bufferSizeExt", l,
                  &c->of[t].interleaved_size) &&
             load(c, "cusparse%cgtsvInterleavedBatch", l, &c->of[t].interleaved);
    }
    return ok;
}

cusparse *cusparse_open(char *why, size_t cap) {
    static const char *const names[] = {"libcusparse.so.12",
                                        "/usr/local/cuda/lib64/libcusparse.so.12",
                                        "/usr/local/cuda/lib64/libcusparse.so"};
    cusparse *c = calloc(1, sizeof *c);
    if (c == NULL) {
        snprintf(why, cap, "no memory");
        return NULL;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0] && c->library == NULL; i++) {
        c->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    }
    int version = 0;
    if (c->library != NULL && load_all(c) && c->create(&c->handle) == SUCCESS &&
        c->get_version(c->handle, &version) == SUCCESS) {
        snprintf(c->name, sizeof c->name, "cuSPARSE %d.%d.%d", version / 1000, version / 100 % 10,
                 version % 100);
        return c;
    }
    const char *error = dlerror();
    snprintf(why, cap, "%s", error != NULL ? error : "cuSPARSE does not start");
    cusparse_close(c);
    return NULL;
}

void cusparse_close(cusparse *library) {
    if (library != NULL && library->handle != NULL) {
        library->destroy(library->handle);
    }
    if (library != NULL && library->library != NULL) {
        dlclose(library->library);
    }
    free(library);
}

const char *cusparse_name(const cusparse *library) { return library->name; }

bool cusparse_measure(cusparse_job *j) {
    const cusparse *c = j->library;
    const int n = (int)j->n, batch = (int)j->batch;
    size_t *bytes = &j->workspace_bytes;
    switch (j->routine) {
        case CUSPARSE_GTSV2:
            return c->of[j->type].size(c->handle, n, 1, j->a, j->b, j->c, j->x, n, bytes) ==
                   SUCCESS;
        case CUSPARSE_GTSV2_NOPIVOT:
            return c->of[j->type].plain_size(c->handle, n, 1, j->a, j->b, j->c, j->x, n, bytes) ==
                   SUCCESS;
        case CUSPARSE_GTSV2_STRIDED:
            return c->of[j->type].strided_size(c->handle, n, j->a, j->b, j->c, j->x, batch, n,
                                               bytes) == SUCCESS;
        default:
            return c->of[j->type].interleaved_size(c->handle, LU, n, j->a, j->b, j->c, j->x, batch,
                                                   bytes) == SUCCESS;
    }
}

bool cusparse_enqueue(void *self, cuda_stream stream) {
    const cusparse_job *j = self;
    const cusparse *c = j->library;
    const int n = (int)j->n, batch = (int)j->batch;
    if (c->set_stream(c->handle, stream) != SUCCESS) {
        return false;
    }
    switch (j->routine) {
        case CUSPARSE_GTSV2:
            return c->of[j->type].solve(c->handle, n, 1, j->a, j->b, j->c, j->x, n, j->workspace) ==
                   SUCCESS;
        case CUSPARSE_GTSV2_NOPIVOT:
            return c->of[j->type].plain_solve(c->handle, n, 1, j->a, j->b, j->c, j->x, n,
                                              j->workspace) == SUCCESS;
        case CUSPARSE_GTSV2_STRIDED:
            return c->of[j->type].strided(c->handle, n, j->a, j->b, j->c, j->x, batch, n,
                                          j->workspace) == SUCCESS;
        default:
            return c->of[j->type].interleaved(c->handle, LU, n, j->a, j->b, j->c, j->x, batch,
                                              j->workspace) == SUCCESS;
    }
}
