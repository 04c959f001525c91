// transform_plan.cu: which plan serves a problem on a device: tuples by length and by how much
// there is to do. Includes the door, transform_mixed.h and the table of tuples.
#include "fft/transform_device.h"

#include "fft/transform_mixed.h"

namespace {

// The fastest tuple for problems of n digits, batches of up to 2^most items in all; above them, or
// where it has no kernel for the direction, another row. Of reals n is the digits of their pairs.
struct Row {
    uint8_t n, most;
    fft_id_tuple tuple;
};

#include "fft/transform_tuples.h"

// 2^most >= items.
bool Within(const fft_id_problem *problem, unsigned n, unsigned most) {
    return most >= n && problem->batch <= (uint64_t)1 << (most - n);
}

template <size_t kN>
bool Choose(const Row (&rows)[kN], fft_id_plan *plan, const fft_id_problem *problem) {
    const unsigned n = fft_id_digits(problem);
    for (const Row &row : rows) {
        if (row.n == n && Within(problem, n, row.most) &&
            fft_id_make(plan, problem, row.tuple, FFT_ID_AFTER) == nullptr &&
            fft_device_refusal(plan) == nullptr) {
            return true;
        }
    }
    return false;
}

}  // namespace

bool fft_device_plan(fft_id_plan *plan, const fft_id_problem *problem) {
    if (fft_id_mixed(problem)) {
        fft_strided_plan dense;
        const bool served = MixedPlan(&dense, problem, fft_strided_dense(problem, false),
                                      fft_strided_dense(problem, true));
        *plan = dense.plan;
        return served;
    }
    switch (problem->element) {
        case FFT_ID_COMPLEX_F64:
            return Choose(kRowsF64, plan, problem);
        case FFT_ID_COMPLEX_F32:
            return Choose(kRowsF32, plan, problem);
        case FFT_ID_REAL_F64:
            return Choose(kRowsRealF64, plan, problem);
        case FFT_ID_REAL_F32:
            return Choose(kRowsRealF32, plan, problem);
        default:
            return false;
    }
}
