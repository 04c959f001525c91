// adx.c: the multiplying operations of limbs.h with mulx and the two carry flags of adcx and
// adox, as assembly that needs no compiler flag. NULL elsewhere than on x86-64. May include
// limbs.h.
//
// In a row the high halves travel to the next limb along CF, the sums with the old limb along OF:
// two independent chains, which compilers do not keep apart, hence the assembly. mulx, mov, lea and
// jrcxz leave both flags alone. At the end both are added to the last high half, which cannot
// overflow: a row is a number below B^n times b, plus a number below B^n, so below B^(n+1).
#include "primitives/limbs/adx.h"

#include "primitives/limbs/tiled.h"

#if defined(__x86_64__)

#include <assert.h>

// clang-format off
// One limb at byte offset `at`: store, add or subtract the product's limb; the high half of the
// limb below comes in by one register and that of this limb leaves by another.
// r - x is computed as ~(~r + x).
#define STORE(at, in, out) \
    "mulx " #at "(%[ap]), %[lo], %[" #out "]\n\t" \
    "adcx %[" #in "], %[lo]\n\t" \
    "mov %[lo], " #at "(%[rp])\n\t"
#define ADD(at, in, out) \
    "mulx " #at "(%[ap]), %[lo], %[" #out "]\n\t" \
    "adcx %[" #in "], %[lo]\n\t" \
    "adox " #at "(%[rp]), %[lo]\n\t" \
    "mov %[lo], " #at "(%[rp])\n\t"
#define SUBTRACT(at, in, out) \
    "mov " #at "(%[rp]), %[t]\n\t" \
    "mulx " #at "(%[ap]), %[lo], %[" #out "]\n\t" \
    "not %[t]\n\t" \
    "adcx %[" #in "], %[lo]\n\t" \
    "adox %[t], %[lo]\n\t" \
    "not %[lo]\n\t" \
    "mov %[lo], " #at "(%[rp])\n\t"

// t = the address of label 10 + skip.
#define FIND_LABEL \
    "lea 9f(%%rip), %[t]\n\t" \
    "movslq (%[t], %[skip], 4), %[lo]\n\t" \
    "add %[lo], %[t]\n\t" \
    ".pushsection .rodata\n\t" \
    ".balign 4\n" \
    "9:\t.long 10f - 9b, 11f - 9b, 12f - 9b, 13f - 9b\n\t" \
    ".long 14f - 9b, 15f - 9b, 16f - 9b, 17f - 9b\n\t" \
    ".long 18f - 9b, 19f - 9b, 20f - 9b, 21f - 9b\n\t" \
    ".long 22f - 9b, 23f - 9b, 24f - 9b, 25f - 9b\n\t" \
    ".popsection\n\t"
// Sixteen limbs a turn. The first turn is entered where a multiple of sixteen less are left: t gets
// the address of that limb, ap and rp are moved down by the limbs skipped.
#define FIND_ENTRY \
    FIND_LABEL \
    "shl $3, %[skip]\n\t" \
    "sub %[skip], %[ap]\n\t" \
    "sub %[skip], %[rp]\n\t"
// All turns but the first take 128 from left (rcx); ends with the top limb in h, left = 0.
#define TURNS(LIMB) \
    ".balign 16\n" \
    "10:\t" LIMB(0, h, g) \
    "11:\t" LIMB(8, g, h) \
    "12:\t" LIMB(16, h, g) \
    "13:\t" LIMB(24, g, h) \
    "14:\t" LIMB(32, h, g) \
    "15:\t" LIMB(40, g, h) \
    "16:\t" LIMB(48, h, g) \
    "17:\t" LIMB(56, g, h) \
    "18:\t" LIMB(64, h, g) \
    "19:\t" LIMB(72, g, h) \
    "20:\t" LIMB(80, h, g) \
    "21:\t" LIMB(88, g, h) \
    "22:\t" LIMB(96, h, g) \
    "23:\t" LIMB(104, g, h) \
    "24:\t" LIMB(112, h, g) \
    "25:\t" LIMB(120, g, h) \
    "jrcxz 26f\n\t" \
    "lea 128(%[ap]), %[ap]\n\t" \
    "lea 128(%[rp]), %[rp]\n\t" \
    "lea -128(%[left]), %[left]\n\t" \
    "jmp 10b\n" \
    "26:\tadcx %[left], %[h]\n\t" \
    "adox %[left], %[h]\n\t"

// {rp, n} (=, +=, -=) {ap, n} b, n >= 1; returns the top limb.
#define ROW(LIMB) \
    uint64_t h = 0, g = 0, lo, t; \
    size_t skip = -n % 16, left = (n - 1) / 16 * 128; \
    __asm__ volatile( \
        FIND_ENTRY \
        "xor %k[lo], %k[lo]\n\t" /* clears CF and OF */ \
        "jmp *%[t]\n\t" \
        TURNS(LIMB) \
        : [h] "+&r"(h), [g] "+&r"(g), [lo] "=&r"(lo), [t] "=&r"(t), [ap] "+&r"(ap), \
          [rp] "+&r"(rp), [left] "+&c"(left), [skip] "+&r"(skip) \
        : "d"(b) \
        : "cc", "memory"); \
    return h

// {rp, n + rows} += {ap, n} {bp, rows}, rows >= 1, where the top `rows` limbs count as 0: one row
// after the other without leaving the loop.
static __attribute__((noinline)) void addmul_rows(uint64_t *rp, const uint64_t *ap, size_t n,
                                                  const uint64_t *bp, size_t rows) {
    const size_t back = (n - 1) / 16 * 128;
    uint64_t h, g, lo, t;
    size_t skip = -n % 16, left;
    __asm__ volatile(
        FIND_ENTRY
        ".balign 16\n"
        "1:\tmov (%[bp]), %%rdx\n\t"
        "lea 8(%[bp]), %[bp]\n\t"
        "mov %[back], %[left]\n\t"
        "xor %k[g], %k[g]\n\t"
        "xor %k[h], %k[h]\n\t"
        "jmp *%[t]\n\t"
        TURNS(ADD)
        "mov %[h], 128(%[rp])\n\t"
        "sub %[back], %[ap]\n\t"
        "sub %[back], %[rp]\n\t"
        "add $8, %[rp]\n\t"
        "dec %[rows]\n\t"
        "jnz 1b"
        : [h] "=&r"(h), [g] "=&r"(g), [lo] "=&r"(lo), [t] "=&r"(t), [ap] "+&r"(ap),
          [rp] "+&r"(rp), [left] "=&c"(left), [skip] "+&r"(skip), [bp] "+&r"(bp),
          [rows] "+&r"(rows)
        : [back] "r"(back)
        : "rdx", "cc", "memory");
}

// {tp, 2 n} += {mp, n} Q with Q = {tp, n} (-1 / {mp, n}) mod B^n, n >= 1: limb i of Q makes limb i
// zero, whose place then keeps the top limb of row i, which belongs to limb n + i.
static __attribute__((noinline)) void reduce_rows(uint64_t *tp, const uint64_t *mp, size_t n,
                                                  uint64_t inverse) {
    const size_t back = (n - 1) / 16 * 128;
    uint64_t h, g, lo, t;
    size_t skip = -n % 16, left, rows = n;
    __asm__ volatile(
        FIND_ENTRY
        ".balign 16\n"
        "1:\tmov (%[rp], %[skip]), %%rdx\n\t"
        "imul %[inverse], %%rdx\n\t"
        "mov %[back], %[left]\n\t"
        "xor %k[g], %k[g]\n\t"
        "xor %k[h], %k[h]\n\t"
        "jmp *%[t]\n\t"
        TURNS(ADD)
        "sub %[back], %[ap]\n\t"
        "sub %[back], %[rp]\n\t"
        "mov %[h], (%[rp], %[skip])\n\t"
        "add $8, %[rp]\n\t"
        "dec %[rows]\n\t"
        "jnz 1b"
        : [h] "=&r"(h), [g] "=&r"(g), [lo] "=&r"(lo), [t] "=&r"(t), [ap] "+&r"(mp),
          [rp] "+&r"(tp), [left] "=&c"(left), [skip] "+&r"(skip), [rows] "+&r"(rows)
        : [back] "r"(back), [inverse] "rm"(inverse)
        : "rdx", "cc", "memory");
}
// clang-format on

static __attribute__((noinline)) uint64_t mul_row(uint64_t *rp, const uint64_t *ap, size_t n,
                                                  uint64_t b) {
    ROW(STORE);
}
static __attribute__((noinline)) uint64_t addmul_row(uint64_t *rp, const uint64_t *ap, size_t n,
                                                     uint64_t b) {
    ROW(ADD);
}
static __attribute__((noinline)) uint64_t submul_row(uint64_t *rp, const uint64_t *ap, size_t n,
                                                     uint64_t b) {
    ROW(SUBTRACT);
}

uint64_t limbs_adx_mul_1(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t b) {
    return n == 0 ? 0 : mul_row(rp, ap, n, b);
}
uint64_t limbs_adx_addmul_1(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t b) {
    return n == 0 ? 0 : addmul_row(rp, ap, n, b);
}
uint64_t limbs_adx_submul_1(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t b) {
    return n == 0 ? 0 : submul_row(rp, ap, n, b);
}

void limbs_adx_mul_rows(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp,
                        size_t bn) {
    rp[an] = mul_row(rp, ap, an, bp[0]);
    if (bn > 1) addmul_rows(rp + 1, ap, an, bp + 1, bn - 1);
}

// clang-format off
// The triangle sum_{i<j} a_i a_j B^(i+j) of eight limbs, row after row, without a loop. Limb k of
// the sum lives in register x(k mod 8) from the first row that reaches it, at most eight of them at
// a time: row i adds to limbs 2 i + 1 .. i + 7, limb i + 8 is new, and limbs 2 i + 1 and 2 i + 2
// are done. Low halves are added along CF, high halves along OF.
#define FIRST(i) \
    "mov 8*" #i "(%[ap]), %%rdx\n\t" \
    "xor %k[lo], %k[lo]\n\t" /* clears CF and OF */
#define PRODUCT(j, low, high) \
    "mulx 8*" #j "(%[ap]), %[lo], %[t]\n\t" \
    "adcx %[lo], %[" #low "]\n\t" \
    "adox %[t], %[" #high "]\n\t"
#define LAST(low, high) \
    "mulx 56(%[ap]), %[lo], %[" #high "]\n\t" \
    "adcx %[lo], %[" #low "]\n\t" \
    "mov $0, %k[lo]\n\t" \
    "adcx %[lo], %[" #high "]\n\t" \
    "adox %[lo], %[" #high "]\n\t"
#define DONE(i, odd, even) \
    "mov %[" #odd "], 16*" #i "+8(%[rp])\n\t" \
    "mov %[" #even "], 16*" #i "+16(%[rp])\n\t"
#define TRIANGLE \
    "10:\t" FIRST(0) PRODUCT(1, x1, x2) PRODUCT(2, x2, x3) PRODUCT(3, x3, x4) \
        PRODUCT(4, x4, x5) PRODUCT(5, x5, x6) PRODUCT(6, x6, x7) LAST(x7, x0) DONE(0, x1, x2) \
    "11:\t" FIRST(1) PRODUCT(2, x3, x4) PRODUCT(3, x4, x5) PRODUCT(4, x5, x6) \
        PRODUCT(5, x6, x7) PRODUCT(6, x7, x0) LAST(x0, x1) DONE(1, x3, x4) \
    "12:\t" FIRST(2) PRODUCT(3, x5, x6) PRODUCT(4, x6, x7) PRODUCT(5, x7, x0) \
        PRODUCT(6, x0, x1) LAST(x1, x2) DONE(2, x5, x6) \
    "13:\t" FIRST(3) PRODUCT(4, x7, x0) PRODUCT(5, x0, x1) PRODUCT(6, x1, x2) LAST(x2, x3) \
        DONE(3, x7, x0) \
    "14:\t" FIRST(4) PRODUCT(5, x1, x2) PRODUCT(6, x2, x3) LAST(x3, x4) DONE(4, x1, x2) \
    "15:\t" FIRST(5) PRODUCT(6, x3, x4) LAST(x4, x5) DONE(5, x3, x4) \
    "16:\t" FIRST(6) LAST(x5, x6) DONE(6, x5, x6) \
    "17: 18: 19: 20: 21: 22: 23: 24: 25:\t" /* one limb has no row; more do not come here */

// {rp + 1, 2 n - 2} = the triangle of {ap, n}, 1 <= n <= 8, plus {x + 1, 7}, which is 0 unless n =
// 8. Row 8 - n is the first: ap and rp are moved down by the rows skipped.
static inline __attribute__((always_inline)) void triangle(uint64_t *rp, const uint64_t *ap,
                                                           size_t n, const uint64_t *x) {
    uint64_t x0 = 0, x1 = x[1], x2 = x[2], x3 = x[3], x4 = x[4], x5 = x[5], x6 = x[6], x7 = x[7];
    uint64_t lo, t;
    size_t skip = 8 - n;
    ap -= skip;
    rp -= 2 * skip;
    __asm__ volatile(
        FIND_LABEL
        "jmp *%[t]\n\t"
        TRIANGLE
        : [x0] "+&r"(x0), [x1] "+&r"(x1), [x2] "+&r"(x2), [x3] "+&r"(x3), [x4] "+&r"(x4),
          [x5] "+&r"(x5), [x6] "+&r"(x6), [x7] "+&r"(x7), [lo] "=&r"(lo), [t] "=&r"(t),
          [skip] "+&d"(skip)
        : [ap] "r"(ap), [rp] "r"(rp)
        : "cc", "memory");
}
// clang-format on

// {rp, 2 n} = 2 {rp, 2 n} + sum a_i^2 B^(2 i): doubling carries along CF, the squares along OF.
static void double_add_squares(uint64_t *rp, const uint64_t *ap, size_t n) {
    uint64_t lo, hi, t, s;
    __asm__ volatile(
        "xor %k[lo], %k[lo]\n"
        "1:\tmov (%[ap]), %%rdx\n\t"
        "mov (%[rp]), %[t]\n\t"
        "mov 8(%[rp]), %[s]\n\t"
        "mulx %%rdx, %[lo], %[hi]\n\t"
        "adcx %[t], %[t]\n\t"
        "adox %[lo], %[t]\n\t"
        "adcx %[s], %[s]\n\t"
        "adox %[hi], %[s]\n\t"
        "mov %[t], (%[rp])\n\t"
        "mov %[s], 8(%[rp])\n\t"
        "lea -1(%[n]), %[n]\n\t"
        "jrcxz 2f\n\t"
        "lea 8(%[ap]), %[ap]\n\t"
        "lea 16(%[rp]), %[rp]\n\t"
        "jmp 1b\n"
        "2:"
        : [lo] "=&r"(lo), [hi] "=&r"(hi), [t] "=&r"(t), [s] "=&r"(s), [ap] "+&r"(ap),
          [rp] "+&r"(rp), [n] "+&c"(n)
        :
        : "rdx", "cc", "memory");
}

// The last eight limbs' triangle comes last, to seven limbs that are there: the products of the
// limbs before, by rows whose top limb is stored. Of 5 to 8 limbs before these are a triangle and
// rows of eight limbs, all with one entry: rows of one turn and of that many lengths were predicted
// badly.
void limbs_adx_sqr(uint64_t *rp, const uint64_t *ap, size_t n) {
    static const uint64_t zero[8] = {0};
    if (n <= LIMBS_FEW) {
        limbs_adx_sqr_few[n](rp, ap);
        return;
    }
    const size_t rest = n - 8;
    rp[0] = rp[2 * n - 1] = 0;
    if (rest >= 5 && rest <= 8) {
        triangle(rp, ap, rest, zero);
        for (size_t i = 2 * rest - 1; i < n; i++) rp[i] = 0;
        addmul_rows(rp + rest, ap + rest, 8, ap, rest);
    } else {
        rp[n] = mul_row(rp + 1, ap + 1, n - 1, ap[0]);
        for (size_t i = 1; i < rest; i++)
            rp[n + i] = addmul_row(rp + 2 * i + 1, ap + i + 1, n - 1 - i, ap[i]);
    }
    triangle(rp + 2 * rest, ap + rest, 8, rp + 2 * rest);
    double_add_squares(rp, ap, n);
}

uint64_t limbs_adx_redc(uint64_t *rp, uint64_t *tp, const uint64_t *mp, size_t n,
                        uint64_t inverse) {
    reduce_rows(tp, mp, n, inverse);
    return limbs_add_n(rp, tp, tp + n, n);
}

const limbs_ops *limbs_ops_adx(void) {
    static const limbs_ops table = {.table = LIMBS_ADX,
                                    .name = "adx",
                                    .mul_1 = limbs_adx_mul_1,
                                    .addmul_1 = limbs_adx_addmul_1,
                                    .submul_1 = limbs_adx_submul_1,
                                    .mul = limbs_adx_mul,
                                    .sqr = limbs_adx_sqr,
                                    .mul_few = limbs_adx_mul_few,
                                    .sqr_few = limbs_adx_sqr_few,
                                    .redc = limbs_adx_redc,
                                    .mul_redc = limbs_adx_mul_redc,
                                    .tiled = limbs_tiled_mul,
                                    .count = &limbs_count_popcnt};
    return &table;
}

#else

const limbs_ops *limbs_ops_adx(void) { return 0; }

#endif
