// transform_plan.cu: which plan serves a problem on a device: tuples by length and by how much
// there is to do. Includes the door and transform_kinds.h.
#include "fft/device/complex/transform.h"

#include "fft/device/complex/transform_kinds.h"

namespace {

// The fastest tuple for problems of n digits, batches of up to 2^most items in all; above them, or
// where it has no kernel for the direction, another row. Of reals n is the digits of their pairs.
struct Row {
    uint8_t n, most;
    fft_id_tuple tuple;
};

// What follows is written by bench/device/fft_tune.py from measurements, to be changed by another
// run of it.
// By trials of every tuple that has kernels on an H200 (no records kept).
// clang-format off

constexpr Row kRowsF64[] = {
    {1, 48, {1, 1, 0}},
    {2, 48, {2, 2, 0}},
    {3, 48, {3, 3, 0}},
    {4, 48, {4, 4, 0}},
    {5, 48, {3, 5, 0}},
    {6, 48, {3, 6, 0}},
    {7, 48, {4, 7, 0}},
    {8, 48, {4, 8, 0}},
    {9, 48, {3, 9, 0}},
    {10, 48, {4, 10, 0}},
    {11, 48, {4, 11, 0}},
    {12, 48, {4, 12, 0}},
    {13, 48, {4, 13, 0}},
    {14, 18, {4, 10, 3}},
    {14, 48, {4, 14, 0}},
    {15, 18, {4, 10, 2}},
    {15, 20, {4, 11, 3}},
    {15, 48, {4, 15, 0}},
    {16, 17, {4, 10, 2}},
    {16, 19, {4, 11, 3}},
    {16, 21, {4, 12, 4}},
    {16, 48, {4, 16, 0}},
    {17, 19, {4, 11, 2}},
    {17, 48, {4, 12, 3}},
    {18, 20, {3, 11, 2}},
    {18, 48, {3, 12, 3}},
    {19, 48, {4, 12, 2}},
    {20, 48, {4, 12, 2}},
    {21, 48, {4, 13, 2}},
    {22, 22, {4, 12, 1}},
    {22, 48, {4, 13, 2}},
    {23, 48, {4, 13, 1}},
    {24, 48, {4, 12, 4}},
    {25, 48, {4, 12, 3}},
    {26, 48, {4, 12, 3}},
    {27, 48, {3, 12, 3}},
    {28, 48, {4, 12, 2}},
    {29, 48, {4, 12, 2}},
    {30, 48, {4, 12, 2}},
    {31, 48, {4, 13, 2}},
    {32, 48, {4, 13, 2}},
    {33, 48, {4, 13, 2}},
};

constexpr Row kRowsF32[] = {
    {1, 48, {1, 1, 0}},
    {2, 48, {2, 2, 0}},
    {3, 48, {3, 3, 0}},
    {4, 48, {4, 4, 0}},
    {5, 48, {3, 5, 0}},
    {6, 48, {3, 6, 0}},
    {7, 48, {4, 7, 0}},
    {8, 48, {4, 8, 0}},
    {9, 48, {3, 9, 0}},
    {10, 48, {4, 10, 0}},
    {11, 48, {4, 11, 0}},
    {12, 48, {4, 12, 0}},
    {13, 48, {4, 13, 0}},
    {14, 18, {4, 10, 3}},
    {14, 48, {5, 14, 0}},
    {15, 18, {4, 10, 2}},
    {15, 20, {4, 11, 3}},
    {15, 48, {5, 15, 0}},
    {16, 18, {4, 10, 2}},
    {16, 21, {4, 12, 4}},
    {16, 48, {4, 16, 0}},
    {17, 20, {4, 11, 2}},
    {17, 48, {5, 13, 4}},
    {18, 20, {3, 11, 2}},
    {18, 48, {5, 13, 4}},
    {19, 48, {5, 13, 3}},
    {20, 48, {5, 13, 3}},
    {21, 48, {5, 14, 3}},
    {22, 22, {4, 13, 2}},
    {22, 48, {4, 14, 3}},
    {23, 48, {4, 14, 2}},
    {24, 24, {4, 13, 5}},
    {24, 48, {4, 14, 2}},
    {25, 48, {5, 13, 4}},
    {26, 48, {5, 13, 4}},
    {27, 48, {5, 13, 4}},
    {28, 48, {5, 13, 3}},
    {29, 48, {5, 13, 3}},
    {30, 48, {5, 13, 3}},
    {31, 48, {5, 14, 3}},
    {32, 48, {5, 14, 3}},
    {33, 48, {5, 14, 3}},
};

constexpr Row kRowsRealF64[] = {
    {1, 48, {1, 1, 0}},
    {2, 48, {2, 2, 0}},
    {3, 48, {3, 3, 0}},
    {4, 48, {4, 4, 0}},
    {5, 48, {3, 5, 0}},
    {6, 48, {3, 6, 0}},
    {7, 48, {4, 7, 0}},
    {8, 48, {4, 8, 0}},
    {9, 48, {3, 9, 0}},
    {10, 48, {4, 10, 0}},
    {11, 48, {4, 11, 0}},
    {12, 48, {4, 12, 0}},
    {13, 48, {4, 13, 0}},
    {14, 18, {4, 10, 3}},
    {14, 48, {4, 11, 4}},
    {15, 18, {4, 10, 2}},
    {15, 48, {5, 12, 3}},
    {16, 17, {4, 10, 2}},
    {16, 19, {4, 11, 3}},
    {16, 48, {4, 12, 4}},
    {17, 19, {4, 11, 2}},
    {17, 48, {4, 12, 3}},
    {18, 19, {3, 11, 2}},
    {18, 48, {3, 12, 3}},
    {19, 48, {4, 12, 2}},
    {20, 48, {4, 13, 3}},
    {21, 21, {5, 12, 2}},
    {21, 48, {4, 13, 2}},
    {22, 48, {5, 12, 3}},
    {23, 48, {4, 12, 4}},
    {24, 48, {4, 12, 4}},
    {25, 48, {4, 12, 3}},
    {26, 48, {4, 12, 3}},
    {27, 48, {3, 12, 3}},
    {28, 48, {4, 12, 2}},
    {29, 48, {4, 12, 2}},
    {30, 48, {4, 12, 2}},
    {31, 48, {4, 13, 2}},
    {32, 48, {4, 13, 2}},
};

constexpr Row kRowsRealF32[] = {
    {1, 48, {1, 1, 0}},
    {2, 48, {2, 2, 0}},
    {3, 48, {3, 3, 0}},
    {4, 48, {4, 4, 0}},
    {5, 48, {3, 5, 0}},
    {6, 48, {3, 6, 0}},
    {7, 48, {4, 7, 0}},
    {8, 48, {4, 8, 0}},
    {9, 48, {3, 9, 0}},
    {10, 48, {4, 10, 0}},
    {11, 48, {4, 11, 0}},
    {12, 48, {4, 12, 0}},
    {13, 48, {5, 13, 0}},
    {14, 18, {4, 11, 4}},
    {14, 48, {5, 14, 0}},
    {15, 18, {4, 11, 3}},
    {15, 48, {4, 12, 2}},
    {16, 18, {4, 11, 3}},
    {16, 48, {4, 13, 2}},
    {17, 18, {4, 11, 2}},
    {17, 20, {4, 12, 3}},
    {17, 48, {5, 13, 4}},
    {18, 19, {3, 12, 3}},
    {18, 48, {6, 13, 2}},
    {19, 20, {4, 12, 2}},
    {19, 48, {5, 13, 3}},
    {20, 21, {5, 13, 3}},
    {20, 48, {6, 14, 3}},
    {21, 48, {5, 14, 3}},
    {22, 48, {6, 12, 3}},
    {23, 48, {4, 12, 3}},
    {24, 48, {4, 13, 5}},
    {25, 48, {5, 13, 4}},
    {26, 48, {5, 13, 4}},
    {27, 48, {5, 13, 4}},
    {28, 48, {5, 13, 3}},
    {29, 48, {5, 13, 3}},
    {30, 48, {5, 14, 4}},
    {31, 48, {5, 14, 3}},
    {32, 48, {5, 14, 3}},
};

constexpr Row kRowsReversedF64[] = {
    {1, 48, {1, 1, 0}},
    {2, 48, {2, 2, 0}},
    {3, 48, {3, 3, 0}},
    {4, 48, {4, 4, 0}},
    {5, 48, {3, 5, 0}},
    {6, 48, {3, 6, 0}},
    {7, 48, {4, 7, 0}},
    {8, 48, {4, 8, 0}},
    {9, 48, {3, 9, 0}},
    {10, 48, {4, 10, 0}},
    {11, 48, {4, 11, 0}},
    {12, 48, {4, 12, 0}},
    {13, 13, {4, 10, 0}},
    {13, 48, {4, 13, 0}},
    {14, 14, {4, 10, 0}},
    {14, 48, {4, 11, 0}},
    {15, 15, {4, 10, 0}},
    {15, 48, {4, 11, 4}},
    {16, 16, {4, 10, 3}},
    {16, 48, {4, 12, 0}},
    {17, 17, {4, 10, 2}},
    {17, 48, {4, 11, 4}},
    {18, 18, {4, 10, 2}},
    {18, 48, {4, 11, 4}},
    {19, 19, {4, 11, 3}},
    {19, 48, {4, 12, 4}},
    {20, 20, {4, 11, 2}},
    {20, 48, {4, 12, 4}},
    {21, 48, {4, 12, 3}},
    {22, 48, {4, 12, 2}},
    {23, 48, {4, 13, 2}},
    {24, 48, {4, 11, 4}},
    {25, 48, {4, 12, 4}},
    {26, 48, {4, 12, 4}},
    {27, 48, {4, 12, 4}},
    {28, 48, {4, 12, 4}},
    {29, 48, {4, 12, 3}},
    {30, 48, {4, 12, 3}},
    {31, 48, {4, 12, 2}},
    {32, 48, {4, 12, 2}},
    {33, 48, {4, 13, 2}},
};

constexpr Row kRowsReversedF32[] = {
    {1, 48, {1, 1, 0}},
    {2, 48, {2, 2, 0}},
    {3, 48, {3, 3, 0}},
    {4, 48, {4, 4, 0}},
    {5, 48, {3, 5, 0}},
    {6, 48, {3, 6, 0}},
    {7, 48, {4, 7, 0}},
    {8, 48, {4, 8, 0}},
    {9, 48, {3, 9, 0}},
    {10, 48, {4, 10, 0}},
    {11, 48, {4, 11, 0}},
    {12, 48, {4, 12, 0}},
    {13, 13, {4, 10, 0}},
    {13, 48, {5, 13, 0}},
    {13, 48, {4, 13, 0}},
    {14, 14, {4, 11, 0}},
    {14, 48, {5, 14, 0}},
    {15, 48, {4, 11, 4}},
    {16, 16, {4, 10, 0}},
    {16, 48, {4, 12, 0}},
    {17, 17, {4, 10, 3}},
    {17, 48, {4, 11, 4}},
    {18, 18, {4, 11, 4}},
    {18, 48, {4, 12, 4}},
    {19, 19, {4, 11, 3}},
    {19, 48, {4, 12, 4}},
    {20, 48, {4, 12, 4}},
    {21, 48, {5, 13, 4}},
    {22, 22, {4, 13, 3}},
    {22, 48, {5, 13, 4}},
    {22, 48, {5, 14, 4}},
    {23, 23, {4, 14, 3}},
    {23, 48, {5, 14, 4}},
    {23, 48, {4, 14, 3}},
    {24, 48, {5, 14, 3}},
    {24, 48, {4, 14, 3}},
    {25, 48, {5, 14, 3}},
    {26, 48, {4, 12, 4}},
    {27, 48, {4, 12, 4}},
    {28, 48, {4, 12, 4}},
    {29, 48, {5, 13, 4}},
    {30, 48, {5, 13, 4}},
    {31, 48, {5, 13, 4}},
    {31, 48, {4, 13, 4}},
    {32, 48, {5, 14, 4}},
    {33, 48, {5, 14, 4}},
    {33, 48, {4, 14, 4}},
};
// clang-format on

// 2^most >= items.
bool Within(const fft_id_problem *problem, unsigned n, unsigned most) {
    return most >= n && problem->batch <= (uint64_t)1 << (most - n);
}

bool Make(fft_strided_plan *plan, const fft_id_problem *problem, fft_id_tuple tuple) {
    return fft_id_make(&plan->plan, problem, tuple, FFT_ID_AFTER) == nullptr &&
           PassesRefusal(plan) == nullptr;
}

// Of items side by side the first row that serves the problem.
template <size_t kN>
bool Choose(const Row (&rows)[kN], fft_strided_plan *plan, const fft_id_problem *problem) {
    const unsigned n = fft_id_digits(problem);
    for (const Row &row : rows) {
        if (row.n == n && Within(problem, n, row.most) && Make(plan, problem, row.tuple)) {
            return true;
        }
    }
    return false;
}

// Of problems side by side tiles of as many of them as are 256 bytes wide, or of fewer, 64 bytes at
// least; of tiles so wide those that leave room for another on a multiprocessor first. Nodes of 16
// points, or of 8 or 32 where there are no kernels of those.
bool ChooseColumns(fft_strided_plan *plan, const fft_id_problem *problem) {
    const unsigned n = fft_id_digits(problem), least = OfDoubles(problem) ? 2 : 3;
    const unsigned small = OfDoubles(problem) ? 12 : 13;
    constexpr uint8_t kNodes[] = {4, 3, 5};
    for (unsigned s = small; s <= small + 1; s++) {
        for (unsigned x = least + 2; x >= least; x--) {
            for (const uint8_t p : kNodes) {
                if (x < n && n + x <= s && Make(plan, problem, {p, (uint8_t)n, (uint8_t)x})) {
                    return true;
                }
            }
        }
    }
    return false;
}

}  // namespace

bool PassesPlan(fft_strided_plan *plan, const fft_id_problem *problem, fft_strided_layout in,
                fft_strided_layout out) {
    *plan = {{}, in, out};
    if (out.distance < out.stride && problem->batch > 1) {
        return ChooseColumns(plan, problem);
    }
    switch (problem->element) {
        case FFT_ID_COMPLEX_F64:
            return problem->order == FFT_ID_REVERSED ? Choose(kRowsReversedF64, plan, problem)
                                                     : Choose(kRowsF64, plan, problem);
        case FFT_ID_COMPLEX_F32:
            return problem->order == FFT_ID_REVERSED ? Choose(kRowsReversedF32, plan, problem)
                                                     : Choose(kRowsF32, plan, problem);
        case FFT_ID_REAL_F64:
            return Choose(kRowsRealF64, plan, problem);
        case FFT_ID_REAL_F32:
            return Choose(kRowsRealF32, plan, problem);
        default:
            return false;
    }
}

bool fft_device_plan(fft_id_plan *plan, const fft_id_problem *problem) {
    fft_strided_plan dense;
    const fft_strided_layout in = fft_strided_dense(problem, false),
                             out = fft_strided_dense(problem, true);
    const bool served = fft_id_mixed(problem) ? MixedPlan(&dense, problem, in, out)
                                              : PassesPlan(&dense, problem, in, out);
    *plan = dense.plan;
    return served;
}
