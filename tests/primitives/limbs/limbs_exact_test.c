// limbs_exact_test.c: exact division of every table that has it against GMP.
#include <gmp.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/primitives/limbs/tables.h"
#include "tests/support/gen.h"
#include "tests/support/oracle.h"

enum { N = 40, LIMBS = 2 * N + 2 };

// expect: A / D of qn limbs for A 2^shift and D 2^shift in the fewest limbs that hold them.
static void expect(const limbs_ops *ops, const mpz_t a, const mpz_t d, size_t qn, unsigned shift) {
    uint64_t ap[LIMBS], dp[LIMBS], qp[LIMBS + 2];
    mpz_t q, scaled;
    mpz_inits(q, scaled, NULL);
    mpz_mul_2exp(scaled, a, shift);
    const size_t an = mpz_size(scaled);
    ASSERT_TRUE(oracle_store(ap, an, scaled));
    mpz_mul_2exp(scaled, d, shift);
    const size_t dn = mpz_size(scaled);
    ASSERT_TRUE(oracle_store(dp, dn, scaled));
    qp[0] = qp[qn + 1] = 0x5555;
    const bool exact = mpz_divisible_p(a, d) != 0;
    SCOPED_TRACE("%zu by %zu limbs to %zu, shift %u", an, dn, qn, shift);
    EXPECT_EQ(ops->divexact(qp + 1, qn, ap, an, dp, dn, shift), exact);
    EXPECT_EQ(qp[0] + qp[qn + 1], (uint64_t)0xaaaa);
    if (exact) {
        mpz_divexact(q, a, d);
        EXPECT_VALUE(qp + 1, qn, q);
    }
    mpz_clears(q, scaled, NULL);
}

// try: a multiple of D, what has a unit more or less in one limb, the quotient of all ones, and the
// number below that multiple. The shape is not GEN_ZERO.
static void try(const limbs_ops *ops, gen *g, size_t dn, size_t qn, int shape) {
    uint64_t limbs[LIMBS];
    mpz_t a, d, near;
    mpz_inits(a, d, near, NULL);
    gen_limbs(g, (gen_shape)shape, limbs, dn);
    limbs[0] |= 1;
    oracle_load(d, limbs, dn);
    gen_limbs(g, (gen_shape)gen_below(g, GEN_SHAPES), limbs, qn);
    limbs[0] |= 1;
    oracle_load(a, limbs, qn);
    mpz_mul(a, a, d);
    const unsigned shift = (unsigned)gen_below(g, 64);
    expect(ops, a, d, qn, 0);
    expect(ops, a, d, qn, shift);
    for (size_t i = 0; i < mpz_size(a); i++) {
        mpz_set_ui(near, 0);
        mpz_setbit(near, 64 * i);
        i % 2 == 0 ? mpz_sub(near, a, near) : mpz_add(near, a, near);
        const size_t need = mpz_size(near) - dn + 1;
        if (mpz_sgn(near) > 0 && mpz_size(near) >= dn) expect(ops, near, d, need, shift);
    }
    mpz_set_ui(a, 0);
    mpz_setbit(a, 64 * qn);
    mpz_mul(a, a, d);
    mpz_sub(a, a, d);
    expect(ops, a, d, qn, shift);  // a quotient of all ones
    mpz_sub_ui(a, a, 1);
    expect(ops, a, d, qn, shift);
    mpz_clears(a, d, near, NULL);
}

// Mutations: a window at the wrong vector, or without its high halves; the carry into the vector
// above lost, or doubled; T without its 1; the shift of A alone, or of D alone; bytes of D behind
// its top limb; a quotient of a last block of 1 to 8 digits cut at the wrong one; sums above the
// quotient, each at its place, not compared.
TEST_EACH(LimbsExact, Division, table_case, tables, table_label) {
    const limbs_ops *ops = table_named(p->name);
    if (ops == NULL || ops->divexact == NULL) SKIP("not on this processor, or not in this table");
    gen g = gen_seed(1);
    for (size_t dn = 1; dn <= N; dn++) {
        for (size_t qn = 1; qn <= N; qn += qn < 14 ? 1 : 1 + gen_below(&g, 6)) {
            try(ops, &g, dn, qn, 1 + (int)((dn + qn) % (GEN_SHAPES - 1)));
            try(ops, &g, dn, qn, GEN_ONES);
        }
    }
}
