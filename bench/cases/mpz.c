// mpz.c: calls of the kind that GMP's mpz has, from one limb on: words, bits, quotients, gcds,
// roots, number theory. Each is timed beside its twin, as programs use them.
#include "bench/cases/turns.h"
#include "tests/support/gen.h"

// operands: what a row of n bits gives a call: a and b of n bits; or a of 2 n bits, random or a
// multiple of b and of the word; or a < 0; or b odd, or a prime.
typedef enum { SAME, LONG, MULTIPLE, NEGATIVE, ODD, PRIME } operands;

// mpz_call: q, r and *word from a, b, the row's n and the word w. q begins as b and keeps its value
// from call to call.
typedef struct {
    operands shape;
    bigint_status (*ours)(bigint_ctx *ctx, bigint *q, bigint *r, uint64_t *word, const bigint *a,
                          const bigint *b, uint64_t bits, uint64_t w);
    void (*theirs)(mpz_t q, mpz_t r, uint64_t *word, const mpz_t a, const mpz_t b, uint64_t bits,
                   uint64_t w);
} mpz_call;

#define UNUSED __attribute__((unused))
#define OURS                                                                    \
    bigint_ctx *ctx, bigint *q UNUSED, bigint *r UNUSED, uint64_t *word UNUSED, \
        const bigint *a UNUSED, const bigint *b UNUSED, uint64_t bits UNUSED, uint64_t w UNUSED
#define THEIRS                                                                   \
    mpz_t q UNUSED, mpz_t r UNUSED, uint64_t *word UNUSED, const mpz_t a UNUSED, \
        const mpz_t b UNUSED, uint64_t bits UNUSED, uint64_t w UNUSED

// answered: an answer of type int as a word.
static bigint_status answered(bigint_status status, uint64_t *word, int answer) {
    *word = (uint64_t)(int64_t)answer;
    return status;
}
static uint64_t answer_of(int x) { return (uint64_t)(int64_t)x; }

// --- Words ---------------------------------------------------------------------------------------

static bigint_status add_u64(OURS) { return bigint_add_u64(ctx, q, a, w); }
static void gmp_add_u64(THEIRS) { mpz_add_ui(q, a, w); }
static bigint_status mul_u64(OURS) { return bigint_mul_u64(ctx, q, a, w); }
static void gmp_mul_u64(THEIRS) { mpz_mul_ui(q, a, w); }
// The product is added and subtracted, so that q stays what it is.
static bigint_status addmul_u64(OURS) {
    const bigint_status status = bigint_addmul_u64(ctx, q, a, w);
    return status != BIGINT_OK ? status : bigint_submul_u64(ctx, q, a, w);
}
static void gmp_addmul_u64(THEIRS) {
    mpz_addmul_ui(q, a, w);
    mpz_submul_ui(q, a, w);
}
static bigint_status addmul(OURS) {
    const bigint_status status = bigint_addmul(ctx, q, a, b);
    return status != BIGINT_OK ? status : bigint_submul(ctx, q, a, b);
}
static void gmp_addmul(THEIRS) {
    mpz_addmul(q, a, b);
    mpz_submul(q, a, b);
}
static bigint_status cmp_u64(OURS) {
    int order = 0;
    const bigint_status status = bigint_cmp_u64(ctx, &order, a, w);
    return answered(status, word, order);
}
static void gmp_cmp_u64(THEIRS) {
    *word = answer_of((mpz_cmp_ui(a, w) > 0) - (mpz_cmp_ui(a, w) < 0));
}
static bigint_status tdiv_u64(OURS) { return bigint_tdiv_u64(ctx, q, word, a, w); }
static void gmp_tdiv_u64(THEIRS) { *word = mpz_tdiv_q_ui(q, a, w); }
static bigint_status mod_u64(OURS) { return bigint_fdiv_u64(ctx, NULL, word, a, w); }
static void gmp_mod_u64(THEIRS) { *word = mpz_fdiv_ui(a, w); }
static bigint_status divexact_u64(OURS) { return bigint_divexact_u64(ctx, q, a, w); }
static void gmp_divexact_u64(THEIRS) { mpz_divexact_ui(q, a, w); }
static bigint_status divisible_u64(OURS) {
    int yes = 0;
    const bigint_status status = bigint_divisible_u64(ctx, &yes, a, w);
    return answered(status, word, yes);
}
static void gmp_divisible_u64(THEIRS) { *word = mpz_divisible_ui_p(a, w) != 0; }

// --- Bits ----------------------------------------------------------------------------------------

static bigint_status and_bits(OURS) { return bigint_and(ctx, q, a, b); }
static void gmp_and_bits(THEIRS) { mpz_and(q, a, b); }
static bigint_status or_bits(OURS) { return bigint_or(ctx, q, a, b); }
static void gmp_or_bits(THEIRS) { mpz_ior(q, a, b); }
static bigint_status xor_bits(OURS) { return bigint_xor(ctx, q, a, b); }
static void gmp_xor_bits(THEIRS) { mpz_xor(q, a, b); }
static bigint_status com(OURS) { return bigint_com(ctx, q, a); }
static void gmp_com(THEIRS) { mpz_com(q, a); }
static bigint_status popcount(OURS) { return bigint_popcount(ctx, word, a); }
static void gmp_popcount(THEIRS) { *word = mpz_popcount(a); }
static bigint_status hamming(OURS) { return bigint_hamming(ctx, word, a, b); }
static void gmp_hamming(THEIRS) { *word = mpz_hamdist(a, b); }
static bigint_status scan1(OURS) { return bigint_scan1(ctx, word, a, bits / 2); }
static void gmp_scan1(THEIRS) { *word = mpz_scan1(a, bits / 2); }
static bigint_status tstbit(OURS) {
    int bit = 0;
    const bigint_status status = bigint_tstbit(ctx, &bit, a, bits / 2);
    return answered(status, word, bit);
}
static void gmp_tstbit(THEIRS) { *word = answer_of(mpz_tstbit(a, bits / 2)); }
static bigint_status setbit(OURS) {
    const bigint_status status = bigint_setbit(ctx, q, bits / 2);
    return status != BIGINT_OK ? status : bigint_clrbit(ctx, q, bits / 2);
}
static void gmp_setbit(THEIRS) {
    mpz_setbit(q, bits / 2);
    mpz_clrbit(q, bits / 2);
}
static bigint_status mul_2exp(OURS) { return bigint_mul_2exp(ctx, q, a, 77); }
static void gmp_mul_2exp(THEIRS) { mpz_mul_2exp(q, a, 77); }
static bigint_status fdiv_2exp(OURS) { return bigint_fdiv_2exp(ctx, q, a, bits / 2 + 5); }
static void gmp_fdiv_2exp(THEIRS) { mpz_fdiv_q_2exp(q, a, bits / 2 + 5); }
static bigint_status fdiv_r_2exp(OURS) { return bigint_fdiv_r_2exp(ctx, q, a, bits / 2 + 5); }
static void gmp_fdiv_r_2exp(THEIRS) { mpz_fdiv_r_2exp(q, a, bits / 2 + 5); }

// --- Quotients and roots -------------------------------------------------------------------------

static bigint_status divrem(OURS) { return bigint_divrem(ctx, q, r, a, b); }
static void gmp_divrem(THEIRS) { mpz_tdiv_qr(q, r, a, b); }
static bigint_status fdiv(OURS) { return bigint_fdiv(ctx, q, r, a, b); }
static void gmp_fdiv(THEIRS) { mpz_fdiv_qr(q, r, a, b); }
static bigint_status mod(OURS) { return bigint_mod(ctx, r, a, b); }
static void gmp_mod(THEIRS) { mpz_mod(r, a, b); }
static bigint_status divexact(OURS) { return bigint_divexact(ctx, q, a, b); }
static void gmp_divexact(THEIRS) { mpz_divexact(q, a, b); }
static bigint_status divisible(OURS) {
    int yes = 0;
    const bigint_status status = bigint_divisible(ctx, &yes, a, b);
    return answered(status, word, yes);
}
static void gmp_divisible(THEIRS) { *word = mpz_divisible_p(a, b) != 0; }
static bigint_status root_2(OURS) { return bigint_sqrt(ctx, q, NULL, a); }
static void gmp_root_2(THEIRS) { mpz_sqrt(q, a); }
static bigint_status root_2_rem(OURS) { return bigint_sqrt(ctx, q, r, a); }
static void gmp_root_2_rem(THEIRS) { mpz_sqrtrem(q, r, a); }
static bigint_status root_3(OURS) { return bigint_root(ctx, q, NULL, a, 3); }
static void gmp_root_3(THEIRS) { mpz_root(q, a, 3); }
static bigint_status is_square(OURS) {
    int yes = 0;
    const bigint_status status = bigint_is_square(ctx, &yes, a);
    return answered(status, word, yes);
}
static void gmp_is_square(THEIRS) { *word = mpz_perfect_square_p(a) != 0; }

// --- Number theory -------------------------------------------------------------------------------

static bigint_status gcd(OURS) { return bigint_gcd(ctx, q, a, b); }
static void gmp_gcd(THEIRS) { mpz_gcd(q, a, b); }
static bigint_status gcd_u64(OURS) { return bigint_gcd_u64(ctx, word, a, w); }
static void gmp_gcd_u64(THEIRS) { *word = mpz_gcd_ui(NULL, a, w); }
static bigint_status lcm(OURS) { return bigint_lcm(ctx, q, a, b); }
static void gmp_lcm(THEIRS) { mpz_lcm(q, a, b); }
static bigint_status invert(OURS) {
    int exists = 0;
    const bigint_status status = bigint_invert(ctx, &exists, q, a, b);
    return answered(status, word, exists);
}
static void gmp_invert(THEIRS) { *word = mpz_invert(q, a, b) != 0; }
static bigint_status kronecker(OURS) {
    int symbol = 0;
    const bigint_status status = bigint_kronecker(ctx, &symbol, a, b);
    return answered(status, word, symbol);
}
static void gmp_kronecker(THEIRS) { *word = answer_of(mpz_kronecker(a, b)); }
static bigint_status is_prime(OURS) {
    int yes = 0;
    const bigint_status status = bigint_probable_prime(ctx, &yes, b);
    return answered(status, word, yes);
}
static void gmp_is_prime(THEIRS) { *word = mpz_probab_prime_p(b, 25) != 0; }
static bigint_status next_prime(OURS) { return bigint_next_prime(ctx, q, a); }
static void gmp_next_prime(THEIRS) { mpz_nextprime(q, a); }
// Numbers whose length is the row's: F(n) has 0.694 n bits, 2 n over n has 2 n.
static bigint_status fibonacci(OURS) { return bigint_fibonacci(ctx, q, NULL, bits * 36 / 25); }
static void gmp_fibonacci(THEIRS) { mpz_fib_ui(q, bits * 36 / 25); }
static bigint_status lucas(OURS) { return bigint_lucas(ctx, q, NULL, bits * 36 / 25); }
static void gmp_lucas(THEIRS) { mpz_lucnum_ui(q, bits * 36 / 25); }
static bigint_status binomial(OURS) { return bigint_binomial_u64(ctx, q, bits, bits / 2); }
static void gmp_binomial(THEIRS) { mpz_bin_uiui(q, bits, bits / 2); }
static bigint_status pow_u64(OURS) { return bigint_u64_pow_u64(ctx, q, 10, bits * 3 / 10); }
static void gmp_pow_u64(THEIRS) { mpz_ui_pow_ui(q, 10, bits * 3 / 10); }

// --- Rows ----------------------------------------------------------------------------------------

// multiple: a = b w x, of 2 n bits.
static bool multiple(bench_state *s, turns *t, size_t i, uint64_t bits) {
    const uint64_t rest = bits > 64 ? bits - 64 : 1;
    if (!bench_set_random(s, &t->b[i], t->gb[i], bits, 3 * i + 1) ||
        !bench_set_random(s, &t->a[i], t->ga[i], rest, 3 * i + 2)) {
        return false;
    }
    mpz_mul(t->ga[i], t->ga[i], t->gb[i]);
    mpz_mul_ui(t->ga[i], t->ga[i], t->w[i]);
    return bench_ok(
        s, bigint_set_limbs(s->ctx, &t->a[i], mpz_limbs_read(t->ga[i]), mpz_size(t->ga[i]), 1));
}

static bool prepare(bench_state *s, const bench_row *row) {
    const mpz_call *const call = s->form;
    turns *const t = turns_open(s, row->an);
    bool ok = t != NULL;
    gen g = gen_seed(1);
    s->n = row->an;
    for (size_t i = 0; ok && i < t->count; i++) {
        t->w[i] = gen_u64(&g) | (uint64_t)1 << 63;
        if (call->shape == MULTIPLE) {
            ok = multiple(s, t, i, row->an);
        } else {
            const uint64_t bits = row->an << (call->shape == LONG);
            ok = bench_set_random(s, &t->a[i], t->ga[i], bits, 2 * i + 1) &&
                 bench_set_random(s, &t->b[i], t->gb[i], row->an, 2 * i + 2);
        }
        if (ok && call->shape == NEGATIVE) {
            mpz_neg(t->ga[i], t->ga[i]);
            ok = bench_ok(s, bigint_neg(s->ctx, &t->a[i], &t->a[i]));
        }
        if (ok && call->shape == PRIME) {
            mpz_nextprime(t->gb[i], t->gb[i]);
            ok = bench_ok(s, bigint_next_prime(s->ctx, &t->b[i], &t->b[i])) &&
                 bench_same(s, &t->b[i], t->gb[i]);
        }
        if (ok && call->shape == ODD) {
            mpz_setbit(t->gb[i], 0);
            ok = bench_ok(s, bigint_setbit(s->ctx, &t->b[i], 0));
        }
        mpz_set(t->gq[i], t->gb[i]);  // calls add to q
        ok = ok && bench_ok(s, bigint_set(s->ctx, &t->q[i], &t->b[i]));
    }
    return ok;
}

static bool ours(void *state) {
    bench_state *s = state;
    turns *const t = s->own;
    const size_t i = t->ours++ % t->count;
    const mpz_call *const call = s->form;
    return bench_ok(
        s, call->ours(s->ctx, &t->q[i], &t->r[i], &t->words[i], &t->a[i], &t->b[i], s->n, t->w[i]));
}

static bool theirs(void *state) {
    bench_state *s = state;
    turns *const t = s->own;
    const size_t i = t->theirs++ % t->count;
    const mpz_call *const call = s->form;
    call->theirs(t->gq[i], t->gr[i], &t->gwords[i], t->ga[i], t->gb[i], s->n, t->w[i]);
    return true;
}

#define CALL(name_, shape_, call_)                                                         \
    {                                                                                      \
        .name = "mpz", .op = name_, .form = &(const mpz_call){shape_, call_, gmp_##call_}, \
        .unit = UNIT_BITS, .prepare = prepare, .ours = ours, .theirs = theirs,             \
        .check = turns_check, .finish = turns_close, .work_note = "many kinds"             \
    }

const bench_case bench_cases_mpz[] = {
    [MPZ_ADD_U64] = CALL("add_u64", SAME, add_u64),
    [MPZ_MUL_U64] = CALL("mul_u64", SAME, mul_u64),
    [MPZ_ADDMUL_U64] = CALL("addmul_u64", SAME, addmul_u64),
    [MPZ_ADDMUL] = CALL("addmul", SAME, addmul),
    [MPZ_CMP_U64] = CALL("cmp_u64", SAME, cmp_u64),
    [MPZ_TDIV_U64] = CALL("tdiv_u64", SAME, tdiv_u64),
    [MPZ_MOD_U64] = CALL("mod_u64", SAME, mod_u64),
    [MPZ_DIVEXACT_U64] = CALL("divexact_u64", MULTIPLE, divexact_u64),
    [MPZ_DIVISIBLE_U64] = CALL("divisible_u64", SAME, divisible_u64),
    [MPZ_AND] = CALL("and", SAME, and_bits),
    [MPZ_OR] = CALL("or", SAME, or_bits),
    [MPZ_XOR] = CALL("xor", SAME, xor_bits),
    [MPZ_AND_NEGATIVE] = CALL("and-negative", NEGATIVE, and_bits),
    [MPZ_COM] = CALL("com", SAME, com),
    [MPZ_POPCOUNT] = CALL("popcount", SAME, popcount),
    [MPZ_HAMMING] = CALL("hamming", SAME, hamming),
    [MPZ_SCAN1] = CALL("scan1", SAME, scan1),
    [MPZ_TSTBIT] = CALL("tstbit", SAME, tstbit),
    [MPZ_SETBIT] = CALL("setbit", SAME, setbit),
    [MPZ_MUL_2EXP] = CALL("mul_2exp", SAME, mul_2exp),
    [MPZ_FDIV_2EXP] = CALL("fdiv_2exp", SAME, fdiv_2exp),
    [MPZ_FDIV_R_2EXP] = CALL("fdiv_r_2exp", SAME, fdiv_r_2exp),
    [MPZ_FDIV_2EXP_NEGATIVE] = CALL("fdiv_2exp-negative", NEGATIVE, fdiv_2exp),
    [MPZ_FDIV_R_2EXP_NEGATIVE] = CALL("fdiv_r_2exp-negative", NEGATIVE, fdiv_r_2exp),
    [MPZ_DIVREM] = CALL("divrem", LONG, divrem),
    [MPZ_FDIV_NEGATIVE] = CALL("fdiv-negative", NEGATIVE, fdiv),
    [MPZ_MOD] = CALL("mod", LONG, mod),
    [MPZ_DIVEXACT] = CALL("divexact", MULTIPLE, divexact),
    [MPZ_DIVISIBLE] = CALL("divisible", LONG, divisible),
    [MPZ_SQRT] = CALL("sqrt", SAME, root_2),
    [MPZ_SQRTREM] = CALL("sqrtrem", SAME, root_2_rem),
    [MPZ_ROOT_3] = CALL("root-3", SAME, root_3),
    [MPZ_IS_SQUARE] = CALL("is_square", SAME, is_square),
    [MPZ_GCD] = CALL("gcd", SAME, gcd),
    [MPZ_GCD_U64] = CALL("gcd_u64", SAME, gcd_u64),
    [MPZ_LCM] = CALL("lcm", SAME, lcm),
    [MPZ_INVERT] = CALL("invert", ODD, invert),
    [MPZ_KRONECKER] = CALL("kronecker", ODD, kronecker),
    [MPZ_IS_PRIME] = CALL("is_prime", PRIME, is_prime),
    [MPZ_NEXT_PRIME] = CALL("next_prime", SAME, next_prime),
    [MPZ_FIBONACCI] = CALL("fibonacci", SAME, fibonacci),
    [MPZ_LUCAS] = CALL("lucas", SAME, lucas),
    [MPZ_BINOMIAL] = CALL("binomial", SAME, binomial),
    [MPZ_POW_U64] = CALL("pow_u64", SAME, pow_u64),
};
