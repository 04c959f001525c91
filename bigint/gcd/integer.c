// integer.c: the public calls on integers.
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/host_call.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/divide/divrem.h"
#include "bigint/gcd/gcd.h"
#include "bigint/multiply/mul.h"
#include "primitives/words/word.h"
#include "primitives/words/word_div.h"

// number: sign {p, n} in host memory, without zero limbs at the top; sign 0 for n = 0.
typedef struct {
    const uint64_t *p;
    uint64_t n;
    int sign;
} number;

static number number_of(const bigint *a) { return (number){a->d_, a->n_, a->sign_}; }

// output: a number and where it goes; to may be NULL.
typedef struct {
    bigint *to;
    number value;
} output;

// store: the outputs get their room first and their values last. The numbers are not the outputs'
// own limbs, unless there is one result alone.
static bigint_status store(bigint_ctx *ctx, const char *who, const output *outputs,
                           unsigned count) {
    bigint_status status = BIGINT_OK;
    for (unsigned i = 0; i < count && status == BIGINT_OK; i++) {
        if (outputs[i].to != NULL) {
            status = bigint_reserve(ctx, who, outputs[i].to, outputs[i].value.n);
        }
    }
    for (unsigned i = 0; i < count && status == BIGINT_OK; i++) {
        const number *const x = &outputs[i].value;
        if (outputs[i].to != NULL) {
            if (x->n > 0) {
                memmove(outputs[i].to->d_, x->p, x->n * sizeof *x->p);
            }
            bigint_finish(outputs[i].to, x->n, x->sign);
        }
    }
    return status;
}

// --- gcd, lcm ------------------------------------------------------------------------------------

// gcd_of: *g = gcd(a, b) >= 0, on the arena or a's or b's own limbs.
static bigint_status gcd_of(bigint_ctx *ctx, const char *who, number *g, number a, number b) {
    if (a.n < b.n) {
        const number t = a;
        a = b;
        b = t;
    }
    *g = a;
    g->sign = a.n > 0;
    if (b.n == 0) {
        return BIGINT_OK;
    }
    const gcd_run run = gcd_begin(ctx, who);
    uint64_t *const gp = arena_take_limbs(ctx, who, b.n);
    *g = (number){gp, 0, 1};
    return gp == NULL ? BIGINT_ENOMEM : gcd_limbs(&run, gp, &g->n, a.p, a.n, b.p, b.n);
}

bigint_status bigint_gcd(bigint_ctx *ctx, bigint *g, const bigint *a, const bigint *b) {
    const char *const who = "bigint_gcd";
    if (bigint_all_on_host(ctx, a, b, g) && a->n_ == 1 && b->n_ == 1 && g->cap_ > 0) {
        g->d_[0] = gcd_words(a->d_[0], b->d_[0]);
        g->n_ = 1;
        g->sign_ = 1;
        return BIGINT_OK;
    }
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, who, (host_operands){.r = {g}, .a = {a, b}});
        return host_call_end(&there, bigint_gcd(ctx, there.r[0], there.a[0], there.a[1]));
    }
    bigint_status status = bigint_check_places(ctx, who, a, b, g);
    const arena_mark mark = arena_get_mark(ctx);
    const number x = number_of(a), y = number_of(b);
    output r = {.to = g};
    if (status == BIGINT_OK) {
        status = gcd_of(ctx, who, &r.value, x, y);
    }
    if (status == BIGINT_OK && r.value.p == (x.n < y.n ? y.p : x.p)) {
        status = bigint_abs(ctx, g, x.n < y.n ? b : a);  // whose limbs may move
    } else if (status == BIGINT_OK) {
        status = store(ctx, who, &r, 1);
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_gcd_u64(bigint_ctx *ctx, uint64_t *g, const bigint *a, uint64_t b) {
    const char *const who = "bigint_gcd_u64";
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, who, (host_operands){.a = {a}});
        return host_call_end(&there, bigint_gcd_u64(ctx, g, there.a[0], b));
    }
    const number x = number_of(a);
    bigint_status status = bigint_check_places(ctx, who, a, NULL, NULL);
    if (status == BIGINT_OK && b == 0 && x.n > 1) {
        status =
            bigint_fail(ctx, BIGINT_ERANGE, "%s: gcd(a, 0) = |a| has %llu limbs; call bigint_abs",
                        who, (unsigned long long)x.n);
    }
    if (status == BIGINT_OK) {
        uint64_t rest = x.n == 0 ? 0 : x.p[0];
        if (x.n > 1) {
            const word_divisor d = word_divisor_of(b);
            rest = limbs_mod_by(x.p, x.n, &d);
        }
        *g = gcd_words(rest, b);
    }
    return status;
}

// multiple: *r = |a| |b| / gcd, a and b not 0, on the arena.
static bigint_status multiple(bigint_ctx *ctx, const char *who, number *r, number a, number b) {
    number g;
    const number *const longer = a.n < b.n ? &b : &a, *const shorter = a.n < b.n ? &a : &b;
    bigint_status status = gcd_of(ctx, who, &g, a, b);
    uint64_t qn = 0, *q = NULL, *product = NULL;
    if (status == BIGINT_OK) {
        qn = shorter->n - g.n + 1;
        q = arena_take_limbs(ctx, who, qn);
        product = q == NULL ? NULL : arena_take_limbs(ctx, who, qn + longer->n);
        status = product == NULL
                     ? BIGINT_ENOMEM
                     : bigint_divrem_limbs(ctx, q, NULL, shorter->p, shorter->n, g.p, g.n);
    }
    if (status == BIGINT_OK) {
        qn = limbs_normalize(q, qn);
        status = bigint_check_product_size(ctx, who, qn, longer->n);
    }
    if (status == BIGINT_OK) {
        status = bigint_mul_limbs(ctx, product, longer->p, longer->n, q, qn);
        *r = (number){product, qn + longer->n, 1};
    }
    return status;
}

bigint_status bigint_lcm(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b) {
    const char *const who = "bigint_lcm";
    if (bigint_all_on_host(ctx, a, b, r) && a->n_ == 1 && b->n_ == 1 && r->cap_ >= 2) {
        const uint64_t x = a->d_[0], y = b->d_[0];
        r->d_[0] = word_mul(&r->d_[1], x / gcd_words(x, y), y);
        bigint_finish(r, 2, 1);
        return BIGINT_OK;
    }
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, who, (host_operands){.r = {r}, .a = {a, b}});
        return host_call_end(&there, bigint_lcm(ctx, there.r[0], there.a[0], there.a[1]));
    }
    bigint_status status = bigint_check_places(ctx, who, a, b, r);
    const arena_mark mark = arena_get_mark(ctx);
    const number x = number_of(a), y = number_of(b);
    output to = {.to = r};
    if (status == BIGINT_OK && x.n > 0 && y.n > 0) {
        status = multiple(ctx, who, &to.value, x, y);
    }
    if (status == BIGINT_OK) {
        status = store(ctx, who, &to, 1);
    }
    arena_release(ctx, mark);
    return status;
}

// --- Cofactors -----------------------------------------------------------------------------------

// other_cofactor: *t = (g - s a) / b for natural a, b, g, an exact quotient; b is not 0.
static bigint_status other_cofactor(bigint_ctx *ctx, const char *who, number *t, number g, number s,
                                    number a, number b) {
    if (s.n == 0) {  // g = b
        static const uint64_t one = 1;
        *t = (number){&one, 1, 1};
        return BIGINT_OK;
    }
    const uint64_t longest = s.n + a.n > g.n ? s.n + a.n : g.n;
    uint64_t *const p = arena_take_limbs(ctx, who, longest + 1);
    if (p == NULL) {
        return BIGINT_ENOMEM;
    }
    memset(p + s.n + a.n, 0, (longest + 1 - s.n - a.n) * sizeof *p);
    bigint_status status = bigint_mul_limbs(ctx, p, s.p, s.n, a.p, a.n);
    if (status != BIGINT_OK) {
        return status;
    }
    if (s.sign < 0) {
        limbs_add(p, p, longest + 1, g.p, g.n);
    } else {
        limbs_sub(p, p, longest + 1, g.p, g.n);  // s a >= g for s >= 1
    }
    const uint64_t n = limbs_normalize(p, longest + 1);
    if (n < b.n) {
        *t = (number){p, 0, 0};
        return n == 0 ? BIGINT_OK : context_impossible(ctx, who, "a cofactor below 1");
    }
    uint64_t *const q = arena_take_limbs(ctx, who, n - b.n + 1);
    status = q == NULL ? BIGINT_ENOMEM : bigint_divrem_limbs(ctx, q, NULL, p, n, b.p, b.n);
    if (status == BIGINT_OK) {
        const uint64_t qn = limbs_normalize(q, n - b.n + 1);
        *t = (number){q, qn, qn == 0 ? 0 : -s.sign};
    }
    return status;
}

// cofactors: g, s of a and t of b for natural a and b, b not shorter than 1 limb; t may be NULL.
static bigint_status cofactors(bigint_ctx *ctx, const char *who, number *g, number *s, number *t,
                               number a, number b) {
    const gcd_run run = gcd_begin(ctx, who);
    uint64_t *const gp = arena_take_limbs(ctx, who, b.n);
    uint64_t *const sp = gp == NULL ? NULL : arena_take_limbs(ctx, who, b.n);
    if (sp == NULL) {
        return BIGINT_ENOMEM;
    }
    bool negative;
    *g = (number){gp, 0, 1};
    *s = (number){sp, 0, 1};
    bigint_status status = gcd_cofactor(&run, gp, &g->n, sp, &s->n, &negative, a.p, a.n, b.p, b.n);
    if (status == BIGINT_OK) {
        s->sign = s->n == 0 ? 0 : negative ? -1 : 1;
        status = t == NULL ? BIGINT_OK : other_cofactor(ctx, who, t, *g, *s, a, b);
    }
    return status;
}

// gcdext: bigint_gcdext for numbers. The cofactor of the longer one comes first.
static bigint_status gcdext(bigint_ctx *ctx, const char *who, output r[3], number a, number b) {
    number *const g = &r[0].value, *const s = &r[1].value, *const t = &r[2].value;
    static const uint64_t one = 1;
    bigint_status status = BIGINT_OK;
    if (b.n == 0) {
        *g = (number){a.p, a.n, a.n > 0};
        *s = (number){&one, a.n > 0, a.sign};
        *t = (number){&one, 0, 0};
        return BIGINT_OK;
    }
    if (a.n >= b.n) {
        status = cofactors(ctx, who, g, s, r[2].to == NULL ? NULL : t, a, b);
    } else if (a.n > 0) {
        status = cofactors(ctx, who, g, t, r[1].to == NULL ? NULL : s, b, a);
    } else {
        *g = (number){b.p, b.n, 1};
        *s = (number){&one, 0, 0};
        *t = (number){&one, 1, 1};
    }
    s->sign *= a.sign;
    t->sign *= b.sign;
    return status;
}

// copy: x's limbs on the arena, where outputs cannot move them.
static bigint_status copy(bigint_ctx *ctx, const char *who, number *x) {
    uint64_t *const p = arena_take_limbs(ctx, who, x->n);
    if (p == NULL) {
        return BIGINT_ENOMEM;
    }
    if (x->n > 0) {
        memcpy(p, x->p, x->n * sizeof *p);
    }
    x->p = p;
    return BIGINT_OK;
}

static bigint_status check_gcdext(bigint_ctx *ctx, const char *who, const bigint *g,
                                  const bigint *s, const bigint *t, const bigint *a,
                                  const bigint *b) {
    const bigint *const outputs[] = {g, s, t};
    bigint_status status = bigint_check_places(ctx, who, a, b, NULL);
    for (unsigned i = 0; i < 3 && status == BIGINT_OK; i++) {
        const bigint *const other = outputs[(i + 1) % 3];
        status = bigint_check_places(ctx, who, outputs[i], NULL, NULL);
        if (status == BIGINT_OK && outputs[i] != NULL && outputs[i] == other) {
            status = bigint_fail(ctx, BIGINT_EINVAL,
                                 "%s: two results are the same integer; give three, or NULL", who);
        }
    }
    return status;
}

bigint_status bigint_gcdext(bigint_ctx *ctx, bigint *g, bigint *s, bigint *t, const bigint *a,
                            const bigint *b) {
    const char *const who = "bigint_gcdext";
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, who, (host_operands){.r = {g, s, t}, .a = {a, b}});
        return host_call_end(
            &there, bigint_gcdext(ctx, there.r[0], there.r[1], there.r[2], there.a[0], there.a[1]));
    }
    bigint_status status = check_gcdext(ctx, who, g, s, t, a, b);
    const arena_mark mark = arena_get_mark(ctx);
    const number x = number_of(a), y = number_of(b);
    output r[3] = {{.to = g}, {.to = s}, {.to = t}};
    if (status == BIGINT_OK) {
        status = gcdext(ctx, who, r, x, y);
    }
    if (status == BIGINT_OK && (x.n == 0 || y.n == 0)) {
        status = copy(ctx, who, &r[0].value);  // it is an operand
    }
    if (status == BIGINT_OK) {
        status = store(ctx, who, r, 3);
    }
    arena_release(ctx, mark);
    return status;
}

// invert: *r = 1 / a mod |m|, m not 0; *exists whether there is one.
static bigint_status invert(bigint_ctx *ctx, const char *who, number *r, bool *exists, number a,
                            number m) {
    number g, s;
    const bigint_status status = cofactors(ctx, who, &g, &s, NULL, a, m);
    *exists = status == BIGINT_OK && g.n == 1 && g.p[0] == 1;
    if (!*exists) {
        return status;
    }
    *r = (number){s.p, s.n, s.n > 0};
    if (s.sign * a.sign < 0) {  // |m| - |s|
        uint64_t *const p = arena_take_limbs(ctx, who, m.n);
        if (p == NULL) {
            return BIGINT_ENOMEM;
        }
        limbs_sub(p, m.p, m.n, s.p, s.n);
        *r = (number){p, m.n, 1};
    }
    return BIGINT_OK;
}

bigint_status bigint_invert(bigint_ctx *ctx, int *exists, bigint *r, const bigint *a,
                            const bigint *modulus) {
    const char *const who = "bigint_invert";
    if (ctx->away != NULL) {
        int found = 0;  // *exists keeps its value if r cannot be stored
        host_call there;
        host_call_begin(&there, ctx, who, (host_operands){.r = {r}, .a = {a, modulus, r}});
        const bigint_status status = host_call_end(
            &there,
            bigint_invert(ctx, exists == NULL ? NULL : &found, there.r[0], there.a[0], there.a[1]));
        if (status == BIGINT_OK && exists != NULL) {
            *exists = found;
        }
        return status;
    }
    bigint_status status = bigint_check_places(ctx, who, a, modulus, r);
    const arena_mark mark = arena_get_mark(ctx);
    const number x = number_of(a), m = number_of(modulus);
    output to = {.to = r};
    bool found = false;
    if (status == BIGINT_OK && m.n == 0) {
        status = bigint_fail(ctx, BIGINT_EINVAL, "%s: the modulus is 0; test it before", who);
    }
    if (status == BIGINT_OK) {
        status = invert(ctx, who, &to.value, &found, x, m);
    }
    if (status == BIGINT_OK && !found && exists == NULL) {
        status = bigint_fail(ctx, BIGINT_EINVAL,
                             "%s: the number has a factor in common with the modulus, so there is "
                             "no inverse; give `exists` to ask for that",
                             who);
    }
    if (status == BIGINT_OK && found) {
        status = store(ctx, who, &to, 1);
    }
    if (status == BIGINT_OK && exists != NULL) {
        *exists = found;
    }
    arena_release(ctx, mark);
    return status;
}
