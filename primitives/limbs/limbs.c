// limbs.c: the linear operations of limbs.h in portable C; on x86-64 the add and subtract loops are
// written with the carry flag. May include word.h. No instruction set is chosen here.
#include "primitives/limbs/limbs.h"

#include <assert.h>
#include <string.h>

#include "primitives/words/word.h"

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

// pair: two limbs in a vector register, which every x86-64 has.
typedef uint64_t pair __attribute__((vector_size(16)));
static inline pair get(const uint64_t *p) {
    pair x;
    memcpy(&x, p, sizeof x);
    return x;
}
static inline void put(uint64_t *p, pair x) { memcpy(p, &x, sizeof x); }

// copy: {rp, n} = {ap, n}, rp <= ap where they overlap. A call takes longer for few limbs.
enum { COPY_CALL = 32 };
static inline void copy(uint64_t *rp, const uint64_t *ap, size_t n) {
    if (n >= COPY_CALL) {
        memmove(rp, ap, n * sizeof *rp);
        return;
    }
    size_t i = 0;
    for (; i + 2 <= n; i += 2) put(rp + i, get(ap + i));
    if (i < n) rp[i] = ap[i];
}

uint64_t limbs_add_1(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t b) {
    size_t i = 0;
    for (; i < n && b != 0; i++) {
        rp[i] = ap[i] + b;
        b = rp[i] < b;  // 0 or 1 from here on
    }
    if (rp != ap && i < n) copy(rp + i, ap + i, n - i);
    return b;
}

uint64_t limbs_sub_1(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t b) {
    size_t i = 0;
    for (; i < n && b != 0; i++) {
        const uint64_t a = ap[i];
        rp[i] = a - b;
        b = a < b;  // 0 or 1 from here on
    }
    if (rp != ap && i < n) copy(rp + i, ap + i, n - i);
    return b;
}

uint64_t limbs_add(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn) {
    assert(an >= bn);
    const uint64_t carry = limbs_add_n(rp, ap, bp, bn);
    return an == bn ? carry : limbs_add_1(rp + bn, ap + bn, an - bn, carry);
}

uint64_t limbs_sub(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn) {
    assert(an >= bn);
    const uint64_t borrow = limbs_sub_n(rp, ap, bp, bn);
    return an == bn ? borrow : limbs_sub_1(rp + bn, ap + bn, an - bn, borrow);
}

uint64_t limbs_lshift(uint64_t *rp, const uint64_t *ap, size_t n, unsigned s) {
    assert(s < 64);
    if (n == 0) return 0;
    if (s == 0) {
        if (rp != ap) memmove(rp, ap, n * sizeof *rp);
        return 0;
    }
    const uint64_t out = ap[n - 1] >> (64 - s);
    const uint64_t up = s, down = 64 - s;
    size_t i = n - 1;
    for (; i >= 2; i -= 2) put(rp + i - 1, get(ap + i - 1) << up | get(ap + i - 2) >> down);
    if (i == 1) rp[1] = ap[1] << s | ap[0] >> (64 - s);
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
    const uint64_t down = s, up = 64 - s;
    size_t i = 0;
    for (; i + 2 < n; i += 2) put(rp + i, get(ap + i) >> down | get(ap + i + 1) << up);
    if (i + 1 < n) rp[i] = ap[i] >> s | ap[i + 1] << (64 - s);
    rp[n - 1] = ap[n - 1] >> s;
    return out;
}

void limbs_com(uint64_t *rp, const uint64_t *ap, size_t n) {
    size_t i = 0;
    for (; i + 2 <= n; i += 2) put(rp + i, ~get(ap + i));
    if (i < n) rp[i] = ~ap[i];
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
