// text_bench.c: decimal text to numbers on a device and back, characters in host memory, beside a
// product there of two numbers as long as the text's; they alternate in one process.
//
// Texts have 10^E digits; with --least the device converts short ones, too. Every call is timed by
// itself, until the device is idle. Up to --host-to our engine on the host, with as many threads,
// makes the same call once, and GMP up to --gmp-to. What is written must be the text that was read,
// and the number must have the text's residue modulo a random prime of 61 bits; else the program
// ends with status 1 and without its record.
//
// Prints a table; with --out appends records (bench/schema.md) to FOLDER/<chip>-arith.jsonl.
#include <gmp.h>
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
#include "primitives/cuda/runtime.h"
#include "primitives/residues/residue.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { MOST = 10, HOST_TO = 8, GMP_TO = 7 };
enum { SAMPLES = 5, QUICK_SAMPLES = 3 };

typedef struct {
    device_run run;
    unsigned host_to, gmp_to;
    uint64_t least;  // digits that the device converts; 0: the library's threshold
    cuda_stream stream;
    bigint_device *device;
    bigint_ctx *ctx, *host;
} bench;

// texts: a text, its number, and what is written; y is as long as x, for products.
typedef struct {
    bigint_ctx *ctx;
    char *text, *written;
    uint64_t digits;
    bigint x, y, product;
} texts;

// --- Contenders ----------------------------------------------------------------------------------

static bool read_text(void *self, cuda_stream stream) {
    texts *const s = self;
    (void)stream;  // the context's
    return bigint_set_decimal(s->ctx, &s->x, s->text, s->digits, NULL) == BIGINT_OK;
}

static bool write_text(void *self, cuda_stream stream) {
    texts *const s = self;
    (void)stream;
    return bigint_get_decimal(s->ctx, s->written, s->digits + 2, NULL, &s->x) == BIGINT_OK;
}

static bool multiply(void *self, cuda_stream stream) {
    texts *const s = self;
    (void)stream;
    return bigint_mul(s->ctx, &s->product, &s->x, &s->y) == BIGINT_OK;
}

// once: nanoseconds of one call on the host after one that warms up.
static double once(bool (*call)(void *, cuda_stream), texts *s) {
    uint64_t from = 0;
    for (int i = 0; i < 2; i++) {
        from = now_ns();
        if (!call(s, NULL)) {
            calls_stop("the host", bigint_ctx_error(s->ctx));
        }
    }
    return (double)(now_ns() - from);
}

// gmp_once: of the same by GMP; a text that GMP writes is compared.
static void gmp_once(const texts *s, double *read_ns, double *write_ns) {
    mpz_t z;
    mpz_init(z);
    const uint64_t begin = now_ns();
    mpz_set_str(z, s->text, 10);
    const uint64_t between = now_ns();
    mpz_get_str(s->written, 10, z);
    *read_ns = (double)(between - begin);
    *write_ns = (double)(now_ns() - between);
    mpz_clear(z);
}

// --- Checks --------------------------------------------------------------------------------------

static uint64_t text_residue(const char *s, uint64_t n, uint64_t p) {
    unsigned __int128 r = 0;
    for (uint64_t i = 0; i < n; i++) {
        r = (r * 10 + (unsigned)(s[i] - '0')) % p;
    }
    return (uint64_t)r;
}

static void check(const texts *s) {
    if (strlen(s->written) != s->digits || memcmp(s->written, s->text, s->digits) != 0) {
        calls_stop("written", "another text than was read");
    }
    const uint64_t p = random_prime(), most = bigint_limbs_bound(&s->x);
    uint64_t *const limbs = program_memory(most, sizeof *limbs, "limbs"), n = 0;
    calls_must(s->ctx, bigint_get_limbs(s->ctx, limbs, most, &n, NULL, &s->x));
    if (limbs_residue_reference(limbs, n, p) != text_residue(s->text, s->digits, p)) {
        calls_stop("read", "a number of another residue than the text's");
    }
    free(limbs);
}

// --- Rows ----------------------------------------------------------------------------------------

// texts_open: a text without zeros in front, the same on every run.
static texts texts_open(bigint_ctx *ctx, unsigned e) {
    texts s = {.ctx = ctx, .digits = 1};
    for (unsigned i = 0; i < e; i++) {
        s.digits *= 10;
    }
    s.text = program_memory(s.digits + 2, 1, "a text");
    s.written = program_memory(s.digits + 2, 1, "a text");
    gen g = gen_seed(e);
    gen_digits(&g, s.text, s.digits);
    s.text[0] = '7';
    s.text[s.digits] = '\0';
    memset(s.written, 0, s.digits + 2);  // its pages are there
    return s;
}

static void texts_clear(texts *s) {
    bigint_clear(s->ctx, &s->x), bigint_clear(s->ctx, &s->y), bigint_clear(s->ctx, &s->product);
}

static void record(const bench *b, const texts *s, const char *op, const device_times *t,
                   uint64_t bits, double host, double gmp) {
    char more[400], note[200];
    snprintf(more, sizeof more,
             ",\"bits\":%" PRIu64 ",\"digits\":%" PRIu64
             ",\"host_threads\":%u,\"products\":%.3f,\"host_ns\":%.0f,\"gmp\":\"GMP "
             "%s\",\"gmp_ns\":%.0f",
             bits, s->digits, b->run.range.threads, t[0].median_ns / t[1].median_ns, host,
             gmp_version, gmp);
    snprintf(note, sizeof note, "text %.2f M; host %.0f us, GMP %.0f us",
             t[0].median_ns / t[1].median_ns, host / 1e3, gmp / 1e3);
    const device_line line = {.topic = "arith",
                              .op = op,
                              .variant = "tuned",
                              .n = bits / 64,
                              .rows = 1,
                              .bytes = (double)s->digits + (double)bits / 8,
                              .times = t,
                              .rival = "bigint_mul",
                              .kase = "text",
                              .more = more,
                              .note = note,
                              .chosen = b->least == 0};
    device_record(&b->run, &line);
}

static void row(const bench *b, unsigned e) {
    texts s = texts_open(b->ctx, e);
    uint64_t bits;
    calls_must(s.ctx, bigint_set_decimal(s.ctx, &s.x, s.text, s.digits, NULL));
    calls_must(s.ctx, bigint_bits(s.ctx, &bits, &s.x));
    calls_must(s.ctx, bigint_tdiv_2exp(s.ctx, &s.y, &s.x, 1));
    device_copying copy = {device_alloc(s.digits), device_alloc(s.digits), s.digits};
    const device_side sides[] = {{read_text, &s, true},
                                 {multiply, &s, true},
                                 {write_text, &s, true},
                                 {device_copy_enqueue, &copy, true}};
    device_times t[4];
    if (!device_time(b->stream, sides, 4, 1, b->run.quick ? QUICK_SAMPLES : SAMPLES, t)) {
        calls_stop("text", bigint_ctx_error(s.ctx));
    }
    check(&s);
    texts_clear(&s);
    bigint_ctx_trim(s.ctx);
    double host[2] = {0}, gmp[2] = {0};
    if (e <= b->host_to) {
        s.ctx = b->host;
        host[0] = once(read_text, &s), host[1] = once(write_text, &s);
        check(&s);
        texts_clear(&s);
        bigint_ctx_trim(s.ctx);
    }
    if (e <= b->gmp_to) {
        gmp_once(&s, &gmp[0], &gmp[1]);
    }
    const device_times reading[] = {t[0], t[1], t[3]}, writing[] = {t[2], t[1], t[3]};
    record(b, &s, "read", reading, bits, host[0], gmp[0]);
    record(b, &s, "write", writing, bits, host[1], gmp[1]);
    device_free((void *)copy.from), device_free(copy.to);
    free(s.text), free(s.written);
}

// --- The command line ----------------------------------------------------------------------------

static const struct argp_option options[] = {
    {"host-to", 'h', "E", 0, "The host's engine up to 10^E digits (default 8)", 0},
    {"gmp-to", 'g', "E", 0, "GMP up to 10^E digits (default 7)", 0},
    {"least", 'l', "DIGITS", 0, "The device converts texts of that many digits, or more", 0},
    {0}};

static error_t parse(int key, char *value, struct argp_state *state) {
    bench *const b = state->input;
    switch (key) {
        case 'h':
            b->host_to = (unsigned)device_run_number(state, "host-to", value, 0, MOST);
            return 0;
        case 'g':
            b->gmp_to = (unsigned)device_run_number(state, "gmp-to", value, 0, MOST);
            return 0;
        case 'l':
            b->least = device_run_number(state, "least", value, 1, UINT64_C(10000000000));
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
            "Times decimal texts to numbers on a device and back, beside a product there, and "
            "checks every result."};
    bench b = {.run.range = {.sizes = "Texts of 10^N digits:",
                             .from = 6,
                             .to = 9,
                             .least = 1,
                             .most = MOST,
                             .quick = 6,
                             .threads = 12},
               .host_to = HOST_TO,
               .gmp_to = GMP_TO};
    device_run_start(&b.run, &own, &b, argc, argv);
    if (cuda_stream_create(&b.stream) != RESULT_OK) {
        calls_stop("no stream", "");
    }
    if (bigint_device_open(&b.device, 0, "cuda") != BIGINT_OK) {
        calls_stop("no device", bigint_device_error(b.device));
    }
    const bigint_ctx_options there = {.threads = b.run.range.threads, .stream = b.stream},
                             here = {.threads = b.run.range.threads};
    calls_must(b.ctx, bigint_ctx_create(&b.ctx, b.device, &there));
    calls_must(b.host, bigint_ctx_create(&b.host, NULL, &here));
    b.ctx->queue.forced.text_digits = b.least;
    for (unsigned e = b.run.range.from; e <= b.run.range.to; e++) {
        row(&b, e);
    }
    bigint_ctx_destroy(b.ctx), bigint_ctx_destroy(b.host);
    bigint_device_close(b.device);
    cuda_stream_destroy(b.stream);
    return 0;
}
