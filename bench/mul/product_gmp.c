// product_gmp.c: product_gmp.h over mpn_mul and primitives/words/team.h.
#define _POSIX_C_SOURCE 200809L
#include "bench/mul/product_gmp.h"

#include <gmp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "primitives/words/team.h"

// The longest operands that GMP multiplies, on one core and on all. Nanoseconds that a measurement
// should take on one core and on all, and that a task should take, to be long compared with handing
// it out.
enum { LG_GMP = 28, LG_CORES = 26, SAMPLES = 11 };
#define CORE_NS 1e8
#define CORES_NS 5e7
#define TASK_NS 1e6

void product_stop(const char *what, uint64_t bits) {
    fprintf(stderr, "product_bench: %" PRIu64 " bits: %s\n", bits, what);
    exit(1);
}

static double nanoseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int by_size(const void *x, const void *y) {
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

// factors of products {to, 2 n} = {a, n} {b, n}. The workers' `to` lie one after the other. A task
// is `calls` calls.
typedef struct {
    const mp_limb_t *a, *b;
    mp_limb_t *to;
    uint64_t n;
    size_t calls;
} factors;

static void multiply(void *arg, size_t index, unsigned worker) {
    const factors *const f = arg;
    (void)index;
    for (size_t i = 0; i < f->calls; i++) {
        mpn_mul_n(f->to + 2 * f->n * worker, f->a, f->b, (mp_size_t)f->n);
    }
}

// start_team: NULL, which is a team of one, where there is no memory. The caller frees *memory.
static team *start_team(void **memory, unsigned cores) {
    *memory = aligned_alloc(64, (team_bytes(cores) + 63) / 64 * 64);
    return *memory == NULL ? NULL : team_start(*memory, cores);
}

static unsigned all_cores(void) { return (unsigned)sysconf(_SC_NPROCESSORS_ONLN); }

static double core_time(factors *f) {
    double times[SAMPLES];
    const double start = nanoseconds();
    unsigned samples = 0;
    f->calls = 1;
    while (samples < SAMPLES && (samples == 0 || nanoseconds() - start < CORE_NS)) {
        const double from = nanoseconds();
        multiply(f, 0, 0);
        const double took = nanoseconds() - from;
        if (took < TASK_NS && f->calls < 1u << 20) {
            f->calls *= 2;
        } else {
            times[samples++] = took / (double)f->calls;
        }
    }
    qsort(times, samples, sizeof *times, by_size);
    return times[samples / 2];
}

// cores_time: beside core_ns of the same product, and behind core_time, which says how many are a
// task; products for CORES_NS on each core, a task at least.
static double cores_time(const factors *f, unsigned cores, double core_ns) {
    const double task_ns = core_ns * (double)f->calls;
    const size_t each = task_ns < CORES_NS ? (size_t)(CORES_NS / task_ns) : 1;
    factors all = *f;
    all.to = malloc(16 * f->n * cores);
    void *memory = NULL;
    team *const t = all.to == NULL ? NULL : start_team(&memory, cores);
    double took = 0;
    if (t != NULL) {
        team_run(t, multiply, &all, cores);  // pages, and GMP's own
        const double from = nanoseconds();
        team_run(t, multiply, &all, each * cores);
        took = (nanoseconds() - from) / (double)(each * cores * f->calls);
    }
    team_stop(t);
    free(memory), free(all.to);
    return took;
}

// --- Residues ------------------------------------------------------------------------------------

enum { PRIMES = 2, LG_CHUNK = 16 };
static const uint64_t primes[PRIMES] = {(UINT64_C(1) << 61) - 1, UINT64_C(1152921504606846883)};

typedef struct {
    uint64_t of[PRIMES];
} residues;

// chunks: {p, n}, and the residues of each 2^LG_CHUNK limbs of it.
typedef struct {
    const uint64_t *p;
    uint64_t n;
    residues *parts;
} chunks;

static uint64_t chunk_count(uint64_t n) { return ((n - 1) >> LG_CHUNK) + 1; }

static void take_residues(void *arg, size_t index, unsigned worker) {
    const chunks *const c = arg;
    const uint64_t at = (uint64_t)index << LG_CHUNK, left = c->n - at;
    const uint64_t n = left < UINT64_C(1) << LG_CHUNK ? left : UINT64_C(1) << LG_CHUNK;
    (void)worker;
    for (int i = 0; i < PRIMES; i++) {
        c->parts[index].of[i] =
            (uint64_t)mpn_mod_1((const mp_limb_t *)c->p + at, (mp_size_t)n, primes[i]);
    }
}

static uint64_t times(uint64_t x, uint64_t y, uint64_t m) {
    return (uint64_t)((unsigned __int128)x * y % m);
}

// residues_of: {p, n}, by a team; each limb counts.
static residues residues_of(team *t, residues *parts, const uint64_t *p, uint64_t n) {
    chunks all = {p, n, parts};
    residues r = {{0}};
    team_run(t, take_residues, &all, chunk_count(n));
    for (int i = 0; i < PRIMES; i++) {
        uint64_t chunk = (uint64_t)(((unsigned __int128)1 << 64) % primes[i]);
        for (int k = 0; k < LG_CHUNK; k++) {  // 2^64 to the power 2^LG_CHUNK
            chunk = times(chunk, chunk, primes[i]);
        }
        for (uint64_t k = chunk_count(n); k-- > 0;) {
            r.of[i] = (times(r.of[i], chunk, primes[i]) + parts[k].of[i]) % primes[i];
        }
    }
    return r;
}

void product_check_residues(const uint64_t *r, const uint64_t *a, const uint64_t *b, uint64_t n) {
    void *memory = NULL;
    team *const t = start_team(&memory, all_cores());
    residues *const parts = malloc(chunk_count(2 * n) * sizeof *parts);
    if (parts == NULL) {
        product_stop("no memory for residues", 64 * n);
    }
    const residues x = residues_of(t, parts, a, n), y = residues_of(t, parts, b, n),
                   z = residues_of(t, parts, r, 2 * n);
    for (int i = 0; i < PRIMES; i++) {
        if (z.of[i] != times(x.of[i], y.of[i], primes[i])) {
            product_stop("wrong product", 64 * n);
        }
    }
    team_stop(t);
    free(memory), free(parts);
}

void product_check(const uint64_t *r, const uint64_t *a, const uint64_t *b, uint64_t n,
                   product_gmp *gmp) {
    product_gmp took = {.cores = all_cores()};
    if (n > UINT64_C(1) << (LG_GMP - 6)) {
        product_check_residues(r, a, b, n);
    } else {
        factors f = {(const mp_limb_t *)a, (const mp_limb_t *)b, malloc(16 * n), n, 1};
        if (gmp == NULL) {
            multiply(&f, 0, 0);
        } else {
            took.core_ns = core_time(&f);
        }
        if (memcmp(f.to, r, 16 * n) != 0) {
            product_stop("wrong product", 64 * n);
        }
        free(f.to);
        if (gmp != NULL && n <= UINT64_C(1) << (LG_CORES - 6)) {
            took.cores_ns = cores_time(&f, took.cores, took.core_ns);
        }
    }
    if (gmp != NULL) {
        *gmp = took;
    }
}
