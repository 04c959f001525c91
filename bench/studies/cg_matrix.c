// cg_matrix.c: see cg_matrix.h.
#include "bench/studies/cg_matrix.h"

#include <stdlib.h>

#include "apps/program.h"
#include "tests/support/device.h"

static cg_host empty(uint32_t n, uint32_t width) {
    return (cg_host){n, width, program_memory((size_t)n + 1, sizeof(uint32_t), "a matrix"),
                     program_memory((size_t)n * width, sizeof(uint32_t), "a matrix"),
                     program_memory((size_t)n * width, sizeof(double), "a matrix")};
}

// Appends an entry to the row that ends at *end.
static void put(cg_host *m, uint32_t *end, uint32_t column, double value) {
    m->columns[*end] = column;
    m->values[(*end)++] = value;
}

cg_host cg_host_grid(unsigned side) {
    cg_host m = empty(side * side, 5);
    uint32_t end = 0;
    for (uint32_t i = 0; i < m.n; i++) {
        m.begins[i] = end;
        if (i >= side) {
            put(&m, &end, i - side, -1);
        }
        if (i % side > 0) {
            put(&m, &end, i - 1, -1);
        }
        put(&m, &end, i, 4);
        if (i % side + 1 < side) {
            put(&m, &end, i + 1, -1);
        }
        if (i + side < m.n) {
            put(&m, &end, i + side, -1);
        }
    }
    m.begins[m.n] = end;
    return m;
}

// Entries stand 16 apart on both sides of the diagonal, so the matrix is symmetric.
cg_host cg_host_band(uint32_t n, unsigned width) {
    enum { APART = 16 };
    cg_host m = empty(n, width);
    const uint32_t half = width / 2;
    uint32_t end = 0;
    for (uint32_t i = 0; i < n; i++) {
        m.begins[i] = end;
        for (uint32_t k = half; k > 0; k--) {
            if (i >= k * APART) {
                put(&m, &end, i - k * APART, -1);
            }
        }
        put(&m, &end, i, width + 1);
        for (uint32_t k = 1; k <= half; k++) {
            if (i + k * APART < n) {
                put(&m, &end, i + k * APART, -1);
            }
        }
    }
    m.begins[n] = end;
    return m;
}

void cg_host_free(cg_host *m) {
    free(m->begins);
    free(m->columns);
    free(m->values);
}

static void *upload(const void *from, size_t bytes) {
    void *p = device_alloc(bytes);
    if (p != NULL && !device_upload(p, from, bytes)) {
        device_free(p);
        return NULL;
    }
    return p;
}

static bool upload_ell(cg_matrix *to, const cg_host *from) {
    const size_t entries = (size_t)from->n * from->width;
    uint32_t *columns = program_memory(entries, sizeof *columns, "a matrix");
    double *values = program_memory(entries, sizeof *values, "a matrix");
    for (uint32_t i = 0; i < from->n; i++) {
        const uint32_t begin = from->begins[i], count = from->begins[i + 1] - begin;
        for (uint32_t k = 0; k < from->width; k++) {
            const size_t at = (size_t)k * from->n + i;
            columns[at] = k < count ? from->columns[begin + k] : i;
            values[at] = k < count ? from->values[begin + k] : 0;
        }
    }
    to->columns = upload(columns, sizeof *columns * entries);
    to->values = upload(values, sizeof *values * entries);
    free(columns);
    free(values);
    return to->columns != NULL && to->values != NULL;
}

bool cg_matrix_upload(cg_matrix *to, const cg_host *from, cg_format format) {
    const size_t entries = from->begins[from->n];
    *to = (cg_matrix){format, from->n, from->width, NULL, NULL, NULL};
    bool ok;
    if (format == CG_ELL) {
        ok = upload_ell(to, from);
    } else {
        to->begins = upload(from->begins, sizeof(uint32_t) * ((size_t)from->n + 1));
        to->columns = upload(from->columns, sizeof(uint32_t) * entries);
        to->values = upload(from->values, sizeof(double) * entries);
        ok = to->begins != NULL && to->columns != NULL && to->values != NULL;
    }
    if (!ok) {
        cg_matrix_free(to);
    }
    return ok;
}

void cg_matrix_free(cg_matrix *m) {
    device_free((void *)m->begins);
    device_free((void *)m->columns);
    device_free((void *)m->values);
    *m = (cg_matrix){0};
}
