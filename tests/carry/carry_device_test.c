// carry_device_test.c: carry_device.h against GMP's value of the same coefficients, on a device or
// under the kernel emulation. May include everything.
#include "carry/carry_device.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"
#include "tests/support/oracle.h"

// How coefficients are filled. N stands for the coefficients' largest value, R for the radix.
typedef enum {
    ZERO,
    UNIFORM,
    RUNS,         // every word all ones or zero
    LARGEST,      // N: the longest spills
    SMALLEST,     // signed: - N - 1
    NINES,        // R - 1, and 1 more in the lowest: a carry through the whole number
    NINES_ONLY,   // R - 1: nothing but propagation, and no carry
    MINUS_ONE,    // signed: - 1 in the lowest alone: borrows through the whole number
    ALTERNATING,  // R - 1 and 0 by turns in stretches
    SMALL,
    FILLS,
    MIXED,  // of rows: zero, minus one, nines only, ... by turns
} fill;
static const char *const fill_names[FILLS + 2] = {
    "zero",       "uniform",   "runs",        "largest", "smallest", "nines",
    "nines only", "minus one", "alternating", "small",   "",         "mixed"};

typedef struct {
    carry_job job;
    fill how;
    unsigned pad;  // words by which the result is moved off a 16-byte boundary
} carry_case;

static bool is_signed(const carry_job *job) { return job->form != CARRY_U64; }

// The number of bytes of a coefficient.
static size_t coefficient_bytes(const carry_job *job) {
    return job->form == CARRY_S32 ? 4 : 8 * (size_t)job->words;
}

static void radix_of(mpz_t radix, const carry_job *job) {
    if (job->radix == CARRY_POW2) {
        mpz_set_ui(radix, 0);
        mpz_setbit(radix, job->w);
    } else {
        mpz_ui_pow_ui(radix, 10, job->w);
    }
}

// z = coefficient i of a row, chosen as `how` says, within what the form holds.
static void choose(mpz_t z, gen *g, const carry_job *job, fill how, uint64_t i, const mpz_t radix) {
    const unsigned bits = job->form == CARRY_S32   ? 31
                          : job->form == CARRY_F64 ? 52  // every integer is a double
                          : is_signed(job)         ? 64 * job->words - 1
                                                   : 64 * job->words;
    mpz_t limit;  // N + 1
    mpz_init(limit);
    mpz_setbit(limit, bits);
    mpz_set_ui(z, 0);
    uint64_t words[CARRY_DEVICE_WORDS_MAX];
    for (unsigned j = 0; j < job->words; j++) {
        words[j] = how == RUNS ? -(gen_u64(g) & 1) : gen_u64(g);
    }
    switch (how) {
        case UNIFORM:
        case RUNS:
            oracle_load(z, words, job->words);
            mpz_fdiv_r(z, z, limit);
            if (is_signed(job) && gen_u64(g) % 2 == 0) {
                mpz_neg(z, z);
            }
            break;
        case LARGEST:
            mpz_sub_ui(z, limit, 1);
            break;
        case SMALLEST:
            mpz_neg(z, limit);
            break;
        case NINES:
        case NINES_ONLY:
            mpz_sub_ui(z, radix, how == NINES && i == 0 ? 0 : 1);
            break;
        case MINUS_ONE:
            mpz_set_si(z, i == 0 ? -1 : 0);
            break;
        case ALTERNATING:
            mpz_sub_ui(z, radix, 1);
            if (i / 700 % 2 == 0) {
                mpz_set_ui(z, i % 700 == 0);
            }
            break;
        case SMALL:
            mpz_set_ui(z, gen_below(g, 3));
            break;
        default:
            break;
    }
    // What does not fit becomes the largest that does.
    if (mpz_cmp(z, limit) >= 0) {
        mpz_sub_ui(z, limit, 1);
    }
    if (!is_signed(job)) {
        mpz_abs(z, z);
        if (mpz_cmp(z, limit) >= 0) {
            mpz_sub_ui(z, limit, 1);
        }
    }
    mpz_clear(limit);
}

static void store(uint8_t *to, const carry_job *job, const mpz_t z) {
    if (job->form == CARRY_S32) {
        const int32_t v = (int32_t)mpz_get_si(z);
        memcpy(to, &v, 4);
    } else if (job->form == CARRY_F64) {
        const double v = mpz_get_d(z);
        memcpy(to, &v, 8);
    } else {
        mpz_t t;
        mpz_init(t);
        mpz_fdiv_r_2exp(t, z, 64 * job->words);
        uint64_t words[CARRY_DEVICE_WORDS_MAX];
        oracle_store(words, job->words, t);
        memcpy(to, words, 8 * job->words);
        mpz_clear(t);
    }
}

static void load(mpz_t z, const uint8_t *from, const carry_job *job) {
    if (job->form == CARRY_S32) {
        int32_t v;
        memcpy(&v, from, 4);
        mpz_set_si(z, v);
    } else if (job->form == CARRY_F64) {
        double v;
        memcpy(&v, from, 8);
        mpz_set_d(z, v);
    } else {
        uint64_t words[CARRY_DEVICE_WORDS_MAX];
        memcpy(words, from, 8 * job->words);
        oracle_load(z, words, job->words);
        if (job->form == CARRY_S64 && words[job->words - 1] >> 63 != 0) {
            mpz_t power;
            mpz_init(power);
            mpz_setbit(power, 64 * job->words);
            mpz_sub(z, z, power);
            mpz_clear(power);
        }
    }
}

// z = the value of n coefficients, by halves.
static void value_of(mpz_t z, const uint8_t *c, uint64_t n, const carry_job *job) {
    if (n <= 1) {
        mpz_set_ui(z, 0);
        if (n == 1) {
            load(z, c, job);
        }
        return;
    }
    const uint64_t low = n / 2;
    mpz_t high;
    mpz_init(high);
    value_of(high, c + low * coefficient_bytes(job), n - low, job);
    value_of(z, c, low, job);
    if (job->radix == CARRY_POW2) {
        mpz_mul_2exp(high, high, low * job->w);
    } else {
        mpz_t power;
        mpz_init(power);
        mpz_ui_pow_ui(power, 10, low * job->w);
        mpz_mul(high, high, power);
        mpz_clear(power);
    }
    mpz_add(z, z, high);
    mpz_clear(high);
}

// want[0..all) = the limbs or digits of z modulo their power.
static void expected(uint64_t *want, const carry_job *job, const mpz_t z, uint64_t all) {
    mpz_t t, radix;
    mpz_inits(t, radix, NULL);
    if (job->radix == CARRY_POW2) {
        mpz_fdiv_r_2exp(t, z, 64 * all);
        oracle_store(want, all, t);
    } else {
        mpz_ui_pow_ui(radix, 10, job->w * all);
        mpz_fdiv_r(t, z, radix);
        mpz_ui_pow_ui(radix, 10, job->w);
        for (uint64_t i = 0; i < all; i++) {
            want[i] = mpz_tdiv_q_ui(t, t, mpz_get_ui(radix));
        }
    }
    mpz_clears(t, radix, NULL);
}

static void check(const carry_case *c, gen *g) {
    const carry_job *job = &c->job;
    SCOPED_TRACE("form %d radix %d words %u w %u n %d rows %d out %d, %s, pad %u", job->form,
                 job->radix, job->words, job->w, (int)job->n, (int)job->rows, (int)job->out,
                 fill_names[c->how], c->pad);
    ASSERT_TRUE(carry_device_valid(job));
    const uint64_t extra = carry_device_extra(job), all = job->out + extra, rows = job->rows;
    const size_t bytes = coefficient_bytes(job);
    uint8_t *coefficients = calloc(rows * job->n + 1, bytes);
    uint64_t *want = calloc(rows * all + 1, 8), *got = calloc(rows * all + c->pad + 1, 8);
    mpz_t z, ci, radix;
    mpz_inits(z, ci, radix, NULL);
    radix_of(radix, job);
    for (uint64_t row = 0; row < rows; row++) {
        const fill mixed[] = {ZERO, MINUS_ONE, NINES_ONLY};
        const fill how = c->how == MIXED ? mixed[row % 3] : c->how;
        uint8_t *first = coefficients + row * job->n * bytes;
        for (uint64_t i = 0; i < job->n; i++) {
            choose(ci, g, job, how, i, radix);
            store(first + i * bytes, job, ci);
        }
        value_of(z, first, job->n, job);
        expected(want + row * all, job, z, all);
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
    mpz_clears(z, ci, radix, NULL);
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
    return !is_signed(job) && (how == SMALLEST || how == MINUS_ONE);
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
