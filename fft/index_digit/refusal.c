// refusal.c: see refusal.h: why a plan is not valid. Includes layout.h and lengths.h.
#include "fft/index_digit/refusal.h"

#include "fft/index_digit/layout.h"
#include "fft/index_digit/lengths.h"

static const char *problem_refusal(const fft_id_problem *problem) {
    const bool pairs = fft_id_pairs(problem);
    if (problem->element >= FFT_ID_ELEMENTS || problem->direction >= FFT_ID_DIRECTIONS ||
        problem->order >= FFT_ID_ORDERS) {
        return "the element, the direction or the order is none of those there are";
    }
    if (fft_id_mixed(problem) &&
        (problem->element == FFT_ID_MODULAR || problem->order != FFT_ID_NATURAL)) {
        return "lengths with factors 3, 5 or 7 are served for complex items, or pairs of reals, in "
               "natural order only";
    }
    if (pairs && problem->order != FFT_ID_NATURAL) {
        return "reals have n/2 + 1 frequencies, which no word of digits numbers: natural order "
               "only";
    }
    if (pairs && fft_id_mixed(problem) && problem->exponent[0] == 0) {
        return "reals of odd length form no pairs: take them as complex items";
    }
    const uint64_t n = fft_id_length(problem);
    if (n == 0 || fft_id_digits(problem) < 1) {
        return "the length must be 2 at least, of reals 4, and at most 2^33";
    }
    const uint64_t elements = pairs ? 2 * n : n;
    if (problem->batch < 1 || problem->batch > ((uint64_t)1 << FFT_ID_LG_ITEMS_MAX) / elements) {
        return "the batch must be at least 1, and its elements at most 2^48";
    }
    return NULL;
}

static const char *tuple_refusal(const fft_id_plan *plan) {
    const fft_id_tuple *tuple = &plan->tuple;
    const bool mixed = fft_id_mixed(&plan->problem);
    const unsigned most = mixed ? FFT_ID_DIGITS_MAX : fft_id_digits(&plan->problem);
    return tuple->p < 1 || tuple->p > FFT_ID_P_MAX || (!mixed && tuple->s < tuple->p) ||
                   tuple->x > tuple->s || tuple->s > most
               ? "the tuple must have 1 <= p <= 6, x <= s <= 33, and p <= s <= n where the length "
                 "is a power of two"
               : NULL;
}

const char *fft_id_request_refusal(const fft_id_plan *plan) {
    const char *why = problem_refusal(&plan->problem);
    return why ? why : tuple_refusal(plan);
}

// one_rule: twiddles after every node but the last, or before every one but the first.
static bool one_rule(const fft_id_plan *plan) {
    const unsigned last = plan->stages_n - 1u;
    const bool after = plan->stage[0].twiddle == FFT_ID_AFTER;
    for (unsigned m = 0; m <= last; m++) {
        const bool trivial = after ? m == last : m == 0;
        const unsigned rule = after ? FFT_ID_AFTER : FFT_ID_BEFORE;
        if (plan->stage[m].twiddle != (trivial ? FFT_ID_NONE : rule)) {
            return false;
        }
    }
    return true;
}

// stages_refusal: the stages consume every digit once, from the top, with one rule of twiddles.
static const char *stages_refusal(const fft_id_plan *plan) {
    static const char *const every =
        "the stages must consume every input digit, every prime factor of the length, once, from "
        "the top";
    const bool mixed = fft_id_mixed(&plan->problem);
    uint64_t left = fft_id_length(&plan->problem);
    unsigned top = fft_id_digits(&plan->problem), group = 0;
    if (plan->stages_n < 1 || plan->stages_n > FFT_ID_STAGES_MAX) {
        return "a plan has 1 to 33 stages";
    }
    for (unsigned m = 0; m < plan->stages_n; m++) {
        const fft_id_stage *stage = &plan->stage[m];
        if (stage->where >= (mixed ? FFT_ID_REGISTER : FFT_ID_WHERES) ||
            (m == 0 && stage->where != FFT_ID_GLOBAL)) {
            return "the first stage must be global, the others global, shared or, where the length "
                   "is a power of two, register";
        }
        if (stage->radix < 2 || stage->radix > 1u << plan->tuple.p ||
            (!mixed && (stage->radix & (stage->radix - 1)) != 0)) {
            return "a stage's radix must be 2 to 2^p, a power of two where the length is one";
        }
        if (left % stage->radix != 0 || stage->top != top ||
            stage->digits != fft_id_radix_digits(stage->radix)) {
            return every;
        }
        left /= stage->radix;
        top -= stage->digits;
        group = stage->where == FFT_ID_REGISTER ? group + stage->digits : stage->digits;
        if (group > plan->tuple.p) {
            return "a register stage needs digits that are not in registers: more than p";
        }
    }
    if (left > 1) {
        return every;
    }
    return one_rule(plan) ? NULL
                          : "twiddles must stand before every node but the first, or after every "
                            "one but the last";
}

// pass_refusal: the pass from stage `first` takes no more than a block has room for.
static const char *pass_refusal(const fft_id_plan *plan, unsigned first) {
    const fft_id_tuple *tuple = &plan->tuple;
    if (!fft_id_mixed(&plan->problem)) {
        unsigned count;
        fft_id_block_slots(plan, first, &count);
        return count <= tuple->s
                   ? NULL
                   : "a pass needs more digits in a block than s: those it consumes and x "
                     "contiguous";
    }
    uint64_t line = 1;
    for (unsigned m = first; m < fft_id_pass_end(plan, first); m++) {
        line *= plan->stage[m].radix;
    }
    return line <= ((uint64_t)1 << tuple->s) >> tuple->x
               ? NULL
               : "a pass needs more items in a tile than 2^s: 2^x lines of those it consumes";
}

const char *fft_id_refusal(const fft_id_plan *plan) {
    const char *why = fft_id_request_refusal(plan);
    why = why ? why : stages_refusal(plan);
    for (unsigned m = 0; !why && m < plan->stages_n; m = fft_id_pass_end(plan, m)) {
        why = pass_refusal(plan, m);
    }
    return why;
}
