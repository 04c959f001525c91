// bigint_batch.h: batches of unsigned numbers, the part of the public interface that works on
// spans. Include bigint.h: it has the rules and includes this header.
#ifndef BIGINT_BIGINT_BATCH_H_
#define BIGINT_BIGINT_BATCH_H_

#include "bigint/bigint.h"

#ifdef __cplusplus
extern "C" {
#endif

// bigint_device_limbs returns the limbs of an integer on a device: bigint_limbs_bound(x) limbs in
// the device's memory. Use it to make spans of numbers that were moved there as one integer. It
// returns NULL on the host and for the number 0. The pointer is valid until a call changes x. Limbs
// written through it become x's magnitude.
BIGINT_API bigint_limb *bigint_device_limbs(const bigint *x);

// bigint_span: count unsigned numbers in the context's place. Number i has n limbs and begins at p
// + i * stride; stride 0 repeats one number for the whole batch. In a ragged batch lengths[i] <= n
// is the length of number i, and it begins at p + offsets[i] (in limbs) instead; either array may
// be NULL. Top limbs may be zero. lengths and offsets are host memory.
typedef struct {
    bigint_limb *p;
    uint64_t n, stride, count;
    const uint64_t *lengths;
    const uint64_t *offsets;
} bigint_span;

// All spans of a batch have the same count (EINVAL). Every call has read lengths and offsets when
// it returns. A span has at most 2^56 numbers, each of at most 2^56 limbs and beginning within 2^56
// limbs of p (ERANGE).
// Results must not overlap the inputs or each other; a result in the place of its input is an
// overlap, too. Every call compares each result with all other spans: all pairs of numbers if
// neither span has lengths or offsets, otherwise only numbers of the same index (EINVAL). Other
// overlaps are not noticed and give undefined results.

// bigint_mul_batch: r[i] = a[i] b[i], i < r.count. r[i] is zero-padded to its whole length. Errors:
// EINVAL if r[i] is shorter than a[i] and b[i] together.
// On the host the context's threads share small products, if there is enough work for them. With
// AVX-512 IFMA eight neighbours of the same lengths, 6 to 128 limbs, are computed at once, in up to
// 130 KiB of workspace for each thread, if a cap allows that.
// On a device one launch computes all products of one class. There are some twenty classes of
// lengths for factors of up to 16 limbs, of up to 256 and of up to 4096 or so. If the numbers of
// each span are alike (no lengths, no offsets), one launch computes the whole batch. Otherwise a
// list of the products goes to the device, 48 bytes each. Longer products share the launches of
// transforms: four or five compute as many products of one class as 44 MiB of workspace hold, or
// the cap leaves room for; two such groups are under way at once, in up to 128 MiB. There are three
// classes for each power of two of both lengths together.
// The transform of one common factor is made once. Factors of a list are copied side by side first.
// Up to 8192 limbs of both factors a block computes a product by itself, of more than 4096 limbs if
// there are 64 products or more; for these it needs 128 KiB of workspace, at most 20 MiB in all.
// Products that fill the device by themselves, of some 2^26 bits and more, are enqueued one after
// the other, as by bigint_mul. Checks take two launches for each of these, and one launch for all
// others together.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul_batch(bigint_ctx *ctx, const bigint_span *r,
                                                            const bigint_span *a,
                                                            const bigint_span *b);
// bigint_mul_sum_batch: r[i] = |s|, s = a[i] b[i] + c[i] d[i], zero-padded. Signs are words of the
// context's place, one for each item: where ab_negative[i] is not 0, a[i] b[i] counts negatively,
// likewise cd_negative[i]; NULL: all count positively. negative[i] = 1 if s < 0, else 0; NULL: not
// wanted. It overlaps none of the other arguments, which is not checked.
// Errors: EINVAL if r[i] has no more limbs than a[i] and b[i], or c[i] and d[i], together.
// Cost: that of two batches of products, and workspace for the products, each of the length of the
// longest; then one pass over them by the context's threads, or two launches on a device.
BIGINT_API BIGINT_MUST_CHECK bigint_status
bigint_mul_sum_batch(bigint_ctx *ctx, const bigint_span *r, bigint_limb *negative,
                     const bigint_span *a, const bigint_span *b, const bigint_limb *ab_negative,
                     const bigint_span *c, const bigint_span *d, const bigint_limb *cd_negative);
// bigint_mul_mod_2exp_minus1_batch: r[i] = a[i] b[i] mod 2^bits - 1, 0 <= r[i] < 2^bits - 1.
// bigint_mul_mod_2exp_plus1_batch: r[i] = a[i] b[i] mod 2^bits + 1, 0 <= r[i] <= 2^bits.
// Factors have at most bits / 64 + 1 limbs and need not be reduced; r[i] is zero-padded.
// Errors: EINVAL for bits = 0, for longer factors, or if r[i] has fewer than ceil(bits / 64) limbs,
// modulo 2^bits + 1 fewer than bits / 64 + 1.
// Cost: that of bigint_mul_batch, workspace for the products, each of the length of the longest,
// and one pass over them by the context's threads, or one or two launches on a device. About half
// of that, or two thirds, if transforms of `bits` bits serve: on the host as for
// bigint_mul_mod_2exp_minus1 and _plus1, if there is one thread or the numbers have 2000 limbs or
// more; on a device modulo 2^bits - 1, without checks, if bits is a power of two from 2^17 to 2^26.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul_mod_2exp_minus1_batch(bigint_ctx *ctx,
                                                                            const bigint_span *r,
                                                                            const bigint_span *a,
                                                                            const bigint_span *b,
                                                                            uint64_t bits);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul_mod_2exp_plus1_batch(bigint_ctx *ctx,
                                                                           const bigint_span *r,
                                                                           const bigint_span *a,
                                                                           const bigint_span *b,
                                                                           uint64_t bits);
// bigint_powm_batch: r[i] = base[i]^exponent[i] mod modulus[i], zero-padded; r[i] must hold
// modulus[i]'s length. One modulus for all (stride 0) is prepared once. Errors: EINVAL if any
// modulus is 0.
// On the host the context's threads share the powers. Workspace: the results once more, and the
// workspace of one power for each thread. With AVX-512 IFMA eight powers are computed at once, at
// the cost of the longest exponent, if the moduli are odd, of similar lengths from 3 limbs to 8316
// bits, and the lengths of the exponents lie between the same powers of 2. That takes 32 bytes for
// each power and up to 64 powers of eight numbers for each thread. If a cap forbids it, powers are
// computed one by one.
// On a device two launches compute all powers. Their cost is set by the longest modulus and, among
// some neighbours, by the longest exponent. The device does not look at the values first: a modulus
// of length 0 is an error, and a modulus with limbs but value 0 gives 0. Errors there: ERANGE for
// moduli of more than 519 limbs. Workspace: up to 64 numbers of the modulus's length for each power
// under way; with a cap fewer powers are under way at once.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_powm_batch(bigint_ctx *ctx, const bigint_span *r,
                                                             const bigint_span *base,
                                                             const bigint_span *exponent,
                                                             const bigint_span *modulus);
// bigint_mulmod_batch: r[i] = a[i] b[i] mod modulus[i].
// bigint_sqrmod_batch: r[i] = a[i]^2 mod modulus[i].
// bigint_invmod_batch: r[i] a[i] = 1 mod modulus[i], 0 <= r[i] < modulus[i]; r[i] = 0 if a[i] has
// no inverse or modulus[i] is 1.
// Moduli are odd or even, shared by stride 0 or one for each item. a and b may have any length and
// need not be reduced. r[i] is zero-padded and must hold modulus[i]'s length.
// Errors: EINVAL if any modulus is 0. Workspace on the host: as bigint_powm_batch, none for factors
// of up to 64 limbs together.
// Cost on the host: a product and a division, or O(n^2) for an inverse, on the context's threads.
// With AVX-512 IFMA and one odd modulus of 3 limbs to 8316 bits for all, if there are enough items:
// two Montgomery products of eight numbers at once.
// On a device: one launch, of 2 n^2 digit products for products, and some 10 n^2, with half as much
// on single words, for inverses. One more launch if some a[i] is longer than the moduli. The device
// does not look at the values first: a modulus with limbs but value 0 gives r[i] = 0. Errors there:
// ERANGE for moduli of more than 287 limbs.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mulmod_batch(bigint_ctx *ctx,
                                                               const bigint_span *r,
                                                               const bigint_span *a,
                                                               const bigint_span *b,
                                                               const bigint_span *modulus);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_sqrmod_batch(bigint_ctx *ctx,
                                                               const bigint_span *r,
                                                               const bigint_span *a,
                                                               const bigint_span *modulus);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_invmod_batch(bigint_ctx *ctx,
                                                               const bigint_span *r,
                                                               const bigint_span *a,
                                                               const bigint_span *modulus);
// bigint_probable_prime_batch: prime[i] = 1 or 0, the answer of bigint_probable_prime for n[i], i <
// n.count. prime is host memory and does not overlap n.
// On the host the context's threads share the numbers. With AVX-512 IFMA eight neighbours of
// similar length that are still undecided are tested at once, up to 8316 bits. Workspace: 25 bytes
// a number, and for each thread some 80 numbers of the longest length.
// On a device n is device memory. The call copies the numbers to the host, which divides by small
// primes. If many remain with up to 519 limbs, the device computes 2^d for them. If many still
// remain, it computes their Lucas sequences, except for the last few terms, which the host
// computes. The call waits for the stream.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_probable_prime_batch(bigint_ctx *ctx,
                                                                       unsigned char *prime,
                                                                       const bigint_span *n);
// bigint_divrem_batch: a[i] = q[i] d[i] + r[i], 0 <= r[i] < d[i]. q, r or both may be NULL if not
// wanted. q[i] must hold a[i]'s length, and r[i] d[i]'s; both are zero-padded.
// Errors: EINVAL if any d[i] is 0. Workspace on the host: as bigint_powm_batch.
// Cost on the host: that of bigint_divrem, on the context's threads. On a device: one launch, of
// (an - dn + 1) dn digit products, with 8 bytes of workspace for each digit of the quotients under
// way. A d[i] with limbs but value 0 gives q[i] = r[i] = 0. Errors there: ERANGE for d of more than
// 287 limbs.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_divrem_batch(bigint_ctx *ctx,
                                                               const bigint_span *q,
                                                               const bigint_span *r,
                                                               const bigint_span *a,
                                                               const bigint_span *d);

#ifdef __cplusplus
}
#endif
#endif  // BIGINT_BIGINT_BATCH_H_
