// oracle.c: see oracle.h.
#include "tests/support/oracle.h"

#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"

_Static_assert(GMP_NUMB_BITS == 64 && sizeof(mp_limb_t) == sizeof(uint64_t),
               "GMP's limbs are ours, so arrays pass between the two unchanged");

void oracle_load(mpz_t z, const uint64_t *ap, size_t an) {
    mpz_import(z, an, -1, sizeof *ap, 0, 0, ap);
}

int oracle_store(uint64_t *rp, size_t rn, const mpz_t z) {
    size_t zn = mpz_size(z);
    if (zn > rn) {
        return 0;
    }
    memset(rp, 0, rn * sizeof *rp);
    mpz_export(rp, NULL, -1, sizeof *rp, 0, 0, z);
    return 1;
}

int oracle_expect(const char *file, int line, const char *what, const uint64_t *rp, size_t rn,
                  const mpz_t z) {
    uint64_t *wanted = calloc(rn + 1, sizeof *wanted);
    if (wanted == NULL) {
        ct_fail(file, line, 1, "no memory for %zu limbs of the oracle", rn);
        return 0;
    }
    int ok = oracle_store(wanted, rn, z);
    if (!ok) {
        ct_fail(file, line, 0, "%s has %zu limbs, the true value needs %zu", what, rn, mpz_size(z));
    } else {
        ok = ct_eq_limbs(file, line, what, "GMP's", rp, wanted, rn);
    }
    free(wanted);
    return ok;
}

int oracle_expect_product(const char *file, int line, const uint64_t *rp, const uint64_t *ap,
                          size_t an, const uint64_t *bp, size_t bn) {
    mpz_t a, b;
    mpz_inits(a, b, NULL);
    oracle_load(a, ap, an);
    oracle_load(b, bp, bn);
    mpz_mul(a, a, b);
    SCOPED_TRACE("a product of %zu by %zu limbs", an, bn);
    int ok = oracle_expect(file, line, "the product", rp, an + bn, a);
    mpz_clears(a, b, NULL);
    return ok;
}

int oracle_expect_divrem(const char *file, int line, const uint64_t *qp, size_t qn,
                         const uint64_t *rp, size_t rn, const uint64_t *ap, size_t an,
                         const uint64_t *bp, size_t bn) {
    mpz_t a, b, q, r;
    mpz_inits(a, b, q, r, NULL);
    oracle_load(a, ap, an);
    oracle_load(b, bp, bn);
    mpz_tdiv_qr(q, r, a, b);
    SCOPED_TRACE("a division of %zu by %zu limbs", an, bn);
    int ok = oracle_expect(file, line, "the quotient", qp, qn, q);
    ok &= oracle_expect(file, line, "the remainder", rp, rn, r);
    mpz_clears(a, b, q, r, NULL);
    return ok;
}
