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

// open_loaded: a library that is loaded, and stays from now on; or NULL.
static void *open_loaded(const char *path) {
    return path[0] == 0 ? NULL : dlopen(path, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

// find_in: a symbol of a library, or of all behind this one for RTLD_NEXT; NULL if it is not there
// or ours.
static void *find_in(void *library, const char *name) {
    void *const found = library == NULL ? NULL : dlsym(library, name);
    return found == NULL || ours(found) ? NULL : found;
}

// gmp_library: all libraries behind this one in the order of search, as for a program that is
// linked with GMP; else the first one that has GMP's functions, which was loaded privately.
static void *gmp_library(void) {
    void *library = RTLD_NEXT;
    for (object o = {0}; find_in(library, mpn_names[MPN_MUL]) == NULL; o.wanted++) {
        o.seen = 0;
        if (dl_iterate_phdr(next_named, &o) == 0) {
            return NULL;
        }
        library = open_loaded(o.path);
    }
    return library;
}

// find_all: whether a library has all functions, or for `any` one of them.
static bool find_all(void *library, bool any, mpn_table *table) {
    void *found[MPN_FUNCTIONS];
    int count = 0;
    for (int i = 0; i < MPN_FUNCTIONS; i++) {
        found[i] = find_in(library, mpn_names[i]);
        count += found[i] != NULL;
    }
    memcpy(table, found, sizeof *table);
    return count >= (any ? 1 : MPN_FUNCTIONS);
}

// Two threads may find them at once; both write the same pointers.
const mpn_table *mpn_original_find(void) {
    static mpn_table table;
    if (find_all(gmp_library(), true, &table)) {
        __atomic_store_n(&mpn_original_found, &table, __ATOMIC_RELEASE);
    }
    return &table;
}

// user: a library whose code calls mpn functions, and the GMP that they are those of.
typedef struct user user;
struct user {
    const user *next;
    uintptr_t begin, bytes;
    mpn_table gmp;
};
// Grows only: a process has one or two for each GMP.
enum { USERS = 32 };
static const user *users;

// find_user: dl_iterate_phdr's callback: the library that an address lies in.
typedef struct {
    uintptr_t address, begin, end;
    char path[4096];
} place;
static int find_user(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    place *const p = data;
    bool inside = false;
    p->begin = UINTPTR_MAX, p->end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *const h = &info->dlpi_phdr[i];
        if (h->p_type == PT_LOAD) {
            const uintptr_t begin = info->dlpi_addr + h->p_vaddr, end = begin + h->p_memsz;
            inside = inside || (p->address >= begin && p->address < end);
            p->begin = begin < p->begin ? begin : p->begin;
            p->end = end > p->end ? end : p->end;
        }
    }
    snprintf(p->path, sizeof p->path, "%s", info->dlpi_name != NULL ? info->dlpi_name : "");
    return inside;
}

// add_user: the functions for a caller's library, remembered; mpn_original's where it has none of
// its own, as a program, whose calls go to the first GMP.
static const mpn_table *add_user(const void *caller) {
    static user room[USERS];
    static unsigned used;
    place p = {.address = (uintptr_t)caller};
    const unsigned mine = dl_iterate_phdr(find_user, &p) == 0
                              ? USERS
                              : __atomic_fetch_add(&used, 1, __ATOMIC_RELAXED);
    if (mine >= USERS) {
        return mpn_original();
    }
    user *const u = &room[mine];
    *u = (user){.begin = p.begin, .bytes = p.end - p.begin};
    if (!find_all(open_loaded(p.path), false, &u->gmp)) {
        u->gmp = *mpn_original();
    }
    u->next = __atomic_load_n(&users, __ATOMIC_ACQUIRE);
    while (!__atomic_compare_exchange_n(&users, &u->next, u, false, __ATOMIC_RELEASE,
                                        __ATOMIC_ACQUIRE)) {
    }
    return &u->gmp;
}

const mpn_table *mpn_original_of(const void *caller) {
    for (const user *u = __atomic_load_n(&users, __ATOMIC_ACQUIRE); u != NULL; u = u->next) {
        if ((uintptr_t)caller - u->begin < u->bytes) {
            return &u->gmp;
        }
    }
    return add_user(caller);
}
