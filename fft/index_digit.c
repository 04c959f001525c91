// index_digit.c: plans of index-digit transforms: words, operators, mapping vectors, construction
// and refusal. Includes index_digit_mixed.h, for lengths that are no power of two.
#include "fft/index_digit.h"

#include <assert.h>
#include <string.h>

#include "fft/index_digit_mixed.h"

unsigned fft_id_digits(const fft_id_problem *problem) {
    const bool pairs = problem->element == FFT_ID_REAL_F64 || problem->element == FFT_ID_REAL_F32;
    const uint8_t *e = problem->exponent;
    return (unsigned)e[0] + e[1] + e[2] + e[3] - (pairs && e[0] > 0 ? 1u : 0u);
}

unsigned fft_id_pass_end(const fft_id_plan *plan, unsigned first) {
    unsigned end = first + 1;
    while (end < plan->stages_n && plan->stage[end].where != FFT_ID_GLOBAL) {
        end++;
    }
    return end;
}

unsigned fft_id_passes(const fft_id_plan *plan) {
    unsigned passes = 0;
    for (unsigned i = 0; i < plan->stages_n; i++) {
        passes += plan->stage[i].where == FFT_ID_GLOBAL;
    }
    return passes;
}

// first_of: the first stage of the group that `stage` belongs to: back over register stages, and
// for a pass over shared ones as well.
static unsigned first_of(const fft_id_plan *plan, unsigned stage, bool pass) {
    while (plan->stage[stage].where == FFT_ID_REGISTER ||
           (pass && plan->stage[stage].where == FFT_ID_SHARED)) {
        stage--;
    }
    return stage;
}

// group_bottom: the last input digit that a group of stages in registers consumes.
static unsigned group_bottom(const fft_id_plan *plan, unsigned first) {
    unsigned last = first;
    while (last + 1 < plan->stages_n && plan->stage[last + 1].where == FFT_ID_REGISTER) {
        last++;
    }
    return plan->stage[last].top - plan->stage[last].digits + 1u;
}

// shift_right: the `count` digits at positions at[0] (high) .. at[count - 1], shifted cyclically.
static void shift_right(fft_id_word *word, const uint8_t *at, unsigned count, unsigned times) {
    const fft_id_word old = *word;
    for (unsigned m = 0; m < count; m++) {
        word->slot[at[(m + times) % count]] = old.slot[at[m]];
    }
}

void fft_id_apply(fft_id_operator op, fft_id_word *word) {
    assert(op.i <= word->n && op.i >= op.j && op.j >= 1);
    uint8_t at[FFT_ID_DIGITS_MAX];
    unsigned count = 0;
    for (unsigned i = op.i; i >= op.j; i--) {
        at[count++] = (uint8_t)i;
    }
    switch (op.operation) {
        case FFT_ID_NODE:
            return;
        case FFT_ID_UNSHUFFLE:
            shift_right(word, at, count, op.times);
            return;
        case FFT_ID_GENERAL_UNSHUFFLE:
            assert(op.j > op.k && op.k >= op.l && op.l >= 1);
            for (unsigned i = op.k; i >= op.l; i--) {
                at[count++] = (uint8_t)i;
            }
            shift_right(word, at, count, op.times);
            return;
        case FFT_ID_REVERSAL: {
            const fft_id_word old = *word;
            for (unsigned m = 0; m < count; m++) {
                word->slot[at[m]] = old.slot[at[count - 1 - m]];
            }
            return;
        }
    }
}

void fft_id_stage_operators(const fft_id_plan *plan, unsigned stage,
                            fft_id_operator ops[FFT_ID_STAGE_OPERATORS]) {
    const unsigned n = fft_id_digits(&plan->problem);
    const unsigned top = plan->stage[stage].top, q = plan->stage[stage].digits;
    const fft_id_operator none = {0};
    ops[0] = ops[1] = none;
    if (plan->problem.order == FFT_ID_NATURAL) {
        // [f_c ... f_1 t_top ... t_1]: the stage's digits go above the frequencies, where their
        // results belong
        ops[0].operation = FFT_ID_UNSHUFFLE;
        ops[0].i = (uint8_t)n;
        ops[0].j = (uint8_t)(top - q + 1);
        ops[0].times = (uint8_t)q;
        ops[1].operation = FFT_ID_NODE;
        ops[1].i = (uint8_t)n;
        ops[1].j = (uint8_t)(n - q + 1);
        return;
    }
    const bool forward = plan->problem.direction == FFT_ID_FORWARD;
    const unsigned i = forward ? top : n - top + q;  // the field of these digits, read reversed
    const unsigned j = i - q + 1;
    for (unsigned m = 0; m < FFT_ID_STAGE_OPERATORS; m++) {
        ops[m].operation = (m == 0) == forward ? FFT_ID_NODE : FFT_ID_REVERSAL;
        ops[m].i = (uint8_t)i;
        ops[m].j = (uint8_t)j;
    }
}

fft_id_word fft_id_word_before(const fft_id_plan *plan, unsigned stage) {
    const unsigned n = fft_id_digits(&plan->problem);
    const bool reversed =
        plan->problem.order == FFT_ID_REVERSED && plan->problem.direction == FFT_ID_INVERSE;
    fft_id_word word = {.n = (uint8_t)n};
    for (unsigned i = 1; i <= n; i++) {
        word.slot[i] = (uint8_t)(reversed ? n + 1 - i : i);
    }
    for (unsigned m = 0; m < stage; m++) {
        fft_id_operator ops[FFT_ID_STAGE_OPERATORS];
        fft_id_stage_operators(plan, m, ops);
        fft_id_apply(ops[0], &word);
        fft_id_apply(ops[1], &word);
    }
    return word;
}

unsigned fft_id_output_digit(const fft_id_plan *plan, unsigned slot) {
    const unsigned n = fft_id_digits(&plan->problem);
    unsigned stage = 0;
    while (slot + plan->stage[stage].digits <= plan->stage[stage].top) {
        stage++;
    }
    // the stage's inputs t_top ... t_(top-q+1) become f_(c+q) ... f_(c+1), c = n - top
    const unsigned top = plan->stage[stage].top, q = plan->stage[stage].digits;
    return n - top + q - (top - slot);
}

// block_slots: the slots that a block of the pass from stage `first` holds, as a mask (bit j: slot
// j): the digits consumed and those of the lowest x address digits written; those read are among
// them (docs/index_digit.md). Then more from the lowest digits read, up to s. count: how many.
static uint64_t block_slots(const fft_id_plan *plan, unsigned first, unsigned *count) {
    const unsigned end = fft_id_pass_end(plan, first);
    const fft_id_word read = fft_id_word_before(plan, first), write = fft_id_word_before(plan, end);
    uint64_t slots = 0;
    for (unsigned m = first; m < end; m++) {
        for (unsigned d = 0; d < plan->stage[m].digits; d++) {
            slots |= (uint64_t)1 << (plan->stage[m].top - d);
        }
    }
    for (unsigned i = 1; i <= plan->tuple.x; i++) {
        slots |= (uint64_t)1 << write.slot[i];
    }
    *count = 0;
    for (unsigned i = 1; i <= read.n; i++) {
        *count += (unsigned)(slots >> i & 1);
    }
    for (unsigned i = 1; i <= read.n && *count < plan->tuple.s; i++) {
        *count += slots >> read.slot[i] & 1 ? 0u : 1u;
        slots |= (uint64_t)1 << read.slot[i];
    }
    return slots;
}

fft_id_mapping fft_id_stage_mapping(const fft_id_plan *plan, unsigned stage) {
    const unsigned group = first_of(plan, stage, false), pass = first_of(plan, stage, true);
    const unsigned top = plan->stage[group].top, bottom = group_bottom(plan, group);
    const fft_id_word read = fft_id_word_before(plan, pass);
    const fft_id_word write = fft_id_word_before(plan, fft_id_pass_end(plan, pass));
    unsigned count;
    const uint64_t block = block_slots(plan, pass, &count);
    assert(count == plan->tuple.s);
    fft_id_mapping map;
    memset(&map, FFT_ID_IN_THREAD, sizeof map);
    unsigned registers = 0, threads = 0, blocks = 0;
    for (unsigned j = bottom; j <= top; j++) {
        map.resource[j] = FFT_ID_IN_REGISTER;
        map.bit[j] = (uint8_t)registers++;
    }
    // threads run along memory: along what is read in the pass's first group, written in the others
    const fft_id_word *along = plan->stage[group].where == FFT_ID_GLOBAL ? &read : &write;
    for (unsigned i = read.n; i >= 1 && registers < plan->tuple.p; i--) {
        const unsigned j = along->slot[i];
        if ((block >> j & 1) && (j < bottom || j > top)) {
            map.resource[j] = FFT_ID_IN_REGISTER;
            map.bit[j] = (uint8_t)registers++;
        }
    }
    for (unsigned i = 1; i <= read.n; i++) {
        const unsigned j = along->slot[i];
        if ((block >> j & 1) && map.resource[j] == FFT_ID_IN_THREAD) {
            map.bit[j] = (uint8_t)threads++;
        }
        if (!(block >> read.slot[i] & 1)) {
            map.resource[read.slot[i]] = FFT_ID_IN_BLOCK;
            map.bit[read.slot[i]] = (uint8_t)blocks++;
        }
    }
    return map;
}

static const char *problem_refusal(const fft_id_problem *problem) {
    if (problem->element >= FFT_ID_ELEMENTS || problem->direction >= FFT_ID_DIRECTIONS ||
        problem->order >= FFT_ID_ORDERS) {
        return "the element, the direction or the order is none of those there are";
    }
    if (problem->exponent[0] > FFT_ID_DIGITS_MAX || fft_id_digits(problem) < 1) {
        return "the length must be 2^1 to 2^33, of reals 2^2 to 2^33";
    }
    if (problem->batch < 1 ||
        problem->batch > (uint64_t)1 << (FFT_ID_LG_ITEMS_MAX - problem->exponent[0])) {
        return "the batch must be at least 1, and its elements at most 2^48";
    }
    return NULL;
}

bool fft_id_one_rule(const fft_id_plan *plan) {
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
    unsigned top = fft_id_digits(&plan->problem), group = 0;
    if (plan->stages_n < 1 || plan->stages_n > FFT_ID_STAGES_MAX) {
        return "a plan has 1 to 33 stages";
    }
    for (unsigned m = 0; m < plan->stages_n; m++) {
        const fft_id_stage *stage = &plan->stage[m];
        if (stage->where >= FFT_ID_WHERES || (m == 0 && stage->where != FFT_ID_GLOBAL)) {
            return "the first stage must be global, the others global, shared or register";
        }
        if (stage->digits < 1 || stage->digits > plan->tuple.p ||
            stage->radix != 1u << stage->digits) {
            return "a stage's radix must be a power of two from 2 to 2^p";
        }
        if (stage->top != top || stage->digits > top) {
            return "the stages must consume every input digit once, from the top";
        }
        top -= stage->digits;
        group = stage->where == FFT_ID_REGISTER ? group + stage->digits : stage->digits;
        if (group > plan->tuple.p) {
            return "a register stage needs digits that are not in registers: more than p";
        }
    }
    if (top > 0) {
        return "the stages must consume every input digit once, from the top";
    }
    return fft_id_one_rule(plan) ? NULL
                                 : "twiddles must stand before every node but the first, or after "
                                   "every one but the last";
}

const char *fft_id_refusal(const fft_id_plan *plan) {
    if (fft_id_mixed(&plan->problem)) {
        return fft_id_mixed_refusal(plan);
    }
    const fft_id_tuple *tuple = &plan->tuple;
    const char *why = problem_refusal(&plan->problem);
    if (why) {
        return why;
    }
    if (tuple->p < 1 || tuple->p > FFT_ID_P_MAX || tuple->s < tuple->p || tuple->x > tuple->s ||
        tuple->s > fft_id_digits(&plan->problem)) {
        return "the tuple must have 1 <= p <= 6, p <= s <= n, x <= s";
    }
    why = stages_refusal(plan);
    if (why) {
        return why;
    }
    for (unsigned m = 0; m < plan->stages_n; m = fft_id_pass_end(plan, m)) {
        unsigned count;
        block_slots(plan, m, &count);
        if (count > tuple->s) {
            return "a pass needs more digits in a block than s: those it consumes and x contiguous";
        }
    }
    return NULL;
}

const char *fft_id_make(fft_id_plan *plan, const fft_id_problem *problem, fft_id_tuple tuple,
                        fft_id_twiddle rule) {
    memset(plan, 0, sizeof *plan);
    plan->problem = *problem;
    plan->tuple = tuple;
    if (fft_id_mixed(problem)) {
        return fft_id_mixed_make(plan, problem, tuple, rule);
    }
    const char *why = problem_refusal(problem);
    if (why) {
        return why;
    }
    const unsigned n = fft_id_digits(problem);
    if (tuple.p < 1 || tuple.p > FFT_ID_P_MAX || tuple.s > n ||
        (tuple.s < n && tuple.s <= tuple.x)) {
        return "the tuple must have 1 <= p <= 6, s <= n, and s > x where s < n";
    }
    const unsigned most = tuple.s == n ? n : (unsigned)tuple.s - tuple.x;
    const unsigned passes = (n + most - 1) / most;
    unsigned top = n;
    for (unsigned pass = 0; pass < passes; pass++) {
        const unsigned digits = (top + passes - pass - 1) / (passes - pass);
        const unsigned nodes = (digits + tuple.p - 1) / tuple.p;
        unsigned left = digits;
        for (unsigned node = 0; node < nodes; node++) {
            const unsigned q = (left + nodes - node - 1) / (nodes - node);
            const bool trivial = rule == FFT_ID_AFTER ? top == q : top == n;
            plan->stage[plan->stages_n++] = (fft_id_stage){
                .radix = (uint8_t)(1u << q),
                .where = node ? FFT_ID_SHARED : FFT_ID_GLOBAL,
                .top = (uint8_t)top,
                .digits = (uint8_t)q,
                .twiddle = (uint8_t)(trivial ? FFT_ID_NONE : rule),
            };
            left -= q;
            top -= q;
        }
    }
    return fft_id_refusal(plan);
}
