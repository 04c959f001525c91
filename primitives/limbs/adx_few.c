// adx_few.c: products, squares and Montgomery products of few limbs with mulx, adcx and adox, all
// sums in registers. Empty elsewhere than on x86-64. May include adx.h.
//
// One text serves every length: n is known where a function is inlined, and the assembler leaves
// out what belongs to longer numbers. Low halves are added along CF, high halves along OF, which
// mulx, mov and lea leave alone. Functions for the shortest numbers name fewer registers, because
// saving the caller's would take as long as the product. Ranges: docs/proofs/schoolbook.md,
// powm.md.
#include "primitives/limbs/adx.h"

#if defined(__x86_64__)

#include <assert.h>

#define INLINE static inline __attribute__((always_inline))

// clang-format off
// What stands in the text for n > i, and for n = i alone.
#define ABOVE(i, text) ".if %c[n] > " #i "\n\t" text ".endif\n\t"
#define AT(i, text) ".if %c[n] == " #i "\n\t" text ".endif\n\t"

// Limb i of the first row, which is added to the high half of the limb below.
#define FIRST(i, x, high) ABOVE(i, \
    "mulx 8*" #i "(%[bp]), %[s], %[" #high "]\n\t" \
    "adc %[s], %[" #x "]\n\t")
#define FIRST_TOP(n, x) AT(n, "adc $0, %[" #x "]\n\t")
// Limb i of a later row: with limb i of the sum so far, which moves down by one register, and the
// high half of the limb below; that of this limb leaves by another register.
#define DOWN(i, p, x, old, in, out) ABOVE(i, \
    "mulx 8*" #i "(%[" #p "]), %[" #x "], %[" #out "]\n\t" \
    "adcx %[" #old "], %[" #x "]\n\t" \
    "adox %[" #in "], %[" #x "]\n\t")
// The top limb of a row: the last high half and both flags.
#define TOP(n, x, in) AT(n, \
    "mov $0, %k[" #x "]\n\t" \
    "adcx %[" #in "], %[" #x "]\n\t" \
    "mov $0, %k[" #in "]\n\t" \
    "adox %[" #in "], %[" #x "]\n\t")
// A row begins with limb `at` of a, and its lowest limb is that limb of the product.
#define FIRST_ROW \
    "mov (%[ap]), %%rdx\n\t" \
    "mulx (%[bp]), %[s], %[x1]\n\t" \
    "mov %[s], (%[rp])\n\t" \
    "xor %k[s], %k[s]\n\t" /* clears CF and OF */
#define LATER_ROW(at) \
    "mov " at "(%[ap]), %%rdx\n\t" \
    "xor %k[s], %k[s]\n\t" \
    "mulx (%[bp]), %[s], %[t]\n\t" \
    "adcx %[x1], %[s]\n\t" \
    "mov %[s], " at "(%[rp])\n\t"
// The other limbs of a row, up to three and up to eight.
#define FIRST_TO_3 FIRST(1, x1, x2) FIRST(2, x2, x3) FIRST_TOP(2, x2) FIRST_TOP(3, x3)
#define FIRST_TO_8 FIRST(1, x1, x2) FIRST(2, x2, x3) FIRST(3, x3, x4) FIRST(4, x4, x5) \
    FIRST(5, x5, x6) FIRST(6, x6, x7) FIRST(7, x7, x8) \
    FIRST_TOP(2, x2) FIRST_TOP(3, x3) FIRST_TOP(4, x4) FIRST_TOP(5, x5) FIRST_TOP(6, x6) \
    FIRST_TOP(7, x7) FIRST_TOP(8, x8)
#define LATER_TO_3 DOWN(1, bp, x1, x2, t, s) DOWN(2, bp, x2, x3, s, t) TOP(2, x2, s) TOP(3, x3, t)
#define LATER_TO_8 DOWN(1, bp, x1, x2, t, s) DOWN(2, bp, x2, x3, s, t) DOWN(3, bp, x3, x4, t, s) \
    DOWN(4, bp, x4, x5, s, t) DOWN(5, bp, x5, x6, t, s) DOWN(6, bp, x6, x7, s, t) \
    DOWN(7, bp, x7, x8, t, s) \
    TOP(2, x2, s) TOP(3, x3, t) TOP(4, x4, s) TOP(5, x5, t) TOP(6, x6, s) TOP(7, x7, t) \
    TOP(8, x8, s)
// All rows but the first, one after the other.
#define LATER_ROWS(text) \
    ".set row, 0\n\t" \
    ".rept %c[n] - 1\n\t" \
    ".set row, row + 1\n\t" \
    LATER_ROW("8*row") \
    text \
    ".endr"

// store: the upper limbs, whose highest it returns.
INLINE uint64_t store(uint64_t *rp, const uint64_t *x, const size_t n) {
#pragma GCC unroll 8
    for (size_t i = 0; i < n; i++) rp[i] = x[i];
    return x[n - 1];
}

// {rp, an + n} = {ap, an} {bp, n}, an >= 1, 2 <= n <= 8: row j is a_j {bp, n}, whose limb 0 is limb
// j of the product; limbs 1 to n of the sum so far are in x1 to xn.
INLINE void rows(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp, const size_t n) {
    uint64_t x1, x2, x3, x4, x5, x6, x7, x8, s, t;
    __asm__ volatile(
        FIRST_ROW FIRST_TO_8
        "jmp 2f\n"
        "1:\t"
        LATER_ROW("") LATER_TO_8
        "2:\tlea 8(%[ap]), %[ap]\n\t"
        "lea 8(%[rp]), %[rp]\n\t"
        "decq %[an]\n\t"
        "jnz 1b"
        : [x1] "=&r"(x1), [x2] "=&r"(x2), [x3] "=&r"(x3), [x4] "=&r"(x4), [x5] "=&r"(x5),
          [x6] "=&r"(x6), [x7] "=&r"(x7), [x8] "=&r"(x8), [s] "=&r"(s), [t] "=&r"(t),
          [ap] "+&r"(ap), [rp] "+&r"(rp), [an] "+&rm"(an)
        : [bp] "r"(bp), [n] "i"(n)
        : "rdx", "cc", "memory");
    store(rp, (const uint64_t[]){x1, x2, x3, x4, x5, x6, x7, x8}, n);
}

// multiply: {rp, 2 n} = {ap, n} {bp, n}, 4 <= n <= 8, the same rows one after the other;
// multiply_3: 2 <= n <= 3.
INLINE uint64_t multiply(uint64_t *rp, const uint64_t *ap, const uint64_t *bp, const size_t n) {
    uint64_t x1, x2, x3, x4, x5, x6, x7, x8, s, t;
    __asm__ volatile(
        FIRST_ROW FIRST_TO_8 LATER_ROWS(LATER_TO_8)
        : [x1] "=&r"(x1), [x2] "=&r"(x2), [x3] "=&r"(x3), [x4] "=&r"(x4), [x5] "=&r"(x5),
          [x6] "=&r"(x6), [x7] "=&r"(x7), [x8] "=&r"(x8), [s] "=&r"(s), [t] "=&r"(t)
        : [ap] "r"(ap), [bp] "r"(bp), [rp] "r"(rp), [n] "i"(n)
        : "rdx", "cc", "memory");
    return store(rp + n, (const uint64_t[]){x1, x2, x3, x4, x5, x6, x7, x8}, n);
}

INLINE uint64_t multiply_3(uint64_t *rp, const uint64_t *ap, const uint64_t *bp, const size_t n) {
    uint64_t x1, x2, x3, s, t;
    __asm__ volatile(
        FIRST_ROW FIRST_TO_3 LATER_ROWS(LATER_TO_3)
        : [x1] "=&r"(x1), [x2] "=&r"(x2), [x3] "=&r"(x3), [s] "=&r"(s), [t] "=&r"(t)
        : [ap] "r"(ap), [bp] "r"(bp), [rp] "r"(rp), [n] "i"(n)
        : "rdx", "cc", "memory");
    return store(rp + n, (const uint64_t[]){x1, x2, x3}, n);
}

// Limb i of a_j {bp, n}, added in its place.
#define LIMB(i, x, in, out) ABOVE(i, \
    "mulx 8*" #i "(%[bp]), %[u], %[" #out "]\n\t" \
    "adcx %[u], %[" #x "]\n\t" \
    "adox %[" #in "], %[" #x "]\n\t")
// The top limb of that row, for u = 0; in s at last.
#define TOP_OF_PRODUCT(n, in) AT(n, \
    "adcx %[u], %[" #in "]\n\t" \
    "adox %[u], %[" #in "]\n\t")
// That of the multiple of M: with the top limb of the product's row, and the carry so far.
#define TOP_OF_MULTIPLE(n, x, in) AT(n, \
    "mov %[" #in "], %[" #x "]\n\t" \
    "adcx %[s], %[" #x "]\n\t" \
    "adox %[c], %[" #x "]\n\t")
#define LESS_M(i, x, less) ABOVE(i, \
    "mov %[" #x "], %[" #less "]\n\t" \
    "sbb 8*" #i "(%[mp]), %[" #less "]\n\t")
#define CHOOSE(i, x, less) ABOVE(i, "cmovnc %[" #less "], %[" #x "]\n\t")

// montgomery: limbs_ops.mul_redc for 3 <= n <= 6. A turn for limb j of a makes
// T = (T + a_j {bp, n} + q M) / B from limbs 0 to n - 1 of T in x1 to xn and limb n in c, 0 or 1;
// q makes the lowest limb zero.
INLINE void montgomery(uint64_t *rp, const uint64_t *ap, const uint64_t *bp, const uint64_t *mp,
                       uint64_t inverse, const size_t n) {
    uint64_t x1 = 0, x2 = 0, x3 = 0, x4 = 0, x5 = 0, x6 = 0, c = 0, s, t, u, q;
    size_t turns = n;
    __asm__ volatile(
        ".balign 16\n"
        "1:\tmov (%[ap]), %[q]\n\t"
        "lea 8(%[ap]), %[ap]\n\t"
        "xor %k[s], %k[s]\n\t"
        "mulx (%[bp]), %[u], %[t]\n\t"
        "adcx %[u], %[x1]\n\t"
        LIMB(1, x2, t, s) LIMB(2, x3, s, t) LIMB(3, x4, t, s) LIMB(4, x5, s, t) LIMB(5, x6, t, s)
        "mov $0, %k[u]\n\t"
        TOP_OF_PRODUCT(3, t) TOP_OF_PRODUCT(4, s) TOP_OF_PRODUCT(5, t) TOP_OF_PRODUCT(6, s)
        ".if %c[n] & 1\n\t"
        "mov %[t], %[s]\n\t"
        ".endif\n\t"
        "mov %[x1], %[q]\n\t"
        "imul %[inverse], %[q]\n\t"
        "xor %k[u], %k[u]\n\t"
        "mulx (%[mp]), %[u], %[t]\n\t"
        "adcx %[u], %[x1]\n\t" /* is zero now */
        DOWN(1, mp, x1, x2, t, u) DOWN(2, mp, x2, x3, u, t) DOWN(3, mp, x3, x4, t, u)
        DOWN(4, mp, x4, x5, u, t) DOWN(5, mp, x5, x6, t, u)
        TOP_OF_MULTIPLE(3, x3, t) TOP_OF_MULTIPLE(4, x4, u) TOP_OF_MULTIPLE(5, x5, t)
        TOP_OF_MULTIPLE(6, x6, u)
        "mov $0, %k[c]\n\t"
        "mov $0, %k[u]\n\t"
        "adcx %[u], %[c]\n\t"
        "adox %[u], %[c]\n\t"
        "decq %[turns]\n\t"
        "jnz 1b\n\t"
        "xor %k[s], %k[s]\n\t"
        LESS_M(0, x1, s) LESS_M(1, x2, t) LESS_M(2, x3, u) LESS_M(3, x4, q) LESS_M(4, x5, ap)
        LESS_M(5, x6, bp)
        "sbb $0, %[c]\n\t"
        CHOOSE(0, x1, s) CHOOSE(1, x2, t) CHOOSE(2, x3, u) CHOOSE(3, x4, q) CHOOSE(4, x5, ap)
        CHOOSE(5, x6, bp)
        : [x1] "+&r"(x1), [x2] "+&r"(x2), [x3] "+&r"(x3), [x4] "+&r"(x4), [x5] "+&r"(x5),
          [x6] "+&r"(x6), [c] "+&r"(c), [s] "=&r"(s), [t] "=&r"(t), [u] "=&r"(u), [q] "=&d"(q),
          [ap] "+&r"(ap), [bp] "+&r"(bp), [turns] "+m"(turns)
        : [mp] "r"(mp), [inverse] "m"(inverse), [n] "i"(n)
        : "cc", "memory");
    const uint64_t x[6] = {x1, x2, x3, x4, x5, x6};
#pragma GCC unroll 6
    for (size_t i = 0; i < n; i++) rp[i] = x[i];
}
// clang-format on

static uint64_t mul_2(uint64_t *rp, const uint64_t *ap, const uint64_t *bp) {
    return multiply_3(rp, ap, bp, 2);
}
static uint64_t mul_3(uint64_t *rp, const uint64_t *ap, const uint64_t *bp) {
    return multiply_3(rp, ap, bp, 3);
}
static uint64_t mul_4(uint64_t *rp, const uint64_t *ap, const uint64_t *bp) {
    return multiply(rp, ap, bp, 4);
}
static uint64_t mul_5(uint64_t *rp, const uint64_t *ap, const uint64_t *bp) {
    return multiply(rp, ap, bp, 5);
}
static uint64_t mul_6(uint64_t *rp, const uint64_t *ap, const uint64_t *bp) {
    return multiply(rp, ap, bp, 6);
}
static uint64_t mul_7(uint64_t *rp, const uint64_t *ap, const uint64_t *bp) {
    return multiply(rp, ap, bp, 7);
}
static uint64_t mul_8(uint64_t *rp, const uint64_t *ap, const uint64_t *bp) {
    return multiply(rp, ap, bp, 8);
}

const limbs_mul_few limbs_adx_mul_few[LIMBS_FEW + 1] = {NULL,  limbs_mul_1, mul_2, mul_3, mul_4,
                                                        mul_5, mul_6,       mul_7, mul_8};

// If one factor has this many limbs more, rows of its length are as fast.
enum { ROWS_LONGER = 8 };

void limbs_adx_mul(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn) {
    assert(an >= bn && bn >= 1);
    if (an == bn && an <= LIMBS_FEW) {
        limbs_adx_mul_few[an](rp, ap, bp);
        return;
    }
    switch (an - bn < ROWS_LONGER ? bn : 0) {
        case 2:
            rows(rp, ap, an, bp, 2);
            break;
        case 3:
            rows(rp, ap, an, bp, 3);
            break;
        case 4:
            rows(rp, ap, an, bp, 4);
            break;
        case 5:
            rows(rp, ap, an, bp, 5);
            break;
        case 6:
            rows(rp, ap, an, bp, 6);
            break;
        case 7:
            rows(rp, ap, an, bp, 7);
            break;
        case 8:
            rows(rp, ap, an, bp, 8);
            break;
        default:
            limbs_adx_mul_rows(rp, ap, an, bp, bn);
            break;
    }
}

void limbs_adx_mul_redc(uint64_t *rp, const uint64_t *ap, const uint64_t *bp, const uint64_t *mp,
                        size_t n, uint64_t inverse) {
    assert(1 <= n && n <= LIMBS_REDC_FEW);
    switch (n) {
        case 1:
        case 2:
            limbs_mul_redc_unrolled(rp, ap, bp, mp, n, inverse);
            break;
        case 3:
            montgomery(rp, ap, bp, mp, inverse, 3);
            break;
        case 4:
            montgomery(rp, ap, bp, mp, inverse, 4);
            break;
        case 5:
            montgomery(rp, ap, bp, mp, inverse, 5);
            break;
        default:
            montgomery(rp, ap, bp, mp, inverse, 6);
            break;
    }
}

#endif
