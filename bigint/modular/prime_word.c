// prime_word.c: the tests of primality for one word, in registers.
#include <assert.h>

#include "bigint/modular/prime.h"
#include "primitives/limbs/limbs.h"
#include "primitives/words/inverse.h"
#include "primitives/words/word.h"

// word_field: residues modulo an odd n in Montgomery's form: x is x 2^64 mod n. [Montgomery85]
typedef struct {
    uint64_t n, inverse;   // n inverse = 1 mod 2^64
    uint64_t one, square;  // 2^64 and 2^128 mod n: the form of 1, and what makes forms
} word_field;

static word_field field_of(uint64_t n) {
    uint64_t quotient[2], one = -n % n;
    const uint64_t dividend[2] = {0, one};
    return (word_field){n, word_inverse(n), one, limbs_divrem_words(quotient, dividend, 2, n)};
}

// mul: a b / 2^64 mod n: a b - q n has no lower word, and lies between -n 2^64 and n 2^64.
static inline uint64_t mul(const word_field *f, uint64_t a, uint64_t b) {
    uint64_t high, back;
    const uint64_t low = word_mul(&high, a, b);
    word_mul(&back, low * f->inverse, f->n);
    return high - back + (high < back ? f->n : 0);
}

static inline uint64_t add(const word_field *f, uint64_t a, uint64_t b) {
    const uint64_t left = f->n - b;  // a + b may not fit
    return a >= left ? a - left : a + b;
}

static inline uint64_t sub(const word_field *f, uint64_t a, uint64_t b) {
    return a - b + (a < b ? f->n : 0);
}

static inline uint64_t half(const word_field *f, uint64_t a) {
    return (a >> 1) + (a % 2 == 0 ? 0 : (f->n >> 1) + 1);
}

bool prime_word_base_2(uint64_t n) {
    assert(n % 2 == 1 && n > 1);
    const word_field f = field_of(n);
    const unsigned s = word_ctz(n - 1);
    const uint64_t d = n >> s;  // (n - 1) / 2^s
    uint64_t y = f.one;
    for (unsigned bit = 64 - word_clz(d); bit-- > 0;) {
        y = mul(&f, y, y);
        y = (d >> bit & 1) != 0 ? add(&f, y, y) : y;
    }
    const uint64_t minus_one = n - f.one;
    bool passes = y == f.one || y == minus_one;
    for (unsigned r = 1; r < s && !passes; r++) {
        y = mul(&f, y, y);
        passes = y == minus_one;
    }
    return passes;
}

// is_square: by Newton's iteration from above.
static bool is_square(uint64_t n) {
    uint64_t root = (uint64_t)1 << (64 - word_clz(n) + 1) / 2;
    for (uint64_t next; (next = (root + n / root) / 2) < root;) {
        root = next;
    }
    return root * root == n;
}

// selfridge: |D|, as prime_selfridge; 0 for a composite n.
static uint64_t selfridge(uint64_t n) {
    enum { SQUARE_AT = 41 };
    for (uint64_t d = 5;; d += 2) {
        const int symbol = prime_jacobi(n, d);
        if (symbol == -1) {
            return d;
        }
        if ((symbol == 0 && d % n != 0) || (d == SQUARE_AT && is_square(n))) {
            return 0;
        }
    }
}

// signed_form: the form of a, or of -a.
static uint64_t signed_form(const word_field *f, uint64_t a, bool negative) {
    const uint64_t x = mul(f, a % f->n, f->square);
    return negative && x != 0 ? f->n - x : x;
}

// U, V and Q^k by doubling and by steps of one: U(2 k) = U(k) V(k), V(2 k) = V(k)^2 - 2 Q^k,
// U(k + 1) = (U(k) + V(k)) / 2, V(k + 1) = (D U(k) + V(k)) / 2.
bool prime_word_lucas(uint64_t n) {
    assert(n % 2 == 1 && n > 1);
    const uint64_t magnitude = selfridge(n);
    if (magnitude == 0 || n == UINT64_MAX) {  // which is 3 5 17 257 641 65537 6700417
        return false;
    }
    const word_field f = field_of(n);
    const bool positive = magnitude % 4 == 1;  // D = 5, 9, ..., and Q = (1 - D) / 4 < 0
    const uint64_t discriminant = signed_form(&f, magnitude, !positive);
    const uint64_t q1 = signed_form(&f, (positive ? magnitude - 1 : magnitude + 1) / 4, positive);
    const unsigned s = word_ctz(n + 1);
    const uint64_t d = (n + 1) >> s;
    uint64_t u = f.one, v = f.one, q = q1;
    for (unsigned bit = 63 - word_clz(d); bit-- > 0;) {
        u = mul(&f, u, v);
        v = sub(&f, mul(&f, v, v), add(&f, q, q));
        q = mul(&f, q, q);
        if ((d >> bit & 1) != 0) {
            const uint64_t next = half(&f, add(&f, u, v));
            v = half(&f, add(&f, mul(&f, discriminant, u), v));
            u = next;
            q = mul(&f, q, q1);
        }
    }
    bool passes = u == 0 || v == 0;
    for (unsigned r = 1; r < s && !passes; r++) {
        v = sub(&f, mul(&f, v, v), add(&f, q, q));
        q = mul(&f, q, q);
        passes = v == 0;
    }
    return passes;
}

bool prime_word(uint64_t n) {
    static const unsigned char primes[] = {2,  3,  5,  7,  11, 13, 17, 19, 23,
                                           29, 31, 37, 41, 43, 47, 53, 59, 61};
    enum { NEXT = 67 };
    for (unsigned i = 0; i < sizeof primes; i++) {
        if (n % primes[i] == 0) {
            return n == primes[i];
        }
    }
    return n < NEXT * NEXT ? n > 1 : prime_word_base_2(n) && prime_word_lucas(n);
}
