// powm_device_test.c: modular powers of batches on a device, or under the kernel emulation, against
// GMP.
#include "primitives/powm_device.h"

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
    powm_device_numbers device;
    uint64_t limbs;
} operands;

static void numbers_up(operands *x, uint64_t count, uint64_t n, uint64_t stride) {
    x->limbs = stride == 0 ? n : count * stride;
    x->host = calloc(x->limbs + 1, 8);
    x->device = (powm_device_numbers){device_alloc(8 * x->limbs + 8), n, stride, NULL, NULL};
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
        mpz_powm(z, z, e, m);
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

// run computes and checks a batch by the plan for so many multiprocessors; few of them mean more
// digits a lane.
static void run(trial *t, int multiprocessors) {
    powm_device_plan plan;
    ASSERT_EQ((int)powm_device_plan_make(&plan, t->count, 64 * t->modulus.device.n,
                                         t->exponent.device.n, multiprocessors, 0),
              (int)RESULT_OK);
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
}

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

static void fill(gen *g, operands *x, gen_shape shape) { gen_limbs(g, shape, x->host, x->limbs); }

// cut: the top limb of every number shortened at random, down to nothing.
static void cut(gen *g, operands *x, uint64_t count) {
    for (uint64_t i = 0; i < count && x->device.n > 0; i++) {
        x->host[i * x->device.stride + x->device.n - 1] >>= gen_below(g, 64);
    }
}

// --- Tests ---------------------------------------------------------------------------------------

// Random odd moduli of every number of lanes, with both kinds of lanes.
TEST(PowmDevice, OddModuliOfEveryWidth) {
    gen g = gen_seed(710);
    const uint64_t most = device_emulated() ? 24 : POWM_DEVICE_LIMBS_MAX;
    for (uint64_t mn = 1; mn <= most; mn += 1 + mn / 6) {
        for (int few = 0; few < 2; few++) {
            trial t = open_trial(5, 1 + gen_below(&g, 2 * mn), 1, mn);
            fill(&g, &t.base, GEN_UNIFORM), fill(&g, &t.modulus, GEN_UNIFORM);
            fill(&g, &t.exponent, GEN_UNIFORM);
            cut(&g, &t.modulus, t.count), cut(&g, &t.exponent, t.count);
            for (uint64_t i = 0; i < t.count; i++) {
                t.modulus.host[i * mn] |= 1;
                t.exponent.host[i] >>= device_emulated() ? 40 : 0;
            }
            run(&t, few != 0 ? 1000 : 1);
            close_trial(&t);
        }
    }
}
