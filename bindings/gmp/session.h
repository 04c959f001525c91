// session.h: a context for the call that is under way on this thread.
//
// Each thread keeps one, made by its first long call and freed when the thread ends. Two things
// make that more than a variable. A signal handler may call GMP while a call is under way: it gets
// a session of its own, inside the other one. And a handler may leave a call by longjmp, as PARI
// does for Ctrl-C: the session stays busy for ever, and the next call has to find out.
//
//   - Every call writes a new number into its own stack frame. If the frame of a busy session does
//     not hold its number any more, the session is dead: something else has used the stack since.
//   - If the frame is not above the new call's, the session is dead as well, because the stack has
//     been unwound past it.
//   - Otherwise it may be alive. The new call gets another session, up to SESSION_DEPTH; beyond
//     that it gets none, and has to do without a context.
//   - When a call ends, sessions inside its own are dead.
//
// The memory of dead sessions goes back to the system. On the alternate stack of signals addresses
// of frames say nothing, and only their numbers count. Threads of a program's own that are switched
// by signals in the middle of a call are not supported.
#ifndef BINDINGS_GMP_SESSION_H_
#define BINDINGS_GMP_SESSION_H_

#include <stdbool.h>
#include <stdint.h>

#include "bigint/bigint.h"
#include "bindings/gmp/memory.h"

enum { SESSION_DEPTH = 8 };

typedef struct session session;
struct session {
    bigint_ctx *ctx;
    volatile uint64_t *frame;  // the number of the call under way, in its stack frame
    uint64_t number;           // what it should be
    volatile bool busy;        // a call is under way, or was left
    bool threads;              // its context has threads of its own
    int depth;
    session *outer;  // busy when this one was made
    memory_list memory;
};

// The innermost session of this thread, or NULL. Initial-exec: no call, and no allocation in a
// signal handler.
extern __thread session *session_now __attribute__((tls_model("initial-exec")));

// session_start: how contexts are made from now on. Errors: BIGINT_ENOMEM and what
// bigint_ctx_create says; there are no sessions then.
bigint_status session_start(uint32_t threads, bool checks);
// session_find: session_enter where no idle session is at hand.
session *session_find(volatile uint64_t *frame);
// session_settle: session_leave where sessions inside s are left, or too much workspace is kept.
void session_settle(session *s);

// session_use makes a session busy with the call that has this word in its frame.
static inline void session_use(session *s, volatile uint64_t *frame) {
    s->busy = true;
    s->frame = frame;
    s->number += UINT64_C(0x9E3779B97F4A7C15);  // odd: no number comes again soon
    *frame = s->number;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// session_enter: a session for a call, or NULL if there is no memory for one. frame: a local
// variable of the caller, which must not return before session_leave.
static inline session *session_enter(volatile uint64_t *frame) {
    session *const s = session_now;
    if (__builtin_expect(s == NULL || s->busy, 0)) {
        return session_find(frame);
    }
    session_use(s, frame);
    return s;
}

// Workspace that all threads together may keep for their next calls. Above that a thread gives its
// own back at the end of a call.
enum { SESSION_KEEP = 256 << 20 };

// session_leave ends the call that session_enter returned s for.
static inline void session_leave(session *s) {
    if (__builtin_expect(s != session_now || memory_held() > SESSION_KEEP, 0)) {
        session_settle(s);
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    s->busy = false;
}

// session_interrupted: how many sessions were found dead so far, in the whole process.
uint64_t session_interrupted(void);

#endif  // BINDINGS_GMP_SESSION_H_
