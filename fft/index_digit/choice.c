// choice.c: from the limits of a device to candidate tuples, by the papers' premises.
// Includes index_digit.h only.
#include "fft/index_digit/index_digit.h"

// item_bytes: what one item of the transform takes: a pair for real elements.
static uint32_t item_bytes(fft_id_element element) {
    switch (element) {
        case FFT_ID_COMPLEX_F64:
        case FFT_ID_REAL_F64:
            return 16;
        default:
            return 8;
    }
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

// measure: whether the limits allow the tuple, and what is resident then.
static bool measure(const fft_id_problem *problem, const fft_id_limits *limits, fft_id_tuple tuple,
                    fft_id_candidate *candidate) {
    const uint32_t bytes = item_bytes(problem->element);
    const uint64_t threads = (uint64_t)1 << (tuple.s - tuple.p);
    const uint64_t shared = (uint64_t)bytes << tuple.s;
    // the items, half as many again for twiddles and temporaries, 16 for addresses: 64 and 40 for
    // 16 and 8 complex FP32 items, where [Dieguez18] counts 46..54 and 35..41
    const uint32_t registers = (bytes / 4 << tuple.p) * 3 / 2 + 16;
    fft_id_plan plan;
    if (threads > limits->threads_per_block || shared > limits->shared_bytes_per_block ||
        registers > limits->registers_per_thread ||
        fft_id_make(&plan, problem, tuple, FFT_ID_AFTER) != NULL) {
        return false;
    }
    const uint32_t block = (uint32_t)threads < 32 ? 32 : (uint32_t)threads;  // whole warps
    const uint32_t blocks = least(
        least(limits->blocks, limits->threads / block),
        least(limits->registers / (registers * block), limits->shared_bytes / (uint32_t)shared));
    *candidate = (fft_id_candidate){
        .tuple = tuple,
        .passes = fft_id_passes(&plan),
        .blocks = blocks,
        .warps = blocks * (block / 32),
    };
    return blocks > 0;
}

// before: a stands before b in the order of the premises.
static bool before(const fft_id_candidate *a, const fft_id_candidate *b,
                   const fft_id_limits *limits) {
    if (a->passes != b->passes) {
        return a->passes < b->passes;
    }
    const bool a_warps = a->warps * 128 >= limits->threads;
    const bool b_warps = b->warps * 128 >= limits->threads;
    if (a_warps != b_warps) {
        return a_warps;
    }
    if (a->tuple.p != b->tuple.p) {
        return a->tuple.p > b->tuple.p;
    }
    return a->warps > b->warps;
}

// insert: keeps the best `capacity` candidates in order, earlier ones first among equals.
static void insert(fft_id_candidate *candidates, size_t n, size_t capacity,
                   fft_id_candidate candidate, const fft_id_limits *limits) {
    size_t i = n < capacity ? n : capacity;
    if (i == capacity && (i == 0 || !before(&candidate, &candidates[i - 1], limits))) {
        return;
    }
    i -= i == capacity ? 1 : 0;
    for (; i > 0 && before(&candidate, &candidates[i - 1], limits); i--) {
        candidates[i] = candidates[i - 1];
    }
    candidates[i] = candidate;
}

size_t fft_id_candidates(const fft_id_problem *problem, const fft_id_limits *limits,
                         fft_id_candidate *candidates, size_t capacity) {
    const unsigned n = fft_id_digits(problem);
    const uint32_t bytes = item_bytes(problem->element);
    size_t found = 0;
    if (fft_id_mixed(problem)) {
        return 0;
    }
    for (unsigned s = 1; s <= n && s <= FFT_ID_DIGITS_MAX; s++) {
        for (unsigned p = 1; p <= s && p <= FFT_ID_P_MAX; p++) {
            for (unsigned x = 0; x <= s && x < 8; x++) {
                // one pass is contiguous for any x; several take one sector to four
                const uint32_t run = bytes << x;
                const bool wanted =
                    s == n ? x == 0
                           : run >= limits->sector_bytes && run <= 4 * limits->sector_bytes;
                const fft_id_tuple tuple = {(uint8_t)p, (uint8_t)s, (uint8_t)x};
                fft_id_candidate candidate;
                if (wanted && measure(problem, limits, tuple, &candidate)) {
                    insert(candidates, found++, capacity, candidate, limits);
                }
            }
        }
    }
    return found;
}

fft_id_tuple fft_id_paper_tuple(unsigned version, unsigned n) {
    const uint8_t p = version == 1 ? 4 : 3;
    return (fft_id_tuple){
        .p = n < p ? (uint8_t)n : p,
        .s = n < 12 ? (uint8_t)n : 12,
        .x = n <= 12 ? 0 : p,
    };
}
