// member_plan.c: see member_plan.h.
#include "bigint/group/member_plan.h"

#include <assert.h>
#include <stdio.h>

#include "bigint/core/limbs.h"
#include "bigint/group/exchange/exchange.h"
#include "bigint/group/exchange/member_carry.h"
#include "primitives/words/word.h"

enum {
    WHOLE_LIMBS = 1 << 14,  // products of fewer limbs are not worth dealing out
    ROWS_EACH = 2,  // as a logarithm: rows of each member, above what the plan gives threads
};

static const char *const way_names[MEMBER_WAYS] = {"auto", "whole", "short", "columns"};

const char *member_way_name(member_way way) { return way_names[way]; }

// --- Choice ---

// modular: whether the context's products may be modular transforms.
static bool modular(const bigint_ctx *ctx) {
    return ctx->engine == ENGINE_AUTO || ctx->engine == ENGINE_MODULAR_FFT;
}

// plan_columns: the transform and the grid. As many rows as suit the members, so that none has
// much more than another. Three prime groups need no exchange between rows and columns if there is
// one member in each.
static bool plan_columns(const bigint_ctx *ctx, member_plan *plan) {
    fft_shape shape = ctx->fft->shape;
    shape.team = ROWS_EACH;
    while (plan->members > 1u << (shape.team - ROWS_EACH)) {
        shape.team++;
    }
    plan->prime_groups = plan->members % FFT_PRIMES_USED == 0 ? FFT_PRIMES_USED : 1;
    plan->column_groups = plan->members / plan->prime_groups;
    return fft_plan_limbs(&plan->fft, shape, plan->an, plan->bn);
}

bigint_status member_plan_make(bigint_ctx *ctx, const char *who, member_plan *plan,
                               unsigned members, uint64_t an, uint64_t bn, bool square,
                               member_way way) {
    assert(an >= bn && (!square || an == bn));
    *plan = (member_plan){.way = way, .members = members, .an = an, .bn = bn, .square = square};
    const bool fits_block = bn <= block_bounds(an, members, 0).count;
    if (way == MEMBER_AUTO) {
        const bool whole = members == 1 || an + bn <= WHOLE_LIMBS;
        plan->way = whole ? MEMBER_WHOLE : fits_block ? MEMBER_SHORT : MEMBER_COLUMNS;
    }
    if (bn == 0 || (plan->way == MEMBER_SHORT && !fits_block) ||
        (plan->way == MEMBER_COLUMNS && !modular(ctx))) {
        plan->way = MEMBER_WHOLE;
    }
    if (plan->way == MEMBER_COLUMNS && !plan_columns(ctx, plan)) {
        return bigint_fail(ctx, BIGINT_ERANGE,
                           "%s: no exact plan for %llu by %llu limbs on %u members: a transform of "
                           "more than 2^31 points; cut the operands",
                           who, (unsigned long long)an, (unsigned long long)bn, members);
    }
    return BIGINT_OK;
}

uint64_t member_plan_key(const bigint_ctx *ctx, const member_plan *plan) {
    const uint64_t parts[] = {(uint64_t)plan->way,
                              plan->members,
                              plan->an,
                              plan->bn,
                              plan->square,
                              plan->prime_groups,
                              plan->fft.digit_bits,
                              plan->fft.lg_rows,
                              plan->fft.lg_columns,
                              (uint64_t)ctx->variant,
                              ctx->check_modulus != 0};
    return exchange_key(parts, sizeof parts / sizeof parts[0]);
}

// --- Shares ---

// share: part `index` of `total` things dealt out to `parts`, as evenly as possible.
static block_range share(uint64_t total, unsigned parts, unsigned index) {
    const uint64_t first = total * index / parts, end = total * (index + 1) / parts;
    return (block_range){first, end - first};
}

block_range member_primes(const member_plan *plan, unsigned m) {
    return share(FFT_PRIMES_USED, plan->prime_groups, member_prime_group(plan, m));
}

block_range member_rows(const member_plan *plan, unsigned m) {
    return share(plan->fft.rows, plan->column_groups, m % plan->column_groups);
}

block_range member_columns(const member_plan *plan, unsigned m) {
    return share(member_units(plan), plan->column_groups, m % plan->column_groups);
}

block_range member_final_units(const member_plan *plan, unsigned m) {
    const block_range columns = member_columns(plan, m);
    block_range units = share(columns.count, plan->prime_groups, member_prime_group(plan, m));
    units.first += columns.first;
    return units;
}

uint64_t member_strip_before(const member_plan *plan, block_range units, uint64_t end) {
    const uint64_t row = member_row_limbs(plan), bits = plan->fft.digit_bits;
    const uint64_t begin = units.first * bits, width = units.count * bits, in_row = end % row;
    const uint64_t part = in_row <= begin ? 0 : in_row - begin;
    return end / row * width + (part < width ? part : width);
}

// --- Pieces ---

enum { OVER = 2 };  // limbs: a row of coefficients below 2^149 carries less than 2^118 out

uint64_t member_pieces(const member_plan *plan, unsigned m) {
    if (plan->way == MEMBER_COLUMNS) {
        return member_final_units(plan, m).count > 0 ? plan->fft.rows : 0;
    }
    return block_bounds(plan->an, plan->members, m).count > 0;
}

member_piece member_piece_at(const member_plan *plan, unsigned m, uint64_t i) {
    if (plan->way == MEMBER_COLUMNS) {
        const block_range units = member_final_units(plan, m);
        const uint64_t bits = plan->fft.digit_bits;
        assert(149 < 64 * OVER + bits);
        return (member_piece){i * member_row_limbs(plan) + units.first * bits, units.count * bits,
                              OVER};
    }
    // The last piece has its limbs above all others, so that only one piece reaches into it.
    const block_range a = block_bounds(plan->an, plan->members, m);
    const bool last = a.first + a.count == plan->an;
    return (member_piece){a.first, a.count + (last ? plan->bn : 0), last ? 0 : plan->bn};
}

block_range member_piece_part(const member_piece *piece, block_range block) {
    const uint64_t end = piece->at + piece->main + piece->over;
    const uint64_t from = piece->at > block.first ? piece->at : block.first;
    const uint64_t to = end < block.first + block.count ? end : block.first + block.count;
    return (block_range){from - piece->at, from < to ? to - from : 0};
}

uint64_t member_piece_limbs(const member_plan *plan, unsigned m, block_range block) {
    uint64_t limbs = 0;
    for (uint64_t i = 0; i < member_pieces(plan, m); i++) {
        const member_piece piece = member_piece_at(plan, m, i);
        limbs += member_piece_part(&piece, block).count;
    }
    return limbs;
}

// --- Sent bytes ---

// sent_pieces: limbs of the product that m sends to others.
static uint64_t sent_pieces(const member_plan *plan, unsigned m) {
    uint64_t limbs = 0;
    for (unsigned i = 0; i < plan->members; i++) {
        const block_range block = block_bounds(plan->an + plan->bn, plan->members, i);
        limbs += i == m ? 0 : member_piece_limbs(plan, m, block);
    }
    return limbs;
}

// sent_strips: limbs of an operand of n limbs that m sends to others.
static uint64_t sent_strips(const member_plan *plan, unsigned m, uint64_t n) {
    const block_range block = block_bounds(n, plan->members, m);
    uint64_t limbs = 0;
    for (unsigned i = 0; i < plan->members; i++) {
        const block_range units = member_columns(plan, i);
        limbs += i == m ? 0
                        : member_strip_before(plan, units, block.first + block.count) -
                              member_strip_before(plan, units, block.first);
    }
    return limbs;
}

// sent_residues: of all exchanges between columns and rows, and of the last one between primes.
static uint64_t sent_residues(const member_plan *plan, unsigned m) {
    const uint64_t rows = member_rows(plan, m).count, other_rows = plan->fft.rows - rows;
    const uint64_t columns = FFT_UNIT * member_columns(plan, m).count;
    const uint64_t other_columns = FFT_UNIT * member_units(plan) - columns;
    const uint64_t joined = FFT_UNIT * member_final_units(plan, m).count;
    const uint64_t forward = plan->square ? 1 : 2;
    const uint64_t each = forward * columns * other_rows + rows * other_columns;
    return member_primes(plan, m).count *
           (each + (plan->prime_groups > 1 ? plan->fft.rows * (columns - joined) : 0));
}

uint64_t member_sent_bytes(const member_plan *plan, unsigned m) {
    const uint64_t others = plan->members - 1;
    const uint64_t a = block_bounds(plan->an, plan->members, m).count;
    const uint64_t b = plan->square ? 0 : block_bounds(plan->bn, plan->members, m).count;
    switch (plan->way) {
        case MEMBER_WHOLE:
            return others * (a + b) * sizeof(uint64_t);
        case MEMBER_SHORT:
            return (others * b + sent_pieces(plan, m)) * sizeof(uint64_t) +
                   others * MEMBER_CARRY_BYTES;
        default:
            return (sent_strips(plan, m, plan->an) +
                    (plan->square ? 0 : sent_strips(plan, m, plan->bn)) + sent_residues(plan, m) +
                    sent_pieces(plan, m)) *
                       sizeof(uint64_t) +
                   others * MEMBER_CARRY_BYTES;
    }
}

int member_plan_print(const member_plan *plan, char *buf, size_t cap) {
    uint64_t most = 0;
    for (unsigned i = 0; i < plan->members; i++) {
        const uint64_t sent = member_sent_bytes(plan, i);
        most = sent > most ? sent : most;
    }
    char shape[160] = "";
    if (plan->way == MEMBER_COLUMNS) {
        snprintf(shape, sizeof shape,
                 ", %u primes x %u columns, digits of %u bits, %llu rows of 2^%u points",
                 plan->prime_groups, plan->column_groups, plan->fft.digit_bits,
                 (unsigned long long)plan->fft.rows, plan->fft.lg_columns);
    }
    return snprintf(buf, cap, "group: %u members, way %s%s, %llu bytes sent by a member at most",
                    plan->members, member_way_name(plan->way), shape, (unsigned long long)most);
}
