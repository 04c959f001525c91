// library.c: see library.h.
#include "bigint/group/device/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

// symbol sets *function to the library's function of that name. POSIX gives functions as void *;
// copying the bits is the way that C allows.
static bool symbol(void *library, const char *name, void *function) {
    void *const found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

void *library_load(const char *file, bool global, const char *product,
                   const library_function *functions, unsigned count, char *why, size_t room) {
    void *const library = dlopen(file, RTLD_NOW | (global ? RTLD_GLOBAL : RTLD_LOCAL));
    if (library == NULL) {
        const char *const cause = dlerror();
        snprintf(why, room, "%s cannot be loaded: %s", product, cause == NULL ? file : cause);
        return NULL;
    }
    for (unsigned i = 0; i < count; i++) {
        if (!symbol(library, functions[i].name, functions[i].function)) {
            snprintf(why, room, "%s has no %s; %s or later does", file, functions[i].name, product);
            dlclose(library);
            return NULL;
        }
    }
    return library;
}
