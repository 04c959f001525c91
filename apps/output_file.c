// output_file.c: temporary file, fsync, rename; removal on exit and on signals. Includes nothing of
// ours but its header.
#include "apps/output_file.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    int fd, exit_code;
    char *path;                // where the result goes; NULL: fd is written directly
    char *volatile temporary;  // exists while not NULL
    const char *name;          // for messages
} output;

static const int kEndingSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { ENDING_SIGNALS = sizeof kEndingSignals / sizeof kEndingSignals[0] };

static void remove_temporary(void) {
    if (output.temporary != NULL) {
        unlink(output.temporary);
    }
}

static void end_by_signal(int number) {
    remove_temporary();
    raise(number);  // SA_RESETHAND: this time it ends the program
}

static void handle_signals(void) {
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    struct sigaction action = {.sa_handler = end_by_signal, .sa_flags = (int)SA_RESETHAND};
    for (int i = 0; i < ENDING_SIGNALS; i++) {
        struct sigaction old;
        sigaction(kEndingSignals[i], NULL, &old);
        if (old.sa_handler != SIG_IGN) {  // nohup stays in force
            sigaction(kEndingSignals[i], &action, NULL);
        }
    }
}

// Creates the temporary file; with the ending signals blocked, so that none arrives before its name
// is stored.
static int create_temporary(char *temporary) {
    sigset_t ending, before;
    sigemptyset(&ending);
    for (int i = 0; i < ENDING_SIGNALS; i++) {
        sigaddset(&ending, kEndingSignals[i]);
    }
    sigprocmask(SIG_BLOCK, &ending, &before);
    const int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const int open_errno = errno;
    output.temporary = fd >= 0 ? temporary : NULL;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = open_errno;
    return fd;
}

static void open_regular(const char *path, const struct stat *old) {
    output.path = old != NULL ? realpath(path, NULL) : strdup(path);  // through symbolic links
    char *temporary;
    if (output.path == NULL ||
        asprintf(&temporary, "%s.%ld.tmp", output.path, (long)getpid()) < 0) {
        err(output.exit_code, "%s", path);
    }
    atexit(remove_temporary);
    output.fd = create_temporary(temporary);
    if (output.fd < 0 || (old != NULL && fchmod(output.fd, old->st_mode & 0777) != 0)) {
        err(output.exit_code, "%s", path);
    }
}

void output_open(const char *path, int exit_code) {
    handle_signals();
    output.exit_code = exit_code;
    if (path == NULL || strcmp(path, "-") == 0) {
        output.fd = STDOUT_FILENO;
        output.name = "standard output";
        return;
    }
    output.name = path;
    struct stat info;
    const int known = stat(path, &info);
    if (known != 0 && errno != ENOENT) {
        err(exit_code, "%s", path);
    }
    if (known != 0 || S_ISREG(info.st_mode)) {
        open_regular(path, known == 0 ? &info : NULL);
    } else {
        output.fd = open(path, O_WRONLY | O_CLOEXEC);
        if (output.fd < 0) {
            err(exit_code, "%s", path);
        }
    }
}

void output_write(const char *data, size_t length) {
    while (length > 0) {
        const ssize_t done = write(output.fd, data, length);
        if (done < 0 && errno != EINTR) {
            err(output.exit_code, "%s", output.name);
        }
        data += done > 0 ? done : 0;
        length -= done > 0 ? (size_t)done : 0;
    }
}

void output_finish(void) {
    if (output.path != NULL && fsync(output.fd) != 0) {
        err(output.exit_code, "%s", output.name);
    }
    if (close(output.fd) != 0) {
        err(output.exit_code, "%s", output.name);
    }
    if (output.path == NULL) {
        return;
    }
    if (rename(output.temporary, output.path) != 0) {
        err(output.exit_code, "%s", output.name);
    }
    char *renamed = output.temporary;
    output.temporary = NULL;  // before it is freed: the signal handler reads it
    free(renamed);
    free(output.path);
}
