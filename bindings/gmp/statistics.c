// statistics.c: see statistics.h.
#define _GNU_SOURCE  // dladdr
#include "bindings/gmp/statistics.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bindings/gmp/attach.h"
#include "bindings/gmp/gpu.h"
#include "bindings/gmp/session.h"

bool statistics_on;
static const char *report_file;
static unsigned long calls[MPN_FUNCTIONS][CALL_KINDS];
static const char *const kind_names[CALL_KINDS] = {"ours", "passed", "slow", "wrong"};

void statistics_add(mpn_function function, call_kind kind) {
    __atomic_fetch_add(&calls[function][kind], 1, __ATOMIC_RELAXED);
}

void statistics_start(const char *file) {
    report_file = file;
    statistics_on = true;
}

// text: a line that is cut where it is full.
typedef struct {
    char line[4096];
    size_t used;
} text;

static void append(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(text *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const size_t room = sizeof t->line - t->used;
    const int n = vsnprintf(t->line + t->used, room, format, args);
    va_end(args);
    t->used += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1;
}

// append_gmp: which GMP was found, its version, and whether its own calls reach this library.
static void append_gmp(text *t) {
    const mpn_table *const original = mpn_original();
    Dl_info where;
    if (original->tdiv_qr == NULL || dladdr((void *)original->tdiv_qr, &where) == 0) {
        append(t, " gmp none");
        return;
    }
    void *const library = dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    const char *const *const version = library == NULL ? NULL : dlsym(library, "__gmp_version");
    append(t, " gmp %s version %s calls %s", where.dli_fname,
           version == NULL ? "unknown" : *version,
           attach_reaches(where.dli_fbase) ? "reach us" : "stay inside");
    if (library != NULL) {
        dlclose(library);
    }
}

static void write_all(int file, const char *p, size_t n) {
    while (n > 0) {
        const ssize_t written = write(file, p, n);
        if (written <= 0) {
            return;
        }
        p += written;
        n -= (size_t)written;
    }
}

__attribute__((destructor)) static void report(void) {
    if (!statistics_on) {
        return;
    }
    text t = {.used = 0};
    char program[1024];
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n < 0 ? 0 : n] = 0;
    append(&t, "liblongmul_gmp: pid %ld program %s", (long)getpid(), program);
    append_gmp(&t);
    append(&t, " interrupted %lu device %lu", (unsigned long)session_interrupted(),
           (unsigned long)gpu_products());
    for (int f = 0; f < MPN_FUNCTIONS; f++) {
        append(&t, "; %s", strstr(mpn_names[f], "mpn_"));
        for (int k = 0; k < CALL_KINDS; k++) {
            append(&t, " %s %lu", kind_names[k], __atomic_load_n(&calls[f][k], __ATOMIC_RELAXED));
        }
    }
    t.line[t.used < sizeof t.line - 1 ? t.used++ : t.used - 1] = '\n';
    const bool to_stderr = strcmp(report_file, "-") == 0;
    const int file = to_stderr ? STDERR_FILENO
                               : open(report_file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    write_all(file, t.line, t.used);
    if (!to_stderr && file >= 0) {
        close(file);
    }
}
