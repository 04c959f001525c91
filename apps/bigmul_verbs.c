// bigmul_verbs.c: what bigmul computes besides products.
#include <err.h>

#include "apps/bigmul_job.h"
#include "apps/count.h"

// word: the second operand of power and root.
static uint64_t word(job *j, const bigint *n, const char *what) {
    uint64_t w = 0;
    const bigint_status status = bigint_get_u64(j->host.ctx, &w, n);
    if (status == BIGINT_ERANGE) {
        errx(EXIT_USAGE, "the %s is negative or has more than 64 bits", what);
    }
    job_must(j, &j->host, status);
    return w;
}

static uint64_t limbs(const bigint *x) { return bigint_limbs_bound(x); }

// explain: the call on a and b with k, on the host.
static void explain(job *j, bigint_call_kind kind, uint64_t an, uint64_t bn, uint64_t k) {
    job_explain(j, &j->host, &(bigint_call){.kind = kind, .an = an, .bn = bn, .k = k});
}

// power: r = a^n, if that fits in the memory.
static void power(job *j, bigint *r, const bigint *a, const bigint *n) {
    uint64_t bits = 0;
    const uint64_t e = word(j, n, "exponent");
    job_must(j, &j->host, bigint_bits(j->host.ctx, &bits, a));
    const double bytes = bits > 1 ? (double)(bits - 1) * (double)e / 8 : 0;
    if (bytes > (double)j->options->max_memory) {
        char size[COUNT_BYTES_ROOM], all[COUNT_BYTES_ROOM];
        errx(EXIT_MEMORY, "the power has %s or more, --max-memory is %s; --mod gives it modulo M",
             count_bytes(size, bytes), count_bytes(all, (double)j->options->max_memory));
    }
    explain(j, BIGINT_CALL_POW_U64, limbs(a), 0, e);
    job_must(j, &j->host, bigint_pow_u64(j->host.ctx, r, a, e));
}

// power_natural: r = a^n mod |m|, n >= 0.
static void power_natural(job *j, bigint *r, const bigint *a, const bigint *n, const bigint *m) {
    uint64_t bits = 0;
    job_must(j, &j->host, bigint_bits(j->host.ctx, &bits, n));
    explain(j, BIGINT_CALL_POWM, limbs(a), limbs(m), bits);
    job_must(j, &j->host, bigint_powm(j->host.ctx, r, a, n, m));
}

// power_modulo: r = a^n mod |m|; of the inverse of a for n < 0.
static void power_modulo(job *j, bigint *r, const bigint *a, const bigint *n, const bigint *m) {
    bigint_ctx *const ctx = j->host.ctx;
    bigint inverse = BIGINT_INIT, exponent = BIGINT_INIT;
    int sign = 0;
    job_must(j, &j->host, bigint_sign(ctx, &sign, n));
    if (sign >= 0) {
        power_natural(j, r, a, n, m);
        return;
    }
    explain(j, BIGINT_CALL_INVERT, limbs(a), limbs(m), 0);
    job_must(j, &j->host, bigint_invert(ctx, NULL, &inverse, a, m));
    job_must(j, &j->host, bigint_neg(ctx, &exponent, n));
    power_natural(j, r, &inverse, &exponent, m);
    bigint_clear(ctx, &inverse);
    bigint_clear(ctx, &exponent);
}

// reduce: r = r mod |m|.
static void reduce(job *j, bigint *r, const bigint *m) {
    explain(j, BIGINT_CALL_FDIV, limbs(r), limbs(m), 0);
    job_must(j, &j->host, bigint_mod(j->host.ctx, r, r, m));
}

// quotient_modulo: r = a / b mod |m|.
static void quotient_modulo(job *j, bigint *r, const bigint *a, const bigint *b, const bigint *m) {
    bigint_ctx *const ctx = j->host.ctx;
    explain(j, BIGINT_CALL_INVERT, limbs(b), limbs(m), 0);
    job_must(j, &j->host, bigint_invert(ctx, NULL, r, b, m));
    explain(j, BIGINT_CALL_MUL, limbs(r), limbs(a), 0);
    job_must(j, &j->host, bigint_mul(ctx, r, r, a));
    reduce(j, r, m);
}

static void root(job *j, bigint *r, const bigint *a, const bigint *n) {
    const uint64_t degree = word(j, n, "root's degree");
    explain(j, BIGINT_CALL_ROOT, limbs(a), 0, degree);
    job_must(j, &j->host, bigint_root(j->host.ctx, r, NULL, a, degree));
}

void verb_compute(job *j, bigint *r, const bigint *operands) {
    const bigmul_options *const o = j->options;
    bigint_ctx *const ctx = j->host.ctx;
    const bigint *const a = &operands[0], *const b = &operands[1];
    const bigint *const m = o->modulus == NULL ? NULL : &operands[o->operand_count];
    if (m != NULL && limbs(m) == 0) {
        errx(EXIT_USAGE, "the modulus is 0");
    }
    switch (o->verb) {
        case VERB_PRODUCT:
        case VERB_SQUARE:
            reduce(j, r, m);
            break;
        case VERB_QUOTIENT:
            if (m == NULL) {
                explain(j, BIGINT_CALL_DIVREM, limbs(a), limbs(b), 0);
                job_must(j, &j->host, bigint_divrem(ctx, r, NULL, a, b));
            } else {
                quotient_modulo(j, r, a, b, m);
            }
            break;
        case VERB_REMAINDER:
            explain(j, BIGINT_CALL_DIVREM, limbs(a), limbs(b), 0);
            job_must(j, &j->host, bigint_divrem(ctx, NULL, r, a, b));
            break;
        case VERB_POWER:
            if (m == NULL) {
                power(j, r, a, b);
            } else {
                power_modulo(j, r, a, b, m);
            }
            break;
        case VERB_GCD:
            explain(j, BIGINT_CALL_GCD, limbs(a), limbs(b), 0);
            job_must(j, &j->host, bigint_gcd(ctx, r, a, b));
            break;
        case VERB_ROOT:
            root(j, r, a, b);
            break;
    }
}
