// residue_words.h: residues as words of 52 bits; see residue.h. May include field.h and
// primitives/.
//
// Lanes count modulo 2^52: multiply-adds read the low 52 bits of a factor, so the bits that sums
// leave above are never read. Every residue is known to be in [0, 2^52) at the places that say so.
// Forward residues are below 3 2^50, inverse ones below 2 p. Products by a twiddle w have a
// quotient from q = floor(2^52 w / p) [Shoup, in Harvey14], three multiply-adds; ranges are in
// docs/proofs/modular_words.md and need no more than 3/4 2^50 <= p < 2^50. Without the instructions
// a lane is a word of C, which is the readable reference for the others.
#ifndef FFT_MODULAR_RESIDUE_WORDS_H_
#define FFT_MODULAR_RESIDUE_WORDS_H_

#include <string.h>

#include "fft/modular/field.h"
#include "primitives/words/word.h"

// The low 52 bits.
static const uint64_t WORDS_MASK = ((uint64_t)1 << 52) - 1;

#if VEC_IFMA
typedef __m512i words;
VEC_INLINE words words_set1(uint64_t a) { return _mm512_set1_epi64((long long)a); }
VEC_INLINE words words_load(const void *p) { return _mm512_load_si512(p); }
VEC_INLINE words words_broadcast(const double *p) {
    return _mm512_castpd_si512(_mm512_set1_pd(*p));
}
VEC_INLINE void words_store(void *p, words a) { _mm512_store_si512(p, a); }
VEC_INLINE words words_add(words a, words b) { return _mm512_add_epi64(a, b); }
VEC_INLINE words words_sub(words a, words b) { return _mm512_sub_epi64(a, b); }
VEC_INLINE words words_and(words a, words b) { return _mm512_and_si512(a, b); }
VEC_INLINE words words_min(words a, words b) { return _mm512_min_epu64(a, b); }
VEC_INLINE words words_shift_right(words a, unsigned n) { return _mm512_srli_epi64(a, n); }
// c + the low, or the high, 52 bits of the product of the low 52 bits of a and b
VEC_INLINE words words_low(words c, words a, words b) { return _mm512_madd52lo_epu64(c, a, b); }
VEC_INLINE words words_high(words c, words a, words b) { return _mm512_madd52hi_epu64(c, a, b); }
// The same bits
VEC_INLINE words words_from_double(vec a) { return _mm512_castpd_si512(a); }
VEC_INLINE vec words_as_double(words a) { return _mm512_castsi512_pd(a); }
#else
typedef uint64_t words;
VEC_INLINE words words_set1(uint64_t a) { return a; }
VEC_INLINE words words_load(const void *p) {
    words a;
    memcpy(&a, p, sizeof a);
    return a;
}
VEC_INLINE words words_broadcast(const double *p) { return words_load(p); }
VEC_INLINE void words_store(void *p, words a) { memcpy(p, &a, sizeof a); }
VEC_INLINE words words_add(words a, words b) { return a + b; }
VEC_INLINE words words_sub(words a, words b) { return a - b; }
VEC_INLINE words words_and(words a, words b) { return a & b; }
VEC_INLINE words words_min(words a, words b) { return a < b ? a : b; }
VEC_INLINE words words_shift_right(words a, unsigned n) { return a >> n; }
VEC_INLINE words words_low(words c, words a, words b) {
    return c + (((a & WORDS_MASK) * (b & WORDS_MASK)) & WORDS_MASK);
}
VEC_INLINE words words_high(words c, words a, words b) {
    return c + (words)((word_pair)(a & WORDS_MASK) * (b & WORDS_MASK) >> 52);
}
VEC_INLINE words words_from_double(vec a) { return words_load(&a); }
VEC_INLINE vec words_as_double(words a) {
    vec x;
    memcpy(&x, &a, sizeof x);
    return x;
}
#endif

typedef words residue;
typedef struct {
    words w, q;  // w < 2 p; 2^52 w / p rounded down, or less than 1.2003 below it
} twiddle;

// ring: a prime, and what its residues are multiplied by.
typedef struct {
    field field;
    words p, minus_p;  // 2^52 - p
    words inverse;     // 1 / p mod 2^52
    twiddle two52;     // 2^52 mod p
} ring;

VEC_INLINE uint64_t ring_quotient(uint64_t w, uint64_t p) {
    return (uint64_t)(((word_pair)w << 52) / p);
}

VEC_INLINE ring ring_make(double p) {
    const uint64_t n = (uint64_t)p, two52 = ((uint64_t)1 << 52) % n;
    uint64_t inverse = n;  // right in 3 bits, and each step doubles them
    for (unsigned bits = 3; bits < 52; bits *= 2) {
        inverse *= 2 - n * inverse;
    }
    return (ring){.field = field_make(p),
                  .p = words_set1(n),
                  .minus_p = words_set1(((uint64_t)1 << 52) - n),
                  .inverse = words_set1(inverse),
                  .two52 = {words_set1(two52), words_set1(ring_quotient(two52, n))}};
}

VEC_INLINE residue residue_load(const double *p) { return words_load(p); }
VEC_INLINE void residue_store(double *p, residue x) { words_store(p, x); }

static double residue_item(double x) {
    uint64_t a;
    memcpy(&a, &x, sizeof a);
    return (double)(a & WORDS_MASK);
}
VEC_INLINE void residue_transpose(residue *x) {
    vec y[VEC_WIDTH];
    VEC_UNROLL
    for (size_t k = 0; k < VEC_WIDTH; k++) {
        y[k] = words_as_double(x[k]);
    }
    vec_transpose(y);
    VEC_UNROLL
    for (size_t k = 0; k < VEC_WIDTH; k++) {
        x[k] = words_from_double(y[k]);
    }
}

// residue_within: n residues are below `most`. For assertions, so out of line.
__attribute__((noinline, unused)) static bool residue_within(const residue *x, size_t n,
                                                             double most) {
    for (size_t i = 0; i < n; i++) {
        _Alignas(64) uint64_t a[VEC_WIDTH];
        words_store(a, x[i]);
        for (size_t k = 0; k < VEC_WIDTH; k++) {
            if (!((double)(a[k] & WORDS_MASK) < most)) {
                return false;
            }
        }
    }
    return true;
}
VEC_INLINE uint64_t ring_prime(const ring f) {
    _Alignas(64) double p[VEC_WIDTH];
    vec_store(p, f.field.p);
    return (uint64_t)p[0];
}
VEC_INLINE bool residue_is_forward(const residue *x, size_t n, const ring f) {
    (void)f;
    return residue_within(x, n, 3 * 0x1p50);
}
VEC_INLINE bool residue_is_inverse(const residue *x, size_t n, const ring f) {
    return residue_within(x, n, 2 * (double)ring_prime(f));
}

// ring_field: the prime of doubles.
VEC_INLINE field ring_field(const ring f) { return f.field; }

// residue_from_double: |x| < p gives x + p, the low 52 bits of the double 2^52 + p + x.
VEC_INLINE residue residue_from_double(vec x, const ring f) {
    return words_from_double(vec_add(x, vec_add(f.field.p, vec_set1(0x1p52))));
}

VEC_INLINE bool residue_is_biased(const residue *x, size_t n, const ring f) {
    return residue_within(x, n, 3 * (double)ring_prime(f));
}

// residue_shifted: x - (floor(x / 2^50) + less) p for x < 2^52; below 2 p if less is 0 and x below
// 4 p, in [p, 3 2^50 - p) if less is -1 and x below 3 2^50.
VEC_INLINE residue residue_shifted(residue x, words less, const ring f) {
    return words_low(x, words_high(less, x, words_set1(4)), f.minus_p);
}
VEC_INLINE residue residue_reduce(residue x, const ring f) {
    return residue_shifted(x, words_set1(0), f);
}

// residue_mul_add: c + x w - q p, x < 2^52; x w - q p is in [0, 2 p) for x below 4 p.
VEC_INLINE residue residue_mul_add(words c, residue x, twiddle t, const ring f) {
    return words_low(words_low(c, x, t.w), words_high(words_set1(0), x, t.q), f.minus_p);
}
VEC_INLINE residue residue_mul(residue x, twiddle t, const ring f) {
    return residue_mul_add(words_set1(0), x, t, f);
}
// residue_add, residue_sub: of inverse residues; below 4 p, as residue_reduce and residue_mul want.
VEC_INLINE residue residue_add(residue a, residue b) { return words_add(a, b); }
VEC_INLINE residue residue_sub(residue a, residue b, const ring f) {
    return words_sub(words_add(a, words_add(f.p, f.p)), b);
}

// twiddle_store, twiddle_at: entry k of a table, TWIDDLE_ITEMS doubles each, from a number in
// [0, p) and in all lanes. twiddle_of: such a number in all lanes.
enum { TWIDDLE_ITEMS = 2 };
VEC_INLINE void twiddle_store(double *t, size_t k, uint64_t w, uint64_t p) {
    const uint64_t pair[2] = {w, ring_quotient(w, p)};
    memcpy(t + 2 * k, pair, sizeof pair);
}
VEC_INLINE twiddle twiddle_at(const double *t, size_t k) {
    return (twiddle){words_broadcast(t + 2 * k), words_broadcast(t + 2 * k + 1)};
}
VEC_INLINE twiddle twiddle_of(uint64_t w, const ring f) {
    return (twiddle){words_set1(w), words_set1(ring_quotient(w, ring_prime(f)))};
}

// twiddle_lane: lane l of vector i is one of the constants of leaf.h, kept in TWIDDLE_LANE_VECTORS
// vectors at `lane`, w < p and 104 bits of w / p, times a scalar s < p, kept at `scalar`. Its q has
// the bits of s w / p below 1, less 1.2003 at most, and its w what they leave.
enum { TWIDDLE_LANE_VECTORS = 3 };
VEC_INLINE void twiddle_lane_store(double *lane, size_t l, uint64_t w, uint64_t p) {
    const uint64_t high = ring_quotient(w, p);
    const uint64_t rest = (uint64_t)(((word_pair)w << 52) - (word_pair)high * p);
    const uint64_t low = ring_quotient(rest, p);
    memcpy(lane + l, &w, sizeof w);
    memcpy(lane + VEC_WIDTH + l, &high, sizeof high);
    memcpy(lane + 2 * VEC_WIDTH + l, &low, sizeof low);
}
VEC_INLINE void twiddle_scalar_store(double *scalar, uint64_t w, uint64_t p) {
    (void)p;
    memcpy(scalar, &w, sizeof w);
}
VEC_INLINE twiddle twiddle_lane(const double *lane, const double *scalar, const ring f) {
    const words s = words_broadcast(scalar), w = words_load(lane),
                high = words_load(lane + VEC_WIDTH), low = words_load(lane + 2 * VEC_WIDTH),
                zero = words_set1(0);
    const words q = words_low(words_high(zero, s, low), s, high);  // below 2^52 + 2^50
    const words whole = words_high(words_shift_right(q, 52), s, high);
    return (twiddle){words_low(words_low(zero, s, w), whole, f.minus_p), q};
}

// residue_constant: a balanced number in all lanes. residue_canonical: of a product, or what
// residue_reduce left: the representative in [0, p). residue_store_digits: such ones, as words.
VEC_INLINE residue residue_constant(double x, const ring f) {
    return words_set1((uint64_t)(x < 0 ? x + (double)ring_prime(f) : x));
}
VEC_INLINE residue residue_canonical(residue x, const ring f) {
    const words a = words_and(x, words_set1(WORDS_MASK));
    return words_min(a, words_sub(a, f.p));  // a - p where that is not negative
}
VEC_INLINE void residue_store_digits(uint64_t *p, residue x) { words_store(p, x); }

// residue_factor, residue_product: x y of forward residues, inverse range, y through
// residue_factor, which planes may keep. Montgomery's reduction by 2^52 [Montgomery85], after y
// has been multiplied by that: with m p = x y modulo 2^52 both products have the same low half.
VEC_INLINE residue residue_factor(residue x, const ring f) {
    (void)f;
    return x;
}
VEC_INLINE residue residue_product(residue x, residue factor, const ring f) {
    const words y = residue_mul(factor, f.two52, f), zero = words_set1(0);
    const words m = words_low(zero, words_low(zero, x, y), f.inverse);
    return residue_reduce(words_sub(words_high(f.p, x, y), words_high(zero, m, f.p)), f);
}

// residue_enter: what a forward kernel does first with the inputs that neither of its first two
// levels multiplies: nothing, as every butterfly reduces what it does not multiply.
VEC_INLINE residue residue_enter(residue x, const ring f) {
    (void)f;
    return x;
}

// residue_split: the forward butterfly, u + w v and u - w v. u in [p, 3 2^50 - p) and w v in
// [-p, p) stay in [0, 3 2^50).
VEC_INLINE void residue_split(residue *u, residue *v, twiddle w, const ring f) {
    const words a = residue_shifted(*u, words_set1(~(uint64_t)0), f);
    const words b = residue_mul_add(f.minus_p, *v, w, f);
    *u = words_add(a, b);
    *v = words_sub(a, b);
}

// residue_join: the inverse butterfly, u + v and (v - u) w. place: see residue.h. Left results are
// less by p, in [-p, p), others more by p, in [p, 3 p), so that their sums and differences are in
// [0, 4 p) as they are; only the first level adds 2 p.
VEC_INLINE void residue_join(residue *u, residue *v, twiddle w, const ring f,
                             const residue_place place) {
    const words s = words_add(*u, *v);
    const words d = place.level == 0 ? residue_sub(*v, *u, f) : words_sub(*v, *u);
    const words one = words_set1(1), minus_one = words_set1(~(uint64_t)0), zero = words_set1(0);
    *u = residue_shifted(s, place.last ? zero : place.left ? one : minus_one, f);
    *v = residue_mul_add(place.last ? zero : place.left ? f.minus_p : f.p, d, w, f);
}

#endif  // FFT_MODULAR_RESIDUE_WORDS_H_
