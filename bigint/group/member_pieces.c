// member_pieces.c: see member_pieces.h.
#include "bigint/group/member_pieces.h"

#include <assert.h>
#include <string.h>

#include "bigint/group/exchange/member_carry.h"
#include "primitives/limbs/limbs.h"

static uint64_t piece_limbs(const member_plan *plan, unsigned m) {
    const member_piece piece = member_piece_at(plan, m, 0);
    return piece.main + piece.over;
}

uint64_t member_pieces_limbs(const member_plan *plan, unsigned m) {
    const uint64_t n = member_pieces(plan, m);
    return n > 0 ? n * piece_limbs(plan, m) : 0;
}

static block_range product_block(const member_plan *plan, unsigned m) {
    return block_bounds(plan->an + plan->bn, plan->members, m);
}

// received_limbs: what all members together send to m.
static uint64_t received_limbs(const member_plan *plan, unsigned m) {
    uint64_t limbs = 0;
    for (unsigned i = 0; i < plan->members; i++) {
        limbs += member_piece_limbs(plan, i, product_block(plan, m));
    }
    return limbs;
}

// What is received for the block, and what is sent: no more than the pieces, of which the parts
// above the product stay here.
uint64_t member_join_limbs(const member_plan *plan, unsigned m) {
    return received_limbs(plan, m) + member_pieces_limbs(plan, m);
}

// pack: the parts of all pieces that are in a block, one after the other; returns their end.
static uint64_t *pack(const member_plan *plan, unsigned m, block_range block, uint64_t *to,
                      const uint64_t *pieces) {
    for (uint64_t i = 0; i < member_pieces(plan, m); i++) {
        const member_piece piece = member_piece_at(plan, m, i);
        const block_range part = member_piece_part(&piece, block);
        memcpy(to, pieces + i * (piece.main + piece.over) + part.first, part.count * sizeof *to);
        to += part.count;
    }
    return to;
}

// place copies the main limbs of the parts that were packed by `sender` to where they belong; or
// adds the others there and returns what is carried out of the block.
static uint64_t place(const member_plan *plan, unsigned sender, block_range block, uint64_t *rp,
                      const uint64_t *packed, bool others) {
    uint64_t carry = 0;
    for (uint64_t i = 0; i < member_pieces(plan, sender); i++) {
        const member_piece piece = member_piece_at(plan, sender, i);
        const block_range part = member_piece_part(&piece, block);
        const uint64_t left = part.first < piece.main ? piece.main - part.first : 0;
        const uint64_t main = left < part.count ? left : part.count, over = part.count - main;
        uint64_t *const at = rp + (piece.at + part.first - block.first);
        if (part.count > 0 && !others) {
            memcpy(at, packed, main * sizeof *at);
        } else if (over > 0) {
            const uint64_t rest = block.count - (uint64_t)(at - rp) - main;
            carry += limbs_add(at + main, at + main, rest, packed + main, over);
        }
        packed += part.count;
    }
    return carry;
}

static bool all_ones(const uint64_t *p, uint64_t n) {
    uint64_t i = 0;
    while (i < n && p[i] == UINT64_MAX) {
        i++;
    }
    return i == n;
}

// assemble: the block from what was received. Main limbs and the others are two numbers of the
// block's length, so the carry is at most 1, and the block is not all ones if there is one.
static uint64_t assemble(const member_plan *plan, block_range block, uint64_t *rp,
                         const exchange_block *received) {
    uint64_t carry = 0;
    for (unsigned others = 0; others < 2; others++) {
        for (unsigned i = 0; i < plan->members; i++) {
            carry += place(plan, i, block, rp, received[i].p, others);
        }
    }
    assert(carry <= 1);
    return carry;
}

bigint_status member_join(const member *m, const member_plan *plan, uint64_t *rp,
                          const uint64_t *pieces, exchange_block *blocks, uint64_t *ws) {
    const unsigned own = m->exchange->member;
    const block_range block = product_block(plan, own);
    exchange_block *const send = blocks, *const receive = blocks + plan->members;
    uint64_t *in = ws, *out = ws + received_limbs(plan, own);
    for (unsigned i = 0; i < plan->members; i++) {
        const uint64_t limbs = member_piece_limbs(plan, i, block);
        receive[i] = exchange_bytes(in, limbs * sizeof *in);
        in += limbs;
        uint64_t *const end = pack(plan, own, product_block(plan, i), out, pieces);
        send[i] = exchange_bytes(out, (uint64_t)(end - out) * sizeof *out);
        out = end;
    }
    if (exchange_all_to_all(m->exchange, send, receive) != BIGINT_OK) {
        return BIGINT_EPEER;
    }
    const uint64_t carry = assemble(plan, block, rp, receive);
    uint64_t carry_in, carry_out;
    const bool ones = carry == 0 && all_ones(rp, block.count);
    if (member_carry_in(m->exchange, carry, ones, &carry_in, &carry_out) != BIGINT_OK) {
        return BIGINT_EPEER;
    }
    assert(carry_out == 0);  // the product has no more limbs
    (void)carry_out;
    limbs_add_1(rp, rp, block.count, carry_in);
    return BIGINT_OK;
}
