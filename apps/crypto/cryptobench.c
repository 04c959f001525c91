// cryptobench.c: public-key cryptography on this library against GMP and OpenSSL's libcrypto: RSA,
// Diffie-Hellman, Paillier, primality. May include the program's own headers and bigint.h.
//
// All engines take the same steps on the same items, except for BPSW, where each runs its own test.
// The library has one test for a number and one for a batch. OpenSSL runs a different test. Latency
// is measured on one thread, one item after the other, or as the time of a call for all items.
// Throughput is measured on all processors, or on N threads. Engines alternate, for ROUNDS rounds.
// Every answer is compared, in the timed rounds too, and a wrong one ends the program with status
// 1; --help has the other codes. Engine batch computes the powers of HOST_BATCH items for each
// thread with one call on all threads, and batch+rest also does the steps after them. With --device
// N, device and device+host do the same there, COUNT items at a time. For BPSW, the device gets the
// part that the library gives it. --check runs the published examples, and every scheme once,
// untimed.
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/crypto/batch.h"
#include "apps/crypto/options.h"
#include "apps/crypto/schemes.h"
#include "apps/gmp_memory.h"
#include "apps/machine.h"
#include "apps/place.h"
#include "apps/program.h"

enum { ITEMS_MAX = 64, ENGINES_MAX = 8, ROUNDS = 3 };
// Items of a batch on the host, for each thread; for a check.
enum { HOST_BATCH = 256, CHECK_BATCH = 19 };

// --- Timing --------------------------------------------------------------------------------------

// worker: one thread, which runs the items over and over, all equally often. Each has its own
// registers.
typedef struct {
    const crypto_engine *engine;
    const crypto_items *items;
    double seconds;
    pthread_barrier_t *start;
    pthread_t thread;
    uint64_t done;
    double took;
    bool right;
} worker;

// run_round: every item once.
static bool run_round(const worker *w, void *const *self) {
    if (w->engine->primes != NULL) {
        return crypto_run_all(w->engine, self[0], w->items);
    }
    bool right = true;
    for (unsigned i = 0; i < w->items->count && right; i++) {
        right = crypto_run(w->engine, self[i], w->items, i);
    }
    return right;
}

static void *work(void *arg) {
    worker *const w = arg;
    void *self[ITEMS_MAX] = {NULL};
    w->right = true;
    for (unsigned i = 0; i < w->items->count; i++) {
        self[i] = w->engine->open();
        w->right = w->right && self[i] != NULL && crypto_load(w->engine, self[i], w->items, i);
    }
    // Keys are made ready untimed.
    w->right = w->right && (w->engine->prime != NULL || run_round(w, self));
    pthread_barrier_wait(w->start);
    const double begin = seconds_now();
    do {
        w->right = w->right && run_round(w, self);
        w->done += w->items->count;
        w->took = seconds_now() - begin;
    } while (w->right && w->took < w->seconds);
    for (unsigned i = 0; i < w->items->count; i++) {
        if (self[i] != NULL) {
            w->engine->close(self[i]);
        }
    }
    return NULL;
}

// items_per_second: the rate of `threads` threads. Stops the program if an answer is wrong.
static double items_per_second(const crypto_engine *engine, const crypto_items *items,
                               unsigned threads, double seconds) {
    worker *const workers = program_memory(threads, sizeof *workers, "threads");
    pthread_barrier_t start;
    pthread_barrier_init(&start, NULL, threads);
    for (unsigned t = 0; t < threads; t++) {
        workers[t] =
            (worker){.engine = engine, .items = items, .seconds = seconds, .start = &start};
        program_thread(&workers[t].thread, work, &workers[t]);
    }
    double rate = 0;
    for (unsigned t = 0; t < threads; t++) {
        pthread_join(workers[t].thread, NULL);
        if (!workers[t].right) {
            errx(EXIT_WRONG, "%s, %u bits: %s failed or gave a wrong answer", items->scheme->name,
                 items->bits, engine->name);
        }
        rate += (double)workers[t].done / workers[t].took;
    }
    pthread_barrier_destroy(&start);
    free(workers);
    return rate;
}

// --- Rows ----------------------------------------------------------------------------------------

typedef struct {
    const cryptobench_options *o;
    const crypto_engine *engines[ENGINES_MAX];
    unsigned count;
    bigint_ctx *host, *device;  // device: NULL if none is asked for
    FILE *json;
} bench;

static void record(const bench *b, const crypto_items *items, const char *engine, double latency,
                   double throughput, unsigned threads, double rival) {
    printf("%-17s %5u  %-13s %12.1f us %12.1f /s %6.2f x gmp\n", items->scheme->name, items->bits,
           engine, 1e6 * latency, throughput, throughput / rival);
    program_flush();
    if (b->json != NULL) {
        fprintf(b->json,
                "{\"schema\":1,\"topic\":\"cryptobench\",\"case\":\"%s\",\"bits\":%u,"
                "\"engine\":\"%s\",\"threads\":%u,\"latency_ns\":%.0f,\"per_second\":%.2f,"
                "\"ratio_gmp\":%.4f,\"checked\":true,\"chip\":\"%s\",\"commit\":\"%s\","
                "\"dirty\":%s}\n",
                items->scheme->name, items->bits, engine, threads, 1e9 * latency, throughput,
                throughput / rival, b->o->chip, b->o->commit, b->o->dirty ? "true" : "false");
        if (fflush(b->json) != 0) {
            err(EXIT_IO, "%s", b->o->json);
        }
    }
}

// places: the host's threads, a context of all of them, and the device.
static void places(const bench *b, crypto_place at[2]) {
    at[0] = (crypto_place){b->host, HOST_BATCH * b->o->threads, false};
    at[1] = (crypto_place){b->device, b->o->batch, true};
}

static bool takes_place(const crypto_place *p, const crypto_scheme *scheme) {
    return p->ctx != NULL && (scheme->powers > 0 || scheme->candidate != 0);
}

static void run_place(const bench *b, const crypto_items *items, const crypto_place *p,
                      double rival) {
    if (!takes_place(p, items->scheme)) {
        return;
    }
    crypto_batch_times times;
    const char *const name = p->on_device ? "device" : "batch";
    const char *const wrong = crypto_batch_run(p, items, b->o->threads, &times);
    if (wrong != NULL) {
        errx(EXIT_WRONG, "%s, %u bits, %s: %s", items->scheme->name, items->bits, name, wrong);
    }
    if (times.powers > 0) {
        record(b, items, name, times.powers, p->batch / times.powers, b->o->threads, rival);
    }
    record(b, items, p->on_device ? "device+host" : "batch+rest", times.end_to_end,
           p->batch / times.end_to_end, b->o->threads, rival);
}

// takes: whether the engine can do the scheme. Own tests are for BPSW, which has no steps.
static bool takes(const crypto_engine *e, const crypto_scheme *scheme) {
    return (e->prime != NULL) == (scheme->candidate != 0);
}

// run_items: measures against GMP, with GMP's own test where it has one. Rates are means over the
// rounds.
static void run_items(const bench *b, const crypto_items *items) {
    double alone[ENGINES_MAX] = {0}, together[ENGINES_MAX] = {0}, rival = 1;
    for (unsigned k = 0; k < ROUNDS * b->count; k++) {
        const crypto_engine *const e = b->engines[k % b->count];
        if (takes(e, items->scheme)) {
            const double seconds = b->o->seconds / ROUNDS;
            alone[k % b->count] += items_per_second(e, items, 1, seconds) / ROUNDS;
            together[k % b->count] += items_per_second(e, items, b->o->threads, seconds) / ROUNDS;
        }
    }
    for (unsigned k = 0; k < b->count; k++) {
        const crypto_engine *const e = b->engines[k];
        if ((e == &crypto_gmp || e == &crypto_gmp_prime) && takes(e, items->scheme)) {
            rival = together[k];
        }
    }
    for (unsigned k = 0; k < b->count; k++) {
        const crypto_engine *const e = b->engines[k];
        if (takes(e, items->scheme)) {
            const double in_a_call = e->primes != NULL ? items->count : 1;
            record(b, items, e->name, in_a_call / alone[k], together[k], b->o->threads, rival);
        }
    }
    crypto_place at[2];
    places(b, at);
    run_place(b, items, &at[0], rival), run_place(b, items, &at[1], rival);
}

// check_items: runs each engine and each place once, with few items on the host.
static void check_items(const bench *b, const crypto_items *items) {
    crypto_place at[2];
    places(b, at);
    at[0].batch = CHECK_BATCH;
    for (unsigned k = 0; k < 2; k++) {
        crypto_batch_times times;
        const char *const wrong =
            takes_place(&at[k], items->scheme) ? crypto_batch_run(&at[k], items, 1, &times) : NULL;
        if (wrong != NULL) {
            errx(EXIT_WRONG, "%s, %u bits, %s: %s", items->scheme->name, items->bits,
                 at[k].on_device ? "on the device" : "as a batch", wrong);
        }
    }
    for (unsigned k = 0; k < b->count; k++) {
        if (takes(b->engines[k], items->scheme)) {
            items_per_second(b->engines[k], items, 1, 0);
        }
    }
    printf("%-17s %5u  right\n", items->scheme->name, items->bits);
    program_flush();
}

static void run_schemes(const bench *b) {
    for (unsigned k = 0; k < crypto_schemes_count; k++) {
        const crypto_scheme *const scheme = &crypto_schemes[k];
        const bool wanted = b->o->scheme == NULL || strcmp(b->o->scheme, scheme->name) == 0;
        // For a check the smallest size is enough.
        const unsigned sizes = !wanted ? 0 : b->o->check ? 1 : CRYPTO_SIZES_MAX;
        for (unsigned i = 0; i < sizes && scheme->bits[i] != 0; i++) {
            crypto_items items =
                crypto_items_make(scheme, scheme->bits[i], b->o->check ? 2 : scheme->items);
            (b->o->check ? check_items : run_items)(b, &items);
            crypto_items_free(&items);
        }
    }
}

// --- The program ---------------------------------------------------------------------------------

static bigint_ctx *open_context(int at, unsigned threads) {
    const bigint_ctx_options options = {.threads = threads};
    place p;
    const bigint_status status = place_open(&p, at, NULL, &options);
    place_must(p.ctx, status);
    return p.ctx;
}

static FILE *open_json(const char *path) {
    FILE *const f = fopen(path, "a");
    if (f == NULL && errno == ENOMEM) {
        program_no_memory("opening %s", path);
    }
    if (f == NULL) {
        err(EXIT_IO, "%s", path);
    }
    return f;
}

int main(int argc, char **argv) {
    program_begin();
    program_prints();
    gmp_memory_checked();
    crypto_openssl_begin();
    const cryptobench_options o = cryptobench_options_parse(argc, argv);
    bench b = {.o = &o,
               .engines = {&crypto_longmul, &crypto_longmul_sec, &crypto_longmul_prime,
                           &crypto_longmul_batch, &crypto_gmp, &crypto_gmp_prime},
               .count = 6};
    if (crypto_openssl() != NULL) {
        b.engines[b.count++] = crypto_openssl();
        b.engines[b.count++] = crypto_openssl_prime();
    }
    b.json = o.json == NULL ? NULL : open_json(o.json);
    b.host = open_context(BIGINT_HOST, o.threads);
    b.device = o.device == BIGINT_HOST ? NULL : open_context(o.device, o.threads);
    if (b.count < ENGINES_MAX) {
        printf("without OpenSSL, whose header was not there when this was built\n");
    }
    for (unsigned k = 0; k < b.count; k++) {
        const char *wrong = crypto_known_answers(b.engines[k]);
        if (wrong != NULL) {
            errx(EXIT_WRONG, "%s: wrong: %s", b.engines[k]->name, wrong);
        }
    }
    printf("published answers are met; %u threads\n", o.threads);
    program_flush();
    run_schemes(&b);
    bigint_ctx_destroy(b.host), bigint_ctx_destroy(b.device);
    if (b.json != NULL && fclose(b.json) != 0) {
        err(EXIT_IO, "%s", o.json);
    }
    return 0;
}
