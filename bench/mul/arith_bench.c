// arith_bench.c: division, roots, powers and products modulo 2^n -+ 1 on a device, each beside a
// product of two numbers of n bits that alternates with it in one process.
//
// Limbs in device memory to limbs there; every call is timed by itself, since divisions and roots
// wait for a length. Cases, n = 2^LG bits:
//   divrem   2 n bits by n bits: quotient and remainder, or one alone, or by a divisor whose
//            reciprocal is kept; the reciprocal of n bits
//   sqrt     the root of 2 n bits, with and without the remainder
//   mod      products of n by n bits modulo 2^n - 1 and 2^n + 1
//   root     the cube root of 2 n bits, with and without the remainder, and the fifth root with it
//   rsqrt    2^(3 n / 2) / sqrt(y) of n bits, rounded
//   powm     y^(2^64 - 1) modulo odd and even numbers of n bits, up to 2^30 bits
// Prints a table; with --out appends records (bench/schema.md) to FOLDER/<chip>-arith.jsonl. Up to
// --host-to the host's engine and GMP make the same call once. Every result is checked by its
// identity modulo a random prime of 61 bits, and by its range. A wrong one ends the program with
// status 1 and without its record.
#include <gmp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/device/record.h"
#include "bench/mul/arith_side.h"
#include "bench/mul/random_prime.h"
#include "bigint/core/context.h"
#include "primitives/cuda/runtime.h"
#include "tests/support/device.h"

enum { LG_TO = 32, LG_HOST = 24, LG_POWM = 30, LG_POWM_HOST = 20 };
enum { CASES = 6 };

static const char *const cases[CASES] = {"divrem", "sqrt", "mod", "root", "rsqrt", "powm"};

typedef struct {
    device_run_parts parts;  // first: the parser of parts has it as its input
    device_run run;
    unsigned host_to;
    device_forced forced;
    cuda_stream stream;
} bench;

// --- Contenders ---------------------------------------------------------------------------------

static bool enqueue(void *self, cuda_stream stream) {
    (void)stream;  // the context's
    return arith_call(self) == BIGINT_OK;
}

static bool enqueue_product(void *self, cuda_stream stream) {
    arith_side *const s = self;
    (void)stream;
    return bigint_mul(s->ctx, &s->product, &s->y, &s->z) == BIGINT_OK;
}

// --- Rows ----------------------------------------------------------------------------------------

static bool is_powm(arith_op o) { return o == POWM || o == POWM_EVEN; }

// by_host: whether the host makes the call of this size, too.
static bool by_host(const bench *b, arith_op o, uint64_t bits) {
    const unsigned most = is_powm(o) && b->host_to > LG_POWM_HOST ? LG_POWM_HOST : b->host_to;
    return arith_on_host(o) && bits <= UINT64_C(1) << most;
}

// host_ns: one call of our engine on the host after one that warms up, in nanoseconds.
static double host_ns(const bench *b, arith_op o, uint64_t n) {
    if (!by_host(b, o, 64 * n)) {
        return 0;
    }
    arith_side s;
    arith_open(&s, false, NULL, n);
    s.op = o;
    arith_must(&s, arith_call(&s));
    const uint64_t from = now_ns();
    arith_must(&s, arith_call(&s));
    const double ns = (double)(now_ns() - from);
    arith_close(&s);
    return ns;
}

// gmp_call: the same by GMP, of numbers in m: x, y, z, and q, r for the results. GMP has no
// reciprocal root: a root of a quotient takes its place.
static void gmp_call(const arith_side *s, mpz_t *m) {
    const arith_op o = s->op;
    const uint64_t bits = s->bits;
    if (is_powm(o)) {
        mpz_set_ui(m[3], UINT64_MAX);
        mpz_powm(m[4], m[1], m[3], m[2]);
    } else if (o == RSQRT) {
        mpz_set_ui(m[3], 0), mpz_setbit(m[3], 2 * arith_places(s));
        mpz_tdiv_q(m[3], m[3], m[1]);
        mpz_sqrt(m[4], m[3]);
    } else if (o == CUBE_ROOT) {
        mpz_root(m[3], m[0], 3);
    } else if (o == CUBE_BOTH || o == FIFTH_BOTH) {
        mpz_rootrem(m[3], m[4], m[0], arith_degree(o));
    } else if (o == DIVREM) {
        mpz_tdiv_qr(m[3], m[4], m[0], m[1]);
    } else if (o == QUOTIENT) {
        mpz_tdiv_q(m[3], m[0], m[1]);
    } else if (o == REMAINDER) {
        mpz_tdiv_r(m[4], m[0], m[1]);
    } else if (o == SQRT) {
        mpz_sqrt(m[3], m[0]);
    } else if (o == SQRTREM) {
        mpz_sqrtrem(m[3], m[4], m[0]);
    } else {
        mpz_mul(m[3], m[1], m[2]);
        mpz_tdiv_q_2exp(m[4], m[3], bits), mpz_tdiv_r_2exp(m[3], m[3], bits);
        o == MINUS1 ? mpz_add(m[4], m[3], m[4]) : mpz_sub(m[4], m[3], m[4]);
    }
}

static double gmp_ns(const bench *b, const arith_side *s) {
    if (!by_host(b, s->op, s->bits)) {
        return 0;
    }
    const bigint *const from[] = {&s->x, &s->y,
                                  s->op == POWM        ? &s->odd
                                  : s->op == POWM_EVEN ? &s->even
                                                       : &s->z};
    mpz_t m[5];
    for (unsigned i = 0; i < 5; i++) {
        mpz_init(m[i]);
        if (i < 3) {
            uint64_t n;
            uint64_t *const p = arith_limbs(s, from[i], &n);
            mpz_import(m[i], n, -1, 8, 0, 0, p);
            free(p);
        }
    }
    gmp_call(s, m);
    const uint64_t start = now_ns();
    gmp_call(s, m);
    const double ns = (double)(now_ns() - start);
    for (unsigned i = 0; i < 5; i++) {
        mpz_clear(m[i]);
    }
    return ns;
}

static void measure(const bench *b, arith_side *s, arith_op o) {
    const uint64_t n = s->bits / 64, bytes = 8 * n;
    s->op = o;
    device_copying copy = {device_alloc(bytes), device_alloc(bytes), bytes};
    const device_side sides[] = {
        {enqueue, s, true}, {enqueue_product, s, true}, {device_copy_enqueue, &copy, true}};
    device_times t[3];
    if (!device_time(b->stream, sides, 3, n > 1 << 16 ? 1 : 4, b->run.quick ? 5 : 11, t)) {
        arith_stop(arith_ops[o].kase, bigint_ctx_error(s->ctx));
    }
    if (!arith_right(s, random_prime())) {
        arith_stop(arith_ops[o].kase, "a wrong result");
    }
    const double host = host_ns(b, o, n), gmp = gmp_ns(b, s);
    const double products = t[0].median_ns / t[1].median_ns;
    char more[400], note[200], steps[80] = "";
    if (is_powm(o)) {
        snprintf(steps, sizeof steps, ",\"steps\":%d,\"step_products\":%.3f", ARITH_STEPS,
                 products / ARITH_STEPS);
    }
    snprintf(more, sizeof more,
             ",\"bits\":%" PRIu64 ",\"block\":%" PRIu64 ",\"levels\":%u,\"first\":%" PRIu64
             ",\"series\":%" PRIu64 ",\"start\":%" PRIu64 ",\"root_series\":%" PRIu64
             ",\"waits\":%" PRIu64
             ",\"products\":%.3f,\"host_ns\":%.0f,\"gmp\":\"GMP %s\","
             "\"gmp_ns\":%.0f%s",
             s->bits, b->forced.quotient_limbs, b->forced.quotient_levels,
             b->forced.reciprocal_limbs, b->forced.series_limbs, b->forced.root_limbs,
             b->forced.root_series, b->forced.quotient_waits, products, host, gmp_version, gmp,
             steps);
    snprintf(note, sizeof note, "%s %.2f M; host %.0f us, GMP %.0f us", arith_ops[o].kase, products,
             host / 1e3, gmp / 1e3);
    const bool forced = b->forced.quotient_limbs + b->forced.quotient_levels +
                            b->forced.reciprocal_limbs + b->forced.series_limbs +
                            b->forced.quotient_waits + b->forced.root_limbs +
                            b->forced.root_series >
                        0;
    const device_line line = {.topic = "arith",
                              .op = arith_ops[o].name,
                              .variant = forced ? "forced" : "tuned",
                              .n = n,
                              .rows = 1,
                              .bytes = 3.0 * (double)bytes,
                              .times = t,
                              .rival = "bigint_mul",
                              .kase = arith_ops[o].kase,
                              .more = more,
                              .note = note,
                              .chosen = !forced};
    device_record(&b->run, &line);
    device_free((void *)copy.from), device_free(copy.to);
}

// --- The command line ----------------------------------------------------------------------------

enum { HOST_TO = 1, BLOCK, LEVELS, FIRST, SERIES, WAITS, START, ROOT_SERIES };

static const struct argp_option options[] = {
    {"host-to", HOST_TO, "LG", 0, "The host's engine and GMP up to 2^LG bits (default 24)", 0},
    {"block", BLOCK, "LIMBS", 0, "Limbs of a quotient that are found at a time", 0},
    {"levels", LEVELS, "N", 0, "Levels of a series by which a quotient is found, 1 to 5", 0},
    {"first", FIRST, "LIMBS", 0, "Limbs of a reciprocal that one launch finds, 4 to 1040", 0},
    {"series", SERIES, "LIMBS", 0, "Most limbs of a reciprocal that a series finds; 1: none", 0},
    {"waits", WAITS, "LIMBS", 0, "The least divisor for which a quotient alone waits", 0},
    {"start", START, "LIMBS", 0, "Limbs of a reciprocal root that the host computes", 0},
    {"root-series", ROOT_SERIES, "LIMBS", 0, "The longest square root that a series finds; 1: none",
     0},
    {0}};

static error_t parse(int key, char *value, struct argp_state *state) {
    bench *const b = state->input;
    switch (key) {
        case HOST_TO:
            b->host_to = (unsigned)device_run_number(state, "host-to", value, 0, LG_TO);
            break;
        case BLOCK:
            b->forced.quotient_limbs = device_run_number(state, "block", value, 2, 1 << 26);
            break;
        case LEVELS:
            b->forced.quotient_levels = (unsigned)device_run_number(state, "levels", value, 1, 5);
            break;
        case SERIES:
            b->forced.series_limbs = device_run_number(state, "series", value, 1, 1 << 26);
            break;
        case FIRST:
            b->forced.reciprocal_limbs = device_run_number(state, "first", value, 4, 1040);
            break;
        case WAITS:
            b->forced.quotient_waits = device_run_number(state, "waits", value, 1, 1 << 30);
            break;
        case START:
            b->forced.root_limbs = device_run_number(state, "start", value, 2, 1 << 16);
            break;
        case ROOT_SERIES:
            b->forced.root_series = device_run_number(state, "root-series", value, 1, 1 << 20);
            break;
        case ARGP_KEY_END:
            return device_run_parts_parse(key, value, state);
        default:
            return device_run_parts_parse(key, value, state);
    }
    return 0;
}

int main(int argc, char **argv) {
    static const struct argp own = {
        .options = options,
        .parser = parse,
        .args_doc = "[divrem] [sqrt] [mod] [root] [rsqrt] [powm]",
        .doc =
            "Times division, roots, powers and residues of products on a device, each beside a "
            "product, and checks every result."};
    bench b = {.parts = {cases, CASES, 0},
               .run.range = {.sizes = "Numbers of 2^N bits:",
                             .from = 15,
                             .to = LG_TO,
                             .least = 12,
                             .most = LG_TO,
                             .quick = 20},
               .host_to = LG_HOST};
    device_run_start(&b.run, &own, &b, argc, argv);
    if (cuda_stream_create(&b.stream) != RESULT_OK) {
        arith_stop("no stream", "");
    }
    for (unsigned lg = b.run.range.from; lg <= b.run.range.to; lg++) {
        arith_side s;
        arith_open(&s, true, b.stream, UINT64_C(1) << lg >> 6);
        s.ctx->queue.forced = b.forced;
        for (arith_op o = 0; o < OPS; o++) {
            unsigned part = 0;
            while (strcmp(cases[part], arith_ops[o].kase) != 0) {
                part++;
            }
            if ((b.parts.asked >> part & 1) != 0 && (!is_powm(o) || lg <= LG_POWM)) {
                measure(&b, &s, o);
            }
        }
        arith_close(&s);
    }
    cuda_stream_destroy(b.stream);
    return 0;
}
