// bigint_gmp.h: conversions between bigint and GMP's mpz_t, as inline functions for programs that
// use both libraries. The library itself does not use GMP. Include it after or instead of bigint.h,
// and link with -lgmp.
#ifndef BIGINT_BIGINT_GMP_H_
#define BIGINT_BIGINT_GMP_H_

#include <gmp.h>
#include <limits.h>

#include "bigint/bigint.h"

#if GMP_LIMB_BITS == 64 && GMP_NAIL_BITS == 0
// GMP stores the same words in the same order, so limbs are copied unchanged.
#define BIGINT_GMP_SAME_LIMBS 1
#ifdef __cplusplus
static_assert(sizeof(mp_limb_t) == sizeof(bigint_limb), "GMP's limbs are not 64 bits wide");
#else
_Static_assert(sizeof(mp_limb_t) == sizeof(bigint_limb), "GMP's limbs are not 64 bits wide");
#endif
#else
#define BIGINT_GMP_SAME_LIMBS 0
#endif

// bigint_set_mpz: r = z. Errors: as bigint_set_limbs. If GMP's limbs have another width, also
// ENOMEM for a buffer.
BIGINT_MUST_CHECK static inline bigint_status bigint_set_mpz(bigint_ctx *ctx, bigint *r,
                                                             mpz_srcptr z) {
#if BIGINT_GMP_SAME_LIMBS
    return bigint_set_limbs(ctx, r, (const bigint_limb *)mpz_limbs_read(z), mpz_size(z),
                            mpz_sgn(z));
#else
    const size_t n = (mpz_sizeinbase(z, 2) + 7) / 8;
    void (*release)(void *, size_t);
    void *(*allocate)(size_t);
    mp_get_memory_functions(&allocate, NULL, &release);
    unsigned char *bytes = (unsigned char *)allocate(n);
    size_t written = 0;
    mpz_export(bytes, &written, -1, 1, 0, 0, z);
    const bigint_status status =
        bigint_set_bytes(ctx, r, bytes, written, BIGINT_LITTLE_ENDIAN, mpz_sgn(z));
    release(bytes, n);
    return status;
#endif
}

// bigint_get_mpz: z = a; z must be initialised. On failure z keeps its value, except that GMP
// itself aborts the program if it finds no memory for z. On a device context the call waits for the
// stream. Errors: EPLACE; ERANGE if a has more limbs than GMP can hold (2^31 - 1).
BIGINT_MUST_CHECK static inline bigint_status bigint_get_mpz(bigint_ctx *ctx, mpz_ptr z,
                                                             const bigint *a) {
    uint64_t bits = 0;
    int sign = 0;
    bigint_status status = bigint_bits(ctx, &bits, a);
    if (status != BIGINT_OK) {
        return status;
    }
    const uint64_t n = (bits + 63) / 64;
    if (n > (uint64_t)INT_MAX / (64 / GMP_NUMB_BITS + 1)) {
        return BIGINT_ERANGE;
    }
    if (n == 0) {
        mpz_set_ui(z, 0);
        return BIGINT_OK;
    }
#if BIGINT_GMP_SAME_LIMBS
    // The buffer is large enough and a is on the context's place, so only the device can still
    // fail.
    status =
        bigint_get_limbs(ctx, (bigint_limb *)mpz_limbs_write(z, (mp_size_t)n), n, NULL, &sign, a);
    mpz_limbs_finish(z, status == BIGINT_OK ? (mp_size_t)n * sign : 0);
#else
    void (*release)(void *, size_t);
    void *(*allocate)(size_t);
    mp_get_memory_functions(&allocate, NULL, &release);
    const size_t size = (size_t)n * 8;
    unsigned char *bytes = (unsigned char *)allocate(size);
    size_t written = 0;
    status = bigint_get_bytes(ctx, bytes, size, &written, BIGINT_LITTLE_ENDIAN, a);
    if (status == BIGINT_OK) {
        status = bigint_sign(ctx, &sign, a);
    }
    if (status == BIGINT_OK) {
        mpz_import(z, written, -1, 1, 0, 0, bytes);
        if (sign < 0) {
            mpz_neg(z, z);
        }
    }
    release(bytes, size);
#endif
    return status;
}

#endif  // BIGINT_BIGINT_GMP_H_
