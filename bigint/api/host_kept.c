// host_kept.c: see host_kept.h.
//
// Block i of both operands is sent and transformed, and then column i is computed; so the lower
// half of the product goes back while operands come. Nothing of the upper half is known before the
// last blocks have come, and only its columns are left to compute then.
//
// One thread sends blocks and enqueues work, another one fetches sums.
#include "bigint/api/host_kept.h"

#include <pthread.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/block_sum.h"
#include "primitives/cuda/runtime.h"
#include "primitives/words/team.h"

typedef struct {
    host_job *s;
    device_block_plan plan;
    double *left[HOST_KEPT_MOST], *right[HOST_KEPT_MOST];  // transforms of a_i and b_j
    bigint_status status, fetched;                         // of the two threads
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t enqueued, taken;  // columns; taken: fetched, and their sums' memory is free
    bool ended;                // of either thread: it failed
} kept_job;

uint64_t host_kept_bytes(const bigint_ctx *ctx, const host_plan *plan) {
    device_block_plan blocks;
    if (!device_block_plan_make(ctx, &blocks, plan->block, plan->b_blocks)) {
        return 0;
    }
    const uint64_t numbers = plan->slots * plan->block + plan->sums * blocks.limbs;
    return device_held_bytes(ctx, &blocks.products) + 8 * numbers +
           arena_held_bytes((plan->a_blocks + plan->b_blocks) * device_block_bytes(&blocks));
}

// --- Columns -------------------------------------------------------------------------------------

// bring: a block and its transform.
static bigint_status bring(kept_job *k, const bigint *operand, uint64_t index, bool right) {
    host_job *const s = k->s;
    host_slot *x;
    s->in_use = s->turn;
    bigint_status status = host_block(s, &x, operand, index);
    if (status == BIGINT_OK) {
        status = device_block_transform(s->ctx, s->who, &k->plan,
                                        right ? k->right[index] : k->left[index], &x->x, right);
    }
    return status == BIGINT_OK ? host_block_used(s, x) : status;
}

// add_column enqueues the sum of column c: terms a_(to - k) b_(c - to + k).
static bigint_status add_column(kept_job *k, uint64_t c) {
    static const bigint nothing = BIGINT_INIT;
    host_job *const s = k->s;
    const uint64_t from = c < s->plan.b_blocks ? 0 : c - s->plan.b_blocks + 1;
    const uint64_t to = c < s->plan.a_blocks ? c : s->plan.a_blocks - 1, terms = to - from + 1;
    double *left[HOST_KEPT_MOST];
    for (uint64_t i = 0; i < terms; i++) {
        left[i] = k->left[to - i];
    }
    const bigint_status status = device_block_sum(
        s->ctx, s->who, &k->plan, &s->sum[c % s->plan.sums], left, k->right + (c - to), terms,
        c == 0 ? &nothing : &s->sum[(c - 1) % s->plan.sums]);
    return status == BIGINT_OK ? host_sum_ended(s, c) : status;
}

// announce: so many columns are enqueued, or fetched.
static void announce(kept_job *k, uint64_t *which, uint64_t columns) {
    pthread_mutex_lock(&k->mutex);
    *which = columns;
    pthread_cond_broadcast(&k->changed);
    pthread_mutex_unlock(&k->mutex);
}

// end: the other thread need not wait for this one.
static void end(kept_job *k) {
    pthread_mutex_lock(&k->mutex);
    k->ended = true;
    pthread_cond_broadcast(&k->changed);
    pthread_mutex_unlock(&k->mutex);
}

// await: whether so many columns are enqueued, or fetched, which they may be later.
static bool await(kept_job *k, const uint64_t *which, uint64_t columns) {
    pthread_mutex_lock(&k->mutex);
    while (*which < columns && !k->ended) {
        pthread_cond_wait(&k->changed, &k->mutex);
    }
    const bool there = *which >= columns;
    pthread_mutex_unlock(&k->mutex);
    return there;
}

static bigint_status fetch_next(kept_job *k) {
    const bigint_status status = host_fetch(k->s, k->taken);
    if (status == BIGINT_OK) {
        announce(k, &k->taken, k->taken + 1);
    }
    return status;
}

// make_room: column c's sum may be written. One thread alone fetches what lies there.
static bool make_room(kept_job *k, uint64_t c) {
    const uint64_t sums = k->s->plan.sums, least = c < sums ? 0 : c - sums + 1;
    if (team_size(k->s->ctx->team) == 1 && k->taken < least) {
        k->fetched = fetch_next(k);
        if (k->fetched != BIGINT_OK) {
            end(k);
        }
    }
    return await(k, &k->taken, least);
}

// send_column sends what column c needs first, and enqueues it.
static bigint_status send_column(kept_job *k, uint64_t c) {
    const host_plan *const plan = &k->s->plan;
    bigint_status status = BIGINT_OK;
    if (c < plan->a_blocks) {
        status = bring(k, k->s->a, c, false);
    }
    if (c < plan->b_blocks && status == BIGINT_OK) {
        status = bring(k, k->s->b, c, true);
    }
    return status == BIGINT_OK ? add_column(k, c) : status;
}

static bigint_status send_all(kept_job *k) {
    const uint64_t columns = host_columns(&k->s->plan);
    bigint_status status = BIGINT_OK;
    for (uint64_t c = 0; c < columns && status == BIGINT_OK && make_room(k, c); c++) {
        status = send_column(k, c);
        if (status == BIGINT_OK) {
            announce(k, &k->enqueued, c + 1);
        }
    }
    return status;
}

static bigint_status fetch_all(kept_job *k) {
    const uint64_t columns = host_columns(&k->s->plan);
    bigint_status status = k->fetched;
    while (k->taken < columns && status == BIGINT_OK && await(k, &k->enqueued, k->taken + 1)) {
        status = fetch_next(k);
    }
    return status;
}

// work: task 0 sends, task 1 fetches. A team of one runs them one after the other.
static void work(void *arg, size_t index, unsigned worker) {
    kept_job *const k = arg;
    int previous;
    (void)worker;
    const result entered = cuda_enter(k->s->ctx->device.place, &previous);
    bigint_status *const status = index == 0 ? &k->status : &k->fetched;
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

// --- The product ---------------------------------------------------------------------------------

static bigint_status run(kept_job *k) {
    bigint_status status = BIGINT_ENOMEM;
    if (pthread_mutex_init(&k->mutex, NULL) == 0) {
        if (pthread_cond_init(&k->changed, NULL) == 0) {
            team_run(k->s->ctx->team, work, k, 2);
            status =
                k->status == BIGINT_OK ? host_told(k->s, k->s->fetcher, k->fetched) : k->status;
            pthread_cond_destroy(&k->changed);
        }
        pthread_mutex_destroy(&k->mutex);
    }
    return status;
}

bigint_status host_kept_multiply(host_job *s) {
    kept_job k = {.s = s};
    arena *const memory = &s->ctx->queue.memory;
    const arena_mark mark = arena_mark_in(memory);
    if (!device_block_plan_make(s->ctx, &k.plan, s->plan.block, s->plan.b_blocks)) {
        return bigint_fail(s->ctx, BIGINT_ENOMEM, "%s: no plan for transforms of blocks", s->who);
    }
    const uint64_t bytes = device_block_bytes(&k.plan);
    double *const planes =
        arena_take_in(s->ctx, memory, s->who, (s->plan.a_blocks + s->plan.b_blocks) * bytes);
    if (planes == NULL) {
        return s->ctx->failed != BIGINT_OK ? s->ctx->failed : BIGINT_ENOMEM;
    }
    for (uint64_t i = 0; i < s->plan.a_blocks; i++) {
        k.left[i] = planes + i * (bytes / sizeof *planes);
    }
    for (uint64_t j = 0; j < s->plan.b_blocks; j++) {
        k.right[j] = planes + (s->plan.a_blocks + j) * (bytes / sizeof *planes);
    }
    const bigint_status status = run(&k);
    arena_release_in(s->ctx, memory, mark);
    return status;
}
