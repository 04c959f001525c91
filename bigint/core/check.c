// check.c: residues of long numbers modulo a random prime near 2^61, and the check of a product by
// them.
//
// A residue is taken from the low end (Hensel division, the reduction step of Montgomery): a limb
// costs two multiplications, no division. Proof of ranges and of the probability of a miss:
// docs/proofs/check.md.
#include "bigint/core/check.h"

#include <assert.h>
#include <stddef.h>
#include <sys/random.h>
#include <time.h>

#include "primitives/words/inverse.h"
#include "primitives/words/word.h"

static uint64_t mul_mod(uint64_t a, uint64_t b, uint64_t m) {
    return (uint64_t)((word_pair)a * b % m);
}

static uint64_t pow_mod(uint64_t base, uint64_t exponent, uint64_t m) {
    uint64_t r = 1;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1) {
            r = mul_mod(r, base, m);
        }
        base = mul_mod(base, base, m);
    }
    return r;
}

// --- The prime -----------------------------------------------------------------------------------

// is_prime: Miller-Rabin with the first twelve primes as bases, which decides every odd n > 37
// below 2^64 [SorensonWebster15].
static bool is_prime(uint64_t n) {
    static const unsigned char bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    const unsigned twos = word_ctz(n - 1);
    for (size_t i = 0; i < sizeof bases; i++) {
        uint64_t x = pow_mod(bases[i], (n - 1) >> twos, n);
        bool passes = x == 1 || x == n - 1;
        for (unsigned k = 1; k < twos && !passes; k++) {
            x = mul_mod(x, x, n);
            passes = x == n - 1;
        }
        if (!passes) {
            return false;
        }
    }
    return true;
}

// random_word: a word from the system's random source. If that fails (very old kernels, seccomp),
// it stirs the clock as SplitMix64 does. Faulty hardware cannot predict that; an adversary could.
static uint64_t random_word(uint64_t draw) {
    uint64_t x;
    if (getrandom(&x, sizeof x, GRND_NONBLOCK) == (ssize_t)sizeof x) {
        return x;
    }
    struct timespec now = {0};
    timespec_get(&now, TIME_UTC);
    x = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec + draw * 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

uint64_t check_modulus_draw(void) {
    const uint64_t low = (uint64_t)1 << 60;
    for (uint64_t draw = 0;; draw++) {
        const uint64_t n =
            low | (random_word(draw) & (low - 1)) | 1;  // one in 21 of these is prime
        if (is_prime(n)) {
            return n;
        }
    }
}

// --- Residues ------------------------------------------------------------------------------------

// hensel_step: c' with c' 2^64 == c - x (mod m). 0 <= c <= m before and after: u m = s + 2^64 hi
// with hi < m, and c' = hi + borrow.
static inline uint64_t hensel_step(uint64_t c, uint64_t x, uint64_t m, uint64_t m_inverse) {
    const uint64_t s = x - c;
    uint64_t hi;
    word_mul(&hi, s * m_inverse, m);
    return hi + (x < c);
}

enum { BLOCK = 7, LANES = 2, LONG = 8 * LANES * BLOCK };

// block_scale: the weights of a step over BLOCK limbs, modulo m, with B = 2^64: limb i weighs B^(i
// - BLOCK + 1) with a minus, the state before it B^(1 - BLOCK).
typedef struct {
    uint64_t m, m_inverse;
    uint64_t limb[BLOCK], state;
} block_scale;

static block_scale block_scale_of(uint64_t m, uint64_t m_inverse) {
    block_scale s = {.m = m, .m_inverse = m_inverse};
    uint64_t power = 1;  // B^(i - BLOCK + 1), up to a multiple of m
    for (unsigned i = BLOCK; i-- > 0;) {
        s.limb[i] = m - power;
        s.state = power;
        power = m - hensel_step(0, power, m, m_inverse);  // in 1 .. m
    }
    return s;
}

// block_step: (c - {x, BLOCK}) B^-BLOCK modulo m, a word below 8 m, of any word c.
static inline uint64_t block_step(uint64_t c, const uint64_t *x, const block_scale *s) {
    const uint64_t *const w = s->limb;
    word_pair sum = (word_pair)x[0] * w[0] + (word_pair)x[1] * w[1] + (word_pair)x[2] * w[2] +
                    (word_pair)x[3] * w[3] + (word_pair)x[4] * w[4] + (word_pair)x[5] * w[5] +
                    (word_pair)x[6] * w[6];
    sum += (word_pair)c * s->state;  // last, because it depends on the step before
    // sum < 8 B m < 2^128, so high < 8 m; sum / B modulo m is high - multiple
    const uint64_t high = (uint64_t)(sum >> 64);
    uint64_t multiple;
    word_mul(&multiple, (uint64_t)sum * s->m_inverse, s->m);
    return high - multiple + (high < multiple ? s->m : 0);
}

// scaled_residue: -{p, n} B^-n modulo m, in [0, m). Each step waits for the one before, so long
// numbers are cut into parts that advance together.
static uint64_t scaled_residue(uint64_t m, uint64_t m_inverse, const uint64_t *p, uint64_t n) {
    const uint64_t part = n >= LONG ? n / (LANES * BLOCK) * BLOCK : 0;
    uint64_t residue = 0;
    if (part > 0) {
        const block_scale s = block_scale_of(m, m_inverse);
        uint64_t above = 0;
        for (uint64_t i = 0; i < part; i += BLOCK) {
            residue = block_step(residue, p + i, &s);
            above = block_step(above, p + part + i, &s);
        }
        // low B^-l and high B^-part give (low + B^l high) B^(-l - part)
        const uint64_t shift = pow_mod(m - hensel_step(0, 1, m, m_inverse), part, m);  // B^-part
        residue = (mul_mod(residue % m, shift, m) + above % m) % m;                    // below 2^62
    }
    for (uint64_t i = LANES * part; i < n; i++) {
        residue = hensel_step(residue, p[i], m, m_inverse);
    }
    return residue % m;
}

uint64_t check_residue(uint64_t m, const uint64_t *p, uint64_t n) {
    assert(m >> 60 == 1 && m % 2 == 1);
    const uint64_t scaled = scaled_residue(m, word_inverse(m), p, n);
    const uint64_t limb = (uint64_t)(((word_pair)1 << 64) % m);
    return mul_mod(scaled == 0 ? 0 : m - scaled, pow_mod(limb, n, m), m);
}

bool check_product(uint64_t m, const uint64_t *rp, const uint64_t *ap, uint64_t an,
                   const uint64_t *bp, uint64_t bn) {
    assert(m >> 60 == 1 && m % 2 == 1);
    const uint64_t m_inverse = word_inverse(m);
    const uint64_t a = scaled_residue(m, m_inverse, ap, an);
    const uint64_t b = ap == bp && an == bn ? a : scaled_residue(m, m_inverse, bp, bn);
    const uint64_t r = scaled_residue(m, m_inverse, rp, an + bn);
    // (-a) (-b) == ab == r, and r's residue has one more minus sign than the product of the other
    // two.
    return (mul_mod(a, b, m) + r) % m == 0;
}

// words_residue: sum p[i] radix^i mod m.
static uint64_t words_residue(uint64_t m, uint64_t radix, const uint64_t *p, uint64_t n) {
    uint64_t r = 0;
    while (n-- > 0) {
        r = (uint64_t)(((word_pair)r * radix + p[n]) % m);
    }
    return r;
}

bool check_product_words(uint64_t m, uint64_t radix, const uint64_t *rp, const uint64_t *ap,
                         uint64_t an, const uint64_t *bp, uint64_t bn) {
    const uint64_t a = words_residue(m, radix, ap, an), b = words_residue(m, radix, bp, bn);
    return mul_mod(a, b, m) == words_residue(m, radix, rp, an + bn);
}
