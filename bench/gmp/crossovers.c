// crossovers.c: from which sizes the limb level is faster than GMP's own code above our products.
//
//   LD_PRELOAD=liblongmul_gmp.so crossovers FUNCTION SIZE...
//
// SIZE is N or N/M, in limbs. Both sides run in alternation in this process; the drop-in is loaded,
// so that what GMP's code calls on the way is already ours. thresholds.h is made from the answers
// by hand.
#define _GNU_SOURCE  // RTLD_NOLOAD
#include <dlfcn.h>
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bigint/bigint.h"
#include "bindings/gmp/functions.h"

// trial: operands, room for results, and the two sides. Numbers of n limbs, and of m where a
// function takes a second one. Calls take one of `sets` sets of operands in turn, SETS_LIMBS limbs
// together: a processor would learn the branches of a single one.
enum { SETS_MOST = 256, SETS_LIMBS = 4096 };
typedef struct {
    bigint_ctx *ctx;
    long n, m, sets, turn;
    uint64_t *all_a, *all_b, *all_e;
    uint64_t *a, *b, *e, *q, *r, *t;
    unsigned char *text;
    void *gmp;
} trial;

static void check(bigint_status status) {
    if (status != BIGINT_OK) {
        fprintf(stderr, "crossovers: %s\n", bigint_status_text(status));
        exit(1);
    }
}

static void gmp_ring(trial *x) {
    ((mpn_table *)x->gmp)->mulmod_bnm1(x->r, x->n, x->a, x->n, x->b, x->n, x->t);
}
static void our_ring(trial *x) {
    check(bigint_limbs_mul_mod_2exp_minus1(x->ctx, x->r, x->a, (uint64_t)x->n, x->b, (uint64_t)x->n,
                                           64 * (uint64_t)x->n));
}
static void gmp_ring_square(trial *x) {
    ((mpn_table *)x->gmp)->sqrmod_bnm1(x->r, x->n, x->a, x->n, x->t);
}
static void our_ring_square(trial *x) {
    check(bigint_limbs_mul_mod_2exp_minus1(x->ctx, x->r, x->a, (uint64_t)x->n, x->a, (uint64_t)x->n,
                                           64 * (uint64_t)x->n));
}
static void gmp_divrem(trial *x) {
    ((mpn_table *)x->gmp)->tdiv_qr(x->q, x->r, 0, x->a, x->n, x->b, x->m);
}
static void our_divrem(trial *x) {
    check(bigint_limbs_divrem(x->ctx, x->q, x->r, x->a, (uint64_t)x->n, x->b, (uint64_t)x->m));
}
static void gmp_quotient(trial *x) {
    ((mpn_table *)x->gmp)->div_q(x->q, x->a, x->n, x->b, x->m, x->t);
}
static void our_quotient(trial *x) {
    check(bigint_limbs_divrem(x->ctx, x->q, NULL, x->a, (uint64_t)x->n, x->b, (uint64_t)x->m));
}
static void gmp_root(trial *x) { ((mpn_table *)x->gmp)->sqrtrem(x->q, NULL, x->a, x->n); }
static void our_root(trial *x) {
    int exact;
    check(bigint_limbs_sqrt(x->ctx, x->q, NULL, &exact, x->a, (uint64_t)x->n));
}
static void gmp_root_rest(trial *x) { ((mpn_table *)x->gmp)->sqrtrem(x->q, x->r, x->a, x->n); }
static void our_root_rest(trial *x) {
    check(bigint_limbs_sqrt(x->ctx, x->q, x->r, NULL, x->a, (uint64_t)x->n));
}
static void gmp_power(trial *x) {
    ((mpn_table *)x->gmp)->powm(x->r, x->a, x->n, x->e, x->m, x->b, x->n, x->t);
}
static void our_power(trial *x) {
    check(bigint_limbs_powm(x->ctx, x->r, x->a, (uint64_t)x->n, x->e, (uint64_t)x->m, x->b,
                            (uint64_t)x->n));
}
// GMP destroys the operands of gcds.
static void gmp_gcd(trial *x) {
    memcpy(x->q, x->a, (size_t)x->n * 8);
    memcpy(x->t, x->b, (size_t)x->m * 8);
    ((mpn_table *)x->gmp)->gcd(x->r, x->q, x->n, x->t, x->m);
}
static void our_gcd(trial *x) {
    check(bigint_limbs_gcd(x->ctx, x->r, x->a, (uint64_t)x->n, x->b, (uint64_t)x->m));
}
static void gmp_gcdext(trial *x) {
    long sn;
    memcpy(x->q, x->a, (size_t)x->n * 8);
    memcpy(x->t, x->b, (size_t)x->m * 8);
    ((mpn_table *)x->gmp)->gcdext(x->r, x->r + x->m + 1, &sn, x->q, x->n, x->t, x->m);
}
static void our_gcdext(trial *x) {
    int sign;
    check(bigint_limbs_gcdext(x->ctx, x->r, x->r + x->m + 1, &sign, x->a, (uint64_t)x->n, x->b,
                              (uint64_t)x->m));
}
static void gmp_text(trial *x) {
    memcpy(x->t, x->a, (size_t)x->n * 8);
    ((mpn_table *)x->gmp)->get_str(x->text, 10, x->t, x->n);
}
static void our_text(trial *x) {
    size_t length;
    check(
        bigint_limbs_get_decimal(x->ctx, (char *)x->text, SIZE_MAX, &length, x->a, (uint64_t)x->n));
}
static void gmp_read(trial *x) { mpn_set_str(x->r, x->text, (size_t)x->n, 10); }
static void our_read(trial *x) {
    uint64_t n;
    for (long i = 0; i < x->n; i++) {
        ((char *)x->t)[i] = (char)(x->text[i] + '0');
    }
    check(bigint_limbs_set_decimal(x->ctx, x->r, UINT64_MAX, &n, (char *)x->t, (size_t)x->n, NULL));
}

static const struct {
    const char *name;
    void (*gmp)(trial *);
    void (*ours)(trial *);
} functions[] = {
    {"mulmod_bnm1", gmp_ring, our_ring}, {"sqrmod_bnm1", gmp_ring_square, our_ring_square},
    {"tdiv_qr", gmp_divrem, our_divrem}, {"div_q", gmp_quotient, our_quotient},
    {"sqrt", gmp_root, our_root},        {"sqrtrem", gmp_root_rest, our_root_rest},
    {"powm", gmp_power, our_power},      {"get_str", gmp_text, our_text},
    {"set_str", gmp_read, our_read},     {"gcd", gmp_gcd, our_gcd},
    {"gcdext", gmp_gcdext, our_gcdext},
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double sample(void (*run)(trial *), trial *x, long count) {
    const double begin = now();
    for (long i = 0; i < count; i++) {
        const size_t at = (size_t)(x->turn * (x->n > x->m ? x->n : x->m));
        x->a = x->all_a + at;
        x->b = x->all_b + at;
        x->e = x->all_e + at;
        run(x);
        x->turn = x->turn + 1 < x->sets ? x->turn + 1 : 0;
    }
    return (now() - begin) / (double)count;
}

static void compare(int f, trial *x) {
    const double once = sample(functions[f].gmp, x, 1);
    const long count = (long)(2e5 / once) + 1;
    const int pairs = once > 3e7 ? 5 : once > 1e6 ? 15 : 61;
    double best[2] = {1e99, 1e99};
    for (int i = 0; i < pairs; i++) {
        const double gmp = sample(functions[f].gmp, x, count),
                     ours = sample(functions[f].ours, x, count);
        best[0] = gmp < best[0] ? gmp : best[0];
        best[1] = ours < best[1] ? ours : best[1];
    }
    printf("%s %ld/%ld: GMP's code %.0f ns, ours %.0f ns, ratio %.2f\n", functions[f].name, x->n,
           x->m, best[0], best[1], best[0] / best[1]);
    fflush(stdout);
}

// originals: GMP's own functions, past the drop-in.
static mpn_table originals(void) {
    static const char *const names[MPN_FUNCTIONS] = {
        "__gmpn_mul",         "__gmpn_mul_n",   "__gmpn_sqr",   "__gmpn_mulmod_bnm1",
        "__gmpn_sqrmod_bnm1", "__gmpn_tdiv_qr", "__gmpn_div_q", "__gmpn_sqrtrem",
        "__gmpn_powm",        "__gmpn_get_str", "__gmpn_gcd",   "__gmpn_gcdext",
    };
    void *table[MPN_FUNCTIONS], *const library = dlopen("libgmp.so.10", RTLD_NOW | RTLD_NOLOAD);
    for (int i = 0; i < MPN_FUNCTIONS; i++) {
        table[i] = library == NULL ? NULL : dlsym(library, names[i]);
    }
    if (table[0] == NULL || table[0] == dlsym(RTLD_DEFAULT, names[0])) {
        fprintf(stderr, "crossovers: run it with LD_PRELOAD=liblongmul_gmp.so\n");
        exit(1);
    }
    mpn_table t;
    memcpy(&t, table, sizeof t);
    return t;
}

int main(int argc, char **argv) {
    mpn_table gmp = originals();
    trial x = {.gmp = &gmp};
    check(bigint_ctx_create(&x.ctx, NULL, NULL));
    int f = -1;
    for (size_t i = 0; argc > 1 && i < sizeof functions / sizeof *functions; i++) {
        f = strcmp(argv[1], functions[i].name) == 0 ? (int)i : f;
    }
    for (int i = 2; f >= 0 && i < argc; i++) {
        char *end;
        x.n = strtol(argv[i], &end, 10);
        x.m = *end == '/' ? strtol(end + 1, NULL, 10) : x.n;
        const size_t n = (size_t)(x.n > x.m ? x.n : x.m);
        x.sets = SETS_LIMBS / (long)n + 1 < SETS_MOST ? SETS_LIMBS / (long)n + 1 : SETS_MOST;
        x.turn = 0;
        uint64_t **const all[] = {&x.all_a, &x.all_b, &x.all_e, &x.q, &x.r, &x.t};
        for (int k = 0; k < 6; k++) {
            const size_t limbs = k < 3 ? (size_t)x.sets * n : n;
            *all[k] = malloc((limbs + 8 * n + 64) * sizeof(uint64_t));
            mpn_random(*all[k], (mp_size_t)limbs);
        }
        for (long k = 0; k < x.sets; k++) {
            uint64_t *const a = x.all_a + k * (long)n, *const b = x.all_b + k * (long)n;
            a[x.n - 1] |= UINT64_C(1) << 62, b[0] |= 1;
            x.all_e[k * (long)n + x.m - 1] |= UINT64_C(1) << 62;
            b[x.m - 1] |= UINT64_C(1) << 62;
            b[x.n - 1] |= strcmp(argv[1], "powm") == 0;
        }
        x.a = x.all_a;
        x.text = malloc(20 * n + 20);
        for (size_t k = 0; k < n; k++) {
            x.text[k] = (unsigned char)(1 + x.a[k] % 9);
        }
        compare(f, &x);
        for (int k = 0; k < 6; k++) {
            free(*all[k]);
        }
        free(x.text);
    }
    bigint_ctx_destroy(x.ctx);
    return f < 0;
}
