// child.h: test bodies that run in a forked child.
#ifndef TESTS_SUPPORT_CHILD_H_
#define TESTS_SUPPORT_CHILD_H_

#include <stddef.h>

#include "tests/ctest/ctest.h"

// child_passes runs body(arg) in a forked child, which then ends without running exit handlers.
// Returns 1 if no check failed there. Otherwise it records a failure at file:line: how many checks
// failed, by which signal the child ended, or that it hung (SIGALRM). Children may have children.
int child_passes(const char *file, int line, ct_body body, void *arg);
#define EXPECT_CHILD(body, arg) ((void)child_passes(__FILE__, __LINE__, (body), (arg)))

#endif  // TESTS_SUPPORT_CHILD_H_
