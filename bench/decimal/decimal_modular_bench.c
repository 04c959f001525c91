// decimal_modular_bench.c: products of decimal texts by the modular transform, characters in device
// memory, beside a product of limbs with as many digits; they alternate in one process.
//
// Texts have 10^E digits and 3 10^E, or --digits. Beside them its steps, each alone; where it is
// proved exact and up to --real-to digits, the same product by reals in floating point in the
// largest base; and the whole call, bigint_mul_decimal from and to host memory. The product has the
// residue of its factors' modulo a random prime of 61 bits, and both ways write the same text; else
// the program ends with status 1 and without its record.
//
// Prints a table; with --out appends records (bench/schema.md) to
// FOLDER/<chip>-decimal-modular.jsonl.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "bench/device/calls.h"
#include "bench/device/record.h"
#include "bench/mul/random_prime.h"
#include "bigint/bigint.h"
#include "bigint/core/context.h"
#include "bigint/device/decimal/product.h"
#include "bigint/device/decimal_modular.h"
#include "primitives/cuda/runtime.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { SAMPLES = 11, QUICK_SAMPLES = 3, REAL_TO = 10000000, WORD = 18 };

typedef struct {
    device_run run;
    uint64_t real_to;
    uint64_t digits;  // 0: the range's
    unsigned primes;  // 0: the plan's choice
    cuda_stream stream;
    bigint_device *device;
    bigint_ctx *ctx, *limbs;  // of the texts, and of the product of limbs
} bench;

// product: two texts of n digits and their product, on the host and the device.
typedef struct {
    const bench *b;
    uint64_t n;
    char *host[3], *device[3], *found;
    decimal_modular modular;
    decimal_plan plan;
    decimal_product real;
    bigint x, y, r;
} product;

// --- Contenders ----------------------------------------------------------------------------------

static bool run_modular(void *self, cuda_stream stream) {
    const product *const p = self;
    (void)stream;  // the context's
    return decimal_modular_run(&p->modular, p->device[2], p->device[0], p->device[1]) == RESULT_OK;
}

static bool run_pack(void *self, cuda_stream stream) {
    const product *const p = self;
    (void)stream;
    return decimal_modular_pack(&p->modular, p->device[0], p->device[1]) == RESULT_OK;
}

static bool run_convolve(void *self, cuda_stream stream) {
    const product *const p = self;
    (void)stream;
    return decimal_modular_convolve(&p->modular) == RESULT_OK;
}

static bool run_write(void *self, cuda_stream stream) {
    const product *const p = self;
    (void)stream;
    return decimal_modular_write(&p->modular, p->device[2]) == RESULT_OK;
}

static bool run_real(void *self, cuda_stream stream) {
    product *const p = self;
    p->real.stream = stream;
    return decimal_product_run(&p->real, p->device[0], p->device[1], p->device[2]) == RESULT_OK;
}

static bool run_limbs(void *self, cuda_stream stream) {
    product *const p = self;
    (void)stream;
    return bigint_mul(p->b->limbs, &p->r, &p->x, &p->y) == BIGINT_OK;
}

static bool run_call(void *self, cuda_stream stream) {
    const product *const p = self;
    (void)stream;
    return bigint_mul_decimal(p->b->ctx, p->found, 2 * p->n + 1, NULL, p->host[0], p->n, p->host[1],
                              p->n, NULL) == BIGINT_OK;
}

// --- Checks --------------------------------------------------------------------------------------

static uint64_t residue(const char *s, uint64_t n, uint64_t p) {
    unsigned __int128 r = 0;
    for (uint64_t at = 0; at < n;) {
        uint64_t word = 0, scale = 1;
        for (unsigned k = 0; k < WORD && at < n; k++, at++) {
            word = word * 10 + (uint64_t)(s[at] - '0');
            scale *= 10;
        }
        r = (r * (scale % p) + word) % p;
    }
    return (uint64_t)r;
}

// learn: the text that the modular way has left is right; the others have to write the same.
static void learn(const product *p) {
    const uint64_t prime = random_prime();
    if (!device_download(p->host[2], p->device[2], 2 * p->n)) {
        calls_stop("the product", "cannot be read");
    }
    const unsigned __int128 expected = (unsigned __int128)residue(p->host[0], p->n, prime) *
                                       residue(p->host[1], p->n, prime) % prime;
    for (uint64_t i = 0; i < 2 * p->n; i++) {
        if (p->host[2][i] < '0' || p->host[2][i] > '9') {
            calls_stop("the product", "has other characters than digits");
        }
    }
    if (residue(p->host[2], 2 * p->n, prime) != expected) {
        calls_stop("the product", "has another residue than its factors'");
    }
}

static void compare(const product *p, const char *found, const char *what) {
    const uint64_t less = p->host[2][0] == '0';
    if (memcmp(found, p->host[2] + less, 2 * p->n - less) != 0) {
        calls_stop(what, "writes another text than the modular way");
    }
}

// --- Rows ----------------------------------------------------------------------------------------

static void open_texts(product *p) {
    gen g = gen_seed(p->n);
    for (int i = 0; i < 3; i++) {
        p->host[i] = program_memory(2 * p->n, 1, "a text");
        p->device[i] = device_alloc(2 * p->n);
        for (uint64_t k = 0; i < 2 && k < p->n; k++) {
            p->host[i][k] = (char)('0' + gen_below(&g, 10));
        }
        p->host[i][0] = '7';
        if (!device_upload(p->device[i], p->host[i], p->n)) {
            calls_stop("a text", "cannot be sent");
        }
    }
    p->found = program_memory(2 * p->n + 1, 1, "a text");
    memset(p->found, 0, 2 * p->n + 1);  // its pages are there
}

// open_limbs: two numbers with the bits of n digits.
static void open_limbs(product *p) {
    bigint_ctx *const ctx = p->b->limbs;
    const uint64_t limbs = (uint64_t)((double)p->n * 3.3219280948873623 / 64) + 1;
    uint64_t *const from = program_memory(limbs, sizeof *from, "limbs");
    gen g = gen_seed(limbs);
    for (uint64_t i = 0; i < limbs; i++) {
        from[i] = gen_u64(&g) | 1;
    }
    calls_must(ctx, bigint_set_limbs(ctx, &p->x, from, limbs, 1));
    calls_must(ctx, bigint_tdiv_2exp(ctx, &p->y, &p->x, 1));
    free(from);
}

// open_real: the plan by reals, and its memory; false if none is proved or it is too long.
static bool open_real(product *p) {
    const decimal_way way = {.method = DECIMAL_REAL};
    if (p->n > p->b->real_to || decimal_plan_make(&p->plan, &way, p->n, p->n, 1, false) != NULL) {
        return false;
    }
    const size_t words = decimal_product_words_bytes(&p->plan);
    p->real = (decimal_product){.plan = &p->plan,
                                .memory = device_alloc(decimal_product_bytes(&p->plan)),
                                .words = device_alloc(words),
                                .words_bytes = words};
    return device_fill(p->real.words, 0, words) && decimal_product_tables(&p->real) == RESULT_OK;
}

// real_ns: of the way by reals, 0 if there is none.
static double real_ns(product *p, unsigned samples) {
    const device_side side = {run_real, p, true};
    device_times t = {0};
    if (open_real(p)) {
        if (!device_time(p->b->stream, &side, 1, 1, samples, &t)) {
            calls_stop("the product by reals", "failed");
        }
        const uint64_t less = p->host[2][0] == '0';
        if (!device_download(p->found, p->device[2], 2 * p->n)) {
            calls_stop("the product by reals", "cannot be read");
        }
        compare(p, p->found + less, "the product by reals");
    }
    device_free(p->real.memory), device_free(p->real.words);
    return t.median_ns;
}

static double call_ns(product *p, unsigned samples) {
    const device_side side = {run_call, p, true};
    device_times t;
    if (!device_time(p->b->stream, &side, 1, 1, samples, &t)) {
        calls_stop("bigint_mul_decimal", bigint_ctx_error(p->b->ctx));
    }
    compare(p, p->found, "bigint_mul_decimal");
    return t.median_ns;
}

static void record(const product *p, const device_times *t, const device_times *step, double real,
                   double call) {
    const fft_modular_plan *const m = &p->modular.plan.modular;
    char more[500], note[200];
    snprintf(more, sizeof more,
             ",\"digits\":%" PRIu64
             ",\"products\":%.3f,\"real_ns\":%.0f,\"call_ns\":%.0f,\"host_threads\":%u,"
             "\"points\":%" PRIu64 ",\"wrapped\":%" PRIu64
             ",\"primes\":%u,\"pack_ns\":%.0f,\"convolve_ns\":%.0f,\"write_ns\":%.0f",
             p->n, t[0].median_ns / t[1].median_ns, real, call, p->b->run.range.threads,
             fft_modular_points(m), m->wrapped, m->primes, step[0].median_ns, step[1].median_ns,
             step[2].median_ns);
    snprintf(
        note, sizeof note,
        "%.3f M; %u primes; steps %.1f, %.1f, %.1f us; by reals %.1f us, the whole call %.1f us",
        t[0].median_ns / t[1].median_ns, m->primes, step[0].median_ns / 1e3,
        step[1].median_ns / 1e3, step[2].median_ns / 1e3, real / 1e3, call / 1e3);
    const device_line line = {.topic = "decimal-modular",
                              .op = "mul",
                              .variant = p->b->primes == 0 ? "tuned" : "forced",
                              .engine = "modular-fft",
                              .n = p->n,
                              .rows = 1,
                              .bytes = 4.0 * (double)p->n,
                              .times = t,
                              .rival = "bigint_mul",
                              .kase = "mul",
                              .more = more,
                              .note = note};
    device_record(&p->b->run, &line);
}

static void row(const bench *b, uint64_t n) {
    product p = {.b = b, .n = n};
    const unsigned samples = b->run.quick ? QUICK_SAMPLES : SAMPLES;
    open_texts(&p), open_limbs(&p);
    if (!decimal_modular_plan(b->ctx, &p.modular, n, n, false)) {
        calls_stop("the modular way", "has no plan");
    }
    calls_must(b->ctx, decimal_modular_open(b->ctx, "bench", &p.modular));
    device_copying copy = {device_alloc(2 * n), device_alloc(2 * n), 2 * n};
    const device_side sides[] = {
        {run_modular, &p, true}, {run_limbs, &p, true}, {device_copy_enqueue, &copy, true}};
    device_times t[3];
    if (!device_time(b->stream, sides, 3, 1, samples, t)) {
        calls_stop("the modular way", bigint_ctx_error(b->ctx));
    }
    learn(&p);
    const device_side steps[] = {
        {run_pack, &p, true}, {run_convolve, &p, true}, {run_write, &p, true}};
    device_times step[3];
    if (!device_time(b->stream, steps, 3, 1, samples, step)) {
        calls_stop("a step", bigint_ctx_error(b->ctx));
    }
    decimal_modular_close(&p.modular);
    const double real = real_ns(&p, samples), call = call_ns(&p, samples);
    record(&p, t, step, real, call);
    bigint_clear(b->limbs, &p.x), bigint_clear(b->limbs, &p.y), bigint_clear(b->limbs, &p.r);
    device_free((void *)copy.from), device_free(copy.to);
    for (int i = 0; i < 3; i++) {
        free(p.host[i]), device_free(p.device[i]);
    }
    free(p.found);
}

static const struct argp_option options[] = {
    {"real-to", 'r', "N", 0, "digits up to which reals make the product, too", 0},
    {"digits", 'd', "N", 0, "texts of N digits alone", 0},
    {"primes", 'p', "N", 0, "the base of 3, 4 or 6 primes; 0: the fastest", 0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state) {
    bench *const b = state->input;
    switch (key) {
        case 'r':
            b->real_to = device_run_number(state, "real-to", value, 0, 1 << 30);
            return 0;
        case 'd':
            b->digits = device_run_number(state, "digits", value, 1, 1 << 30);
            return 0;
        case 'p':
            b->primes = (unsigned)device_run_number(state, "primes", value, 0, FFT_MODULAR_PRIMES);
            return 0;
        default:
            return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv) {
    static const struct argp own = {
        .options = options,
        .parser = parse,
        .doc =
            "Times products of decimal texts by the modular transform, beside products of limbs "
            "with as many digits, and checks every one."};
    bench b = {.run.range = {.sizes = "Texts of 10^N digits:",
                             .from = 3,
                             .to = 8,
                             .least = 1,
                             .most = 9,
                             .quick = 5,
                             .threads = 12},
               .real_to = REAL_TO};
    device_run_start(&b.run, &own, &b, argc, argv);
    if (cuda_stream_create(&b.stream) != RESULT_OK ||
        bigint_device_open(&b.device, 0, "cuda") != BIGINT_OK) {
        calls_stop("the device", "cannot be used");
    }
    const bigint_ctx_options with = {
        .threads = b.run.range.threads, .stream = b.stream, .engine = "modular-fft"};
    calls_must(b.ctx, bigint_ctx_create(&b.ctx, b.device, &with));
    b.ctx->queue.forced.primes = b.primes;
    calls_must(b.limbs,
               bigint_ctx_create(&b.limbs, b.device, &(bigint_ctx_options){.stream = b.stream}));
    const device_range *const r = &b.run.range;
    uint64_t n = 1;
    if (b.digits != 0) {
        row(&b, b.digits);
    }
    for (unsigned e = 0; b.digits == 0 && e <= r->to; e++, n *= 10) {
        if (e >= r->from) {
            row(&b, n);
            if (e < r->to) {
                row(&b, 3 * n);
            }
        }
    }
    bigint_ctx_destroy(b.ctx), bigint_ctx_destroy(b.limbs);
    bigint_device_close(b.device);
    cuda_stream_destroy(b.stream);
    return 0;
}
