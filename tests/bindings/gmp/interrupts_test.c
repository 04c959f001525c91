// interrupts_test.c: signal handlers that leave a call by longjmp, as PARI's do for Ctrl-C, and
// handlers that call GMP themselves. Run with the drop-in preloaded; see preloaded.sh.
#define _GNU_SOURCE  // sigaltstack, setitimer
#include <gmp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "tests/bindings/gmp/plain_gmp.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"

enum { N = 8000, STORM = 600, STACK = 1 << 20 };

static uint64_t a[N], b[N], right[2 * N], r[2 * N], q[N + 1], rest[N];
static sigjmp_buf back;
static volatile sig_atomic_t may_jump, jumps, nested;

static void pose(void) {
    gen g = gen_seed(40);
    gen_limbs(&g, GEN_UNIFORM, a, N);
    gen_limbs(&g, GEN_UNIFORM, b, N);
    plain_gmp()->mul(right, a, N, b, N);
}

static void set_timer(long microseconds) {
    const struct itimerval t = {{0, 0}, {0, microseconds}};
    setitimer(ITIMER_REAL, &t, NULL);
}

static void catch_alarm(void (*handler)(int), int flags) {
    struct sigaction act = {.sa_handler = handler, .sa_flags = flags};
    sigaction(SIGALRM, &act, NULL);
}

static void jump(int signal) {
    (void)signal;
    if (may_jump) {
        may_jump = 0;
        jumps++;
        siglongjmp(back, 1);
    }
}

// held_kib: the memory of this process.
static long held_kib(void) {
    char line[200];
    long kib = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        if (strncmp(line, "VmRSS:", 6) == 0) {
            kib = atol(line + 6);
        }
    }
    if (f != NULL) {
        fclose(f);
    }
    return kib;
}

// work: a call of ours that takes some time: GMP's do not survive a jump out of malloc, as roots
// with the remainder and, with a device, quotients are.
static void work(unsigned round) {
    if (round % 3 == 0 && getenv("LONGMUL_GMP_DEVICE") == NULL) {
        loaded_gmp()->tdiv_qr(q, rest, 0, right, 2 * N, b, N);
    } else if (round % 3 == 1) {
        loaded_gmp()->mul(r, a, N, b, N);
    } else {
        loaded_gmp()->sqrtrem(q, NULL, a, N);
    }
}

// deeper: the same call with `depth` more frames on the stack, so that a frame that was left is
// sometimes above and sometimes below the next one.
static __attribute__((noinline)) void deeper(unsigned depth, unsigned round) {
    volatile char room[300];
    room[0] = (char)depth;
    if (depth > 0) {
        deeper(depth - 1, round);
    } else {
        work(round);
    }
    room[1] = room[0];
}

// Mutations: the busy flag is not looked at (two calls share workspace: wrong limbs); a session
// that was left is never freed (memory grows); one that is alive is.
TEST(Interrupts, JumpsOutOfCalls) {
    const unsigned storm = getenv("LONGMUL_GMP_DEVICE") == NULL ? STORM : STORM / 6;  // emulated
    pose();
    catch_alarm(jump, SA_NODEFER);
    gen g = gen_seed(41);
    long before = 0;
    for (volatile unsigned round = 0; round < storm; round++) {
        if (sigsetjmp(back, 1) == 0) {
            may_jump = 1;
            set_timer(20 + (long)gen_below(&g, 1500));
            for (unsigned i = 0; i < 20 && may_jump; i++) {
                deeper((unsigned)gen_below(&g, 6), round + i);
            }
        }
        may_jump = 0;
        set_timer(0);
        if (round % 50 == 0) {
            memset(r, 0, sizeof r);
            loaded_gmp()->mul(r, a, N, b, N);
            ASSERT_LIMBS_EQ(r, right, 2 * N);
        }
        if (round == storm / 4) {
            before = held_kib();
        }
    }
    printf("%d calls were left, %ld KiB held, %ld a while before\n", (int)jumps, held_kib(),
           before);
    EXPECT_TRUE((unsigned)jumps > storm / 2);
    EXPECT_TRUE(held_kib() < before + (64 << 10));
    memset(r, 0, sizeof r);
    loaded_gmp()->mul(r, a, N, b, N);
    ASSERT_LIMBS_EQ(r, right, 2 * N);
}

static uint64_t inner[2 * N];
static void call_inside(int signal) {
    (void)signal;
    loaded_gmp()->mul(inner, b, N, a, N);
    nested += memcmp(inner, right, sizeof right) == 0 ? 1 : -1000000;
}

static void nest(void) {
    nested = 0;
    gen g = gen_seed(42);
    for (unsigned round = 0; round < 150; round++) {
        memset(r, 0, sizeof r);
        set_timer(20 + (long)gen_below(&g, 1000));
        for (unsigned i = 0; i < 3; i++) {
            loaded_gmp()->mul(r, a, N, b, N);
            ASSERT_LIMBS_EQ(r, right, 2 * N);
            loaded_gmp()->tdiv_qr(q, rest, 0, right, 2 * N, b, N);
            ASSERT_LIMBS_EQ(q, a, N);
        }
    }
    set_timer(0);
    EXPECT_TRUE(nested > 50);
}

// Mutation: a call in a handler uses the context of the call that it interrupted.
TEST(Interrupts, HandlersThatMultiply) {
    pose();
    catch_alarm(call_inside, 0);
    nest();
}

// on_own_stack: a thread with an alternate stack for its handlers.
static void *on_own_stack(void *alternate) {
    const stack_t stack = {.ss_sp = alternate, .ss_size = STACK}, none = {.ss_flags = SS_DISABLE};
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    EXPECT_EQ(sigaltstack(&stack, NULL), 0);
    pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
    nest();
    pthread_sigmask(SIG_BLOCK, &alarms, NULL);
    sigaltstack(&none, NULL);
    return NULL;
}

// Mutation: on a stack that lies above the interrupted one, the handler's call takes the
// interrupted session for dead.
TEST(Interrupts, HandlersOnTheirOwnStack) {
    pose();
    char *const stacks = aligned_alloc(STACK, 2 * STACK);  // the thread's, and above it the other
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarms, NULL);
    catch_alarm(call_inside, SA_ONSTACK);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    ASSERT_EQ(pthread_attr_setstack(&attributes, stacks, STACK), 0);
    pthread_t thread;
    ASSERT_EQ(pthread_create(&thread, &attributes, on_own_stack, stacks + STACK), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    catch_alarm(SIG_DFL, 0);
    pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
    free(stacks);
}
