// device_numbers.c: see device_numbers.h.
#include "tests/bigint/device_numbers.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/device.h"

uint64_t numbers_length(const numbers *s, uint64_t i) {
    return s->span.lengths != NULL ? s->span.lengths[i] : s->span.n;
}

uint64_t *numbers_at(const numbers *s, uint64_t i) {
    return s->host + (s->span.offsets != NULL ? s->span.offsets[i] : i * s->span.stride);
}

numbers numbers_open(uint64_t n, uint64_t stride, uint64_t count) {
    numbers s = {.words = count * (n + stride) + 1};
    s.host = malloc(s.words * sizeof *s.host);
    s.lengths = malloc((count + 1) * sizeof *s.lengths);
    s.offsets = malloc((count + 1) * sizeof *s.offsets);
    memset(s.host, 0x77, s.words * sizeof *s.host);
    s.span = (bigint_span){
        .p = device_alloc(s.words * sizeof *s.host), .n = n, .stride = stride, .count = count};
    return s;
}

void numbers_close(numbers *s) {
    device_free(s->span.p);
    free(s->host), free(s->lengths), free(s->offsets);
}

bool numbers_upload(const numbers *s) {
    return device_upload(s->span.p, s->host, s->words * sizeof *s->host);
}

bool numbers_download(const numbers *s) {
    return device_download(s->host, s->span.p, s->words * sizeof *s->host);
}

numbers numbers_draw(gen *g, uint64_t min_n, uint64_t max_n, uint64_t count) {
    const uint64_t n = min_n + gen_below(g, max_n + 1 - min_n), form = gen_below(g, 4);
    numbers s = numbers_open(n, form == 0 ? 0 : n + gen_below(g, 4), count);
    for (uint64_t i = 0; i < count; i++) {
        s.lengths[i] = min_n + gen_below(g, n + 1 - min_n);
        s.offsets[i] = (count - 1 - i) * s.span.stride;
    }
    s.span.lengths = form >= 2 ? s.lengths : NULL;
    s.span.offsets = form == 3 ? s.offsets : NULL;
    for (uint64_t i = 0; i < (n == 0 ? 0 : count); i++) {
        gen_limbs(g, (gen_shape)gen_below(g, GEN_SHAPES), s.host + i * s.span.stride, n);
    }
    numbers_upload(&s);
    return s;
}
