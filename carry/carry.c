// carry.c: the serial carry of carry.h, one pass over the coefficients. May include carry.h and
// primitives/. scan.c does the same by a scan. B = 2^64, W = words.
#include "carry/carry.h"

#include <assert.h>
#include <string.h>

#include "primitives/limbs/limbs.h"
#include "primitives/words/word.h"
#include "primitives/words/word_div.h"

enum { STATE_WORDS = CARRY_WORDS_MAX + 1 };

// --- Radix 2^w -----------------------------------------------------------------------------------
// Inside a block the state is one number at the bit where the next limb begins:
//   state = partial + carry 2^filled  <  2^(filled + 64 W + 1 - w)  before a coefficient,
//   state + c 2^filled                <  2^(filled + 64 W + 1) <= B^(W + 1)  after it.

static void state_of_stream(uint64_t *state, const carry_stream *s) {
    const uint64_t out = limbs_lshift(state, s->carry, STATE_WORDS, s->filled);
    assert(out == 0 && s->partial >> s->filled == 0);
    (void)out;
    state[0] |= s->partial;
}

static void stream_of_state(carry_stream *s, const uint64_t *state, unsigned filled) {
    limbs_rshift(s->carry, state, STATE_WORDS, filled);
    s->partial = state[0] & (((uint64_t)1 << filled) - 1);
    s->filled = filled;
}

// Any W and w.
static size_t pow2_any(uint64_t *rp, carry_stream *s, const uint64_t *c, size_t n, unsigned words,
                       unsigned w) {
    uint64_t state[STATE_WORDS];
    unsigned filled = s->filled;
    size_t out = 0;
    state_of_stream(state, s);
    for (size_t i = 0; i < n; i++, c += words) {
        state[words] += limbs_ops_portable.addmul_1(state, c, words, (uint64_t)1 << filled);
        filled += w;
        const unsigned full = filled / 64;
        assert(full <= words);  // filled <= 63 + 64 W
        memcpy(rp + out, state, full * sizeof *rp);
        memmove(state, state + full, (words + 1 - full) * sizeof *state);
        memset(state + words + 1 - full, 0, full * sizeof *state);
        out += full;
        filled %= 64;
    }
    stream_of_state(s, state, filled);
    return out;
}

// W = 1: the state in a pair of words, and at most one limb becomes full with a coefficient.
static size_t pow2_1_word(uint64_t *rp, carry_stream *s, const uint64_t *c, size_t n, unsigned w) {
    uint64_t words[STATE_WORDS];
    unsigned filled = s->filled;
    size_t out = 0;
    state_of_stream(words, s);
    word_pair state = (word_pair)words[1] << 64 | words[0];
    for (size_t i = 0; i < n; i++) {
        state += (word_pair)c[i] * ((uint64_t)1 << filled);  // faster than a shift
        filled += w;
        if (filled >= 64) {
            rp[out++] = (uint64_t)state;
            state >>= 64;
            filled -= 64;
        }
    }
    const uint64_t left[STATE_WORDS] = {(uint64_t)state, (uint64_t)(state >> 64)};
    stream_of_state(s, left, filled);
    return out;
}

// W = 3, w <= 64: the state in four words, and at most one limb becomes full with a coefficient.
static size_t pow2_3_words(uint64_t *rp, carry_stream *s, const uint64_t *c, size_t n, unsigned w) {
    uint64_t state[STATE_WORDS];
    unsigned filled = s->filled;
    size_t out = 0;
    state_of_stream(state, s);
    uint64_t s0 = state[0], s1 = state[1], s2 = state[2], s3 = state[3];
    for (size_t i = 0; i < n; i++, c += 3) {
        const uint64_t shift = (uint64_t)1 << filled;  // times this is faster than three shifts
        word_pair t = (word_pair)c[0] * shift + s0;
        s0 = (uint64_t)t;
        t = (word_pair)c[1] * shift + s1 + (uint64_t)(t >> 64);
        s1 = (uint64_t)t;
        t = (word_pair)c[2] * shift + s2 + (uint64_t)(t >> 64);
        s2 = (uint64_t)t;
        s3 += (uint64_t)(t >> 64);
        filled += w;
        if (filled >= 64) {
            rp[out++] = s0;
            s0 = s1;
            s1 = s2;
            s2 = s3;
            s3 = 0;
            filled -= 64;
        }
    }
    const uint64_t left[STATE_WORDS] = {s0, s1, s2, s3};
    stream_of_state(s, left, filled);
    return out;
}

// W = 3, w = 64, filled = 0, carry < B^2: word j of coefficient i belongs to limb i + j, so a limb
// is the sum of one word of each of three coefficients and of a carry, which is at most 2.
// Overflows are told by comparison: of sums in pairs of words gcc 12 keeps the carry in memory.
static void pow2_3_words_64(uint64_t *rp, carry_stream *s, const uint64_t *c, size_t n) {
    uint64_t carry = 0, middle = s->carry[0], high = 0;  // what is added to this limb
    uint64_t next_high = s->carry[1];                    // and to the next
    for (size_t i = 0; i < n; i++, c += 3) {
        const uint64_t two = c[0] + middle, three = two + high, limb = three + carry;
        carry = (uint64_t)(two < middle) + (uint64_t)(three < high) + (uint64_t)(limb < carry);
        rp[i] = limb;
        assert(carry <= 2);  // 3 (B - 1) + 2 < 3 B
        middle = c[1];
        high = next_high;
        next_high = c[2];
    }
    word_pair left = (word_pair)middle + high + carry;
    s->carry[0] = (uint64_t)left;
    left = (left >> 64) + next_high;
    s->carry[1] = (uint64_t)left;
    s->carry[2] = (uint64_t)(left >> 64);
}

// pow2_bound_holds: carry < 2^(64 W + 1 - w).
static inline __attribute__((unused)) bool pow2_bound_holds(const carry_stream *s, unsigned words,
                                                            unsigned w) {
    const unsigned bits = 64 * words + 1 - w;
    uint64_t above[STATE_WORDS];
    limbs_rshift(above, s->carry, STATE_WORDS, bits % 64);
    return limbs_normalize(above + bits / 64, STATE_WORDS - bits / 64) == 0;
}

size_t carry_pow2(uint64_t *rp, carry_stream *s, const uint64_t *c, size_t n, unsigned words,
                  unsigned w) {
    assert(1 <= words && words <= CARRY_WORDS_MAX && 1 <= w && w <= 64 * words && s->filled < 64);
    assert(pow2_bound_holds(s, words, w));
    size_t out = n;
    if (words == 3 && w == 64 && s->filled == 0 && s->carry[2] == 0) {
        pow2_3_words_64(rp, s, c, n);
    } else if (words == 1) {
        out = pow2_1_word(rp, s, c, n, w);
    } else if (words == 3 && w <= 64) {
        out = pow2_3_words(rp, s, c, n, w);
    } else {
        out = pow2_any(rp, s, c, n, words, w);
    }
    assert(pow2_bound_holds(s, words, w));
    return out;
}

int carry_pow2_flush(uint64_t *rp, size_t n, carry_stream *s) {
    uint64_t state[STATE_WORDS];
    state_of_stream(state, s);
    const size_t taken = n < STATE_WORDS ? n : STATE_WORDS;
    memcpy(rp, state, taken * sizeof *rp);
    memset(rp + taken, 0, (n - taken) * sizeof *rp);
    *s = (carry_stream)CARRY_STREAM_INIT;
    return limbs_normalize(state + taken, STATE_WORDS - taken) != 0;
}

// --- Radix 10^k ----------------------------------------------------------------------------------

static uint64_t power_of_10(unsigned k) {
    assert(1 <= k && k <= 19);
    uint64_t d = 1;
    while (k-- > 0) d *= 10;
    return d;
}

// Any W and k: carry + c_i <= (B^W - 1) D / (D - 1) < 2 B^W is divided by the radix D; the rest is
// the digit, the quotient the next carry.
static void pow10_any(uint64_t *digits, carry_stream *s, const uint64_t *c, size_t n,
                      unsigned words, const word_divisor *d) {
    for (size_t i = 0; i < n; i++, c += words) {
        s->carry[words] += limbs_add_n(s->carry, s->carry, c, words);
        assert(s->carry[words] <= 1);
        digits[i] = limbs_divrem_by(s->carry, s->carry, words + 1, d);
    }
}

// x + y mod D, x and y below D; counts the carry. x + y may exceed a word, D - y does not.
static inline uint64_t add_digits(uint64_t x, uint64_t y, uint64_t radix, uint64_t *carry) {
    const uint64_t room = radix - y;
    const bool over = x >= room;
    *carry += over;
    return over ? x - room : x + y;
}

// pending: digits of the last coefficients that belong to positions not written yet.
typedef struct {
    uint64_t d1;     // second digit of the last coefficient, for the next position
    uint64_t d2[2];  // third digits of the last coefficient and of the one before it
    uint64_t carry;  // for the next position, at most 3
} pending;

static void carry_of_pending(uint64_t *carry, const pending *p, uint64_t radix) {
    const word_pair next = (word_pair)p->d1 + p->d2[1] + p->carry;
    const uint64_t next_words[2] = {(uint64_t)next, (uint64_t)(next >> 64)};
    memset(carry, 0, STATE_WORDS * sizeof *carry);
    carry[0] = word_mul(&carry[1], p->d2[0], radix);
    const uint64_t out = limbs_add_n(carry, carry, next_words, 2);
    assert(out == 0);  // the sum is below D^2 + 2 D + 3 < B^2
    (void)out;
}

// W = 3 and coefficients below D^3, as sums of products of two digits are: digit j of coefficient i
// belongs to position i + j, so a digit is the sum of one digit of each of three coefficients and
// of a carry. The divisions do not wait for carries, so the divisions of several coefficients
// overlap. Returns how many coefficients it did: it stops before one that may be too large, and
// does none if the carry is not below D^2.
static size_t pow10_three_digits(uint64_t *digits, carry_stream *s, const uint64_t *c, size_t n,
                                 uint64_t radix, const word_divisor *d) {
    uint64_t cube[3] = {radix};
    cube[1] = limbs_ops_portable.mul_1(cube, cube, 1, radix);
    cube[2] = limbs_ops_portable.mul_1(cube, cube, 2, radix);
    uint64_t carry_high[STATE_WORDS];
    const uint64_t carry_low = limbs_divrem_by(carry_high, s->carry, STATE_WORDS, d);
    if (limbs_normalize(carry_high, STATE_WORDS) > 1 || carry_high[0] >= radix) return 0;

    const unsigned h = d->shift;
    pending p = {carry_low, {carry_high[0], 0}, 0};
    size_t i = 0;
    for (; i < n && c[2] < cube[2]; i++, c += 3) {  // c < D^3
        uint64_t r = word_shift_in(c[2], c[1], h);  // < D 2^h, as c2 < D^3 / B^2 < D
        const uint64_t q1 = word_div_step(&r, r, word_shift_in(c[1], c[0], h), d);
        const uint64_t q0 = word_div_step(&r, r, c[0] << h, d);
        const uint64_t d0 = r >> h;
        r = word_shift_in(q1, q0, h);  // < D 2^h, as q1 < D^2 / B < D
        const uint64_t d2 = word_div_step(&r, r, q0 << h, d);
        const uint64_t d1 = r >> h;
        assert(d2 < radix);

        uint64_t carry = 0;
        uint64_t sum = add_digits(d0, p.d1, radix, &carry);
        sum = add_digits(sum, p.d2[1], radix, &carry);
        digits[i] = add_digits(sum, p.carry, radix, &carry);
        assert(carry <= 3);
        p = (pending){d1, {d2, p.d2[0]}, carry};
    }
    carry_of_pending(s->carry, &p, radix);
    return i;
}

void carry_pow10(uint64_t *digits, carry_stream *s, const uint64_t *c, size_t n, unsigned words,
                 unsigned k) {
    assert(1 <= words && words <= CARRY_WORDS_MAX && s->filled == 0);
    const uint64_t radix = power_of_10(k);
    const word_divisor d = word_divisor_of(radix);
    if (words != 3 || k < 14) {  // three digits are hardly more than two words
        pow10_any(digits, s, c, n, words, &d);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        i += pow10_three_digits(digits + i, s, c + 3 * i, n - i, radix, &d);
        if (i < n) pow10_any(digits + i, s, c + 3 * i, 1, 3, &d);
    }
}

// --- Ranges --------------------------------------------------------------------------------------

// The last stream's state then is what one range would have left, and so within its bounds.
void carry_join_pow2(uint64_t *rp, size_t n, carry_stream *last, carry_stream *s) {
    assert(s->filled == 0);
    const size_t words = limbs_normalize(s->carry, STATE_WORDS), low = words < n ? words : n;
    uint64_t out = limbs_add(rp, rp, n, s->carry, low);
    if (out != 0 || low < words) {
        uint64_t state[STATE_WORDS];
        state_of_stream(state, last);
        out = limbs_add_1(state, state, STATE_WORDS, out);
        out += limbs_add(state, state, STATE_WORDS, s->carry + low, words - low);
        assert(out == 0);
        stream_of_state(last, state, last->filled);
    }
    *s = (carry_stream)CARRY_STREAM_INIT;
}

void carry_join_pow10(uint64_t *digits, size_t n, carry_stream *s, unsigned k) {
    const uint64_t radix = power_of_10(k);
    const word_divisor d = word_divisor_of(radix);
    uint64_t carry = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t words = limbs_normalize(s->carry, STATE_WORDS);
        if (words == 0 && carry == 0) break;
        const uint64_t add = limbs_divrem_by(s->carry, s->carry, words, &d);
        uint64_t next = 0;
        digits[i] = add_digits(digits[i], add, radix, &next);
        digits[i] = add_digits(digits[i], carry, radix, &next);
        assert(next <= 1);  // 2 (D - 1) + 1 < 2 D
        carry = next;
    }
    assert(carry == 0 && limbs_normalize(s->carry, STATE_WORDS) == 0);
    *s = (carry_stream)CARRY_STREAM_INIT;
}
