// team.c: the team of team.h. May include the C library and POSIX threads.
//
// A job is announced by raising `generation` under the mutex. Each thread takes task numbers from
// its own share, then from the others' shares until none is left, and then lowers `left` by the
// number of tasks it ran. So a job ends when its tasks have ended, whether or not every worker saw
// it: a worker whose processor runs another program may come late, and then takes tasks of the
// current job, or none. Jobs with the same count have the same shares, so a worker finds in its
// caches what it left there; fetching that from another core costs more than most tasks. A waiting
// thread first spins for some microseconds, because the steps of a transform follow each other
// closely, and then sleeps on a condition variable; a roused worker spins up to a given time.
// Progress: sleeping threads are woken under the mutex that guards the change they wait for, and
// spinning threads hold nothing.
//
// A forked child has a copy of the team but none of its workers, and a worker may have held the
// mutex at the fork. So outside the process that started the team nothing touches the mutex, the
// condition variables or the threads. A handler of pthread_atfork would be global state; getpid
// costs 0.1 us a job. (It does not notice a descendant that got the pid of that process after that
// had ended.)
#define _GNU_SOURCE  // sched_getaffinity
#include "primitives/words/team.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

// SPINS take tens of microseconds, because the copies of a transfer are that far apart. A roused
// worker looks for jobs for a millisecond: for less work it is not worth waking a thread.
enum { SPINS = 4000, ROUSED_NS = 1000000 };
// Shares stay below 2^31, and so below 2^32 with what threads add that find no task.
#define TASKS_MAX ((size_t)1 << 31)

// worker: a thread, and what is left of its share: tasks next .. end - 1, stored as
// end 2^32 + next, so that one operation takes a task and reads its job's end. Threads that find no
// task leave next above end, by one each. A worker has a cache line of its own, which other threads
// touch only when they have no tasks left.
typedef struct {
    alignas(64) atomic_uint_least64_t share;
    pthread_t thread;
    team *owner;
    unsigned index;
} worker;

struct team {
    pthread_mutex_t mutex;
    pthread_cond_t announced, finished;
    unsigned threads;
    pid_t process;              // that the workers run in
    atomic_uint generation;     // written under the mutex
    atomic_size_t left;         // tasks of the job that have not ended
    atomic_llong roused_until;  // nanoseconds; written under the mutex
    bool room;                  // a processor for each thread
    atomic_bool stop;
    team_task task;
    void *arg;
    worker workers[];  // [0] is the caller's
};

static void relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static long long now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
}

// processors: that the process may run on; 0 if unknown.
static unsigned processors(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 0;
}

// alone: whether there are no workers: none were started, or this process is a forked child.
static bool alone(const team *t) { return team_size(t) == 1 || t->process != getpid(); }

static bool roused(team *t) {
    return now_ns() < atomic_load_explicit(&t->roused_until, memory_order_relaxed);
}

// take: a task of w's share; false if none is left. acquire: pairs with the release in share_out,
// so that a thread that took a task may read its job, which stays until the task has ended.
static bool take(worker *w, size_t *task) {
    const uint64_t share = atomic_fetch_add_explicit(&w->share, 1, memory_order_acquire);
    *task = (uint32_t)share;
    return *task < share >> 32;
}

// take_tasks runs what it can take; returns how many that were.
static size_t take_tasks(team *t, unsigned index) {
    size_t taken = 0;
    for (unsigned turn = 0; turn < t->threads; turn++) {
        worker *const w = &t->workers[(index + turn) % t->threads];
        for (size_t i; take(w, &i); taken++) {
            t->task(t->arg, i, index);
        }
    }
    return taken;
}

// ended lowers `left` by tasks that were run; returns whether they were the last. What the tasks
// wrote is visible to the caller that acquires left == 0.
static bool ended(team *t, size_t taken) {
    return atomic_fetch_sub_explicit(&t->left, taken, memory_order_acq_rel) == taken;
}

// share_out divides tasks 0 .. count - 1 among the threads, neighbouring tasks to the same thread.
static void share_out(team *t, size_t count) {
    const size_t each = count / t->threads, more = count % t->threads;
    uint64_t begin = 0;
    for (unsigned i = 0; i < t->threads; i++) {
        const uint64_t end = begin + each + (i < more);
        atomic_store_explicit(&t->workers[i].share, end << 32 | begin, memory_order_release);
        begin = end;
    }
}

// look spins until the job after `seen` is announced, or for as long as spinning pays; returns the
// number of the latest job. The acquire pairs with the release in announce, so a thread that sees a
// job may read it without the mutex, which the announcing thread may still hold.
static unsigned look(team *t, unsigned seen) {
    unsigned now = seen;
    do {
        for (int i = 0; i < SPINS && now == seen; i++) {
            relax();
            now = atomic_load_explicit(&t->generation, memory_order_acquire);
        }
    } while (now == seen && roused(t));
    return now;
}

// await looks for the job after `seen`, and between looks sleeps until it is announced or the team
// is roused; returns its number.
static unsigned await(team *t, unsigned seen) {
    unsigned now;
    while ((now = look(t, seen)) == seen) {
        pthread_mutex_lock(&t->mutex);
        while (atomic_load_explicit(&t->generation, memory_order_relaxed) == seen && !roused(t)) {
            pthread_cond_wait(&t->announced, &t->mutex);
        }
        pthread_mutex_unlock(&t->mutex);
    }
    return now;
}

static void *worker_main(void *arg) {
    const worker *const self = arg;
    team *const t = self->owner;
    for (unsigned seen = 0;;) {
        seen = await(t, seen);
        if (atomic_load_explicit(&t->stop, memory_order_relaxed)) {
            return NULL;
        }
        // The caller may go on once all have ended; a signal that comes after is only needless.
        const size_t taken = take_tasks(t, self->index);
        if (taken > 0 && ended(t, taken)) {
            pthread_mutex_lock(&t->mutex);
            pthread_cond_signal(&t->finished);
            pthread_mutex_unlock(&t->mutex);
        }
    }
}

static void announce(team *t) {
    pthread_mutex_lock(&t->mutex);
    atomic_fetch_add_explicit(&t->generation, 1, memory_order_release);
    pthread_cond_broadcast(&t->announced);
    pthread_mutex_unlock(&t->mutex);
}

size_t team_bytes(unsigned threads) { return sizeof(team) + threads * sizeof(worker); }

team *team_start(void *memory, unsigned threads) {
    team *const t = memory;
    t->threads = 1;
    t->process = getpid();
    atomic_init(&t->stop, false);
    t->room = threads <= processors();
    atomic_init(&t->generation, 0);
    atomic_init(&t->left, 0);
    atomic_init(&t->roused_until, 0);
    pthread_mutex_init(&t->mutex, NULL);
    pthread_cond_init(&t->announced, NULL);
    pthread_cond_init(&t->finished, NULL);
    for (unsigned i = 1; i < threads; i++) {
        worker *const w = &t->workers[i];
        w->owner = t;
        w->index = i;
        if (pthread_create(&w->thread, NULL, worker_main, w) != 0) {
            team_stop(t);
            return NULL;
        }
        t->threads = i + 1;
    }
    return t;
}

void team_stop(team *t) {
    if (t == NULL || t->process != getpid()) {
        return;
    }
    atomic_store_explicit(&t->stop, true, memory_order_relaxed);  // announce publishes it
    announce(t);
    for (unsigned i = 1; i < t->threads; i++) {
        pthread_join(t->workers[i].thread, NULL);
    }
    pthread_cond_destroy(&t->announced);
    pthread_cond_destroy(&t->finished);
    pthread_mutex_destroy(&t->mutex);
}

unsigned team_size(const team *t) { return t == NULL ? 1 : t->threads; }

void team_rouse(team *t) {
    if (alone(t) || !t->room) {
        return;
    }
    pthread_mutex_lock(&t->mutex);
    atomic_store_explicit(&t->roused_until, now_ns() + ROUSED_NS, memory_order_relaxed);
    pthread_cond_broadcast(&t->announced);
    pthread_mutex_unlock(&t->mutex);
}

void team_run(team *t, team_task task, void *arg, size_t count) {
    if (count <= 1 || alone(t)) {
        for (size_t i = 0; i < count; i++) {
            task(arg, i, 0);
        }
        return;
    }
    assert(count <= TASKS_MAX);
    t->task = task;  // no task is under way, and share_out publishes these
    t->arg = arg;
    atomic_store_explicit(&t->left, count, memory_order_relaxed);
    share_out(t, count);
    announce(t);
    if (ended(t, take_tasks(t, 0))) {
        return;
    }
    for (int i = 0; i < SPINS; i++) {
        if (atomic_load_explicit(&t->left, memory_order_acquire) == 0) {
            return;
        }
        relax();
    }
    pthread_mutex_lock(&t->mutex);
    while (atomic_load_explicit(&t->left, memory_order_acquire) != 0) {
        pthread_cond_wait(&t->finished, &t->mutex);
    }
    pthread_mutex_unlock(&t->mutex);
}
