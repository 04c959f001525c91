// transform_fixture.c: see transform_fixture.h.
#include "tests/fft/device/transform_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fft/index_digit/reference.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { ROOM = 256, PATTERN = 0xA5 };  // bytes beyond an array, and what they must keep

fft_id_problem transform_problem(fft_id_element element, fft_id_direction direction, unsigned n,
                                 uint64_t batch) {
    return (fft_id_problem){
        .element = element, .direction = direction, .exponent = {(uint8_t)n}, .batch = batch};
}

size_t transform_numbers(const fft_id_plan *plan, bool output) {
    const fft_id_problem *const p = &plan->problem;
    const bool frequencies = output == (p->direction == FFT_ID_FORWARD);
    return p->batch * (2 * fft_id_length(p) + (fft_id_pairs(p) && frequencies ? 2 : 0));
}

static size_t number_bytes(const fft_id_plan *plan) {
    return fft_id_item_bytes(&plan->problem) / 2;
}

double *transform_input(const fft_id_plan *plan, uint64_t seed) {
    const size_t n = transform_numbers(plan, false);
    double *const x = malloc(n * sizeof *x);
    gen g = gen_seed(seed);
    for (size_t i = 0; i < n; i++) {
        const double number = (double)(int64_t)gen_u64(&g) * 0x1p-63;
        x[i] = number_bytes(plan) == sizeof number ? number : (double)(float)number;
    }
    return x;
}

void transform_upload(const fft_id_plan *plan, void *to, const double *x, size_t n) {
    if (number_bytes(plan) == sizeof *x) {
        EXPECT_TRUE(device_upload(to, x, n * sizeof *x));
        return;
    }
    float *const f = malloc(n * sizeof *f);
    for (size_t i = 0; i < n; i++) {
        f[i] = (float)x[i];
    }
    EXPECT_TRUE(device_upload(to, f, n * sizeof *f));
    free(f);
}

void transform_download(const fft_id_plan *plan, double *y, const void *from, size_t n) {
    if (number_bytes(plan) == sizeof *y) {
        EXPECT_TRUE(device_download(y, from, n * sizeof *y));
        return;
    }
    float *const f = malloc(n * sizeof *f);
    EXPECT_TRUE(device_download(f, from, n * sizeof *f));
    for (size_t i = 0; i < n; i++) {
        y[i] = f[i];
    }
    free(f);
}

// patterned: device memory full of the pattern; expect_end: what lies beyond the bytes is intact.
static char *patterned(size_t bytes) {
    char *const p = device_alloc(bytes + ROOM);
    EXPECT_TRUE(device_fill(p, PATTERN, bytes + ROOM));
    return p;
}

static void expect_end(const char *p, size_t bytes) {
    unsigned char beyond[ROOM];
    EXPECT_TRUE(device_download(beyond, p + bytes, ROOM));
    for (size_t i = 0; i < ROOM; i++) {
        EXPECT_EQ(beyond[i], PATTERN);
    }
}

static void expect_kept(const fft_id_plan *plan, const double *x, const void *from, size_t n) {
    double *const kept = malloc(n * sizeof *kept);
    transform_download(plan, kept, from, n);
    EXPECT_EQ(memcmp(kept, x, n * sizeof *kept), 0);
    free(kept);
}

void transform_run(const fft_id_plan *plan, const double *x, double *y, bool in_place) {
    const fft_id_problem *const p = &plan->problem;
    const size_t in = transform_numbers(plan, false), out = transform_numbers(plan, true);
    const size_t from_bytes = number_bytes(plan) * (in_place && out > in ? out : in);
    const size_t to_bytes = in_place ? from_bytes : number_bytes(plan) * out;
    const size_t workspace_bytes = fft_device_workspace_bytes(plan);
    const size_t table_bytes = fft_device_table_bytes(plan);
    const size_t copy = fft_id_item_bytes(p) * fft_id_length(p) * p->batch;
    const bool moves = p->order == FFT_ID_NATURAL && fft_id_passes(plan) > 1;
    EXPECT_EQ(workspace_bytes, moves ? copy : 0);
    char *const from = patterned(from_bytes), *const to = in_place ? from : patterned(to_bytes);
    char *const workspace = patterned(workspace_bytes), *const tables = patterned(table_bytes);
    transform_upload(plan, from, x, in);
    EXPECT_EQ(fft_device_tables(plan, tables, NULL), RESULT_OK);
    EXPECT_EQ(fft_device_transform(plan, from, to, workspace, tables, NULL), RESULT_OK);
    transform_download(plan, y, to, out);
    expect_end(to, to_bytes);
    expect_end(workspace, workspace_bytes);
    expect_end(tables, table_bytes);
    if (!in_place) {
        expect_kept(plan, x, from, in);
        device_free(to);
    }
    device_free(from), device_free(workspace), device_free(tables);
}

void transform_reference(const fft_id_plan *plan, const double *x, double *y) {
    fft_id_plan wide = *plan;
    wide.problem.element = FFT_ID_COMPLEX_F64;
    fft_id_complex *const space = malloc((fft_id_reference_items(&wide) + 1) * sizeof *space);
    EXPECT_EQ(fft_id_reference(&wide, (const fft_id_complex *)x, (fft_id_complex *)y, space), NULL);
    free(space);
}

double transform_distance(const double *y, const double *want, size_t n) {
    double d = 0, norm = 0;
    for (size_t i = 0; i < n; i++) {
        d += (y[i] - want[i]) * (y[i] - want[i]);
        norm += want[i] * want[i];
    }
    return norm > 0 ? sqrt(d / norm) : sqrt(d);
}

static double unit(const fft_id_plan *plan) { return number_bytes(plan) == 8 ? 0x1p-53 : 0x1p-24; }

double transform_tolerance(const fft_id_plan *plan) {
    const double levels = log2((double)fft_id_length(&plan->problem));
    return unit(plan) * (2 + 0.5 * levels + (fft_id_pairs(&plan->problem) ? 1 : 0));
}

void transform_check(const fft_id_plan *plan, uint64_t seed, transform_truth *truth) {
    char spec[FFT_ID_SPEC_BYTES];
    fft_id_print(plan, spec, sizeof spec);
    SCOPED_TRACE("%s", spec);
    const char *const why = fft_device_refusal(plan);
    if (why != NULL) {
        FAIL("refused: %s", why);
    }
    const size_t n = transform_numbers(plan, true);
    double *const x = transform_input(plan, seed);
    double *const y = malloc(n * sizeof *y), *const want = malloc(n * sizeof *want);
    truth(plan, x, want);
    const bool may_be_in_place = !fft_id_pairs(&plan->problem) || plan->problem.batch == 1;
    for (int in_place = 0; in_place <= may_be_in_place; in_place++) {
        transform_run(plan, x, y, in_place);
        const double error = transform_distance(y, want, n);
        if (!(error <= transform_tolerance(plan))) {
            ct_fail(__FILE__, __LINE__, 0, "%s errs by %g u",
                    in_place ? "in place" : "out of place", error / unit(plan));
        }
    }
    free(x), free(y), free(want);
}

void transform_expect_plans(fft_id_element element, unsigned least) {
    for (fft_id_direction d = FFT_ID_FORWARD; d < FFT_ID_DIRECTIONS; d++) {
        for (unsigned n = least; n <= 33; n++) {
            for (uint64_t batch = 1; batch <= 64; batch *= 8) {
                const fft_id_problem p = transform_problem(element, d, n, batch);
                fft_id_plan plan;
                SCOPED_TRACE("element %d, direction %d, 2^%u x %u", (int)element, (int)d, n,
                             (unsigned)batch);
                EXPECT_TRUE(fft_device_plan(&plan, &p));
            }
        }
    }
}

void transform_expect_refused(const transform_refused *refused, size_t n) {
    for (size_t i = 0; i < n; i++) {
        SCOPED_TRACE("%s", refused[i].spec);
        fft_id_plan plan;
        const char *why = fft_id_parse(&plan, refused[i].spec);
        if (why == NULL) {
            why = fft_device_refusal(&plan);
            EXPECT_EQ(fft_device_table_bytes(&plan), 0);
            EXPECT_EQ(fft_device_workspace_bytes(&plan), 0);
            EXPECT_TRUE(fft_device_transform(&plan, NULL, NULL, NULL, NULL, NULL) != RESULT_OK);
            EXPECT_TRUE(fft_device_tables(&plan, NULL, NULL) != RESULT_OK);
        }
        ASSERT_TRUE(why != NULL);
        if (device_ready()) {
            EXPECT_TRUE(strstr(why, refused[i].why) != NULL);
        }
    }
}
