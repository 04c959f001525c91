// carry_device_test.c: carry/device.h against GMP's value of the same coefficients, on a device or
// under the kernel emulation. May include everything.
#include "carry/device.h"

#include <stdlib.h>

#include "tests/carry/model.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

typedef struct {
    carry_job job;
    fill how;
    unsigned pad;  // words by which the result is moved off a 16-byte boundary
} carry_case;

static void check(const carry_case *c, gen *g) {
    const carry_job *job = &c->job;
    SCOPED_TRACE("form %d radix %d words %u w %u n %d rows %d out %d, %s, pad %u", job->form,
                 job->radix, job->words, job->w, (int)job->n, (int)job->rows, (int)job->out,
                 fill_names[c->how], c->pad);
    ASSERT_TRUE(carry_device_valid(job));
    const uint64_t extra = carry_device_extra(job), all = job->out + extra, rows = job->rows;
    const size_t bytes = carry_model_bytes(job);
    uint8_t *coefficients = calloc(rows * job->n + 1, bytes);
    uint64_t *want = calloc(rows * all + 1, 8), *got = calloc(rows * all + c->pad + 1, 8);
    for (uint64_t row = 0; row < rows; row++) {
        const fill mixed[] = {ZERO, MINUS_ONE, NINES_ONLY};
        const fill how = c->how == MIXED ? mixed[row % 3] : c->how;
        uint8_t *first = coefficients + row * job->n * bytes;
        carry_model_fill(first, g, job, how);
        carry_model_expected(want + row * all, all, first, job);
    }
    const size_t workspace_bytes = carry_device_workspace_bytes(job);
    uint8_t *in = device_alloc(rows * job->n * bytes + 8);
    uint64_t *out = device_alloc(8 * (rows * all + c->pad + 1));
    void *workspace = device_alloc(workspace_bytes);
    ASSERT_TRUE(in != NULL && out != NULL && workspace != NULL);
    ASSERT_TRUE(device_upload(in, coefficients, rows * job->n * bytes));
    ASSERT_TRUE(device_fill(workspace, 0, workspace_bytes));
    uint64_t *carry_out = out + c->pad + rows * job->out;
    ASSERT_EQ(carry_device(job, out + c->pad, carry_out, in, workspace, workspace_bytes, NULL),
              RESULT_OK);
    ASSERT_TRUE(device_download(got, out, 8 * (rows * all + c->pad)));
    for (uint64_t row = 0; row < rows; row++) {
        const uint64_t *limbs = got + c->pad + row * job->out;
        const uint64_t *beyond = got + c->pad + rows * job->out + row * extra;
        ASSERT_LIMBS_EQ(limbs, want + row * all, job->out);
        ASSERT_LIMBS_EQ(beyond, want + row * all + job->out, extra);
    }
    device_free(in);
    device_free(out);
    device_free(workspace);
    free(coefficients);
    free(want);
    free(got);
}

// The least result that reaches to the last coefficient, and `more` beyond.
static carry_job job_of(carry_form form, carry_radix radix, unsigned words, unsigned w, uint64_t n,
                        uint64_t more) {
    carry_job job = {form, radix, words, w, n, 1, 0};
    job.out = more + (radix == CARRY_POW2 ? (n * w + 63) / 64 : n);
    return job;
}

static bool skip_unsigned(const carry_job *job, fill how) {
    return !carry_model_signed(job) && (how == SMALLEST || how == MINUS_ONE);
}

// Catches a shift by a whole word, a window that is one word short, the bias left out or added
// twice, a sign not extended, a spill not taken from the lane below, a carry lost between limbs,
// lanes or warps, digits read beyond the last coefficient.
TEST(CarryDevice, EveryWidthEveryForm) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(1);
    const unsigned step = getenv("LONGMUL_SMALL") != NULL ? 3 : 1;
    for (unsigned words = 1; words <= CARRY_DEVICE_WORDS_MAX; words += step) {
        const unsigned widths[] = {
            1, 7, 16, 31, 56, 57, 59, 61, 63, 64, 65, 127, 128, 64 * words - 1, 64 * words};
        for (unsigned i = 0; i < sizeof widths / sizeof *widths; i++) {
            if (widths[i] > 64 * words) {
                continue;
            }
            for (unsigned f = 0; f < FILLS; f += step) {
                for (unsigned form = CARRY_U64; form <= CARRY_S64; form++) {
                    const uint64_t n = 1 + gen_below(&g, 1 + 20000 / widths[i]);
                    carry_case c = {job_of((carry_form)form, CARRY_POW2, words, widths[i],
                                           n < 600 ? n : 600, gen_below(&g, 3)),
                                    (fill)f, (unsigned)gen_below(&g, 2)};
                    if (!skip_unsigned(&c.job, c.how)) {
                        check(&c, &g);
                    }
                }
            }
        }
    }
}

// The same for the forms of one word, and radix 10^w.
TEST(CarryDevice, DoublesColumnsAndDecimalDigits) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(2);
    for (unsigned form = 0; form < CARRY_FORMS; form++) {
        for (unsigned f = 0; f < FILLS; f++) {
            const unsigned widths[] = {1, 4, 9, 18, 19};
            for (unsigned i = 0; i < 5; i++) {
                for (unsigned words = 1; words <= (form <= CARRY_S64 ? 7u : 1u); words += 2) {
                    carry_case c = {job_of((carry_form)form, CARRY_POW10, words, widths[i],
                                           1 + gen_below(&g, 300), gen_below(&g, 3)),
                                    (fill)f, 0};
                    if (!skip_unsigned(&c.job, c.how)) {
                        check(&c, &g);
                    }
                }
            }
            if (form >= CARRY_S32) {
                const unsigned widths2[] = {3, 8, 16, 24, 64};
                for (unsigned i = 0; i < 5; i++) {
                    carry_case c = {job_of((carry_form)form, CARRY_POW2, 1, widths2[i],
                                           1 + gen_below(&g, 600), 0),
                                    (fill)f, 0};
                    check(&c, &g);
                }
            }
        }
    }
}

// Several tiles: catches a look-back that gives a tile its own carry, a tile that says "kill" while
// it propagates, the first tile of a row that asks for what is before it, rows that meet, and, in
// random orders of threads and blocks, a missing barrier.
TEST(CarryDevice, CarriesThroughManyTilesInEveryOrder) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(3);
    for (unsigned order = 0; order < (getenv("LONGMUL_SMALL") != NULL ? 2u : 6u); order++) {
        device_order(order);
        for (unsigned f = 0; f < FILLS; f++) {
            carry_case limbs = {job_of(order % 2 ? CARRY_S64 : CARRY_U64, CARRY_POW2, 1 + order % 4,
                                       64, 3500 + gen_below(&g, 1000), order),
                                (fill)f, order % 2};
            carry_case digits = {
                job_of(order % 2 ? CARRY_F64 : CARRY_U64, CARRY_POW10, 1, 10 + order, 3000, order),
                (fill)f, 0};
            carry_case rows = {job_of(CARRY_S64, CARRY_POW2, 3, 60, 500 + 600 * (order % 3), 2),
                               (fill)f, 0};
            rows.job.rows = 5;
            carry_case digit_rows = {job_of(CARRY_S64, CARRY_POW10, 1, 1, 1 + 999 * (order % 4), 2),
                                     (fill)f, 0};
            digit_rows.job.rows = 3;
            if (!skip_unsigned(&limbs.job, limbs.how)) {
                check(&limbs, &g);
                check(&digits, &g);
            }
            check(&rows, &g);
            check(&digit_rows, &g);
        }
        for (unsigned i = 0; i < 4; i++) {
            carry_case mixed = {job_of(CARRY_S64, i % 2 ? CARRY_POW10 : CARRY_POW2, 1, 15 + i,
                                       4000 + 5000 * (i % 2 == 0), 0),
                                MIXED, 0};
            mixed.job.rows = 4;
            check(&mixed, &g);
        }
    }
    device_order(0);
}

// Long enough for waves: catches a slot of shared memory that is written again too early, a tile
// whose limbs are stored with another's carry, a wave that takes the products of the one before.
TEST(CarryDevice, CarriesThroughManyWaves) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(5);
    const unsigned long_enough = device_emulated() ? 9000 : 900000;
    const fill fills[] = {UNIFORM, NINES, NINES_ONLY, MINUS_ONE, ALTERNATING};
    const bool few = getenv("LONGMUL_SMALL") != NULL;
    for (unsigned words = 1; words <= CARRY_DEVICE_WORDS_MAX; words += few ? 3 : 1) {
        for (unsigned i = 0; i < (few ? 1u : 5u); i++) {
            device_order(device_emulated() ? words * 5 + i : 0);
            const uint64_t n = long_enough * (words <= 3 ? 2 : 1);
            carry_case c = {job_of(CARRY_S64, CARRY_POW2, words, words == 2 ? 61 : 64, n, 0),
                            fills[i], i % 2};
            check(&c, &g);
        }
    }
    // A row of zero carries out at its top, and one of minus one would pass it on. Under emulation
    // the last rows have three tiles, for two blocks.
    for (unsigned i = 0; i < (few ? 1u : 4u); i++) {
        const carry_job job = i < 2 ? job_of(CARRY_F64, CARRY_POW2, 1, 16, long_enough, 2)
                                    : job_of(CARRY_S64, CARRY_POW2, 2, 64, long_enough * 2 / 3, 0);
        carry_case rows = {job, i % 2 == 0 ? MIXED : UNIFORM, 0};
        rows.job.rows = 17;
        check(&rows, &g);
    }
    device_order(0);
}

// Catches sizes at the borders of warps and tiles, and empty jobs.
TEST(CarryDevice, SizesAtBorders) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(4);
    const uint64_t sizes[] = {0,   1,   2,   3,   4,   5,   123, 124, 125,  128,  247, 248,
                              249, 987, 988, 989, 990, 991, 992, 993, 1983, 1984, 1985};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (unsigned words = 1; words <= 5; words += 2) {
            carry_case c = {job_of(CARRY_S64, CARRY_POW2, words, 64, sizes[i], 0), NINES, 0};
            check(&c, &g);
            c.how = MINUS_ONE;
            check(&c, &g);
            c.job.out += 7;
            check(&c, &g);
        }
    }
    carry_case none = {job_of(CARRY_U64, CARRY_POW2, 1, 64, 5, 0), NINES, 0};
    none.job.rows = 0;
    EXPECT_EQ(carry_device(&none.job, NULL, NULL, NULL, NULL,
                           carry_device_workspace_bytes(&none.job), NULL),
              RESULT_OK);
}

// Catches a job taken on that is none, and one with too little memory.
TEST(CarryDevice, RefusesWhatItCannotDo) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const carry_job good = job_of(CARRY_U64, CARRY_POW2, 3, 64, 100, 0);
    EXPECT_TRUE(carry_device_valid(&good));
    EXPECT_EQ(
        carry_device(&good, NULL, NULL, NULL, NULL, carry_device_workspace_bytes(&good) - 1, NULL),
        RESULT_REFUSED);
    carry_job bad[12];
    for (unsigned i = 0; i < 12; i++) {
        bad[i] = good;
    }
    bad[0].form = CARRY_FORMS;
    bad[1].radix = CARRY_RADICES;
    bad[2].words = 0;
    bad[3].words = CARRY_DEVICE_WORDS_MAX + 1;
    bad[4].w = 0;
    bad[5].w = 193;
    bad[6].out = 99;
    bad[7].form = CARRY_F64;  // of three words
    bad[8].out = (UINT64_C(1) << 40) + 1;
    bad[9].rows = UINT64_C(1) << 60;
    bad[10].radix = CARRY_POW10;
    bad[10].w = 20;
    bad[11].n = UINT64_MAX / 64;
    for (unsigned i = 0; i < 12; i++) {
        SCOPED_TRACE("job %u", i);
        EXPECT_FALSE(carry_device_valid(&bad[i]));
        EXPECT_EQ(carry_device_workspace_bytes(&bad[i]), 0);
        EXPECT_EQ(carry_device(&bad[i], NULL, NULL, NULL, NULL, 1 << 20, NULL), RESULT_REFUSED);
    }
}
