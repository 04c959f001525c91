// library.h: functions of a shared library that is loaded when it is asked for. Internal to
// bigint/group/device.
#ifndef BIGINT_GROUP_DEVICE_LIBRARY_H_
#define BIGINT_GROUP_DEVICE_LIBRARY_H_

#include <stdbool.h>
#include <stddef.h>

// library_function: a name, and where the function's address goes.
typedef struct {
    const char *name;
    void *function;
} library_function;

// library_load loads a file, whose functions other libraries see if `global`, and returns its
// handle; it stays loaded. NULL if it cannot be loaded or lacks a function; `why` says so, and
// names the product, such as "NCCL 2.7".
void *library_load(const char *file, bool global, const char *product,
                   const library_function *functions, unsigned count, char *why, size_t room);

#endif  // BIGINT_GROUP_DEVICE_LIBRARY_H_
