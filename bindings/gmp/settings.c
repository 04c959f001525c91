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

// number: of a variable, from 1 to most; 0 if it is not set or refused.
static uint64_t number(const char *name, uint64_t most) {
    const char *const value = environment(name);
    if (value == NULL) {
        return 0;
    }
    char *end;
    errno = 0;
    const unsigned long long n = strtoull(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end != 0 || errno != 0 || n < 1 || n > most) {
        char expected[60];
        snprintf(expected, sizeof expected, "a number from 1 to %llu", (unsigned long long)most);
        refuse(name, value, expected);
        return 0;
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
    return (settings){
        .off = choice("LONGMUL_GMP", "off", "on"),
        .checks = choice("LONGMUL_GMP_CHECKS", "1", "0"),
        .patch = choice("LONGMUL_GMP_PATCH", "1", "0"),
        .threads = (uint32_t)number("LONGMUL_GMP_THREADS", 1024),
        .memory = number("LONGMUL_GMP_MEMORY", SIZE_MAX),
        .threshold = (long)number("LONGMUL_GMP_THRESHOLD", INT32_MAX),
        .statistics = environment("LONGMUL_GMP_STATISTICS"),
    };
}
