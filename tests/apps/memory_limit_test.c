// memory_limit_test.c: the memory limits of control groups, from files laid out as the system does,
// and of this process.
#include "apps/memory_limit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "tests/ctest/ctest.h"

// write_file: path is below the folder of this test; the folders in it are made.
static void write_file(const char *path, const char *text) {
    char all[512];
    const int begin = snprintf(all, sizeof all, "%s/", getenv("TEST_TMPDIR"));
    snprintf(all + begin, sizeof all - (size_t)begin, "%s", path);
    for (char *slash = all + begin; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
        *slash = '\0';
        EXPECT_TRUE(mkdir(all, 0777) == 0 || errno == EEXIST);
    }
    FILE *f = fopen(all, "w");
    ASSERT_TRUE(f != NULL);
    EXPECT_TRUE(fputs(text, f) >= 0 && fclose(f) == 0);
}

// limit_of: the limit where `membership` is the text of /proc/self/cgroup.
static uint64_t limit_of(const char *membership) {
    char file[512], mount[512];
    snprintf(file, sizeof file, "%s/membership", getenv("TEST_TMPDIR"));
    snprintf(mount, sizeof mount, "%s/mount", getenv("TEST_TMPDIR"));
    write_file("membership", membership);
    return memory_limit_of_cgroups(file, mount);
}

// Mutations: the group alone counts, or the root alone; "max" is 0; a group that cannot be seen
// ends the walk; the longest file counts; version 1 is looked for in the folder of version 2.
TEST(MemoryLimit, OfGroups) {
    EXPECT_EQ(limit_of("0::/\n"), UINT64_MAX);
    write_file("mount/a/memory.max", "3000\n");
    write_file("mount/a/b/memory.max", "max\n");
    write_file("mount/a/b/c/memory.max", "2000\n");
    write_file("mount/small/memory.max", "4096\n");
    EXPECT_EQ(limit_of("0::/a/b/c\n"), UINT64_C(2000));
    EXPECT_EQ(limit_of("0::/a/b\n"), UINT64_C(3000));
    EXPECT_EQ(limit_of("0::/a/unseen/group\n"), UINT64_C(3000));
    EXPECT_EQ(limit_of("0::/\n"), UINT64_MAX);
    EXPECT_EQ(limit_of("0::/small"), UINT64_C(4096));
    write_file("mount/memory.max", "1000\n");  // as in a container
    EXPECT_EQ(limit_of("0::/\n"), UINT64_C(1000));
    EXPECT_EQ(limit_of("0::/../elsewhere\n"), UINT64_C(1000));
    EXPECT_EQ(limit_of("0::/a/b/c\n"), UINT64_C(1000));
    write_file("mount/memory.max", "max\n");
    write_file("mount/memory/x/memory.limit_in_bytes", "500\n");
    write_file("mount/memory/memory.limit_in_bytes", "9223372036854771712\n");
    EXPECT_EQ(limit_of("9:memory:/x/y\n3:cpu,cpuacct:/small\n0::/a\n"), UINT64_C(500));
    EXPECT_EQ(limit_of("9:memory:/z\n0::/a\n"), UINT64_C(3000));
    EXPECT_EQ(limit_of("3:cpu,cpuacct:/x\n"), UINT64_MAX);
    EXPECT_EQ(limit_of("nonsense\n:\n::\n\n"), UINT64_MAX);
    EXPECT_EQ(memory_limit_of_cgroups("/nowhere/cgroup", "/nowhere"), UINT64_MAX);
}

// Mutation: a limit that nobody asks for.
TEST(MemoryLimit, OfProcess) {
    const uint64_t before = memory_limit();
    EXPECT_TRUE(before > 0 && before < UINT64_MAX);
    const struct rlimit limit = {before / 2, RLIM_INFINITY};
    if (setrlimit(RLIMIT_DATA, &limit) == 0) {
        EXPECT_EQ(memory_limit(), before / 2);
    }
}
