// member_strips.c: see member_strips.h.
#include "bigint/group/member_strips.h"

#include <string.h>

#include "primitives/words/word.h"

uint64_t member_operand_rows(const member_plan *plan, uint64_t n) {
    return word_ceil_div(n, member_row_limbs(plan));
}

uint64_t member_strip_limbs(const member_plan *plan, unsigned m, uint64_t n) {
    return member_columns(plan, m).count * plan->fft.digit_bits * member_operand_rows(plan, n);
}

// What is sent is no more than the own block for each prime group; they get the same limbs.
uint64_t member_deal_limbs(const member_plan *plan, unsigned m, uint64_t n) {
    return block_bounds(n, plan->members, m).count +
           member_strip_before(plan, member_columns(plan, m), n);
}

// pack: the limbs of a block that are in the strip of these units; returns their end.
static uint64_t *pack(const member_plan *plan, block_range units, block_range block, uint64_t *to,
                      const uint64_t *from) {
    const uint64_t row = member_row_limbs(plan), bits = plan->fft.digit_bits;
    const uint64_t end = block.first + block.count;
    for (uint64_t r = block.first / row; r * row < end; r++) {
        const uint64_t begin = r * row + units.first * bits, stop = begin + units.count * bits;
        const uint64_t first = begin > block.first ? begin : block.first;
        const uint64_t last = stop < end ? stop : end;
        if (first < last) {
            memcpy(to, from + (first - block.first), (last - first) * sizeof *to);
            to += last - first;
        }
    }
    return to;
}

// unpack: rows of a strip, `limbs` limbs all together, to rows of units.
static void unpack(const member_plan *plan, uint64_t *strip, uint64_t units, uint64_t rows,
                   const uint64_t *from, uint64_t limbs) {
    const uint64_t bits = plan->fft.digit_bits;
    for (uint64_t r = 0; r < rows; r++) {
        for (uint64_t u = 0; u < units; u++) {
            uint64_t *const to = strip + (u * rows + r) * bits;
            const uint64_t n = limbs < bits ? limbs : bits;
            memcpy(to, from, n * sizeof *to);
            memset(to + n, 0, (bits - n) * sizeof *to);
            from += n;
            limbs -= n;
        }
    }
}

bigint_status member_deal(const member *m, const member_plan *plan, uint64_t *strip,
                          const uint64_t *block, uint64_t n, exchange_block *blocks, uint64_t *ws) {
    const unsigned own = m->exchange->member;
    const block_range units = member_columns(plan, own), mine = block_bounds(n, plan->members, own);
    exchange_block *const send = blocks, *const receive = blocks + plan->members;
    uint64_t *const in = ws + mine.count, *out = ws;
    for (unsigned i = 0; i < plan->members; i++) {
        const block_range theirs = block_bounds(n, plan->members, i);
        const uint64_t first = member_strip_before(plan, units, theirs.first);
        const uint64_t end = member_strip_before(plan, units, theirs.first + theirs.count);
        receive[i] = exchange_bytes(in + first, (end - first) * sizeof *in);
        if (member_prime_group(plan, i) == 0) {
            uint64_t *const packed = pack(plan, member_columns(plan, i), mine, out, block);
            send[i] = exchange_bytes(out, (uint64_t)(packed - out) * sizeof *out);
            out = packed;
        } else {
            send[i] = send[i % plan->column_groups];
        }
    }
    if (exchange_all_to_all(m->exchange, send, receive) != BIGINT_OK) {
        return BIGINT_EPEER;
    }
    unpack(plan, strip, units.count, member_operand_rows(plan, n), in,
           member_strip_before(plan, units, n));
    return BIGINT_OK;
}
