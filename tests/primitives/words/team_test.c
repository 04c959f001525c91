// The team of threads: every index exactly once, whatever the sizes, job after job; what tasks
// wrote is there when team_run returns. Under the thread sanitizer a missing synchronisation
// fails here.
#define _POSIX_C_SOURCE 200809L
#include "primitives/words/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/ctest/ctest.h"
#include "tests/support/child.h"

enum { THREADS_MAX = 8, COUNT_MAX = 1000 };

typedef struct {
    atomic_uint runs[COUNT_MAX];      // how often each index ran
    unsigned plain[COUNT_MAX];        // written by the task that runs the index, read by the caller
    unsigned by_worker[THREADS_MAX];  // each worker writes its own
    unsigned threads, salt;
    atomic_uint strangers;  // workers outside the team
} job;

static void count_index(void *arg, size_t index, unsigned worker) {
    job *const j = arg;
    atomic_fetch_add(&j->runs[index], 1);
    j->plain[index] = (unsigned)index ^ j->salt;
    if (worker < j->threads) {
        j->by_worker[worker]++;
    } else {
        atomic_fetch_add(&j->strangers, 1);
    }
}

static void expect_each_once(team *t, job *j, size_t count) {
    memset(j->runs, 0, sizeof j->runs);
    memset(j->by_worker, 0, sizeof j->by_worker);
    j->salt = j->salt * 5 + 1;
    j->threads = team_size(t);
    team_run(t, count_index, j, count);
    unsigned long total = 0;
    for (unsigned i = 0; i < j->threads; i++) {
        total += j->by_worker[i];
    }
    ASSERT_EQ(total, (unsigned long)count);
    ASSERT_EQ(atomic_load(&j->strangers), 0u);
    for (size_t i = 0; i < COUNT_MAX; i++) {
        ASSERT_EQ(atomic_load(&j->runs[i]), i < count ? 1u : 0u);
        ASSERT_TRUE(i >= count || j->plain[i] == ((unsigned)i ^ j->salt));
    }
}

static team *start(void **memory, unsigned threads) {
    const size_t bytes = (team_bytes(threads) + 63) / 64 * 64;
    *memory = aligned_alloc(64, bytes);
    memset(*memory, 0xa5, bytes);
    return team_start(*memory, threads);
}

// Mutations: the task counter is not reset, a worker keeps the job before, an index is handed out
// twice, the caller leaves before the last worker.
TEST(Team, EachIndexOnce) {
    job *const j = calloc(1, sizeof *j);
    for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
        SCOPED_TRACE("%u threads", threads);
        void *memory;
        team *const t = start(&memory, threads);
        ASSERT_TRUE(t != NULL);
        EXPECT_EQ(team_size(t), threads);
        static const size_t counts[] = {0, 1, 2, 3, 7, 8, 9, 64, COUNT_MAX, 0, 1};
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            expect_each_once(t, j, counts[i]);
        }
        team_stop(t);
        free(memory);
    }
    free(j);
}

// As many tasks as threads, and each task waits for all others to begin, so every worker must run
// its own. Mutations: tasks go to the first worker that asks, a share begins at another worker's.
typedef struct {
    unsigned threads;
    atomic_uint begun, strayed;
} meeting;
static void meet(void *arg, size_t index, unsigned worker) {
    meeting *const m = arg;
    atomic_fetch_add(&m->strayed, index != worker);
    atomic_fetch_add(&m->begun, 1);
    while (atomic_load(&m->begun) < m->threads) {  // all threads are in this job
        const struct timespec pause = {.tv_nsec = 10000};
        nanosleep(&pause, NULL);
    }
}
TEST(Team, EachWorkerItsShare) {
    for (unsigned threads = 2; threads <= THREADS_MAX; threads++) {
        void *memory;
        team *const t = start(&memory, threads);
        ASSERT_TRUE(t != NULL);
        for (unsigned round = 0; round < 20; round++) {
            meeting m = {.threads = threads};
            team_run(t, meet, &m, threads);
            ASSERT_EQ(atomic_load(&m.begun), threads);
            ASSERT_EQ(atomic_load(&m.strayed), 0u);
        }
        team_stop(t);
        free(memory);
    }
}

// Many short jobs, one straight after the other: workers are still on their way to sleep, or
// asleep, or have not seen the job before, or come when it has ended. Mutations: a wake-up is lost,
// tasks count as ended when they are taken, a late worker runs a job that has ended.
TEST(Team, ManySmallJobs) {
    enum { JOBS = 3000 };
    job *const j = calloc(1, sizeof *j);
    for (unsigned threads = 2; threads <= THREADS_MAX; threads += 2) {
        void *memory;
        team *const t = start(&memory, threads);
        ASSERT_TRUE(t != NULL);
        j->threads = threads;
        for (unsigned i = 0; i < JOBS; i++) {
            const size_t count = 2 + i % 5;
            memset(j->runs, 0, sizeof j->runs[0] * 8);
            team_run(t, count_index, j, count);
            for (size_t k = 0; k < 8; k++) {
                ASSERT_EQ(atomic_load(&j->runs[k]), k < count ? 1u : 0u);
            }
        }
        team_stop(t);
        free(memory);
    }
    free(j);
}

// Each job reads what the job before wrote through other workers. Mutation: a relaxed order where
// the result is published.
typedef struct {
    unsigned from[64], to[64];
} generations;
static void rotate(void *arg, size_t index, unsigned worker) {
    (void)worker;
    generations *const g = arg;
    g->to[index] = g->from[(index + 1) % 64] + 1;
}
TEST(Team, JobsSeeEachOther) {
    void *memory;
    team *const t = start(&memory, 3);
    ASSERT_TRUE(t != NULL);
    generations g = {{0}, {0}};
    for (unsigned round = 1; round <= 500; round++) {
        team_run(t, rotate, &g, 64);
        for (size_t i = 0; i < 64; i++) {
            ASSERT_EQ(g.to[i], round);
        }
        memcpy(g.from, g.to, sizeof g.from);
    }
    team_stop(t);
    free(memory);
}

static void slow_off_the_caller(void *arg, size_t index, unsigned worker) {
    nanosleep(&(struct timespec){.tv_nsec = worker == 0 ? 2000000 : 20000000}, NULL);
    ((unsigned *)arg)[index] = 1;
}

// The caller runs out of tasks long before the others have ended theirs. Mutation: it waits no
// longer than it spins.
TEST(Team, WaitsForSlowWorkers) {
    void *memory;
    team *const t = start(&memory, 3);
    ASSERT_TRUE(t != NULL);
    for (int round = 0; round < 5; round++) {
        unsigned done[6] = {0};
        team_run(t, slow_off_the_caller, done, 6);
        for (size_t i = 0; i < 6; i++) {
            EXPECT_EQ(done[i], 1u);
        }
    }
    team_stop(t);
    free(memory);
}

static void note_worker(void *arg, size_t index, unsigned worker) {
    ((unsigned *)arg)[index] = worker;
}

// No team, a team of one and a single task: the calling thread does it all, as worker 0.
// Mutation: a single task is announced to the others.
TEST(Team, PlainLoops) {
    unsigned workers[4] = {9, 9, 9, 9};
    team_run(NULL, note_worker, workers, 4);
    for (size_t i = 0; i < 4; i++) {
        EXPECT_EQ(workers[i], 0u);
    }
    EXPECT_EQ(team_size(NULL), 1u);
    team_stop(NULL);
    void *memory;
    team *t = start(&memory, 1);
    ASSERT_TRUE(t != NULL);
    workers[0] = 9;
    team_run(t, note_worker, workers, 1);
    EXPECT_EQ(workers[0], 0u);
    team_stop(t);
    free(memory);
    t = start(&memory, 4);
    ASSERT_TRUE(t != NULL);
    for (int i = 0; i < 100; i++) {
        workers[0] = 9;
        team_run(t, note_worker, workers, 1);
        EXPECT_EQ(workers[0], 0u);
    }
    team_stop(t);
    free(memory);
}

// A rouse with no job behind it, between jobs, and once the workers sleep again. Mutations: a
// roused worker that takes the job before for a new one, or that no job wakes any more.
TEST(Team, RousedOrNot) {
    job *const j = calloc(1, sizeof *j);
    for (unsigned threads = 1; threads <= 3; threads++) {
        void *memory;
        team *const t = start(&memory, threads);
        ASSERT_TRUE(t != NULL);
        for (int i = 0; i < 40; i++) {
            if (i % 3 != 0) {
                team_rouse(t);
            }
            if (i % 4 == 0) {
                nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL);
            }
            expect_each_once(t, j, (size_t)(i % 7));
        }
        team_rouse(t);
        team_stop(t);
        free(memory);
    }
    team_rouse(NULL);
    free(j);
}

// A team that never ran a job ends as well, and memory may hold the next one. Mutation: a thread
// that has not reached its first wait misses the end.
TEST(Team, StartAndStop) {
    void *memory;
    team *t = start(&memory, 5);
    ASSERT_TRUE(t != NULL);
    team_stop(t);
    for (int i = 0; i < 50; i++) {
        t = team_start(memory, 5);
        ASSERT_TRUE(t != NULL);
        if (i % 2 == 0) {
            unsigned workers[20];
            team_run(t, note_worker, workers, 20);
        }
        team_stop(t);
    }
    free(memory);
}

// The child has the team and none of its workers.
typedef struct {
    team *t;
    job *j;
} inherited;

static void work_alone(void *arg) {
    const inherited *const h = arg;
    static const size_t counts[] = {2, 64, 1, 0, COUNT_MAX};
    team_rouse(h->t);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        expect_each_once(h->t, h->j, counts[i]);
        EXPECT_EQ(h->j->by_worker[0], (unsigned)counts[i]);
    }
    team_stop(h->t);
}

static void work_and_fork(void *arg) {
    const inherited *const h = arg;
    expect_each_once(h->t, h->j, 64);
    EXPECT_CHILD(work_alone, arg);
    work_alone(arg);
}

// Mutations: a child that joins threads or destroys conditions, or hands out workers that are not
// there.
TEST(Team, ForkedChild) {
    job *const j = calloc(1, sizeof *j);
    for (unsigned threads = 1; threads <= 4; threads++) {
        void *memory;
        team *const t = start(&memory, threads);
        ASSERT_TRUE(t != NULL);
        for (int i = 0; i < 20; i++) {
            nanosleep(&(struct timespec){.tv_nsec = 50000 * (i % 7)}, NULL);
            EXPECT_CHILD(i % 5 == 0 ? work_and_fork : work_alone, (&(inherited){t, j}));
            expect_each_once(t, j, (size_t)(i % 7));
        }
        team_stop(t);
        free(memory);
    }
    free(j);
}

typedef struct {
    team *t;
    atomic_bool stop;
} rouser;
static void *rouse_on(void *arg) {
    rouser *const r = arg;
    while (!atomic_load(&r->stop)) {
        team_rouse(r->t);
    }
    return NULL;
}

// Forks while other threads take the team's mutex all the time, so that it is held in many children
// by a thread that is not there. Mutations: a child that takes it to announce a job, or to rouse.
TEST(Team, ForkedWithTheMutexHeld) {
    job *const j = calloc(1, sizeof *j);
    void *memory;
    team *const t = start(&memory, 2);
    ASSERT_TRUE(t != NULL);
    rouser r = {.t = t};
    pthread_t thread;
    ASSERT_EQ(pthread_create(&thread, NULL, rouse_on, &r), 0);
    for (int i = 0; i < 40; i++) {
        EXPECT_CHILD(work_alone, (&(inherited){t, j}));
    }
    atomic_store(&r.stop, true);
    pthread_join(thread, NULL);
    team_stop(t);
    free(memory);
    free(j);
}
