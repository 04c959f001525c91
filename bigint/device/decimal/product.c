// product.c: see product.h.
#include "bigint/device/decimal/product.h"

#include <assert.h>

#include "bigint/device/decimal/tiled.h"
#include "carry/device.h"
#include "carry/two_phase.h"
#include "primitives/words/word.h"

enum { LINE = 256 };

// regions: where the parts of a product's memory begin, in bytes.
typedef struct {
    uint64_t points[2], frequencies[2], tables[2], transform, coefficients, words, end;
} regions;

// take: the place of the next `bytes`.
static uint64_t take(regions *r, uint64_t bytes) {
    const uint64_t at = r->end;
    r->end += word_ceil_div(bytes, LINE) * LINE;
    return at;
}

static uint64_t most(uint64_t a, uint64_t b) { return a > b ? a : b; }

static bool is_tiled(const decimal_plan *plan) { return plan->way.method == DECIMAL_TILED; }
static unsigned operands(const decimal_plan *plan) { return plan->square ? 1 : 2; }

static uint64_t number_bytes(const decimal_plan *plan) {
    return is_tiled(plan) ? 1 : plan->way.single ? sizeof(float) : sizeof(double);
}

// Whether carries read the points themselves: dense doubles.
static bool reads_points(const decimal_plan *plan) {
    return !is_tiled(plan) && !plan->form.complex && !plan->way.single;
}

// Coefficients of a row as carries find them, from row to row.
static uint64_t distance(const decimal_plan *plan) {
    return is_tiled(plan)       ? plan->form.points + plan->b_points
           : reads_points(plan) ? plan->form.points
                                : plan->coefficients;
}

// carry_of: the carries by a scan. Of several rows all that a row holds is carried.
static carry_job carry_of(const decimal_plan *plan) {
    const uint64_t n = plan->form.rows == 1 ? plan->coefficients : distance(plan);
    return (carry_job){
        .form = is_tiled(plan)       ? CARRY_S32
                : reads_points(plan) ? CARRY_F64
                                     : CARRY_S64,
        .radix = CARRY_POW10,
        .words = 1,
        .w = plan->way.k,
        .n = n,
        .rows = plan->form.rows,
        .out = n,
    };
}

static carry_two_phase_job two_phases_of(const decimal_plan *plan) {
    return (carry_two_phase_job){carry_of(plan).form, distance(plan), plan->form.rows,
                                 plan->an + plan->bn};
}

static regions regions_of(const decimal_plan *plan) {
    regions r = {.end = 0};
    const decimal_form *const f = &plan->form;
    const uint64_t each = number_bytes(plan), rows = f->rows;
    for (unsigned i = 0; i < operands(plan); i++) {
        const uint64_t points = i == 0 ? f->points : plan->b_points;
        r.points[i] = take(&r, rows * points * each * (f->complex ? 2 : 1));
        r.frequencies[i] =
            take(&r, is_tiled(plan) ? 0 : rows * 2 * each * (f->complex ? points : points / 2 + 1));
    }
    if (!is_tiled(plan)) {
        r.tables[0] = take(&r, fft_device_table_bytes(&plan->forward));
        r.tables[1] = take(&r, fft_device_table_bytes(&plan->inverse));
        r.transform = take(&r, most(fft_device_workspace_bytes(&plan->forward),
                                    fft_device_workspace_bytes(&plan->inverse)));
    }
    if (!reads_points(plan)) {
        r.coefficients =
            take(&r, rows * distance(plan) * (is_tiled(plan) ? sizeof(int32_t) : sizeof(int64_t)));
    }
    if (!plan->way.two_phase) {
        const carry_job carry = carry_of(plan);
        r.words = take(&r, rows * carry.out * sizeof(uint64_t));
    }
    return r;
}

static void *at(const decimal_product *p, uint64_t offset) {
    return (unsigned char *)p->memory + offset;
}

uint64_t decimal_product_bytes(const decimal_plan *plan) { return regions_of(plan).end; }

size_t decimal_product_words_bytes(const decimal_plan *plan) {
    const carry_job carry = carry_of(plan);
    const carry_two_phase_job two_phases = two_phases_of(plan);
    return plan->way.two_phase ? carry_two_phase_bytes(&two_phases)
                               : carry_device_workspace_bytes(&carry);
}

void *decimal_product_points(const decimal_product *p, int operand) {
    return at(p, regions_of(p->plan).points[operand]);
}

void *decimal_product_frequencies(const decimal_product *p, int operand) {
    return at(p, regions_of(p->plan).frequencies[operand]);
}

result decimal_product_tables(const decimal_product *p) {
    if (is_tiled(p->plan)) {
        return RESULT_OK;
    }
    const regions r = regions_of(p->plan);
    const result done = fft_device_tables(&p->plan->forward, at(p, r.tables[0]), p->stream);
    return done == RESULT_OK ? fft_device_tables(&p->plan->inverse, at(p, r.tables[1]), p->stream)
                             : done;
}

result decimal_product_split(const decimal_product *p, const char *a, const char *b) {
    const decimal_plan *const plan = p->plan;
    decimal_form form = plan->form;
    result done = decimal_split(&form, (decimal_text_rows){a, plan->an},
                                decimal_product_points(p, 0), p->stream);
    if (done == RESULT_OK && !plan->square) {
        form.points = plan->b_points;
        done = decimal_split(&form, (decimal_text_rows){b, plan->bn}, decimal_product_points(p, 1),
                             p->stream);
    }
    return done;
}

result decimal_product_forward(const decimal_product *p) {
    const regions r = regions_of(p->plan);
    result done = RESULT_OK;
    for (unsigned i = 0; i < operands(p->plan) && done == RESULT_OK; i++) {
        done = fft_device_transform(&p->plan->forward, at(p, r.points[i]), at(p, r.frequencies[i]),
                                    at(p, r.transform), at(p, r.tables[0]), p->stream);
    }
    return done;
}

result decimal_product_multiply(const decimal_product *p) {
    return decimal_pointwise(&p->plan->form, decimal_product_frequencies(p, 0),
                             decimal_product_frequencies(p, p->plan->square ? 0 : 1), p->stream);
}

result decimal_product_inverse(const decimal_product *p) {
    const regions r = regions_of(p->plan);
    return fft_device_transform(&p->plan->inverse, at(p, r.frequencies[0]), at(p, r.points[0]),
                                at(p, r.transform), at(p, r.tables[1]), p->stream);
}

result decimal_product_carry(const decimal_product *p, char *text) {
    const decimal_plan *const plan = p->plan;
    const regions r = regions_of(plan);
    const void *coefficients = at(p, reads_points(plan) ? r.points[0] : r.coefficients);
    result done = RESULT_OK;
    if (!is_tiled(plan) && !reads_points(plan)) {
        done = decimal_round(&plan->form, at(p, r.points[0]), at(p, r.coefficients),
                             plan->coefficients, p->stream);
    }
    if (plan->way.two_phase) {
        const carry_two_phase_job job = two_phases_of(plan);
        return done == RESULT_OK
                   ? carry_two_phase(&job, text, coefficients, p->words, p->words_bytes, p->stream)
                   : done;
    }
    const carry_job job = carry_of(plan);
    uint64_t *const words = at(p, r.words);
    if (done == RESULT_OK) {
        done = carry_device(&job, words, NULL, coefficients, p->words, p->words_bytes, p->stream);
    }
    return done == RESULT_OK ? decimal_write(words, job.out, plan->way.k, text, plan->an + plan->bn,
                                             plan->form.rows, p->stream)
                             : done;
}

// tile: the coefficients of a tiled product.
static result tile(const decimal_product *p) {
    const decimal_plan *const plan = p->plan;
    const regions r = regions_of(plan);
    const decimal_tiled_job job = {
        .a = at(p, r.points[0]),
        .b = at(p, r.points[plan->square ? 0 : 1]),
        .c = at(p, r.coefficients),
        .an = plan->form.points,
        .bn = plan->b_points,
        .rows = plan->form.rows,
        .lg_tile = plan->lg_tile,
        .atomics = plan->way.atomics,
    };
    return decimal_tiled(&job, p->stream);
}

static result transform(const decimal_product *p) {
    result done = decimal_product_forward(p);
    done = done == RESULT_OK ? decimal_product_multiply(p) : done;
    return done == RESULT_OK ? decimal_product_inverse(p) : done;
}

result decimal_product_run(const decimal_product *p, const char *a, const char *b, char *text) {
    assert(!p->plan->square || p->plan->an == p->plan->bn);
    result done = decimal_product_split(p, a, b);
    done = done == RESULT_OK ? (is_tiled(p->plan) ? tile : transform)(p) : done;
    return done == RESULT_OK ? decimal_product_carry(p, text) : done;
}
