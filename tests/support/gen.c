// gen.c: see gen.h.
#include "tests/support/gen.h"

#include <assert.h>

static uint64_t splitmix64(uint64_t *x) {
    uint64_t z = *x += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

gen gen_seed(uint64_t seed) {
    gen g;
    for (int i = 0; i < 4; i++) {
        g.state[i] = splitmix64(&seed);
    }
    return g;
}

static uint64_t rotate_left(uint64_t x, unsigned k) { return x << k | x >> (64 - k); }

uint64_t gen_u64(gen *g) {
    uint64_t *s = g->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t gen_below(gen *g, uint64_t bound) {
    assert(bound > 0);
    uint64_t excess = -bound % bound;  // 2^64 mod bound: the draws that would favour small results
    uint64_t x;
    do {
        x = gen_u64(g);
    } while (x < excess);
    return x % bound;
}

static unsigned bit_length(uint64_t x) { return 64 - (unsigned)__builtin_clzll(x); }

size_t gen_size(gen *g, size_t lo, size_t hi) {
    assert(1 <= lo && lo <= hi);
    unsigned low_bits = bit_length(lo);
    unsigned bits = low_bits + (unsigned)gen_below(g, bit_length(hi) - low_bits + 1);
    uint64_t first = (uint64_t)1 << (bits - 1);
    uint64_t last = first + (first - 1);
    first = first < lo ? lo : first;
    last = last > hi ? hi : last;
    return (size_t)(first + gen_below(g, last - first + 1));
}

const char *gen_shape_name(gen_shape shape) {
    static const char *const names[GEN_SHAPES] = {"zero",        "uniform", "runs",
                                                  "ones",        "power",   "power-plus",
                                                  "power-minus", "sparse",  "alternating"};
    return shape < GEN_SHAPES ? names[shape] : "unknown";
}

static void fill(uint64_t *ap, size_t an, uint64_t limb) {
    for (size_t i = 0; i < an; i++) {
        ap[i] = limb;
    }
}

// set_ones sets the bits [from, to) of ap.
static void set_ones(uint64_t *ap, size_t from, size_t to) {
    while (from < to) {
        unsigned low = from % 64;
        unsigned count = to - from < 64 - low ? (unsigned)(to - from) : 64 - low;
        ap[from / 64] |= (~(uint64_t)0 >> (64 - count)) << low;
        from += count;
    }
}

// runs lays runs of ones and zeros from the top down, so that the top bit is set. A run has up to
// a quarter of all bits, so that some cross many limbs and many cross none.
static void runs(gen *g, uint64_t *ap, size_t an) {
    size_t end = 64 * an;
    size_t longest = end / 4 + 1;
    fill(ap, an, 0);
    for (int ones = 1; end > 0; ones = !ones) {
        size_t length = gen_size(g, 1, longest < end ? longest : end);
        if (ones) {
            set_ones(ap, end - length, end);
        }
        end -= length;
    }
}

static void sparse(gen *g, uint64_t *ap, size_t an) {
    fill(ap, an, 0);
    ap[an - 1] = (uint64_t)1 << gen_below(g, 64);
    for (int i = 0; i < 5; i++) {
        uint64_t bit = gen_below(g, 64 * (uint64_t)an);
        ap[bit / 64] |= (uint64_t)1 << bit % 64;
    }
}

// alternating starts with ones at the top or just below it, whichever the coin says.
static void alternating(gen *g, uint64_t *ap, size_t an) {
    size_t width = 1 + (size_t)gen_below(g, 64);
    size_t end = 64 * an;
    fill(ap, an, 0);
    if (width < 64 && gen_below(g, 2) == 1) {
        end -= width;  // width < 64 leaves a bit of the top limb to be set
    }
    while (end > 0) {
        size_t length = width < end ? width : end;
        set_ones(ap, end - length, end);
        end -= length;
        end -= width < end ? width : end;
    }
}

void gen_digits(gen *g, char *s, size_t n) {
    for (size_t i = 0; i < n; i++) {
        s[i] = (char)('0' + gen_below(g, 10));
    }
}

void gen_limbs(gen *g, gen_shape shape, uint64_t *ap, size_t an) {
    assert(an >= 1);
    uint64_t power = (uint64_t)1 << gen_below(g, 64);
    switch (shape) {
        case GEN_UNIFORM:
            for (size_t i = 0; i < an; i++) {
                ap[i] = gen_u64(g);
            }
            ap[an - 1] |= ap[an - 1] == 0;
            break;
        case GEN_RUNS:
            runs(g, ap, an);
            break;
        case GEN_ONES:
            fill(ap, an, ~(uint64_t)0);
            break;
        case GEN_POWER:
        case GEN_POWER_PLUS:
            fill(ap, an, 0);
            ap[an - 1] = power;
            ap[0] += shape == GEN_POWER_PLUS;
            break;
        case GEN_POWER_MINUS:
            fill(ap, an, ~(uint64_t)0);
            ap[an - 1] = 2 * power - 1;  // 2 * power wraps to 0 where k = 64n
            break;
        case GEN_SPARSE:
            sparse(g, ap, an);
            break;
        case GEN_ALTERNATING:
            alternating(g, ap, an);
            break;
        case GEN_ZERO:
        case GEN_SHAPES:
            fill(ap, an, 0);
            break;
    }
}
