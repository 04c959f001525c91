// monoid_fixture.c: see monoid_fixture.h. Elements travel as the low bytes of a 64-bit word.
#include "tests/primitives/scan/monoid_fixture.h"

#include <string.h>

static uint64_t get(monoid m, const void *x, size_t i) {
    const size_t bytes = monoid_bytes(m);
    uint64_t word = 0;
    memcpy(&word, (const char *)x + i * bytes, bytes);
    return word;
}

static void put(monoid m, void *x, size_t i, uint64_t word) {
    const size_t bytes = monoid_bytes(m);
    memcpy((char *)x + i * bytes, &word, bytes);
}

static uint64_t of_float(float v) {
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static float to_float(uint64_t word) {
    const uint32_t bits = (uint32_t)word;
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static uint64_t of_double(double v) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static double to_double(uint64_t word) {
    double v;
    memcpy(&v, &word, sizeof v);
    return v;
}

static uint64_t identity(monoid m) {
    return m == MONOID_AFFINE_U32 ? 1 : m == MONOID_MAP3 ? MONOID_MAP3_IDENTITY : 0;
}

static uint64_t image(uint64_t f, uint64_t i) { return f >> (2 * i) & 3; }

static uint64_t combine(monoid m, uint64_t first, uint64_t then) {
    switch (m) {
        case MONOID_SUM_U32:
            return (uint32_t)(first + then);
        case MONOID_SUM_F32:
            return of_float(to_float(first) + to_float(then));
        case MONOID_SUM_F64:
            return of_double(to_double(first) + to_double(then));
        case MONOID_MAX_U32:
            return first > then ? first : then;
        case MONOID_AFFINE_U32: {  // slope in the low half, offset in the high half
            const uint32_t slope = (uint32_t)then * (uint32_t)first;
            const uint32_t offset =
                (uint32_t)then * (uint32_t)(first >> 32) + (uint32_t)(then >> 32);
            return (uint64_t)offset << 32 | slope;
        }
        case MONOID_MAP3:
            return image(then, image(first, 0)) | image(then, image(first, 1)) << 2 |
                   image(then, image(first, 2)) << 4;
        case MONOID_SUM_MOD61:
            return (first + then) % MONOID_MOD61;
        default:
            return first + then;
    }
}

static uint64_t random_element(gen *g, monoid m) {
    switch (m) {
        case MONOID_SUM_F32:
            return of_float((float)gen_below(g, 64));
        case MONOID_SUM_F64:
            return of_double((double)gen_below(g, 1 << 20));
        case MONOID_AFFINE_U32: {  // slope 0 forgets everything before
            const uint64_t slope = gen_below(g, 64) == 0 ? 0 : (uint32_t)gen_u64(g) | 1;
            return gen_u64(g) << 32 | slope;
        }
        case MONOID_MAP3: {
            // Permutations mostly: a product of constant maps would be known from its last factor.
            static const uint8_t swaps[] = {0x24, 0x21, 0x18, 0x09, 0x12, 0x06};
            if (gen_below(g, 32) > 0) {
                return swaps[gen_below(g, 6)];
            }
            return gen_below(g, 3) | gen_below(g, 3) << 2 | gen_below(g, 3) << 4;
        }
        case MONOID_SUM_MOD61:
            return gen_below(g, 8) == 0 ? MONOID_MOD61 - 1 : gen_below(g, MONOID_MOD61);
        case MONOID_SUM_U64:
            return gen_u64(g);
        default:
            return (uint32_t)gen_u64(g);
    }
}

void monoid_random(gen *g, monoid m, void *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        put(m, x, i, random_element(g, m));
    }
}

void monoid_scan_serial(monoid m, bool exclusive, void *y, const void *x, size_t n, size_t rows) {
    for (size_t i = 0, row = 0; row < rows; row++) {
        uint64_t product = identity(m);
        for (size_t j = 0; j < n; j++, i++) {
            const uint64_t before = product;
            product = combine(m, product, get(m, x, i));
            put(m, y, i, exclusive ? before : product);
        }
    }
}

void monoid_reduce_serial(monoid m, void *y, const void *x, size_t n, size_t rows) {
    for (size_t i = 0, row = 0; row < rows; row++) {
        uint64_t product = identity(m);
        for (size_t j = 0; j < n; j++, i++) {
            product = combine(m, product, get(m, x, i));
        }
        put(m, y, row, product);
    }
}

size_t monoid_first_difference(monoid m, const void *a, const void *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (get(m, a, i) != get(m, b, i)) {
            return i;
        }
    }
    return n;
}
