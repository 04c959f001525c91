// memory.h: workspace straight from the kernel, in a list of its own. A signal handler may leave a
// product by longjmp in the middle: then nothing of the C library's is half changed, and the list
// still gives everything back at once.
#ifndef BINDINGS_GMP_MEMORY_H_
#define BINDINGS_GMP_MEMORY_H_

#include <stddef.h>

typedef struct memory_block memory_block;
typedef struct {
    memory_block *blocks;
    size_t bytes;
    unsigned char *room;  // of the caller's, which small blocks come from first, 64-byte aligned;
    size_t room_bytes;    // it is not given back, and may be empty
} memory_list;

// memory_allocate, memory_release: for a bigint_allocator whose user is a memory_list. Aligned to
// 64 bytes. NULL if the system has none, or if the lists of the process would hold more than
// memory_limit bytes.
void *memory_allocate(void *list, size_t bytes);
void memory_release(void *list, void *p, size_t bytes);
// memory_release_all gives back everything that a list holds.
void memory_release_all(memory_list *list);
// memory_held: the bytes of all lists together.
size_t memory_held(void);
// memory_set_limit: from now on; at first there is none.
void memory_set_limit(size_t bytes);

#endif  // BINDINGS_GMP_MEMORY_H_
