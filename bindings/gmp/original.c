// original.c: finds GMP's own functions in the libraries of the process.
#define _GNU_SOURCE  // RTLD_NEXT, dl_iterate_phdr
#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "bindings/gmp/functions.h"

const mpn_table *mpn_original_found;

// The linker's names for the first byte of this library and the one behind it. dladdr would search
// all symbols, twenty times for a process's first call.
extern const char __ehdr_start __attribute__((visibility("hidden")));
extern const char _end __attribute__((visibility("hidden")));

// ours: whether an address lies in this library.
static bool ours(const void *address) {
    return (uintptr_t)address - (uintptr_t)&__ehdr_start <
           (uintptr_t)&_end - (uintptr_t)&__ehdr_start;
}

// next_named: dl_iterate_phdr's callback: copies the name of loaded object number `wanted`. A
// library cannot be opened in the callback itself, which holds the loader's lock.
typedef struct {
    int wanted, seen;
    char path[4096];
} object;
static int next_named(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    object *const o = data;
    if (o->seen++ < o->wanted) {
        return 0;
    }
    snprintf(o->path, sizeof o->path, "%s", info->dlpi_name != NULL ? info->dlpi_name : "");
    return 1;
}

// find_in: a symbol of a library that is loaded, which then stays; NULL if it is not there or ours.
static void *find_in(const char *path, const char *name) {
    void *const library =
        path[0] == 0 ? NULL : dlopen(path, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    void *const found = library == NULL ? NULL : dlsym(library, name);
    return found == NULL || ours(found) ? NULL : found;
}

// find: the next definition after ours in the order of search, as for a library that is preloaded
// or linked; else any, as for a GMP that was loaded privately.
static void *find(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    for (object o = {0}; found == NULL; o.wanted++) {
        o.seen = 0;
        if (dl_iterate_phdr(next_named, &o) == 0) {
            return NULL;
        }
        found = find_in(o.path, name);
    }
    return ours(found) ? NULL : found;
}

// Two threads may find them at once; both write the same pointers.
const mpn_table *mpn_original_find(void) {
    static void *found[MPN_FUNCTIONS];
    static mpn_table table;
    bool any = false;
    for (int i = 0; i < MPN_FUNCTIONS; i++) {
        found[i] = find(mpn_names[i]);
        any = any || found[i] != NULL;
    }
    if (any) {
        memcpy(&table, found, sizeof table);
        __atomic_store_n(&mpn_original_found, &table, __ATOMIC_RELEASE);
    }
    return &table;
}
