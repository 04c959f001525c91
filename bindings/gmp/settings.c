// settings.c: see settings.h.
#define _GNU_SOURCE  // secure_getenv
#include "bindings/gmp/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *environment(const char *name) {
    const char *const value = secure_getenv(name);
    return value == NULL || value[0] == 0 ? NULL : value;
}

static void refuse(const char *name, const char *value, const char *expected) {
    fprintf(stderr, "liblongmul_gmp: %s=%.60s is ignored: it must be %s\n", name, value, expected);
}

// number: of a variable, from least to most; least - 1 if it is not set or refused.
static uint64_t number(const char *name, uint64_t least, uint64_t most) {
    const char *const value = environment(name);
    if (value == NULL) {
        return least - 1;
    }
    char *end;
    errno = 0;
    const unsigned long long n = strtoull(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end != 0 || errno != 0 || n < least || n > most) {
        char expected[80];
        snprintf(expected, sizeof expected, "a number from %llu to %llu", (unsigned long long)least,
                 (unsigned long long)most);
        refuse(name, value, expected);
        return least - 1;
    }
    return n;
}

// choice: whether a variable has the one value that it may have, unless it has the other one.
static bool choice(const char *name, const char *yes, const char *no) {
    const char *const value = environment(name);
    const bool chosen = value != NULL && strcmp(value, yes) == 0;
    if (value != NULL && !chosen && strcmp(value, no) != 0) {
        char expected[60];
        snprintf(expected, sizeof expected, "%s or %s", no, yes);
        refuse(name, value, expected);
    }
    return chosen;
}

settings settings_read(void) {
    const uint64_t device = number("LONGMUL_GMP_DEVICE", 0, INT32_MAX);
    return (settings){
        .off = choice("LONGMUL_GMP", "off", "on"),
        .checks = choice("LONGMUL_GMP_CHECKS", "1", "0"),
        .patch = choice("LONGMUL_GMP_PATCH", "1", "0"),
        .threads = (uint32_t)number("LONGMUL_GMP_THREADS", 1, 1024),
        .on_device = device != UINT64_MAX,
        .device = device == UINT64_MAX ? 0 : (int)device,
        .memory = number("LONGMUL_GMP_MEMORY", 1, SIZE_MAX),
        .threshold = (long)number("LONGMUL_GMP_THRESHOLD", 1, INT32_MAX),
        .statistics = environment("LONGMUL_GMP_STATISTICS"),
    };
}
