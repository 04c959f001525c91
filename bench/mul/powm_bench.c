// powm_bench.c: batches of modular powers, products and inverses on a device, against a copy and
// GMP on one core.
//
// A rival (outside.h) alternates with us where it has the operation. Numbers are random, of N bits,
// in device memory, with a modulus for each item. Moduli are odd with the highest bit set, and
// factors and bases are below them. bigint_powm_batch gets as many powers as an NVIDIA H200
// computes at once, and at 2048 bits also 1, 1000 and 4000. bigint_mulmod_batch,
// bigint_invmod_batch and bigint_divrem_batch (without quotients, dividends twice as long) get
// about 2^26 bits in each operand. Operands repeat after DISTINCT items. GMP computes these, and
// its time for them is in the record. Every result of the timed calls is compared, ours and the
// rival's. A wrong one ends the program with status 1 and without its record. Prints a table; with
// --out appends records (bench/schema.md) to FOLDER/<chip>-powm.jsonl.
#define _POSIX_C_SOURCE 199309L
#include <gmp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "apps/program.h"
#include "bench/device/outside.h"
#include "bench/device/record.h"
#include "bigint/bigint.h"
#include "primitives/cuda/runtime.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { DISTINCT = 8, OPERANDS = OUTSIDE_OPERANDS, BITS_MAX = 16, LG_BITS_MOST = 20 };
static const uint64_t TOP = UINT64_C(1) << 63;

// operation: what an item is: {x[0], factor n limbs}, x[1] and modulus x[2] to a result of n limbs.
typedef struct {
    const char *name;
    uint64_t factor;
    void (*gmp)(mpz_t r, mpz_t *x);
    bigint_status (*call)(bigint_ctx *ctx, const bigint_span *r, const bigint_span *x);
} operation;

static void gmp_powm(mpz_t r, mpz_t *x) { mpz_powm(r, x[0], x[1], x[2]); }
static void gmp_mulmod(mpz_t r, mpz_t *x) { mpz_mul(r, x[0], x[1]), mpz_mod(r, r, x[2]); }
static void gmp_remainder(mpz_t r, mpz_t *x) { mpz_tdiv_r(r, x[0], x[2]); }
static void gmp_invmod(mpz_t r, mpz_t *x) {
    if (mpz_invert(r, x[0], x[2]) == 0) {
        mpz_set_ui(r, 0);
    }
}
static bigint_status call_powm(bigint_ctx *ctx, const bigint_span *r, const bigint_span *x) {
    return bigint_powm_batch(ctx, r, &x[0], &x[1], &x[2]);
}
static bigint_status call_mulmod(bigint_ctx *ctx, const bigint_span *r, const bigint_span *x) {
    return bigint_mulmod_batch(ctx, r, &x[0], &x[1], &x[2]);
}
static bigint_status call_remainder(bigint_ctx *ctx, const bigint_span *r, const bigint_span *x) {
    return bigint_divrem_batch(ctx, NULL, r, &x[0], &x[2]);
}
static bigint_status call_invmod(bigint_ctx *ctx, const bigint_span *r, const bigint_span *x) {
    return bigint_invmod_batch(ctx, r, &x[0], &x[2]);
}

enum { POWM, OPERATIONS = 4 };
static const operation operations[OPERATIONS] = {
    {"powm", 1, gmp_powm, call_powm},
    {"mulmod", 1, gmp_mulmod, call_mulmod},
    {"invmod", 1, gmp_invmod, call_invmod},
    {"remainder", 2, gmp_remainder, call_remainder},
};

typedef struct {
    device_run run;
    const operation *op;  // NULL: all
    uint64_t bits[BITS_MAX];
    unsigned sizes;
    outside_rival rival;
} bench;

// items: a batch on a context of the stream that it is first enqueued on.
typedef struct {
    const operation *op;
    uint64_t n, count;
    uint64_t *memory[OPERANDS], *result[2];  // on the device, ours and the rival's
    uint64_t *want;                          // DISTINCT results
    double gmp_ns;                           // of one of them
    bigint_device *device;
    bigint_ctx *ctx;
} items;

// limbs_of: of operand k.
static uint64_t limbs_of(const items *p, int k) { return k == 0 ? p->op->factor * p->n : p->n; }

static void stop(const char *why) {
    fprintf(stderr, "powm_bench: %s\n", why);
    exit(1);
}

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

// draw: operands, and GMP's results.
static void draw(items *p, uint64_t *limbs[OPERANDS]) {
    const uint64_t n = p->n;
    gen g = gen_seed(n);
    mpz_t x[OPERANDS];
    mpz_inits(x[0], x[1], x[2], NULL);
    p->want = program_memory(DISTINCT * n, sizeof *p->want, "results");
    for (unsigned i = 0; i < DISTINCT; i++) {
        for (int k = 0; k < OPERANDS; k++) {
            const uint64_t kn = limbs_of(p, k);
            uint64_t *const at = limbs[k] + i * kn;
            gen_limbs(&g, GEN_UNIFORM, at, kn);
            if (k == 2) {
                at[0] |= 1, at[n - 1] |= TOP;
            } else if (k == 0) {
                at[kn - 1] &= ~TOP;
            }
            mpz_import(x[k], kn, -1, 8, 0, 0, at);
        }
        const double begin = now_ns();
        p->op->gmp(x[0], x);
        p->gmp_ns += (now_ns() - begin) / DISTINCT;
        mpz_export(p->want + i * n, NULL, -1, 8, 0, 0, x[0]);
    }
    mpz_clears(x[0], x[1], x[2], NULL);
}

static items items_open(const operation *op, uint64_t bits, uint64_t count) {
    items p = {.op = op, .n = bits / 64, .count = count};
    uint64_t *limbs[OPERANDS];
    for (int k = 0; k < OPERANDS; k++) {
        const uint64_t most = count > DISTINCT ? count : DISTINCT;
        limbs[k] = program_memory(most * limbs_of(&p, k), sizeof(uint64_t), "operands");
    }
    draw(&p, limbs);
    for (int k = 0; k < 2; k++) {
        p.result[k] = device_alloc(p.n * count * sizeof(uint64_t));
    }
    for (int k = 0; k < OPERANDS; k++) {
        const uint64_t n = limbs_of(&p, k);
        const size_t all = n * count * sizeof(uint64_t);
        for (uint64_t i = DISTINCT; i < count; i++) {
            memcpy(limbs[k] + i * n, limbs[k] + i % DISTINCT * n, n * sizeof(uint64_t));
        }
        p.memory[k] = device_alloc(all);
        if (p.memory[k] == NULL || p.result[k != 0] == NULL ||
            !device_upload(p.memory[k], limbs[k], all)) {
            stop("no memory on the device");
        }
        free(limbs[k]);
    }
    return p;
}

static void items_check(const items *p, const uint64_t *there) {
    uint64_t *got = program_memory(p->n * p->count, sizeof *got, "results");
    if (!device_download(got, there, p->n * p->count * sizeof *got)) {
        stop("no results");
    }
    for (uint64_t i = 0; i < p->count; i++) {
        if (memcmp(got + i * p->n, p->want + i % DISTINCT * p->n, p->n * sizeof *got) != 0) {
            stop(there == p->result[0] ? "a result is wrong" : "a rival's result is wrong");
        }
    }
    free(got);
}

static void items_close(items *p) {
    for (int k = 0; k < OPERANDS; k++) {
        device_free(p->memory[k]);
    }
    device_free(p->result[0]), device_free(p->result[1]);
    free(p->want);
    bigint_ctx_destroy(p->ctx);
    bigint_device_close(p->device);
}

static bool items_enqueue(void *self, cuda_stream stream) {
    items *p = self;
    const bigint_ctx_options options = {.stream = stream};
    if (p->ctx == NULL && (bigint_device_open(&p->device, 0, "cuda") != BIGINT_OK ||
                           bigint_ctx_create(&p->ctx, p->device, &options) != BIGINT_OK)) {
        return false;
    }
    bigint_span s[OPERANDS + 1];
    for (int k = 0; k <= OPERANDS; k++) {
        const uint64_t n = k < OPERANDS ? limbs_of(p, k) : p->n;
        s[k] = (bigint_span){.p = k < OPERANDS ? p->memory[k] : p->result[0],
                             .n = n,
                             .stride = n,
                             .count = p->count};
    }
    return p->op->call(p->ctx, &s[OPERANDS], s) == BIGINT_OK;
}

static void row(const bench *b, const operation *op, uint64_t bits, uint64_t count) {
    cuda_stream stream = NULL;
    items p = items_open(op, bits, count);
    const uint64_t inputs = op->factor == 2 || op->call == call_invmod ? 2 : 3;  // of n limbs
    const size_t bytes = (inputs + op->factor) * p.n * count * sizeof(uint64_t);
    void *copies[2] = {device_alloc(bytes / 2), device_alloc(bytes / 2)};
    device_copying copy = {copies[0], copies[1], bytes / 2};
    outside_batch rival = {&b->rival, op->name, 64 * p.n, count, p.result[1], {NULL}};
    memcpy(rival.x, p.memory, sizeof rival.x);
    const bool beside = outside_has(&b->rival, op->name, rival.bits);
    device_side sides[3] = {{items_enqueue, &p, false}, {outside_side, &rival, false}};
    sides[1 + beside] = (device_side){device_copy_enqueue, &copy, false};
    device_times times[3];
    if (cuda_stream_create(&stream) != RESULT_OK ||
        !device_time(stream, sides, 2 + beside, 1, b->run.quick ? 3 : 7, times)) {
        stop(bigint_ctx_error(p.ctx));
    }
    items_check(&p, p.result[0]);
    if (beside) {
        items_check(&p, p.result[1]);
    }
    const double per_second = 1e9 * (double)count / times[0].median_ns;
    char more[200], note[80];
    snprintf(more, sizeof more, ",\"bits\":%" PRIu64 ",\"per_second\":%.1f,\"gmp_core_ns\":%.1f",
             bits, per_second, p.gmp_ns);
    snprintf(note, sizeof note, "%.1f items/ms, %.0f x a core of GMP", 1e-3 * per_second,
             per_second * 1e-9 * p.gmp_ns);
    const device_line line = {.topic = "powm",
                              .op = op == &operations[POWM] ? "batch" : op->name,
                              .variant = "tuned",
                              .n = p.n,
                              .rows = count,
                              .bytes = (double)bytes,
                              .times = times,
                              .rival = beside ? b->rival.name : NULL,
                              .more = more,
                              .note = note,
                              .chosen = true};
    device_record(&b->run, &line);
    items_close(&p);
    device_free(copies[0]), device_free(copies[1]);
    cuda_stream_destroy(stream);
}

// --- The command line ----------------------------------------------------------------------------

enum { OP = 1, BITS, RIVAL };

static const struct argp_option options[] = {
    {"op", OP, "NAME", 0, "powm, mulmod, invmod or remainder (default: all)", 0},
    {"bits", BITS, "N", 0, "Numbers of N bits (default: 512 to 8192); may be repeated", 0},
    {"rival", RIVAL, "LIBRARY", 0, "A rival's library (bench/schema.md)", 0},
    {0}};

static const operation *operation_named(const char *name, const struct argp_state *state) {
    unsigned k = 0;
    while (k < OPERATIONS && strcmp(operations[k].name, name) != 0) {
        k++;
    }
    if (k == OPERATIONS) {
        argp_error(state, "--op: no operation is called '%s'", name);
    }
    return &operations[k];
}

static error_t parse(int key, char *value, struct argp_state *state) {
    bench *const b = state->input;
    const char *error;
    switch (key) {
        case OP:
            b->op = operation_named(value, state);
            break;
        case BITS:
            b->bits[device_run_another(&b->sizes, BITS_MAX, state)] =
                (device_run_number(state, "bits", value, 1, 1 << LG_BITS_MOST) + 63) / 64 * 64;
            break;
        case RIVAL:
            if (!outside_open(&b->rival, value, &error)) {
                argp_error(state, "--rival %s: %s", value, error);
            }
            break;
        default:
            return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

int main(int argc, char **argv) {
    static const uint64_t usual[] = {512, 1024, 2048, 3072, 4096, 8192};
    static const struct argp own = {
        .options = options,
        .parser = parse,
        .doc =
            "Times batches of modular powers, products, inverses and remainders on a device "
            "against a copy and GMP, and checks every result."};
    bench b = {0};
    device_run_start(&b.run, &own, &b, argc, argv);
    for (unsigned i = 0; b.sizes == 0 && i < sizeof usual / sizeof *usual; i++) {
        b.bits[i] = usual[i];
    }
    const unsigned sizes = b.sizes != 0 ? b.sizes : sizeof usual / sizeof *usual;
    for (unsigned k = 0; k < OPERATIONS; k++) {
        const operation *const op = &operations[k];
        for (unsigned i = 0; i < sizes && (b.op == NULL || b.op == op); i++) {
            // 33792 lanes, of 20 digits of 52 bits at most, in powers of two.
            uint64_t lanes = 1;
            while (1040 * lanes < b.bits[i] + 2) {
                lanes *= 2;
            }
            row(&b, op, b.bits[i], k == POWM ? 33792 / lanes : (1 << 26) / b.bits[i]);
        }
    }
    static const uint64_t few[] = {1, 1000, 4000};
    for (unsigned i = 0; b.sizes == 0 && b.op == NULL && i < sizeof few / sizeof *few; i++) {
        row(&b, &operations[POWM], 2048, few[i]);
    }
    return 0;
}
