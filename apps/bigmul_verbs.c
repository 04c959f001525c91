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
    job_must(j, &j->host, bigint_pow_u64(j->host.ctx, r, a, e));
}

// power_modulo: r = a^n mod |m|; of the inverse of a for n < 0.
static void power_modulo(job *j, bigint *r, const bigint *a, const bigint *n, const bigint *m) {
    bigint_ctx *const ctx = j->host.ctx;
    bigint inverse = BIGINT_INIT, exponent = BIGINT_INIT;
    int sign = 0;
    job_must(j, &j->host, bigint_sign(ctx, &sign, n));
    if (sign >= 0) {
        job_must(j, &j->host, bigint_powm(ctx, r, a, n, m));
        return;
    }
    job_must(j, &j->host, bigint_invert(ctx, NULL, &inverse, a, m));
    job_must(j, &j->host, bigint_neg(ctx, &exponent, n));
    job_must(j, &j->host, bigint_powm(ctx, r, &inverse, &exponent, m));
    bigint_clear(ctx, &inverse);
    bigint_clear(ctx, &exponent);
}

// quotient_modulo: r = a / b mod |m|.
static void quotient_modulo(job *j, bigint *r, const bigint *a, const bigint *b, const bigint *m) {
    bigint_ctx *const ctx = j->host.ctx;
    job_must(j, &j->host, bigint_invert(ctx, NULL, r, b, m));
    job_must(j, &j->host, bigint_mul(ctx, r, r, a));
    job_must(j, &j->host, bigint_mod(ctx, r, r, m));
}

void verb_compute(job *j, bigint *r, const bigint *operands) {
    const bigmul_options *const o = j->options;
    bigint_ctx *const ctx = j->host.ctx;
    const bigint *const a = &operands[0], *const b = &operands[1];
    const bigint *const m = o->modulus == NULL ? NULL : &operands[o->operand_count];
    switch (o->verb) {
        case VERB_PRODUCT:
        case VERB_SQUARE:
            job_must(j, &j->host, bigint_mod(ctx, r, r, m));
            break;
        case VERB_QUOTIENT:
            if (m == NULL) {
                job_must(j, &j->host, bigint_divrem(ctx, r, NULL, a, b));
            } else {
                quotient_modulo(j, r, a, b, m);
            }
            break;
        case VERB_REMAINDER:
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
            job_must(j, &j->host, bigint_gcd(ctx, r, a, b));
            break;
        case VERB_ROOT:
            job_must(j, &j->host, bigint_root(ctx, r, NULL, a, word(j, b, "root's degree")));
            break;
    }
}
