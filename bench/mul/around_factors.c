// around_factors.c: around_factors.h over GMP and the public calls.
#include "bench/mul/around_factors.h"

#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

void around_stop(const char *what, const char *why) {
    fprintf(stderr, "around_bench: %s: %s\n", what, why);
    exit(1);
}

static uint64_t *limbs(uint64_t n) { return program_memory(n, 8, "limbs"); }

// --- Factors -------------------------------------------------------------------------------------

// multiply: {r, an + bn} = {a, an} {b, bn}.
static void multiply(uint64_t *r, const uint64_t *a, uint64_t an, const uint64_t *b, uint64_t bn) {
    if (an < bn) {
        multiply(r, b, bn, a, an);
    } else {
        mpn_mul((mp_limb_t *)r, (const mp_limb_t *)a, (mp_size_t)an, (const mp_limb_t *)b,
                (mp_size_t)bn);
    }
}

around_factors *around_factors_make(uint64_t count, uint64_t an, uint64_t bn, uint64_t least) {
    around_factors *f = program_memory(1, sizeof *f, "pairs");
    if (count > AROUND_PAIRS_MAX) {
        around_stop("no room", "for these pairs");
    }
    gen g = gen_seed(an + bn);
    f->count = count, f->an_most = an, f->bn_most = bn;
    for (uint64_t i = 0; i < count; i++) {
        f->an[i] = least == 0 ? an : gen_size(&g, least, an);
        f->bn[i] = least == 0 ? bn : gen_size(&g, least, bn);
        f->rn[i] = f->an[i] + f->bn[i];
        f->a_at[i] = f->a_limbs, f->b_at[i] = f->b_limbs;
        f->r_at[i] = f->a_limbs + f->b_limbs;
        f->a_limbs += f->an[i], f->b_limbs += f->bn[i];
    }
    f->a = limbs(f->a_limbs), f->b = limbs(f->b_limbs), f->product = limbs(f->a_limbs + f->b_limbs);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t *const a = f->a + f->a_at[i], *const b = f->b + f->b_at[i];
        gen_limbs(&g, GEN_UNIFORM, a, f->an[i]), gen_limbs(&g, GEN_UNIFORM, b, f->bn[i]);
        multiply(f->product + f->r_at[i], a, f->an[i], b, f->bn[i]);
    }
    return f;
}

void around_factors_free(around_factors *f) {
    free(f->a), free(f->b), free(f->product);
    free(f);
}

double around_bytes(const around_factors *f) { return 16.0 * (double)(f->a_limbs + f->b_limbs); }

// --- Contenders ----------------------------------------------------------------------------------

static void must(const around_contender *c, bigint_status status) {
    if (status != BIGINT_OK) {
        around_stop(bigint_device_error(c->device), bigint_ctx_error(c->ctx));
    }
}

static void set_pairs(around_contender *c) {
    const around_factors *const f = c->factors;
    for (uint64_t i = 0; i < f->count; i++) {
        must(c, bigint_set_limbs(c->ctx, &c->a[i], f->a + f->a_at[i], f->an[i], 1));
        must(c, bigint_set_limbs(c->ctx, &c->b[i], f->b + f->b_at[i], f->bn[i], 1));
    }
}

static void set_spans(around_contender *c) {
    const around_factors *const f = c->factors;
    must(c, bigint_set_limbs(c->ctx, &c->all_a, f->a, f->a_limbs, 1));
    must(c, bigint_set_limbs(c->ctx, &c->all_b, f->b, f->b_limbs, 1));
    c->products = device_alloc(8 * (f->a_limbs + f->b_limbs));
    if (c->products == NULL) {
        around_stop("no memory", "on the device");
    }
}

void around_open(around_contender *c, const around_factors *factors, around_way way, uint64_t cap,
                 cuda_stream stream) {
    *c = (around_contender){.factors = factors, .way = way, .cap = cap};
    const bigint_ctx_options options = {.stream = stream, .max_workspace_bytes = cap};
    must(c, bigint_device_open(&c->device, 0, "cuda"));
    must(c, bigint_ctx_create(&c->ctx, c->device, &options));
    if (way == AROUND_RAGGED || way == AROUND_ALIKE) {
        set_spans(c);
        return;
    }
    set_pairs(c);
    if (way == AROUND_PREPARED) {
        must(c, bigint_prep_create(c->ctx, &c->prepared, &c->a[0], factors->bn[0]));
    }
}

// span: of numbers one after the other, by their lengths and offsets unless they are alike.
static bigint_span span(const around_contender *c, uint64_t *p, uint64_t most, const uint64_t *n,
                        const uint64_t *at) {
    bigint_span s = {.p = p, .n = most, .stride = most, .count = c->factors->count};
    if (c->way == AROUND_RAGGED) {
        s.lengths = n, s.offsets = at;
    }
    return s;
}

static bigint_status multiply_batch(around_contender *c) {
    const around_factors *const f = c->factors;
    const bigint_span r = span(c, c->products, f->an_most + f->bn_most, f->rn, f->r_at);
    const bigint_span a = span(c, bigint_device_limbs(&c->all_a), f->an_most, f->an, f->a_at);
    const bigint_span b = span(c, bigint_device_limbs(&c->all_b), f->bn_most, f->bn, f->b_at);
    return bigint_mul_batch(c->ctx, &r, &a, &b);
}

static bigint_status multiply_plain(around_contender *c) {
    bigint_status status = BIGINT_OK;
    for (uint64_t i = 0; i < c->factors->count && status == BIGINT_OK; i++) {
        status = bigint_mul(c->ctx, &c->r[i], &c->a[i], &c->b[i]);
    }
    return status;
}

static bigint_status multiply_added(around_contender *c) {
    bigint_status status = bigint_mul(c->ctx, &c->r[0], &c->a[0], &c->b[0]);
    for (uint64_t i = 1; i < c->factors->count && status == BIGINT_OK; i++) {
        status = bigint_mul(c->ctx, &c->r[1], &c->a[i], &c->b[i]);
        if (status == BIGINT_OK) {
            status = bigint_add(c->ctx, &c->r[0], &c->r[0], &c->r[1]);
        }
    }
    return status;
}

static bigint_status multiply_sum(around_contender *c) {
    const bigint *a[AROUND_PAIRS_MAX], *b[AROUND_PAIRS_MAX];
    for (uint64_t i = 0; i < c->factors->count; i++) {
        a[i] = &c->a[i], b[i] = &c->b[i];
    }
    return bigint_mul_sum(c->ctx, &c->r[0], a, b, NULL, c->factors->count);
}

bool around_enqueue(void *self, cuda_stream stream) {
    around_contender *c = self;
    (void)stream;  // the context's own
    must(c, c->way == AROUND_PLAIN      ? multiply_plain(c)
            : c->way == AROUND_ADDED    ? multiply_added(c)
            : c->way == AROUND_PREPARED ? bigint_mul_prep(c->ctx, &c->r[0], c->prepared, &c->b[0])
            : c->way == AROUND_SUM      ? multiply_sum(c)
                                        : multiply_batch(c));
    return true;
}

// same ends the program unless {got, n} = {want, n}.
static void same(const uint64_t *got, const uint64_t *want, uint64_t n) {
    if (memcmp(got, want, 8 * n) != 0) {
        around_stop("wrong product", "not GMP's");
    }
}

// get: {p, n} = r, zeros on top.
static void get(const around_contender *c, uint64_t *p, uint64_t n, const bigint *r) {
    uint64_t need = 0;
    must(c, bigint_get_limbs(c->ctx, p, n, &need, NULL, r));
    memset(p + need, 0, 8 * (n - need));
}

// check_sum: of products of one length, below 2^64 of them.
static void check_sum(const around_contender *c, uint64_t *got, uint64_t *want) {
    const around_factors *const f = c->factors;
    const uint64_t n = f->rn[0];
    memset(want, 0, 8 * (n + 1));
    for (uint64_t i = 0; i < f->count; i++) {
        want[n] += mpn_add_n((mp_limb_t *)want, (mp_limb_t *)want,
                             (const mp_limb_t *)(f->product + f->r_at[i]), (mp_size_t)n);
    }
    get(c, got, n + 1, &c->r[0]);
    same(got, want, n + 1);
}

void around_check(const around_contender *c) {
    const around_factors *const f = c->factors;
    const uint64_t all = f->a_limbs + f->b_limbs;
    uint64_t *const got = limbs(all + 1), *const want = limbs(all + 1);
    if (c->way == AROUND_SUM || c->way == AROUND_ADDED) {
        check_sum(c, got, want);
    } else if (c->products != NULL) {
        if (!device_download(got, c->products, 8 * all)) {
            around_stop("no products", "on the device");
        }
        same(got, f->product, all);
    } else {
        for (uint64_t i = 0; i < f->count; i++) {
            get(c, got, f->rn[i], &c->r[i]);
            same(got, f->product + f->r_at[i], f->rn[i]);
        }
    }
    free(got), free(want);
}

void around_close(around_contender *c) {
    bigint_prep_destroy(c->ctx, c->prepared);
    for (uint64_t i = 0; i < c->factors->count; i++) {
        bigint_clear(c->ctx, &c->a[i]), bigint_clear(c->ctx, &c->b[i]);
        bigint_clear(c->ctx, &c->r[i]);
    }
    bigint_clear(c->ctx, &c->all_a), bigint_clear(c->ctx, &c->all_b);
    device_free(c->products);
    bigint_ctx_destroy(c->ctx);
    bigint_device_close(c->device);
}
