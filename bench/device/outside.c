// outside.c: see outside.h.
#define _POSIX_C_SOURCE 200809L
#include "bench/device/outside.h"

#include <stddef.h>

#include "bench/symbol.h"

bool outside_open(outside_rival *rival, const char *path, const char **error) {
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        *error = dlerror();
        return false;
    }
    rival->name = dlsym(library, "rival_name");
    *error = "it lacks rival_name or rival_enqueue";
    return rival->name != NULL && bench_symbol(library, "rival_enqueue", &rival->enqueue);
}

bool outside_has(const outside_rival *rival, const char *op, uint64_t bits) {
    return rival->name != NULL && rival->enqueue(op, bits, 0, NULL, NULL, NULL) == 0;
}

bool outside_side(void *self, cuda_stream stream) {
    const outside_batch *const b = self;
    return b->rival->enqueue(b->op, b->bits, b->count, b->r, b->x, stream) == 0;
}
