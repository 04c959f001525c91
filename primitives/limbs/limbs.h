// limbs.h: rows of limbs: add, subtract, shift, compare, and schoolbook multiplication. Unsigned.
// May include word.h, word_div.h and cpu.h. Each operation has a portable form, which is its
// reference. Multiplications also have a mulx/adx form and, for the schoolbook, one in AVX-512
// IFMA, chosen through limbs_ops. Ranges: docs/proofs/schoolbook.md.
//
// Notation: {p, n} is the number sum p[i] 2^(64 i), i < n. n = 0 is the number 0 and p is not
// read.
// Aliasing: rp may equal an input pointer; other overlap is not allowed unless said.
#ifndef PRIMITIVES_LIMBS_LIMBS_H_
#define PRIMITIVES_LIMBS_LIMBS_H_

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/words/cpu.h"
#include "primitives/words/word.h"
#include "primitives/words/word_div.h"

// --- Linear operations, portable code, O(n) ---
// {rp, n} = {ap, n} + {bp, n}; returns the carry, 0 or 1.
uint64_t limbs_add_n(uint64_t *rp, const uint64_t *ap, const uint64_t *bp, size_t n);
// {rp, n} = {ap, n} - {bp, n}; returns the borrow, 0 or 1.
uint64_t limbs_sub_n(uint64_t *rp, const uint64_t *ap, const uint64_t *bp, size_t n);
// {rp, an} = {ap, an} +- {bp, bn}, an >= bn; returns the carry or borrow.
uint64_t limbs_add(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn);
uint64_t limbs_sub(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn);
// {rp, n} = {ap, n} +- b; stops early when rp == ap; returns the carry or borrow.
uint64_t limbs_add_1(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t b);
uint64_t limbs_sub_1(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t b);
// {rp, n} = {ap, n} 2^s mod 2^(64 n); returns the bits shifted out. 0 <= s < 64. rp >= ap may
// overlap.
uint64_t limbs_lshift(uint64_t *rp, const uint64_t *ap, size_t n, unsigned s);
// {rp, n} = floor({ap, n} / 2^s); returns the bits shifted out, at the top of the word. rp <= ap
// may overlap.
uint64_t limbs_rshift(uint64_t *rp, const uint64_t *ap, size_t n, unsigned s);
// -1, 0, 1 as {ap, n} is less, equal, greater than {bp, n}.
int limbs_cmp(const uint64_t *ap, const uint64_t *bp, size_t n);
// n without zero limbs at the top.
size_t limbs_normalize(const uint64_t *ap, size_t n);
// limbs_bits: bits [begin, begin + count) of {ap, n}, zeros above; count < 64. What is read depends
// on n, begin and count alone, so that {ap, n} may be secret.
static inline uint64_t limbs_bits(const uint64_t *ap, size_t n, uint64_t begin, unsigned count) {
    const uint64_t limb = begin / 64, shift = begin % 64;
    uint64_t x = limb < n ? ap[limb] >> shift : 0;
    if (shift + count > 64 && limb + 1 < n) {
        x |= ap[limb + 1] << (64 - shift);
    }
    return x & (((uint64_t)1 << count) - 1);
}
// {rp, n} = {ap, n} / d, returns the remainder. d > 0. O(n) with a precomputed reciprocal inside.
uint64_t limbs_divrem_1(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t d);
// The same by n divisions of two words by one, of 10 to 100 cycles each on x86-64, where the
// processor has them; elsewhere compilers call functions.
uint64_t limbs_divrem_words(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t d);
// The same with the reciprocal at hand, for many divisions by one word.
uint64_t limbs_divrem_by(uint64_t *rp, const uint64_t *ap, size_t n, const word_divisor *d);
// {ap, n} mod d, n >= 1. Four limbs at a time, and six divisions of two words by one.
uint64_t limbs_mod_by(const uint64_t *ap, size_t n, const word_divisor *d);
// Whether d, not 0, divides {ap, n}, n >= 1; {rp, n} = {ap, n} / d if it does. rp overlaps nothing.
// From both ends at once: by an inverse from below, by a reciprocal from above.
// [KrandickJebelean96]
bool limbs_divexact_1(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t d);
// The same by the processor's divisions from above, as limbs_divrem_words.
bool limbs_divexact_words(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t d);

// --- Products of few limbs, portable code ---
// limbs_mul_2: {rp, 4} = {ap, 2} {bp, 2} by rows: each sum is a product and two limbs at most,
// (B - 1)^2 + 2 (B - 1) = B^2 - 1. rp may be ap or bp, which are read first.
static inline void limbs_mul_2(uint64_t *rp, const uint64_t *ap, const uint64_t *bp) {
    const uint64_t a0 = ap[0], a1 = ap[1], b0 = bp[0], b1 = bp[1];
    const word_pair low = (word_pair)a0 * b0;
    const word_pair left = (word_pair)a1 * b0 + (uint64_t)(low >> 64);
    const word_pair right = (word_pair)a0 * b1 + (uint64_t)left;
    const word_pair high = (word_pair)a1 * b1 + (uint64_t)(left >> 64) + (uint64_t)(right >> 64);
    rp[0] = (uint64_t)low;
    rp[1] = (uint64_t)right;
    rp[2] = (uint64_t)high;
    rp[3] = (uint64_t)(high >> 64);
}

// limbs_mul_few, limbs_sqr_few: {rp, 2 n} = {ap, n} {bp, n}, or {ap, n}^2, for one n; return the
// top limb. rp overlaps nothing.
enum { LIMBS_FEW = 8 };
typedef uint64_t (*limbs_mul_few)(uint64_t *rp, const uint64_t *ap, const uint64_t *bp);
typedef uint64_t (*limbs_sqr_few)(uint64_t *rp, const uint64_t *ap);
// One for each n from 1 to LIMBS_FEW, by unrolled columns of n^2 products, and one for each n from
// 1 to LIMBS_SQUARES_UNROLLED, in which each product of two different limbs is made once. (few.c)
enum { LIMBS_SQUARES_UNROLLED = 12 };
extern const limbs_mul_few limbs_portable_mul_few[];
extern const limbs_sqr_few limbs_portable_sqr_few[];
// Those of one limb, which all tables share.
uint64_t limbs_mul_1(uint64_t *rp, const uint64_t *ap, const uint64_t *bp);
uint64_t limbs_sqr_1(uint64_t *rp, const uint64_t *ap);
// limbs_mul_columns: as limbs_ops.mul, by columns in loops. (few.c)
void limbs_mul_columns(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn);

// limbs_mul_redc_unrolled: limbs_ops.mul_redc by unrolled rows. (few.c)
void limbs_mul_redc_unrolled(uint64_t *rp, const uint64_t *ap, const uint64_t *bp,
                             const uint64_t *mp, size_t n, uint64_t inverse);

// {rp, n} = B^n - 1 - {ap, n}: all bits flipped.
void limbs_com(uint64_t *rp, const uint64_t *ap, size_t n);

// limbs_count: ones in {ap, n}; bits in which {ap, n} and {bp, n} differ; fold: a word that is
// {ap, n} modulo 2^64 - 1. One for each set of instructions (count.c). n < 2^58.
typedef struct {
    uint64_t (*ones)(const uint64_t *ap, size_t n);
    uint64_t (*differences)(const uint64_t *ap, const uint64_t *bp, size_t n);
    uint64_t (*fold)(const uint64_t *ap, size_t n);
} limbs_count;
extern const limbs_count limbs_count_portable, limbs_count_popcnt, limbs_count_avx512;

// --- Multiplying operations: one table per variant, all equal bit for bit ---
typedef enum { LIMBS_PORTABLE, LIMBS_ADX, LIMBS_IFMA, LIMBS_TABLES } limbs_table;
typedef struct {
    limbs_table table;
    const char *name;  // "portable", "adx", "ifma"
    // {rp, n} = {ap, n} b; returns the top limb. rp <= ap may overlap.
    uint64_t (*mul_1)(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t b);
    // {rp, n} +-= {ap, n} b; returns the limb carried out. Equal pointers allowed.
    uint64_t (*addmul_1)(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t b);
    uint64_t (*submul_1)(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t b);
    // {rp, an + bn} = {ap, an} {bp, bn}: schoolbook. an >= bn >= 1. rp overlaps neither input. an
    // bn products.
    void (*mul)(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn);
    // {rp, 2 n} = {ap, n}^2. n >= 1. rp does not overlap. About n^2 / 2 products.
    void (*sqr)(uint64_t *rp, const uint64_t *ap, size_t n);
    // mul and sqr of n limbs each, at [n] for 1 <= n <= LIMBS_FEW.
    const limbs_mul_few *mul_few;
    const limbs_sqr_few *sqr_few;
    // {rp, n} + c B^n = ({tp, 2 n} + Q {mp, n}) / B^n for the Q < B^n that makes it an integer;
    // returns c, 0 or 1: the result is below 2 {mp, n} if {tp, 2 n} < {mp, n} B^n. n >= 1; mp[0]
    // odd, inverse = -1 / mp[0] mod B. rp may be tp, which is destroyed. n^2 products; no branch
    // but on n. [Montgomery85]
    uint64_t (*redc)(uint64_t *rp, uint64_t *tp, const uint64_t *mp, size_t n, uint64_t inverse);
    // {rp, n} = {ap, n} {bp, n} / B^n mod {mp, n} for 1 <= n <= LIMBS_REDC_FEW, {bp, n} < {mp, n},
    // mp and inverse as above; rp may be a factor. 2 n^2 products; no branch but on n.
    // [Montgomery85]
    void (*mul_redc)(uint64_t *rp, const uint64_t *ap, const uint64_t *bp, const uint64_t *mp,
                     size_t n, uint64_t inverse);
    // The same for long moduli: {tp, n + 1} = ({tp, 2 n} + Q {mp, n}) / 2^e for the Q < 2^e that
    // makes it an integer, e = limbs_redc_bits(n): below 2 {mp, n} if {tp, 2 n} < {mp, n} 2^e. n >=
    // 2, n <= LIMBS_REDC_BLOCKS_MAX. w: limbs_redc_words(n) words, 64-byte aligned, of
    // redc_prepare. No branch but on n. NULL: this table has none.
    void (*redc_prepare)(uint64_t *w, const uint64_t *mp, size_t n);
    void (*redc_blocks)(uint64_t *tp, const uint64_t *w, size_t n, uint64_t inverse);
    // As mul, by a convolution of digits in tiles (tiled.h); an <= LIMBS_TILED_MAX.
    void (*tiled)(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn);
    // LIMBS_LANES products at once: {rp[k], an + bn} = {ap[k], an} {bp[k], bn} for an, bn from 1 to
    // LIMBS_LANES_MAX, in either order. Pointers of one array may be equal; rp[k] overlaps no
    // factor. ws: limbs_lanes_words(an, bn) words, 64-byte aligned. NULL: this table has none.
    void (*mul_lanes)(uint64_t *const *rp, const uint64_t *const *ap, size_t an,
                      const uint64_t *const *bp, size_t bn, uint64_t *ws);
    // Whether D divides A, for A = {ap, an} and D = {dp, dn} after both were divided by 2^shift; if
    // it does, {qp, qn} = A / D. shift < 64, and both are multiples of 2^shift; D is odd then. A <
    // D B^qn, an <= qn + dn, qn >= 1, 1 <= dn <= LIMBS_DIVEXACT_MAX. qp overlaps nothing. qn dn
    // products. NULL: this table has none. [Jebelean93]
    bool (*divexact)(uint64_t *qp, size_t qn, const uint64_t *ap, size_t an, const uint64_t *dp,
                     size_t dn, unsigned shift);
    const limbs_count *count;
} limbs_ops;
// Limbs of the longest factors that are one convolution, and of the longest moduli of mul_redc.
enum { LIMBS_TILED_MAX = 128, LIMBS_REDC_FEW = 6 };
// The longest divisors of divexact.
enum { LIMBS_DIVEXACT_MAX = 512 };

// limbs_redc_vectors: an even number of vectors of 8 digits of 52 bits that hold n limbs.
enum { LIMBS_REDC_BLOCKS_MAX = 260, LIMBS_REDC_VECTORS_MAX = 40 };
static inline size_t limbs_redc_vectors(size_t n) { return 2 * ((64 * n + 831) / 832); }
static inline size_t limbs_redc_bits(size_t n) { return 416 * limbs_redc_vectors(n); }
static inline size_t limbs_redc_words(size_t n) { return 64 * (limbs_redc_vectors(n) + 2); }

enum { LIMBS_LANES = 8, LIMBS_LANES_MAX = 128, LIMBS_LANES_BLOCK = 4 };
// limbs_lanes_words: 15 vectors for each block of four limbs of both factors, and 30 for each block
// that is in use in Karatsuba's steps, as if both factors had the longer one's length.
static inline size_t limbs_lanes_words(size_t an, size_t bn) {
    const size_t blocks = ((an > bn ? an : bn) + LIMBS_LANES_BLOCK - 1) / LIMBS_LANES_BLOCK;
    return LIMBS_LANES * (2 * 15 * blocks + 30 * (blocks + 3));
}

extern const limbs_ops limbs_ops_portable;
// The fastest table for these features.
const limbs_ops *limbs_ops_for(cpu_features features);

#endif  // PRIMITIVES_LIMBS_LIMBS_H_
