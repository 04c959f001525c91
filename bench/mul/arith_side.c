// arith_side.c: see arith_side.h.
#include "bench/mul/arith_side.h"

#include <stdio.h>
#include <stdlib.h>

#include "apps/program.h"
#include "bigint/core/context.h"
#include "bigint/core/device_integer.h"
#include "bigint/device/divide/reciprocal.h"
#include "primitives/residues/residue.h"
#include "tests/support/gen.h"

const struct arith_op_name arith_ops[OPS] = {
    [DIVREM] = {"divrem", "both"},         [QUOTIENT] = {"divrem", "quotient"},
    [REMAINDER] = {"divrem", "remainder"}, [RECIPROCAL] = {"divrem", "reciprocal"},
    [PREPARED] = {"divrem", "prepared"},   [SQRT] = {"sqrt", "root"},
    [SQRTREM] = {"sqrt", "both"},          [MINUS1] = {"mod", "2exp-minus1"},
    [PLUS1] = {"mod", "2exp-plus1"},       [CUBE_ROOT] = {"root", "3"},
    [CUBE_BOTH] = {"root", "3-both"},      [FIFTH_BOTH] = {"root", "5-both"},
    [RSQRT] = {"rsqrt", "fixed"},          [POWM] = {"powm", "odd"},
    [POWM_EVEN] = {"powm", "even"}};
void arith_stop(const char *what, const char *why) {
    fprintf(stderr, "arith_bench: %s: %s\n", what, why);
    exit(1);
}

void arith_must(const arith_side *s, bigint_status status) {
    if (status != BIGINT_OK) {
        arith_stop(arith_ops[s->op].kase, bigint_ctx_error(s->ctx));
    }
}

// --- Calls ---------------------------------------------------------------------------------------

uint64_t arith_degree(arith_op o) { return o == FIFTH_BOTH ? 5 : o == SQRTREM ? 2 : 3; }

uint64_t arith_places(const arith_side *s) { return s->bits + s->bits / 2; }

static const bigint *modulus(const arith_side *s) { return s->op == POWM ? &s->odd : &s->even; }

// by_prepared: x by y, whose reciprocal the first call makes.
static bigint_status by_prepared(arith_side *s) {
    if (!s->prepared) {
        const uint64_t qn = s->bits / 64 + 1;
        arith_must(s,
                   device_divisor_open(s->ctx, "prepared", &s->divisor, &s->y, s->bits, qn, true));
        s->prepared = true;
    }
    return device_divide(s->ctx, "prepared", &s->q, &s->r, &s->x, &s->divisor);
}

bigint_status arith_call(arith_side *s) {
    switch (s->op) {
        case RECIPROCAL:
            return device_reciprocal(s->ctx, "reciprocal", &s->q, device_number(&s->y), 0,
                                     s->bits / 64);
        case PREPARED:
            return by_prepared(s);
        case DIVREM:
            return bigint_divrem(s->ctx, &s->q, &s->r, &s->x, &s->y);
        case QUOTIENT:
            return bigint_divrem(s->ctx, &s->q, NULL, &s->x, &s->y);
        case REMAINDER:
            return bigint_divrem(s->ctx, NULL, &s->r, &s->x, &s->y);
        case SQRT:
            return bigint_sqrt(s->ctx, &s->q, NULL, &s->x);
        case SQRTREM:
            return bigint_sqrt(s->ctx, &s->q, &s->r, &s->x);
        case MINUS1:
            return bigint_mul_mod_2exp_minus1(s->ctx, &s->r, &s->y, &s->z, s->bits);
        case CUBE_ROOT:
            return bigint_root(s->ctx, &s->q, NULL, &s->x, 3);
        case CUBE_BOTH:
        case FIFTH_BOTH:
            return bigint_root(s->ctx, &s->q, &s->r, &s->x, arith_degree(s->op));
        case RSQRT:
            return bigint_rsqrt_fixed(s->ctx, &s->r, &s->y, arith_places(s));
        case POWM:
        case POWM_EVEN:
            return bigint_powm(s->ctx, &s->r, &s->y, &s->exponent, modulus(s));
        default:
            return bigint_mul_mod_2exp_plus1(s->ctx, &s->r, &s->y, &s->z, s->bits);
    }
}

// operands: of 64 n bits, the same on every side.
static void operands(arith_side *s, uint64_t n) {
    uint64_t *const p = program_memory(2 * n, 8, "operands");
    bigint *const to[] = {&s->x, &s->y, &s->z};
    gen g = gen_seed(n);
    for (unsigned i = 0; i < 3; i++) {
        const uint64_t length = i == 0 ? 2 * n : n;
        gen_limbs(&g, GEN_UNIFORM, p, length);
        p[length - 1] |= UINT64_C(1) << 63;
        arith_must(s, bigint_set_limbs(s->ctx, to[i], p, length, 1));
    }
    p[0] |= 1;
    arith_must(s, bigint_set_limbs(s->ctx, &s->odd, p, n, 1));
    p[0] &= ~UINT64_C(31);
    arith_must(s, bigint_set_limbs(s->ctx, &s->even, p, n, 1));
    arith_must(s, bigint_set_u64(s->ctx, &s->exponent, UINT64_MAX));
    s->bits = 64 * n;
    free(p);
}

void arith_open(arith_side *s, bool on_device, bigint_stream stream, uint64_t n) {
    *s = (arith_side){.op = DIVREM};
    const bigint_ctx_options options = {.stream = on_device ? stream : NULL};
    if (on_device) {
        arith_must(s, bigint_device_open(&s->device, 0, "cuda"));
    }
    arith_must(s, bigint_ctx_create(&s->ctx, s->device, &options));
    operands(s, n);
}

void arith_close(arith_side *s) {
    if (s->prepared) {
        device_divisor_close(s->ctx, &s->divisor);
    }
    bigint *const all[] = {&s->x,       &s->y,        &s->z,   &s->q,   &s->r,
                           &s->product, &s->exponent, &s->odd, &s->even};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bigint_clear(s->ctx, all[i]);
    }
    bigint_ctx_destroy(s->ctx);
    bigint_device_close(s->device);
}

// --- Checks --------------------------------------------------------------------------------------

// limbs_of: *n limbs of x in memory of its own.
uint64_t *arith_limbs(const arith_side *s, const bigint *x, uint64_t *n) {
    uint64_t bits;
    arith_must(s, bigint_bits(s->ctx, &bits, x));
    uint64_t *const p = program_memory(bits / 64 + 1, 8, "limbs");
    arith_must(s, bigint_get_limbs(s->ctx, p, bits / 64 + 1, n, NULL, x));
    return p;
}

static uint64_t residue(const arith_side *s, const bigint *x, uint64_t p) {
    uint64_t n;
    uint64_t *const limbs = arith_limbs(s, x, &n);
    const uint64_t r = limbs_residue_reference(limbs, n, p);
    free(limbs);
    return r;
}

static uint64_t times(uint64_t a, uint64_t b, uint64_t p) {
    return (uint64_t)((unsigned __int128)a * b % p);
}

// identity: x = u v + rest modulo p.
static bool identity(const arith_side *s, const bigint *x, const bigint *u, const bigint *v,
                     const bigint *rest, uint64_t p) {
    const uint64_t product = times(residue(s, u, p), residue(s, v, p), p);
    const uint64_t sum = (product + (rest == NULL ? 0 : residue(s, rest, p))) % p;
    return residue(s, x, p) == sum;
}

// below: |a| < |b|.
static bool below(const arith_side *s, const bigint *a, const bigint *b) {
    int order = 1;
    arith_must(s, bigint_cmp_abs(s->ctx, &order, a, b));
    return order < 0;
}

// folded: whether r = y z modulo 2^bits -+ 1 by the whole product l + h 2^bits, whose identity
// holds: l + h - r is 0, 1 or 2 times 2^bits - 1, and l - h - r 0 or minus one times 2^bits + 1.
static bool folded(arith_side *s, uint64_t p) {
    const bool plus = s->op == PLUS1;
    uint64_t n, power = 1;
    arith_must(s, bigint_mul(s->ctx, &s->product, &s->y, &s->z));
    uint64_t *const limbs = arith_limbs(s, &s->product, &n);
    const uint64_t half = s->bits / 64, low = limbs_residue_reference(limbs, half, p),
                   high = limbs_residue_reference(limbs + half, n - half, p);
    free(limbs);
    for (unsigned i = 64; i-- > 0;) {  // 2^bits
        power = times(power, power, p);
        power = (s->bits >> i & 1) != 0 ? 2 * power % p : power;
    }
    const uint64_t modulus = (power + (plus ? 1 : p - 1)) % p;
    uint64_t fold = (low + (plus ? p - high : high)) % p;
    bool right = false;
    const uint64_t r = residue(s, &s->r, p);
    for (unsigned k = 0; k < (plus ? 2u : 3u); k++) {
        right = right || fold == r;
        fold = (fold + (plus ? modulus : p - modulus)) % p;
    }
    uint64_t bits;
    arith_must(s, bigint_bits(s->ctx, &bits, &s->r));
    return right && bits <= s->bits + (plus ? 1 : 0) &&
           identity(s, &s->product, &s->y, &s->z, NULL, p);
}

// multiply: r = a b; power: r = a^k, k >= 2; r is no operand.
static void multiply(const arith_side *s, bigint *r, const bigint *a, const bigint *b) {
    arith_must(s, bigint_mul(s->ctx, r, a, b));
}

static void power(const arith_side *s, bigint *r, const bigint *a, uint64_t k) {
    multiply(s, r, a, a);
    for (; k > 2; k--) {
        multiply(s, r, r, a);
    }
}

// is_root: x = q^k + r modulo p, r >= 0, and x < (q + 1)^k.
static bool is_root(const arith_side *s, uint64_t p) {
    const uint64_t k = arith_degree(s->op), q = residue(s, &s->q, p);
    uint64_t sum = 1;
    for (uint64_t i = 0; i < k; i++) {
        sum = times(sum, q, p);
    }
    bigint next = BIGINT_INIT;
    int order = 0, sign = 0;
    sum = (sum + residue(s, &s->r, p)) % p;
    arith_must(s, bigint_set_u64(s->ctx, &next, 1));
    arith_must(s, bigint_add(s->ctx, &next, &next, &s->q));
    bigint above = BIGINT_INIT;
    power(s, &above, &next, k);
    arith_must(s, bigint_cmp(s->ctx, &order, &s->x, &above));
    arith_must(s, bigint_sign(s->ctx, &sign, &s->r));
    bigint_clear(s->ctx, &next), bigint_clear(s->ctx, &above);
    return sum == residue(s, &s->x, p) && sign >= 0 && order < 0;
}

// is_rsqrt: d = 2^(2 e) - r^2 y, which is right modulo p, is within r y (1 + 2^-35) + y.
static bool is_rsqrt(const arith_side *s, uint64_t p) {
    bigint square = BIGINT_INIT, all = BIGINT_INIT, product = BIGINT_INIT, d = BIGINT_INIT;
    int order = 1;
    multiply(s, &square, &s->r, &s->r);
    multiply(s, &product, &square, &s->y);
    arith_must(s, bigint_set_u64(s->ctx, &all, 1));
    arith_must(s, bigint_mul_2exp(s->ctx, &all, &all, 2 * arith_places(s)));
    arith_must(s, bigint_sub(s->ctx, &d, &all, &product));
    const uint64_t r = residue(s, &s->r, p), y = times(times(r, r, p), residue(s, &s->y, p), p);
    const bool right = y == residue(s, &product, p);
    multiply(s, &product, &s->r, &s->y);
    arith_must(s, bigint_tdiv_2exp(s->ctx, &all, &product, 35));
    arith_must(s, bigint_add(s->ctx, &product, &product, &all));
    arith_must(s, bigint_add(s->ctx, &product, &product, &s->y));
    arith_must(s, bigint_cmp_abs(s->ctx, &order, &d, &product));
    bigint_clear(s->ctx, &square), bigint_clear(s->ctx, &all);
    bigint_clear(s->ctx, &product), bigint_clear(s->ctx, &d);
    return right && order <= 0;
}

// is_power: r = y^(2^64 - 1), by 63 squares and products that are divided; the last ones right
// modulo p.
static bool is_power(const arith_side *s, uint64_t p) {
    const bigint *const m = modulus(s);
    bigint a = BIGINT_INIT, product = BIGINT_INIT, q = BIGINT_INIT, next = BIGINT_INIT;
    int order = 1;
    arith_must(s, bigint_divrem(s->ctx, NULL, &a, &s->y, m));
    for (unsigned i = 0; i < 63; i++) {
        multiply(s, &product, &a, &a);
        arith_must(s, bigint_divrem(s->ctx, NULL, &next, &product, m));
        multiply(s, &product, &next, &s->y);
        arith_must(s, bigint_divrem(s->ctx, &q, &a, &product, m));
    }
    const bool right =
        identity(s, &product, &next, &s->y, NULL, p) && identity(s, &product, &q, m, &a, p);
    arith_must(s, bigint_cmp(s->ctx, &order, &a, &s->r));
    bigint_clear(s->ctx, &a), bigint_clear(s->ctx, &product);
    bigint_clear(s->ctx, &q), bigint_clear(s->ctx, &next);
    return right && order == 0;
}

// reciprocal_right: |2^(2 bits) - q y| <= 2 y.
static bool reciprocal_right(arith_side *s) {
    bigint power = BIGINT_INIT;
    int order = 1;
    arith_must(s, bigint_abs(s->ctx, &s->q, &s->q));  // it has no sign yet
    arith_must(s, bigint_set_u64(s->ctx, &power, 1));
    arith_must(s, bigint_mul_2exp(s->ctx, &power, &power, 2 * s->bits));
    arith_must(s, bigint_mul(s->ctx, &s->product, &s->q, &s->y));
    arith_must(s, bigint_sub(s->ctx, &power, &power, &s->product));
    arith_must(s, bigint_mul_2exp(s->ctx, &s->product, &s->y, 1));
    arith_must(s, bigint_cmp_abs(s->ctx, &order, &power, &s->product));
    bigint_clear(s->ctx, &power);
    return order <= 0;
}

// is_right: of results that are all there.
static bool is_right(arith_side *s, uint64_t p) {
    switch (s->op) {
        case DIVREM:
        case PREPARED:
            return identity(s, &s->x, &s->q, &s->y, &s->r, p) && below(s, &s->r, &s->y);
        case RECIPROCAL:
            return reciprocal_right(s);
        case SQRTREM:
        case CUBE_BOTH:
        case FIFTH_BOTH:
            return is_root(s, p);
        case RSQRT:
            return is_rsqrt(s, p);
        case POWM:
        case POWM_EVEN:
            return is_power(s, p);
        default:
            return folded(s, p);
    }
}

// together: the operation that gives this result with another one.
static arith_op together(arith_op o) {
    return o == SQRT ? SQRTREM : o == CUBE_ROOT ? CUBE_BOTH : DIVREM;
}

bool arith_right(arith_side *s, uint64_t p) {
    const arith_op asked = s->op;
    bool right = true;
    if (asked == QUOTIENT || asked == REMAINDER || asked == SQRT || asked == CUBE_ROOT) {
        bigint alone = BIGINT_INIT;
        int order = 1;
        bigint *const one = asked == REMAINDER ? &s->r : &s->q;
        arith_must(s, bigint_set(s->ctx, &alone, one));
        s->op = together(asked);
        arith_must(s, arith_call(s));
        arith_must(s, bigint_cmp(s->ctx, &order, &alone, one));
        right = order == 0;
        bigint_clear(s->ctx, &alone);
    }
    right = right && is_right(s, p);
    s->op = asked;
    return right;
}
