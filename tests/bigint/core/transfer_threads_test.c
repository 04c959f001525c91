// The threads of long copies, for sanitizers, which do not run with emulated kernels: a runtime
// whose copies take place as they are enqueued. What is tested is core/device_transfer.c alone; its
// results on a device are tested in tests/bigint/device.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/device_transfer.h"
#include "primitives/words/team.h"
#include "tests/ctest/ctest.h"

// --- The runtime ---------------------------------------------------------------------------------

// The call of this number from now on fails, on the thread that set it; 0: none.
static _Thread_local unsigned fails;

static result call(void) { return fails > 0 && --fails == 0 ? RESULT_DEVICE_ERROR : RESULT_OK; }

result cuda_copy(void *to, const void *from, uint64_t bytes, cuda_stream stream) {
    (void)stream;
    const result done = call();
    if (done == RESULT_OK) {
        memcpy(to, from, bytes);
    }
    return done;
}
result cuda_event_record(cuda_event event, cuda_stream stream) {
    return (void)event, (void)stream, call();
}
result cuda_event_wait(cuda_event event) { return (void)event, call(); }
result cuda_stream_wait(cuda_stream stream) { return (void)stream, RESULT_OK; }
result cuda_enter(int device, int *previous) { return *previous = device, RESULT_OK; }
void cuda_leave(int previous) { (void)previous; }

// What device_transfer.c takes from the rest of core, which would need a whole runtime.
uint64_t *device_slot(const slot_ring *ring, unsigned slot) {
    return (uint64_t *)(ring->memory + slot * ring->slot_bytes);
}
static atomic_bool fresh;
bool memory_is_new(const void *p) { return (void)p, atomic_load(&fresh); }
static atomic_uint_least64_t populated;
void memory_populate(void *p, uint64_t bytes) { (void)p, atomic_fetch_add(&populated, bytes); }

// --- Copies --------------------------------------------------------------------------------------

enum { SLOT = 1 << 20, SLOTS = 16, MOST = 72 << 20, THREADS = 4, STEP = 65537 };

// side: a context of THREADS threads, and memory of the user, of the device, and where it comes
// back to.
typedef struct {
    bigint_ctx *ctx;
    slot_ring ring;
    unsigned char *user, *there, *back;
    uint64_t seed;
} side;

static void *memory(size_t bytes) {
    void *const p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    EXPECT_TRUE(p != NULL);
    return p;
}

static side side_open(uint64_t seed) {
    side s = {.ctx = memory(sizeof *s.ctx), .seed = seed};
    memset(s.ctx, 0, sizeof *s.ctx);
    s.ctx->team_memory = memory(team_bytes(THREADS));
    s.ctx->team = team_start(s.ctx->team_memory, THREADS);
    EXPECT_TRUE(s.ctx->team != NULL);
    s.ring = (slot_ring){.memory = memory(SLOTS * SLOT), .slot_bytes = SLOT, .slots = SLOTS};
    s.user = memory(MOST), s.there = memory(MOST), s.back = memory(MOST);
    memset(s.user, (int)seed, MOST);
    return s;
}

static void side_close(side *s) {
    team_stop(s->ctx->team);
    free(s->ctx->team_memory), free(s->ctx), free(s->ring.memory);
    free(s->user), free(s->there), free(s->back);
}

// there_and_back copies n bytes both ways and compares.
static void there_and_back(side *s, uint64_t n) {
    for (uint64_t i = 0; i < n; i += STEP) {
        s->user[i] = (unsigned char)(s->seed = s->seed * 5 + 1);
    }
    memset(s->back, 0, n);
    EXPECT_EQ(device_transfer_up(s->ctx, &s->ring, s->there, s->user, n), RESULT_OK);
    EXPECT_EQ(device_transfer_down(s->ctx, &s->ring, s->back, s->there, n), RESULT_OK);
    EXPECT_TRUE(memcmp(s->back, s->user, n) == 0);
}

static void *work(void *arg) {
    side *const s = arg;
    there_and_back(s, MOST);  // copies behind the threads
    there_and_back(s, SLOTS * SLOT + 1);
    return NULL;
}

// Two contexts copy at once. Mutations, under the thread sanitizer: a slot that is read before all
// threads have filled it or filled before it was read, a count without its order.
TEST(TransferThreads, TwoContexts) {
    side a = side_open(1), b = side_open(2);
    pthread_t other;
    ASSERT_EQ(pthread_create(&other, NULL, work, &b), 0);
    work(&a);
    pthread_join(other, NULL);
    side_close(&a), side_close(&b);
}

// Threads ask for pages of new memory, for each of them once in all. Mutations: pages are asked for
// twice, not to the end, or where they are.
TEST(TransferThreads, PagesOfNewMemory) {
    side s = side_open(4);
    for (int is_new = 0; is_new < 2; is_new++) {
        fresh = is_new == 1;
        populated = 0;
        there_and_back(&s, MOST);
        EXPECT_EQ(populated, fresh ? MOST : 0);
    }
    fresh = false;
    side_close(&s);
}

// A failure on the calling thread ends all threads, and the next copies are whole. Mutation: a
// thread waits for a copy that is never enqueued.
TEST(TransferThreads, Failures) {
    side s = side_open(3);
    for (unsigned at = 1; at < 40; at += 6) {
        fails = at;
        device_transfer_up(s.ctx, &s.ring, s.there, s.user, MOST / 2);
        fails = at;
        device_transfer_down(s.ctx, &s.ring, s.back, s.there, MOST / 2);
        fails = 0;
    }
    there_and_back(&s, MOST / 2 + 1);
    side_close(&s);
}
