// limbs.c: the linear operations of limbs.h in portable C; on x86-64 the add and subtract loops are
// written with the carry flag. May include word.h, word_div.h. No instruction set is chosen here.
#include "primitives/limbs.h"

#include <assert.h>
#include <string.h>

#include "primitives/word.h"

// add_fours, sub_fours: 4 turns limbs, starting with a carry (borrow) of 0 or 1. The processor
// keeps it in its flag from limb to limb; lea and dec leave it alone. Compilers do not find this
// in word_add.
#if defined(__x86_64__)
// clang-format off
#define FOURS(op) \
    uint64_t t; \
    __asm__ volatile( \
        "add $-1, %b[carry]\n" /* sets the flag to the carry */ \
        "1:\tmov (%[ap]), %[t]\n\t" \
        op " (%[bp]), %[t]\n\t" \
        "mov %[t], (%[rp])\n\t" \
        "mov 8(%[ap]), %[t]\n\t" \
        op " 8(%[bp]), %[t]\n\t" \
        "mov %[t], 8(%[rp])\n\t" \
        "mov 16(%[ap]), %[t]\n\t" \
        op " 16(%[bp]), %[t]\n\t" \
        "mov %[t], 16(%[rp])\n\t" \
        "mov 24(%[ap]), %[t]\n\t" \
        op " 24(%[bp]), %[t]\n\t" \
        "mov %[t], 24(%[rp])\n\t" \
        "lea 32(%[ap]), %[ap]\n\t" \
        "lea 32(%[bp]), %[bp]\n\t" \
        "lea 32(%[rp]), %[rp]\n\t" \
        "dec %[turns]\n\t" \
        "jnz 1b\n\t" \
        "setc %b[carry]" \
        : [carry] "+&q"(carry), [t] "=&r"(t), [ap] "+&r"(ap), [bp] "+&r"(bp), \
          [rp] "+&r"(rp), [turns] "+&r"(turns) \
        : \
        : "cc", "memory"); \
    return carry
// clang-format on

static inline uint64_t add_fours(uint64_t *rp, const uint64_t *ap, const uint64_t *bp, size_t turns,
                                 uint64_t carry) {
    FOURS("adc");
}
static inline uint64_t sub_fours(uint64_t *rp, const uint64_t *ap, const uint64_t *bp, size_t turns,
                                 uint64_t carry) {
    FOURS("sbb");
}
#else
static inline uint64_t add_fours(uint64_t *rp, const uint64_t *ap, const uint64_t *bp, size_t turns,
                                 uint64_t carry) {
    for (size_t i = 0; i < 4 * turns; i++) rp[i] = word_add(ap[i], bp[i], &carry);
    return carry;
}
static inline uint64_t sub_fours(uint64_t *rp, const uint64_t *ap, const uint64_t *bp, size_t turns,
                                 uint64_t carry) {
    for (size_t i = 0; i < 4 * turns; i++) rp[i] = word_sub(ap[i], bp[i], &carry);
    return carry;
}
#endif

uint64_t limbs_add_n(uint64_t *rp, const uint64_t *ap, const uint64_t *bp, size_t n) {
    uint64_t carry = 0;
    const size_t rest = n % 4;
    for (size_t i = 0; i < rest; i++) rp[i] = word_add(ap[i], bp[i], &carry);
    return n < 4 ? carry : add_fours(rp + rest, ap + rest, bp + rest, n / 4, carry);
}

uint64_t limbs_sub_n(uint64_t *rp, const uint64_t *ap, const uint64_t *bp, size_t n) {
    uint64_t borrow = 0;
    const size_t rest = n % 4;
    for (size_t i = 0; i < rest; i++) rp[i] = word_sub(ap[i], bp[i], &borrow);
    return n < 4 ? borrow : sub_fours(rp + rest, ap + rest, bp + rest, n / 4, borrow);
}

uint64_t limbs_add_1(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t b) {
    size_t i = 0;
    for (; i < n && b != 0; i++) {
        rp[i] = ap[i] + b;
        b = rp[i] < b;  // 0 or 1 from here on
    }
    if (rp != ap && i < n) memmove(rp + i, ap + i, (n - i) * sizeof *rp);
    return b;
}

uint64_t limbs_sub_1(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t b) {
    size_t i = 0;
    for (; i < n && b != 0; i++) {
        const uint64_t a = ap[i];
        rp[i] = a - b;
        b = a < b;  // 0 or 1 from here on
    }
    if (rp != ap && i < n) memmove(rp + i, ap + i, (n - i) * sizeof *rp);
    return b;
}

uint64_t limbs_add(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn) {
    assert(an >= bn);
    const uint64_t carry = limbs_add_n(rp, ap, bp, bn);
    return limbs_add_1(rp + bn, ap + bn, an - bn, carry);
}

uint64_t limbs_sub(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn) {
    assert(an >= bn);
    const uint64_t borrow = limbs_sub_n(rp, ap, bp, bn);
    return limbs_sub_1(rp + bn, ap + bn, an - bn, borrow);
}

uint64_t limbs_lshift(uint64_t *rp, const uint64_t *ap, size_t n, unsigned s) {
    assert(s < 64);
    if (n == 0) return 0;
    if (s == 0) {
        if (rp != ap) memmove(rp, ap, n * sizeof *rp);
        return 0;
    }
    const uint64_t out = ap[n - 1] >> (64 - s);
    for (size_t i = n - 1; i > 0; i--) rp[i] = ap[i] << s | ap[i - 1] >> (64 - s);
    rp[0] = ap[0] << s;
    return out;
}

uint64_t limbs_rshift(uint64_t *rp, const uint64_t *ap, size_t n, unsigned s) {
    assert(s < 64);
    if (n == 0) return 0;
    if (s == 0) {
        if (rp != ap) memmove(rp, ap, n * sizeof *rp);
        return 0;
    }
    const uint64_t out = ap[0] << (64 - s);
    for (size_t i = 0; i + 1 < n; i++) rp[i] = ap[i] >> s | ap[i + 1] << (64 - s);
    rp[n - 1] = ap[n - 1] >> s;
    return out;
}

int limbs_cmp(const uint64_t *ap, const uint64_t *bp, size_t n) {
    while (n > 0) {
        n--;
        if (ap[n] != bp[n]) return ap[n] < bp[n] ? -1 : 1;
    }
    return 0;
}

size_t limbs_normalize(const uint64_t *ap, size_t n) {
    while (n > 0 && ap[n - 1] == 0) n--;
    return n;
}

// --- Division by a word. A chain of steps goes down the dividend's words, each shifted with bits
// of the one below, and waits for itself; d' = d.normalized. Proofs: docs/proofs/schoolbook.md.

// residue_of: {ap, n} modulo d', n >= 1, four words at a time, without quotients.
static uint64_t residue_of(const uint64_t *ap, size_t n, const word_divisor *d) {
    uint64_t power[6] = {0};  // B^k modulo d', k >= 1; B - d' <= d'
    power[1] = d->normalized << 1 == 0 ? 0 : -d->normalized;
    for (unsigned k = 2; k < 6; k++) word_div_step(&power[k], power[k - 1], 0, d);
    const size_t first = n - (n - 1) / 4 * 4;  // words of the top block, 1 to 4
    uint64_t top[4] = {0};
    memcpy(top, ap + n - first, first * sizeof *top);
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

uint64_t limbs_mod_by(const uint64_t *ap, size_t n, const word_divisor *d) {
    assert(n >= 1);
    const unsigned s = d->shift;
    uint64_t r = residue_of(ap, n, d);
    word_div_step(&r, word_shift_in(0, r, s), r << s, d);  // a multiple of 2^s
    return r >> s;
}

// divide_halves: limbs_divrem_by for n >= 2 in two chains at once. What the upper one leaves for
// the lower one is the upper half's residue.
enum { HALVES_FROM = 48 };  // Intel Xeon (Sapphire Rapids), by hand
static uint64_t divide_halves(uint64_t *rp, const uint64_t *ap, size_t n, const word_divisor *d) {
    const size_t h = n / 2;
    const unsigned s = d->shift;
    uint64_t high = word_shift_in(0, ap[n - 1], s);
    uint64_t low = limbs_mod_by(ap + h, n - h, d) << s | word_shift_in(0, ap[h - 1], s);
    if (n % 2 != 0) {
        rp[n - 1] = word_div_step(&high, high, word_shift_in(ap[n - 1], ap[n - 2], s), d);
    }
    for (size_t k = h - 1; k > 0; k--) {
        const uint64_t upper = word_shift_in(ap[h + k], ap[h + k - 1], s);
        const uint64_t lower = word_shift_in(ap[k], ap[k - 1], s);
        rp[h + k] = word_div_step(&high, high, upper, d);
        rp[k] = word_div_step(&low, low, lower, d);
    }
    rp[h] = word_div_step(&high, high, ap[h] << s, d);  // the s bits below change no quotient
    rp[0] = word_div_step(&low, low, ap[0] << s, d);
    return low >> s;
}

uint64_t limbs_divrem_by(uint64_t *rp, const uint64_t *ap, size_t n, const word_divisor *divisor) {
    if (n == 0) return 0;
    const word_divisor d = *divisor;  // a copy, which no store to rp changes
    if (n >= HALVES_FROM) return divide_halves(rp, ap, n, &d);
    // high is the unshifted word above the current one
    uint64_t high = ap[n - 1];
    uint64_t r = word_shift_in(0, high, d.shift);
    size_t i = n - 1;
    if (i > 0 && r == 0 && high << d.shift < d.normalized) {  // the quotient's top limb is 0
        r = word_shift_in(high, ap[i - 1], d.shift);
        high = ap[i - 1];
        rp[i--] = 0;
    }
    for (; i > 0; i--) {
        const uint64_t low = ap[i - 1];
        rp[i] = word_div_step(&r, r, word_shift_in(high, low, d.shift), &d);
        high = low;
    }
    rp[0] = word_div_step(&r, r, high << d.shift, &d);
    return r >> d.shift;
}

uint64_t limbs_divrem_1(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t d) {
    const word_divisor divisor = word_divisor_of(d);
    return limbs_divrem_by(rp, ap, n, &divisor);
}
