// cancel_test.c: long calls that end early, because options.progress says so at its k-th call, or
// because of bigint_ctx_stop: outputs keep their values, nothing leaks, and the next call is right.
#define _POSIX_C_SOURCE 200809L  // clock_gettime, nanosleep
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

// numbers: r and s are the outputs of an operation on a and b.
typedef struct {
    bigint r, s, a, b;
} numbers;

// operation: a call, with the lengths of its operands.
typedef struct {
    const char *name;
    bigint_status (*call)(bigint_ctx *ctx, numbers *x);
    uint64_t an, bn;
    const char *engine;
} operation;

enum { DIGITS = 130000 };
static char digits[DIGITS + 1], written[2 * DIGITS + 2];

static bigint_status call_mul(bigint_ctx *ctx, numbers *x) {
    return bigint_mul(ctx, &x->r, &x->a, &x->b);
}
// In place: r is an operand.
static bigint_status call_mul_to(bigint_ctx *ctx, numbers *x) {
    return bigint_mul(ctx, &x->r, &x->r, &x->b);
}
static bigint_status call_sqr(bigint_ctx *ctx, numbers *x) { return bigint_sqr(ctx, &x->r, &x->a); }
static bigint_status call_sum(bigint_ctx *ctx, numbers *x) {
    const bigint *const a[] = {&x->a, &x->b, &x->a}, *const b[] = {&x->b, &x->b, &x->a};
    return bigint_mul_sum(ctx, &x->r, a, b, (const int[]){1, -1, 1}, 3);
}
static bigint_status call_prep(bigint_ctx *ctx, numbers *x) {
    bigint_prep *prep = NULL;
    bigint_status status = bigint_prep_create(ctx, &prep, &x->a, bigint_limbs_bound(&x->b));
    EXPECT_EQ(prep != NULL, status == BIGINT_OK);
    if (status == BIGINT_OK) {
        status = bigint_mul_prep(ctx, &x->r, prep, &x->b);
    }
    bigint_prep_destroy(ctx, prep);
    return status;
}
static bigint_status call_mod_2exp(bigint_ctx *ctx, numbers *x) {
    return bigint_mul_mod_2exp_plus1(ctx, &x->r, &x->a, &x->b, (uint64_t)64 << 13);
}
static bigint_status call_divrem(bigint_ctx *ctx, numbers *x) {
    return bigint_divrem(ctx, &x->r, &x->s, &x->a, &x->b);
}
static bigint_status call_fdiv(bigint_ctx *ctx, numbers *x) {
    return bigint_fdiv(ctx, &x->r, &x->s, &x->a, &x->b);
}
static bigint_status call_cdiv_to(bigint_ctx *ctx, numbers *x) {
    return bigint_cdiv(ctx, &x->r, &x->s, &x->r, &x->b);
}
static bigint_status call_mod(bigint_ctx *ctx, numbers *x) {
    return bigint_mod(ctx, &x->r, &x->a, &x->b);
}
static bigint_status call_sqrt(bigint_ctx *ctx, numbers *x) {
    return bigint_sqrt(ctx, &x->r, &x->s, &x->a);
}
static bigint_status call_root(bigint_ctx *ctx, numbers *x) {
    return bigint_root(ctx, &x->r, &x->s, &x->a, 5);
}
static bigint_status call_powm(bigint_ctx *ctx, numbers *x) {
    return bigint_powm(ctx, &x->r, &x->a, &x->a, &x->b);
}
static bigint_status call_pow(bigint_ctx *ctx, numbers *x) {
    return bigint_pow_u64(ctx, &x->r, &x->a, 13);
}
static bigint_status call_gcd(bigint_ctx *ctx, numbers *x) {
    return bigint_gcd(ctx, &x->r, &x->a, &x->b);
}
static bigint_status call_gcdext(bigint_ctx *ctx, numbers *x) {
    return bigint_gcdext(ctx, NULL, &x->r, &x->s, &x->a, &x->b);
}
static bigint_status call_lcm(bigint_ctx *ctx, numbers *x) {
    return bigint_lcm(ctx, &x->r, &x->a, &x->b);
}
// Of the prime 2^2203 - 1.
static bigint_status call_prime(bigint_ctx *ctx, numbers *x) {
    (void)x;
    int prime = 7;
    bigint p = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(ctx, &p, 1), BIGINT_OK);
    EXPECT_EQ(bigint_mul_2exp(ctx, &p, &p, 2203), BIGINT_OK);
    EXPECT_EQ(bigint_sub_u64(ctx, &p, &p, 1), BIGINT_OK);
    const bigint_status status = bigint_probable_prime(ctx, &prime, &p);
    EXPECT_EQ(prime, status != BIGINT_OK ? 7 : 1);
    bigint_clear(ctx, &p);
    return status;
}
// Of a square.
static bigint_status call_is_square(bigint_ctx *ctx, numbers *x) {
    int yes = 7;
    bigint square = BIGINT_INIT;
    bigint_status status = bigint_sqr(ctx, &square, &x->a);
    if (status == BIGINT_OK) {
        status = bigint_is_square(ctx, &yes, &square);
    }
    EXPECT_EQ(yes, status != BIGINT_OK ? 7 : 1);
    bigint_clear(ctx, &square);
    return status;
}
static bigint_status call_factorial(bigint_ctx *ctx, numbers *x) {
    return bigint_factorial(ctx, &x->r, 30000);
}
static bigint_status call_binomial(bigint_ctx *ctx, numbers *x) {
    return bigint_binomial_u64(ctx, &x->r, 300000, 100000);
}
static bigint_status call_primorial(bigint_ctx *ctx, numbers *x) {
    return bigint_primorial(ctx, &x->r, 300000);
}
static bigint_status call_fibonacci(bigint_ctx *ctx, numbers *x) {
    return bigint_fibonacci(ctx, &x->r, &x->s, 500000);
}
static bigint_status call_set_decimal(bigint_ctx *ctx, numbers *x) {
    return bigint_set_decimal(ctx, &x->r, digits, DIGITS, NULL);
}
static bigint_status call_get_decimal(bigint_ctx *ctx, numbers *x) {
    memset(written, '#', sizeof written);
    size_t need = 0;
    const bigint_status status = bigint_get_decimal(ctx, written, sizeof written, &need, &x->a);
    EXPECT_EQ(written[0] == '#', status != BIGINT_OK);
    return status;
}
static bigint_status call_mul_decimal(bigint_ctx *ctx, numbers *x) {
    (void)x;
    memset(written, '#', sizeof written);
    const bigint_status status = bigint_mul_decimal(ctx, written, sizeof written, NULL, digits,
                                                    DIGITS, digits, DIGITS / 10, NULL);
    EXPECT_EQ(written[0] == '#', status != BIGINT_OK);
    return status;
}

static const operation operations[] = {
    {"mul_real", call_mul, 5000, 4000, NULL},
    {"mul_modular", call_mul, 5000, 4000, "modular-fft"},
    {"mul_modular_pieces", call_mul, 9000, 600, "modular-fft"},
    {"mul_real_pieces", call_mul, 20000, 2000, NULL},
    {"mul_in_place", call_mul_to, 5000, 4000, "modular-fft"},
    {"mul_in_place_pieces", call_mul_to, 1, 9000, "modular-fft"},
    {"sqr", call_sqr, 5000, 1, "modular-fft"},
    {"mul_sum", call_sum, 5000, 4500, NULL},
    {"mul_sum_together", call_sum, 5000, 4500, "modular-fft"},
    {"mul_prep", call_prep, 5000, 4000, "modular-fft"},
    {"mul_mod_2exp", call_mod_2exp, 8192, 8000, "modular-fft"},
    {"divrem", call_divrem, 12000, 5000, NULL},
    {"divrem_modular", call_divrem, 12000, 5000, "modular-fft"},
    {"fdiv", call_fdiv, 9000, 4500, NULL},
    {"cdiv_in_place", call_cdiv_to, 1, 300, NULL},
    {"mod", call_mod, 12000, 5000, NULL},
    {"sqrt", call_sqrt, 9000, 1, NULL},
    {"root", call_root, 9000, 1, NULL},
    {"powm", call_powm, 4, 500, NULL},
    {"pow", call_pow, 700, 1, NULL},
    {"gcd", call_gcd, 2600, 2500, NULL},
    {"gcdext", call_gcdext, 1700, 1600, NULL},
    {"lcm", call_lcm, 2600, 2500, NULL},
    {"is_prime", call_prime, 1, 1, NULL},
    {"is_square", call_is_square, 4500, 1, NULL},
    {"factorial", call_factorial, 1, 1, NULL},
    {"binomial", call_binomial, 1, 1, NULL},
    {"primorial", call_primorial, 1, 1, NULL},
    {"fibonacci", call_fibonacci, 1, 1, NULL},
    {"set_decimal", call_set_decimal, 1, 1, NULL},
    {"get_decimal", call_get_decimal, 6800, 1, NULL},
    {"mul_decimal", call_mul_decimal, 1, 1, "modular-fft"},
};

static void label(char *buf, size_t cap, const operation *o) { snprintf(buf, cap, "%s", o->name); }

// --- Ending at the k-th call of progress ---------------------------------------------------------

// watch: counts the calls of progress. At call `end` it returns 1 or, with `stops`, calls
// bigint_ctx_stop.
typedef struct {
    bigint_ctx *ctx;
    uint64_t calls, end;
    int stops, at_the_end;  // at_the_end: that call reported that all is done
} watch;

static int look(void *user, double done, double total) {
    watch *const w = user;
    const int now = ++w->calls == w->end;
    EXPECT_TRUE(total == 0 || done <= total);
    if (now) {
        w->at_the_end = total > 0 && done == total;
    }
    if (now && w->stops) {
        bigint_ctx_stop(w->ctx);
    }
    return now && !w->stops;
}

// The lowest bits of a make its number odd, so that it has no small factor 2.
static void fill(gen *g, bigint_ctx *ctx, bigint *x, uint64_t n) {
    mpz_t z;
    mpz_init(z);
    fixture_shape(g, GEN_UNIFORM, z, n);
    mpz_setbit(z, 0);
    fixture_set(ctx, x, z);
    mpz_clear(z);
}

static void open_numbers(numbers *x, bigint_ctx *ctx, const operation *o) {
    gen g = gen_seed(41);
    *x = (numbers){BIGINT_INIT, BIGINT_INIT, BIGINT_INIT, BIGINT_INIT};
    fill(&g, ctx, &x->a, o->an);
    fill(&g, ctx, &x->b, o->bn);
    fill(&g, ctx, &x->r, 30000);  // room for every result
    fill(&g, ctx, &x->s, 20000);
}

static void close_numbers(numbers *x, bigint_ctx *ctx) {
    bigint *const all[] = {&x->r, &x->s, &x->a, &x->b};
    for (int i = 0; i < 4; i++) {
        bigint_clear(ctx, all[i]);
    }
}

static void expect_same(bigint_ctx *ctx, const bigint *x, const bigint *y) {
    int order = 1;
    EXPECT_EQ(bigint_cmp(ctx, &order, x, y), BIGINT_OK);
    EXPECT_EQ(order, 0);
}

// try_end: the operation ends at call `end` of progress. Returns 0 if there are fewer calls.
// old: the operands, and the outputs before; right: what the operation gives.
static int try_end(watch *w, const operation *o, numbers *x, const numbers *old,
                   const numbers *right, int stops, uint64_t end) {
    SCOPED_TRACE("%s, ended at call %llu%s", o->name, (unsigned long long)end,
                 stops ? " by bigint_ctx_stop" : "");
    bigint_ctx *const ctx = w->ctx;
    *w = (watch){.ctx = ctx, .end = end, .stops = stops};
    EXPECT_EQ(bigint_set(ctx, &x->r, &old->r), BIGINT_OK);
    EXPECT_EQ(bigint_set(ctx, &x->s, &old->s), BIGINT_OK);
    const bigint_status status = o->call(ctx, x);
    const int reached = w->calls >= end;
    bigint_ctx_resume(ctx);
    w->end = 0;
    const int ended = status == BIGINT_ECANCELED;
    EXPECT_EQ(status, ended ? BIGINT_ECANCELED : BIGINT_OK);
    EXPECT_TRUE(ended ? reached : !reached || w->at_the_end);
    if (ended) {
        EXPECT_TEXT(ctx, stops ? "bigint_ctx_resume" : "options.progress");
    }
    expect_same(ctx, &x->r, ended ? &old->r : &right->r);
    expect_same(ctx, &x->s, ended ? &old->s : &right->s);
    expect_same(ctx, &x->a, &old->a);
    expect_same(ctx, &x->b, &old->b);
    return reached;
}

// reports_of_a_root: how often a root calls progress.
static uint64_t reports_of_a_root(watch *w, const bigint *a) {
    bigint root = BIGINT_INIT;
    *w = (watch){.ctx = w->ctx};
    EXPECT_EQ(bigint_sqrt(w->ctx, &root, NULL, a), BIGINT_OK);
    bigint_clear(w->ctx, &root);
    return w->calls;
}

// Mutations: a step that ignores the answer; an output written before the last step, or not put
// back; workspace not returned; an answer that ends the next call too; a stop that resume does not
// end; the last report taken for an interruption; a call that leaves the next one's reports off.
TEST_EACH(Cancel, AtEveryReport, operation, operations, label) {
    for (uint32_t threads = 1; threads <= 2; threads++) {
        allocator_log log = {0};
        watch w = {0};
        memset(digits, '7', DIGITS);
        bigint_ctx *const ctx = w.ctx =
            fixture_ctx(&(bigint_ctx_options){.threads = threads,
                                              .engine = p->engine,
                                              .progress = look,
                                              .progress_user = &w,
                                              .allocator = fixture_allocator(&log)});
        numbers x, old, right;
        open_numbers(&x, ctx, p);
        open_numbers(&old, ctx, p);
        open_numbers(&right, ctx, p);
        const uint64_t reports = reports_of_a_root(&w, &old.r);
        EXPECT_TRUE(reports > 0);
        EXPECT_EQ(p->call(ctx, &right), BIGINT_OK);
        int reached = 1, ends = 0;
        for (uint64_t end = 1; reached; end += 1 + end / 8, ends++) {
            reached = try_end(&w, p, &x, &old, &right, (int)(end % 3 == 0), end);
        }
        EXPECT_TRUE(ends > 1);
        try_end(&w, p, &x, &old, &right, 1, 1);
        try_end(&w, p, &x, &old, &right, 0, UINT64_MAX);
        EXPECT_EQ(reports_of_a_root(&w, &old.r), reports);
        close_numbers(&x, ctx);
        close_numbers(&old, ctx);
        close_numbers(&right, ctx);
        bigint_ctx_destroy(ctx);
        EXPECT_EQ(log.live_blocks, 0u);
    }
}

// --- Stopping from another thread ----------------------------------------------------------------

typedef struct {
    bigint_ctx *ctx;
    struct timespec stopped;
} stopper;

static void *stop_soon(void *arg) {
    stopper *const s = arg;
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    clock_gettime(CLOCK_MONOTONIC, &s->stopped);
    bigint_ctx_stop(s->ctx);
    return NULL;
}

// A loop of long calls ends soon after the request, which stays in force until resume, and a loop
// that never ends without one. Mutations: the request is lost between calls; only the calling
// thread can make it.
TEST(Cancel, FromAnotherThread) {
    for (uint32_t threads = 1; threads <= 2; threads++) {
        stopper s = {.ctx = fixture_ctx(&(bigint_ctx_options){.threads = threads})};
        const operation o = {"thread", call_divrem, 200000, 100000, NULL};
        numbers x;
        pthread_t thread;
        open_numbers(&x, s.ctx, &o);
        EXPECT_EQ(pthread_create(&thread, NULL, stop_soon, &s), 0);
        bigint_status status = BIGINT_OK;
        while (status == BIGINT_OK) {
            status = call_divrem(s.ctx, &x);
        }
        struct timespec ended;
        clock_gettime(CLOCK_MONOTONIC, &ended);
        pthread_join(thread, NULL);
        const double late = (double)(ended.tv_sec - s.stopped.tv_sec) +
                            (double)(ended.tv_nsec - s.stopped.tv_nsec) * 1e-9;
        EXPECT_EQ(status, BIGINT_ECANCELED);
        EXPECT_TRUE(late < 5);  // some milliseconds; more on a busy machine and under sanitizers
        EXPECT_EQ(call_divrem(s.ctx, &x), BIGINT_ECANCELED);
        bigint_ctx_resume(s.ctx);
        EXPECT_EQ(call_divrem(s.ctx, &x), BIGINT_OK);
        close_numbers(&x, s.ctx);
        bigint_ctx_destroy(s.ctx);
    }
}

// Batches, whose threads work on contexts of their own. Mutation: a helper's copy of the request.
TEST(Cancel, Batches) {
    for (uint32_t threads = 1; threads <= 2; threads++) {
        bigint_ctx *const ctx = fixture_ctx(&(bigint_ctx_options){.threads = threads});
        enum { N = 300, COUNT = 16 };
        static uint64_t a[COUNT * N], r[COUNT * 2 * N];
        for (int i = 0; i < COUNT * N; i++) {
            a[i] = (uint64_t)i * 2654435761 + 1;
        }
        memset(r, 0x11, sizeof r);
        const bigint_span as = {.p = a, .n = N, .stride = N, .count = COUNT};
        const bigint_span rs = {.p = r, .n = 2 * N, .stride = 2 * N, .count = COUNT};
        const bigint_span ms = {.p = a, .n = N, .stride = 0, .count = COUNT};
        bigint_ctx_stop(ctx);
        EXPECT_EQ(bigint_mul_batch(ctx, &rs, &as, &as), BIGINT_ECANCELED);
        EXPECT_EQ(bigint_mulmod_batch(ctx, &rs, &as, &as, &ms), BIGINT_ECANCELED);
        EXPECT_EQ(bigint_mul_mod_2exp_plus1_batch(ctx, &rs, &as, &as, 64 * N), BIGINT_ECANCELED);
        EXPECT_EQ(r[0], (uint64_t)0x1111111111111111);
        bigint_ctx_resume(ctx);
        EXPECT_EQ(bigint_mul_batch(ctx, &rs, &as, &as), BIGINT_OK);
        EXPECT_EQ(r[0], a[0] * a[0]);
        bigint_ctx_destroy(ctx);
    }
}
