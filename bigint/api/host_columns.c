// host_columns.c: see host_columns.h.
#include "bigint/api/host_columns.h"

#include <pthread.h>

#include "bigint/core/device_stream.h"
#include "primitives/cuda/runtime.h"
#include "primitives/words/team.h"

typedef struct {
    host_job *s;
    host_column column;
    void *self;
    bigint_status sent, fetched;  // of the two threads
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t enqueued, taken;  // columns; taken: fetched, and their sums' memory is free
    bool ended;                // of either thread: it failed
} columns_job;

// announce: the number of columns that are enqueued, or fetched, is now `columns`.
static void announce(columns_job *k, uint64_t *which, uint64_t columns) {
    pthread_mutex_lock(&k->mutex);
    *which = columns;
    pthread_cond_broadcast(&k->changed);
    pthread_mutex_unlock(&k->mutex);
}

// end: the other thread need not wait for this one.
static void end(columns_job *k) {
    pthread_mutex_lock(&k->mutex);
    k->ended = true;
    pthread_cond_broadcast(&k->changed);
    pthread_mutex_unlock(&k->mutex);
}

// await: waits until that many columns are enqueued, or fetched, or a thread has failed; returns
// whether they are.
static bool await(columns_job *k, const uint64_t *which, uint64_t columns) {
    pthread_mutex_lock(&k->mutex);
    while (*which < columns && !k->ended) {
        pthread_cond_wait(&k->changed, &k->mutex);
    }
    const bool there = *which >= columns;
    pthread_mutex_unlock(&k->mutex);
    return there;
}

static bigint_status fetch_next(columns_job *k) {
    const bigint_status status = host_fetch(k->s, k->taken);
    if (status == BIGINT_OK) {
        announce(k, &k->taken, k->taken + 1);
    }
    return status;
}

// make_room: column c's sum may be written. One thread alone fetches what lies there.
static bool make_room(columns_job *k, uint64_t c) {
    const uint64_t sums = k->s->plan.sums, least = c < sums ? 0 : c - sums + 1;
    if (team_size(k->s->ctx->team) == 1 && k->taken < least) {
        k->fetched = fetch_next(k);
        if (k->fetched != BIGINT_OK) {
            end(k);
        }
    }
    return await(k, &k->taken, least);
}

static bigint_status send_all(columns_job *k) {
    const uint64_t count = host_columns(&k->s->plan);
    bigint_status status = BIGINT_OK;
    for (uint64_t c = 0; c < count && status == BIGINT_OK && make_room(k, c); c++) {
        status = k->column(k->self, c);
        if (status == BIGINT_OK) {
            status = host_sum_ended(k->s, c);
        }
        if (status == BIGINT_OK) {
            announce(k, &k->enqueued, c + 1);
        }
    }
    return status;
}

static bigint_status fetch_all(columns_job *k) {
    const uint64_t count = host_columns(&k->s->plan);
    bigint_status status = k->fetched;
    while (k->taken < count && status == BIGINT_OK && await(k, &k->enqueued, k->taken + 1)) {
        status = fetch_next(k);
    }
    return status;
}

// work: task 0 sends, task 1 fetches. A team of one runs them one after the other.
static void work(void *arg, size_t index, unsigned worker) {
    columns_job *const k = arg;
    int previous;
    (void)worker;
    const result entered = cuda_enter(k->s->ctx->device.place, &previous);
    bigint_status *const status = index == 0 ? &k->sent : &k->fetched;
    if (entered == RESULT_OK) {
        *status = index == 0 ? send_all(k) : fetch_all(k);
    } else {
        *status = device_status(index == 0 ? k->s->ctx : k->s->fetcher, k->s->who, entered);
    }
    if (*status != BIGINT_OK) {
        end(k);
    }
    if (entered == RESULT_OK) {
        cuda_leave(previous);
    }
}

bigint_status host_columns_run(host_job *s, host_column column, void *self) {
    columns_job k = {.s = s, .column = column, .self = self};
    bigint_status status = BIGINT_ENOMEM;
    if (pthread_mutex_init(&k.mutex, NULL) == 0) {
        if (pthread_cond_init(&k.changed, NULL) == 0) {
            team_run(s->ctx->team, work, &k, 2);
            status = k.sent == BIGINT_OK ? host_told(s, s->fetcher, k.fetched) : k.sent;
            pthread_cond_destroy(&k.changed);
        }
        pthread_mutex_destroy(&k.mutex);
    }
    return status;
}
