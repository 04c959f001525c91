// kernel_trace.c: see kernel_trace.h. Defines the functions that gcc calls for -fsanitize=thread
// and -fsanitize-coverage=trace-pc; neither's own runtime is linked.
#include "tests/primitives/cuda/kernel_trace.h"

#include <stddef.h>

enum { MEMORIES = 64 };

// memory: addresses that count, from its beginning on. Newer ones come before older ones, whose
// place they may have taken.
typedef struct {
    uint64_t begin, bytes, name;
} memory;

static kernel_trace now;
static memory memories[MEMORIES];
static unsigned known;  // of them, modulo MEMORIES the place of the next
static uint64_t shared_bytes;

static uint64_t address(const void *p) { return (uint64_t)(uintptr_t)p; }

static void mix(uint64_t v) { now.hash = (now.hash ^ v) * UINT64_C(0x9e3779b97f4a7c15) + 1; }

static void know(const void *p, uint64_t bytes, uint64_t name) {
    memories[known++ % MEMORIES] = (memory){address(p), bytes, name};
}

// access_at: elsewhere, on stacks and in what the emulation keeps, addresses do not count.
static void access_at(const void *p, uint64_t kind) {
    now.accesses++;
    mix(kind);
    for (unsigned k = known; k > 0 && k + MEMORIES > known; k--) {
        const memory *const m = &memories[(k - 1) % MEMORIES];
        if (address(p) - m->begin < m->bytes) {
            mix(m->name), mix(address(p) - m->begin);
            return;
        }
    }
}

void kernel_trace_begin(uint64_t bytes) {
    now = (kernel_trace){0};
    known = 0;
    shared_bytes = bytes;
}
kernel_trace kernel_trace_end(void) { return now; }

void kernel_trace_memory(const void *p, uint64_t bytes) { know(p, bytes, 1 + known); }

void *kernel_trace_shared(void *p) {
    const memory *const last = &memories[(known + MEMORIES - 1) % MEMORIES];
    if (known == 0 || last->begin != address(p)) {
        know(p, shared_bytes, 0);
    }
    return p;
}

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
    now.blocks++;
    mix(address(__builtin_return_address(0)));
}

#define ACCESS(name, kind)    \
    void name(const void *p); \
    void name(const void *p) { access_at(p, kind); }
ACCESS(__tsan_read1, 1)
ACCESS(__tsan_read2, 2)
ACCESS(__tsan_read4, 4)
ACCESS(__tsan_read8, 8)
ACCESS(__tsan_read16, 16)
ACCESS(__tsan_unaligned_read4, 4)
ACCESS(__tsan_unaligned_read8, 8)
ACCESS(__tsan_unaligned_read16, 16)
ACCESS(__tsan_write1, 101)
ACCESS(__tsan_write2, 102)
ACCESS(__tsan_write4, 104)
ACCESS(__tsan_write8, 108)
ACCESS(__tsan_write16, 116)
ACCESS(__tsan_unaligned_write4, 104)
ACCESS(__tsan_unaligned_write8, 108)
ACCESS(__tsan_unaligned_write16, 116)

void __tsan_read_range(const void *p, size_t n);
void __tsan_read_range(const void *p, size_t n) { access_at(p, 1000 + n); }
void __tsan_write_range(const void *p, size_t n);
void __tsan_write_range(const void *p, size_t n) { access_at(p, 100000 + n); }
void __tsan_init(void);
void __tsan_init(void) {}
void __tsan_func_entry(const void *caller);
void __tsan_func_entry(const void *caller) { (void)caller; }
void __tsan_func_exit(void);
void __tsan_func_exit(void) {}
