// bigint_batch.h: batches of unsigned numbers, the part of the public interface that works on
// spans. bigint.h, which it includes, has the rules and includes it.
#ifndef BIGINT_BIGINT_BATCH_H_
#define BIGINT_BIGINT_BATCH_H_

#include "bigint/bigint.h"

#ifdef __cplusplus
extern "C" {
#endif

// bigint_device_limbs: the limbs of an integer on a device, bigint_limbs_bound(x) of them in its
// memory, for spans of numbers that came there as one; NULL on the host and for the number 0. Valid
// until a call changes x. What is written there is x's new magnitude.
BIGINT_API bigint_limb *bigint_device_limbs(const bigint *x);

// bigint_span: count unsigned numbers in the context's place. Number i has n limbs and begins at
// p + i * stride; stride 0 repeats one number for the whole batch. In a ragged batch
// lengths[i] <= n is the length of number i and offsets[i] (limbs) its beginning instead of
// i * stride; either may be NULL. Top limbs may be zero. lengths and offsets are host memory.
typedef struct {
    bigint_limb *p;
    uint64_t n, stride, count;
    const uint64_t *lengths;
    const uint64_t *offsets;
} bigint_span;

// All spans of a batch have the same count (EINVAL). The results may not overlap the inputs, nor
// each other (EINVAL where stride < n; offsets are not compared).

// bigint_mul_batch: r[i] = a[i] b[i], i < r.count; r[i] is zero-padded to its whole length, which
// must be at least the lengths of a[i] and b[i] together (EINVAL otherwise). Small products are
// shared out among the context's threads. On a device all products of factors of up to 16 limbs, of
// up to 256 and of up to 4096 or so are one launch for each of some twenty classes of lengths, one
// launch in all where the numbers of each span are alike (no lengths, no offsets); a list of the
// products goes to the device otherwise, 48 bytes each. Longer ones are enqueued one after the
// other, each as by bigint_mul; checks take two launches for each of these, and one for all others
// together. lengths and offsets have been read on return.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul_batch(bigint_ctx *ctx, const bigint_span *r,
                                                            const bigint_span *a,
                                                            const bigint_span *b);
// bigint_powm_batch: r[i] = base[i]^exponent[i] mod modulus[i], zero-padded; r[i] must hold
// modulus[i]'s length. Errors: EINVAL if any modulus is 0. Workspace: the results once more, and
// for each of the context's threads, which share the powers, that of one power. With AVX-512 IFMA
// eight powers modulo odd numbers of like lengths up to 8316 bits, with exponents whose lengths lie
// between the same powers of 2, are computed at once, at the cost of the longest exponent; that
// takes 24 bytes for each power and up to 64 powers of eight numbers for each thread, and where a
// cap forbids it powers are computed one by one. One modulus for all (stride 0) is made ready once.
// On a device two launches compute all powers, whose cost is that of the longest modulus and, among
// some neighbours, of the longest exponent. The values are not looked at before: a modulus of 0 is
// an error only where its length is 0, otherwise its power is 0. Errors there: ERANGE for moduli of
// more than 519 limbs. Workspace: up to 64 numbers of the modulus's length for each power that is
// under way at once; a cap means fewer at once. lengths and offsets have been read on return.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_powm_batch(bigint_ctx *ctx, const bigint_span *r,
                                                             const bigint_span *base,
                                                             const bigint_span *exponent,
                                                             const bigint_span *modulus);
// bigint_mulmod_batch: r[i] = a[i] b[i] mod modulus[i]; bigint_sqrmod_batch: r[i] = a[i]^2 mod
// modulus[i]; bigint_invmod_batch: r[i] a[i] = 1 mod modulus[i], 0 <= r[i] < modulus[i], and r[i] =
// 0 where a[i] has no inverse, which tells so, and where modulus[i] is 1. Moduli are odd or even,
// shared by stride 0 or each its own; a and b have any lengths and need not be reduced. r[i] is
// zero-padded and must hold modulus[i]'s length.
// Errors: EINVAL if any modulus is 0. Workspace on the host: as bigint_powm_batch.
// Cost on the host: a product and a division, or O(n^2) for an inverse, on the context's threads;
// with AVX-512 IFMA, modulo one odd number for all of up to 8316 bits, two Montgomery products of
// eight numbers at once.
// On a device one launch, of 2 n^2 digit products for products, of 10 n^2 or so, with half as much
// on single words, for inverses; one more where some a[i] is longer than the moduli's lengths. The
// values are not looked at before: where a modulus is 0 but has limbs, r[i] is 0. Errors there:
// ERANGE for moduli of more than 287 limbs. lengths and offsets have been read on return.
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
// bigint_probable_prime_batch: prime[i] = 1 or 0, as bigint_probable_prime answers for n[i], i <
// n.count; prime is host memory. The context's threads share the numbers; with AVX-512 IFMA eight
// neighbours of like length that are not decided yet go through a test at once, up to 8316 bits.
// Workspace: 25 bytes a number, and for each thread some 80 numbers of the longest length.
// On a device n is device memory. The numbers come to the host, which divides by small primes; of
// many that are left and have up to 519 limbs the device computes 2^d, of many that are left then
// the Lucas sequences, whose last few terms are the host's. It waits for the stream.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_probable_prime_batch(bigint_ctx *ctx,
                                                                       unsigned char *prime,
                                                                       const bigint_span *n);
// bigint_divrem_batch: a[i] = q[i] d[i] + r[i], 0 <= r[i] < d[i]. q or r may be NULL if not wanted,
// not both (EINVAL). q[i] must hold a[i]'s length, r[i] that of d[i]; both are zero-padded.
// Errors: EINVAL if any d[i] is 0. Workspace on the host: as bigint_powm_batch.
// Cost on the host: that of bigint_divrem, on the context's threads. On a device one launch, of
// (an - dn + 1) dn digit products, with 8 bytes of workspace for each digit of the quotients under
// way; where a d[i] is 0 but has limbs, q[i] and r[i] are 0. Errors there: ERANGE for d of more
// than 287 limbs. lengths and offsets have been read on return.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_divrem_batch(bigint_ctx *ctx,
                                                               const bigint_span *q,
                                                               const bigint_span *r,
                                                               const bigint_span *a,
                                                               const bigint_span *d);

#ifdef __cplusplus
}
#endif
#endif  // BIGINT_BIGINT_BATCH_H_
