#include "tests/bigint/core/operations.h"

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

bigint_status paired_answer(bigint_ctx *ctx, bigint *r, bigint_status status, int64_t value) {
    return status != BIGINT_OK ? status : bigint_set_i64(ctx, r, value);
}

// values: the four roles of one trial.
typedef struct {
    bigint x[3];
    mpz_t z[3];
} values;

static void open_values(values *v, bigint_ctx *ctx, const mpz_t r, const mpz_t a, const mpz_t b) {
    const __mpz_struct *const from[3] = {r, a, b};
    for (int i = 0; i < 3; i++) {
        v->x[i] = (bigint)BIGINT_INIT;
        mpz_init_set(v->z[i], from[i]);
        fixture_set(ctx, &v->x[i], v->z[i]);
    }
}

static void close_values(values *v, bigint_ctx *ctx) {
    for (int i = 0; i < 3; i++) {
        bigint_clear(ctx, &v->x[i]);
        mpz_clear(v->z[i]);
    }
}

// Who is who: indices of r, a and b.
static const int aliasings[][3] = {{0, 1, 2}, {1, 1, 2}, {2, 1, 2}, {0, 1, 1}, {1, 1, 1}};

void paired_try(bigint_ctx *ctx, const paired *p, const mpz_t r, const mpz_t a, const mpz_t b,
                uint64_t w) {
    for (size_t i = 0; i < sizeof aliasings / sizeof *aliasings; i++) {
        const int *const k = aliasings[i];
        values v;
        open_values(&v, ctx, r, a, b);
        const int defined = p->twin(v.z[k[0]], v.z[k[1]], v.z[k[2]], w);
        const bigint_status status = p->call(ctx, &v.x[k[0]], &v.x[k[1]], &v.x[k[2]], w);
        int same = status == (defined ? BIGINT_OK : p->refusal);
        for (int j = 0; j < 3; j++) {
            same &= (!defined && p->several) ||
                    fixture_expect(__FILE__, __LINE__, "r, a or b", ctx, &v.x[j], v.z[j]);
        }
        if (!same) {
            char *const text[3] = {mpz_get_str(NULL, 16, r), mpz_get_str(NULL, 16, a),
                                   mpz_get_str(NULL, 16, b)};
            ct_fail(__FILE__, __LINE__, 0,
                    "%s, aliasing %d, status %d: r %.80s a %.80s b %.80s w %llu", p->name, (int)i,
                    (int)status, text[0], text[1], text[2], (unsigned long long)w);
            for (int j = 0; j < 3; j++) {
                void (*release)(void *, size_t);
                mp_get_memory_functions(NULL, NULL, &release);
                release(text[j], 0);
            }
        }
        close_values(&v, ctx);
    }
}

void paired_fail(const paired *p, const mpz_t r, const mpz_t a, const mpz_t b, uint64_t w) {
    bigint_status status = BIGINT_ENOMEM;
    for (uint64_t fail = 1; status == BIGINT_ENOMEM; fail++) {
        SCOPED_TRACE("%s: allocation %llu fails", p->name, (unsigned long long)fail);
        allocator_log log = {0};
        bigint_ctx *const ctx =
            fixture_ctx(&(bigint_ctx_options){.allocator = fixture_allocator(&log)});
        values v;
        open_values(&v, ctx, r, a, b);
        log.fail_at = log.calls + fail;
        status = p->call(ctx, &v.x[0], &v.x[1], &v.x[2], w);
        log.fail_at = 0;
        if (status != BIGINT_ENOMEM) {
            const int defined = p->twin(v.z[0], v.z[1], v.z[2], w);
            EXPECT_EQ(status, defined ? BIGINT_OK : p->refusal);
        }
        for (int j = 0; j < 3; j++) {
            if (j > 0 || !p->several) {
                EXPECT_BIGINT(ctx, &v.x[j], v.z[j]);
            }
        }
        close_values(&v, ctx);
        bigint_ctx_destroy(ctx);
        EXPECT_EQ(log.live_blocks, 0u);
        ASSERT_TRUE(fail < 400);
    }
}

// paired_cap: caps from what the call holds without one down to nothing: it succeeds within them,
// or r keeps its value.
static void paired_cap(const paired *p, const mpz_t r, const mpz_t a, const mpz_t b, uint64_t w) {
    uint64_t cap = 0;
    do {
        SCOPED_TRACE("%s: cap %llu", p->name, (unsigned long long)cap);
        bigint_ctx *const ctx = fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = cap});
        bigint_counters counters;
        values v;
        open_values(&v, ctx, r, a, b);
        const bigint_status status = p->call(ctx, &v.x[0], &v.x[1], &v.x[2], w);
        bigint_ctx_counters(ctx, &counters);
        EXPECT_TRUE(cap == 0 || counters.workspace_peak <= cap);
        if (status != BIGINT_ENOMEM) {
            const int defined = p->twin(v.z[0], v.z[1], v.z[2], w);
            EXPECT_EQ(status, defined ? BIGINT_OK : p->refusal);
        }
        for (int j = p->several ? 1 : 0; j < 3; j++) {
            EXPECT_BIGINT(ctx, &v.x[j], v.z[j]);
        }
        close_values(&v, ctx);
        bigint_ctx_destroy(ctx);
        cap = cap == 0 ? counters.workspace_peak : cap / 2;
    } while (cap > 0);
}

// edge: number `index` of the edges in z; returns 0 past the last.
static int edge(mpz_t z, int index) {
    static const unsigned exponents[] = {0, 1, 5, 32, 63, 64, 65, 127, 128, 129, 192};
    enum { EXPONENTS = sizeof exponents / sizeof *exponents };
    const int half = index / 2;
    if (half / 3 >= EXPONENTS) {
        return 0;
    }
    mpz_set_ui(z, 0);
    mpz_setbit(z, exponents[half / 3]);
    half % 3 == 0 ? mpz_sub_ui(z, z, 1) : mpz_add_ui(z, z, (unsigned long)(half % 3 - 1));
    if (index % 2 != 0) {
        mpz_neg(z, z);
    }
    return 1;
}

static const uint64_t words[] = {0,
                                 1,
                                 2,
                                 3,
                                 10,
                                 63,
                                 64,
                                 65,
                                 127,
                                 128,
                                 (uint64_t)1 << 32,
                                 (uint64_t)1 << 63,
                                 ((uint64_t)1 << 63) - 1,
                                 UINT64_MAX};

void paired_edges(const paired *table, int count, uint64_t word_limit) {
    enum { WORDS = sizeof words / sizeof *words };
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint_ctx *checked = fixture_ctx(&(bigint_ctx_options){.checks = 1});
    mpz_t a, b, r;
    mpz_inits(a, b, r, NULL);
    int trial = 0;
    const int some = fixture_thinning() > 1 ? 97 : 1;  // prime: all edges appear
    for (int i = 0; edge(a, i); i++) {
        for (int j = 0; edge(b, j); j++, trial++) {
            for (int op = 0; op < count && trial % some == 0; op++) {
                const int pick = (trial + 5 * op) % WORDS;
                const uint64_t w =
                    words[pick] <= word_limit ? words[pick] : words[pick] % word_limit;
                edge(r, (trial * 7 + op) % 66);
                paired_try(trial % 4 == 0 ? checked : ctx, &table[op], r, a, b, w);
            }
        }
    }
    mpz_clears(a, b, r, NULL);
    bigint_ctx_destroy(checked);
    bigint_ctx_destroy(ctx);
}

void paired_random(const paired *table, int count, uint64_t word_limit, int rounds, size_t limbs) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(30);
    bigint x = BIGINT_INIT;
    mpz_t z[3];
    for (int i = 0; i < 3; i++) {
        mpz_init(z[i]);
    }
    for (int round = 0; round <= (rounds - 1) / fixture_thinning(); round++) {
        for (int i = 0; i < 3; i++) {
            fixture_draw(&g, ctx, &x, z[i], limbs);
        }
        const uint64_t any = gen_u64(&g) >> gen_below(&g, 64);
        const uint64_t w = any <= word_limit ? any : any % word_limit;
        for (int op = 0; op < count; op++) {
            paired_try(ctx, &table[op], z[0], z[1], z[2], w);
            if (round < 3) {
                paired_fail(&table[op], z[0], z[1], z[2], w);
            }
            if (round < 3 && fixture_place() == BIGINT_HOST) {  // elsewhere operands need workspace
                paired_cap(&table[op], z[0], z[1], z[2], w);
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        mpz_clear(z[i]);
    }
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
}
