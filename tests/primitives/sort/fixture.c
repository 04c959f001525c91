// fixture.c: see fixture.h. Shares nothing with what it judges.
#include "tests/primitives/sort/fixture.h"

#include <stdlib.h>
#include <string.h>

const char *sort_pattern_name(sort_pattern p) {
    static const char *const names[SORT_PATTERNS] = {"random", "special",  "few",       "equal",
                                                     "sorted", "reversed", "organ pipe"};
    return names[p];
}

size_t sort_key_bytes(sort_key key) {
    return key == SORT_U64 || key == SORT_I64 || key == SORT_F64 ? 8 : 4;
}

const char *sort_key_name(sort_key key) {
    static const char *const names[SORT_KEYS] = {"u32", "u64", "i32", "i64", "f32", "f64"};
    return names[key];
}

typedef struct {
    uint64_t bits;
    size_t index;
    sort_key kind;
} keyed;

// Sign and magnitude: the total order of floating point without a trick.
static int compare_floats(uint64_t a, uint64_t b, unsigned top) {
    const bool a_negative = a >> top & 1, b_negative = b >> top & 1;
    if (a_negative != b_negative) {
        return a_negative ? -1 : 1;
    }
    const int magnitudes = a < b ? -1 : a > b ? 1 : 0;
    return a_negative ? -magnitudes : magnitudes;
}

static int compare_keys(sort_key kind, uint64_t a, uint64_t b) {
    switch (kind) {
        case SORT_I32:
            return (int32_t)(uint32_t)a < (int32_t)(uint32_t)b   ? -1
                   : (int32_t)(uint32_t)a > (int32_t)(uint32_t)b ? 1
                                                                 : 0;
        case SORT_I64:
            return (int64_t)a < (int64_t)b ? -1 : (int64_t)a > (int64_t)b ? 1 : 0;
        case SORT_F32:
            return compare_floats(a, b, 31);
        case SORT_F64:
            return compare_floats(a, b, 63);
        default:
            return a < b ? -1 : a > b ? 1 : 0;
    }
}

static int compare(const void *a, const void *b) {
    const keyed *x = a, *y = b;
    const int keys = compare_keys(x->kind, x->bits, y->bits);
    return keys != 0 ? keys : x->index < y->index ? -1 : x->index > y->index ? 1 : 0;
}

static uint64_t load(const void *array, size_t bytes, size_t i) {
    uint64_t v = 0;
    memcpy(&v, (const char *)array + i * bytes, bytes);
    return v;
}

static void store(void *array, size_t bytes, size_t i, uint64_t v) {
    memcpy((char *)array + i * bytes, &v, bytes);
}

// The keys in order, with the places they came from.
static keyed *sorted(sort_key key, const void *in, size_t n) {
    keyed *x = malloc((n + 1) * sizeof *x);
    for (size_t i = 0; i < n; i++) {
        x[i] = (keyed){load(in, sort_key_bytes(key), i), i, key};
    }
    qsort(x, n, sizeof *x, compare);
    return x;
}

static uint64_t special(gen *g, size_t bytes) {
    const uint64_t top = UINT64_C(1) << (8 * bytes - 1);
    const uint64_t infinity = bytes == 4 ? 0x7F800000 : UINT64_C(0x7FF0000000000000);
    const uint64_t magnitudes[] = {0, 1, infinity - 1, infinity, infinity + 1, top - 1};
    const uint64_t sign = gen_below(g, 2) * top;
    return sign | magnitudes[gen_below(g, sizeof magnitudes / sizeof magnitudes[0])];
}

// The patterns, before those with an order are sorted.
static uint64_t any_key(gen *g, sort_pattern p, size_t bytes) {
    switch (p) {
        case SORT_SPECIAL:
            return special(g, bytes);
        case SORT_FEW:
            return gen_below(g, 4) << (8 * bytes - 9);
        case SORT_EQUAL:
            return ~UINT64_C(0);
        default:
            return gen_u64(g);
    }
}

void sort_fill(gen *g, sort_pattern p, sort_key key, void *keys, size_t n) {
    const size_t bytes = sort_key_bytes(key);
    for (size_t i = 0; i < n; i++) {
        store(keys, bytes, i, any_key(g, p, bytes));
    }
    if (p < SORT_SORTED) {
        return;
    }
    keyed *x = sorted(key, keys, n);
    for (size_t i = 0; i < n; i++) {
        const size_t to = p == SORT_SORTED     ? i
                          : p == SORT_REVERSED ? n - 1 - i
                          : i % 2 == 0         ? i / 2
                                               : n - 1 - i / 2;
        store(keys, bytes, to, x[i].bits);
    }
    free(x);
}

void sort_number(void *values, unsigned bytes, size_t n) {
    for (size_t i = 0; i < n; i++) {
        store(values, bytes, i, i);
    }
}

size_t sort_wrong(sort_key key, bool stable, const void *in, const void *out, const void *values,
                  unsigned value_bytes, size_t first, size_t n) {
    const size_t bytes = sort_key_bytes(key);
    keyed *want = sorted(key, in, n);
    char *seen = calloc(n + 1, 1);
    size_t i = 0;
    for (; i < n; i++) {
        if (load(out, bytes, i) != want[i].bits) {
            break;
        }
        if (values != NULL) {
            const uint64_t number = load(values, value_bytes, i) - first;
            if (number >= n || seen[number] || (stable && number != want[i].index) ||
                load(in, bytes, (size_t)number) != want[i].bits) {
                break;
            }
            seen[number] = 1;
        }
    }
    free(want);
    free(seen);
    return i;
}

size_t sort_first_wrong(const sort_job *job, bool stable, const void *in, const void *out,
                        const void *values, const uint64_t *offsets) {
    const size_t bytes = sort_key_bytes(job->key);
    for (size_t r = 0; r < job->rows; r++) {
        const size_t first = job->ragged ? (size_t)offsets[r] : r * (size_t)job->n;
        const size_t end = job->ragged ? (size_t)offsets[r + 1] : first + (size_t)job->n;
        const char *row_values =
            job->value_bytes > 0 ? (const char *)values + first * job->value_bytes : NULL;
        const size_t wrong = sort_wrong(job->key, stable, (const char *)in + first * bytes,
                                        (const char *)out + first * bytes, row_values,
                                        job->value_bytes, first, end - first);
        if (wrong < end - first) {
            return first + wrong;
        }
    }
    return SIZE_MAX;
}

static int compare_offsets(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

void sort_cut(gen *g, uint64_t *offsets, size_t rows, size_t n) {
    for (size_t r = 0; r <= rows; r++) {
        // Half of the cuts close together, so that many segments are short or empty.
        offsets[r] = r == 0      ? 0
                     : r == rows ? n
                     : r % 2     ? gen_below(g, n + 1)
                                 : gen_below(g, n / 16 + 1);
    }
    qsort(offsets, rows + 1, sizeof *offsets, compare_offsets);
}
