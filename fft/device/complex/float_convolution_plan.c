// float_convolution_plan.c: plans of float_convolution.h, and the memory they take. Pure.
#include "fft/complex/float_product.h"
#include "fft/device/complex/float_convolution.h"
#include "primitives/words/word.h"

enum { MEMORY_LINE = 256 };

static uint64_t power_of_two(uint64_t points) {
    uint64_t power = 2;
    while (power < points) {
        power *= 2;
    }
    return power;
}

// transform_of: the transform of this length, by the plan that was tuned; NULL, or why there is
// none.
static const char *transform_of(fft_id_plan *plan, unsigned significand, uint64_t length) {
    fft_id_problem problem = {
        .element = significand == FFT_BOUND_F64 ? FFT_ID_COMPLEX_F64 : FFT_ID_COMPLEX_F32,
        .direction = FFT_ID_FORWARD,
        .order = FFT_ID_NATURAL,
        .batch = 1,
    };
    const char *const why = fft_id_set_length(&problem, length);
    return why                               ? why
           : fft_device_plan(plan, &problem) ? NULL
                                             : "no kernel was built for a transform of this length";
}

static const char *roundings(fft_bound_shape *shape, uint64_t length) {
    fft_id_plan plan;
    const char *const why = transform_of(&plan, shape->significand, length);
    if (!why) {
        fft_bound_device(shape, &plan);
    }
    return why;
}

const char *fft_float_device_plan_limbs(fft_float_device_plan *plan, fft_bound_method method,
                                        unsigned significand, uint64_t an, uint64_t bn,
                                        bool certified) {
    static const fft_float_transforms transforms = {power_of_two, roundings};
    const fft_float type = significand == FFT_BOUND_F64 ? FFT_F64 : FFT_F32;
    fft_float_plan found;
    const char *const why = fft_float_plan_by(&found, &transforms, method, type, an, bn, certified);
    if (why) {
        return why;
    }
    *plan = (fft_float_device_plan){
        .method = method,
        .a_digits = found.a_digits,
        .b_digits = found.b_digits,
        .width = found.width,
        .balanced = found.balanced,
        .certified = certified,
        .error = found.error,
    };
    return transform_of(&plan->transform, significand, found.transform.problem.length);
}

static uint64_t whole_lines(uint64_t bytes) {
    return word_ceil_div(bytes, MEMORY_LINE) * MEMORY_LINE;
}

uint64_t fft_float_device_values_bytes(const fft_float_device_plan *plan) {
    return whole_lines(fft_id_length(&plan->transform.problem) *
                       fft_id_item_bytes(&plan->transform.problem));
}

uint64_t fft_float_device_other_bytes(const fft_float_device_plan *plan, bool square) {
    return square || plan->method == FFT_BOUND_PACKED ? 0 : fft_float_device_values_bytes(plan);
}

uint64_t fft_float_device_workspace_bytes(const fft_float_device_plan *plan) {
    return whole_lines(fft_device_workspace_bytes(&plan->transform));
}

uint64_t fft_float_device_table_bytes(const fft_float_device_plan *plan) {
    return whole_lines(fft_device_table_bytes(&plan->transform));
}
