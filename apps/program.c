// program.c: see program.h.
#include "apps/program.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// By _exit, because this also runs while the program exits.
static _Noreturn void output_lost(int why) {
    warnx("standard output: %s", why != 0 ? strerror(why) : "not everything could be written");
    _exit(EXIT_IO);
}

static void close_output(void) {
    const bool lost = ferror(stdout) != 0;  // by an earlier write, whose errno is gone
    errno = 0;
    // EBADF: the program has closed it already.
    if (fflush(stdout) != 0 || lost || (fclose(stdout) != 0 && errno != EBADF)) {
        output_lost(errno);
    }
}

// The library's calls keep blocks of some KiB on the stack, GMP's up to 64 KiB, and threads get as
// much as the program. The message needs little stack itself, unlike errx with its 8 KiB.
static void check_stack(void) {
    enum { KIB_LEAST = 256 };
    struct rlimit stack;
    if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < KIB_LEAST * 1024) {
        char line[128];
        const int length = snprintf(
            line, sizeof line, "%.40s: a stack of %llu KiB is too little; try ulimit -s %d\n",
            program_invocation_short_name, (unsigned long long)stack.rlim_cur / 1024, KIB_LEAST);
        _exit(write(STDERR_FILENO, line, (size_t)length) == length ? EXIT_MEMORY : EXIT_IO);
    }
}

void program_begin(void) {
    check_stack();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (atexit(close_output) != 0) {
        program_no_memory("the end of the program");
    }
}

void program_prints(void) {
    if (fcntl(STDOUT_FILENO, F_GETFD) < 0) {
        output_lost(errno);
    }
}

void program_flush(void) {
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        output_lost(errno);
    }
}

_Noreturn void program_no_memory(const char *format, ...) {
    va_list arguments;
    flockfile(stderr);  // never unlocked: one thread exits, others wait here for the end
    fprintf(stderr, "%s: no memory: ", program_invocation_short_name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(EXIT_MEMORY);
}

void *program_memory(size_t count, size_t size, const char *what) {
    void *const p = calloc(count, size);
    if (p == NULL) {
        program_no_memory("%zu x %zu bytes for %s", count, size, what);
    }
    return p;
}

void program_thread(pthread_t *thread, void *(*run)(void *), void *arg) {
    const int failed = pthread_create(thread, NULL, run, arg);
    if (failed != 0) {
        program_no_memory("starting a thread: %s", strerror(failed));
    }
}
