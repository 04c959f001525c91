// product_steps.c: product_steps.h over fft/modular.h, bigint/recombine_device.h and
// bigint/cluster_product.h.
#include "bench/device/product_steps.h"

#include <gmp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/cluster_product.h"
#include "bigint/recombine_device.h"
#include "fft/modular.h"
#include "tests/support/device.h"

enum { LG_GMP = 28 };

void product_stop(const char *what, uint64_t bits) {
    fprintf(stderr, "product_bench: %" PRIu64 " bits: %s\n", bits, what);
    exit(1);
}

// residue: {p, n} modulo m.
static uint64_t residue(const uint64_t *p, uint64_t n, uint64_t m) {
    return (uint64_t)mpn_mod_1((const mp_limb_t *)p, (mp_size_t)n, m);
}

void product_check(const uint64_t *r, const uint64_t *a, const uint64_t *b, uint64_t n) {
    if (n > UINT64_C(1) << (LG_GMP - 6)) {
        static const uint64_t primes[] = {(UINT64_C(1) << 61) - 1, UINT64_C(1152921504606846883)};
        for (int i = 0; i < 2; i++) {
            const uint64_t x = residue(a, n, primes[i]), y = residue(b, n, primes[i]);
            const unsigned __int128 want = (unsigned __int128)x * y % primes[i];
            if (residue(r, 2 * n, primes[i]) != (uint64_t)want) {
                product_stop("wrong product", 64 * n);
            }
        }
        return;
    }
    uint64_t *want = malloc(16 * n);
    mpn_mul_n((mp_limb_t *)want, (const mp_limb_t *)a, (const mp_limb_t *)b, (mp_size_t)n);
    if (memcmp(want, r, 16 * n) != 0) {
        product_stop("wrong product", 64 * n);
    }
    free(want);
}

typedef struct {
    fft_modular_plan plan;
    fft_modular_tables tables;
    uint64_t n, *a, *b, *r;  // on the device, as all below
    double *x, *y;
    void *memory, *words;
    size_t words_bytes;
    int which;
} steps;

static bool steps_enqueue(void *self, device_stream stream) {
    const steps *s = self;
    const fft_modular_step step = {&s->plan, &s->tables, 0, FFT_PRIMES_USED, stream};
    const fft_modular_operand a = {s->a + 16, s->n}, b = {s->b + 16, s->n};
    const recombine_residues residues = {s->x, fft_modular_points(&s->plan),
                                         s->plan.a_digits + s->plan.b_digits - 1,
                                         s->plan.digit_bits, 0};
    const recombine_signs signs = {s->r, s->a, s->b};
    if (fft_modular_whole(&s->plan)) {
        return cluster_product(s->r + 16, 2 * s->n, &signs, a, b, false, &s->plan, &s->tables,
                               stream) == RESULT_OK;
    }
    switch (s->which) {
        case 0:
            return fft_modular_columns(&step, s->x, a, s->y, b) == RESULT_OK;
        case 1:
            return fft_modular_rows(&step, s->x, s->y, FFT_ROW_MULTIPLY) == RESULT_OK;
        case 2:
            return fft_modular_inverse(&step, s->x) == RESULT_OK;
        case 3:
            return recombine_device(s->r + 16, 2 * s->n, &signs, &residues, s->words,
                                    s->words_bytes, stream) == RESULT_OK;
        default:
            return fft_modular_columns(&step, s->x, a, s->y, b) == RESULT_OK &&
                   fft_modular_rows(&step, s->x, s->y, FFT_ROW_MULTIPLY) == RESULT_OK &&
                   fft_modular_inverse(&step, s->x) == RESULT_OK &&
                   recombine_device(s->r + 16, 2 * s->n, &signs, &residues, s->words,
                                    s->words_bytes, stream) == RESULT_OK;
    }
}

// Bytes that each step moves at least: words and planes once. times: NULL of one launch.
static void record_steps(const device_run *run, const steps *s, const device_times *times,
                         const device_times *product) {
    static const char *const names[] = {"columns", "rows", "inverse", "recombine"};
    const double words = 8.0 * (double)s->n;
    const double plane = 8.0 * FFT_PRIMES_USED * (double)fft_modular_points(&s->plan);
    const double bytes[] = {2 * words + 2 * plane, 3 * plane, 2 * plane, plane + 2 * words};
    if (run->out == NULL) {
        return;
    }
    char path[1024];
    snprintf(path, sizeof path, "%s/%s-product-steps.jsonl", run->out, run->chip);
    FILE *f = fopen(path, "a");
    if (f == NULL) {
        product_stop("no record", 64 * s->n);
    }
    fprintf(f,
            "{\"schema\":1,\"topic\":\"product-steps\",\"case\":\"mul\",\"backend\":\"cuda\","
            "\"chip\":\"%s\",\"cpu\":\"%s\",\"bits\":%" PRIu64
            ",\"pieces\":%u,\"lg_outer\":%u,"
            "\"lg_rows\":%u,\"lg_columns\":%u,\"digit_bits\":%u,\"median_ns\":%.1f,",
            run->chip, run->device, 64 * s->n, s->plan.pieces, s->plan.lg_outer, s->plan.lg_rows,
            s->plan.lg_columns, s->plan.digit_bits, product->median_ns);
    for (int i = 0; i < 4 && times != NULL; i++) {
        fprintf(f, "\"%s_ns\":%.1f,\"%s_bytes\":%.0f,", names[i], times[i].median_ns, names[i],
                bytes[i]);
    }
    fprintf(f, "\"checked\":true,\"commit\":\"%s\",\"dirty\":%s}\n", run->commit,
            run->dirty ? "true" : "false");
    fclose(f);
}

static void print_steps(const steps *s, const device_times *times, const device_times *product) {
    const fft_modular_plan *const p = &s->plan;
    printf("  steps %ux2^%ux2^%ux2^%u %u-bit%s (%.2f points a limb): ", p->pieces, p->lg_outer,
           p->lg_rows, p->lg_columns, p->digit_bits, p->balanced ? " balanced" : "",
           (double)fft_modular_points(p) / (double)s->n / 2);
    if (fft_modular_whole(p)) {
        printf("one launch, ");
    } else {
        printf("columns %.1f rows %.1f inverse %.1f recombine %.1f, ", times[0].median_ns / 1e3,
               times[1].median_ns / 1e3, times[2].median_ns / 1e3, times[3].median_ns / 1e3);
    }
    printf("all %.1f us (alone %.1f)\n", product->median_ns / 1e3, product->single_ns / 1e3);
    fflush(stdout);
}

void product_steps(const device_run *run, const uint64_t *limbs[2], uint64_t n,
                   const product_shape *forced) {
    steps s = {.n = n};
    if (forced != NULL ? !fft_modular_plan_forced(&s.plan, n, n, forced->pieces, forced->lg_outer,
                                                  forced->lg_rows, forced->lg_columns)
                       : !fft_modular_plan_limbs(&s.plan, n, n)) {
        return;
    }
    const size_t plane = fft_modular_points(&s.plan) * FFT_PRIMES_USED * sizeof(double);
    s.a = device_alloc(128 + 8 * n), s.b = device_alloc(128 + 8 * n);
    s.r = device_alloc(128 + 16 * n);
    s.x = device_alloc(plane), s.y = device_alloc(plane);
    s.memory = device_alloc(fft_modular_table_bytes(&s.plan));
    s.words_bytes = recombine_device_bytes(2 * n);
    s.words = device_alloc(s.words_bytes);
    if (s.words == NULL || !device_fill(s.words, 0, s.words_bytes) || !device_fill(s.a, 0, 128) ||
        !device_fill(s.b, 0, 128) || !device_upload(s.a + 16, limbs[0], 8 * n) ||
        !device_upload(s.b + 16, limbs[1], 8 * n) ||
        fft_modular_tables_make(&s.tables, &s.plan, s.memory, NULL) != RESULT_OK) {
        product_stop("no memory", 64 * n);
    }
    const unsigned calls = n > UINT64_C(1) << 18 ? 2 : 10;
    steps each[5];
    device_side sides[5];
    for (int i = 0; i < 5; i++) {
        each[i] = s;
        each[i].which = i;
        sides[i] = (device_side){steps_enqueue, &each[i]};
    }
    device_times times[5], product;
    if (!device_time(NULL, &sides[4], 1, calls, 7, &product)) {
        product_stop("a product failed", 64 * n);
    }
    uint64_t *r = malloc(16 * n);
    if (!device_download(r, s.r + 16, 16 * n)) {
        product_stop("a product failed", 64 * n);
    }
    product_check(r, limbs[0], limbs[1], n);
    free(r);
    const bool whole = fft_modular_whole(&s.plan);
    if (!whole && !device_time(NULL, sides, 4, calls, 7, times)) {
        product_stop("a step failed", 64 * n);
    }
    print_steps(&s, times, &product);
    record_steps(run, &s, whole ? NULL : times, &product);
    device_free(s.a), device_free(s.b), device_free(s.r), device_free(s.x), device_free(s.y);
    device_free(s.memory), device_free(s.words);
}
