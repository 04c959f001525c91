// Quotients rounded down and up, exact quotients, divisibility and congruence, and the same by
// powers of two, against GMP.
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/core/operations.h"
#include "tests/ctest/ctest.h"

// --- By an integer: q alone, r alone, and both, of which q replaces the integer tried and r is
// added ---

typedef bigint_status (*division)(bigint_ctx *, bigint *, bigint *, const bigint *, const bigint *);

static bigint_status both(division f, bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b,
                          int swap) {
    bigint other = BIGINT_INIT;
    bigint_status status = swap ? f(ctx, &other, r, a, b) : f(ctx, r, &other, a, b);
    if (status == BIGINT_OK) {
        status = bigint_mul_u64(ctx, &other, &other, 3);
    }
    if (status == BIGINT_OK) {
        status = bigint_add(ctx, r, r, &other);
    }
    bigint_clear(ctx, &other);
    return status;
}

static int both_twin(void (*f)(mpz_ptr, mpz_ptr, mpz_srcptr, mpz_srcptr), mpz_t r, const mpz_t a,
                     const mpz_t b, int swap) {
    if (mpz_sgn(b) == 0) {
        return 0;
    }
    mpz_t q, rest;
    mpz_inits(q, rest, NULL);
    f(q, rest, a, b);
    mpz_mul_ui(swap ? q : rest, swap ? q : rest, 3);
    mpz_add(r, q, rest);
    mpz_clears(q, rest, NULL);
    return 1;
}

static int one(void (*f)(mpz_ptr, mpz_srcptr, mpz_srcptr), mpz_t r, const mpz_t a, const mpz_t b) {
    return mpz_sgn(b) == 0 ? 0 : (f(r, a, b), 1);
}

static bigint_status fdiv_q(PAIRED_CALL) { return bigint_fdiv(ctx, r, NULL, a, b); }
static int fdiv_q_twin(PAIRED_TWIN) { return one(mpz_fdiv_q, r, a, b); }
static bigint_status fdiv_r(PAIRED_CALL) { return bigint_fdiv(ctx, NULL, r, a, b); }
static int fdiv_r_twin(PAIRED_TWIN) { return one(mpz_fdiv_r, r, a, b); }
static bigint_status fdiv_qr(PAIRED_CALL) { return both(bigint_fdiv, ctx, r, a, b, 0); }
static int fdiv_qr_twin(PAIRED_TWIN) { return both_twin(mpz_fdiv_qr, r, a, b, 0); }
static bigint_status fdiv_rq(PAIRED_CALL) { return both(bigint_fdiv, ctx, r, a, b, 1); }
static int fdiv_rq_twin(PAIRED_TWIN) { return both_twin(mpz_fdiv_qr, r, a, b, 1); }
static bigint_status cdiv_q(PAIRED_CALL) { return bigint_cdiv(ctx, r, NULL, a, b); }
static int cdiv_q_twin(PAIRED_TWIN) { return one(mpz_cdiv_q, r, a, b); }
static bigint_status cdiv_r(PAIRED_CALL) { return bigint_cdiv(ctx, NULL, r, a, b); }
static int cdiv_r_twin(PAIRED_TWIN) { return one(mpz_cdiv_r, r, a, b); }
static bigint_status cdiv_qr(PAIRED_CALL) { return both(bigint_cdiv, ctx, r, a, b, 0); }
static int cdiv_qr_twin(PAIRED_TWIN) { return both_twin(mpz_cdiv_qr, r, a, b, 0); }
static bigint_status cdiv_rq(PAIRED_CALL) { return both(bigint_cdiv, ctx, r, a, b, 1); }
static int cdiv_rq_twin(PAIRED_TWIN) { return both_twin(mpz_cdiv_qr, r, a, b, 1); }
static bigint_status mod(PAIRED_CALL) { return bigint_mod(ctx, r, a, b); }
static int mod_twin(PAIRED_TWIN) { return one(mpz_mod, r, a, b); }
static bigint_status divexact(PAIRED_CALL) { return bigint_divexact(ctx, r, a, b); }
static int divexact_twin(PAIRED_TWIN) {
    return mpz_sgn(b) == 0 || !mpz_divisible_p(a, b) ? 0 : (mpz_divexact(r, a, b), 1);
}
static bigint_status divisible(PAIRED_CALL) {
    int x = 7;
    const bigint_status status = bigint_divisible(ctx, &x, a, b);
    return paired_answer(ctx, r, status, x);
}
static int divisible_twin(PAIRED_TWIN) { return mpz_set_si(r, mpz_divisible_p(a, b) != 0), 1; }
static bigint_status congruent(PAIRED_CALL) {
    int x = 7;
    const bigint_status status = bigint_congruent(ctx, &x, a, r, b);
    return paired_answer(ctx, r, status, x);
}
static int congruent_twin(PAIRED_TWIN) { return mpz_set_si(r, mpz_congruent_p(a, r, b) != 0), 1; }

// --- By a power of two ---

static bigint_status fdiv_2exp(PAIRED_CALL) { return bigint_fdiv_2exp(ctx, r, a, w); }
static int fdiv_2exp_twin(PAIRED_TWIN) { return mpz_fdiv_q_2exp(r, a, w), 1; }
static bigint_status cdiv_2exp(PAIRED_CALL) { return bigint_cdiv_2exp(ctx, r, a, w); }
static int cdiv_2exp_twin(PAIRED_TWIN) { return mpz_cdiv_q_2exp(r, a, w), 1; }
static bigint_status tdiv_r_2exp(PAIRED_CALL) { return bigint_tdiv_r_2exp(ctx, r, a, w); }
static int tdiv_r_2exp_twin(PAIRED_TWIN) { return mpz_tdiv_r_2exp(r, a, w), 1; }
static bigint_status fdiv_r_2exp(PAIRED_CALL) { return bigint_fdiv_r_2exp(ctx, r, a, w); }
static int fdiv_r_2exp_twin(PAIRED_TWIN) { return mpz_fdiv_r_2exp(r, a, w), 1; }
static bigint_status cdiv_r_2exp(PAIRED_CALL) { return bigint_cdiv_r_2exp(ctx, r, a, w); }
static int cdiv_r_2exp_twin(PAIRED_TWIN) { return mpz_cdiv_r_2exp(r, a, w), 1; }
static bigint_status divisible_2exp(PAIRED_CALL) {
    int x = 7;
    const bigint_status status = bigint_divisible_2exp(ctx, &x, a, w);
    return paired_answer(ctx, r, status, x);
}
static int divisible_2exp_twin(PAIRED_TWIN) {
    return mpz_set_si(r, mpz_divisible_2exp_p(a, w) != 0), 1;
}
static bigint_status congruent_2exp(PAIRED_CALL) {
    int x = 7;
    const bigint_status status = bigint_congruent_2exp(ctx, &x, a, b, w);
    return paired_answer(ctx, r, status, x);
}
static int congruent_2exp_twin(PAIRED_TWIN) {
    return mpz_set_si(r, mpz_congruent_2exp_p(a, b, w) != 0), 1;
}

static const paired table[] = {
    PAIRED(fdiv_q, BIGINT_EINVAL, 0),
    PAIRED(fdiv_r, BIGINT_EINVAL, 0),
    PAIRED(fdiv_qr, BIGINT_EINVAL, 1),
    PAIRED(fdiv_rq, BIGINT_EINVAL, 1),
    PAIRED(cdiv_q, BIGINT_EINVAL, 0),
    PAIRED(cdiv_r, BIGINT_EINVAL, 0),
    PAIRED(cdiv_qr, BIGINT_EINVAL, 1),
    PAIRED(cdiv_rq, BIGINT_EINVAL, 1),
    PAIRED(mod, BIGINT_EINVAL, 0),
    PAIRED(divexact, BIGINT_EINVAL, 0),
    PAIRED(divisible, BIGINT_EINVAL, 0),
    PAIRED(congruent, BIGINT_EINVAL, 0),
    PAIRED(fdiv_2exp, BIGINT_EINVAL, 0),
    PAIRED(cdiv_2exp, BIGINT_EINVAL, 0),
    PAIRED(tdiv_r_2exp, BIGINT_EINVAL, 0),
    PAIRED(fdiv_r_2exp, BIGINT_EINVAL, 0),
    PAIRED(cdiv_r_2exp, BIGINT_EINVAL, 0),
    PAIRED(divisible_2exp, BIGINT_EINVAL, 0),
    PAIRED(congruent_2exp, BIGINT_EINVAL, 0),
};
enum { CALLS = sizeof table / sizeof *table, BITS = 300 };

// Mutations: rounded although the division is exact, rounded to the wrong side for one sign, the
// divisor is read after an output that it is was written, q's carry finds no room, the remainder of
// an operand shorter than the divisor is not adjusted, bits that are a multiple of 64 are masked to
// none, the complement stops at a's length, a divisor 0 divides everything.
TEST(Rounded, Edges) { paired_edges(table, CALLS, BITS); }

// Mutation: r is written before the last allocation.
TEST(Rounded, Random) { paired_random(table, CALLS, BITS, 200, 100); }

// Multiples, so that divisions are exact, and multiples + 1. Mutations: the exact quotient's sign,
// a remainder of 1 taken for none.
TEST(Rounded, Multiples) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    mpz_t a, d, k, zero;
    mpz_inits(a, d, k, zero, NULL);
    gen g = gen_seed(7);
    for (int round = 0; round < 60; round += fixture_thinning() / 2 * 2 + 1) {
        fixture_limbs(&g, d, gen_size(&g, 1, 90));
        fixture_limbs(&g, k, gen_size(&g, 1, 90));
        round % 2 == 0 ? mpz_neg(d, d) : (void)0;
        round % 4 < 2 ? mpz_neg(k, k) : (void)0;
        mpz_mul(a, d, k);
        mpz_add_ui(a, a, (unsigned)(round % 3 == 0));
        for (int i = 0; i < CALLS; i++) {
            paired_try(ctx, &table[i], zero, a, d, (uint64_t)round);
        }
    }
    mpz_clears(a, d, k, zero, NULL);
    bigint_ctx_destroy(ctx);
}

// Multiples of every short length, with twos in either factor, and what is near them. Mutations: a
// borrow of a block of rows dropped, a block's product that reaches above the dividend, limbs
// behind the last row not looked at, twos that only one operand has, the limb that the operands
// lose with their twos, the top limb of the quotient.
TEST(Rounded, ShortMultiples) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    // divisible and divexact
    const paired *const calls[] = {&table[CALLS - 9], &table[CALLS - 10]};
    mpz_t a, d, k, zero;
    mpz_inits(a, d, k, zero, NULL);
    gen g = gen_seed(8);
    const size_t few = fixture_thinning() > 1 ? 20 : 1;  // then one neighbour of each multiple
    for (size_t dn = 1; dn < 100; dn += dn < 36 ? (few + 3) / 4 : few + gen_below(&g, 20)) {
        for (size_t kn = 1; kn < 80; kn += kn < 8 ? few : few + gen_below(&g, 9)) {
            fixture_limbs(&g, d, dn);
            fixture_limbs(&g, k, kn);
            mpz_mul_2exp(d, d, gen_below(&g, 3) == 0 ? gen_below(&g, 200) : 0);
            mpz_mul_2exp(k, k, gen_below(&g, 3) == 0 ? gen_below(&g, 200) : 0);
            mpz_mul(a, d, k);
            const unsigned first = few > 1 ? (unsigned)(dn + kn) % 4 : 0;
            for (unsigned near = first; near < (few > 1 ? first + 1 : 4); near++) {
                near == 2 ? mpz_combit(a, gen_below(&g, 64 * (dn + kn))) : (void)0;
                near == 3 ? mpz_add(a, a, k) : (void)0;
                paired_try(ctx, calls[0], zero, a, d, 0);
                paired_try(ctx, calls[1], zero, a, d, 0);
            }
        }
    }
    mpz_clears(a, d, k, zero, NULL);
    bigint_ctx_destroy(ctx);
}

// Numbers of the same length in bits, whose quotient is 0 or 1 in magnitude. Mutations: equal
// numbers taken for less, q written before r is computed from it, the difference's zeros on top
// kept, a sign of the quotient 0.
TEST(Rounded, EqualLengths) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    mpz_t a, d, zero;
    mpz_inits(a, d, zero, NULL);
    gen g = gen_seed(9);
    const int some = fixture_thinning() > 1 ? 13 : 1;  // odd: all signs and neighbours appear
    int trial = 0;
    for (size_t n = 1; n < 140; n += n < 6 ? 1 : 1 + gen_below(&g, 30)) {
        for (int near = 0; near < 4; near++) {
            fixture_limbs(&g, d, n);
            mpz_set(a, d);
            near == 1 ? mpz_sub_ui(a, a, 1) : (void)0;
            near == 2 ? mpz_add_ui(a, a, 1) : (void)0;
            near == 3 ? mpz_combit(a, gen_below(&g, mpz_sizeinbase(d, 2))) : (void)0;
            for (int signs = 0; signs < 4; signs++, trial++) {
                mpz_neg(a, a);
                signs % 2 == 0 ? mpz_neg(d, d) : (void)0;
                for (int i = 0; i < CALLS && trial % some == 0; i++) {
                    paired_try(ctx, &table[i], zero, a, d, BITS);
                }
            }
        }
    }
    mpz_clears(a, d, zero, NULL);
    bigint_ctx_destroy(ctx);
}
