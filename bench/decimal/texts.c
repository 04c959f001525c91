// texts.c: see texts.h.
#include "bench/decimal/texts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

void texts_stop(const char *what, uint64_t n) {
    fprintf(stderr, "decimal_text_bench: %" PRIu64 " digits: %s\n", n, what);
    exit(1);
}

void *texts_room(uint64_t bytes, uint64_t n) {
    void *const p = device_alloc(bytes > 0 ? bytes : 1);
    if (p == NULL) {
        texts_stop("no memory on the device", n);
    }
    return p;
}

void texts_open(texts *t, unsigned lg, uint64_t rows) {
    gen g = gen_seed(lg);
    *t = (texts){.n = UINT64_C(1) << lg, .rows = rows};
    for (int i = 0; i < 2; i++) {
        char *const s = t->factor[i] = program_memory(rows, t->n, "digits");
        gen_digits(&g, s, t->n);
        for (uint64_t row = 1; row + 1 < rows; row++) {
            memcpy(s + row * t->n, s, t->n);
        }
        gen_digits(&g, s + (rows - 1) * t->n, rows > 1 ? t->n : 0);
        t->there[i] = texts_room(rows * t->n, t->n);
        if (!device_upload(t->there[i], s, rows * t->n)) {
            texts_stop("no upload", t->n);
        }
    }
    t->out = texts_room(2 * rows * t->n, t->n);
    t->spare = texts_room(2 * rows * t->n, t->n);
    t->found = program_memory(2 * rows, t->n, "a result");
}

void texts_close(texts *t) {
    for (int i = 0; i < 2; i++) {
        device_free(t->there[i]);
        free(t->factor[i]), free(t->exact[i]);
    }
    device_free(t->out), device_free(t->spare);
    free(t->found);
}

static const uint64_t prime = (UINT64_C(1) << 61) - 1;

// residue: the number of n characters modulo the prime.
static uint64_t residue(const char *s, uint64_t n) {
    uint64_t r = 0;
    for (uint64_t i = 0; i < n; i++) {
        r = (uint64_t)(((unsigned __int128)r * 10 + (unsigned)(s[i] - '0')) % prime);
    }
    return r;
}

static void download(const texts *t) {
    if (!device_download(t->found, t->out, 2 * t->rows * t->n)) {
        texts_stop("no download", t->n);
    }
}

void texts_learn(texts *t) {
    const uint64_t n = t->n;
    download(t);
    for (int which = 0; which < 2; which++) {
        const uint64_t row = which == 0 ? 0 : t->rows - 1;
        const char *const product = t->found + row * 2 * n;
        const uint64_t a = residue(t->factor[0] + row * n, n);
        const uint64_t b = residue(t->factor[1] + row * n, n);
        if ((unsigned __int128)a * b % prime != residue(product, 2 * n)) {
            texts_stop("the exact product is wrong", n);
        }
        t->exact[which] = program_memory(2, n, "a product");
        memcpy(t->exact[which], product, 2 * n);
    }
}

void texts_spoil(const texts *t) {
    if (!device_fill(t->out, 'x', 2 * t->rows * t->n)) {
        texts_stop("no fill", t->n);
    }
}

uint64_t texts_wrong(const texts *t) {
    uint64_t wrong = 0;
    download(t);
    for (uint64_t row = 0; row < t->rows; row++) {
        const char *const found = t->found + row * 2 * t->n;
        const char *const exact = t->exact[row > 0 && row + 1 == t->rows];
        for (uint64_t i = 0; i < 2 * t->n; i++) {
            wrong += found[i] != exact[i];
        }
    }
    return wrong;
}
