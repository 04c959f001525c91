// float_product.c: see float_product.h. The bound is complex_bound.h's; docs/proofs/complex_fft.md.
#include "fft/float_product.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "primitives/word.h"

enum {
    BLOCK = 512,
    BIAS_LG = 52,
    DIGITS_LG_MAX = 33,
    BALANCED_TOP = 3,
    ODD_POINTS_MIN = 256,  // lengths that are no power of two pay from here on
};

// --- Plan ----------------------------------------------------------------------------------------

// points_for: the least length 4, 5, 6 or 7 times 2^k, or 2^k, for so many coefficients.
static uint64_t points_for(fft_bound_method method, uint64_t coefficients) {
    const uint64_t needed =
        method == FFT_BOUND_RIGHT_ANGLE ? word_ceil_div(coefficients, 2) : coefficients;
    uint64_t power = 1;
    while (power < needed) {
        power *= 2;
    }
    for (unsigned quarters = 5; quarters < 8 && power >= ODD_POINTS_MIN; quarters++) {
        if (power / 8 * quarters >= needed) {
            return power / 8 * quarters;
        }
    }
    return power;
}

// prove: the plan's bound for these digits; NULL, or why it is too large.
static const char *prove(fft_float_plan *plan, fft_float type, uint64_t points, uint64_t largest) {
    const uint64_t top = plan->balanced ? BALANCED_TOP : 0;
    fft_bound_shape shape = {
        .method = plan->method,
        .significand = type == FFT_F64 ? FFT_BOUND_F64 : FFT_BOUND_F32,
        .a_digits = plan->a_digits + top,
        .b_digits = plan->b_digits + top,
    };
    fft_bound_host(&shape, points);
    plan->error = fft_bound_error(&shape, largest);
    return fft_bound_refusal(&shape, largest);
}

// prove_any: with unsigned digits, or else with balanced ones.
static const char *prove_any(fft_float_plan *plan, fft_float type, uint64_t points) {
    plan->balanced = false;
    if (!prove(plan, type, points, plan->radix - 1)) {
        return NULL;
    }
    plan->balanced = true;
    return prove(plan, type, points, plan->radix / 2);
}

static const char *make_transform(fft_float_plan *plan, fft_float type, uint64_t points) {
    if (plan->method == FFT_BOUND_RIGHT_ANGLE) {
        return fft_product_plan(&plan->transform, type, points);
    }
    const fft_complex_problem problem = {
        .type = type, .order = FFT_REVERSED, .length = points, .batch = 1, .distance = points};
    return fft_complex_make(&plan->transform, &problem);
}

// prove_width: the plan of operands of limbs in digits of so many bits, but for its transform.
static const char *prove_width(fft_float_plan *plan, fft_bound_method method, fft_float type,
                               uint64_t an, uint64_t bn, unsigned width) {
    *plan = (fft_float_plan){.method = method,
                             .a_digits = word_ceil_div(an * 64, width),
                             .b_digits = word_ceil_div(bn * 64, width),
                             .radix = (uint64_t)1 << width,
                             .width = width};
    return prove_any(plan, type, points_for(method, plan->a_digits + plan->b_digits - 1));
}

static const char *const too_long = "more than 2^33 digits";

const char *fft_float_plan_limbs(fft_float_plan *plan, fft_bound_method method, fft_float type,
                                 uint64_t an, uint64_t bn) {
    assert(an >= 1 && bn >= 1);
    if ((an | bn) >> (DIGITS_LG_MAX - 6)) {
        return too_long;
    }
    // the bound grows with the width: 4^w outweighs that there are fewer digits and levels
    unsigned width = 0;
    for (unsigned step = 16; step > 0; step /= 2) {
        const unsigned wider = width + step;
        if (wider <= FFT_BOUND_WIDTH_MAX && !prove_width(plan, method, type, an, bn, wider)) {
            width = wider;
        }
    }
    const char *const why = prove_width(plan, method, type, an, bn, width > 0 ? width : 1);
    return why ? why
               : make_transform(plan, type,
                                points_for(method, plan->a_digits + plan->b_digits - 1));
}

const char *fft_float_plan_words(fft_float_plan *plan, fft_bound_method method, fft_float type,
                                 uint64_t a_words, uint64_t b_words, uint64_t radix) {
    assert(a_words >= 1 && b_words >= 1 && radix % 2 == 0 && radix >> 32 <= 1);
    if ((a_words | b_words) >> DIGITS_LG_MAX) {
        return too_long;
    }
    *plan = (fft_float_plan){
        .method = method, .a_digits = a_words, .b_digits = b_words, .radix = radix};
    const uint64_t points = points_for(method, a_words + b_words - 1);
    const char *why = prove_any(plan, type, points);
    return why ? why : make_transform(plan, type, points);
}

// --- Memory --------------------------------------------------------------------------------------

static size_t value_bytes(const fft_float_plan *plan) {
    return plan->transform.problem.type == FFT_F64 ? sizeof(double) : sizeof(float);
}

static uint64_t whole_lines(uint64_t bytes) { return word_ceil_div(bytes, 64) * 64; }

uint64_t fft_float_values_bytes(const fft_float_plan *plan) {
    return whole_lines(2 * plan->transform.problem.length * value_bytes(plan));
}

uint64_t fft_float_other_bytes(const fft_float_plan *plan) {
    return plan->method == FFT_BOUND_PACKED ? 0 : whole_lines(plan->b_digits * value_bytes(plan));
}

uint64_t fft_float_workspace_bytes(const fft_float_plan *plan, unsigned threads) {
    return plan->method == FFT_BOUND_RIGHT_ANGLE
               ? fft_product_workspace_bytes(&plan->transform, threads)
               : fft_complex_workspace_bytes(&plan->transform, threads);
}

// --- Digits --------------------------------------------------------------------------------------

// field: `bits` < 64 bits of the operand from bit `at` on; zero beyond its end.
static uint64_t field(const fft_float_operand *a, uint64_t at, unsigned bits) {
    const uint64_t word = at / 64, mask = ((uint64_t)1 << bits) - 1;
    if (word + 1 >= a->words_n) {
        return word < a->words_n ? a->words[word] >> at % 64 & mask : 0;
    }
    // two shifts, because high << 64 is undefined for at % 64 = 0
    return ((a->words[word] >> at % 64) | (a->words[word + 1] << 1 << (63 - at % 64))) & mask;
}

// bit_digits: digits first .. first + n - 1 of the operand in radix 2^width. A balanced digit is its
// field, as a signed number, plus the bit below it.
static void bit_digits(int64_t *d, const fft_float_plan *plan, const fft_float_operand *a,
                       uint64_t first, size_t n) {
    const unsigned w = plan->width;
    if (!plan->balanced) {
        for (size_t i = 0; i < n; i++) {
            d[i] = (int64_t)field(a, (first + i) * w, w);
        }
        return;
    }
    const int64_t top = (int64_t)1 << w;  // of the field and the bit below it
    for (size_t i = 0; i < n; i++) {
        const uint64_t at = (first + i) * w;
        const uint64_t both = at == 0 ? field(a, 0, w) << 1 : field(a, at - 1, w + 1);
        d[i] = ((((int64_t)both ^ top) - top) + 1) >> 1;
    }
}

// word_digits: the same where a word is a digit: one of at least radix / 2 passes 1 on.
static void word_digits(int64_t *d, const fft_float_plan *plan, const fft_float_operand *a,
                        uint64_t first, size_t n) {
    const uint64_t half = plan->balanced ? plan->radix / 2 : UINT64_MAX;
    uint64_t passed = first > 0 && a->words[first - 1] >= half;
    for (size_t i = 0; i < n; i++) {
        const uint64_t word = a->words[first + i], passes = word >= half;
        d[i] = (int64_t)(word + passed) - (passes ? (int64_t)plan->radix : 0);
        passed = passes;
    }
}

// top_digit: digit i as nothing above it takes a 1: its field or word, and what comes from below.
static int64_t top_digit(const fft_float_plan *plan, const fft_float_operand *a, uint64_t i) {
    const unsigned w = plan->width;
    if (w > 0) {
        return (int64_t)(field(a, i * w, w) + (i > 0 ? field(a, i * w - 1, 1) : 0));
    }
    return (int64_t)(a->words[i] + (i > 0 && a->words[i - 1] >= plan->radix / 2));
}

typedef struct {
    const fft_float_plan *plan;
    const fft_float_operand *a;
    uint64_t digits;
    void *values;
    unsigned stride;  // 2 where the operands' digits alternate
} split_job;

// split_block is a team_task: one block of digits becomes values.
static void split_block(void *arg, size_t index, unsigned worker) {
    (void)worker;
    const split_job *const job = arg;
    const uint64_t first = index * BLOCK;
    const size_t n = job->digits - first < BLOCK ? (size_t)(job->digits - first) : BLOCK;
    int64_t d[BLOCK];
    (job->plan->width > 0 ? bit_digits : word_digits)(d, job->plan, job->a, first, n);
    if (job->plan->balanced && first + n == job->digits) {
        d[n - 1] = top_digit(job->plan, job->a, job->digits - 1);
    }
    if (job->plan->transform.problem.type == FFT_F64) {
        double *const x = (double *)job->values + first * job->stride;
        for (size_t i = 0; i < n; i++) {
            x[i * job->stride] = (double)d[i];
        }
    } else {
        float *const x = (float *)job->values + first * job->stride;
        for (size_t i = 0; i < n; i++) {
            x[i * job->stride] = (float)d[i];
        }
    }
}

// split: the digits of a; returns how many there are.
static uint64_t split(const fft_float_convolution *c, const fft_float_operand *a, void *values,
                      unsigned stride) {
    const fft_float_plan *const plan = c->plan;
    split_job job = {.plan = plan, .a = a, .values = values, .stride = stride};
    job.digits = plan->width > 0 ? word_ceil_div(a->words_n * 64, plan->width) : a->words_n;
    assert(job.digits >= 1);
    team_run(c->team, split_block, &job, (size_t)word_ceil_div(job.digits, BLOCK));
    return job.digits;
}

// --- Convolution ---------------------------------------------------------------------------------

typedef struct {
    const fft_float_plan *plan;
    void *values;
} square_job;

// square_block is a team_task: z = z^2 / (2 points) for one block of points; exact but for
// 2 u + u^2 (section 2.6 of the proof), and two roundings more where the factor is no power of two.
static void square_block(void *arg, size_t index, unsigned worker) {
    (void)worker;
    const square_job *const job = arg;
    const uint64_t points = job->plan->transform.problem.length, first = index * BLOCK;
    const size_t n = points - first < BLOCK ? (size_t)(points - first) : BLOCK;
    const double scale = 0.5 / (double)points;
    if (job->plan->transform.problem.type == FFT_F64) {
        double *const z = (double *)job->values + 2 * first;
        for (size_t i = 0; i < 2 * n; i += 2) {
            const double re = z[i] * scale, im = z[i + 1];
            z[i] = re * z[i] - im * scale * im;
            z[i + 1] = 2 * re * im;
        }
    } else {
        float *const z = (float *)job->values + 2 * first;
        const float narrow = (float)scale;
        for (size_t i = 0; i < 2 * n; i += 2) {
            const float re = z[i] * narrow, im = z[i + 1];
            z[i] = re * z[i] - im * narrow * im;
            z[i + 1] = 2 * re * im;
        }
    }
}

static void convolve_packed(const fft_float_convolution *c, const fft_float_operand *a,
                            const fft_float_operand *b) {
    const fft_complex_plan *const transform = &c->plan->transform;
    const fft_complex_run run = {c->ops, transform, c->tables, c->workspace, c->team};
    memset(c->values, 0, (size_t)fft_float_values_bytes(c->plan));
    split(c, a, c->values, 2);
    split(c, b ? b : a, (char *)c->values + value_bytes(c->plan), 2);
    fft_complex_execute(&run, FFT_FORWARD, c->values, c->values);
    square_job job = {c->plan, c->values};
    team_run(c->team, square_block, &job, (size_t)word_ceil_div(transform->problem.length, BLOCK));
    fft_complex_execute(&run, FFT_INVERSE, c->values, c->values);
}

void fft_float_convolve(const fft_float_convolution *c, const fft_float_operand *a,
                        const fft_float_operand *b) {
    if (c->plan->method == FFT_BOUND_PACKED) {
        convolve_packed(c, a, b);
        return;
    }
    const fft_complex_run run = {c->ops, &c->plan->transform, c->tables, c->workspace, c->team};
    const fft_values x = {c->values, split(c, a, c->values, 1)};
    if (b) {
        const fft_values y = {c->other, split(c, b, c->other, 1)};
        fft_product_convolve(&run, &x, &y, c->values);
    } else {
        fft_product_convolve(&run, &x, NULL, c->values);
    }
}

// --- Coefficients --------------------------------------------------------------------------------

// computed: n computed values from coefficient `first` on, zero past the last digit product.
static void computed(double *v, const fft_float_convolution *c, uint64_t first, size_t n) {
    const fft_float_plan *const plan = c->plan;
    const unsigned stride = plan->method == FFT_BOUND_PACKED ? 2 : 1;
    const uint64_t end = plan->a_digits + plan->b_digits - 1, offset = stride - 1;
    const size_t m = end <= first ? 0 : end - first < n ? (size_t)(end - first) : n;
    if (plan->transform.problem.type == FFT_F64) {
        const double *const z = (const double *)c->values + first * stride + offset;
        for (size_t i = 0; i < m; i++) {
            v[i] = z[i * stride];
        }
    } else {
        const float *const z = (const float *)c->values + first * stride + offset;
        for (size_t i = 0; i < m; i++) {
            v[i] = z[i * stride];
        }
    }
    memset(v + m, 0, (n - m) * sizeof *v);
}

uint64_t fft_float_surplus(const fft_float_plan *plan) {
    return ((uint64_t)1 << BIAS_LG) / (plan->radix - 1);
}

// Coefficients are below 2^51 in absolute value (fft_bound_refusal), m R - m > 2^52 - R >= 2^51.
void fft_float_coefficients(uint64_t *out, const fft_float_convolution *c, uint64_t first,
                            size_t n) {
    const double magic = 0x1.8p52;  // sums with it are rounded to integers
    const uint64_t surplus = fft_float_surplus(c->plan), bias = surplus * (c->plan->radix - 1);
    uint64_t magic_bits;
    memcpy(&magic_bits, &magic, sizeof magic);
    double v[BLOCK];
    for (size_t done = 0; done < n; done += BLOCK) {
        const size_t block = n - done < BLOCK ? n - done : BLOCK;
        computed(v, c, first + done, block);
        for (size_t i = 0; i < block; i++) {
            const double rounded = v[i] + magic;
            uint64_t bits;
            memcpy(&bits, &rounded, sizeof bits);
            out[done + i] = bits - magic_bits + bias;
        }
    }
    if (first == 0 && n > 0) {
        out[0] += surplus;
    }
}

double fft_float_roundoff(const fft_float_convolution *c, uint64_t first, size_t n) {
    double v[BLOCK], most = 0;
    for (size_t done = 0; done < n; done += BLOCK) {
        const size_t block = n - done < BLOCK ? n - done : BLOCK;
        computed(v, c, first + done, block);
        for (size_t i = 0; i < block; i++) {
            const double away = fabs(v[i] - rint(v[i]));
            most = away > most ? away : most;
        }
    }
    return most;
}
