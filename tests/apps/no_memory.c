// no_memory.c: preloaded into a program, makes allocations fail. NO_MEMORY=K fails the K-th after
// main has begun, NO_MEMORY=K+ that one and all after it. With NO_MEMORY=0 none fails, and their
// number is written to the file that NO_MEMORY_COUNT names. Allocations before main are left alone:
// CUDA's runtime does not survive a failure there. Knows glibc alone.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);

typedef int main_function(int argc, char **argv, char **environment);

static main_function *program;
static atomic_bool begun;
static atomic_ulong made;
static unsigned long at;  // 0: none fails
static bool onwards;

static bool fails(void) {
    if (!begun) {
        return false;
    }
    const unsigned long number = atomic_fetch_add(&made, 1) + 1;
    if (at == 0 || number < at || (number > at && !onwards)) {
        return false;
    }
    errno = ENOMEM;
    return true;
}

#define EXPORTED __attribute__((visibility("default")))

EXPORTED void *malloc(size_t bytes) { return fails() ? NULL : __libc_malloc(bytes); }

EXPORTED void *calloc(size_t count, size_t size) {
    return fails() ? NULL : __libc_calloc(count, size);
}

EXPORTED void *realloc(void *old, size_t bytes) {
    return fails() ? NULL : __libc_realloc(old, bytes);
}

EXPORTED void *memalign(size_t alignment, size_t bytes) {
    return fails() ? NULL : __libc_memalign(alignment, bytes);
}

EXPORTED void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }

EXPORTED int posix_memalign(void **p, size_t alignment, size_t bytes) {
    void *const got = memalign(alignment, bytes);
    if (got != NULL) {
        *p = got;
    }
    return got != NULL ? 0 : ENOMEM;
}

static int begin(int argc, char **argv, char **environment) {
    const char *const asked = getenv("NO_MEMORY");
    char *end = NULL;
    at = asked == NULL ? 0 : strtoul(asked, &end, 10);
    onwards = at > 0 && *end == '+';
    begun = true;
    return program(argc, argv, environment);
}

// What a program's first instructions call: with `begin` in the place of main.
EXPORTED int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                               void (*fini)(void), void (*rtld_fini)(void), void *stack_end) {
    int (*start)(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void),
                 void *);
    *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
    program = main;
    return start(begin, argc, argv, init, fini, rtld_fini, stack_end);
}

__attribute__((destructor)) static void tell(void) {
    const char *const path = getenv("NO_MEMORY_COUNT");
    const unsigned long count = atomic_load(&made);
    FILE *const f = path == NULL ? NULL : fopen(path, "w");
    if (f != NULL) {
        fprintf(f, "%lu\n", count);
        fclose(f);
    }
}
