// oracle.h: GMP as the second opinion on limb arrays. A wrong result is recorded as a failure of
// the running test with the sizes and the first and last limb that differ. The only room that turns
// GMP's answers into verdicts; includes GMP and ctest.
#ifndef TESTS_SUPPORT_ORACLE_H_
#define TESTS_SUPPORT_ORACLE_H_

#include <gmp.h>
#include <stddef.h>
#include <stdint.h>

// oracle_load sets z to the value of ap[0..an); an may be 0 and top limbs may be zero.
void oracle_load(mpz_t z, const uint64_t *ap, size_t an);

// oracle_store writes |z| to rp[0..rn), zero-padded. Returns 0, and writes nothing, if it does not
// fit.
int oracle_store(uint64_t *rp, size_t rn, const mpz_t z);

// oracle_expect returns 1 if rp[0..rn) holds exactly |z|, top limbs zero; otherwise it records a
// failure at file:line that speaks of what, and returns 0.
int oracle_expect(const char *file, int line, const char *what, const uint64_t *rp, size_t rn,
                  const mpz_t z);

// oracle_expect_product is oracle_expect for rp[0..an+bn) against a*b. Any lengths, zero included.
int oracle_expect_product(const char *file, int line, const uint64_t *rp, const uint64_t *ap,
                          size_t an, const uint64_t *bp, size_t bn);

// oracle_expect_divrem checks a = q*b + r and r < b. Requires b != 0.
int oracle_expect_divrem(const char *file, int line, const uint64_t *qp, size_t qn,
                         const uint64_t *rp, size_t rn, const uint64_t *ap, size_t an,
                         const uint64_t *bp, size_t bn);

// The same at the caller's line. The ASSERT forms return from a test body that returns void.
#define EXPECT_VALUE(rp, rn, z) ((void)oracle_expect(__FILE__, __LINE__, #rp, (rp), (rn), (z)))
#define EXPECT_PRODUCT(rp, ap, an, bp, bn) \
    ((void)oracle_expect_product(__FILE__, __LINE__, (rp), (ap), (an), (bp), (bn)))
#define ASSERT_PRODUCT(rp, ap, an, bp, bn)                                              \
    do {                                                                                \
        if (!oracle_expect_product(__FILE__, __LINE__, (rp), (ap), (an), (bp), (bn))) { \
            return;                                                                     \
        }                                                                               \
    } while (0)
#define EXPECT_DIVREM(qp, qn, rp, rn, ap, an, bp, bn) \
    ((void)oracle_expect_divrem(__FILE__, __LINE__, (qp), (qn), (rp), (rn), (ap), (an), (bp), (bn)))

#endif  // TESTS_SUPPORT_ORACLE_H_
