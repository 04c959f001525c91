// carry_bench.c: carry propagation on a device against a copy of as many bytes, alternating in one
// process.
//
// Coefficients are random, all ones or alternating, or let one carry, or none, run through the
// whole number. Every result is checked: in radix 2^64 against GMP's sum of the coefficients'
// words, otherwise against the host's carry, which tests compare with GMP. A wrong one ends the
// program with status 1.
#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "bench/device/record.h"
#include "carry/carry.h"
#include "carry/device.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

typedef enum { RANDOM, ONES, NINES, CHAIN, ALTERNATING, FILLS } fill;
static const char *const fill_names[FILLS] = {"random", "ones", "nines", "chain", "alternating"};

typedef struct {
    carry_job job;
    void *c, *workspace;
    uint64_t *r, *copy;
    size_t workspace_bytes, bytes;
} ours;

static bool run_ours(void *self, cuda_stream stream) {
    const ours *o = self;
    return carry_device(&o->job, o->r, NULL, o->c, o->workspace, o->workspace_bytes, stream) ==
           RESULT_OK;
}

// Word j of coefficient i. nines: R - 1 for the radix R; chain: 1 more in the lowest.
static uint64_t word_of(gen *g, const carry_job *job, fill how, uint64_t i, unsigned j) {
    const unsigned words = job->words;
    const bool top = j + 1 == words;
    const uint64_t limit = job->radix == CARRY_POW10 ? 0 : job->w >= 64 ? 0 : UINT64_C(1) << job->w;
    uint64_t nine = limit - 1;  // of radix 2^w, w <= 64
    if (job->radix == CARRY_POW10) {
        nine = 1;
        for (unsigned k = 0; k < job->w; k++) {
            nine *= 10;
        }
        nine--;
    }
    switch (how) {
        case RANDOM:
            return gen_u64(g) >> (job->form == CARRY_F64 ? 20 : top ? 2 : 0);
        case ONES:
            return job->form == CARRY_F64 ? (UINT64_C(1) << 44) - 1 : UINT64_MAX >> (top ? 1 : 0);
        case NINES:
            return j == 0 ? nine : 0;
        case CHAIN:
            return i > 0 ? (j == 0 ? nine : 0) : j == 0 ? nine + 1 : j == 1 && nine + 1 == 0;
        default:
            return i % 2 == 0 && j == 0 ? nine : 0;
    }
}

static void wrong(const carry_job *job, fill how) {
    fprintf(stderr, "carry_bench: radix %d, words %u, w %u, %s: wrong or failed\n", job->radix,
            job->words, job->w, fill_names[how]);
    exit(1);
}

// want[0..out) by GMP, in radix 2^64: the sum of the words' sequences, each one limb higher.
static void by_gmp(uint64_t *want, const uint64_t *c, const carry_job *job) {
    uint64_t *plane = program_memory(job->n, 8, "a sequence of words");
    memset(want, 0, 8 * job->out);
    for (unsigned j = 0; j < job->words; j++) {
        for (uint64_t i = 0; i < job->n; i++) {
            plane[i] = c[i * job->words + j];
        }
        const uint64_t n = job->n < job->out - j ? job->n : job->out - j;
        mpn_add((mp_limb_t *)want + j, (mp_limb_t *)want + j, (mp_size_t)(job->out - j),
                (mp_limb_t *)plane, (mp_size_t)n);
    }
    free(plane);
}

static void by_host(uint64_t *want, const uint64_t *c, const carry_job *job) {
    carry_stream s = CARRY_STREAM_INIT;
    memset(want, 0, 8 * job->out);
    if (job->radix == CARRY_POW10) {
        carry_pow10(want, &s, c, job->n, job->words, job->w);
    } else {
        const size_t limbs = carry_pow2(want, &s, c, job->n, job->words, job->w);
        carry_pow2_flush(want + limbs, job->out - limbs, &s);
    }
}

// The host's words of all coefficients; the device's copy in their form.
static bool make(const ours *o, fill how, uint64_t *words) {
    const carry_job *job = &o->job;
    gen g = gen_seed(7);
    for (uint64_t i = 0; i < job->n; i++) {
        for (unsigned j = 0; j < job->words; j++) {
            words[i * job->words + j] = word_of(&g, job, how, i, j);
        }
    }
    if (job->form != CARRY_F64) {
        return device_upload(o->c, words, 8 * job->n * job->words);
    }
    double *x = program_memory(job->n, 8, "coefficients");
    for (uint64_t i = 0; i < job->n; i++) {
        x[i] = (double)words[i];
    }
    const bool ok = device_upload(o->c, x, 8 * job->n);
    free(x);
    return ok;
}

static void bench(const device_run *run, carry_form form, carry_radix radix, unsigned words,
                  unsigned w, uint64_t n) {
    ours o = {.job = {form, radix, words, w, n, 1, radix == CARRY_POW2 ? (n * w + 63) / 64 : n}};
    const carry_job *job = &o.job;
    const size_t in = 8 * n * words, out = 8 * job->out;
    o.workspace_bytes = carry_device_workspace_bytes(job);
    o.c = device_alloc(in);
    o.r = device_alloc(out);
    o.copy = device_alloc((in + out) / 2);
    o.workspace = device_alloc(o.workspace_bytes);
    uint64_t *c = program_memory(in, 1, "coefficients");
    uint64_t *want = program_memory(out, 1, "results"), *got = program_memory(out, 1, "results");
    for (unsigned how = 0; how < FILLS; how++) {
        if (!make(&o, (fill)how, c) || !device_fill(o.workspace, 0, o.workspace_bytes)) {
            wrong(job, (fill)how);
        }
        // The copy reads half of what the carry reads and writes.
        device_copying copy = {o.copy, in >= (in + out) / 2 ? o.c : (void *)o.r, (in + out) / 2};
        const device_side sides[] = {{run_ours, &o, false}, {device_copy_enqueue, &copy, false}};
        device_times times[2];
        if (!device_time(NULL, sides, 2, in > 1 << 26 ? 4 : 20, DEVICE_SAMPLES, times) ||
            !device_fill(o.r, 0xA5, out) || !run_ours(&o, NULL) ||
            !device_download(got, o.r, out)) {
            wrong(job, (fill)how);
        }
        (radix == CARRY_POW2 && w == 64 ? by_gmp : by_host)(want, c, job);
        if (memcmp(got, want, out) != 0) {
            wrong(job, (fill)how);
        }
        char op[64];
        snprintf(op, sizeof op, "%s-%ux%s%u", form == CARRY_F64 ? "f64" : "u64", words,
                 radix == CARRY_POW2 ? "2^" : "10^", w);
        const device_line line = {.topic = "carry",
                                  .op = op,
                                  .variant = fill_names[how],
                                  .n = n,
                                  .rows = 1,
                                  .bytes = (double)(in + out),
                                  .times = times};
        device_record(run, &line);
    }
    device_free(o.c);
    device_free(o.r);
    device_free(o.copy);
    device_free(o.workspace);
    free(c);
    free(want);
    free(got);
}

int main(int argc, char **argv) {
    static const struct argp own = {
        .doc =
            "Times carries on a device against a copy of as many bytes, and checks every result."};
    device_run run = {0};
    device_run_start(&run, &own, NULL, argc, argv);
    const unsigned top = run.quick ? 18 : 24;  // 2^24 limbs: 2^30 bits
    for (unsigned k = 10; k <= top; k += k == 22 ? 2 : 4) {
        bench(&run, CARRY_U64, CARRY_POW2, 3, 64, UINT64_C(1) << k);
    }
    bench(&run, CARRY_U64, CARRY_POW2, 3, 61, UINT64_C(1) << top);
    bench(&run, CARRY_U64, CARRY_POW2, 7, 64, UINT64_C(1) << top);
    bench(&run, CARRY_F64, CARRY_POW2, 1, 16, UINT64_C(1) << top);
    bench(&run, CARRY_F64, CARRY_POW10, 1, 1, UINT64_C(1) << (top - 2));
    bench(&run, CARRY_U64, CARRY_POW10, 3, 19, UINT64_C(1) << (top - 2));
    return 0;
}
