// gmp_memory.c: see gmp_memory.h. May include program.h and gmp.h.
#include "apps/gmp_memory.h"

#include <gmp.h>
#include <stdlib.h>

#include "apps/program.h"

static void *checked(void *p, size_t bytes) {
    if (p == NULL) {
        program_no_memory("%zu bytes for GMP", bytes);
    }
    return p;
}

static void *allocate(size_t bytes) { return checked(malloc(bytes), bytes); }

static void *reallocate(void *old, size_t old_bytes, size_t bytes) {
    (void)old_bytes;
    return checked(realloc(old, bytes), bytes);
}

static void release(void *p, size_t bytes) {
    (void)bytes;
    free(p);
}

void gmp_memory_checked(void) { mp_set_memory_functions(allocate, reallocate, release); }
