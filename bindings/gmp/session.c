// session.c: see session.h.
#define _GNU_SOURCE  // MAP_ANONYMOUS, SS_ONSTACK
#include "bindings/gmp/session.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

// The mapping of a session: itself, and room for its context and for little workspace, because a
// system call takes longer than a division of a few limbs.
enum { SESSION_BYTES = 32 << 10, SESSION_HEADER = 256 };
_Static_assert(sizeof(session) <= SESSION_HEADER, "the header fits");

__thread session *session_now __attribute__((tls_model("initial-exec")));

static bigint_device *host;
static bigint_ctx_options options;
static pthread_key_t key;
static uint64_t interrupted;

uint64_t session_interrupted(void) { return __atomic_load_n(&interrupted, __ATOMIC_RELAXED); }

// destroy gives back everything of a session, which may have been left in the middle of a call. Its
// context lives in its memory. Threads cannot be stopped in the middle of a job: then they and the
// memory that they work on stay, and later sessions have no threads.
static void destroy(session *s) {
    if (!s->threads) {
        memory_release_all(&s->memory);
    } else if (!s->busy) {
        bigint_ctx_destroy(s->ctx);
    } else {
        options.threads = 1;
        return;
    }
    munmap(s, SESSION_BYTES);
}

// drop destroys the innermost session.
static void drop(void) {
    session *const s = session_now;
    session_now = s->outer;
    if (s->busy) {
        __atomic_fetch_add(&interrupted, 1, __ATOMIC_RELAXED);
    }
    destroy(s);
}

static void thread_ends(void *unused) {
    (void)unused;
    while (session_now != NULL) {
        drop();
    }
}

bigint_status session_start(uint32_t threads, bool checks) {
    // By name, so that the environment's BIGINT_... have no say.
    bigint_status status = bigint_device_open(&host, BIGINT_HOST, "cpu");
    if (status == BIGINT_OK) {
        options = (bigint_ctx_options){.engine = "auto",
                                       .variant = "auto",
                                       .mode = "exact",
                                       .threads = threads,
                                       .checks = checks};
        status = pthread_key_create(&key, thread_ends) != 0 ? BIGINT_ENOMEM : BIGINT_OK;
    }
    if (status != BIGINT_OK) {
        bigint_device_close(host);
        host = NULL;
    }
    return status;
}

// make: a session inside the busy ones, in use by the call with this frame.
static session *make(volatile uint64_t *frame) {
    session *const outer = session_now;
    const int depth = outer == NULL ? 1 : outer->depth + 1;
    if (host == NULL || depth > SESSION_DEPTH) {
        return NULL;
    }
    session *const s =
        mmap(NULL, SESSION_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (s == MAP_FAILED) {
        return NULL;
    }
    // Numbers of different sessions differ, too.
    *s = (session){.number = (uint64_t)(uintptr_t)s, .depth = depth, .outer = outer};
    s->memory.room = (unsigned char *)s + SESSION_HEADER;
    s->memory.room_bytes = SESSION_BYTES - SESSION_HEADER;
    session_use(s, frame);
    session_now = s;
    bigint_ctx_options o = options;
    o.allocator = (bigint_allocator){memory_allocate, memory_release, &s->memory};
    o.threads = depth == 1 ? o.threads : 1;  // handlers start no threads
    s->threads = o.threads > 1;
    bigint_status status = bigint_ctx_create(&s->ctx, host, &o);
    if (status != BIGINT_OK && s->threads) {
        bigint_ctx_destroy(s->ctx);
        s->threads = false;
        o.threads = 1;
        status = bigint_ctx_create(&s->ctx, host, &o);
    }
    if (status != BIGINT_OK || (depth == 1 && pthread_setspecific(key, s) != 0)) {
        bigint_ctx_destroy(s->ctx);
        session_now = outer;
        munmap(s, SESSION_BYTES);
        return NULL;
    }
    return s;
}

static bool on_alternate_stack(void) {
    stack_t stack;
    return sigaltstack(NULL, &stack) != 0 || (stack.ss_flags & SS_ONSTACK) != 0;
}

// is_dead: whether the call that a busy session was made for was left. See session.h.
static bool is_dead(const session *s, const volatile uint64_t *frame) {
    // The stack grows towards lower addresses.
    if ((uintptr_t)s->frame <= (uintptr_t)frame && !on_alternate_stack()) {
        return true;
    }
    // The stack may be gone altogether.
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    unsigned char resident;
    return mincore((void *)((uintptr_t)s->frame / page * page), 1, &resident) != 0 ||
           *s->frame != s->number;
}

session *session_find(volatile uint64_t *frame) {
    while (session_now != NULL && session_now->busy && is_dead(session_now, frame)) {
        drop();
    }
    session *const s = session_now;
    if (s == NULL || s->busy) {
        return make(frame);
    }
    session_use(s, frame);
    return s;
}

void session_settle(session *s) {
    while (session_now != s) {
        drop();
    }
    if (memory_held() > SESSION_KEEP) {
        bigint_ctx_trim(s->ctx);
    }
}
