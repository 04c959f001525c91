// transfer_bench.c: copies between memory of the user and of a device by the library, beside the
// link's rate for pinned memory.
//
// Numbers have 2^LG bytes. Operations: set and get between limbs of the user and a number that has
// its memory; to_device and to_host by bigint_move, to host memory that the context has kept;
// to_new, the same after bigint_ctx_trim, to memory that is new; both, a set and a get by two
// contexts at once, each with half of the threads; set_pinned, get_pinned and both_pinned, to and
// from limbs that the user pinned. The link: one copy of as many bytes from pinned memory, or to
// it, and for both ways one each way at once. Times are the host's clock until the device is idle.
//
// Every number is compared with what was sent; a wrong one ends the program with status 1.
//
// Prints a table; with --out appends records (bench/schema.md) to FOLDER/<chip>-transfer.jsonl.
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "bench/device/calls.h"
#include "bench/device/record.h"
#include "bench/mul/random_prime.h"
#include "bigint/bigint.h"
#include "primitives/cuda/runtime.h"
#include "tests/support/gen.h"

enum { SAMPLES = 11 };
enum { COUNT = 2 };  // numbers under way at once
typedef enum {
    SET,
    GET,
    TO_DEVICE,
    TO_HOST,
    TO_NEW,
    BOTH,
    SET_PINNED,  // from here on the user's limbs are pinned
    GET_PINNED,
    BOTH_PINNED,
    OPERATIONS
} operation;
static const char *const names[OPERATIONS] = {"set",        "get",        "to_device",
                                              "to_host",    "to_new",     "both",
                                              "set_pinned", "get_pinned", "both_pinned"};

static bool goes_up(operation o) {
    return o != GET && o != TO_HOST && o != TO_NEW && o != GET_PINNED;
}
static bool goes_down(operation o) { return o != SET && o != TO_DEVICE && o != SET_PINNED; }

typedef struct {
    device_run run;
    bigint_device *device;
    bigint_ctx *ctx, *half[COUNT];
} bench;

// numbers: `limbs` limbs of the user, and where they come back to; x on the device, y elsewhere.
typedef struct {
    uint64_t *sent, *got, limbs;
    bigint x, y;
} numbers;

// --- The library ---------------------------------------------------------------------------------

static void set(bigint_ctx *ctx, numbers *s) {
    calls_must(ctx, bigint_set_limbs(ctx, &s->x, s->sent, s->limbs, 1));
    calls_must(ctx, bigint_sync(ctx));
}

static void get(bigint_ctx *ctx, numbers *s) {
    calls_must(ctx, bigint_get_limbs(ctx, s->got, s->limbs, NULL, NULL, &s->y));
}

typedef struct {
    bigint_ctx *ctx;
    numbers *s;
} getting;

static void *get_beside(void *arg) {
    const getting *const g = arg;
    get(g->ctx, g->s);
    return NULL;
}

// both: two numbers, x comes and y goes.
static void both(const bench *b, numbers *s) {
    getting g = {b->half[1], s};
    pthread_t other;
    if (pthread_create(&other, NULL, get_beside, &g) != 0) {
        calls_stop("a thread", "cannot be started");
    }
    set(b->half[0], s);
    pthread_join(other, NULL);
}

static void move(bigint_ctx *ctx, bigint *x, int place) {
    calls_must(ctx, bigint_move(ctx, x, place));
    calls_must(ctx, bigint_sync(ctx));
}

// once: nanoseconds of one call.
static double once(const bench *b, numbers *s, operation o) {
    if (o == TO_NEW) {
        bigint_ctx_trim(b->ctx);  // the staging as well: the next calls make it
        set(b->ctx, s), get(b->ctx, s);
    }
    if (o == TO_HOST || o == TO_NEW || o == TO_DEVICE) {  // y there and back, one of the two timed
        const uint64_t from = now_ns();
        move(b->ctx, &s->y, BIGINT_HOST);
        const uint64_t between = now_ns();
        move(b->ctx, &s->y, 0);
        return (double)(o == TO_DEVICE ? now_ns() - between : between - from);
    }
    const uint64_t from = now_ns();
    if (goes_up(o) && goes_down(o)) {
        both(b, s);
    } else if (goes_up(o)) {
        set(b->ctx, s);
    } else {
        get(b->ctx, s);
    }
    return (double)(now_ns() - from);
}

// --- The link ------------------------------------------------------------------------------------

typedef struct {
    void *there[COUNT], *pinned[COUNT];
    cuda_stream stream[COUNT];
    uint64_t bytes;
} link_memory;

static void expect(bool done) {
    if (!done) {
        calls_stop("the link", "the runtime failed");
    }
}

static void link_open(link_memory *l, uint64_t bytes) {
    l->bytes = bytes;
    for (int i = 0; i < COUNT; i++) {
        expect(cuda_stream_create(&l->stream[i]) == RESULT_OK &&
               cuda_allocate(&l->there[i], bytes, l->stream[i]) == RESULT_OK &&
               cuda_pin(&l->pinned[i], bytes) == RESULT_OK &&
               cuda_stream_wait(l->stream[i]) == RESULT_OK);
    }
}

static void link_close(link_memory *l) {
    for (int i = 0; i < COUNT; i++) {
        cuda_release_idle(l->there[i]);
        cuda_unpin(l->pinned[i]);
        cuda_stream_destroy(l->stream[i]);
    }
}

// link_once: nanoseconds of one copy by the link, up, down or both.
static double link_once(const link_memory *l, bool up, bool down) {
    const uint64_t from = now_ns();
    if (up) {
        expect(cuda_copy(l->there[0], l->pinned[0], l->bytes, l->stream[0]) == RESULT_OK);
    }
    if (down) {
        expect(cuda_copy(l->pinned[1], l->there[1], l->bytes, l->stream[1]) == RESULT_OK);
    }
    for (int i = 0; i < COUNT; i++) {
        expect(cuda_stream_wait(l->stream[i]) == RESULT_OK);
    }
    return (double)(now_ns() - from);
}

// --- Rows ----------------------------------------------------------------------------------------

static int order(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void check(const bench *b, numbers *s) {
    get(b->ctx, s);
    if (memcmp(s->got, s->sent, s->limbs * sizeof *s->sent) != 0) {
        calls_stop("a copy", "other limbs came back than were sent");
    }
    memset(s->got, 0, s->limbs * sizeof *s->got);
    bigint_swap(&s->x, &s->y);
}

static void row(const bench *b, numbers *s, const link_memory *l, operation o) {
    const unsigned samples = b->run.quick ? 3 : SAMPLES;
    double ours[SAMPLES], link[SAMPLES];
    once(b, s, o);
    for (unsigned i = 0; i < samples; i++) {
        ours[i] = once(b, s, o);
        link[i] = link_once(l, goes_up(o), goes_down(o));
    }
    check(b, s), check(b, s);  // both numbers
    qsort(ours, samples, sizeof *ours, order), qsort(link, samples, sizeof *link, order);
    const double ns = ours[samples / 2], roof = link[samples / 2], bytes = 8 * (double)s->limbs;
    printf("%-11s %11.0f bytes%s, %u threads: %.1f us, %.1f GB/s; link %.1f GB/s; %.2f of it\n",
           names[o], bytes, goes_up(o) && goes_down(o) ? " each way" : "", b->run.range.threads,
           ns / 1e3, bytes / ns, bytes / roof, roof / ns);
    program_flush();
    if (b->run.out != NULL) {
        FILE *const f = device_record_open(&b->run, "transfer", 64 * s->limbs);
        fprintf(f,
                "\"op\":\"%s\",\"threads\":%u,\"median_ns\":%.0f,\"min_ns\":%.0f,"
                "\"link_ns\":%.0f,\"link_share\":%.4f,\"samples\":%u,",
                names[o], b->run.range.threads, ns, ours[0], roof, roof / ns, samples);
        device_record_close(&b->run, f);
    }
}

static void rows(const bench *b, unsigned lg) {
    numbers s = {.limbs = (UINT64_C(1) << lg) / 8};
    link_memory l;
    gen g = gen_seed(lg);
    uint64_t *const sent = s.sent = program_memory(s.limbs, sizeof *s.sent, "limbs");
    uint64_t *const got = s.got = program_memory(s.limbs, sizeof *s.got, "limbs");
    for (uint64_t i = 0; i < s.limbs; i++) {
        s.sent[i] = gen_u64(&g) | 1;
    }
    memset(s.got, 0, s.limbs * sizeof *s.got);  // its pages are there
    link_open(&l, 8 * s.limbs);
    set(b->ctx, &s);
    bigint_swap(&s.x, &s.y);
    set(b->ctx, &s);
    for (operation o = 0; o < OPERATIONS; o++) {
        if (o == SET_PINNED) {
            s.sent = memcpy(l.pinned[0], sent, 8 * s.limbs);
            s.got = l.pinned[1];
        }
        row(b, &s, &l, o);
    }
    link_close(&l);
    bigint_clear(b->ctx, &s.x), bigint_clear(b->ctx, &s.y);
    free(sent), free(got);
}

int main(int argc, char **argv) {
    static const struct argp own = {
        .doc =
            "Times copies of numbers to a device and back, beside the link's rate, and checks "
            "every one."};
    bench b = {.run.range = {.sizes = "Numbers of 2^N bytes:",
                             .from = 20,
                             .to = 30,
                             .least = 12,
                             .most = 36,
                             .quick = 22,
                             .threads = 12}};
    device_run_start(&b.run, &own, &b, argc, argv);
    const bigint_ctx_options whole = {.threads = b.run.range.threads},
                             half = {.threads =
                                         b.run.range.threads > 1 ? b.run.range.threads / 2 : 1};
    if (bigint_device_open(&b.device, 0, "cuda") != BIGINT_OK) {
        calls_stop("the device", bigint_device_error(b.device));
    }
    calls_must(b.ctx, bigint_ctx_create(&b.ctx, b.device, &whole));
    for (int i = 0; i < COUNT; i++) {
        calls_must(b.half[i], bigint_ctx_create(&b.half[i], b.device, &half));
    }
    for (unsigned lg = b.run.range.from; lg <= b.run.range.to; lg++) {
        rows(&b, lg);
    }
    for (int i = 0; i < COUNT; i++) {
        bigint_ctx_destroy(b.half[i]);
    }
    bigint_ctx_destroy(b.ctx);
    bigint_device_close(b.device);
    return 0;
}
