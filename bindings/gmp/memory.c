// memory.c: see memory.h.
#define _GNU_SOURCE  // madvise
#include "bindings/gmp/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

struct memory_block {
    memory_block *next;
    size_t bytes;  // of the mapping, or of the part of the list's room
    bool in_room;
};
enum { HEADER = 64, PAGE = 4096, HUGE_PAGE = 2 << 20, HUGE_FROM = 4 * HUGE_PAGE };

static size_t held, limit = SIZE_MAX;

size_t memory_held(void) { return __atomic_load_n(&held, __ATOMIC_RELAXED); }
void memory_set_limit(size_t bytes) { __atomic_store_n(&limit, bytes, __ATOMIC_RELAXED); }

static size_t round_up(size_t bytes, size_t granule) {
    return (bytes + granule - 1) / granule * granule;
}

// map: `bytes` of fresh memory at a multiple of `alignment`, which is a page at least.
static void *map(size_t bytes, size_t alignment) {
    const size_t more = alignment - PAGE;
    char *const p =
        mmap(NULL, bytes + more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) {
        return NULL;
    }
    char *const begin = (char *)round_up((uintptr_t)p, alignment);
    const size_t before = (size_t)(begin - p);
    if (before > 0) {
        munmap(p, before);
    }
    if (more > before) {
        munmap(begin + bytes, more - before);
    }
    if (alignment == HUGE_PAGE) {  // only advice: failures are harmless
        madvise(begin, bytes, MADV_HUGEPAGE);
    }
    return begin;
}

void *memory_allocate(void *user, size_t bytes) {
    memory_list *const list = user;
    if (bytes > SIZE_MAX / 2) {
        return NULL;
    }
    // Of several pages a mapping costs less: they are made at once.
    const size_t small = round_up(bytes + HEADER, HEADER);
    const bool in_room = small <= list->room_bytes && small <= 3 * PAGE;
    const size_t alignment = in_room ? HEADER : bytes >= HUGE_FROM ? HUGE_PAGE : PAGE;
    const size_t total = round_up(bytes + HEADER, alignment);
    if (total + __atomic_load_n(&held, __ATOMIC_RELAXED) >
        __atomic_load_n(&limit, __ATOMIC_RELAXED)) {
        return NULL;
    }
    memory_block *const block =
        in_room ? (void *)list->room : (memory_block *)map(total, alignment);
    if (block == NULL) {
        return NULL;
    }
    if (in_room) {
        list->room += total;
        list->room_bytes -= total;
    }
    *block = (memory_block){list->blocks, total, in_room};
    list->blocks = block;
    list->bytes += total;
    __atomic_fetch_add(&held, total, __ATOMIC_RELAXED);
    // Workspace is as large as it needs to be, so its pages are made at once: that takes a fifth of
    // the time of making them one by one. A signal's handler that leaves this call by longjmp will
    // mostly come now, when the block can be found already. A failure is harmless.
    madvise(block, total, MADV_POPULATE_WRITE);
    return (char *)block + HEADER;
}

// give_back: of the room only the last block, so that what others had stays unused.
static void give_back(memory_list *list, memory_block *block) {
    const size_t bytes = block->bytes;
    list->bytes -= bytes;
    __atomic_fetch_sub(&held, bytes, __ATOMIC_RELAXED);
    if (!block->in_room) {
        munmap(block, bytes);
    } else if ((unsigned char *)block + bytes == list->room) {
        list->room -= bytes;
        list->room_bytes += bytes;
    }
}

void memory_release(void *user, void *p, size_t bytes) {
    (void)bytes;
    memory_list *const list = user;
    memory_block *const block = (memory_block *)((char *)p - HEADER), **at = &list->blocks;
    while (*at != block) {
        at = &(*at)->next;
    }
    *at = block->next;
    give_back(list, block);
}

void memory_release_all(memory_list *list) {
    while (list->blocks != NULL) {
        memory_block *const block = list->blocks;
        list->blocks = block->next;
        give_back(list, block);
    }
}
