// spin_test.c: a wait for a word that is never published ends with an error, in debug builds. A
// program of its own, because on a device nothing works after that.
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/ctest/ctest.h"
#include "tests/primitives/cuda/spin_kernels.h"
#include "tests/support/device.h"

// Under emulation the kernel ends the process: a child's. Returns whether it was aborted and said
// nothing: the emulation's own watch over kernels that are stuck would have spoken.
static bool child_gives_up(uint64_t *out, void *workspace) {
    int ends[2];
    if (pipe(ends) != 0) {
        return false;
    }
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        spin_run(out, workspace, false);
        _exit(0);
    }
    close(ends[1]);
    char said;
    const bool silent = child > 0 && read(ends[0], &said, 1) == 0;
    close(ends[0]);
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
           WTERMSIG(status) == SIGABRT && silent;
}

// Catches a bound that is not there, and one that ends waits that go well.
TEST(Spin, GivesUp) {
    if (!device_ready()) {
        SKIP("no device");
    }
    uint64_t told = 0, *out = device_alloc(sizeof told);
    void *workspace = device_alloc(spin_bytes());
    ASSERT_TRUE(out != NULL && workspace != NULL && device_fill(workspace, 0, spin_bytes()));
    ASSERT_TRUE(spin_run(out, workspace, true) && device_download(&told, out, sizeof told));
    EXPECT_EQ(told, 7);
    ASSERT_TRUE(device_fill(workspace, 0, spin_bytes()));
    if (device_emulated()) {
        EXPECT_TRUE(child_gives_up(out, workspace));
    } else {
        EXPECT_FALSE(spin_run(out, workspace, false) && device_download(&told, out, sizeof told));
    }
    device_free(out);
    device_free(workspace);
}
