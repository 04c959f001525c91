// Bits of integers against GMP.
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/core/operations.h"
#include "tests/ctest/ctest.h"

static bigint_status and_bits(PAIRED_CALL) { return bigint_and(ctx, r, a, b); }
static int and_bits_twin(PAIRED_TWIN) { return mpz_and(r, a, b), 1; }
static bigint_status or_bits(PAIRED_CALL) { return bigint_or(ctx, r, a, b); }
static int or_bits_twin(PAIRED_TWIN) { return mpz_ior(r, a, b), 1; }
static bigint_status xor_bits(PAIRED_CALL) { return bigint_xor(ctx, r, a, b); }
static int xor_bits_twin(PAIRED_TWIN) { return mpz_xor(r, a, b), 1; }
static bigint_status com(PAIRED_CALL) { return bigint_com(ctx, r, a); }
static int com_twin(PAIRED_TWIN) { return mpz_com(r, a), 1; }
static bigint_status setbit(PAIRED_CALL) { return bigint_setbit(ctx, r, w); }
static int setbit_twin(PAIRED_TWIN) { return mpz_setbit(r, w), 1; }
static bigint_status clrbit(PAIRED_CALL) { return bigint_clrbit(ctx, r, w); }
static int clrbit_twin(PAIRED_TWIN) { return mpz_clrbit(r, w), 1; }
static bigint_status combit(PAIRED_CALL) { return bigint_combit(ctx, r, w); }
static int combit_twin(PAIRED_TWIN) { return mpz_combit(r, w), 1; }

// --- Questions: the answer becomes r ---

static bigint_status answer(bigint_ctx *ctx, bigint *r, bigint_status status, uint64_t value) {
    return status != BIGINT_OK ? status : bigint_set_u64(ctx, r, value);
}

static bigint_status tstbit(PAIRED_CALL) {
    int x = 7;
    const bigint_status status = bigint_tstbit(ctx, &x, a, w);
    return answer(ctx, r, status, (uint64_t)x);
}
static int tstbit_twin(PAIRED_TWIN) { return mpz_set_si(r, mpz_tstbit(a, w)), 1; }
static bigint_status popcount(PAIRED_CALL) {
    uint64_t x = 7;
    const bigint_status status = bigint_popcount(ctx, &x, a);
    return answer(ctx, r, status, x);
}
static int popcount_twin(PAIRED_TWIN) { return mpz_set_ui(r, mpz_popcount(a)), 1; }
static bigint_status hamming(PAIRED_CALL) {
    uint64_t x = 7;
    const bigint_status status = bigint_hamming(ctx, &x, a, b);
    return answer(ctx, r, status, x);
}
static int hamming_twin(PAIRED_TWIN) { return mpz_set_ui(r, mpz_hamdist(a, b)), 1; }
static bigint_status scan0(PAIRED_CALL) {
    uint64_t x = 7;
    const bigint_status status = bigint_scan0(ctx, &x, a, w);
    return answer(ctx, r, status, x);
}
static int scan0_twin(PAIRED_TWIN) { return mpz_set_ui(r, mpz_scan0(a, w)), 1; }
static bigint_status scan1(PAIRED_CALL) {
    uint64_t x = 7;
    const bigint_status status = bigint_scan1(ctx, &x, a, w);
    return answer(ctx, r, status, x);
}
static int scan1_twin(PAIRED_TWIN) { return mpz_set_ui(r, mpz_scan1(a, w)), 1; }

static const paired table[] = {
    PAIRED(and_bits, BIGINT_OK, 0), PAIRED(or_bits, BIGINT_OK, 0), PAIRED(xor_bits, BIGINT_OK, 0),
    PAIRED(com, BIGINT_OK, 0),      PAIRED(setbit, BIGINT_OK, 0),  PAIRED(clrbit, BIGINT_OK, 0),
    PAIRED(combit, BIGINT_OK, 0),   PAIRED(tstbit, BIGINT_OK, 0),  PAIRED(popcount, BIGINT_OK, 0),
    PAIRED(hamming, BIGINT_OK, 0),  PAIRED(scan0, BIGINT_OK, 0),   PAIRED(scan1, BIGINT_OK, 0),
};
enum { CALLS = sizeof table / sizeof *table, BITS = 300 };

// Mutations: a carry of a complement is dropped at a limb, the result -B^n loses its top limb, an
// operand's limb is read after the result's was written, zeros instead of ones above a negative
// number, the lowest one of a magnitude is flipped, a cleared top bit leaves a zero limb, a number
// that becomes 0 keeps its sign, the scan begins at its limb's lowest bit.
TEST(Bits, Edges) { paired_edges(table, CALLS, BITS); }

// Mutations: r is written before it has room; the carry is dropped where a run of zeros ends.
TEST(Bits, Random) { paired_random(table, CALLS, 64 * 45, 400, 40); }

// A bit index that no memory holds. Mutation: the index wraps to a small one.
TEST(Bits, HugeIndex) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint x = BIGINT_INIT;
    int bit = 7;
    uint64_t index = 0;
    EXPECT_EQ(bigint_set_i64(ctx, &x, -5), BIGINT_OK);
    EXPECT_EQ(bigint_tstbit(ctx, &bit, &x, UINT64_MAX), BIGINT_OK);
    EXPECT_EQ(bit, 1);
    EXPECT_EQ(bigint_scan1(ctx, &index, &x, UINT64_MAX - 1), BIGINT_OK);
    EXPECT_EQ(index, UINT64_MAX - 1);
    EXPECT_EQ(bigint_setbit(ctx, &x, UINT64_MAX), BIGINT_OK);
    EXPECT_EQ(bigint_clrbit(ctx, &x, UINT64_MAX), BIGINT_ERANGE);
    int order = 7;
    EXPECT_EQ(bigint_cmp_i64(ctx, &order, &x, -5), BIGINT_OK);
    EXPECT_EQ(order, 0);
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
}
