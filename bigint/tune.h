// tune.h: sizes, in limbs, from which one algorithm replaces another. Constants only; includes
// nothing. Every value names the processor it was measured on and by which program.
#ifndef BIGINT_TUNE_H_
#define BIGINT_TUNE_H_

// --- Products (mul_small.c): the first size of the shorter operand that uses the algorithm
// Intel Xeon (Sapphire Rapids); by hand, alternating with the algorithm below.
#define MUL_KARATSUBA_PORTABLE_THRESHOLD 18
#define SQR_KARATSUBA_PORTABLE_THRESHOLD 30
#define MUL_TOOM3_PORTABLE_THRESHOLD 130
#define SQR_TOOM3_PORTABLE_THRESHOLD 200
#define MUL_KARATSUBA_ADX_THRESHOLD 32
#define SQR_KARATSUBA_ADX_THRESHOLD 46
#define MUL_TOOM3_ADX_THRESHOLD 220
#define SQR_TOOM3_ADX_THRESHOLD 330
#define MUL_KARATSUBA_IFMA_THRESHOLD 129
#define SQR_KARATSUBA_IFMA_THRESHOLD 129
#define MUL_TOOM3_IFMA_THRESHOLD 1200
#define SQR_TOOM3_IFMA_THRESHOLD 1200

// --- Products by the modular transform (mul.c): the first size of the shorter operand, by variant
// Intel Xeon (Sapphire Rapids); by hand, alternating with mul_small.
#define MUL_FFT_IFMA_THRESHOLD 700
#define SQR_FFT_IFMA_THRESHOLD 430
#define MUL_FFT_AVX512_THRESHOLD 200
#define SQR_FFT_AVX512_THRESHOLD 240
#define MUL_FFT_AVX2_THRESHOLD 400
#define SQR_FFT_AVX2_THRESHOLD 500
#define MUL_FFT_PORTABLE_THRESHOLD 4000
#define SQR_FFT_PORTABLE_THRESHOLD 5000
// The shorter operand from which one product runs on all threads of the context.
#define MUL_FFT_TEAM_THRESHOLD 2000

// --- Division (div_small.c, divrem.c): the first size of quotient and divisor for the algorithm
// Intel Xeon (Sapphire Rapids); by hand, alternating with the algorithm below.
#define DIV_RECURSIVE_PORTABLE_THRESHOLD 28
#define DIV_RECURSIVE_ADX_THRESHOLD 32
#define DIV_RECURSIVE_IFMA_THRESHOLD 13
#define DIV_NEWTON_IFMA_THRESHOLD 1400
#define DIV_NEWTON_AVX512_THRESHOLD 390
#define DIV_NEWTON_AVX2_THRESHOLD 800
#define DIV_NEWTON_PORTABLE_THRESHOLD 30000

// --- Decimal text: lengths in words of 19 digits
// Intel Xeon (Sapphire Rapids); by hand.
// The longest leaf of the reading tree (text_from_words.c).
#define TEXT_READ_LEAF 80
// The longest number written by repeated division, the longest leaf of the halving, the first
// length that uses the tree (text_to_words.c), and the tree's longest leaf (text_tree.c).
#define TEXT_WRITE_FEW 16
#define TEXT_WRITE_LEAF 90
#define TEXT_TREE_THRESHOLD 6000
#define TEXT_TREE_LEAF 300

// --- Powers (montgomery.c): the first length of a modulus that is reduced in digits, by products
// Intel Xeon (Sapphire Rapids); by hand.
#define MONTGOMERY_DIGITS_THRESHOLD 3
#define MONTGOMERY_PRODUCTS_ADX_THRESHOLD 190
#define MONTGOMERY_PRODUCTS_PORTABLE_THRESHOLD 1000

#endif  // BIGINT_TUNE_H_
