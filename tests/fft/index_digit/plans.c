// plans.c: the plans of plans.h.
#include "tests/fft/index_digit/plans.h"

#include <string.h>

fft_id_problem problem_of(unsigned digits, fft_id_direction direction, fft_id_order order,
                          uint64_t batch) {
    return (fft_id_problem){FFT_ID_COMPLEX_F64, direction, order, {(uint8_t)digits}, batch};
}

fft_id_tuple tuple_of(unsigned p, unsigned s, unsigned x) {
    return (fft_id_tuple){(uint8_t)p, (uint8_t)s, (uint8_t)x};
}

const fft_id_limits hopper = {.registers_per_thread = 255,
                              .registers = 65536,
                              .shared_bytes_per_block = 232448,
                              .shared_bytes = 233472,
                              .threads_per_block = 1024,
                              .threads = 2048,
                              .blocks = 32,
                              .sector_bytes = 32};

void random_plan(gen *g, fft_id_plan *plan, const fft_id_problem *problem) {
    const unsigned n = fft_id_digits(problem);
    memset(plan, 0, sizeof *plan);
    plan->problem = *problem;
    const unsigned p = 1 + (unsigned)gen_below(g, n < FFT_ID_P_MAX ? n : FFT_ID_P_MAX);
    const unsigned s = p + (unsigned)gen_below(g, n - p + 1);
    plan->tuple = tuple_of(p, s, (unsigned)gen_below(g, 3));
    const fft_id_twiddle rule = gen_below(g, 2) ? FFT_ID_BEFORE : FFT_ID_AFTER;
    unsigned group = 0;
    for (unsigned top = n; top > 0;) {
        const unsigned most = top < p ? top : p, q = 1 + (unsigned)gen_below(g, most);
        uint8_t where = top == n ? FFT_ID_GLOBAL : (uint8_t)gen_below(g, FFT_ID_WHERES);
        if (where == FFT_ID_REGISTER && group + q > p) {
            where = FFT_ID_SHARED;
        }
        group = where == FFT_ID_REGISTER ? group + q : q;
        const bool trivial = rule == FFT_ID_BEFORE ? top == n : top == q;
        plan->stage[plan->stages_n++] =
            (fft_id_stage){(uint8_t)(1u << q), where, (uint8_t)top, (uint8_t)q,
                           (uint8_t)(trivial ? FFT_ID_NONE : rule)};
        top -= q;
    }
}
