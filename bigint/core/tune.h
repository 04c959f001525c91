// tune.h: the sizes, in limbs, from which one algorithm replaces another. Only constants; includes
// nothing. Every value names the processor it was measured on and by which program.
// Products measured by ./dev tune on xeon-amx, gcc 12.2.0, commit 2feffbbdf9c6
#ifndef BIGINT_CORE_TUNE_H_
#define BIGINT_CORE_TUNE_H_

// --- Products (multiply/small.c): the first size of the shorter operand that uses the algorithm.
// Karatsuba in portable code: by hand, on an Emerald Rapids, gcc 12.
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
// variant, and the shortest operand where both together are as long as two of those. By hand, on an
// Emerald Rapids; for the latter longer operands of 16000 to 10^6 limbs.
#define MUL_FFT_IFMA_THRESHOLD 841
#define SQR_FFT_IFMA_THRESHOLD 619
#define MUL_FFT_IFMA_SHORTER 275
#define MUL_FFT_AVX512_THRESHOLD 294
#define SQR_FFT_AVX512_THRESHOLD 313
#define MUL_FFT_AVX512_SHORTER 90
#define MUL_FFT_AVX2_THRESHOLD 454
#define SQR_FFT_AVX2_THRESHOLD 582
#define MUL_FFT_AVX2_SHORTER 120
// By hand, on a shared Zen 3, where both engines' ratios to GMP meet.
#define MUL_FFT_PORTABLE_THRESHOLD 7000
#define SQR_FFT_PORTABLE_THRESHOLD 12000
#define MUL_FFT_PORTABLE_SHORTER 7000
// --- Products by the real transform: its first size, and the first size at which the modular
// transform takes over again, for operands of equal length. The end is the first size of a longer
// transform, so 1 more than a multiple of 240 limbs (2^10 complex points of digits of 15 bits):
// within one length the modular transform's time grows and the real transform's does not. By hand,
// on a shared Emerald Rapids, alternating runs (docs/roofline.md). Plain AVX-512 and AVX2 win there
// to 57600 and 28800 limbs, squares further. Older processors' caches are smaller, so these ranges
// end earlier: a Zen 3 had 5040 and 7680 before runs of values were set apart.
//
// For operands of different lengths the range bounds their mean, and *_SHORTER is the shortest
// operand. Beyond the range the longer operand is cut into pieces if the shorter one is below
// *_CUT_END. On more than one thread the longer operand must be this many times as long for each
// further thread. By hand, on an Emerald Rapids, longer operands of 1000 to 260000 limbs; two
// threads.
#define MUL_REAL_FFT_CUT_TIMES 8
// Products by operands whose real transform is kept begin at this part of the range. By hand, in
// quotients; their range ends where the other one does.
#define MUL_REAL_FFT_KEPT_TIMES 2
// The real transform does not cut operands of fewer limbs together; below the second limit it cuts
// them for one thread only.
#define MUL_REAL_FFT_CUT_LEAST 2048
#define MUL_REAL_FFT_CUT_THREADS_LEAST 5000
#define MUL_REAL_FFT_IFMA_SHORTER 150
#define MUL_REAL_FFT_AVX512_SHORTER 32
#define MUL_REAL_FFT_AVX2_SHORTER 60
#define MUL_REAL_FFT_IFMA_CUT_END 3501
#define MUL_REAL_FFT_AVX512_CUT_END 9001
#define MUL_REAL_FFT_AVX2_CUT_END 7001
#define MUL_REAL_FFT_IFMA_THRESHOLD 324
#define SQR_REAL_FFT_IFMA_THRESHOLD 258
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
// The same in mode certified, against the other engines with their check. By hand, medians of
// processor time, alternating runs. AVX2 and the first AVX-512 values on a Sapphire Rapids, the
// others on an Emerald Rapids: 12 to 28 % less time than modular products with IFMA at 12000 to
// 100000 limbs.
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
// From this length of the shorter operand on, one product runs on all threads of the context.
#define MUL_FFT_TEAM_THRESHOLD 2000
// Two and three threads take a prime of the modular transform each, at any size. Up to
// ALONE_THREADS threads and ALONE_POINTS points, three of them take one each; above, all threads
// share every prime's steps. From TEAM_THREADS threads on, the real transform keeps its range on a
// team, up to TEAM_END. Intel Xeon (Emerald Rapids) with 16 processors, AVX-512 IFMA; by hand,
// alternating runs of all three.
#define MUL_FFT_ALONE_THREADS 5
#define MUL_FFT_ALONE_POINTS (1 << 16)
#define MUL_REAL_FFT_TEAM_THREADS 6
#define MUL_REAL_FFT_TEAM_END 40000

// --- Batches on the host (batch/products.c): the shorter factor's limbs from which, and the fewest
// neighbours of which eight at once take less time than one by one; the least work that threads
// share, in products of limbs, of which an item counts some more. Xeon with AMX; by hand.
#define MUL_LANES_SHORTER 6
#define MUL_LANES_LEAST 5
#define MUL_BATCH_ITEM 8
#define MUL_BATCH_TEAM_WORK 200000

// --- Products on a device (device/plan.c): the most limbs of both operands together whose launches
// are recorded. NVIDIA H200: from 2^23-bit operands on, consecutive launches take the device longer
// than the host. In branches, which need more calls, this holds only from 2^25 bits on.
#define DEVICE_RECORDED_LIMBS_MOST (1 << 22)

// --- Batches on a device (device/batch/batch_plan.c). NVIDIA H200, by hand.
// SHORT_MOST, SHORT_SQUARES_MOST: the longest factors that a thread multiplies, or squares.
// SHORT_FEW_ABOVE, SHORT_CUBES, SHORT_SQUARES_CUBES: above this many limbs a thread multiplies only
//   if there are this many products for each cube of the length. A thread's time grows with the
//   square of the length, and few threads leave the device empty.
// TILED_MOST: the longest factors that tensor cores multiply.
// COMMON_LEAST, COMMON_MANY: the shortest factors that are multiplied by a common factor as a
//   matrix, and the least number of products.
// MATRIX_LEAST: the shortest factors for which both matrices are in shared memory.
#define DEVICE_BATCH_SHORT_MOST 16
#define DEVICE_BATCH_SHORT_SQUARES_MOST 32
#define DEVICE_BATCH_SHORT_FEW_ABOVE 7
#define DEVICE_BATCH_SHORT_CUBES 4
#define DEVICE_BATCH_SHORT_SQUARES_CUBES 1
#define DEVICE_BATCH_TILED_MOST 256
#define DEVICE_BATCH_COMMON_LEAST 12
#define DEVICE_BATCH_COMMON_MANY 16384
#define DEVICE_BATCH_MATRIX_LEAST 129
#define DEVICE_BATCH_RINGS_MANY 69
#define DEVICE_BATCH_RINGS_COMMON_MANY 112
// RINGS_MANY, RINGS_COMMON_MANY: the fewest products of 2^12 to 2^13 limbs that blocks compute as
//   two rings; by a common factor, which passes transform once. Up to 132 products take 49 to 57 us
//   by blocks; by passes 64 take 45 us and 72 take 53 us, by a common factor 104 take 54 us and 128
//   take 65 us.
// Products that share the launches of the modular transform (device/batch/passes.c):
// PASSES_ABOVE: limbs of both factors above which they do. Up to PASSES_FEW_ABOVE limbs a cluster
//   of blocks multiplies in one launch, which is faster for fewer than PASSES_MANY products.
// PASSES_BYTES: products of which it does not hold the planes of two fill the device by themselves.
// PASSES_BRANCHES: groups of products whose launches are under way at once: 4 to 7 % faster than
//   one after the other; three and four are no faster than two.
// PASSES_GROUP: planes of the products of a group, unless it is one product. About the level 2
//   cache: of 2^20 bits 22 to 32 products are 2 to 4 % faster than 85, and 8 are 3 % slower.
// Measured on an H200 at 2^18 bits alone: 1024 products take 648 us, 765 us by clusters.
#define DEVICE_BATCH_PASSES_ABOVE 4096
#define DEVICE_BATCH_PASSES_FEW_ABOVE 8192
#define DEVICE_BATCH_PASSES_MANY 16
#define DEVICE_BATCH_PASSES_BYTES (UINT64_C(1) << 27)
#define DEVICE_BATCH_PASSES_BRANCHES 2
#define DEVICE_BATCH_PASSES_GROUP (UINT64_C(44) << 20)
// The fewest candidates for primes, for each of the context's threads, that a device tests
// (batch/prime.c): about where its powers become faster than one thread and than eight, at 1279 to
// 4253 bits. NVIDIA H200 beside a processor with AVX-512 IFMA, by hand.
#define DEVICE_PRIME_LEAST 64

// --- Division (divide/small.c, divide/divrem.c): first size of quotient and divisor
// Intel Xeon (Sapphire Rapids); by hand, alternating with the algorithm below.
// The longest dividends that are divided by one limb word by word on processors with AVX-512 IFMA,
// which divide two words by one in some 10 cycles. On an Emerald Rapids.
#define DIV_WORDS_IFMA_MOST 12
// The longest such dividends of exact divisions, of which the processor divides the upper half.
#define DIVEXACT_WORDS_IFMA_MOST 48
// Quotients of that many limbs are found by rows no longer where no remainder is wanted. Xeon with
// AMX; by hand.
#define DIV_QUOTIENT_ROWS_END 97
#define DIV_RECURSIVE_PORTABLE_THRESHOLD 28
#define DIV_RECURSIVE_ADX_THRESHOLD 32
#define DIV_RECURSIVE_IFMA_THRESHOLD 13
#define DIV_NEWTON_IFMA_THRESHOLD 340
#define DIV_NEWTON_AVX512_THRESHOLD 390
#define DIV_NEWTON_AVX2_THRESHOLD 800
#define DIV_NEWTON_PORTABLE_THRESHOLD 30000
// The same for quotients of twice the divisor's length and more: divisors of this part of it. On a
// Xeon with AMX, 100 to 400 limbs, quotients of 3 to 39 times that: 25 to 55 % less time.
#define DIV_NEWTON_LONG_PART 3
// Newton's steps compute a reciprocal from this part of that length on.
#define RECIPROCAL_NEWTON_PART 4

// --- Greatest common divisors (gcd/gcd.c): the first length at which a half-gcd is made of two
// others, and the first at which a gcd begins with one. Xeon with AMX (Sapphire Rapids), AVX-512
// IFMA; by hand.
#define HALF_GCD_THRESHOLD 40
#define GCD_HALF_THRESHOLD 150

// --- Decimal text: lengths in words of 19 digits
// Intel Xeon (Sapphire Rapids); by hand.
// The longest leaf of the reading tree (text/from_words.c).
#define TEXT_READ_LEAF 60
// The longest number written by repeated division, the longest leaf of the halving, the first
// length that uses the tree (text/to_words.c), and the tree's longest leaf (text/tree.c).
#define TEXT_WRITE_FEW 24
#define TEXT_WRITE_LEAF 90
#define TEXT_TREE_THRESHOLD 6000
#define TEXT_TREE_LEAF 300
// Digits of a decimal text from which a device converts it, instead of the host. On an H200, beside
// 12 threads of its host: at 10^5 digits it takes 0.45 of the time to read and 0.27 to write, at
// 10^4 four and three times as long.
#define TEXT_DEVICE_LEAST 100000

// --- Powers (modular/montgomery.c): first length of a modulus reduced in digits, by products
// Intel Xeon (Sapphire Rapids); by hand. With IFMA blocks of digits are between both, from 130
// limbs on: at 140 limbs 0.7 of the time of products, at 192 0.93, at 219 1.07. Xeon with AMX.
#define MONTGOMERY_DIGITS_THRESHOLD 7
#define MONTGOMERY_PRODUCTS_IFMA_THRESHOLD 209
#define MONTGOMERY_PRODUCTS_ADX_THRESHOLD 190
#define MONTGOMERY_PRODUCTS_PORTABLE_THRESHOLD 1000
// The shortest exponents, in limbs, for which two rings are made (modular/montgomery_rings.c): an
// inverse costs as much as some products. Xeon with AMX, by hand.
#define POWM_RINGS_EXPONENT 4
// The longest modulus, in limbs, of a single power that a device's kernel computes, one block for
// it; products compute the others. With 64 bits of exponent an H200 took 13.4 ms (even moduli 38.5)
// for 512 limbs by the kernel, whose time grows with the square, and 3.2 for 1024 by products.
#define DEVICE_POWM_KERNEL_LIMBS 256

// --- Several numbers at once (modular/residues.c): at least this many numbers of up to 20 digits,
// or of more, are computed in lanes, fewer one by one. Measured with tests of primality on a shared
// Intel Xeon (Sapphire Rapids), by hand.
// Numbers of four to six limbs have fast products of their own (limbs_ops.mul_redc), and eight
// digits.
#define RESIDUES_LANES_FEW_DIGITS 20
#define RESIDUES_LANES_REDC_DIGITS 8
#define RESIDUES_LANES_FEW_LEAST 4
#define RESIDUES_LANES_LEAST 6

// Powers of a batch for each of the context's threads but one, above which they are computed eight
// at once (batch/lanes.c). A group of eight takes as long as four to five single powers, 1024 and
// 2048 bits. Intel Xeon (Emerald Rapids), 16 threads; by hand.
#define BATCH_LANES_POWERS_LEAST 4
// Their shortest moduli: below, the other products take less.
#define BATCH_LANES_POWERS_LIMBS 3
// Products of a batch modulo one number that are computed eight at once (batch/lanes.c): the
// shortest moduli, and the least number of products times the square of a modulus's limbs, which
// pays for the number's preparation. Xeon with AMX, one thread; by hand.
#define BATCH_LANES_PRODUCTS_LIMBS 3
#define BATCH_LANES_PRODUCTS_WORK 2500

#endif  // BIGINT_CORE_TUNE_H_
