// Integers and words against GMP's _ui and _si functions.
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/core/operations.h"
#include "tests/ctest/ctest.h"

#define CALL                                                             \
    bigint_ctx *ctx, bigint *r, const bigint *a __attribute__((unused)), \
        const bigint *b __attribute__((unused)), uint64_t w __attribute__((unused))
#define TWIN                                                                               \
    mpz_t r, const mpz_t a __attribute__((unused)), const mpz_t b __attribute__((unused)), \
        uint64_t w __attribute__((unused))

// --- Sums and products: the word w is also read as a signed one ---

static bigint_status add_u64(CALL) { return bigint_add_u64(ctx, r, a, w); }
static int add_u64_twin(TWIN) { return mpz_add_ui(r, a, w), 1; }
static bigint_status sub_u64(CALL) { return bigint_sub_u64(ctx, r, a, w); }
static int sub_u64_twin(TWIN) { return mpz_sub_ui(r, a, w), 1; }
static bigint_status u64_sub(CALL) { return bigint_u64_sub(ctx, r, w, a); }
static int u64_sub_twin(TWIN) { return mpz_ui_sub(r, w, a), 1; }
static bigint_status mul_u64(CALL) { return bigint_mul_u64(ctx, r, a, w); }
static int mul_u64_twin(TWIN) { return mpz_mul_ui(r, a, w), 1; }
static bigint_status mul_i64(CALL) { return bigint_mul_i64(ctx, r, a, (int64_t)w); }
static int mul_i64_twin(TWIN) { return mpz_mul_si(r, a, (int64_t)w), 1; }
static bigint_status add_i64(CALL) { return bigint_add_i64(ctx, r, a, (int64_t)w); }
static int add_i64_twin(TWIN) {
    (int64_t) w < 0 ? mpz_sub_ui(r, a, 0 - w) : mpz_add_ui(r, a, w);
    return 1;
}
static bigint_status sub_i64(CALL) { return bigint_sub_i64(ctx, r, a, (int64_t)w); }
static int sub_i64_twin(TWIN) {
    (int64_t) w < 0 ? mpz_add_ui(r, a, 0 - w) : mpz_sub_ui(r, a, w);
    return 1;
}
static bigint_status addmul(CALL) { return bigint_addmul(ctx, r, a, b); }
static int addmul_twin(TWIN) { return mpz_addmul(r, a, b), 1; }
static bigint_status submul(CALL) { return bigint_submul(ctx, r, a, b); }
static int submul_twin(TWIN) { return mpz_submul(r, a, b), 1; }
static bigint_status addmul_u64(CALL) { return bigint_addmul_u64(ctx, r, a, w); }
static int addmul_u64_twin(TWIN) { return mpz_addmul_ui(r, a, w), 1; }
static bigint_status submul_u64(CALL) { return bigint_submul_u64(ctx, r, a, w); }
static int submul_u64_twin(TWIN) { return mpz_submul_ui(r, a, w), 1; }

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

static bigint_status tdiv_q(CALL) { return bigint_tdiv_u64(ctx, r, NULL, a, w); }
static int tdiv_q_twin(TWIN) { return division(mpz_tdiv_q_ui, r, a, w, 0); }
static bigint_status fdiv_q(CALL) { return bigint_fdiv_u64(ctx, r, NULL, a, w); }
static int fdiv_q_twin(TWIN) { return division(mpz_fdiv_q_ui, r, a, w, 0); }
static bigint_status cdiv_q(CALL) { return bigint_cdiv_u64(ctx, r, NULL, a, w); }
static int cdiv_q_twin(TWIN) { return division(mpz_cdiv_q_ui, r, a, w, 0); }
static bigint_status tdiv_qr(CALL) { return both(bigint_tdiv_u64, ctx, r, a, w); }
static int tdiv_qr_twin(TWIN) { return division(mpz_tdiv_q_ui, r, a, w, 1); }
static bigint_status fdiv_qr(CALL) { return both(bigint_fdiv_u64, ctx, r, a, w); }
static int fdiv_qr_twin(TWIN) { return division(mpz_fdiv_q_ui, r, a, w, 1); }
static bigint_status cdiv_qr(CALL) { return both(bigint_cdiv_u64, ctx, r, a, w); }
static int cdiv_qr_twin(TWIN) { return division(mpz_cdiv_q_ui, r, a, w, 1); }
static bigint_status tdiv_r(CALL) { return left(bigint_tdiv_u64, ctx, r, a, w); }
static int tdiv_r_twin(TWIN) { return rest(mpz_tdiv_ui, r, a, w); }
static bigint_status fdiv_r(CALL) { return left(bigint_fdiv_u64, ctx, r, a, w); }
static int fdiv_r_twin(TWIN) { return rest(mpz_fdiv_ui, r, a, w); }
static bigint_status cdiv_r(CALL) { return left(bigint_cdiv_u64, ctx, r, a, w); }
static int cdiv_r_twin(TWIN) { return rest(mpz_cdiv_ui, r, a, w); }
static bigint_status divexact(CALL) { return bigint_divexact_u64(ctx, r, a, w); }
static int divexact_twin(TWIN) {
    return w == 0 || !mpz_divisible_ui_p(a, w) ? 0 : (mpz_divexact_ui(r, a, w), 1);
}

// --- Questions: the answer becomes r ---

static bigint_status answer(bigint_ctx *ctx, bigint *r, bigint_status status, int64_t value) {
    return status != BIGINT_OK ? status : bigint_set_i64(ctx, r, value);
}
static int sign_of(int x) { return (x > 0) - (x < 0); }

static bigint_status cmp_u64(CALL) {
    int x = 7;
    const bigint_status status = bigint_cmp_u64(ctx, &x, a, w);
    return answer(ctx, r, status, x);
}
static int cmp_u64_twin(TWIN) { return mpz_set_si(r, sign_of(mpz_cmp_ui(a, w))), 1; }
static bigint_status cmp_i64(CALL) {
    int x = 7;
    const bigint_status status = bigint_cmp_i64(ctx, &x, a, (int64_t)w);
    return answer(ctx, r, status, x);
}
static int cmp_i64_twin(TWIN) { return mpz_set_si(r, sign_of(mpz_cmp_si(a, (int64_t)w))), 1; }
static bigint_status cmp_abs_u64(CALL) {
    int x = 7;
    const bigint_status status = bigint_cmp_abs_u64(ctx, &x, a, w);
    return answer(ctx, r, status, x);
}
static int cmp_abs_u64_twin(TWIN) { return mpz_set_si(r, sign_of(mpz_cmpabs_ui(a, w))), 1; }
static bigint_status fits_u64(CALL) {
    int x = 7;
    const bigint_status status = bigint_fits_u64(ctx, &x, a);
    return answer(ctx, r, status, x);
}
static int fits_u64_twin(TWIN) { return mpz_set_si(r, mpz_fits_ulong_p(a) != 0), 1; }
static bigint_status fits_i64(CALL) {
    int x = 7;
    const bigint_status status = bigint_fits_i64(ctx, &x, a);
    return answer(ctx, r, status, x);
}
static int fits_i64_twin(TWIN) { return mpz_set_si(r, mpz_fits_slong_p(a) != 0), 1; }
static bigint_status divisible(CALL) {
    int x = 7;
    const bigint_status status = bigint_divisible_u64(ctx, &x, a, w);
    return answer(ctx, r, status, x);
}
static int divisible_twin(TWIN) { return mpz_set_si(r, mpz_divisible_ui_p(a, w) != 0), 1; }
static bigint_status congruent(CALL) {
    int x = 7;
    const bigint_status status = bigint_congruent_u64(ctx, &x, a, w / 3, w);
    return answer(ctx, r, status, x);
}
static int congruent_twin(TWIN) { return mpz_set_si(r, mpz_congruent_ui_p(a, w / 3, w) != 0), 1; }
static bigint_status get_u64(CALL) {
    uint64_t x = 0;
    const bigint_status status = bigint_get_u64(ctx, &x, a);
    return status != BIGINT_OK ? status : bigint_set_u64(ctx, r, x);
}
static int get_u64_twin(TWIN) {
    return mpz_fits_ulong_p(a) ? (mpz_set_ui(r, mpz_get_ui(a)), 1) : 0;
}
static bigint_status get_i64(CALL) {
    int64_t x = 0;
    const bigint_status status = bigint_get_i64(ctx, &x, a);
    return answer(ctx, r, status, x);
}
static int get_i64_twin(TWIN) {
    return mpz_fits_slong_p(a) ? (mpz_set_si(r, mpz_get_si(a)), 1) : 0;
}

#define PAIR(name) \
    { #name, name, name##_twin, BIGINT_EINVAL, 0 }
static const paired table[] = {
    PAIR(add_u64),
    PAIR(sub_u64),
    PAIR(u64_sub),
    PAIR(add_i64),
    PAIR(sub_i64),
    PAIR(mul_u64),
    PAIR(mul_i64),
    PAIR(addmul),
    PAIR(submul),
    PAIR(addmul_u64),
    PAIR(submul_u64),
    PAIR(tdiv_q),
    PAIR(fdiv_q),
    PAIR(cdiv_q),
    {"tdiv_qr", tdiv_qr, tdiv_qr_twin, BIGINT_EINVAL, 1},
    {"fdiv_qr", fdiv_qr, fdiv_qr_twin, BIGINT_EINVAL, 1},
    {"cdiv_qr", cdiv_qr, cdiv_qr_twin, BIGINT_EINVAL, 1},
    PAIR(tdiv_r),
    PAIR(fdiv_r),
    PAIR(cdiv_r),
    PAIR(divexact),
    PAIR(cmp_u64),
    PAIR(cmp_i64),
    PAIR(cmp_abs_u64),
    PAIR(fits_u64),
    PAIR(fits_i64),
    PAIR(divisible),
    PAIR(congruent),
    {"get_u64", get_u64, get_u64_twin, BIGINT_ERANGE, 0},
    {"get_i64", get_i64, get_i64_twin, BIGINT_ERANGE, 0},
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
    for (unsigned limbs = 1; limbs < 12; limbs++) {
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
