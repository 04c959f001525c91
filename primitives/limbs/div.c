// div.c: division by a word, of limbs.h, in portable C; on x86-64 a step is written with the
// carry flag. May include inverse.h, word.h, word_div.h. d' = d.normalized, v = d.reciprocal, B =
// 2^64.
// Proofs: docs/proofs/schoolbook.md.
#include <assert.h>
#include <string.h>

#include "primitives/limbs/limbs.h"
#include "primitives/words/inverse.h"
#include "primitives/words/word.h"
#include "primitives/words/word_div.h"

// residue_of: {ap, n} modulo d', n >= 1, four words at a time, without quotients.
static uint64_t residue_of(const uint64_t *ap, size_t n, const word_divisor *d) {
    uint64_t power[6] = {0};  // B^k modulo d', k >= 1; B - d' <= d'
    power[1] = d->normalized << 1 == 0 ? 0 : -d->normalized;
    word_div_step(&power[2], power[1], 0, d);
    const word_pair square = (word_pair)power[2] * power[2];  // below d'^2, its upper word below d'
    word_div_step(&power[3], power[2], 0, d);
    word_div_step(&power[4], (uint64_t)(square >> 64), (uint64_t)square, d);  // beside power[3]
    word_div_step(&power[5], power[4], 0, d);
    const size_t first = n - (n - 1) / 4 * 4;  // words of the top block, 1 to 4
    uint64_t top[4];
    for (size_t k = 0; k < 4; k++) top[k] = k < first ? ap[n - first + k] : 0;  // no call
    word_pair state = 0;  // below B^2, congruent to the words so far
    const uint64_t *words = top;
    for (size_t left = n - first;; left -= 4) {
        const word_pair terms[4] = {(word_pair)words[2] * power[2], (word_pair)words[3] * power[3],
                                    (word_pair)(uint64_t)state * power[4],
                                    (word_pair)(uint64_t)(state >> 64) * power[5]};
        uint64_t carries = 0;
        state = (word_pair)words[1] << 64 | words[0];
        for (unsigned k = 0; k < 4; k++) {
            state += terms[k];
            carries += state < terms[k];
        }
        const word_pair carried = (word_pair)carries * power[2];  // each is B^2
        state += carried;
        if (__builtin_expect(state < carried, 0)) state += power[2];  // once more, for good
        if (left == 0) break;
        words = ap + left - 4;
    }
    uint64_t r, high = (uint64_t)(state >> 64);
    high -= high >= d->normalized ? d->normalized : 0;
    word_div_step(&r, high, (uint64_t)state, d);
    return r;
}

// Limbs from which residue_of and limbs_divrem_by go by blocks, and whose words are divided one by
// one below: either has steps at its begin and its end.
enum { FOLD_FROM = 8 };

uint64_t limbs_mod_by(const uint64_t *ap, size_t n, const word_divisor *d) {
    assert(n >= 1);
    const unsigned s = d->shift;
    if (n < FOLD_FROM) {
        uint64_t r = word_shift_in(0, ap[n - 1], s);
        for (size_t i = n - 1; i > 0; i--) {
            word_div_step(&r, r, word_shift_in(ap[i], ap[i - 1], s), d);
        }
        word_div_step(&r, r, ap[0] << s, d);
        return r >> s;
    }
    uint64_t r = residue_of(ap, n, d);
    word_div_step(&r, word_shift_in(0, r, s), r << s, d);  // a multiple of 2^s
    return r >> s;
}

// folded: what is left of a dividend's upper words, r1 B + r0, and the quotient's two lowest words
// so far, q1 B + q0, to which later steps may still add.
typedef struct {
    uint64_t r1, r0, q1, q0;
} folded;

// fold: (r1 B + r0) B + w loses r1 (B + v) d' = r1 (B^2 - excess), and B d' where the rest would be
// B^2 or more; returns the carry out of q1 B + q0, 0 or 1, which has grown by r1 + floor(r1 v / B),
// and one where B d' was lost. r1 v mod B is the quotient's next word, *next. It waits for one
// product, a sum and a choice; what is added to the quotient delays nothing.
static inline uint64_t fold(folded *s, uint64_t *next, uint64_t w, uint64_t v, uint64_t excess,
                            uint64_t minus_d) {
#if defined(__x86_64__)
    uint64_t carry = 0, high, rest;
    __asm__(
        "mov %[r1], %%rax\n\t"
        "mulq %[excess]\n\t"
        "add %[w], %%rax\n\t"
        "adc %[r0], %%rdx\n\t"
        "mov %%rax, %[r0]\n\t"
        "lea (%%rdx, %[minus_d]), %[rest]\n\t"
        "cmovnc %%rdx, %[rest]\n\t"
        "adc %[r1], %[q0]\n\t"
        "adc $0, %[q1]\n\t"
        "adc $0, %[carry]\n\t"
        "mov %[r1], %%rax\n\t"
        "mov %[rest], %[r1]\n\t"
        "mulq %[v]\n\t"
        "add %%rdx, %[q0]\n\t"
        "adc $0, %[q1]\n\t"
        "adc $0, %[carry]"
        : [r1] "+&r"(s->r1), [r0] "+&r"(s->r0), [q1] "+&r"(s->q1), [q0] "+&r"(s->q0),
          [carry] "+&r"(carry), [rest] "=&r"(rest), "=&a"(*next), "=&d"(high)
        : [w] "rm"(w), [v] "rm"(v), [excess] "rm"(excess), [minus_d] "r"(minus_d)
        : "cc");
    return carry;
#else
    word_pair rest, quotient;
    const bool over =
        __builtin_add_overflow((word_pair)s->r1 * excess, (word_pair)s->r0 << 64 | w, &rest);
    const word_pair product = (word_pair)s->r1 * v;
    const bool carry = __builtin_add_overflow((word_pair)s->q1 << 64 | s->q0,
                                              (product >> 64) + s->r1 + over, &quotient);
    *next = (uint64_t)product;
    *s = (folded){(uint64_t)(rest >> 64) + (over ? minus_d : 0), (uint64_t)rest,
                  (uint64_t)(quotient >> 64), (uint64_t)quotient};
    return carry;
#endif
}

// unfold: the quotient's words 1 and 0 as they are in the end, the remainder in *r; returns the
// carry into word 2. r1 B + r0 < B^2 <= 2 B d'.
static bool unfold(folded *s, uint64_t *r, const word_divisor *d) {
    word_pair quotient = (word_pair)s->q1 << 64 | s->q0;
    const uint64_t whole = s->r1 >= d->normalized;  // by masks: no branch to be predicted
    const uint64_t high = s->r1 - (d->normalized & (0 - whole));
    const word_pair low = word_div_step(r, high, s->r0, d);
    const bool carry = __builtin_add_overflow(quotient, (word_pair)whole << 64 | low, &quotient);
    s->q1 = (uint64_t)(quotient >> 64);
    s->q0 = (uint64_t)quotient;
    return carry;
}

// divide_few: limbs_divrem_by, one word after the other.
static uint64_t divide_few(uint64_t *rp, const uint64_t *ap, size_t n, const word_divisor *d) {
    const unsigned s = d->shift;
    uint64_t high = ap[n - 1], r = word_shift_in(0, high, s);
    for (size_t i = n; i > 0; i--) {
        const uint64_t low = i > 1 ? ap[i - 2] : 0;
        rp[i - 1] = word_div_step(&r, r, word_shift_in(high, low, s), d);
        high = low;
    }
    return r >> s;
}

uint64_t limbs_divrem_by(uint64_t *rp, const uint64_t *ap, size_t n, const word_divisor *divisor) {
    if (n == 0) return 0;
    if (n < FOLD_FROM) return divide_few(rp, ap, n, divisor);
    const word_divisor d = *divisor;                       // a copy, which no store to rp changes
    const uint64_t excess = -d.normalized * d.reciprocal;  // B^2 - (B + v) d', from 1 to d'
    uint64_t below = n > 1 ? ap[n - 2] : 0, r;
    folded s = {word_shift_in(0, ap[n - 1], d.shift), word_shift_in(ap[n - 1], below, d.shift), 0,
                0};
    // s.r0 is word i of the dividend 2^shift, s.q0 of the quotient; words from n on are 0
    for (size_t i = n - 1; i > 0; i--) {
        const uint64_t high = below;
        uint64_t next;
        below = i > 1 ? ap[i - 2] : 0;
        const uint64_t w = word_shift_in(high, below, d.shift);
        const uint64_t carry = fold(&s, &next, w, d.reciprocal, excess, -d.normalized);
        if (__builtin_expect(carry != 0, 0)) {
            assert(i + 2 < n);  // the quotient so far is never more than the quotient
            limbs_add_1(rp + i + 2, rp + i + 2, n - i - 2, carry);
        }
        if (i + 1 < n) rp[i + 1] = s.q1;
        s.q1 = s.q0;
        s.q0 = next;
    }
    if (unfold(&s, &r, &d)) {
        assert(n > 2);
        limbs_add_1(rp + 2, rp + 2, n - 2, 1);
    }
    assert(n > 1 || s.q1 == 0);
    rp[0] = s.q0;
    if (n > 1) rp[1] = s.q1;
    return r >> d.shift;
}

// divide_word: the quotient of r B + a by d > r, whose remainder r becomes.
static inline uint64_t divide_word(uint64_t *r, uint64_t a, uint64_t d) {
    assert(*r < d);
#if defined(__x86_64__)  // compilers call a function for two words by one
    __asm__("divq %[d]" : "+a"(a), "+d"(*r) : [d] "r"(d) : "cc");
    return a;
#else
    const word_pair u = (word_pair)*r << 64 | a;
    *r = (uint64_t)(u % d);
    return (uint64_t)(u / d);
#endif
}

// top_word: the same of a alone by d >= 2^63, whose quotient is 0 or 1; returns the remainder.
static inline uint64_t top_word(uint64_t *quotient, uint64_t a, uint64_t d) {
    *quotient = a >= d;
    return a - (d & (0 - *quotient));
}

uint64_t limbs_divrem_words(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t d) {
    uint64_t r = 0;
    if (n > 0 && d >> 63 != 0) {
        n--;
        r = top_word(&rp[n], ap[n], d);
    }
    for (size_t i = n; i > 0; i--) rp[i - 1] = divide_word(&r, ap[i - 1], d);
    return r;
}

uint64_t limbs_divrem_1(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t d) {
    if (n <= 2) return limbs_divrem_words(rp, ap, n, d);  // a reciprocal costs a division, too
    const word_divisor divisor = word_divisor_of(d);
    return limbs_divrem_by(rp, ap, n, &divisor);
}

// divexact: limbs_divexact_1 and limbs_divexact_words. Limbs of A / 2^twos are divided by o = d /
// 2^twos from below, q o = x - c + c' B for the next c', and limbs of A by d from above, with a
// rest r. A processor does both at once. Where they meet, d divides A if c = floor(r / 2^twos).
static inline __attribute__((always_inline)) bool divexact(uint64_t *rp, const uint64_t *ap,
                                                           size_t n, uint64_t d, bool words) {
    assert(n >= 1 && d != 0);
    const unsigned twos = word_ctz(d);
    if ((ap[0] & (((uint64_t)1 << twos) - 1)) != 0) return false;
    const uint64_t o = d >> twos, inverse = word_inverse(o);
    const word_divisor by = words ? (word_divisor){d, 0, 0} : word_divisor_of(d);
    size_t low = 0, high = n;
    uint64_t c = 0, at = ap[0], top = ap[n - 1], r = words ? 0 : word_shift_in(0, top, by.shift);
    if (words && d >> 63 != 0) r = top_word(&rp[--high], top, d);
    while (low < high) {
        high--;
        if (words) {
            rp[high] = divide_word(&r, ap[high], d);
        } else {
            const uint64_t below = high > 0 ? ap[high - 1] : 0;
            rp[high] = word_div_step(&r, r, word_shift_in(top, below, by.shift), &by);
            top = below;
        }
        if (low == high) break;
        const uint64_t above = ap[low + 1], x = at >> twos | above << 1 << (63 - twos);
        uint64_t carry;
        rp[low] = (x - c) * inverse;
        word_mul(&carry, rp[low], o);
        c = carry + (x < c);
        at = above;
        low++;
    }
    return c == r >> by.shift >> twos;
}

bool limbs_divexact_1(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t d) {
    return divexact(rp, ap, n, d, false);
}

bool limbs_divexact_words(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t d) {
    return divexact(rp, ap, n, d, true);
}
