// guard.c: see guard.h.
#define _GNU_SOURCE  // MAP_ANONYMOUS
#include "tests/support/guard.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, FILL = 0xA5 };

// inside: the bytes between the two pages.
static size_t inside(const guard *g) { return g->bytes - 2 * PAGE; }

static void protect(const guard *g, int protection) {
    if (mprotect((char *)g->pages + PAGE, inside(g), protection) != 0) {
        abort();
    }
}

guard guard_open(size_t n, bool at_end) {
    const size_t bytes = n * sizeof(uint64_t), pages = (bytes / PAGE + 1) * PAGE;
    guard g = {.n = n, .bytes = pages + 2 * PAGE};
    g.pages = mmap(NULL, g.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (g.pages == MAP_FAILED) {
        abort();
    }
    protect(&g, PROT_READ | PROT_WRITE);
    g.p = (uint64_t *)((char *)g.pages + PAGE + (at_end ? pages - bytes : 0));
    memset(g.p, FILL, bytes);
    return g;
}

void guard_lock(const guard *g) { protect(g, PROT_READ); }

void guard_unlock(const guard *g) { protect(g, PROT_READ | PROT_WRITE); }

bool guard_untouched(const guard *g) {
    const unsigned char *const p = (const unsigned char *)g->p;
    for (size_t i = 0; i < g->n * sizeof *g->p; i++) {
        if (p[i] != FILL) {
            return false;
        }
    }
    return true;
}

void guard_close(guard *g) {
    munmap(g->pages, g->bytes);
    *g = (guard){0};
}
