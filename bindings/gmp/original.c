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
    *u = (user){.begin = p.begin, .bytes = p.end - p.begin, .gmp = *mpn_original()};
    void *found[MPN_FUNCTIONS];
    bool all = true;
    for (int i = 0; i < MPN_FUNCTIONS; i++) {
        found[i] = find_in(p.path, mpn_names[i]);
        all = all && found[i] != NULL;
    }
    if (all) {
        memcpy(&u->gmp, found, sizeof u->gmp);
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
