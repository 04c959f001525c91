// float_product.c: see float_product.h: the execution of plans.
#include "fft/complex/float_product.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "fft/complex/float_digits.h"
#include "fft/complex/float_ops.h"
#include "primitives/words/word.h"

enum {
    BLOCK = FFT_FLOAT_BLOCK,
    BIAS_LG = 52,
};

// --- Memory --------------------------------------------------------------------------------------

static size_t value_bytes(const fft_float_plan *plan) {
    return fft_float_bytes(plan->transform.problem.type);
}

static uint64_t whole_lines(uint64_t bytes) { return word_ceil_div(bytes, 64) * 64; }

// places: where coefficients are, in runs with room between them; packed, every second value.
static fft_product_places places(const fft_float_plan *plan) {
    const uint64_t values = 2 * plan->transform.problem.length;
    const fft_product_places one = {values, values, values};
    if (plan->method == FFT_BOUND_PACKED) {
        return one;
    }
    const fft_product_places at = fft_product_places_of(&plan->transform);
    return at.apart == at.run ? one : at;
}

uint64_t fft_float_values_bytes(const fft_float_plan *plan) {
    return whole_lines(places(plan).all * value_bytes(plan));
}

// reads: whether digits are made when the transform needs them, so that they take no memory.
static bool reads(const fft_float_plan *plan) {
    return plan->method == FFT_BOUND_RIGHT_ANGLE && fft_product_reads(&plan->transform);
}

// integers_n: how many integers the transform reads for that many digits; the rest are zeros.
static uint64_t integers_n(const fft_float_plan *plan, uint64_t digits) {
    const uint64_t points = plan->transform.problem.length;
    return digits > points ? 2 * points : points;
}

uint64_t fft_float_other_bytes(const fft_float_plan *plan) {
    const bool none = plan->method == FFT_BOUND_PACKED || reads(plan);
    return none ? 0 : whole_lines(integers_n(plan, plan->b_digits) * sizeof(int32_t));
}

uint64_t fft_float_workspace_bytes(const fft_float_plan *plan, unsigned threads) {
    return plan->method == FFT_BOUND_RIGHT_ANGLE
               ? fft_product_workspace_bytes(&plan->transform, threads)
               : fft_complex_workspace_bytes(&plan->transform, threads);
}

// --- Digits --------------------------------------------------------------------------------------

// split_one: the digits of one operand and where their values go.
typedef struct {
    const fft_float_operand *a;
    uint64_t digits, blocks;
    void *values;
} split_one;

typedef struct {
    const fft_float_convolution *c;
    split_one of[2];
} split_job;

// split_block is a team_task: one block of digits, as integers or, packed, as values that alternate
// with the other operand's; the first operand's blocks come first.
static void split_block(void *arg, size_t index, unsigned worker) {
    (void)worker;
    const split_job *const job = arg;
    const fft_float_plan *const plan = job->c->plan;
    const split_one *const one = &job->of[index >= job->of[0].blocks];
    const uint64_t first = (index - (one == job->of ? 0 : job->of[0].blocks)) * BLOCK;
    const size_t n = one->digits - first < BLOCK ? (size_t)(one->digits - first) : BLOCK;
    const bool packed = plan->method == FFT_BOUND_PACKED;
    int32_t room[BLOCK], *const d = packed ? room : (int32_t *)one->values + first;
    fft_float_digits(d, job->c, one->a, one->digits, first, n);
    if (packed && plan->transform.problem.type == FFT_F64) {
        job->c->loops->store_f64((double *)one->values + 2 * first, d, n);
    } else if (packed) {
        job->c->loops->store_f32((float *)one->values + 2 * first, d, n);
    }
}

static split_one split_into(const fft_float_plan *plan, const fft_float_operand *a, void *values) {
    const uint64_t digits = fft_float_digits_n(plan, a);
    return (split_one){a, digits, word_ceil_div(digits, BLOCK), values};
}

// split: the digits of both operands, or of a alone for b == NULL, whose numbers are job's.
static void split(split_job *job, const fft_float_operand *a, void *a_values,
                  const fft_float_operand *b, void *b_values) {
    job->of[0] = split_into(job->c->plan, a, a_values);
    job->of[1] = b != NULL ? split_into(job->c->plan, b, b_values) : (split_one){0};
    team_run(job->c->team, split_block, job, (size_t)(job->of[0].blocks + job->of[1].blocks));
}

// --- Convolution ---------------------------------------------------------------------------------

typedef struct {
    const fft_float_plan *plan;
    void *values;
} square_job;

// square_block is a team_task: z = z^2 / (2 points) for one block of points; exact except for 2 u +
// u^2 (section 2.6 of the proof), and two roundings more where the factor is no power of two.
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

static fft_complex_run run_of(const fft_float_convolution *c) {
    return (fft_complex_run){c->ops, &c->plan->transform, c->tables, c->workspace, c->team};
}

static void convolve_packed(const fft_float_convolution *c, const fft_float_operand *a,
                            const fft_float_operand *b) {
    const fft_complex_plan *const transform = &c->plan->transform;
    const fft_complex_run run = run_of(c);
    memset(c->values, 0, (size_t)fft_float_values_bytes(c->plan));
    split_job digits = {.c = c};
    split(&digits, a, c->values, b ? b : a, (char *)c->values + value_bytes(c->plan));
    fft_complex_execute(&run, FFT_FORWARD, c->values, c->values);
    square_job job = {c->plan, c->values};
    team_run(c->team, square_block, &job, (size_t)word_ceil_div(transform->problem.length, BLOCK));
    fft_complex_execute(&run, FFT_INVERSE, c->values, c->values);
}

// integers: an operand's digits, with zeros behind them.
static fft_integers integers(const fft_float_plan *plan, const split_one *of) {
    int32_t *const values = of->values;
    const uint64_t zeros = integers_n(plan, of->digits) - of->digits;
    memset(values + of->digits, 0, (size_t)zeros * sizeof *values);
    return (fft_integers){.values = values, .count = of->digits};
}

// source: an operand whose digits are made when they are needed.
typedef struct {
    const fft_float_convolution *c;
    const fft_float_operand *a;
    uint64_t digits;
} source;

_Static_assert((int)FFT_PRODUCT_READ <= (int)BLOCK, "digits are made in one block");

// read_digits: fft_integers.read.
static void read_digits(const void *from, int32_t *to, uint64_t first, size_t n) {
    const source *const s = from;
    const uint64_t left = first < s->digits ? s->digits - first : 0;
    const size_t some = left < n ? (size_t)left : n;
    if (some > 0) {
        fft_float_digits(to, s->c, s->a, s->digits, first, some);
    }
    if (some < n) {
        memset(to + some, 0, (n - some) * sizeof *to);
    }
}

static fft_integers made(source *s) {
    s->digits = fft_float_digits_n(s->c->plan, s->a);
    return (fft_integers){.count = s->digits, .read = read_digits, .from = s};
}

void fft_float_convolve(const fft_float_convolution *c, const fft_float_operand *a,
                        const fft_float_operand *b) {
    if (c->plan->method == FFT_BOUND_PACKED) {
        convolve_packed(c, a, b);
        return;
    }
    const fft_complex_run run = run_of(c);
    source a_source = {c, a, 0}, b_source = {c, b, 0};
    fft_integers x, y;
    if (reads(c->plan)) {
        x = made(&a_source);
        y = b != NULL ? made(&b_source) : x;
    } else {
        split_job digits = {.c = c};
        split(&digits, a, c->values, b, c->other);
        x = integers(c->plan, &digits.of[0]);
        y = b != NULL ? integers(c->plan, &digits.of[1]) : x;
    }
    fft_product_convolve(&run, &x, b != NULL ? &y : NULL, c->values);
}

uint64_t fft_float_plane_bytes(const fft_float_plan *plan) {
    return fft_product_plane_bytes(&plan->transform);
}

// alone: the digits of one operand, in the memory of the values if they take any.
static fft_integers alone(source *s) {
    assert(s->c->plan->method == FFT_BOUND_RIGHT_ANGLE);
    if (reads(s->c->plan)) {
        return made(s);
    }
    split_job digits = {.c = s->c};
    split(&digits, s->a, s->c->values, NULL, NULL);
    return integers(s->c->plan, &digits.of[0]);
}

void fft_float_prepare(const fft_float_convolution *c, const fft_float_operand *b, void *plane) {
    const fft_complex_run run = run_of(c);
    source from = {c, b, 0};
    const fft_integers y = alone(&from);
    fft_product_prepare(&run, &y, plane);
}

void fft_float_convolve_prepared(const fft_float_convolution *c, const fft_float_operand *a,
                                 const void *plane) {
    const fft_complex_run run = run_of(c);
    source from = {c, a, 0};
    const fft_integers x = alone(&from);
    fft_product_prepared(&run, &x, plane, c->values);
}

void fft_float_sum(const fft_float_convolution *c, const void *const planes[4], bool minus) {
    const fft_complex_run run = run_of(c);
    assert(c->plan->sums);
    fft_product_sum(&run, planes, minus, c->values);
}

// --- Coefficients --------------------------------------------------------------------------------

const fft_float_ops *fft_float_variant(cpu_simd simd) {
    static const fft_float_ops *const all[CPU_SIMDS] = {&fft_float_ops_portable,
                                                        &fft_float_ops_avx2, &fft_float_ops_avx512};
    return all[simd];
}

// computed: n computed values from coefficient `first` on, zero past the last digit product: in the
// convolution's memory, or in `room`.
static const double *computed(double *room, const fft_float_convolution *c, uint64_t first,
                              size_t n) {
    const fft_float_plan *const plan = c->plan;
    const fft_product_places at = places(plan);
    const unsigned stride = plan->method == FFT_BOUND_PACKED ? 2 : 1;
    const uint64_t end =
        plan->wraps ? 2 * plan->transform.problem.length : plan->a_digits + plan->b_digits - 1;
    const size_t m = end <= first ? 0 : end - first < n ? (size_t)(end - first) : n;
    const bool wide = plan->transform.problem.type == FFT_F64;
    for (size_t i = 0, some; i < m; i += some) {
        const uint64_t value = (first + i) * stride + stride - 1, left = at.run - value % at.run;
        const uint64_t offset = value / at.run * at.apart + value % at.run;
        some = word_ceil_div(left, stride) < m - i ? (size_t)word_ceil_div(left, stride) : m - i;
        if (wide && stride == 1 && some == n) {
            return (const double *)c->values + offset;
        }
        for (size_t j = 0; j < some; j++) {
            const size_t from = (size_t)offset + j * stride;
            room[i + j] =
                wide ? ((const double *)c->values)[from] : ((const float *)c->values)[from];
        }
    }
    memset(room + m, 0, (n - m) * sizeof *room);
    return room;
}

// bias: what makes coefficients unsigned: m. They are below 2^51 in absolute value
// (fft_bound_refusal), and m radix - m > 2^52 - radix >= 2^51. Certified ones may be larger; they
// become some words, and so do their columns: arithmetic modulo 2^64.
static uint64_t bias(const fft_float_plan *plan) {
    return ((uint64_t)1 << BIAS_LG) / (plan->radix - 1);
}

uint64_t fft_float_columns(const fft_float_plan *plan) {
    if (plan->wraps) {
        return plan->transform.problem.length + FFT_FLOAT_WRAPPED_COLUMNS;
    }
    const uint64_t coefficients = plan->a_digits + plan->b_digits;
    return plan->width > 0 ? word_ceil_div(coefficients, 2) : coefficients;
}

// In pairs the high part of the last coefficient, which is 0 and its bias, is in no column.
uint64_t fft_float_surplus(const fft_float_plan *plan) {
    const uint64_t m = bias(plan);
    return plan->width > 0 ? m - (m * (plan->radix - 1) >> plan->width) : m;
}

// unsigned_coefficients: n <= BLOCK of them, below 2^51 + 2^52 + 2^52, but m too little the first.
static void unsigned_coefficients(uint64_t *u, const fft_float_convolution *c, uint64_t first,
                                  size_t n) {
    double room[BLOCK];
    const uint64_t m = bias(c->plan);
    c->loops->round(u, computed(room, c, first, n), m * (c->plan->radix - 1), n);
}

// read_words: a column for each coefficient.
static void read_words(uint64_t *out, const fft_float_convolution *c, uint64_t first, size_t n) {
    for (size_t done = 0; done < n; done += BLOCK) {
        const size_t block = n - done < BLOCK ? n - done : BLOCK;
        unsigned_coefficients(out + done, c, first + done, block);
    }
    if (first == 0) {
        out[0] += bias(c->plan);
    }
}

void fft_float_read(uint64_t *out, const fft_float_convolution *c, uint64_t first, size_t n) {
    const unsigned w = c->plan->width;
    if (w == 0) {
        read_words(out, c, first, n);
        return;
    }
    double room[BLOCK];
    const uint64_t m = bias(c->plan), run = places(c->plan).run;
    for (size_t done = 0, block; done < n; done += block) {
        const uint64_t i = 2 * (first + done), left = (run - i % run) / 2;
        assert(left > 0);  // runs that have room between them are even
        block = n - done < BLOCK / 2 ? n - done : BLOCK / 2;
        block = block < left ? block : (size_t)left;
        uint64_t below = m;  // what the first coefficient lacks
        if (i > 0) {
            unsigned_coefficients(&below, c, i - 1, 1);
            below >>= w;
        }
        c->loops->pair(out + done, computed(room, c, i, 2 * block), below, m * (c->plan->radix - 1),
                       w, block);
    }
}

double fft_float_roundoff(const fft_float_convolution *c, uint64_t first, uint64_t n) {
    double room[BLOCK], most = 0;
    for (uint64_t done = 0; done < n; done += BLOCK) {
        const size_t block = n - done < BLOCK ? (size_t)(n - done) : BLOCK;
        const double *const v = computed(room, c, first + done, block);
        for (size_t i = 0; i < block; i++) {
            const double away = fabs(v[i] - rint(v[i]));
            most = away > most ? away : most;
        }
    }
    return most;
}
