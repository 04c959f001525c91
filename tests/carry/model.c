// model.c: see model.h.
#include "tests/carry/model.h"

#include <gmp.h>
#include <string.h>

#include "tests/support/oracle.h"

const char *const fill_names[FILLS + 2] = {"zero",        "uniform", "runs",       "largest",
                                           "smallest",    "nines",   "nines only", "minus one",
                                           "alternating", "small",   "",           "mixed"};

bool carry_model_signed(const carry_job *job) { return job->form != CARRY_U64; }

size_t carry_model_bytes(const carry_job *job) {
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
    const unsigned bits = job->form == CARRY_S32    ? 31
                          : job->form == CARRY_F64  ? 52  // every integer is a double
                          : carry_model_signed(job) ? 64 * job->words - 1
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
            if (carry_model_signed(job) && gen_u64(g) % 2 == 0) {
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
    if (!carry_model_signed(job)) {
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
    value_of(high, c + low * carry_model_bytes(job), n - low, job);
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

void carry_model_fill(uint8_t *row, gen *g, const carry_job *job, fill how) {
    mpz_t z, radix;
    mpz_inits(z, radix, NULL);
    radix_of(radix, job);
    for (uint64_t i = 0; i < job->n; i++) {
        choose(z, g, job, how, i, radix);
        store(row + i * carry_model_bytes(job), job, z);
    }
    mpz_clears(z, radix, NULL);
}

void carry_model_expected(uint64_t *want, uint64_t all, const uint8_t *row, const carry_job *job) {
    mpz_t z, t, radix;
    mpz_inits(z, t, radix, NULL);
    value_of(z, row, job->n, job);
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
    mpz_clears(z, t, radix, NULL);
}
