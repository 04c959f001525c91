// settings.h: what the environment asks of the drop-in. Read once, when the library is loaded.
#ifndef BINDINGS_GMP_SETTINGS_H_
#define BINDINGS_GMP_SETTINGS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// settings: all zero means the defaults.
typedef struct {
    bool off;          // LONGMUL_GMP=off: every call goes to GMP
    bool checks;       // LONGMUL_GMP_CHECKS=1: products are checked (bigint_ctx_options)
    bool patch;        // LONGMUL_GMP_PATCH=1: see attach.h
    uint32_t threads;  // LONGMUL_GMP_THREADS=N
    bool on_device;    // LONGMUL_GMP_DEVICE=N: long products on that GPU
    int device;
    size_t memory;           // LONGMUL_GMP_MEMORY=BYTES: most workspace of the process; 0: no limit
    long threshold;          // LONGMUL_GMP_THRESHOLD=N: in place of all measured ones, for tests
    const char *statistics;  // LONGMUL_GMP_STATISTICS=FILE, or - for stderr: a report at exit
} settings;

// settings_read: from the environment, except in a program with more rights than its user, where
// all are the defaults. A value that cannot be is reported on stderr and ignored.
settings settings_read(void);

#endif  // BINDINGS_GMP_SETTINGS_H_
