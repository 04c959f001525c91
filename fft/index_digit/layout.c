// layout.c: plans of index-digit transforms: words, operators, mapping vectors, construction
// and refusal. Includes lengths.h, for lengths that are no power of two.
#include "fft/index_digit/index_digit.h"

#include <assert.h>
#include <string.h>

#include "fft/index_digit/lengths.h"

bool fft_id_pairs(const fft_id_problem *problem) {
    return problem->element == FFT_ID_REAL_F64 || problem->element == FFT_ID_REAL_F32;
}

size_t fft_id_item_bytes(const fft_id_problem *problem) {
    const bool f64 = problem->element == FFT_ID_COMPLEX_F64 || problem->element == FFT_ID_REAL_F64;
    return f64 ? 16 : 8;
}

unsigned fft_id_digits(const fft_id_problem *problem) {
    const uint8_t *e = problem->exponent;
    return (unsigned)e[0] + e[1] + e[2] + e[3] - (fft_id_pairs(problem) && e[0] > 0 ? 1u : 0u);
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
        block_slots(plan, first, &count);
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
    const char *why = problem_refusal(&plan->problem);
    why = why ? why : tuple_refusal(plan);
    why = why ? why : stages_refusal(plan);
    for (unsigned m = 0; !why && m < plan->stages_n; m = fft_id_pass_end(plan, m)) {
        why = pass_refusal(plan, m);
    }
    return why;
}

void fft_id_append(fft_id_plan *plan, unsigned radix, fft_id_where where, fft_id_twiddle rule) {
    const unsigned n = fft_id_digits(&plan->problem), digits = fft_id_radix_digits(radix);
    const fft_id_stage *last = plan->stages_n > 0 ? &plan->stage[plan->stages_n - 1] : NULL;
    const unsigned top = last ? (unsigned)last->top - last->digits : n;
    const bool trivial = rule == FFT_ID_AFTER ? top == digits : top == n;
    plan->stage[plan->stages_n++] = (fft_id_stage){
        .radix = (uint8_t)radix,
        .where = (uint8_t)where,
        .top = (uint8_t)top,
        .digits = (uint8_t)digits,
        .twiddle = (uint8_t)(trivial ? FFT_ID_NONE : rule),
    };
}

// make: the stages where the length is a power of two. In reversed order one pass of several, the
// last one forward, the first one back, consumes the lowest digits of the address, so that its
// block has contiguous items without x others.
static const char *make(fft_id_plan *plan, fft_id_twiddle rule) {
    const fft_id_tuple tuple = plan->tuple;
    const unsigned n = fft_id_digits(&plan->problem);
    if (tuple.s < n && tuple.s <= tuple.x) {
        return "the tuple must have s > x where s < n";
    }
    const unsigned most = tuple.s == n ? n : (unsigned)tuple.s - tuple.x;
    const bool reversed = plan->problem.order == FFT_ID_REVERSED;
    const bool forward = plan->problem.direction == FFT_ID_FORWARD;
    const unsigned spared = reversed && tuple.s < n ? tuple.x : 0;
    const unsigned passes = (n - spared + most - 1) / most;
    // The pass that moves frequencies of reals has mirrors to move, any other last one whole lines.
    const bool large_first = reversed || (fft_id_pairs(&plan->problem) && forward);
    unsigned left = n, size[FFT_ID_STAGES_MAX];
    for (unsigned pass = 0; pass < passes; pass++) {
        const unsigned to_come = passes - pass;
        const unsigned even = (left + (large_first ? to_come - 1 : 0)) / to_come;
        const unsigned digits = to_come > 1 && even > most ? most : even;
        size[reversed && !forward ? to_come - 1 : pass] = digits;
        left -= digits;
    }
    for (unsigned pass = 0; pass < passes; pass++) {
        const unsigned digits = size[pass], nodes = (digits + tuple.p - 1) / tuple.p;
        unsigned in_pass = digits;
        for (unsigned node = 0; node < nodes; node++) {
            const unsigned q = (in_pass + nodes - node - 1) / (nodes - node);
            fft_id_append(plan, 1u << q, node ? FFT_ID_SHARED : FFT_ID_GLOBAL, rule);
            in_pass -= q;
        }
    }
    return NULL;
}

const char *fft_id_make(fft_id_plan *plan, const fft_id_problem *problem, fft_id_tuple tuple,
                        fft_id_twiddle rule) {
    memset(plan, 0, sizeof *plan);
    plan->problem = *problem;
    plan->tuple = tuple;
    const char *why = problem_refusal(problem);
    why = why ? why : tuple_refusal(plan);
    if (!why) {
        why = fft_id_mixed(problem) ? fft_id_mixed_make(plan, rule) : make(plan, rule);
    }
    return why ? why : fft_id_refusal(plan);
}
