// fibre_switch.h: stacks of fibres; moves the processor from one to another, and tells
// AddressSanitizer.
// Fifteen instructions on x86-64; elsewhere ucontext, which enters the kernel at every switch.
#ifndef PRIMITIVES_EMULATION_FIBRE_SWITCH_H_
#define PRIMITIVES_EMULATION_FIBRE_SWITCH_H_

#include <cstddef>
#include <cstdint>

#include "primitives/emulation/fibre.h"

#if !defined(__x86_64__)
#include <ucontext.h>

#include <cstdlib>
#endif

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define EMULATION_ASAN 1
#endif

namespace emulation {

// Without AddressSanitizer frames are small; with it every local array has its red zones.
#if defined(EMULATION_ASAN)
constexpr size_t kStackBytes = 256 << 10;
#else
constexpr size_t kStackBytes = 32 << 10;
#endif

// NewStack returns a stack of kStackBytes, or nullptr if there is no memory; KeepStack takes it
// back. Stacks are kept from launch to launch.
char *NewStack();
void KeepStack(char *stack);

// Tells the sanitizer that `to`'s stack comes next; last: the present stack will not be used again.
inline void BeforeSwitch(Fibre *from, Fibre *to, bool last) {
#if defined(EMULATION_ASAN)
    __sanitizer_start_switch_fiber(last ? nullptr : &from->fake_stack, to->stack, to->stack_size);
#else
    (void)from, (void)to, (void)last;
#endif
}

// Must be called first after a switch to a stack. from: the fibre that was left; its stack bounds
// are filled in.
inline void AfterSwitch(Fibre *me, Fibre *from) {
#if defined(EMULATION_ASAN)
    const void *bottom;
    size_t size;
    __sanitizer_finish_switch_fiber(me->fake_stack, &bottom, &size);
    if (from != nullptr) {
        from->stack = (char *)bottom;
        from->stack_size = size;
    }
#else
    (void)me, (void)from;
#endif
}

#if defined(__x86_64__)

extern "C" void longmul_fibre_switch(void **save, void *load);

inline void SwitchStacks(Fibre *from, Fibre *to) {
    longmul_fibre_switch(&from->stack_pointer, to->stack_pointer);
}

// Lays out a stack on which the first switch enters `entry` with an aligned stack and no caller.
inline void PrepareStack(Fibre *f, void (*entry)()) {
    void **top = (void **)(f->stack + f->stack_size) - 3;
    *top = nullptr;          // entry's return address: it never returns
    *--top = (void *)entry;  // where the switch returns to
    for (int i = 0; i < 6; i++) {
        *--top = nullptr;  // the registers a callee preserves
    }
    f->stack_pointer = top;
}

inline void ReleaseStack(Fibre *) {}

#else

inline void SwitchStacks(Fibre *from, Fibre *to) {
    swapcontext((ucontext_t *)from->stack_pointer, (ucontext_t *)to->stack_pointer);
}

inline void PrepareStack(Fibre *f, void (*entry)()) {
    if (f->stack_pointer == nullptr) {
        f->stack_pointer = malloc(sizeof(ucontext_t));
    }
    ucontext_t *context = (ucontext_t *)f->stack_pointer;
    getcontext(context);
    context->uc_stack.ss_sp = f->stack;
    context->uc_stack.ss_size = f->stack_size;
    context->uc_link = nullptr;
    makecontext(context, entry, 0);
}

inline void ReleaseStack(Fibre *f) { free(f->stack_pointer); }

#endif

}  // namespace emulation

#endif  // PRIMITIVES_EMULATION_FIBRE_SWITCH_H_
