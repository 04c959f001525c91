// Forked children: contexts, integers and prepared operands made before the fork work in the child,
// with threads or without, and can be freed there.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/child.h"

// Operands long enough for every step to use the threads.
enum { LIMBS = 12000, ITEMS = 60, ITEM_LIMBS = 8 };

// inherited: a context with operands and answers that it computed in the parent.
typedef struct {
    allocator_log log;
    bigint_ctx *ctx;
    bigint a, b, ab, r, s;
    bigint_prep *prep;
    char *text;  // of a
    size_t length;
    uint64_t numbers[ITEMS * ITEM_LIMBS], products[2 * ITEMS * ITEM_LIMBS],
        powers[ITEMS * ITEM_LIMBS];
} inherited;

static bigint_span span_of(uint64_t *p, uint64_t n) {
    return (bigint_span){.p = p, .n = n, .stride = n, .count = ITEMS};
}

static bigint_status batches(inherited *h, uint64_t *products, uint64_t *powers) {
    const bigint_span x = span_of(h->numbers, ITEM_LIMBS), xx = span_of(products, 2 * ITEM_LIMBS),
                      r = span_of(powers, ITEM_LIMBS);
    const bigint_span m = {.p = h->numbers, .n = ITEM_LIMBS, .stride = 0, .count = ITEMS};
    const bigint_status status = bigint_mul_batch(h->ctx, &xx, &x, &x);
    return status == BIGINT_OK ? bigint_powm_batch(h->ctx, &r, &x, &x, &m) : status;
}

static void draw(bigint_ctx *ctx, bigint *x, uint64_t seed) {
    gen g = gen_seed(seed);
    mpz_t z;
    mpz_init(z);
    fixture_shape(&g, GEN_UNIFORM, z, LIMBS);
    fixture_set(ctx, x, z);
    mpz_clear(z);
}

static inherited *open_inherited(uint32_t threads) {
    inherited *const h = calloc(1, sizeof *h);
    gen g = gen_seed(31);
    h->ctx = fixture_ctx(&(bigint_ctx_options){
        .threads = threads, .checks = 1, .allocator = fixture_allocator(&h->log)});
    draw(h->ctx, &h->a, 32), draw(h->ctx, &h->b, 33);
    gen_limbs(&g, GEN_UNIFORM, h->numbers, ITEMS * ITEM_LIMBS);
    h->numbers[0] |= 1;
    EXPECT_EQ(batches(h, h->products, h->powers), BIGINT_OK);
    EXPECT_EQ(bigint_mul(h->ctx, &h->ab, &h->a, &h->b), BIGINT_OK);
    EXPECT_EQ(bigint_prep_create(h->ctx, &h->prep, &h->a, LIMBS), BIGINT_OK);
    EXPECT_EQ(bigint_get_decimal(h->ctx, NULL, 0, &h->length, &h->a), BIGINT_ERANGE);
    h->text = malloc(h->length);
    EXPECT_EQ(bigint_get_decimal(h->ctx, h->text, h->length, &h->length, &h->a), BIGINT_OK);
    h->length--;
    return h;
}

static void expect_equal(inherited *h, const bigint *x, const bigint *y) {
    int order = 2;
    EXPECT_EQ(bigint_cmp(h->ctx, &order, x, y), BIGINT_OK);
    EXPECT_EQ(order, 0);
}

// work: calls that use the threads, and their answers.
static void work(void *arg) {
    inherited *const h = arg;
    EXPECT_EQ(bigint_mul(h->ctx, &h->r, &h->a, &h->b), BIGINT_OK);
    expect_equal(h, &h->r, &h->ab);
    EXPECT_EQ(bigint_mul_prep(h->ctx, &h->r, h->prep, &h->b), BIGINT_OK);
    expect_equal(h, &h->r, &h->ab);
    EXPECT_EQ(bigint_divrem(h->ctx, &h->r, &h->s, &h->ab, &h->b), BIGINT_OK);
    expect_equal(h, &h->r, &h->a);
    EXPECT_EQ(bigint_limbs_bound(&h->s), 0u);
    EXPECT_EQ(bigint_set_decimal(h->ctx, &h->r, h->text, h->length, NULL), BIGINT_OK);
    expect_equal(h, &h->r, &h->a);
    uint64_t products[2 * ITEMS * ITEM_LIMBS], powers[ITEMS * ITEM_LIMBS];
    EXPECT_EQ(batches(h, products, powers), BIGINT_OK);
    EXPECT_LIMBS_EQ(products, h->products, 2 * ITEMS * ITEM_LIMBS);
    EXPECT_LIMBS_EQ(powers, h->powers, ITEMS * ITEM_LIMBS);
}

static void close_inherited(void *arg) {
    inherited *const h = arg;
    bigint *const all[] = {&h->a, &h->b, &h->ab, &h->r, &h->s};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bigint_clear(h->ctx, all[i]);
    }
    bigint_prep_destroy(h->ctx, h->prep);
    bigint_ctx_trim(h->ctx);
    bigint_ctx_destroy(h->ctx);
    EXPECT_EQ(h->log.live_blocks, 0u);
    free(h->text);
}

static void work_and_close(void *arg) { work(arg), close_inherited(arg); }

static void work_and_fork(void *arg) {
    work(arg);
    EXPECT_CHILD(work_and_close, arg);
    EXPECT_CHILD(close_inherited, arg);
    work_and_close(arg);
}

// Mutations: a child that waits for threads that are not there, to compute or to destroy; memory
// that the child cannot free; a child that changes what its parent has.
TEST(Fork, ContextsWorkInTheChild) {
    static const uint32_t threads[] = {1, 2, 4};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        SCOPED_TRACE("%u threads", (unsigned)threads[i]);
        inherited *const h = open_inherited(threads[i]);
        EXPECT_CHILD(close_inherited, h);
        EXPECT_CHILD(work_and_close, h);
        work(h);
        EXPECT_CHILD(work_and_fork, h);
        work_and_close(h);
        free(h);
    }
}

// A context that has computed nothing yet.
static void fresh_work(void *arg) {
    bigint_ctx *const ctx = arg;
    bigint a = BIGINT_INIT, b = BIGINT_INIT;
    int order = 2;
    draw(ctx, &a, 34);
    EXPECT_EQ(bigint_mul(ctx, &b, &a, &a), BIGINT_OK);
    EXPECT_EQ(bigint_sqrt(ctx, &b, NULL, &b), BIGINT_OK);
    EXPECT_EQ(bigint_cmp(ctx, &order, &a, &b), BIGINT_OK);
    EXPECT_EQ(order, 0);
    bigint_clear(ctx, &a), bigint_clear(ctx, &b);
    bigint_ctx_destroy(ctx);
}

TEST(Fork, FreshContextsWorkInTheChild) {
    bigint_ctx *const ctx = fixture_ctx(&(bigint_ctx_options){.threads = 3});
    EXPECT_CHILD(fresh_work, ctx);
    fresh_work(ctx);
}

// The thread that forks is the only one in the child. Mutation: what the child needs belongs to the
// main thread.
static void *fork_on_a_thread(void *arg) {
    EXPECT_CHILD(work_and_close, arg);
    work(arg);
    return NULL;
}

TEST(Fork, FromAThread) {
    inherited *const h = open_inherited(2);
    pthread_t thread;
    ASSERT_EQ(pthread_create(&thread, NULL, fork_on_a_thread, h), 0);
    pthread_join(thread, NULL);
    work_and_close(h);
    free(h);
}

// busy: a thread inside calls on a context of its own, which allocate nothing after the first ones.
typedef struct {
    inherited *h;
    atomic_int calls;
    atomic_bool stop;
} busy;

static void *keep_busy(void *arg) {
    busy *const b = arg;
    while (!atomic_load(&b->stop)) {
        EXPECT_EQ(bigint_mul(b->h->ctx, &b->h->r, &b->h->a, &b->h->b), BIGINT_OK);
        atomic_fetch_add(&b->calls, 1);
    }
    return NULL;
}

// Mutation: something that contexts share, and a call holds.
TEST(Fork, WhileOthersAreInsideCalls) {
    enum { OTHERS = 2, FORKS = 8 };
    inherited *const h = open_inherited(2);
    busy others[OTHERS] = {{0}};
    pthread_t threads[OTHERS];
    for (int i = 0; i < OTHERS; i++) {
        others[i].h = open_inherited(2);
        ASSERT_EQ(pthread_create(&threads[i], NULL, keep_busy, &others[i]), 0);
        while (atomic_load(&others[i].calls) < 3) {
            work(h);
        }
    }
    for (int i = 0; i < FORKS; i++) {
        EXPECT_CHILD(work_and_close, h);
    }
    for (int i = 0; i < OTHERS; i++) {
        atomic_store(&others[i].stop, true);
        pthread_join(threads[i], NULL);
        work_and_close(others[i].h);
        free(others[i].h);
    }
    work_and_close(h);
    free(h);
}

#if !defined(__SANITIZE_THREAD__)  // which ends a forked child that starts a thread
static void work_on_new_context(void *arg) {
    (void)arg;
    inherited *const h = open_inherited(2);
    work_and_close(h);
    free(h);
}

TEST(Fork, NewContextsInTheChildHaveThreads) {
    inherited *const h = open_inherited(2);
    EXPECT_CHILD(work_on_new_context, NULL);
    work_and_close(h);
    free(h);
}
#endif
