// scan.c: see scan.h. Written to be read: every value has STEP words in any radix. May include
// scan.h, monoid.h and primitives/.
#include "carry/scan.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "carry/monoid.h"
#include "primitives/limbs/limbs.h"

enum { STEP = CARRY_WORDS_MAX + 1 };  // words of a value

// R = 2^w, or the word `decimal` if that is not 0.
typedef struct {
    unsigned w;
    uint64_t decimal;
} radix;

// {t, STEP} = {digit} + R {quotient}, digit < R; digit may be t.
static void divide(uint64_t *quotient, uint64_t *digit, const uint64_t *t, radix r) {
    if (r.decimal != 0) {
        const uint64_t rest = limbs_divrem_1(quotient, t, STEP, r.decimal);
        memset(digit, 0, STEP * sizeof *digit);
        digit[0] = rest;
        return;
    }
    const size_t whole = r.w / 64;
    memset(quotient, 0, STEP * sizeof *quotient);
    limbs_rshift(quotient, t + whole, STEP - whole, r.w % 64);
    memmove(digit, t, STEP * sizeof *digit);
    digit[whole] &= ((uint64_t)1 << r.w % 64) - 1;
    memset(digit + whole + 1, 0, (STEP - whole - 1) * sizeof *digit);
}

// R - 1 in STEP words.
static void largest_digit(uint64_t *nines, radix r) {
    memset(nines, 0, STEP * sizeof *nines);
    if (r.decimal != 0) {
        nines[0] = r.decimal - 1;
    } else {
        nines[r.w / 64] = (uint64_t)1 << r.w % 64;
        limbs_sub_1(nines, nines, STEP, 1);
    }
}

static void add_to(uint64_t *t, const uint64_t *add) {
    const uint64_t carry = limbs_add_n(t, t, add, STEP);
    assert(carry == 0);
    (void)carry;
}

// One round over t[n]; what leaves the last position is added to `out`. On the device every
// position reads its neighbour's old value; from the top down the same happens in place.
static void release(uint64_t *t, size_t n, uint64_t *out, radix r) {
    uint64_t quotient[STEP];
    for (size_t i = n; i-- > 0;) {
        divide(quotient, t + i * STEP, t + i * STEP, r);
        add_to(i + 1 < n ? t + (i + 1) * STEP : out, quotient);
    }
}

// Whether no position exceeds 2 R - 2, so that with a carry of 1 it carries out at most 1.
static bool settled(const uint64_t *t, size_t n, const uint64_t *nines) {
    uint64_t twice[STEP];
    const uint64_t over = limbs_add_n(twice, nines, nines, STEP);
    assert(over == 0);
    (void)over;
    for (size_t i = 0; i < n; i++) {
        if (limbs_cmp(t + i * STEP, twice, STEP) > 0) return false;
    }
    return true;
}

// digits: coefficients and the stream's carry to digits in t[n * STEP], the new carry in s.
static void digits(uint64_t *t, carry_stream *s, const uint64_t *c, size_t n, unsigned words,
                   radix r) {
    uint64_t nines[STEP], out[STEP] = {0};
    largest_digit(nines, r);
    for (size_t i = 0; i < n; i++) {
        memset(t + i * STEP, 0, STEP * sizeof *t);
        memcpy(t + i * STEP, c + i * words, words * sizeof *t);
    }
    add_to(t, s->carry);
    while (!settled(t, n, nines)) release(t, n, out, r);

    // The exclusive scan: `below` is the composition of all states below position i, so the carry
    // into position i is its value at 0.
    carry_state below = CARRY_PROPAGATE;
    for (size_t i = 0; i < n; i++) {
        uint64_t *const ti = t + i * STEP, quotient[STEP];
        const carry_state state = carry_state_of(limbs_cmp(ti, nines, STEP));
        limbs_add_1(ti, ti, STEP, carry_apply(below, 0));
        divide(quotient, ti, ti, r);
        below = carry_compose(below, state);
        assert(quotient[0] == carry_apply(below, 0));
    }
    limbs_add_1(out, out, STEP, carry_apply(below, 0));
    memcpy(s->carry, out, sizeof out);
}

size_t carry_scan_workspace_words(size_t n) { return n * STEP; }

size_t carry_scan_pow2(uint64_t *rp, carry_stream *s, const uint64_t *c, size_t n, unsigned words,
                       unsigned w, uint64_t *ws) {
    if (n == 0) return 0;
    digits(ws, s, c, n, words, (radix){w, 0});
    size_t limbs = 0;
    for (size_t i = 0; i < n; i++) {  // appends w bits, 64 at most at a time
        for (unsigned bit = 0; bit < w; bit += 64) {
            const unsigned bits = w - bit < 64 ? w - bit : 64;
            const uint64_t piece = ws[i * STEP + bit / 64];
            s->partial |= piece << s->filled;
            if (s->filled + bits >= 64) {
                rp[limbs++] = s->partial;
                s->partial = piece >> 1 >> (63 - s->filled);
            }
            s->filled = (s->filled + bits) % 64;
        }
    }
    return limbs;
}

void carry_scan_pow10(uint64_t *digit, carry_stream *s, const uint64_t *c, size_t n, unsigned words,
                      unsigned k, uint64_t *ws) {
    if (n == 0) return;
    uint64_t decimal = 1;
    for (unsigned i = 0; i < k; i++) decimal *= 10;
    digits(ws, s, c, n, words, (radix){0, decimal});
    for (size_t i = 0; i < n; i++) digit[i] = ws[i * STEP];
}
