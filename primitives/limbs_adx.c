// limbs_adx.c: the multiplying operations of limbs.h with mulx and the two carry flags of adcx and
// adox, as assembly that needs no compiler flag. NULL elsewhere than on x86-64. May include
// limbs.h.
//
// In a row the high halves travel to the next limb along CF, the sums with the old limb along OF:
// two independent chains, which compilers do not keep apart, hence the assembly. mulx, mov, lea and
// jrcxz leave both flags alone. At the end both are added to the last high half, which cannot
// overflow: a row is a number below B^n times b, plus a number below B^n, so below B^(n+1).
#include "primitives/limbs_adx.h"

#include "primitives/limbs_tiled.h"

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

// Eight limbs a turn. The first turn is entered where a multiple of eight less are left: t gets the
// address of that limb, ap and rp are moved down by the limbs skipped.
#define FIND_ENTRY \
    "lea 9f(%%rip), %[t]\n\t" \
    "movslq (%[t], %[skip], 4), %[lo]\n\t" \
    "add %[lo], %[t]\n\t" \
    "shl $3, %[skip]\n\t" \
    "sub %[skip], %[ap]\n\t" \
    "sub %[skip], %[rp]\n\t" \
    ".pushsection .rodata\n\t" \
    ".balign 4\n" \
    "9:\t.long 10f - 9b, 11f - 9b, 12f - 9b, 13f - 9b\n\t" \
    ".long 14f - 9b, 15f - 9b, 16f - 9b, 17f - 9b\n\t" \
    ".popsection\n\t"
// All turns but the first take 64 from left (rcx); ends with the top limb in h, left = 0.
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
    "jrcxz 18f\n\t" \
    "lea 64(%[ap]), %[ap]\n\t" \
    "lea 64(%[rp]), %[rp]\n\t" \
    "lea -64(%[left]), %[left]\n\t" \
    "jmp 10b\n" \
    "18:\tadcx %[left], %[h]\n\t" \
    "adox %[left], %[h]\n\t"

// {rp, n} (=, +=, -=) {ap, n} b, n >= 1; returns the top limb.
#define ROW(LIMB) \
    uint64_t h = 0, g = 0, lo, t; \
    size_t skip = -n % 8, left = (n - 1) / 8 * 64; \
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
    const size_t back = (n - 1) / 8 * 64;
    uint64_t h, g, lo, t;
    size_t skip = -n % 8, left;
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
        "mov %[h], 64(%[rp])\n\t"
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

void limbs_adx_mul(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn) {
    assert(an >= bn && bn >= 1);
    rp[an] = mul_row(rp, ap, an, bp[0]);
    if (bn > 1) addmul_rows(rp + 1, ap, an, bp + 1, bn - 1);
}

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

void limbs_adx_sqr(uint64_t *rp, const uint64_t *ap, size_t n) {
    if (n <= LIMBS_SQUARES_UNROLLED) {
        limbs_sqr_unrolled(rp, ap, n);
        return;
    }
    rp[0] = rp[2 * n - 1] = 0;
    rp[n] = mul_row(rp + 1, ap + 1, n - 1, ap[0]);
    for (size_t i = 1; i + 1 < n; i++)
        rp[n + i] = addmul_row(rp + 2 * i + 1, ap + i + 1, n - 1 - i, ap[i]);
    double_add_squares(rp, ap, n);
}

const limbs_ops *limbs_ops_adx(void) {
    static const limbs_ops table = {
        LIMBS_ADX,          "adx",         limbs_adx_mul_1, limbs_adx_addmul_1,
        limbs_adx_submul_1, limbs_adx_mul, limbs_adx_sqr,   limbs_tiled_mul};
    return &table;
}

#else

const limbs_ops *limbs_ops_adx(void) { return 0; }

#endif
