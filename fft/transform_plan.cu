// transform_plan.cu: which plan serves a problem on a device: tuples by length and by how much
// there is to do, as trials chose them. Includes the door and transform_mixed.h.
#include "fft/transform_device.h"

#include "fft/transform_mixed.h"

namespace {

// The fastest tuple for problems of n digits, batches of up to 2^most items in all; above them, or
// where it has no kernel for the direction, another row. Chosen by trials of every tuple that has kernels on an H200, of which no records are
// kept; those in bench/records/ are of the plans chosen here.
struct Row {
    uint8_t n, most;
    fft_id_tuple tuple;
};

constexpr uint8_t kAny = FFT_ID_LG_ITEMS_MAX;

constexpr Row kRowsF64[] = {
    {1, kAny, {1, 1, 0}},   {2, kAny, {2, 2, 0}},   {3, kAny, {3, 3, 0}},   {4, kAny, {4, 4, 0}},
    {5, kAny, {3, 5, 0}},   {6, kAny, {3, 6, 0}},   {7, kAny, {4, 7, 0}},   {8, kAny, {4, 8, 0}},
    {9, kAny, {3, 9, 0}},   {10, kAny, {4, 10, 0}}, {11, kAny, {4, 11, 0}}, {12, kAny, {4, 12, 0}},
    {13, kAny, {4, 13, 0}}, {14, 18, {4, 10, 3}},   {14, kAny, {4, 14, 0}}, {15, 18, {4, 10, 2}},
    {15, 20, {4, 11, 3}},   {15, kAny, {4, 15, 0}}, {16, 17, {4, 10, 2}},   {16, 19, {4, 11, 3}},
    {16, 21, {4, 12, 4}},   {16, kAny, {4, 16, 0}}, {17, 19, {4, 11, 2}},   {17, kAny, {4, 12, 3}},
    {18, 20, {3, 11, 2}},   {18, kAny, {3, 12, 3}}, {19, kAny, {4, 12, 2}}, {20, kAny, {4, 12, 2}},
    {21, kAny, {4, 13, 2}}, {22, 22, {4, 12, 1}},   {22, kAny, {4, 13, 2}}, {23, kAny, {4, 13, 1}},
    {24, kAny, {4, 12, 4}}, {25, kAny, {4, 12, 3}}, {26, kAny, {4, 12, 3}}, {27, kAny, {3, 12, 3}},
    {28, kAny, {4, 12, 2}}, {29, kAny, {4, 12, 2}}, {30, kAny, {4, 12, 2}}, {31, kAny, {4, 13, 2}},
    {32, kAny, {4, 13, 2}}, {33, kAny, {4, 13, 2}},
};

constexpr Row kRowsF32[] = {
    {1, kAny, {1, 1, 0}},   {2, kAny, {2, 2, 0}},   {3, kAny, {3, 3, 0}},   {4, kAny, {4, 4, 0}},
    {5, kAny, {3, 5, 0}},   {6, kAny, {3, 6, 0}},   {7, kAny, {4, 7, 0}},   {8, kAny, {4, 8, 0}},
    {9, kAny, {3, 9, 0}},   {10, kAny, {4, 10, 0}}, {11, kAny, {4, 11, 0}}, {12, kAny, {4, 12, 0}},
    {13, kAny, {4, 13, 0}}, {14, 18, {4, 10, 3}},   {14, kAny, {4, 14, 0}}, {15, 18, {4, 10, 2}},
    {15, 20, {4, 11, 3}},   {15, kAny, {4, 15, 0}}, {16, 18, {4, 10, 2}},   {16, 21, {4, 12, 4}},
    {16, kAny, {4, 16, 0}}, {17, 20, {4, 11, 2}},   {17, kAny, {5, 13, 4}}, {18, 20, {3, 11, 2}},
    {18, kAny, {5, 13, 4}}, {19, kAny, {5, 13, 3}}, {20, kAny, {5, 13, 3}}, {21, kAny, {5, 14, 3}},
    {22, 22, {4, 13, 2}},   {22, kAny, {4, 14, 3}}, {23, kAny, {4, 14, 2}}, {24, 24, {4, 13, 5}},
    {24, kAny, {4, 14, 2}}, {25, kAny, {5, 13, 4}}, {26, kAny, {5, 13, 4}}, {27, kAny, {5, 13, 4}},
    {28, kAny, {5, 13, 3}}, {29, kAny, {5, 13, 3}}, {30, kAny, {5, 13, 3}}, {31, kAny, {5, 14, 3}},
    {32, kAny, {5, 14, 3}}, {33, kAny, {5, 14, 3}},
};

// Of reals, 2 to the digits plus 1 of them: the complex ones' where half a tile's lines, which then
// are contiguous, are 64 bytes or more in the pass for frequencies of reals, or others: by
// single trials on an H200, of which there are no records.
constexpr Row kRowsRealF64[] = {
    {1, kAny, {1, 1, 0}},   {2, kAny, {2, 2, 0}},   {3, kAny, {3, 3, 0}},   {4, kAny, {4, 4, 0}},
    {5, kAny, {3, 5, 0}},   {6, kAny, {3, 6, 0}},   {7, kAny, {4, 7, 0}},   {8, kAny, {4, 8, 0}},
    {9, kAny, {3, 9, 0}},   {10, kAny, {4, 10, 0}}, {11, kAny, {4, 11, 0}}, {12, kAny, {4, 12, 0}},
    {13, kAny, {4, 13, 0}}, {14, 18, {4, 10, 3}},   {14, kAny, {4, 14, 0}}, {14, kAny, {5, 12, 3}},
    {15, 18, {4, 10, 2}},   {15, kAny, {4, 15, 0}}, {15, kAny, {5, 12, 3}}, {16, 19, {4, 11, 3}},
    {16, kAny, {4, 16, 0}}, {16, kAny, {4, 12, 4}}, {17, 19, {4, 11, 2}},   {17, kAny, {4, 12, 3}},
    {18, kAny, {3, 12, 3}}, {19, kAny, {4, 12, 2}}, {20, kAny, {4, 13, 3}}, {21, kAny, {5, 12, 2}},
    {22, kAny, {5, 12, 3}}, {23, kAny, {4, 12, 4}}, {24, kAny, {4, 12, 4}}, {25, kAny, {4, 12, 3}},
    {26, kAny, {4, 12, 3}}, {27, kAny, {3, 12, 3}}, {28, kAny, {4, 12, 2}}, {29, kAny, {4, 12, 2}},
    {30, kAny, {4, 12, 2}}, {31, kAny, {4, 13, 2}}, {32, kAny, {4, 13, 2}},
};

constexpr Row kRowsRealF32[] = {
    {1, kAny, {1, 1, 0}},   {2, kAny, {2, 2, 0}},   {3, kAny, {3, 3, 0}},   {4, kAny, {4, 4, 0}},
    {5, kAny, {3, 5, 0}},   {6, kAny, {3, 6, 0}},   {7, kAny, {4, 7, 0}},   {8, kAny, {4, 8, 0}},
    {9, kAny, {3, 9, 0}},   {10, kAny, {4, 10, 0}}, {11, kAny, {4, 11, 0}}, {12, kAny, {4, 12, 0}},
    {13, kAny, {4, 13, 0}}, {14, 18, {4, 11, 4}},   {14, kAny, {4, 14, 0}}, {15, 18, {4, 11, 3}},
    {15, kAny, {4, 15, 0}}, {15, kAny, {4, 12, 2}}, {16, 18, {4, 13, 2}},   {16, kAny, {4, 16, 0}},
    {16, kAny, {4, 13, 2}}, {17, 20, {4, 12, 3}},   {17, kAny, {5, 13, 4}}, {18, kAny, {6, 13, 2}},
    {19, kAny, {5, 13, 3}}, {20, kAny, {6, 14, 3}}, {21, kAny, {5, 14, 3}}, {22, kAny, {6, 12, 3}},
    {23, kAny, {4, 12, 3}}, {24, kAny, {4, 13, 5}}, {25, kAny, {5, 13, 4}}, {26, kAny, {5, 13, 4}},
    {27, kAny, {5, 13, 4}}, {28, kAny, {5, 13, 3}}, {29, kAny, {5, 13, 3}}, {30, kAny, {5, 14, 4}},
    {31, kAny, {5, 14, 3}}, {32, kAny, {5, 14, 3}},
};

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
