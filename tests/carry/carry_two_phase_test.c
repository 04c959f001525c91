// carry_two_phase_test.c: carry/two_phase.h against GMP's value of the same coefficients, on a
// device or under the kernel emulation.
#include "carry/two_phase.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { TILE = 2048 };
static const int64_t LARGEST = INT64_C(9999999999);

// What coefficients are: up to 10^10 - 1 at random, all of that, all 9, or 9 with a 10 at place 0,
// whose carry runs through all of them.
typedef enum { RANDOM, LARGE, NINES, RIPPLE, FILLS } fill;
static const char *const fill_names[FILLS] = {"random", "large", "nines", "a ripple"};

static int64_t draw(gen *g, fill how, uint64_t i, int64_t most) {
    return how == RANDOM  ? (int64_t)gen_below(g, (uint64_t)most + 1)
           : how == LARGE ? most
                          : 9 + (how == RIPPLE && i == 0);
}

static void put(void *to, carry_form form, uint64_t i, int64_t c) {
    if (form == CARRY_F64) {
        ((double *)to)[i] = (double)c + (i % 2 ? 0.25 : -0.25);
    } else if (form == CARRY_S32) {
        ((int32_t *)to)[i] = (int32_t)c;
    } else {
        ((int64_t *)to)[i] = c;
    }
}

// expected: the last `out` digits of sum c_i 10^i.
static void expected(char *text, uint64_t out, const int64_t *c, uint64_t n) {
    mpz_t v, modulus;
    mpz_inits(v, modulus, NULL);
    for (uint64_t i = n; i-- > 0;) {
        mpz_mul_ui(v, v, 10);
        mpz_add_ui(v, v, (unsigned long)c[i]);
    }
    mpz_ui_pow_ui(modulus, 10, out);
    mpz_mod(v, v, modulus);
    mpz_add(v, v, modulus);  // leading zeros: a 1 before them, which is left out
    char *const digits = mpz_get_str(NULL, 10, v);
    memcpy(text, digits + 1, out);
    free(digits);
    mpz_clears(v, modulus, NULL);
}

static void check(carry_two_phase_job job, fill how, void *workspace, size_t bytes) {
    SCOPED_TRACE("form %d, %d coefficients, %d rows, %d digits, %s", job.form, (int)job.n,
                 (int)job.rows, (int)job.out, fill_names[how]);
    const int64_t most = job.form == CARRY_S32 ? INT32_MAX : LARGEST;
    const size_t each = job.form == CARRY_S32 ? 4 : 8;
    gen g = gen_seed(job.n + job.out);
    int64_t *const c = malloc((job.n * job.rows + 1) * sizeof *c);
    char *const coefficients = malloc((job.n * job.rows + 1) * each);
    char *const want = malloc(job.out * job.rows + 1), *const got = malloc(job.out * job.rows + 1);
    for (uint64_t row = 0; row < job.rows; row++) {
        for (uint64_t i = 0; i < job.n; i++) {
            const uint64_t at = row * job.n + i;
            c[at] = draw(&g, (fill)((how + row) % FILLS), i, most);
            put(coefficients, job.form, at, c[at]);
        }
        expected(want + row * job.out, job.out, c + row * job.n, job.n);
    }
    void *const there = device_alloc((job.n * job.rows + 1) * each);
    char *const text = device_alloc(job.out * job.rows + 1);
    ASSERT_TRUE(there != NULL && text != NULL);
    EXPECT_TRUE(device_upload(there, coefficients, job.n * job.rows * each));
    EXPECT_TRUE(carry_two_phase_bytes(&job) <= bytes);
    EXPECT_EQ(carry_two_phase(&job, text, there, workspace, bytes, NULL), RESULT_OK);
    EXPECT_TRUE(device_download(got, text, job.out * job.rows));
    EXPECT_TRUE(memcmp(got, want, job.out * job.rows) == 0);
    device_free(there), device_free(text);
    free(c), free(coefficients), free(want), free(got);
}

// One workspace serves all jobs, as in a stream. Catches a digit sent to the wrong place, or of a
// coefficient below the tile left out or counted twice, tens not taken from the tile below, a carry
// lost between threads, warps, tiles, or carried into the next row, a word of look-back that stayed
// from the last launch.
TEST(CarryTwoPhase, EqualsGmp) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const uint64_t lengths[] = {
        0, 1, 7, 8, 255, TILE - 1, TILE, TILE + 1, TILE + 9, TILE + 10, TILE + 11, 2 * TILE + 1};
    enum { LENGTHS = sizeof lengths / sizeof *lengths, BYTES = 1 << 12 };
    void *const workspace = device_alloc(BYTES);
    ASSERT_TRUE(workspace != NULL && device_fill(workspace, 0, BYTES));
    static const carry_form forms[] = {CARRY_U64, CARRY_S64, CARRY_S32, CARRY_F64};
    for (unsigned form = 0; form < 4; form++) {
        for (unsigned i = 0; i < LENGTHS; i++) {
            for (fill how = RANDOM; how < FILLS; how++) {
                const uint64_t n = lengths[i];
                check((carry_two_phase_job){forms[form], n, 1 + i % 3, n + 10}, how, workspace,
                      BYTES);
                check((carry_two_phase_job){forms[form], n, 2, n / 2}, how, workspace, BYTES);
            }
        }
    }
    device_free(workspace);
}

// Mutations: a job beyond the limits is run, too small a workspace is used.
TEST(CarryTwoPhase, Refuses) {
    carry_two_phase_job job = {CARRY_S64, 10, 1, 20};
    EXPECT_EQ(carry_two_phase(&job, NULL, NULL, NULL, carry_two_phase_bytes(&job) - 1, NULL),
              RESULT_REFUSED);
    job.rows = UINT64_C(1) << 23;
    EXPECT_EQ(carry_two_phase_bytes(&job), (size_t)0);
    job = (carry_two_phase_job){CARRY_FORMS, 10, 1, 20};
    EXPECT_EQ(carry_two_phase_bytes(&job), (size_t)0);
}
