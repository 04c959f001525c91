// child.c: see child.h.
#define _POSIX_C_SOURCE 200809L
#include "tests/support/child.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// A child that takes longer than this many seconds hangs.
enum { HANGS_AFTER = 120 };

int child_passes(const char *file, int line, ct_body body, void *arg) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(HANGS_AFTER);
        const size_t failures = ct_failures_of(body, arg);
        _exit(failures < 100 ? (int)failures : 100);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        ct_fail(file, line, 0, "fork or waitpid failed");
        return 0;
    }
    if (WIFSIGNALED(status)) {
        ct_fail(file, line, 0, "the child ended by signal %d, %s", WTERMSIG(status),
                strsignal(WTERMSIG(status)));
    } else if (WEXITSTATUS(status) != 0) {
        ct_fail(file, line, 0, "%d checks failed in the child", WEXITSTATUS(status));
    }
    return status == 0;
}
