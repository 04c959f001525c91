// layout.c: see layout.h: passes, words, string operators and mapping vectors of a plan.
#include "fft/index_digit/layout.h"

#include <assert.h>
#include <string.h>

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

uint64_t fft_id_block_slots(const fft_id_plan *plan, unsigned first, unsigned *count) {
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
    const uint64_t block = fft_id_block_slots(plan, pass, &count);
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
