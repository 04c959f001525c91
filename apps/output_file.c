// output_file.c: temporary file, fsync, rename; removal on exit, on signals and, after a run that
// could do neither, by the next one. Includes nothing of ours but its header.
//
// A run holds a lock on its temporary file until the file has its final name. So one whose lock is
// free has no owner, on this machine or another one that shares the folder. Process numbers alone
// say less: they are used again, and mean nothing on other machines or in other containers. Yet a
// number that is in use here keeps its file, in case the file system has no locks.
#include "apps/output_file.h"

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    int fd, exit_code;
    char *path;                // where the result goes; NULL: fd is written directly
    char *volatile temporary;  // exists while not NULL
    const char *name;          // for messages
} output;

// What follows FILE in the name of its temporary file, around the number of the process.
#define BEFORE_PROCESS ".bigmul-"
#define AFTER_PROCESS ".tmp"

static const int kEndingSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};
enum { ENDING_SIGNALS = sizeof kEndingSignals / sizeof kEndingSignals[0] };

// --- Signals -------------------------------------------------------------------------------------

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
    struct sigaction action = {.sa_handler = end_by_signal, .sa_flags = (int)SA_RESETHAND};
    for (int i = 0; i < ENDING_SIGNALS; i++) {
        struct sigaction old;
        sigaction(kEndingSignals[i], NULL, &old);
        if (old.sa_handler != SIG_IGN) {  // nohup stays in force
            sigaction(kEndingSignals[i], &action, NULL);
        }
    }
}

// --- Temporary files -----------------------------------------------------------------------------

// Whether `name` is that of a temporary file for base, of a process that is not running here.
static bool is_leftover(const char *name, const char *base) {
    const size_t length = strlen(base);
    if (strncmp(name, base, length) != 0 ||
        strncmp(name + length, BEFORE_PROCESS, strlen(BEFORE_PROCESS)) != 0) {
        return false;
    }
    const char *const digits = name + length + strlen(BEFORE_PROCESS);
    char *end;
    const long process = strtol(digits, &end, 10);
    return digits[0] >= '1' && digits[0] <= '9' && strcmp(end, AFTER_PROCESS) == 0 &&
           process <= INT_MAX &&
           (process == getpid() || (kill((pid_t)process, 0) != 0 && errno == ESRCH));
}

// Removes a file of this user's, no link, that no process holds a lock on.
static void remove_unowned(int folder, const char *name) {
    const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat info;
    if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
        flock(fd, LOCK_SH | LOCK_NB) == 0) {
        unlinkat(folder, name, 0);
    }
    if (fd >= 0) {
        close(fd);
    }
}

// Removes what ended runs left behind beside path. What cannot be seen or removed stays.
static void remove_leftovers(char *path) {
    char *const slash = strrchr(path, '/');
    const char *const base = slash == NULL ? path : slash + 1;
    DIR *folder;
    if (slash == NULL) {
        folder = opendir(".");
    } else {
        *slash = '\0';
        folder = opendir(slash == path ? "/" : path);
        *slash = '/';
    }
    if (folder == NULL) {
        return;
    }
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (is_leftover(entry->d_name, base)) {
            remove_unowned(dirfd(folder), entry->d_name);
        }
    }
    closedir(folder);
}

// Creates a file and takes its lock, if the file system has locks. Again if a run on another
// machine took the file for a leftover in between.
static int create_locked(const char *path) {
    for (;;) {
        const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        struct stat info;
        if (fd < 0 || flock(fd, LOCK_EX) != 0 || fstat(fd, &info) != 0 || info.st_nlink > 0) {
            return fd;
        }
        close(fd);
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
    const int fd = create_locked(temporary);
    const int open_errno = errno;
    output.temporary = fd >= 0 ? temporary : NULL;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = open_errno;
    return fd;
}

static void open_regular(const char *path, const struct stat *old) {
    output.path = old != NULL ? realpath(path, NULL) : strdup(path);  // through symbolic links
    char *temporary;
    if (output.path == NULL || asprintf(&temporary, "%s" BEFORE_PROCESS "%ld" AFTER_PROCESS,
                                        output.path, (long)getpid()) < 0) {
        err(output.exit_code, "%s", path);
    }
    remove_leftovers(output.path);
    atexit(remove_temporary);
    output.fd = create_temporary(temporary);
    if (output.fd < 0 || (old != NULL && fchmod(output.fd, old->st_mode & 0777) != 0)) {
        err(output.exit_code, "%s", path);
    }
}

// --- The output ----------------------------------------------------------------------------------

// Whether there is a file at path, or what a link there leads to. The link itself must not be
// replaced, so one that leads nowhere is an error.
static bool find(const char *path, struct stat *info) {
    if (stat(path, info) == 0) {
        return true;
    }
    if (errno != ENOENT) {
        err(output.exit_code, "%s", path);
    }
    if (lstat(path, info) == 0) {
        errx(output.exit_code, "%s: a symbolic link that leads nowhere", path);
    }
    return false;
}

// Standard output under another name, such as /dev/stdout, may be a file that holds more than the
// result.
static bool is_stdout(const struct stat *info) {
    struct stat standard;
    return fstat(STDOUT_FILENO, &standard) == 0 && standard.st_dev == info->st_dev &&
           standard.st_ino == info->st_ino;
}

// Descriptors 0 to 2 that are closed become ones that only fail, so that no file gets their numbers
// and with them what is meant for standard error.
static void hold_standard_files(void) {
    for (int fd = 0; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0) {
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // the lowest number: fd
        }
    }
}

void output_open(const char *path, int exit_code) {
    hold_standard_files();
    handle_signals();
    output.exit_code = exit_code;
    if (path == NULL || strcmp(path, "-") == 0) {
        output.fd = STDOUT_FILENO;
        output.name = "standard output";
        return;
    }
    output.name = path;
    struct stat info;
    const bool exists = find(path, &info);
    if (exists && is_stdout(&info)) {
        output.fd = STDOUT_FILENO;
    } else if (!exists || S_ISREG(info.st_mode)) {
        open_regular(path, exists ? &info : NULL);
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
    if (output.path != NULL &&
        (fsync(output.fd) != 0 || rename(output.temporary, output.path) != 0)) {
        err(output.exit_code, "%s", output.name);
    }
    char *renamed = output.temporary;
    output.temporary = NULL;  // before it is freed: the signal handler reads it
    free(renamed);
    free(output.path);
    // Gives up the lock. After fsync it cannot fail.
    if (close(output.fd) != 0) {
        err(output.exit_code, "%s", output.name);
    }
}
