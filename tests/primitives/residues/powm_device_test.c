// powm_device_test.c: modular powers of batches on a device, or under the kernel emulation, against
// GMP.
#include "primitives/residues/powm_device.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

// --- One batch -----------------------------------------------------------------------------------

// operands: `count` numbers in host memory, one after the other, and what the batch sees of them.
typedef struct {
    uint64_t *host;
    numbers_device device;
    uint64_t limbs;
} operands;

static void numbers_up(operands *x, uint64_t count, uint64_t n, uint64_t stride) {
    x->limbs = stride == 0 ? n : count * stride;
    x->host = calloc(x->limbs + 1, 8);
    x->device = (numbers_device){device_alloc(8 * x->limbs + 8), n, stride, NULL, NULL};
}

static void numbers_down(operands *x) {
    free(x->host);
    device_free(x->device.p);
}

typedef struct {
    operands r, base, exponent, modulus;
    uint64_t count;
    bool negative, secret;
} trial;

static void number_of(mpz_t z, const operands *x, uint64_t i) {
    mpz_import(z, x->device.n, -1, 8, 0, 0, x->host + i * x->device.stride);
}

// want: GMP's power; 0 for modulus 0.
static void want(mpz_t z, const trial *t, uint64_t i) {
    mpz_t e, m;
    mpz_inits(e, m, NULL);
    number_of(z, &t->base, i), number_of(e, &t->exponent, i), number_of(m, &t->modulus, i);
    if (t->negative) {
        mpz_neg(z, z);
    }
    if (mpz_sgn(m) == 0) {
        mpz_set_ui(z, 0);
    } else {
        mpz_powm(z, z, e, m);  // of -0 too
    }
    mpz_clears(e, m, NULL);
}

static void check_results(const trial *t) {
    mpz_t z, got;
    mpz_inits(z, got, NULL);
    for (uint64_t i = 0; i < t->count; i++) {
        want(z, t, i), number_of(got, &t->r, i);
        if (mpz_cmp(z, got) != 0) {
            SCOPED_TRACE("power %d of %d, base %d limbs, exponent %d, modulus %d", (int)i,
                         (int)t->count, (int)t->base.device.n, (int)t->exponent.device.n,
                         (int)t->modulus.device.n);
            EXPECT_EQ(mpz_cmp(z, got), 0);
            break;
        }
    }
    mpz_clears(z, got, NULL);
}

// way: how a batch is computed: the number of tiles, or of digits a lane.
typedef struct {
    unsigned tiles, each;
} way;

// run computes and checks a batch; false if numbers are too long for that way. On two
// multiprocessors, so that longer batches take several rounds.
static bool run(trial *t, way by) {
    powm_device_plan plan;
    const uint64_t bits = 64 * t->modulus.device.n, en = t->exponent.device.n;
    const result planned = by.tiles > 0
                               ? powm_device_plan_tiles(&plan, by.tiles, t->count, bits, en, 2, 0)
                               : powm_device_plan_each(&plan, by.each, t->count, bits, en, 2, 0);
    if (planned != RESULT_OK) {
        return false;
    }
    operands *const inputs[] = {&t->base, &t->exponent, &t->modulus};
    for (int k = 0; k < 3; k++) {
        EXPECT_TRUE(device_upload(inputs[k]->device.p, inputs[k]->host, 8 * inputs[k]->limbs));
    }
    void *workspace = device_alloc(plan.workspace_bytes);
    uint64_t *negative = device_alloc(8 * t->count);
    EXPECT_TRUE(device_fill(negative, 1, 8 * t->count));
    const powm_device_batch batch = {.count = t->count,
                                     .r = t->r.device,
                                     .base = t->base.device,
                                     .exponent = t->exponent.device,
                                     .modulus = t->modulus.device,
                                     .negative = t->negative ? negative : NULL,
                                     .secret = t->secret};
    EXPECT_EQ((int)powm_device(&plan, &batch, workspace, NULL), (int)RESULT_OK);
    EXPECT_TRUE(device_download(t->r.host, t->r.device.p, 8 * t->r.limbs));
    check_results(t);
    device_free(workspace), device_free(negative);
    return true;
}

// Tiles come last: under the emulation they take long.
enum { DIGITS = 4, WAYS = 11 };
static const way ways[WAYS] = {{0, POWM_DEVICE_EACH_FEW},
                               {0, POWM_DEVICE_EACH_SOME},
                               {0, POWM_DEVICE_EACH_MORE},
                               {0, POWM_DEVICE_EACH},
                               {2, 0},
                               {3, 0},
                               {4, 0},
                               {6, 0},
                               {8, 0},
                               {12, 0},
                               {16, 0}};

static trial open_trial(uint64_t count, uint64_t bn, uint64_t en, uint64_t mn) {
    trial t = {.count = count};
    numbers_up(&t.r, count, mn, mn + 1);
    numbers_up(&t.base, count, bn, bn);
    numbers_up(&t.exponent, count, en, en);
    numbers_up(&t.modulus, count, mn, mn);
    return t;
}

static void close_trial(trial *t) {
    numbers_down(&t->r), numbers_down(&t->base);
    numbers_down(&t->exponent), numbers_down(&t->modulus);
}

static void fill(gen *g, operands *x, gen_shape shape) {
    if (x->limbs > 0) {
        gen_limbs(g, shape, x->host, x->limbs);
    }
}

// cut: the top limb of every number shortened at random, down to nothing.
static void cut(gen *g, operands *x, uint64_t count) {
    for (uint64_t i = 0; i < count && x->device.n > 0; i++) {
        x->host[i * x->device.stride + x->device.n - 1] >>= gen_below(g, 64);
    }
}

// --- Tests ---------------------------------------------------------------------------------------

// Random moduli of every number of lanes, one in three even, with all kinds of lanes and exponents
// of many lengths. Mutations: a carry that does not cross lanes, the lanes that are left over
// store, a piece of a long base left out, twos counted from the wrong lane, a window at the wrong
// bit.
TEST(PowmDevice, ModuliOfEveryWidth) {
    gen g = gen_seed(710);
    const uint64_t most = device_emulated() ? 24 : POWM_DEVICE_LIMBS_MAX;
    for (uint64_t mn = 1; mn <= most; mn += 1 + mn / 5) {
        for (int k = 0; k < (device_emulated() ? DIGITS : WAYS); k++) {
            trial t = open_trial(5, gen_below(&g, 2 * mn + 3), 1, mn);
            fill(&g, &t.base, GEN_UNIFORM), fill(&g, &t.modulus, GEN_UNIFORM);
            fill(&g, &t.exponent, GEN_UNIFORM);
            cut(&g, &t.modulus, t.count), cut(&g, &t.exponent, t.count);
            for (uint64_t i = 0; i < t.count; i++) {
                t.modulus.host[i * mn] |= i % 3 != 0;
                t.exponent.host[i] >>= device_emulated() ? 40 : 0;
            }
            EXPECT_TRUE(run(&t, ways[k]) || mn > 8);
            close_trial(&t);
        }
    }
}

// Shapes that carry far: moduli 2^k +- 1 and all ones, bases M - 1, M, 0 and all ones; exponents 0,
// 1, 2 and all ones; moduli 0, 1 and powers of 2 among them.
static void edges_of_values(gen *g, uint64_t n, way by, bool negative) {
    enum { COUNT = 24 };
    static const gen_shape shapes[] = {GEN_ONES,  GEN_POWER_PLUS, GEN_POWER_MINUS,
                                       GEN_POWER, GEN_ZERO,       GEN_SPARSE};
    trial t = open_trial(COUNT, n, 1, n);
    t.negative = negative;
    for (uint64_t i = 0; i < COUNT; i++) {
        uint64_t *const m = t.modulus.host + i * n, *const b = t.base.host + i * n;
        gen_limbs(g, shapes[i % 6], m, n);
        m[0] |= i % 12 == 5;
        if (i == 10) {
            memset(m, 0, n * sizeof *m), m[0] = 1;
        }
        memcpy(b, m, n * sizeof *m);
        b[0] -= i % 4 == 1;  // M - 1 where M is odd, with a borrow where it is a power of 2
        if (i % 4 >= 2) {
            memset(b, i % 4 == 2 ? 0xff : 0, n * sizeof *b);
        }
        static const uint64_t exponents[] = {0, 1, 2, 0xffffff, 3, 0x10001, 64};
        t.exponent.host[i] = exponents[i % 7];
    }
    EXPECT_TRUE(run(&t, by));
    close_trial(&t);
}

// In 8 and 16 limbs, which fill one lane of 10 and of 20 digits, and in more lanes. Mutations: the
// last subtraction left out or done for 2 M, borrows that stop at a lane, 0^0, the power of modulus
// 1, of 0, digits of 2^52 complemented or stored.
TEST(PowmDevice, EdgesOfValues) {
    gen g = gen_seed(711);
    static const uint64_t limbs[] = {8, 16, 20};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < DIGITS; k++) {
            edges_of_values(&g, limbs[i], ways[k], false);
            edges_of_values(&g, limbs[i], ways[k], true);
        }
    }
}

// m = o 2^k, k around digits' edges and up to nearly all of m. Mutations: an inverse with too few
// steps, the power of 2 cut at the wrong bit or not at all, residues joined with the wrong sign.
TEST(PowmDevice, EvenModuli) {
    gen g = gen_seed(713);
    enum { N = 9, COUNT = 10 };
    static const unsigned twos[COUNT] = {1, 51, 52, 53, 104, 208, 260, 300, 500, 570};
    for (int k = 0; k < DIGITS; k++) {
        trial t = open_trial(COUNT, N + 3, 1, N);
        fill(&g, &t.base, GEN_UNIFORM);
        mpz_t m;
        mpz_init(m);
        for (uint64_t i = 0; i < COUNT; i++) {
            uint64_t *const to = t.modulus.host + i * N;
            gen_limbs(&g, GEN_UNIFORM, to, N);
            to[0] |= 1;
            mpz_import(m, N, -1, 8, 0, 0, to);
            mpz_fdiv_r_2exp(m, m, 64 * N - twos[i]);
            mpz_mul_2exp(m, m, twos[i]);
            memset(to, 0, N * sizeof *to);
            mpz_export(to, NULL, -1, 8, 0, 0, m);
            t.exponent.host[i] = 1 + gen_below(&g, 1000);
        }
        mpz_clear(m);
        EXPECT_TRUE(run(&t, ways[k]));
        close_trial(&t);
    }
}

// Numbers of whole tiles and of a few limbs in as many: shapes that carry far, moduli 1, 0, 3 and
// even ones among them, bases longer than moduli, all kinds of exponents, public and secret.
// Mutations: a carry out of columns or out of lanes lost, one counted twice where limbs are all
// ones, what lies below the upper half of Q M rounded down, the last subtraction left out, one
// product of fragments left out of a half, a shifted copy of the last modulus kept.
TEST(PowmDevice, Tiles) {
    gen g = gen_seed(714);
    static const gen_shape shapes[] = {GEN_ONES,        GEN_POWER_PLUS, GEN_UNIFORM, GEN_SPARSE,
                                       GEN_POWER_MINUS, GEN_UNIFORM,    GEN_ZERO,    GEN_POWER};
    const bool emulated = device_emulated();
    for (int k = DIGITS; k < (emulated ? DIGITS + 2 : WAYS); k++) {
        const unsigned rounds = !emulated ? 8 : k == DIGITS ? 1 : 3;
        for (unsigned round = 0; round < rounds; round++) {
            const uint64_t mn = round % 3 == 2 ? 3 : 16 * ways[k].tiles - round % 3;
            trial t = open_trial(emulated ? 4 : 300, mn + 1, 1, mn);
            t.negative = round % 2 == 1, t.secret = round == 2;
            for (uint64_t i = 0; i < t.count; i++) {
                uint64_t *const m = t.modulus.host + i * mn, *const b = t.base.host + i * (mn + 1);
                const uint64_t j = i + 4 * round;
                gen_limbs(&g, shapes[j % 8], m, mn);
                m[0] |= j % 4 != 3 && j % 8 != 6;
                if (j % 16 == 9 || j % 16 == 10) {
                    memset(m, 0, mn * sizeof *m), m[0] = j % 16 == 9 ? 3 : 1;
                }
                memcpy(b, m, mn * sizeof *m);
                b[0] -= i % 3 == 1;  // M - 1
                if (i % 3 == 2) {
                    gen_limbs(&g, i % 2 == 0 ? GEN_ONES : GEN_UNIFORM, b, mn + 1);
                }
                static const uint64_t exponents[] = {3, 0, 0xff, 1, 2, UINT64_MAX, 0x10001};
                t.exponent.host[i] = exponents[i % (emulated ? 3 : 7)];
            }
            EXPECT_TRUE(run(&t, ways[k]));
            close_trial(&t);
        }
    }
}

// Exponents of all shapes and lengths side by side in a warp, in one lane and in several: ones and
// zeros longer than what is seen at once, windows that end where those begin. Mutations: a window
// whose end is not seen, a zero left out, groups that go on squaring when nothing is left, an entry
// for an even number, windows of groups in step that begin at each one's own length.
TEST(PowmDevice, ExponentsOfEveryShape) {
    gen g = gen_seed(715);
    enum { COUNT = 12, EN = 2 };
    static const gen_shape shapes[] = {GEN_SPARSE, GEN_POWER_PLUS, GEN_UNIFORM,
                                       GEN_POWER,  GEN_ONES,       GEN_POWER_MINUS};
    for (int k = 0; k < (device_emulated() ? DIGITS : WAYS); k += device_emulated() ? 3 : 1) {
        for (uint64_t mn = 3; mn <= 7; mn += 4) {
            for (int secret = 0; secret < (mn == 3 ? 2 : 1); secret++) {
                trial t = open_trial(COUNT, mn, EN, mn);
                t.secret = secret == 1;
                fill(&g, &t.base, GEN_UNIFORM), fill(&g, &t.modulus, GEN_UNIFORM);
                for (uint64_t i = 0; i < COUNT; i++) {
                    t.modulus.host[i * mn] |= i % 5 != 4;
                    gen_limbs(&g, shapes[i % 6], t.exponent.host + EN * i, EN - i / 6 % EN);
                }
                EXPECT_TRUE(run(&t, ways[k]));
                close_trial(&t);
            }
        }
    }
}

// Batches of 1, a few, one more than a round holds; one base, exponent or modulus for all; secret
// exponents, whose windows are read by masks. Mutations: a group works on its neighbour's number, a
// round too few, stride 0 advances, a mask that selects the entry below.
TEST(PowmDevice, BatchesOfEverySize) {
    gen g = gen_seed(712);
    const uint64_t counts[] = {1, 2, 7, 100, device_emulated() ? 300 : 100001};
    for (int c = 0; c < 5; c++) {
        for (int k = 0; k < DIGITS; k++) {
            trial t = open_trial(counts[c], 2, 1, 2);
            t.secret = c == 1 || c == 2;
            numbers_device *const all[] = {&t.base.device, &t.exponent.device, &t.modulus.device};
            fill(&g, &t.base, GEN_UNIFORM), fill(&g, &t.modulus, GEN_UNIFORM);
            for (uint64_t i = 0; i < t.count; i++) {
                t.modulus.host[2 * i] |= 1;
                t.exponent.host[i] = gen_below(&g, t.secret ? UINT64_MAX : 1000);
            }
            if (c > 0) {
                all[(c + k) % 3]->stride = 0;
            }
            EXPECT_TRUE(run(&t, ways[k]));
            close_trial(&t);
        }
    }
}

// Mutations: a plan for numbers that are too long, for no block, with fewer lanes than digits; long
// moduli without a plan.
TEST(PowmDevice, Plans) {
    powm_device_plan plan;
    for (uint64_t bits = 1; bits <= POWM_DEVICE_BITS_MAX; bits += 1 + bits / 7) {
        for (uint64_t count = 1; count < 1000000; count *= 30) {
            ASSERT_EQ((int)powm_device_plan_make(&plan, count, bits, 20, 132, 0), (int)RESULT_OK);
            if (plan.tiles > 0) {
                EXPECT_TRUE(1024 * plan.tiles >= bits);
            } else {
                EXPECT_TRUE(52 * plan.each * plan.lanes >= bits + 2 && plan.lanes <= 32);
                EXPECT_TRUE(52 * plan.each * (plan.lanes - 1) < bits + 2);
            }
            EXPECT_TRUE(plan.blocks > 0 && plan.window > 1);
            const uint64_t most = plan.workspace_bytes / plan.blocks;
            EXPECT_EQ((int)powm_device_plan_make(&plan, count, bits, 20, 132, most),
                      (int)RESULT_OK);
            EXPECT_TRUE(plan.blocks == 1 && plan.workspace_bytes == most);
            EXPECT_EQ((int)powm_device_plan_make(&plan, count, bits, 20, 132, most - 1),
                      (int)RESULT_NO_MEMORY);
        }
    }
    EXPECT_EQ((int)powm_device_plan_make(&plan, 1, POWM_DEVICE_BITS_MAX, 1, 132, 0),
              (int)RESULT_OK);
    EXPECT_EQ((int)powm_device_plan_make(&plan, 1, POWM_DEVICE_BITS_MAX + 1, 1, 132, 0),
              (int)RESULT_REFUSED);
    EXPECT_EQ((int)powm_device_plan_make(&plan, 1, 64, POWM_DEVICE_EXPONENT_MAX + 1, 132, 0),
              (int)RESULT_REFUSED);
}
