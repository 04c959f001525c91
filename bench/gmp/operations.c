// operations.c: times one GMP operation in this process, for drop_in.py, which runs it with and
// without the drop-in.
//
//   operations NAME SIZE SECONDS    prints the least and the median processor time of a call, in
//                                   ns, the number of samples, and a hash of the results
//
// SIZE is in bits; for texts in decimal digits; for fac, fib and bin it is the argument.
#define _POSIX_C_SOURCE 200809L  // clock_gettime
#include <gmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// work: what an operation reads and writes. Calls take one of up to SETS_MOST works in turn, of
// SETS_BITS bits together: a processor would learn the branches of a single one.
enum { SETS_MOST = 256, SETS_BITS = 1 << 18 };
typedef struct {
    unsigned long size;
    mp_size_t limbs;
    mpz_t a, b, e, q, r;
    mp_limb_t *p;
    char *text;
} work;

static gmp_randstate_t state;

static void exactly(mpz_t z, unsigned long bits) {
    mpz_urandomb(z, state, bits);
    mpz_setbit(z, bits - 1);
}

static void pose_pair(work *w) { exactly(w->a, w->size), exactly(w->b, w->size); }
static void pose_limbs(work *w) {
    pose_pair(w);
    w->limbs = (mp_size_t)mpz_size(w->a);
    w->p = calloc(2 * (size_t)w->limbs, sizeof *w->p);
}
static void pose_quotient(work *w) { exactly(w->a, 2 * w->size), exactly(w->b, w->size); }
static void pose_one(work *w) { exactly(w->a, w->size); }
static void pose_power(work *w) {
    pose_pair(w);
    mpz_setbit(w->b, 0);
    exactly(w->e, w->size < 2048 ? w->size : 2048);
}
static void pose_text(work *w) {
    mpz_ui_pow_ui(w->b, 10, w->size);
    mpz_urandomm(w->a, state, w->b);
    w->text = malloc(w->size + 2);
    mpz_get_str(w->text, 10, w->a);
}
static void pose_exact(work *w) {
    pose_pair(w);
    mpz_mul(w->a, w->a, w->b);
}
static void pose_nothing(work *w) { (void)w; }

static void mul_n(work *w) {
    mpn_mul_n(w->p, mpz_limbs_read(w->a), mpz_limbs_read(w->b), w->limbs);
}
static void sqr(work *w) { mpn_sqr(w->p, mpz_limbs_read(w->a), w->limbs); }
static void mul(work *w) { mpz_mul(w->q, w->a, w->b); }
static void tdiv_q(work *w) { mpz_tdiv_q(w->q, w->a, w->b); }
static void tdiv_qr(work *w) { mpz_tdiv_qr(w->q, w->r, w->a, w->b); }
static void root(work *w) { mpz_sqrt(w->q, w->a); }
static void rootrem(work *w) { mpz_sqrtrem(w->q, w->r, w->a); }
static void powm(work *w) { mpz_powm(w->r, w->a, w->e, w->b); }
static void get_str(work *w) { mpz_get_str(w->text, 10, w->a); }
static void set_str(work *w) { mpz_set_str(w->q, w->text, 10); }
static void gcd(work *w) { mpz_gcd(w->q, w->a, w->b); }
static void divexact(work *w) { mpz_divexact(w->q, w->a, w->b); }
static void fac(work *w) { mpz_fac_ui(w->q, w->size); }
static void fib(work *w) { mpz_fib_ui(w->q, w->size); }
static void bin(work *w) { mpz_bin_uiui(w->q, 2 * w->size, w->size); }

static const struct {
    const char *name;
    void (*pose)(work *);
    void (*run)(work *);
} operations[] = {
    {"mul_n", pose_limbs, mul_n},
    {"sqr", pose_limbs, sqr},
    {"mul", pose_pair, mul},
    {"tdiv_q", pose_quotient, tdiv_q},
    {"tdiv_qr", pose_quotient, tdiv_qr},
    {"sqrt", pose_one, root},
    {"sqrtrem", pose_one, rootrem},
    {"powm", pose_power, powm},
    {"get_str", pose_text, get_str},
    {"set_str", pose_text, set_str},
    {"gcd", pose_pair, gcd},
    {"divexact", pose_exact, divexact},
    {"fac", pose_nothing, fac},
    {"fib", pose_nothing, fib},
    {"bin", pose_nothing, bin},
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static uint64_t hash(uint64_t h, const mp_limb_t *p, size_t n) {
    for (size_t i = 0; i < n; i++) {
        h = (h ^ p[i]) * UINT64_C(1099511628211);
        h ^= h >> 29;
    }
    return h;
}

static uint64_t answer(uint64_t h, const work *w) {
    h = hash(h, mpz_limbs_read(w->q), mpz_size(w->q));
    h = hash(h, mpz_limbs_read(w->r), mpz_size(w->r));
    h = w->p == NULL ? h : hash(h, w->p, 2 * (size_t)w->limbs);
    return w->text == NULL ? h : hash(h, (mp_limb_t *)w->text, strlen(w->text) / sizeof(mp_limb_t));
}

int main(int argc, char **argv) {
    size_t f = 0;
    const size_t count = sizeof operations / sizeof *operations;
    while (argc == 4 && f < count && strcmp(argv[1], operations[f].name) != 0) {
        f++;
    }
    if (argc != 4 || f == count) {
        fprintf(stderr, "usage: operations NAME SIZE SECONDS\n");
        return 2;
    }
    const unsigned long size = strtoul(argv[2], NULL, 10);
    const size_t fit = SETS_BITS / (size + 1) + 1, sets = fit < SETS_MOST ? fit : SETS_MOST;
    static work w[SETS_MOST];
    const double budget = strtod(argv[3], NULL) * 1e9;
    gmp_randinit_mt(state);
    gmp_randseed_ui(state, 42);
    for (size_t i = 0; i < sets; i++) {
        w[i].size = size;
        mpz_inits(w[i].a, w[i].b, w[i].e, w[i].q, w[i].r, NULL);
        operations[f].pose(&w[i]);
        operations[f].run(&w[i]);  // warms up
    }
    static double times[4096];
    int samples = 0;
    double once = now();
    operations[f].run(&w[0]);
    once = now() - once;
    const long inner = (long)(1e5 / (once + 1)) + 1;
    const double begin = now();
    size_t turn = 0;
    do {
        const double start = now();
        for (long i = 0; i < inner; i++) {
            operations[f].run(&w[turn]);
            turn = turn + 1 < sets ? turn + 1 : 0;
        }
        times[samples++] = (now() - start) / (double)inner;
    } while (samples < 4096 && now() - begin < budget);
    qsort(times, (size_t)samples, sizeof *times, by_size);
    uint64_t h = 1;
    for (size_t i = 0; i < sets; i++) {
        h = answer(h, &w[i]);
    }
    printf("%.2f %.2f %d %016llx\n", times[0], times[samples / 2], samples, (unsigned long long)h);
    return 0;
}
