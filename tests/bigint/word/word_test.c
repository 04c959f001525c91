// Integers and words against GMP's _ui and _si functions.
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/core/operations.h"
#include "tests/ctest/ctest.h"

// --- Sums and products: the word w is also read as a signed one ---

static bigint_status add_u64(PAIRED_CALL) { return bigint_add_u64(ctx, r, a, w); }
static int add_u64_twin(PAIRED_TWIN) { return mpz_add_ui(r, a, w), 1; }
static bigint_status sub_u64(PAIRED_CALL) { return bigint_sub_u64(ctx, r, a, w); }
static int sub_u64_twin(PAIRED_TWIN) { return mpz_sub_ui(r, a, w), 1; }
static bigint_status u64_sub(PAIRED_CALL) { return bigint_u64_sub(ctx, r, w, a); }
static int u64_sub_twin(PAIRED_TWIN) { return mpz_ui_sub(r, w, a), 1; }
static bigint_status mul_u64(PAIRED_CALL) { return bigint_mul_u64(ctx, r, a, w); }
static int mul_u64_twin(PAIRED_TWIN) { return mpz_mul_ui(r, a, w), 1; }
static bigint_status mul_i64(PAIRED_CALL) { return bigint_mul_i64(ctx, r, a, (int64_t)w); }
static int mul_i64_twin(PAIRED_TWIN) { return mpz_mul_si(r, a, (int64_t)w), 1; }
static bigint_status add_i64(PAIRED_CALL) { return bigint_add_i64(ctx, r, a, (int64_t)w); }
static int add_i64_twin(PAIRED_TWIN) {
    (int64_t) w < 0 ? mpz_sub_ui(r, a, 0 - w) : mpz_add_ui(r, a, w);
    return 1;
}
static bigint_status sub_i64(PAIRED_CALL) { return bigint_sub_i64(ctx, r, a, (int64_t)w); }
static int sub_i64_twin(PAIRED_TWIN) {
    (int64_t) w < 0 ? mpz_add_ui(r, a, 0 - w) : mpz_sub_ui(r, a, w);
    return 1;
}
static bigint_status addmul(PAIRED_CALL) { return bigint_addmul(ctx, r, a, b); }
static int addmul_twin(PAIRED_TWIN) { return mpz_addmul(r, a, b), 1; }
static bigint_status submul(PAIRED_CALL) { return bigint_submul(ctx, r, a, b); }
static int submul_twin(PAIRED_TWIN) { return mpz_submul(r, a, b), 1; }
static bigint_status addmul_u64(PAIRED_CALL) { return bigint_addmul_u64(ctx, r, a, w); }
static int addmul_u64_twin(PAIRED_TWIN) { return mpz_addmul_ui(r, a, w), 1; }
static bigint_status submul_u64(PAIRED_CALL) { return bigint_submul_u64(ctx, r, a, w); }
static int submul_u64_twin(PAIRED_TWIN) { return mpz_submul_ui(r, a, w), 1; }

// --- Quotients: the quotient, the remainder alone, and both as q + r ---

static int division(unsigned long (*f)(mpz_ptr, mpz_srcptr, unsigned long), mpz_t r, const mpz_t a,
                    uint64_t w, int both) {
    if (w == 0) {
        return 0;
    }
    const unsigned long rest = f(r, a, w);
    if (both) {
        mpz_add_ui(r, r, rest);
    }
    return 1;
}

static int rest(unsigned long (*f)(mpz_srcptr, unsigned long), mpz_t r, const mpz_t a, uint64_t w) {
    return w == 0 ? 0 : (mpz_set_ui(r, f(a, w)), 1);
}

typedef bigint_status (*word_division)(bigint_ctx *, bigint *, uint64_t *, const bigint *,
                                       uint64_t);

static bigint_status both(word_division f, bigint_ctx *ctx, bigint *r, const bigint *a,
                          uint64_t w) {
    uint64_t left = 0;
    const bigint_status status = f(ctx, r, &left, a, w);
    return status != BIGINT_OK ? status : bigint_add_u64(ctx, r, r, left);
}

static bigint_status left(word_division f, bigint_ctx *ctx, bigint *r, const bigint *a,
                          uint64_t w) {
    uint64_t left = 0;
    const bigint_status status = f(ctx, NULL, &left, a, w);
    return status != BIGINT_OK ? status : bigint_set_u64(ctx, r, left);
}

static bigint_status tdiv_q(PAIRED_CALL) { return bigint_tdiv_u64(ctx, r, NULL, a, w); }
static int tdiv_q_twin(PAIRED_TWIN) { return division(mpz_tdiv_q_ui, r, a, w, 0); }
static bigint_status fdiv_q(PAIRED_CALL) { return bigint_fdiv_u64(ctx, r, NULL, a, w); }
static int fdiv_q_twin(PAIRED_TWIN) { return division(mpz_fdiv_q_ui, r, a, w, 0); }
static bigint_status cdiv_q(PAIRED_CALL) { return bigint_cdiv_u64(ctx, r, NULL, a, w); }
static int cdiv_q_twin(PAIRED_TWIN) { return division(mpz_cdiv_q_ui, r, a, w, 0); }
static bigint_status tdiv_qr(PAIRED_CALL) { return both(bigint_tdiv_u64, ctx, r, a, w); }
static int tdiv_qr_twin(PAIRED_TWIN) { return division(mpz_tdiv_q_ui, r, a, w, 1); }
static bigint_status fdiv_qr(PAIRED_CALL) { return both(bigint_fdiv_u64, ctx, r, a, w); }
static int fdiv_qr_twin(PAIRED_TWIN) { return division(mpz_fdiv_q_ui, r, a, w, 1); }
static bigint_status cdiv_qr(PAIRED_CALL) { return both(bigint_cdiv_u64, ctx, r, a, w); }
static int cdiv_qr_twin(PAIRED_TWIN) { return division(mpz_cdiv_q_ui, r, a, w, 1); }
static bigint_status tdiv_r(PAIRED_CALL) { return left(bigint_tdiv_u64, ctx, r, a, w); }
static int tdiv_r_twin(PAIRED_TWIN) { return rest(mpz_tdiv_ui, r, a, w); }
static bigint_status fdiv_r(PAIRED_CALL) { return left(bigint_fdiv_u64, ctx, r, a, w); }
static int fdiv_r_twin(PAIRED_TWIN) { return rest(mpz_fdiv_ui, r, a, w); }
static bigint_status cdiv_r(PAIRED_CALL) { return left(bigint_cdiv_u64, ctx, r, a, w); }
static int cdiv_r_twin(PAIRED_TWIN) { return rest(mpz_cdiv_ui, r, a, w); }
static bigint_status divexact(PAIRED_CALL) { return bigint_divexact_u64(ctx, r, a, w); }
static int divexact_twin(PAIRED_TWIN) {
    return w == 0 || !mpz_divisible_ui_p(a, w) ? 0 : (mpz_divexact_ui(r, a, w), 1);
}

// --- Questions: the answer becomes r ---

static int sign_of(int x) { return (x > 0) - (x < 0); }

static bigint_status cmp_u64(PAIRED_CALL) {
    int x = 7;
    const bigint_status status = bigint_cmp_u64(ctx, &x, a, w);
    return paired_answer(ctx, r, status, x);
}
static int cmp_u64_twin(PAIRED_TWIN) { return mpz_set_si(r, sign_of(mpz_cmp_ui(a, w))), 1; }
static bigint_status cmp_i64(PAIRED_CALL) {
    int x = 7;
    const bigint_status status = bigint_cmp_i64(ctx, &x, a, (int64_t)w);
    return paired_answer(ctx, r, status, x);
}
static int cmp_i64_twin(PAIRED_TWIN) {
    return mpz_set_si(r, sign_of(mpz_cmp_si(a, (int64_t)w))), 1;
}
static bigint_status cmp_abs_u64(PAIRED_CALL) {
    int x = 7;
    const bigint_status status = bigint_cmp_abs_u64(ctx, &x, a, w);
    return paired_answer(ctx, r, status, x);
}
static int cmp_abs_u64_twin(PAIRED_TWIN) { return mpz_set_si(r, sign_of(mpz_cmpabs_ui(a, w))), 1; }
static bigint_status fits_u64(PAIRED_CALL) {
    int x = 7;
    const bigint_status status = bigint_fits_u64(ctx, &x, a);
    return paired_answer(ctx, r, status, x);
}
static int fits_u64_twin(PAIRED_TWIN) { return mpz_set_si(r, mpz_fits_ulong_p(a) != 0), 1; }
static bigint_status fits_i64(PAIRED_CALL) {
    int x = 7;
    const bigint_status status = bigint_fits_i64(ctx, &x, a);
    return paired_answer(ctx, r, status, x);
}
static int fits_i64_twin(PAIRED_TWIN) { return mpz_set_si(r, mpz_fits_slong_p(a) != 0), 1; }
static bigint_status divisible(PAIRED_CALL) {
    int x = 7;
    const bigint_status status = bigint_divisible_u64(ctx, &x, a, w);
    return paired_answer(ctx, r, status, x);
}
static int divisible_twin(PAIRED_TWIN) { return mpz_set_si(r, mpz_divisible_ui_p(a, w) != 0), 1; }
static bigint_status congruent(PAIRED_CALL) {
    int x = 7;
    const bigint_status status = bigint_congruent_u64(ctx, &x, a, w / 3, w);
    return paired_answer(ctx, r, status, x);
}
static int congruent_twin(PAIRED_TWIN) {
    return mpz_set_si(r, mpz_congruent_ui_p(a, w / 3, w) != 0), 1;
}
static bigint_status get_u64(PAIRED_CALL) {
    uint64_t x = 0;
    const bigint_status status = bigint_get_u64(ctx, &x, a);
    return status != BIGINT_OK ? status : bigint_set_u64(ctx, r, x);
}
static int get_u64_twin(PAIRED_TWIN) {
    return mpz_fits_ulong_p(a) ? (mpz_set_ui(r, mpz_get_ui(a)), 1) : 0;
}
static bigint_status get_i64(PAIRED_CALL) {
    int64_t x = 0;
    const bigint_status status = bigint_get_i64(ctx, &x, a);
    return paired_answer(ctx, r, status, x);
}
static int get_i64_twin(PAIRED_TWIN) {
    return mpz_fits_slong_p(a) ? (mpz_set_si(r, mpz_get_si(a)), 1) : 0;
}

static const paired table[] = {
    PAIRED(add_u64, BIGINT_EINVAL, 0),    PAIRED(sub_u64, BIGINT_EINVAL, 0),
    PAIRED(u64_sub, BIGINT_EINVAL, 0),    PAIRED(add_i64, BIGINT_EINVAL, 0),
    PAIRED(sub_i64, BIGINT_EINVAL, 0),    PAIRED(mul_u64, BIGINT_EINVAL, 0),
    PAIRED(mul_i64, BIGINT_EINVAL, 0),    PAIRED(addmul, BIGINT_EINVAL, 0),
    PAIRED(submul, BIGINT_EINVAL, 0),     PAIRED(addmul_u64, BIGINT_EINVAL, 0),
    PAIRED(submul_u64, BIGINT_EINVAL, 0), PAIRED(tdiv_q, BIGINT_EINVAL, 0),
    PAIRED(fdiv_q, BIGINT_EINVAL, 0),     PAIRED(cdiv_q, BIGINT_EINVAL, 0),
    PAIRED(tdiv_qr, BIGINT_EINVAL, 1),    PAIRED(fdiv_qr, BIGINT_EINVAL, 1),
    PAIRED(cdiv_qr, BIGINT_EINVAL, 1),    PAIRED(tdiv_r, BIGINT_EINVAL, 0),
    PAIRED(fdiv_r, BIGINT_EINVAL, 0),     PAIRED(cdiv_r, BIGINT_EINVAL, 0),
    PAIRED(divexact, BIGINT_EINVAL, 0),   PAIRED(cmp_u64, BIGINT_EINVAL, 0),
    PAIRED(cmp_i64, BIGINT_EINVAL, 0),    PAIRED(cmp_abs_u64, BIGINT_EINVAL, 0),
    PAIRED(fits_u64, BIGINT_EINVAL, 0),   PAIRED(fits_i64, BIGINT_EINVAL, 0),
    PAIRED(divisible, BIGINT_EINVAL, 0),  PAIRED(congruent, BIGINT_EINVAL, 0),
    PAIRED(get_u64, BIGINT_ERANGE, 0),    PAIRED(get_i64, BIGINT_ERANGE, 0),
};
enum { CALLS = sizeof table / sizeof *table };

// Mutations: a carry into a second limb is lost, the borrow leaves a negative limb, |INT64_MIN| is
// negated in int64_t, the larger magnitude is not looked for, a zero gets a sign, an operand is
// read after it was written as the result, a quotient is rounded although the division is exact,
// the remainder's distance is taken from the wrong side, room for the rounded quotient is missing.
TEST(Word, Edges) { paired_edges(table, CALLS, UINT64_MAX); }

// Mutations: a pointer is kept across the growth of r, r is written before the last allocation, the
// two's complement of a negative sum is not negated.
TEST(Word, Random) { paired_random(table, CALLS, UINT64_MAX, 300, 40); }

// Mutation: a carry stops at the first limb, or is one limb short at the top.
TEST(Word, LongCarries) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    mpz_t ones, minus, any;
    mpz_inits(ones, minus, any, NULL);
    for (unsigned limbs = 1; limbs < 12; limbs += (unsigned)fixture_thinning()) {
        mpz_set_ui(ones, 0);
        mpz_setbit(ones, 64 * limbs);
        mpz_neg(minus, ones);
        mpz_sub_ui(ones, ones, 1);
        for (int i = 0; i < CALLS; i++) {
            paired_try(ctx, &table[i], minus, ones, minus, UINT64_MAX);
            paired_try(ctx, &table[i], ones, minus, ones, 1);
            paired_try(ctx, &table[i], minus, ones, ones, 1);
            paired_try(ctx, &table[i], any, minus, ones, UINT64_MAX);
        }
    }
    mpz_clears(ones, minus, any, NULL);
    bigint_ctx_destroy(ctx);
}
