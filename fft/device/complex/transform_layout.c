// transform_layout.c: layouts of transform_strided.h: which are dense, which are refused. Pure.
#include "fft/device/complex/transform_strided.h"

static uint64_t most(uint64_t a, uint64_t b) { return a > b ? a : b; }

uint64_t fft_strided_elements(const fft_id_problem *problem, bool output) {
    const uint64_t n = fft_id_length(problem);  // pairs, of reals
    if (!fft_id_pairs(problem)) {
        return n;
    }
    return output == (problem->direction == FFT_ID_FORWARD) ? n + 1 : 2 * n;
}

fft_strided_layout fft_strided_dense(const fft_id_problem *problem, bool output) {
    return (fft_strided_layout){1, fft_strided_elements(problem, output)};
}

bool fft_strided_is_dense(const fft_id_problem *problem, fft_strided_layout layout, bool output) {
    return layout.stride == 1 &&
           (problem->batch == 1 || layout.distance == fft_strided_dense(problem, output).distance);
}

static uint64_t common_divisor(uint64_t a, uint64_t b) {
    while (b > 0) {
        const uint64_t rest = a % b;
        a = b, b = rest;
    }
    return a;
}

// within: the last place, (batch - 1) distance + (elements - 1) stride, is below 2^48.
static bool within(fft_strided_layout layout, uint64_t elements, uint64_t batch) {
    const uint64_t places = (uint64_t)1 << FFT_ID_LG_ITEMS_MAX;
    return layout.stride < places / most(elements - 1, 1) / 2 &&
           layout.distance < places / most(batch - 1, 1) / 2;
}

// meets: two elements share a place. (b, j) and (b', j') do where (b - b') distance =
// (j' - j) stride. With g the common divisor of both, the least such step, all others being its
// multiples, is stride / g problems and distance / g elements: there is one if the batch has more
// problems and the problem more elements than that. Of 0 and 0, g = 0, every element has one place.
static bool meets(fft_strided_layout layout, uint64_t elements, uint64_t batch) {
    const uint64_t g = common_divisor(layout.stride, layout.distance);
    return g == 0 ? elements > 1 || batch > 1
                  : layout.stride / g < batch && layout.distance / g < elements;
}

const char *fft_strided_layout_refusal(const fft_strided_plan *plan) {
    const fft_id_problem *const problem = &plan->plan.problem;
    const uint64_t in = fft_strided_elements(problem, false);
    const uint64_t out = fft_strided_elements(problem, true), batch = problem->batch;
    if (!within(plan->in, in, batch) || !within(plan->out, out, batch)) {
        return "elements must stand below 2^48, and half of it by stride or by distance alone";
    }
    return meets(plan->out, out, batch) ? "two elements of the output share a place" : NULL;
}

bool fft_strided_in_place(const fft_strided_plan *plan) {
    const fft_id_problem *const problem = &plan->plan.problem;
    const fft_strided_layout in = plan->in, out = plan->out;
    const bool one = problem->batch == 1;
    if (!fft_id_pairs(problem)) {
        return in.stride == out.stride && (one || in.distance == out.distance);
    }
    const bool forward = problem->direction == FFT_ID_FORWARD;
    const uint64_t reals = forward ? in.distance : out.distance;
    const uint64_t frequencies = forward ? out.distance : in.distance;
    return in.stride == 1 && out.stride == 1 && (one || reals == 2 * frequencies);
}
