// guard.h: limbs between two guard pages, so that a read or a write beyond them
// ends the program. Includes nothing of the project.
#ifndef TESTS_SUPPORT_GUARD_H_
#define TESTS_SUPPORT_GUARD_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// guard: {p, n}, aligned to 8 bytes and usually no more.
typedef struct {
    uint64_t *p;
    size_t n;
    void *pages;
    size_t bytes;
} guard;

// guard_open: n limbs that end where a forbidden page begins, or else begin where one ends. Their
// bytes are 0xA5. Stops the program if there is no memory.
guard guard_open(size_t n, bool at_end);
// guard_lock: from now on the limbs can only be read. guard_unlock ends that.
void guard_lock(const guard *g);
void guard_unlock(const guard *g);
// guard_untouched: whether all bytes are still 0xA5.
bool guard_untouched(const guard *g);
void guard_close(guard *g);

#endif  // TESTS_SUPPORT_GUARD_H_
