// residue_doubles.h: residues as doubles, signed; see residue.h. May include field.h, modarith.h.
//
// Forward residues are within 3.95 p, inverse ones within 0.84 p, or 1.68 p with VEC_ROUNDED_TWICE.
// A product is six operations, so a butterfly is eight, and reductions are few. Twiddles come with
// their ratio to p, so that a product and its quotient are begun at once.
#ifndef FFT_MODULAR_RESIDUE_DOUBLES_H_
#define FFT_MODULAR_RESIDUE_DOUBLES_H_

#include "fft/modular/field.h"
#include "primitives/words/modarith.h"

typedef vec residue;
typedef struct {
    vec w, ratio;  // balanced, |w| <= p / 2; w / p rounded
} twiddle;
typedef field ring;

static const double RESIDUE_FORWARD = 3.95;
static const double RESIDUE_INVERSE = VEC_ROUNDED_TWICE ? 1.68 : 0.84;
static const double RESIDUE_FACTOR = VEC_ROUNDED_TWICE ? 9.8 : 4.99;  // of residue_mul

VEC_INLINE ring ring_make(double p) { return field_make(p); }
VEC_INLINE uint64_t ring_prime(const ring f) {
    _Alignas(64) double p[VEC_WIDTH];
    vec_store(p, f.p);
    return (uint64_t)p[0];
}
VEC_INLINE residue residue_load(const double *p) { return vec_load(p); }
VEC_INLINE void residue_store(double *p, residue x) { vec_store(p, x); }

// ring_field: the prime of doubles.
VEC_INLINE field ring_field(const ring f) { return f; }

static double residue_item(double x) { return x; }
VEC_INLINE void residue_transpose(residue *x) { vec_transpose(x); }

// residue_from_double: within p, as forward residue.
VEC_INLINE residue residue_from_double(vec x, const ring f) {
    (void)f;
    return x;
}

// Whether n residues are what forward, or inverse, steps begin with. For assertions.
VEC_INLINE bool residue_is_forward(const residue *x, size_t n, const ring f) {
    return field_within(x, n, RESIDUE_FORWARD, f);
}
VEC_INLINE bool residue_is_inverse(const residue *x, size_t n, const ring f) {
    return field_within(x, n, RESIDUE_INVERSE, f);
}

VEC_INLINE bool residue_is_biased(const residue *x, size_t n, const ring f) {
    return field_within(x, n, RESIDUE_INVERSE + 0.5, f);
}

// twiddle_store, twiddle_at: entry k of a table, TWIDDLE_ITEMS doubles each, from a number in
// [0, p) and in all lanes. twiddle_of: such a number in all lanes.
enum { TWIDDLE_ITEMS = 2 };
VEC_INLINE void twiddle_store(double *t, size_t k, uint64_t w, uint64_t p) {
    t[2 * k] = (double)mod_balance(w, p);
    t[2 * k + 1] = t[2 * k] / (double)p;
}
VEC_INLINE twiddle twiddle_at(const double *t, size_t k) {
    return (twiddle){vec_set1(t[2 * k]), vec_set1(t[2 * k + 1])};
}
VEC_INLINE twiddle twiddle_of(uint64_t w, const ring f) {
    double t[2];
    twiddle_store(t, 0, w, ring_prime(f));
    return twiddle_at(t, 0);
}

// twiddle_lane: lane l of vector i is one of the constants of leaf.h, kept in TWIDDLE_LANE_VECTORS
// vectors at `lane`, times a scalar, kept at `scalar`. Not reduced: within 0.57 p.
enum { TWIDDLE_LANE_VECTORS = 1 };
VEC_INLINE void twiddle_lane_store(double *lane, size_t l, uint64_t w, uint64_t p) {
    lane[l] = (double)mod_balance(w, p);
}
VEC_INLINE void twiddle_scalar_store(double *scalar, uint64_t w, uint64_t p) {
    *scalar = (double)mod_balance(w, p);
}
VEC_INLINE twiddle twiddle_lane(const double *lane, const double *scalar, const ring f) {
    const vec w = field_mul(vec_set1(*scalar), vec_load(lane), f);
    return (twiddle){w, vec_mul(w, f.inverse)};
}

// residue_mul: x w. Requires: x within RESIDUE_FACTOR. Ensures: for twiddles of a table
// |result| <= (1/2 + s |x| / p) p, s being 0.0501, or 0.1002 with VEC_ROUNDED_TWICE: the quotient
// errs by the rounding of the ratio, and of its product.
VEC_INLINE residue residue_mul(residue x, twiddle t, const ring f) {
    assert(field_within(&x, 1, RESIDUE_FACTOR, f));
    const vec h = vec_mul(x, t.w), l = vec_fms(x, t.w, h);
    return vec_add(vec_fnma(vec_round_product(x, t.ratio), f.p, h), l);
}
// residue_add, residue_sub: of inverse residues; what residue_reduce and residue_mul take.
VEC_INLINE residue residue_add(residue a, residue b) { return vec_add(a, b); }
VEC_INLINE residue residue_sub(residue a, residue b, const ring f) {
    (void)f;
    return vec_sub(a, b);
}
VEC_INLINE residue residue_reduce(residue x, const ring f) { return field_reduce(x, f); }

// residue_constant: a balanced number in all lanes. residue_canonical: of a product, or what
// residue_reduce left: the representative in [0, p). residue_store_digits: such ones, as words.
VEC_INLINE residue residue_constant(double x, const ring f) {
    (void)f;
    return vec_set1(x);
}
VEC_INLINE residue residue_canonical(residue x, const ring f) { return field_canonical(x, f); }
VEC_INLINE void residue_store_digits(uint64_t *p, residue x) { vec_store_words(p, x); }

// residue_factor, residue_product: x y of forward residues, inverse range, y through
// residue_factor, which planes may keep.
VEC_INLINE residue residue_factor(residue x, const ring f) { return field_reduce(x, f); }
VEC_INLINE residue residue_product(residue x, residue factor, const ring f) {
    return field_mul(x, factor, f);
}

// residue_enter: what a forward kernel does first with the inputs that neither of its first two
// levels multiplies.
VEC_INLINE residue residue_enter(residue x, const ring f) { return field_reduce(x, f); }

// residue_split: the forward butterfly, u + w v and u - w v.
VEC_INLINE void residue_split(residue *u, residue *v, twiddle w, const ring f) {
    const vec a = *u, b = residue_mul(*v, w, f);
    *u = vec_add(a, b);
    *v = vec_sub(a, b);
}

// residue_join: the inverse butterfly, u + v and (v - u) w. place: see residue.h. At every second
// level sums of sums are reduced, as they reach 4 times the inverse range. At the last level all
// sums are, except sums of products where those are in range already.
VEC_INLINE void residue_join(residue *u, residue *v, twiddle w, const ring f,
                             const residue_place place) {
    const bool second = place.level % 2 == 1;
    const bool reduced =
        (second && place.of_sums) || (place.last && !(second && VEC_ROUNDED_TWICE));
    const vec s = vec_add(*u, *v);
    *v = residue_mul(vec_sub(*v, *u), w, f);
    *u = reduced ? field_reduce(s, f) : s;
}

#endif  // FFT_MODULAR_RESIDUE_DOUBLES_H_
