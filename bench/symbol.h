// symbol.h: functions of libraries that are loaded at run time. Includes <dlfcn.h>.
#ifndef BENCH_SYMBOL_H_
#define BENCH_SYMBOL_H_

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

// bench_symbol: sets *function to the library's function of that name, or returns false if it has
// none. POSIX gives functions as void *; copying the bits is the way that C allows.
static inline bool bench_symbol(void *library, const char *name, void *function) {
    void *const symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

#endif  // BENCH_SYMBOL_H_
