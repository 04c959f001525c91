// adx_squares.c: squares of two to eight limbs with mulx, adcx and adox: the triangle
// sum_(i<j) a_i a_j B^(i+j) by rows, then one pass that doubles it and adds the squares. Empty
// elsewhere than on x86-64. May include adx.h.
//
// As in adx_few.c one text serves several lengths, low halves and doubling carry along CF, high
// halves and squares along OF. Limb k of the triangle is in register yk; row i adds to limbs 2 i +
// 1 to i + n, of which the last is new. Ranges: docs/proofs/schoolbook.md.
#include "primitives/limbs/adx.h"

#if defined(__x86_64__)

#define INLINE static inline __attribute__((always_inline))

// clang-format off
// What stands in the text for n > i, and for n = i alone.
#define ABOVE(i, text) ".if %c[n] > " #i "\n\t" text ".endif\n\t"
#define AT(i, text) ".if %c[n] == " #i "\n\t" text ".endif\n\t"

// Row 0: a_0 a_1, then a_0 a_j, whose high half is a new limb; the top limb.
#define ROW_0(low, high) \
    "mov (%[ap]), %%rdx\n\t" \
    "mulx 8(%[ap]), %[" #low "], %[" #high "]\n\t" \
    "xor %k[t], %k[t]\n\t" /* clears CF and OF */
#define NEW(j, low, high) ABOVE(j, \
    "mulx 8*" #j "(%[ap]), %[t], %[" #high "]\n\t" \
    "adc %[t], %[" #low "]\n\t")
#define NEW_TOP(n, x) AT(n, "adc $0, %[" #x "]\n\t")
// Row i, which has limbs up to j at least; a_i a_j for n > j + 1; the row's last product, for n = j
// + 1, whose high half is a new limb.
#define ROW(i, j) ABOVE(j, \
    "mov 8*" #i "(%[ap]), %%rdx\n\t" \
    "xor %k[t], %k[t]\n\t")
#define PART(j, next, low, high) ABOVE(next, \
    "mulx 8*" #j "(%[ap]), %[t], %[s]\n\t" \
    "adcx %[t], %[" #low "]\n\t" \
    "adox %[s], %[" #high "]\n\t")
#define LAST(n, j, low, high) AT(n, \
    "mulx 8*" #j "(%[ap]), %[t], %[" #high "]\n\t" \
    "adcx %[t], %[" #low "]\n\t" \
    "mov $0, %k[t]\n\t" \
    "adcx %[t], %[" #high "]\n\t" \
    "adox %[t], %[" #high "]\n\t")
// The pass: a_0^2; a_i^2, whose low half goes to the double of limb 2 i, the high half to that of
// the limb above, which is the top one for n = i + 1.
#define SQUARE_0 \
    "mov (%[ap]), %%rdx\n\t" \
    "mulx %%rdx, %[t], %[s]\n\t" \
    "mov %[t], (%[rp])\n\t" \
    "xor %k[t], %k[t]\n\t"
#define SQUARE(i, x) ABOVE(i, UPPER(i, x) \
    "mov 8*" #i "(%[ap]), %%rdx\n\t" \
    "mulx %%rdx, %[t], %[s]\n\t")
#define UPPER(i, x) \
    "adcx %[" #x "], %[" #x "]\n\t" \
    "adox %[s], %[" #x "]\n\t" \
    "mov %[" #x "], 16*" #i "-8(%[rp])\n\t"
#define LOWER(i, x) ABOVE(i, \
    "adcx %[" #x "], %[" #x "]\n\t" \
    "adox %[t], %[" #x "]\n\t" \
    "mov %[" #x "], 16*" #i "(%[rp])\n\t")
#define TOP \
    "mov $0, %k[t]\n\t" \
    "adcx %[t], %[s]\n\t" \
    "adox %[t], %[s]\n\t" \
    "mov %[s], 16*%c[n]-8(%[rp])"

#define TRIANGLE_4 ROW_0(y1, y2) NEW(2, y2, y3) NEW(3, y3, y4) NEW_TOP(3, y3) NEW_TOP(4, y4) \
    ROW(1, 2) PART(2, 3, y3, y4) LAST(3, 2, y3, y4) LAST(4, 3, y4, y5) \
    ROW(2, 3) LAST(4, 3, y5, y6)
#define TRIANGLE_6 ROW_0(y1, y2) NEW(2, y2, y3) NEW(3, y3, y4) NEW(4, y4, y5) NEW(5, y5, y6) \
    NEW_TOP(5, y5) NEW_TOP(6, y6) \
    ROW(1, 2) PART(2, 3, y3, y4) PART(3, 4, y4, y5) PART(4, 5, y5, y6) \
    LAST(5, 4, y5, y6) LAST(6, 5, y6, y7) \
    ROW(2, 3) PART(3, 4, y5, y6) PART(4, 5, y6, y7) LAST(5, 4, y6, y7) LAST(6, 5, y7, y8) \
    ROW(3, 4) PART(4, 5, y7, y8) LAST(5, 4, y7, y8) LAST(6, 5, y8, y9) \
    ROW(4, 5) LAST(6, 5, y9, y10)
#define SQUARES_4 SQUARE_0 SQUARE(1, y1) LOWER(1, y2) SQUARE(2, y3) LOWER(2, y4) \
    SQUARE(3, y5) LOWER(3, y6)
#define SQUARES_6 SQUARES_4 SQUARE(4, y7) LOWER(4, y8) SQUARE(5, y9) LOWER(5, y10)

// {rp, 2 n} = {ap, n}^2, returns the top limb: square_4 for 2 <= n <= 4, square_6 for 5 <= n <= 6,
// square_8 for 7 <= n <= 8.
INLINE uint64_t square_4(uint64_t *rp, const uint64_t *ap, const size_t n) {
    uint64_t y1, y2, y3, y4, y5, y6, s, t;
    __asm__ volatile(
        TRIANGLE_4 SQUARES_4 TOP
        : [y1] "=&r"(y1), [y2] "=&r"(y2), [y3] "=&r"(y3), [y4] "=&r"(y4), [y5] "=&r"(y5),
          [y6] "=&r"(y6), [s] "=&r"(s), [t] "=&r"(t)
        : [ap] "r"(ap), [rp] "r"(rp), [n] "i"(n)
        : "rdx", "cc", "memory");
    return s;
}

INLINE uint64_t square_6(uint64_t *rp, const uint64_t *ap, const size_t n) {
    uint64_t y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, s, t;
    __asm__ volatile(
        TRIANGLE_6 SQUARES_6 TOP
        : [y1] "=&r"(y1), [y2] "=&r"(y2), [y3] "=&r"(y3), [y4] "=&r"(y4), [y5] "=&r"(y5),
          [y6] "=&r"(y6), [y7] "=&r"(y7), [y8] "=&r"(y8), [y9] "=&r"(y9), [y10] "=&r"(y10),
          [s] "=&r"(s), [t] "=&r"(t)
        : [ap] "r"(ap), [rp] "r"(rp), [n] "i"(n)
        : "rdx", "cc", "memory");
    return s;
}

// Limb k is in register y(k mod 8) while rows add to it: limbs 1 to 6 are stored when they are
// done, and come back one by one.
#define DONE(i, odd, even) \
    "mov %[" #odd "], 16*" #i "+8(%[rp])\n\t" \
    "mov %[" #even "], 16*" #i "+16(%[rp])\n\t"
#define AGAIN(k) "mov 8*" #k "(%[rp]), %%rdx\n\t"
#define UPPER_AGAIN(i, k) AGAIN(k) \
    "adcx %%rdx, %%rdx\n\t" \
    "adox %[s], %%rdx\n\t" \
    "mov %%rdx, 8*" #k "(%[rp])\n\t" \
    "mov 8*" #i "(%[ap]), %%rdx\n\t" \
    "mulx %%rdx, %[t], %[s]\n\t"
#define LOWER_AGAIN(k) AGAIN(k) \
    "adcx %%rdx, %%rdx\n\t" \
    "adox %[t], %%rdx\n\t" \
    "mov %%rdx, 8*" #k "(%[rp])\n\t"
#define TRIANGLE_8 ROW_0(y1, y2) NEW(2, y2, y3) NEW(3, y3, y4) NEW(4, y4, y5) NEW(5, y5, y6) \
    NEW(6, y6, y7) NEW(7, y7, y0) NEW_TOP(7, y7) NEW_TOP(8, y0) DONE(0, y1, y2) \
    ROW(1, 2) PART(2, 3, y3, y4) PART(3, 4, y4, y5) PART(4, 5, y5, y6) PART(5, 6, y6, y7) \
    PART(6, 7, y7, y0) LAST(7, 6, y7, y0) LAST(8, 7, y0, y1) DONE(1, y3, y4) \
    ROW(2, 3) PART(3, 4, y5, y6) PART(4, 5, y6, y7) PART(5, 6, y7, y0) PART(6, 7, y0, y1) \
    LAST(7, 6, y0, y1) LAST(8, 7, y1, y2) DONE(2, y5, y6) \
    ROW(3, 4) PART(4, 5, y7, y0) PART(5, 6, y0, y1) PART(6, 7, y1, y2) \
    LAST(7, 6, y1, y2) LAST(8, 7, y2, y3) \
    ROW(4, 5) PART(5, 6, y1, y2) PART(6, 7, y2, y3) LAST(7, 6, y2, y3) LAST(8, 7, y3, y4) \
    ROW(5, 6) PART(6, 7, y3, y4) LAST(7, 6, y3, y4) LAST(8, 7, y4, y5) \
    ROW(6, 7) LAST(8, 7, y5, y6)
#define SQUARES_8 SQUARE_0 UPPER_AGAIN(1, 1) LOWER_AGAIN(2) UPPER_AGAIN(2, 3) LOWER_AGAIN(4) \
    UPPER_AGAIN(3, 5) LOWER_AGAIN(6) SQUARE(4, y7) LOWER(4, y0) SQUARE(5, y1) LOWER(5, y2) \
    SQUARE(6, y3) LOWER(6, y4) SQUARE(7, y5) LOWER(7, y6)

INLINE uint64_t square_8(uint64_t *rp, const uint64_t *ap, const size_t n) {
    uint64_t y0, y1, y2, y3, y4, y5, y6, y7, s, t;
    __asm__ volatile(
        TRIANGLE_8 SQUARES_8 TOP
        : [y0] "=&r"(y0), [y1] "=&r"(y1), [y2] "=&r"(y2), [y3] "=&r"(y3), [y4] "=&r"(y4),
          [y5] "=&r"(y5), [y6] "=&r"(y6), [y7] "=&r"(y7), [s] "=&r"(s), [t] "=&r"(t)
        : [ap] "r"(ap), [rp] "r"(rp), [n] "i"(n)
        : "rdx", "cc", "memory");
    return s;
}
// clang-format on

static uint64_t sqr_2(uint64_t *rp, const uint64_t *ap) { return square_4(rp, ap, 2); }
static uint64_t sqr_3(uint64_t *rp, const uint64_t *ap) { return square_4(rp, ap, 3); }
static uint64_t sqr_4(uint64_t *rp, const uint64_t *ap) { return square_4(rp, ap, 4); }
static uint64_t sqr_5(uint64_t *rp, const uint64_t *ap) { return square_6(rp, ap, 5); }
static uint64_t sqr_6(uint64_t *rp, const uint64_t *ap) { return square_6(rp, ap, 6); }
static uint64_t sqr_7(uint64_t *rp, const uint64_t *ap) { return square_8(rp, ap, 7); }
static uint64_t sqr_8(uint64_t *rp, const uint64_t *ap) { return square_8(rp, ap, 8); }

const limbs_sqr_few limbs_adx_sqr_few[LIMBS_FEW + 1] = {NULL,  limbs_sqr_1, sqr_2, sqr_3, sqr_4,
                                                        sqr_5, sqr_6,       sqr_7, sqr_8};

#endif
