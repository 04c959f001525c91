// division_device_test.c: quotients, products modulo numbers and inverses of batches on a device,
// or under the kernel emulation, against GMP.
#include "primitives/residues/division_device.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

// --- One batch -----------------------------------------------------------------------------------

// operand: `count` numbers of n limbs in host memory, one after the other, and on the device.
typedef struct {
    uint64_t *host;
    numbers_device device;
    uint64_t limbs;
} operand;

static operand operand_open(uint64_t count, uint64_t n) {
    operand x = {.limbs = count * n};
    x.host = calloc(x.limbs + 1, 8);
    x.device = (numbers_device){device_alloc(8 * x.limbs + 8), n, n, NULL, NULL};
    return x;
}

static void operand_close(operand *x) {
    free(x->host);
    device_free(x->device.p);
}

static uint64_t *limbs_of(const operand *x, uint64_t i) { return x->host + i * x->device.n; }

static void number_of(mpz_t z, const operand *x, uint64_t i) {
    mpz_import(z, x->device.n, -1, 8, 0, 0, limbs_of(x, i));
}

typedef struct {
    operand a, b, modulus, q, r;
    uint64_t count;
} trial;

static trial trial_open(uint64_t count, uint64_t an, uint64_t bn, uint64_t mn) {
    return (trial){operand_open(count, an),     operand_open(count, bn),
                   operand_open(count, mn),     operand_open(count, an + 1),
                   operand_open(count, mn + 1), count};
}

static void trial_close(trial *t) {
    operand_close(&t->a), operand_close(&t->b), operand_close(&t->modulus);
    operand_close(&t->q), operand_close(&t->r);
}

// wanted: GMP's results; 0 for modulus 0, and where there is no inverse, as modulo 1.
static void wanted(mpz_t q, mpz_t r, const trial *t, division_device_work work, uint64_t i) {
    mpz_t a, b, m;
    mpz_inits(a, b, m, NULL);
    number_of(a, &t->a, i), number_of(b, &t->b, i), number_of(m, &t->modulus, i);
    mpz_set_ui(q, 0), mpz_set_ui(r, 0);
    if (mpz_sgn(m) == 0) {
    } else if (work == DIVISION_DEVICE_PRODUCT) {
        mpz_mul(r, a, b), mpz_mod(r, r, m);
    } else if (work == DIVISION_DEVICE_QUOTIENT) {
        mpz_tdiv_qr(q, r, a, m);
    } else if (mpz_cmp_ui(m, 1) == 0 || mpz_invert(r, a, m) == 0) {
        mpz_set_ui(r, 0);
    }
    mpz_clears(a, b, m, NULL);
}

static void check_results(const trial *t, division_device_work work, bool quotient) {
    mpz_t q, r, got;
    mpz_inits(q, r, got, NULL);
    for (uint64_t i = 0; i < t->count; i++) {
        wanted(q, r, t, work, i);
        number_of(got, &t->r, i);
        const bool right = mpz_cmp(got, r) == 0;
        number_of(got, &t->q, i);
        if (!right || (quotient && mpz_cmp(got, q) != 0)) {
            SCOPED_TRACE("work %d, item %d of %d: %d and %d limbs modulo %d", (int)work, (int)i,
                         (int)t->count, (int)t->a.device.n, (int)t->b.device.n,
                         (int)t->modulus.device.n);
            EXPECT_TRUE(right);
            EXPECT_EQ(mpz_cmp(got, q), 0);
            break;
        }
    }
    mpz_clears(q, r, got, NULL);
}

// run computes and checks a batch. On two multiprocessors, so that longer ones take several rounds.
static void run(trial *t, division_device_work work) {
    const bool quotient = work == DIVISION_DEVICE_QUOTIENT;
    division_device_plan plan;
    ASSERT_EQ((int)division_device_plan_make(&plan, work, t->count, t->modulus.device.n,
                                             quotient ? t->a.device.n : 0, 2, 0),
              (int)RESULT_OK);
    operand *const inputs[] = {&t->a, &t->b, &t->modulus};
    for (int k = 0; k < 3; k++) {
        EXPECT_TRUE(device_upload(inputs[k]->device.p, inputs[k]->host, 8 * inputs[k]->limbs));
    }
    void *workspace = device_alloc(plan.workspace_bytes + 8);
    const division_device_batch batch = {.count = t->count,
                                         .a = t->a.device,
                                         .b = t->b.device,
                                         .modulus = t->modulus.device,
                                         .q = t->q.device,
                                         .r = t->r.device};
    EXPECT_EQ((int)division_device(&plan, &batch, workspace, NULL), (int)RESULT_OK);
    EXPECT_TRUE(device_download(t->r.host, t->r.device.p, 8 * t->r.limbs));
    EXPECT_TRUE(device_download(t->q.host, t->q.device.p, 8 * t->q.limbs));
    check_results(t, work, quotient);
    device_free(workspace);
}

static void run_all(trial *t) {
    run(t, DIVISION_DEVICE_PRODUCT), run(t, DIVISION_DEVICE_QUOTIENT);
    if (t->a.device.n <= t->modulus.device.n) {
        run(t, DIVISION_DEVICE_INVERSE);
    }
}

// draw: random numbers, whose top limbs are cut at random, down to nothing.
static void draw(gen *g, operand *x, uint64_t count) {
    for (uint64_t i = 0; i < count && x->device.n > 0; i++) {
        gen_limbs(g, GEN_UNIFORM, limbs_of(x, i), x->device.n);
        limbs_of(x, i)[x->device.n - 1] >>= gen_below(g, 64);
    }
}

// --- Tests ---------------------------------------------------------------------------------------

// Random numbers modulo numbers of every number of lanes, odd and even, with longer and shorter
// factors. Mutations: a column that does not cross lanes, the lanes that are left over store, a
// row too few, a quotient's carry lost, an even modulus taken as an odd one, a sign of d ignored.
TEST(DivisionDevice, ModuliOfEveryWidth) {
    gen g = gen_seed(1010);
    const uint64_t most = device_emulated() ? 40 : DIVISION_DEVICE_LIMBS_MAX;
    for (uint64_t mn = 1; mn <= most; mn += 1 + mn / 4) {
        const uint64_t lengths[] = {mn, gen_below(&g, mn + 1), mn + gen_below(&g, mn + 9)};
        for (int k = 0; k < 3; k++) {
            trial t = trial_open(device_emulated() ? 5 : 300, lengths[k], lengths[(k + 1) % 3], mn);
            draw(&g, &t.a, t.count), draw(&g, &t.b, t.count), draw(&g, &t.modulus, t.count);
            run_all(&t);
            trial_close(&t);
        }
    }
}

// Shapes that carry far, and make quotients of digits all ones: moduli 2^k +- 1, all ones, powers
// of 2, 0 and 1; factors M - 1, M, 0, all ones. Mutations: the last subtraction left out, q one too
// large or three too small, a scale by a bit too few, results of modulus 0 or 1.
TEST(DivisionDevice, EdgesOfValues) {
    gen g = gen_seed(1011);
    static const gen_shape shapes[] = {GEN_ONES,  GEN_POWER_PLUS, GEN_POWER_MINUS,
                                       GEN_POWER, GEN_ZERO,       GEN_SPARSE};
    enum { COUNT = 48 };
    for (uint64_t n = 1; n <= 20; n += n < 4 ? 1 : 8) {
        trial t = trial_open(COUNT, n, n, n);
        for (uint64_t i = 0; i < COUNT; i++) {
            uint64_t *const m = limbs_of(&t.modulus, i);
            gen_limbs(&g, shapes[i % 6], m, n);
            if (i % 12 == 10) {
                memset(m, 0, n * sizeof *m), m[0] = 1;
            }
            uint64_t *const both[] = {limbs_of(&t.a, i), limbs_of(&t.b, i)};
            for (int k = 0; k < 2; k++) {
                const uint64_t shape = (i / 6 + (uint64_t)k * (i / 24)) % 4;
                memcpy(both[k], m, n * sizeof *m);
                both[k][0] -= shape == 1;
                if (shape >= 2) {
                    memset(both[k], shape == 2 ? 0xff : 0, n * sizeof *m);
                }
                both[k][0] += shape == 3 && i % 3 == 0;  // 1
            }
        }
        run_all(&t);
        trial_close(&t);
    }
}

// Every pair below 48, where all of 0, 1, common factors and even moduli occur. Mutations: 1 mod 1,
// an inverse that is not reduced, of numbers that are not coprime, of a = 1 modulo even numbers.
TEST(DivisionDevice, SmallNumbers) {
    enum { MOST = 48 };
    trial t = trial_open(MOST * MOST, 1, 1, 1);
    for (uint64_t i = 0; i < t.count; i++) {
        t.a.host[i] = i % MOST, t.modulus.host[i] = i / MOST, t.b.host[i] = i % 7;
    }
    run_all(&t);
    trial_close(&t);
}

// Dividends of many times the divisor's length, and divisors of one bit in many lanes. Mutations:
// digits of the dividend from the wrong chunk, quotients that overlap, a carry across chunks.
TEST(DivisionDevice, LongDividends) {
    gen g = gen_seed(1012);
    for (uint64_t mn = 1; mn <= 20; mn = 3 * mn + 2) {
        trial t = trial_open(7, 9 * mn + 40, 5 * mn + 3, mn);
        draw(&g, &t.a, t.count), draw(&g, &t.b, t.count), draw(&g, &t.modulus, t.count);
        memset(limbs_of(&t.a, 0), 0xff, 8 * t.a.device.n);
        memset(limbs_of(&t.modulus, 0), 0, 8 * mn), limbs_of(&t.modulus, 0)[0] = 1;
        memset(limbs_of(&t.a, 1), 0xff, 8 * t.a.device.n);
        memset(limbs_of(&t.modulus, 1), 0, 8 * mn), limbs_of(&t.modulus, 1)[0] = 3;
        run_all(&t);
        trial_close(&t);
    }
}

// One item alone, so that no neighbour's rows help: all ones of as many limbs as the modulus has,
// which begins with a bit anywhere in its top limb. Mutation: dividends of up to 4 M and no row.
TEST(DivisionDevice, DividendsJustLonger) {
    for (uint64_t bits = 1; bits <= 192; bits++) {
        const uint64_t n = (bits + 63) / 64;
        trial t = trial_open(1, n, n, n);
        memset(t.a.host, 0xff, 8 * n), memset(t.b.host, 0xff, 8 * n);
        t.modulus.host[n - 1] = UINT64_C(1) << (bits - 1) % 64;
        t.modulus.host[0] |= 1;
        run_all(&t);
        trial_close(&t);
    }
}

// Batches of 1, some, one more than a round holds; one modulus or factor for all. Mutations: a
// group works on its neighbour's number, a round too few, stride 0 advances.
TEST(DivisionDevice, BatchesOfEverySize) {
    gen g = gen_seed(1013);
    const uint64_t counts[] = {1, 3, 100, device_emulated() ? 600 : 100001};
    for (int c = 0; c < 4; c++) {
        trial t = trial_open(counts[c], 2, 2, 2);
        draw(&g, &t.a, t.count), draw(&g, &t.b, t.count), draw(&g, &t.modulus, t.count);
        for (uint64_t i = 1; i < t.count && c > 0; i++) {
            memcpy(limbs_of(c == 2 ? &t.a : &t.modulus, i), c == 2 ? t.a.host : t.modulus.host, 16);
        }
        (c == 2 ? &t.a : &t.modulus)->device.stride = c > 0 ? 0 : 2;
        run_all(&t);
        trial_close(&t);
    }
}

// Mutations: a plan for moduli that are too long, for no block, with fewer lanes than digits.
TEST(DivisionDevice, Plans) {
    division_device_plan plan;
    for (uint64_t n = 1; n <= DIVISION_DEVICE_LIMBS_MAX; n++) {
        ASSERT_EQ((int)division_device_plan_make(&plan, DIVISION_DEVICE_QUOTIENT, 1000000, n, n + 1,
                                                 132, 0),
                  (int)RESULT_OK);
        EXPECT_TRUE(48 * DIVISION_DEVICE_EACH * plan.lanes >= 64 * n + 2 && plan.lanes <= 32);
        const uint64_t most = plan.workspace_bytes / plan.blocks;
        EXPECT_EQ((int)division_device_plan_make(&plan, DIVISION_DEVICE_QUOTIENT, 1000000, n, n + 1,
                                                 132, most),
                  (int)RESULT_OK);
        EXPECT_TRUE(plan.blocks == 1 && plan.workspace_bytes == most);
        EXPECT_EQ((int)division_device_plan_make(&plan, DIVISION_DEVICE_QUOTIENT, 1000000, n, n + 1,
                                                 132, most - 1),
                  (int)RESULT_NO_MEMORY);
    }
    EXPECT_EQ((int)division_device_plan_make(&plan, DIVISION_DEVICE_PRODUCT, 1,
                                             DIVISION_DEVICE_LIMBS_MAX + 1, 0, 132, 0),
              (int)RESULT_REFUSED);
}
