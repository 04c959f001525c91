// fibre_switch.cc: see fibre_switch.h.
#include "primitives/emulation/fibre_switch.h"

#include <sys/mman.h>

#include <vector>

#if defined(__x86_64__)
asm(R"(
    .text
    .globl longmul_fibre_switch
    .hidden longmul_fibre_switch
    .type longmul_fibre_switch, @function
longmul_fibre_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size longmul_fibre_switch, . - longmul_fibre_switch
)");
#endif

namespace emulation {

namespace {

// Stacks that no fibre uses, kept from launch to launch: mapping thousands takes longer than most
// kernels.
struct StackPool {
    std::vector<char *> stacks;
    ~StackPool() {
        for (char *stack : stacks) {
            munmap(stack, kStackBytes);
        }
    }
};
thread_local StackPool pool;

}  // namespace

char *NewStack() {
    if (!pool.stacks.empty()) {
        char *stack = pool.stacks.back();
        pool.stacks.pop_back();
        return stack;
    }
    void *stack = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return stack == MAP_FAILED ? nullptr : (char *)stack;
}

void KeepStack(char *stack) {
#if defined(EMULATION_ASAN)
    ASAN_UNPOISON_MEMORY_REGION(stack, kStackBytes);
#endif
    pool.stacks.push_back(stack);
}

}  // namespace emulation
