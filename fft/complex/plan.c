// plan.c: plans of complex, real and product transforms: radices, rows and columns, the
// order of the frequencies, bytes. May include ops.h and primitives/words/word.h.
#include "fft/complex/ops.h"
#include "primitives/words/word.h"

// The most cells of a row, and the most points of a transform of one row: they should fit a cache
// of one core.
enum { ROW_CELLS = 4096 };
// Enough rows for a team to share evenly.
enum { SHARED_ROWS = 8 };
// Runs of a convolution's values this many bytes apart map to one set of a first-level cache. Then
// RUN_GAP values, a line or two, are left free between them.
enum { SET_PERIOD = 4096, RUN_GAP = 16 };

static void add_pass(fft_complex_plan *p, unsigned radix) {
    p->radix[p->passes_n++] = (uint8_t)radix;
}

// split: exponents of 2, 3, 5, 7 in n > 0; what is left must be 1.
static bool split(uint64_t n, unsigned exponent[8]) {
    static const uint8_t odd[] = {3, 5, 7};
    exponent[2] = word_ctz(n);
    n >>= exponent[2];
    for (unsigned i = 0; i < sizeof odd && n > 1; i++) {
        for (; n % odd[i] == 0; n /= odd[i]) {
            exponent[odd[i]]++;
        }
    }
    return n == 1;
}

// first_radix: the widest that the length offers, so that few lanes are idle.
static unsigned first_radix(unsigned exponent[8]) {
    static const uint8_t odd[] = {7, 5, 3};
    if (exponent[2] >= 3) {
        exponent[2] -= 3;
        return 8;
    }
    for (unsigned i = 0; i < sizeof odd; i++) {
        if (exponent[odd[i]] > 0 && (odd[i] > 3 || exponent[2] < 2)) {
            exponent[odd[i]]--;
            return odd[i];
        }
    }
    const unsigned radix = 1u << exponent[2];
    exponent[2] = 0;
    return radix;
}

// The other passes: odd radices, what is left of the power of 2 in fours (2 = 4 4 rather than 8 2),
// then eights. A transform of one pass has a second one of radix 1.
static void add_passes(fft_complex_plan *p, unsigned exponent[8]) {
    for (unsigned r = 7; r >= 3; r -= 2) {
        for (; exponent[r] > 0; exponent[r]--) {
            add_pass(p, r);
        }
    }
    for (; exponent[2] % 3 != 0 && exponent[2] >= 2; exponent[2] -= 2) {
        add_pass(p, 4);
    }
    if (exponent[2] == 1) {
        add_pass(p, 2);
    }
    for (; exponent[2] >= 3; exponent[2] -= 3) {
        add_pass(p, 8);
    }
    if (p->passes_n == 1) {
        add_pass(p, 1);
    }
}

// set_columns: the first passes join columns, as many as leave rows of at most `cells`, but no more
// than keep a strip of columns smaller than a row.
static void set_columns(fft_complex_plan *p, uint64_t cells) {
    p->rows = 1;
    p->columns = p->problem.length / p->lanes;
    p->column_passes = 0;
    while (p->columns > cells && p->rows * FFT_COMPLEX_LANES < p->columns &&
           p->column_passes + 2 < p->passes_n) {
        const unsigned radix = p->radix[++p->column_passes];
        p->rows *= radix;
        p->columns /= radix;
    }
}

static void set_tables(fft_complex_plan *p) {
    uint64_t nodes = 1, at = 0;
    for (unsigned q = 0; q < p->passes_n; q++) {
        p->table_at[q] = at;
        at += nodes * fft_complex_twiddles(p->radix[q]);
        nodes *= q == 0 ? 1 : p->radix[q];
    }
    p->table_at[p->passes_n] = at;
}

const char *fft_complex_make(fft_complex_plan *plan, const fft_complex_problem *problem) {
    unsigned exponent[8] = {0};
    if (problem->type >= FFT_FLOATS || problem->order >= FFT_ORDERS) {
        return "unknown type or order";
    }
    if (problem->length == 0 || problem->length > (uint64_t)1 << FFT_COMPLEX_LG_MAX) {
        return "length is 0 or above 2^36";
    }
    if (!split(problem->length, exponent)) {
        return "length has a prime factor other than 2, 3, 5, 7";
    }
    if (problem->batch == 0 || (problem->batch > 1 && problem->distance < problem->length)) {
        return "batch is 0, or its transforms overlap";
    }
    if (problem->right_angle && problem->order != FFT_REVERSED) {
        return "right-angle transforms are of order reversed";
    }
    *plan = (fft_complex_plan){.problem = *problem};
    plan->lanes = first_radix(exponent);
    add_pass(plan, plan->lanes);
    add_passes(plan, exponent);
    set_columns(plan, ROW_CELLS);
    set_tables(plan);
    return NULL;
}

uint64_t fft_complex_reverse(const fft_complex_plan *plan, unsigned passes, uint64_t address) {
    uint64_t weight = 1, frequency = 0;
    for (unsigned q = 1; q <= passes; q++) {
        weight *= plan->radix[q];
    }
    for (unsigned q = passes; q >= 1; q--) {  // address: the digit of pass q is its least, so far
        weight /= plan->radix[q];
        frequency += address % plan->radix[q] * weight;
        address /= plan->radix[q];
    }
    return frequency;
}

uint64_t fft_complex_frequency(const fft_complex_plan *plan, uint64_t address) {
    if (plan->problem.order == FFT_NATURAL) {
        return address;
    }
    return address % plan->lanes +
           plan->lanes * fft_complex_reverse(plan, plan->passes_n - 1u, address / plan->lanes);
}

uint64_t fft_complex_address(const fft_complex_plan *plan, uint64_t frequency) {
    if (plan->problem.order == FFT_NATURAL) {
        return frequency;
    }
    uint64_t rest = frequency / plan->lanes, address = 0;
    for (unsigned q = 1; q < plan->passes_n; q++) {
        address = address * plan->radix[q] + rest % plan->radix[q];
        rest /= plan->radix[q];
    }
    return address * plan->lanes + frequency % plan->lanes;
}

uint64_t fft_complex_table_bytes(const fft_complex_plan *plan) {
    return plan->table_at[plan->passes_n] * fft_complex_cell_bytes(plan);
}

uint64_t fft_complex_workspace_bytes(const fft_complex_plan *plan, unsigned threads) {
    const uint64_t plane = fft_complex_plane_bytes(plan);
    return plan->rows == 1 ? threads * plane : plane + threads * fft_complex_buffer_bytes(plan);
}

const char *fft_product_plan(fft_complex_plan *plan, fft_float type, uint64_t points) {
    const fft_complex_problem problem = {
        .type = type, .order = FFT_REVERSED, .right_angle = true, .length = points, .batch = 1};
    return fft_complex_make(plan, &problem);
}

void fft_product_share(fft_complex_plan *plan) {
    const uint64_t cells = plan->problem.length / plan->lanes / SHARED_ROWS;
    set_columns(plan, cells < ROW_CELLS ? cells : ROW_CELLS);
}

fft_product_places fft_product_places_of(const fft_complex_plan *plan) {
    const uint64_t run = plan->problem.length / plan->lanes;
    const uint64_t bytes = run * fft_float_bytes(plan->problem.type);
    const uint64_t apart = bytes % SET_PERIOD == 0 ? run + RUN_GAP : run;
    return (fft_product_places){run, apart, 2 * plan->lanes * apart};
}

uint64_t fft_product_plane_bytes(const fft_complex_plan *plan) {
    return fft_complex_plane_bytes(plan);
}

uint64_t fft_product_workspace_bytes(const fft_complex_plan *plan, unsigned threads) {
    return fft_complex_planes(plan) * fft_complex_plane_bytes(plan) +
           threads * fft_complex_buffer_bytes(plan);
}

// Real transforms: of the pairs, n / 2 points; the table of w^k after the complex one's.
const char *fft_real_make(fft_real_plan *plan, fft_float type, uint64_t length, uint64_t batch,
                          uint64_t real_distance, uint64_t complex_distance) {
    const uint64_t half = length / 2;
    if (length == 0 || length % 2 == 1) {
        return "real lengths are even";
    }
    if (batch > 1 && (real_distance < length || complex_distance < half + 1)) {
        return "real transforms overlap";
    }
    *plan = (fft_real_plan){.length = length,
                            .batch = batch,
                            .real_distance = real_distance,
                            .complex_distance = complex_distance};
    const fft_complex_problem problem = {
        .type = type, .order = FFT_NATURAL, .length = half, .batch = batch, .distance = half};
    return fft_complex_make(&plan->half, &problem);
}

uint64_t fft_real_table_bytes(const fft_real_plan *plan) {
    const uint64_t cells = (plan->length / 4 + FFT_COMPLEX_LANES - 1) / FFT_COMPLEX_LANES;
    return fft_complex_table_bytes(&plan->half) + cells * fft_complex_cell_bytes(&plan->half);
}

uint64_t fft_real_workspace_bytes(const fft_real_plan *plan, unsigned threads) {
    return fft_complex_workspace_bytes(&plan->half, threads);
}
