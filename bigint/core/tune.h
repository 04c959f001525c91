// tune.h: sizes, in limbs, from which one algorithm replaces another. Constants only; includes
// nothing. Every value names the processor it was measured on and by which program.
// Products measured by ./dev tune on xeon-amx, gcc 12.2.0, commit 2feffbbdf9c6
#ifndef BIGINT_CORE_TUNE_H_
#define BIGINT_CORE_TUNE_H_

// --- Products (multiply/small.c): the first size of the shorter operand that uses the algorithm.
// Those of Karatsuba's step in portable code by hand, on an Emerald Rapids, gcc 12.
#define MUL_KARATSUBA_PORTABLE_THRESHOLD 44
#define SQR_KARATSUBA_PORTABLE_THRESHOLD 58
#define MUL_TOOM3_PORTABLE_THRESHOLD 117
#define SQR_TOOM3_PORTABLE_THRESHOLD 195
#define MUL_KARATSUBA_ADX_THRESHOLD 35
#define SQR_KARATSUBA_ADX_THRESHOLD 50
#define MUL_TOOM3_ADX_THRESHOLD 222
#define SQR_TOOM3_ADX_THRESHOLD 364
#define MUL_KARATSUBA_IFMA_THRESHOLD 129
#define SQR_KARATSUBA_IFMA_THRESHOLD 129
#define MUL_TOOM3_IFMA_THRESHOLD 1101
#define SQR_TOOM3_IFMA_THRESHOLD 1101

// --- Products by the modular transform (multiply/plan.c): the first size of equal operands, by
// variant; and the least shorter one where both together are as long as two of those: by hand, on
// an Emerald Rapids, operands of 16000 to 10^6 limbs by so many.
#define MUL_FFT_IFMA_THRESHOLD 841
#define SQR_FFT_IFMA_THRESHOLD 619
#define MUL_FFT_IFMA_SHORTER 275
#define MUL_FFT_AVX512_THRESHOLD 294
#define SQR_FFT_AVX512_THRESHOLD 313
#define MUL_FFT_AVX512_SHORTER 90
#define MUL_FFT_AVX2_THRESHOLD 454
#define SQR_FFT_AVX2_THRESHOLD 582
#define MUL_FFT_AVX2_SHORTER 120
// By hand, on a Zen 3 in use by others, where both engines' ratios to GMP meet.
#define MUL_FFT_PORTABLE_THRESHOLD 7000
#define SQR_FFT_PORTABLE_THRESHOLD 12000
#define MUL_FFT_PORTABLE_SHORTER 7000
// --- Products by the real transform: its first size, and the first that it leaves to the modular
// transform again, for operands of equal length: the first one of a longer transform, so 1 more
// than a multiple of 240 limbs (2^10 complex points of digits of 15 bits), since within a length
// the other one's time grows and this one's does not. Emerald Rapids in use by others, by hand, by
// turns (docs/roofline.md). Plain AVX-512 and AVX2 win there to 57600 and 28800 limbs, squares
// further; older processors' caches are smaller, and a Zen 3 had 5040 and 7680 before runs of
// values were set apart, so theirs end earlier. They bound the mean of operands of different
// lengths, of which the shorter one has so many limbs at least; beyond the range the longer one is
// cut in pieces, where the shorter one has so many at most, and on more than one thread the longer
// one as many for each thread more. Emerald Rapids, by hand, longer ones of 1000 to 260000 limbs;
// of threads two.
#define MUL_REAL_FFT_CUT_TIMES 8
// Operands of fewer limbs together are not cut by the real transform, or are one thread's.
#define MUL_REAL_FFT_CUT_LEAST 2048
#define MUL_REAL_FFT_CUT_THREADS_LEAST 5000
#define MUL_REAL_FFT_IFMA_SHORTER 150
#define MUL_REAL_FFT_AVX512_SHORTER 32
#define MUL_REAL_FFT_AVX2_SHORTER 60
#define MUL_REAL_FFT_IFMA_CUT_END 3501
#define MUL_REAL_FFT_AVX512_CUT_END 9001
#define MUL_REAL_FFT_AVX2_CUT_END 7001
#define MUL_REAL_FFT_IFMA_THRESHOLD 324
#define SQR_REAL_FFT_IFMA_THRESHOLD 234
#define MUL_REAL_FFT_IFMA_END 7681
#define SQR_REAL_FFT_IFMA_END 7681
#define MUL_REAL_FFT_AVX512_THRESHOLD 86
#define SQR_REAL_FFT_AVX512_THRESHOLD 88
#define MUL_REAL_FFT_AVX512_END 28801
#define SQR_REAL_FFT_AVX512_END 28801
#define MUL_REAL_FFT_AVX2_THRESHOLD 160
#define SQR_REAL_FFT_AVX2_THRESHOLD 170
#define MUL_REAL_FFT_AVX2_END 11521
#define SQR_REAL_FFT_AVX2_END 15361
// The same in mode certified, against the others with their check. By hand, medians of processor
// time, by turns: AVX2 and the first ones of AVX-512 on a Sapphire Rapids, the others on an Emerald
// Rapids: 12 to 28 % less time than modular products with IFMA at 12000 to 100000 limbs.
#define MUL_CERTIFIED_IFMA_THRESHOLD 300
#define SQR_CERTIFIED_IFMA_THRESHOLD 206
#define MUL_CERTIFIED_IFMA_END 100000
#define SQR_CERTIFIED_IFMA_END 100000
#define MUL_CERTIFIED_AVX512_THRESHOLD 128
#define SQR_CERTIFIED_AVX512_THRESHOLD 146
#define MUL_CERTIFIED_AVX512_END 100000
#define SQR_CERTIFIED_AVX512_END 100000
#define MUL_CERTIFIED_AVX2_THRESHOLD 170
#define SQR_CERTIFIED_AVX2_THRESHOLD 170
#define MUL_CERTIFIED_AVX2_END 20000
#define SQR_CERTIFIED_AVX2_END 24000
// The shorter operand from which one product runs on all threads of the context.
#define MUL_FFT_TEAM_THRESHOLD 2000
// Two and three threads take a prime of the modular transform each, whatever the size. Up to so
// many threads, and so many points, three of them do; more of either share every prime's steps. The
// threads from which the real transform keeps its range on a team, and where that ends then. Intel
// Xeon (Emerald Rapids) with 16 processors, AVX-512 IFMA; by hand, all three by turns.
#define MUL_FFT_ALONE_THREADS 5
#define MUL_FFT_ALONE_POINTS (1 << 16)
#define MUL_REAL_FFT_TEAM_THREADS 6
#define MUL_REAL_FFT_TEAM_END 40000

// --- Products on a device (device/plan.c): up to so many limbs of both operands together launches
// are recorded. NVIDIA H200: from 2^23-bit operands on launches that follow one another take the
// device longer than the host; in branches, which are more calls, not before 2^25 bits.
#define DEVICE_RECORDED_LIMBS_MOST (1 << 22)

// --- Batches on a device (batch_plan.c): the longest factors that a thread multiplies, or
// squares; above so many limbs that takes so many products for each cube of the length, since a
// thread's time grows with its square and few threads leave the device empty; the longest that
// tensor cores multiply; the shortest ones that are multiplied by a common factor as a matrix, and
// of how many products; and those of which both matrices are in shared memory. NVIDIA H200, by
// hand.
#define DEVICE_BATCH_SHORT_MOST 16
#define DEVICE_BATCH_SHORT_SQUARES_MOST 32
#define DEVICE_BATCH_SHORT_FEW_ABOVE 7
#define DEVICE_BATCH_SHORT_CUBES 4
#define DEVICE_BATCH_SHORT_SQUARES_CUBES 1
#define DEVICE_BATCH_TILED_MOST 256
#define DEVICE_BATCH_COMMON_LEAST 12
#define DEVICE_BATCH_COMMON_MANY 16384
#define DEVICE_BATCH_MATRIX_LEAST 129
// The fewest candidates for primes, for each of the context's threads, that a device tests
// (modular/prime.c): about where its powers get ahead of one thread, and of eight, at 1279 to 4253
// bits. NVIDIA H200 beside a processor with AVX-512 IFMA, by hand.
#define DEVICE_PRIME_LEAST 64

// --- Division (divide/small.c, divrem.c): the first size of quotient and divisor for the algorithm
// Intel Xeon (Sapphire Rapids); by hand, alternating with the algorithm below.
// The longest dividends that are divided by one limb word by word where there is AVX-512 IFMA:
// processors that have it divide two words by one in some 10 cycles. On an Emerald Rapids.
#define DIV_WORDS_IFMA_MOST 12
#define DIV_RECURSIVE_PORTABLE_THRESHOLD 28
#define DIV_RECURSIVE_ADX_THRESHOLD 32
#define DIV_RECURSIVE_IFMA_THRESHOLD 13
#define DIV_NEWTON_IFMA_THRESHOLD 1050
#define DIV_NEWTON_AVX512_THRESHOLD 390
#define DIV_NEWTON_AVX2_THRESHOLD 800
#define DIV_NEWTON_PORTABLE_THRESHOLD 30000
// A reciprocal is computed by steps from this part of that length on.
#define RECIPROCAL_NEWTON_PART 4

// --- Square roots (divide/root.c): the longest numbers whose root is made by halves, not by
// Newton's iteration. Intel Xeon (Emerald Rapids), AVX-512 IFMA: level at twice that; by hand.
#define ROOT_HALVES_END 2048

// --- Decimal text: lengths in words of 19 digits
// Intel Xeon (Sapphire Rapids); by hand.
// The longest leaf of the reading tree (from_words.c).
#define TEXT_READ_LEAF 80
// The longest number written by repeated division, the longest leaf of the halving, the first
// length that uses the tree (to_words.c), and the tree's longest leaf (tree.c).
#define TEXT_WRITE_FEW 24
#define TEXT_WRITE_LEAF 90
#define TEXT_TREE_THRESHOLD 6000
#define TEXT_TREE_LEAF 300

// --- Powers (montgomery.c): the first length of a modulus that is reduced in digits, by products
// Intel Xeon (Sapphire Rapids); by hand.
#define MONTGOMERY_DIGITS_THRESHOLD 7
#define MONTGOMERY_PRODUCTS_ADX_THRESHOLD 190
#define MONTGOMERY_PRODUCTS_PORTABLE_THRESHOLD 1000

// --- Several numbers at once (residues.c): so many of up to 20 digits, or of more, go in lanes,
// fewer one by one. Measured of tests of primality: Intel Xeon (Sapphire Rapids), in use by
// others; by hand.
#define RESIDUES_LANES_FEW_DIGITS 20
#define RESIDUES_LANES_FEW_LEAST 4
#define RESIDUES_LANES_LEAST 6

// Powers of a batch for each of the context's threads but one, above which they go eight at once
// (lanes.c): a group of eight takes as long as four to five powers one by one, 1024 and 2048
// bits. Intel Xeon (Emerald Rapids), 16 threads; by hand.
#define BATCH_LANES_POWERS_LEAST 4

#endif  // BIGINT_CORE_TUNE_H_
