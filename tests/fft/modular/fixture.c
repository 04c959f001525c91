// fixture.c: see fixture.h.
#include "tests/fft/modular/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "primitives/words/word.h"

enum { PADDING = 24 };  // doubles; a multiple of every vector's width

bool fixture_runs(const fixture_variant *v) {
    const cpu_features have = cpu_detect();
    return v->ops == &fft_ops_portable || (v->ops == &fft_ops_avx2 && have.avx2) ||
           (v->ops == &fft_ops_avx2_round && have.avx2) ||
           (v->ops == &fft_ops_avx512 && have.avx512) || (v->ops == &fft_ops_ifma && have.ifma);
}

uint64_t *fixture_words(size_t n) { return calloc(n, sizeof(uint64_t)); }

fft_plan fixture_plan(unsigned lg_rows, unsigned lg_columns, unsigned lg_strip, uint64_t rows,
                      unsigned digit_bits) {
    return (fft_plan){
        .digit_bits = digit_bits,
        .lg_rows = lg_rows,
        .lg_columns = lg_columns,
        .lg_strip = lg_strip,
        .rows = rows,
        .row_stride = ((uint64_t)1 << lg_columns) + (lg_columns % 2 == 0 ? 0 : PADDING),
    };
}

// Memory full of a signalling pattern: reading it unwritten gives a NaN, which no comparison
// forgives.
static void *take(uint64_t bytes) {
    const size_t rounded = (size_t)(bytes + 63) / 64 * 64;
    void *const p = aligned_alloc(64, rounded);
    if (p == NULL) {
        fprintf(stderr, "fixture: %zu bytes\n", rounded);
        abort();
    }
    memset(p, 0xff, rounded);
    return p;
}

void fixture_start(fixture *f, const fft_ops *ops, const fft_plan *plan,
                   const fixture_options *options) {
    const unsigned lg = fft_plan_table_lg(plan) + options->more_lg;
    const uint64_t plane = fft_plan_plane_bytes(plan);
    *f = (fixture){.c = {.ops = ops, .plan = *plan}};
    if (options->threads > 0) {
        f->team_memory = take(team_bytes(options->threads));
        f->c.team = team_start(f->team_memory, options->threads);
    }
    for (unsigned i = 0; i < FFT_PRIMES_USED; i++) {
        fft_tables *const t = take(ops->tables_bytes(lg));
        ops->tables_fill(t, i, lg);
        f->c.tables[i] = t;
        f->c.planes[i] = take(plane);
        f->prepared[i] = take(plane);
        f->as_prepared[i] = f->prepared[i];
    }
    f->c.others = options->own_planes ? team_size(f->c.team) : 1;
    f->c.other = take(f->c.others * plane);
    f->c.sum = take(f->c.others * plane);
    f->c.buffers = take(team_size(f->c.team) * fft_plan_buffer_bytes(plan));
}

void fixture_stop(fixture *f) {
    team_stop(f->c.team);
    free(f->team_memory);
    for (unsigned i = 0; i < FFT_PRIMES_USED; i++) {
        free((void *)(uintptr_t)f->c.tables[i]);
        free(f->c.planes[i]);
        free(f->prepared[i]);
    }
    free(f->c.other);
    free(f->c.sum);
    free(f->c.buffers);
}

void fixture_prepare(fixture *f, const fft_digits *b) {
    fft_convolution c = f->c;
    memcpy(c.planes, f->prepared, sizeof c.planes);
    fft_prepare(&c, b);
}

void fixture_convolve(fixture *f, const fft_digits *a, const fft_digits *b, bool use_prepared) {
    f->c.prepared = use_prepared ? f->as_prepared : NULL;
    const fft_term term = {.a = *a, .b = b != NULL ? *b : *a, .square = b == NULL};
    fft_convolve(&f->c, &term, 1);
}

void fixture_coefficients(const fixture *f, uint64_t *c, uint64_t n) {
    uint64_t block[(FFT_BLOCK + 8) * FFT_COEFFICIENT_WORDS];
    for (uint64_t i = 0; i < n; i += FFT_BLOCK) {
        const size_t count = n - i < FFT_BLOCK ? (size_t)(n - i) : FFT_BLOCK;
        fft_coefficients(block, &f->c, i, count);
        memcpy(c + i * FFT_COEFFICIENT_WORDS, block, count * FFT_COEFFICIENT_WORDS * sizeof *block);
    }
}
