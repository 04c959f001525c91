// ifma.c: the schoolbook of limbs.h in digits of 52 bits, eight to a vector. Compiled for
// AVX-512 with IFMA and VBMI on x86-64, NULL elsewhere. May include ifma.h, ifma_exact.h,
// ifma_redc.h, digits.h, adx.h, lanes.h.
//
//   limbs -> digits a_i, b_j -> sums lo_(i+j) of low halves, hi_(i+j) of high halves of a_i b_j
//         -> digits lo_k + hi_(k-1) -> carries, eight at a time -> limbs
//
// Ranges: docs/proofs/schoolbook.md.
#include "primitives/limbs/ifma.h"

#include "primitives/limbs/adx.h"
#include "primitives/limbs/ifma_exact.h"
#include "primitives/limbs/ifma_redc.h"
#include "primitives/limbs/lanes.h"

#if defined(__x86_64__)

#include <assert.h>
#include <immintrin.h>
#include <string.h>

#include "primitives/limbs/digits.h"

enum {
    PIECE = LIMBS_TILED_MAX,             // limbs of one operand that are multiplied at a time
    VECTORS = (PIECE * 64 + 415) / 416,  // its vectors of 8 digits
    TILE = 4,                            // vectors of a, and of b, whose sums stay in registers
    // Limbs of the shorter operand, products of limbs, and limbs of a square from which digits pay;
    // below, adx.c is as fast. Emerald Rapids, products of 4 to 12 by 8 to 128 limbs.
    MUL_FROM = 5,
    MUL_PRODUCTS = 150,
    SQR_FROM = 16,
    // Vectors of a block of a square, and the limbs from which blocks pay: at 128 limbs 0.74 of a
    // product's time, 0.9 at 64. Xeon with AMX.
    SIDE = TILE,
    SQR_BLOCKS_FROM = 48,
};

#define ALIGNED __attribute__((aligned(64)))

// An operand in digits. Zeros around it let eight digits be read from any position that overlaps
// it.
typedef struct {
    uint64_t below[8], digit[8 * VECTORS], above[8];
    size_t digits;
} ALIGNED operand;

// Sums of low and high halves of the products a_i b_j with i + j = k; hi[k] belongs to digit k + 1.
typedef struct {
    uint64_t lo[8 * 2 * VECTORS], hi[8 * 2 * VECTORS];
} ALIGNED sums;

static void unpack(operand *d, const uint64_t *ap, size_t n) {
    const size_t vectors = (64 * n + 415) / 416;
    d->digits = (64 * n + 51) / 52;
    assert(n <= PIECE && vectors <= VECTORS);
    _mm512_store_si512(d->below, _mm512_setzero_si512());
    for (size_t v = 0; v < vectors; v++) {
        _mm512_store_si512(d->digit + 8 * v, digits_load(ap, n, v));
    }
    _mm512_store_si512(d->digit + 8 * vectors, _mm512_setzero_si512());
}

// Sums of a tile: of `columns` vectors of a times `rows` vectors of b, in registers. The digits r
// of all rows of b, r from `first` to `end`, times the vectors that begin r digits below those of
// a.
static inline __attribute__((always_inline)) void add_digits(__m512i *lo, __m512i *hi,
                                                             const uint64_t *a, size_t columns,
                                                             const uint64_t *b, size_t rows,
                                                             size_t first, size_t end) {
    for (size_t r = first; r < end; r++) {
        __m512i bj[TILE];
#pragma GCC unroll 4
        for (size_t u = 0; u < rows; u++) bj[u] = _mm512_set1_epi64((int64_t)b[8 * u + r]);
#pragma GCC unroll 5
        for (size_t v = 0; v < columns; v++) {
            const __m512i ai = _mm512_loadu_si512(a + 8 * v - r);
#pragma GCC unroll 4
            for (size_t u = 0; u < rows; u++) {
                lo[v + u] = _mm512_madd52lo_epu64(lo[v + u], ai, bj[u]);
                hi[v + u] = _mm512_madd52hi_epu64(hi[v + u], ai, bj[u]);
            }
        }
    }
}

// {lo, hi} += a tile. The vector above the columns is reached from digit `reach` of b on.
static inline __attribute__((always_inline)) void add_tile(uint64_t *lo, uint64_t *hi,
                                                           const uint64_t *a, size_t columns,
                                                           const uint64_t *b, size_t rows,
                                                           size_t reach) {
    __m512i l[2 * TILE], h[2 * TILE];
#pragma GCC unroll 8
    for (size_t v = 0; v < columns + rows; v++) {
        l[v] = _mm512_load_si512(lo + 8 * v);
        h[v] = _mm512_load_si512(hi + 8 * v);
    }
    add_digits(l, h, a, columns, b, rows, 0, reach);
    add_digits(l, h, a, columns + 1, b, rows, reach, 8);
#pragma GCC unroll 8
    for (size_t v = 0; v < columns + rows; v++) {
        _mm512_store_si512(lo + 8 * v, l[v]);
        _mm512_store_si512(hi + 8 * v, h[v]);
    }
}

// One case for every number of registers.
static void add_tile_of(uint64_t *lo, uint64_t *hi, const uint64_t *a, size_t columns,
                        const uint64_t *b, size_t rows, size_t reach) {
    switch (columns * TILE + rows) {
        case 1 * TILE + 1:
            add_tile(lo, hi, a, 1, b, 1, reach);
            break;
        case 1 * TILE + 2:
            add_tile(lo, hi, a, 1, b, 2, reach);
            break;
        case 1 * TILE + 3:
            add_tile(lo, hi, a, 1, b, 3, reach);
            break;
        case 1 * TILE + 4:
            add_tile(lo, hi, a, 1, b, 4, reach);
            break;
        case 2 * TILE + 1:
            add_tile(lo, hi, a, 2, b, 1, reach);
            break;
        case 2 * TILE + 2:
            add_tile(lo, hi, a, 2, b, 2, reach);
            break;
        case 2 * TILE + 3:
            add_tile(lo, hi, a, 2, b, 3, reach);
            break;
        case 2 * TILE + 4:
            add_tile(lo, hi, a, 2, b, 4, reach);
            break;
        case 3 * TILE + 1:
            add_tile(lo, hi, a, 3, b, 1, reach);
            break;
        case 3 * TILE + 2:
            add_tile(lo, hi, a, 3, b, 2, reach);
            break;
        case 3 * TILE + 3:
            add_tile(lo, hi, a, 3, b, 3, reach);
            break;
        case 3 * TILE + 4:
            add_tile(lo, hi, a, 3, b, 4, reach);
            break;
        case 4 * TILE + 1:
            add_tile(lo, hi, a, 4, b, 1, reach);
            break;
        case 4 * TILE + 2:
            add_tile(lo, hi, a, 4, b, 2, reach);
            break;
        case 4 * TILE + 3:
            add_tile(lo, hi, a, 4, b, 3, reach);
            break;
        case 4 * TILE + 4:
            add_tile(lo, hi, a, 4, b, 4, reach);
            break;
    }
}

// The side of the tiles that cut n vectors evenly.
static size_t even_side(size_t n) {
    const size_t tiles = (n + TILE - 1) / TILE;
    return (n + tiles - 1) / tiles;
}

static size_t vectors_of(size_t digits) { return (digits + 7) / 8; }

// {lo, hi} += all products of {a, an} and {b, bn}, lengths in digits, eight zeros around a, zeros
// up to a whole vector behind b.
static void add_products(uint64_t *lo, uint64_t *hi, const uint64_t *a, size_t an,
                         const uint64_t *b, size_t bn) {
    const size_t a_vectors = vectors_of(an), b_vectors = vectors_of(bn);
    const size_t width = even_side(a_vectors), height = even_side(b_vectors);
    for (size_t v = 0; v < a_vectors; v += width) {
        // Eight digits of a that straddle two vectors belong to the upper one, so only above the
        // last vector there is one more to read, and only once zeros have been pushed out of it.
        const size_t left = a_vectors - v, columns = left < width ? left : width;
        const size_t reach = left <= width ? 8 * a_vectors - an + 1 : 8;
        for (size_t u = 0; u < b_vectors; u += height) {
            const size_t rows = b_vectors - u < height ? b_vectors - u : height;
            add_tile_of(lo + 8 * (u + v), hi + 8 * (u + v), a + 8 * v, columns, b + 8 * u, rows,
                        reach);
        }
    }
}

// The limbs of sum (lo_k + hi_(k-1)) 2^(52 k).
static void write_limbs(uint64_t *rp, size_t n, const sums *s) {
    __m512i hi_below = _mm512_setzero_si512();  // the last vector of hi
    digits_carry carry = digits_no_carry();
    for (size_t v = 0; 52 * v < 8 * n; v++) {
        const __m512i hi = _mm512_load_si512(s->hi + 8 * v);
        const __m512i sum = _mm512_add_epi64(_mm512_load_si512(s->lo + 8 * v),
                                             _mm512_alignr_epi64(hi, hi_below, 7));
        hi_below = hi;
        digits_store(rp, n, v, digits_of(&carry, sum));
    }
    assert(carry.one == 0);  // the product has 2 n limbs and no digit above them
}

// Both operands of at most PIECE limbs.
static void mul_piece(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn) {
    operand a, b;
    sums s;
    unpack(&a, ap, an);
    unpack(&b, bp, bn);
    const size_t room = 8 * (vectors_of(a.digits) + vectors_of(b.digits));
    memset(s.lo, 0, room * sizeof *s.lo);
    memset(s.hi, 0, room * sizeof *s.hi);
    add_products(s.lo, s.hi, a.digit, a.digits, b.digit, b.digits);
    write_limbs(rp, an + bn, &s);
}

// Pieces of equal length, at most PIECE limbs.
static size_t even_piece(size_t n) {
    const size_t pieces = (n + PIECE - 1) / PIECE;
    return (n + pieces - 1) / pieces;
}

static void mul_in_pieces(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp,
                          size_t bn) {
    const size_t a_piece = even_piece(an), b_piece = even_piece(bn);
    memset(rp, 0, (an + bn) * sizeof *rp);
    for (size_t j = 0; j < bn; j += b_piece) {
        const size_t n = bn - j < b_piece ? bn - j : b_piece;
        for (size_t i = 0; i < an; i += a_piece) {
            const size_t m = an - i < a_piece ? an - i : a_piece;
            uint64_t t[2 * PIECE];
            mul_piece(t, ap + i, m, bp + j, n);
            const uint64_t carry = limbs_add(rp + i + j, rp + i + j, an + bn - i - j, t, m + n);
            assert(carry == 0);  // a partial sum of a b
            (void)carry;
        }
    }
}

// apart: the digits of a in blocks of SIDE vectors with a vector of zeros before and behind each.
enum { BLOCKS = (VECTORS + SIDE - 1) / SIDE };
typedef struct {
    uint64_t zeros[8];
    struct {
        uint64_t digit[8 * SIDE], zeros[8];
    } block[BLOCKS];
} ALIGNED apart;

static void set_apart(apart *d, const operand *a, size_t blocks) {
    const __m512i zero = _mm512_setzero_si512();
    _mm512_store_si512(d->zeros, zero);
    for (size_t k = 0; k < blocks; k++) {
        for (size_t i = 0; i < 8 * SIDE; i += 8) {
            const size_t at = 8 * SIDE * k + i;
            _mm512_store_si512(d->block[k].digit + i,
                               at < a->digits ? _mm512_load_si512(a->digit + at) : zero);
        }
        _mm512_store_si512(d->block[k].zeros, zero);
    }
}

// twice: {lo, hi} += {lo, hi}, n vectors.
static void twice(uint64_t *lo, uint64_t *hi, size_t n) {
    for (size_t i = 0; i < 8 * n; i += 8) {
        _mm512_store_si512(lo + i, _mm512_slli_epi64(_mm512_load_si512(lo + i), 1));
        _mm512_store_si512(hi + i, _mm512_slli_epi64(_mm512_load_si512(hi + i), 1));
    }
}

// A square of at most PIECE limbs: twice the products of each block of digits by the digits above
// it, and the blocks' squares.
static void sqr_piece(uint64_t *rp, const uint64_t *ap, size_t n) {
    operand a;
    apart b;
    sums s;
    unpack(&a, ap, n);
    const size_t vectors = vectors_of(a.digits), blocks = (vectors + SIDE - 1) / SIDE;
    set_apart(&b, &a, blocks);
    memset(s.lo, 0, 16 * vectors * sizeof *s.lo);
    memset(s.hi, 0, 16 * vectors * sizeof *s.hi);
    for (size_t k = 1; k < blocks; k++) {
        // The first vector above has zeros below it; what of it straddles is read with the next.
        const size_t v = SIDE * k, left = a.digits - 8 * v, at = 8 * (2 * v - SIDE);
        const uint64_t *const rows = a.digit + 8 * (v - SIDE);
        add_tile_of(s.lo + at, s.hi + at, b.block[k].digit, 1, rows, SIDE,
                    left > 8 ? 8 : 8 - left + 1);
        if (left > 8) {
            add_products(s.lo + at + 8, s.hi + at + 8, a.digit + 8 * (v + 1), left - 8, rows,
                         8 * SIDE);
        }
    }
    twice(s.lo, s.hi, 2 * vectors);
    for (size_t k = 0; k < blocks; k++) {
        const size_t v = SIDE * k, left = a.digits - 8 * v;
        const size_t m = left < 8 * SIDE ? left : 8 * SIDE;
        add_products(s.lo + 16 * v, s.hi + 16 * v, b.block[k].digit, m, b.block[k].digit, m);
    }
    write_limbs(rp, 2 * n, &s);
}

static void mul(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn) {
    assert(an >= bn && bn >= 1);
    if (bn < MUL_FROM || an * bn < MUL_PRODUCTS) {
        limbs_adx_mul(rp, ap, an, bp, bn);
    } else if (an <= PIECE) {
        mul_piece(rp, ap, an, bp, bn);
    } else {
        mul_in_pieces(rp, ap, an, bp, bn);
    }
}

static void sqr(uint64_t *rp, const uint64_t *ap, size_t n) {
    assert(n >= 1);
    if (n < SQR_FROM) {
        limbs_adx_sqr(rp, ap, n);
    } else if (SQR_BLOCKS_FROM <= n && n <= PIECE) {
        sqr_piece(rp, ap, n);
    } else {
        mul(rp, ap, n, ap, n);
    }
}

const limbs_ops *limbs_ops_ifma(void) {
    static const limbs_ops table = {.table = LIMBS_IFMA,
                                    .name = "ifma",
                                    .mul_1 = limbs_adx_mul_1,
                                    .addmul_1 = limbs_adx_addmul_1,
                                    .submul_1 = limbs_adx_submul_1,
                                    .mul = mul,
                                    .sqr = sqr,
                                    .mul_few = limbs_adx_mul_few,
                                    .sqr_few = limbs_adx_sqr_few,
                                    .redc = limbs_adx_redc,
                                    .mul_redc = limbs_adx_mul_redc,
                                    .redc_prepare = limbs_ifma_redc_prepare,
                                    .redc_blocks = limbs_ifma_redc_blocks,
                                    .tiled = mul_piece,
                                    .mul_lanes = limbs_lanes_mul,
                                    .divexact = limbs_ifma_divexact,
                                    .count = &limbs_count_avx512};
    return &table;
}

#else

const limbs_ops *limbs_ops_ifma(void) { return 0; }

#endif
