// plan.c: see plan.h.
#include "bigint/group/device/plan.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "fft/device/modular/far_plan.h"
#include "primitives/words/word.h"

enum {
    // Products of up to so many limbs are not dealt out, nor those of an operand that is so many
    // times as long as the other. On four H200, two numbers of 2^28 bits take 1.04 of one device's
    // time by primes, and 1.49 if one device multiplies for all; shorter ones are not measured, nor
    // is the ratio.
    ALONE_LIMBS = 1 << 22,
    ALONE_RATIO = 32,
    LEAST_PRIMES = FFT_PRIMES_USED + 1,  // of digits that are never balanced
    LG_STRIPS_EACH = 3,
    MORE_PRIMES = 16,  // more of them may take a 16th more work: a guess
};

// exact gives the plan the widest digits of up to `most` bits, none of them balanced.
static bool exact(fft_modular_plan *p, uint64_t an, uint64_t bn, unsigned primes, unsigned most) {
    return fft_modular_plan_digits(p, an, bn, primes, most) &&
           (!p->balanced || (fft_modular_plan_digits(p, an, bn, primes, 63) && !p->balanced));
}

// shaped gives it a shape in which nothing wraps around.
static bool shaped(fft_modular_plan *p, const fft_modular_plan *shape) {
    fft_modular_plan high;
    p->pieces = shape->pieces;
    p->lg_outer = shape->lg_outer;
    p->lg_rows = shape->lg_rows;
    p->lg_columns = shape->lg_columns;
    return fft_modular_plan_shape(p, &high) && p->wrapped == 0;
}

// --- Primes --------------------------------------------------------------------------------------

static uint64_t rounds(const device_member_plan *plan) {
    return word_ceil_div(plan->modular.primes, plan->members);
}

// prime_work: what the member with the most primes computes.
static uint64_t prime_work(const device_member_plan *plan) {
    return fft_modular_plan_cost(&plan->modular) / plan->modular.primes * rounds(plan);
}

static bool shaped_primes(device_member_plan *plan, const fft_modular_plan *shape) {
    return exact(&plan->modular, plan->an, plan->bn, shape->primes, shape->digit_bits) &&
           shaped(&plan->modular, shape);
}

// plan_primes: the primes with the least work for the member that has most of them; more primes if
// their work is about the same, since all but the last exchange run beside the transforms.
static bool plan_primes(device_member_plan *plan, const device_member_choice *choice) {
    if (choice->shape != NULL) {
        return choice->shape->primes >= plan->members && shaped_primes(plan, choice->shape);
    }
    const device_member_plan none = *plan;
    uint64_t least = UINT64_MAX;
    for (unsigned primes = LEAST_PRIMES; primes <= FFT_MODULAR_PRIMES; primes++) {
        device_member_plan p = none;
        if (primes >= p.members &&
            fft_modular_plan_sum(&p.modular, p.an, p.bn, 1, primes, choice->clusters) &&
            prime_work(&p) / MORE_PRIMES * (MORE_PRIMES - 1) <= least) {
            least = prime_work(&p);
            *plan = p;
        }
    }
    assert(least == UINT64_MAX || (!plan->modular.balanced && plan->modular.wrapped == 0));
    return least != UINT64_MAX;
}

block_range device_member_primes(const device_member_plan *plan, unsigned m) {
    const unsigned primes = plan->modular.primes, first = primes * m / plan->members;
    return (block_range){first, primes * (m + 1) / plan->members - first};
}

// begin_of: the first coefficient of member m: behind that of whole words which the block begins
// with. All that may be other than 0 are dealt out.
static uint64_t begin_of(const device_member_plan *plan, unsigned m) {
    const fft_modular_plan *const p = &plan->modular;
    const uint64_t n = plan->an + plan->bn, points = fft_modular_points(p),
                   all = word_ceil_div(p->a_digits + p->b_digits - 1, 64) * 64,
                   end = all < points ? all : points;
    const uint64_t block = m < plan->members ? block_bounds(n, plan->members, m).first : n;
    const uint64_t at = word_ceil_div(block, p->digit_bits) * 64;
    return block < n && at < end ? at : end;
}

block_range device_member_coefficients(const device_member_plan *plan, unsigned m) {
    const uint64_t first = begin_of(plan, m);
    return (block_range){first, begin_of(plan, m + 1) - first};
}

// --- Columns -------------------------------------------------------------------------------------

// share: part m of things that are dealt out evenly.
static block_range share(uint64_t total, unsigned members, unsigned m) {
    const uint64_t first = word_ceil_div(total * m, members);
    return (block_range){first, word_ceil_div(total * (m + 1), members) - first};
}

block_range device_member_strips(const device_member_plan *plan, unsigned m) {
    return share((uint64_t)1 << plan->lg_strips, plan->members, m);
}

block_range device_member_parts(const device_member_plan *plan, unsigned m) {
    return share(fft_modular_parts(&plan->modular), plan->members, m);
}

// cut: strips of a row, as many as members, or, where those are not 2^i, eight times as many and
// more, so that none has more than 9 / 8 of the average; fewer where they would be too narrow.
// False if there are too few columns or parts.
static bool cut(device_member_plan *plan) {
    unsigned lg = 0;
    while (1u << lg < plan->members) {
        lg++;
    }
    plan->lg_strips = lg + (1u << lg == plan->members ? 0 : LG_STRIPS_EACH);
    while (plan->lg_strips > lg && !fft_modular_shares(&plan->modular, plan->lg_strips)) {
        plan->lg_strips--;
    }
    return fft_modular_parts(&plan->modular) >= plan->members &&
           fft_modular_shares(&plan->modular, plan->lg_strips);
}

// work: what the member with the most parts computes.
static uint64_t work(const device_member_plan *plan) {
    return plan->modular.primes * device_member_parts(plan, 0).count
           << fft_modular_lg_part(&plan->modular);
}

// take gives the plan a shape with an inner pass, or without, of its digits.
static bool take(device_member_plan *plan, const fft_modular_plan *shape, unsigned lg_inner) {
    fft_modular_plan *const p = &plan->modular;
    plan->lg_inner = lg_inner;
    if (lg_inner == 0) {
        return shaped(p, shape) && cut(plan);
    }
    *p = *shape;
    return fft_modular_plan_far(p, lg_inner, plan->an, plan->bn) && cut(plan);
}

// better: less work, then a shorter inner pass and fewer pieces, whose join is a pass of its own.
static bool better(const device_member_plan *a, const device_member_plan *b) {
    const uint64_t of_a = work(a), of_b = b->members == 0 ? UINT64_MAX : work(b);
    return of_a != of_b                 ? of_a < of_b
           : a->lg_inner != b->lg_inner ? a->lg_inner < b->lg_inner
                                        : a->modular.pieces < b->modular.pieces;
}

// shapes: the best of all shapes with an inner pass of 2^lg_inner points. Rows are long, as those
// of all products of so many points.
static void shapes(device_member_plan *best, const device_member_plan *digits, unsigned lg_inner) {
    for (unsigned i = 0; i < 2 * FFT_MODULAR_LG_OUTER * FFT_MODULAR_PIECES; i++) {
        device_member_plan plan = *digits;
        const fft_modular_plan shape = {
            .pieces = 1 + i % FFT_MODULAR_PIECES,
            .lg_outer = 1 + i / FFT_MODULAR_PIECES % FFT_MODULAR_LG_OUTER,
            .lg_rows =
                FFT_MODULAR_LONG_LG_ROWS + i / FFT_MODULAR_PIECES / FFT_MODULAR_LG_OUTER + lg_inner,
            .lg_columns = FFT_MODULAR_LG_LONG};
        if (take(&plan, &shape, lg_inner) && better(&plan, best)) {
            *best = plan;
        }
    }
}

// without_inner: the best of all numbers of primes, since a point takes about the same time modulo
// each of them.
static void without_inner(device_member_plan *best, device_member_plan *plan) {
    for (unsigned primes = FFT_PRIMES_USED; primes <= FFT_MODULAR_PRIMES; primes++) {
        if (exact(&plan->modular, plan->an, plan->bn, primes, 128)) {
            shapes(best, plan, 0);
        }
    }
}

// fewest: with an inner pass of 2^lg_inner points, or of more where no shape is long enough.
static bool fewest(device_member_plan *plan, unsigned lg_inner) {
    device_member_plan best = {.members = 0};
    if (lg_inner == 0) {
        without_inner(&best, plan);
    }
    for (unsigned lg = lg_inner > 0 ? lg_inner : 1; lg <= FFT_MODULAR_LG_OUTER && best.members == 0;
         lg++) {
        shapes(&best, plan, lg);
    }
    *plan = best.members == 0 ? *plan : best;
    return best.members != 0;
}

static bool plan_columns(device_member_plan *plan, const device_member_choice *choice) {
    const fft_modular_plan *const shape = choice->shape;
    fft_modular_plan *const p = &plan->modular;
    const bool made = shape == NULL
                          ? fewest(plan, choice->lg_inner)
                          : (choice->lg_inner > 0 ||
                             exact(p, plan->an, plan->bn, shape->primes, shape->digit_bits)) &&
                                take(plan, shape, choice->lg_inner);
    if (!made) {
        return false;
    }
    plan->in_turn = choice->in_turn;
    plan->strip_limbs = fft_modular_strip_words(p, plan->lg_strips);
    plan->row_limbs = plan->strip_limbs << plan->lg_strips;
    const uint64_t parts = fft_modular_parts(p),
                   rows = word_ceil_div(plan->an + plan->bn, plan->row_limbs),
                   of_strips = device_member_strips(plan, 0).count * parts *
                               fft_modular_strip_columns(p, plan->lg_strips),
                   of_share = device_member_parts(plan, 0).count << fft_modular_lg_part(p);
    plan->points = of_strips > of_share ? of_strips : of_share;
    plan->rows = rows < parts ? rows : parts;
    return true;
}

// The last block is the shortest.
bool device_member_in_block(const device_member_plan *plan) {
    const uint64_t n = plan->an + plan->bn, last = plan->members - 1;
    return block_bounds(n, plan->members, (unsigned)last).count >=
           plan->points + DEVICE_MEMBER_LINE / 8;
}

uint64_t device_member_before(const device_member_plan *plan, uint64_t strip, uint64_t end) {
    const uint64_t own = strip * plan->strip_limbs, in_row = end % plan->row_limbs;
    const uint64_t part = in_row <= own                      ? 0
                          : in_row - own < plan->strip_limbs ? in_row - own
                                                             : plan->strip_limbs;
    return end / plan->row_limbs * plan->strip_limbs + part;
}

// --- The way -------------------------------------------------------------------------------------

// Three planes of all points, residues of its own and both operands; or residues of strips,
// operands in strips and seven shares, or in turn one, if any. And blocks.
uint64_t device_member_held_bytes(const device_member_plan *plan) {
    const uint64_t n = plan->an + plan->bn, each = n / plan->members + 1;
    if (plan->way == DEVICE_MEMBER_ALONE) {
        return 8 * 3 * n;
    }
    const uint64_t points = fft_modular_points(&plan->modular), primes = plan->modular.primes;
    if (plan->way == DEVICE_MEMBER_PRIMES) {
        return 8 * (n + 3 * points + primes * points / plan->members + 2 * each);
    }
    const uint64_t shares = !plan->in_turn                 ? 7 * plan->points
                            : device_member_in_block(plan) ? 0
                                                           : plan->points;
    const uint64_t limbs = device_member_strips(plan, 0).count * plan->rows * plan->strip_limbs;
    return 8 * (primes * plan->points + shares + limbs + 2 * each);
}

static bool plan_way(device_member_plan *plan, const device_member_choice *choice,
                     device_member_way way) {
    plan->way = way;
    return way == DEVICE_MEMBER_ALONE ||
           (way == DEVICE_MEMBER_PRIMES ? plan_primes(plan, choice) : plan_columns(plan, choice));
}

// fits: whether a member has room for the plan, and memory for that and its blocks.
static bool fits(const device_member_plan *plan, const device_member_choice *choice) {
    const uint64_t held = device_member_held_bytes(plan),
                   blocks = 8 * 2 * ((plan->an + plan->bn) / plan->members + 1);
    return held <= choice->memory && held - blocks <= choice->room;
}

// plan_dealt: the first of the ways from `way` on that members have room for.
static bool plan_dealt(device_member_plan *plan, const device_member_choice *choice,
                       device_member_way way) {
    const device_member_plan none = *plan;
    device_member_choice in_turn = *choice;
    in_turn.in_turn = true;
    for (; way < DEVICE_MEMBER_WAYS; way++) {
        *plan = none;
        if (plan_way(plan, choice, way) && fits(plan, choice)) {
            return true;
        }
    }
    *plan = none;
    if (plan_way(plan, &in_turn, DEVICE_MEMBER_COLUMNS)) {
        return fits(plan, choice);
    }
    *plan = none;
    return false;
}

bool device_member_plan_make(device_member_plan *plan, uint64_t an, uint64_t bn, bool square,
                             const device_member_choice *choice) {
    assert(an >= bn && bn >= 1 && choice->members >= 1);
    *plan = (device_member_plan){.members = choice->members, .an = an, .bn = bn, .square = square};
    if (choice->way != DEVICE_MEMBER_AUTO) {
        return plan_way(plan, choice, choice->way);
    }
    device_member_plan alone = *plan;
    alone.way = DEVICE_MEMBER_ALONE;
    const bool may_deal = !choice->alone && choice->devices > 1 && an + bn > ALONE_LIMBS;
    if (may_deal && an / ALONE_RATIO < bn && plan_dealt(plan, choice, DEVICE_MEMBER_PRIMES)) {
        return true;
    }
    if (choice->devices == 1 || device_member_held_bytes(&alone) <= choice->memory) {
        *plan = alone;
        return true;
    }
    return may_deal && an / ALONE_RATIO >= bn && plan_dealt(plan, choice, DEVICE_MEMBER_COLUMNS);
}

// --- What it says --------------------------------------------------------------------------------

uint64_t device_member_sent_bytes(const device_member_plan *plan) {
    const uint64_t operands = plan->square ? 1 : 2, n = plan->an + plan->bn;
    const uint64_t limbs = plan->an + (plan->square ? 0 : plan->bn), others = plan->members - 1;
    if (plan->way == DEVICE_MEMBER_ALONE) {
        return n / plan->members * others * 8;
    }
    const uint64_t points = fft_modular_points(&plan->modular);
    if (plan->way == DEVICE_MEMBER_PRIMES) {
        return (limbs / plan->members + rounds(plan) * (points / plan->members)) * others * 8;
    }
    const uint64_t own =
        plan->points * plan->modular.primes * (operands + 1) + (limbs + n) / plan->members;
    return own / plan->members * others * 8;
}

const char *device_member_way_name(device_member_way way) {
    static const char *const names[DEVICE_MEMBER_WAYS] = {[DEVICE_MEMBER_AUTO] = "auto",
                                                          [DEVICE_MEMBER_ALONE] = "alone",
                                                          [DEVICE_MEMBER_PRIMES] = "primes",
                                                          [DEVICE_MEMBER_COLUMNS] = "columns"};
    return names[way];
}

int device_member_print(const device_member_plan *plan, char *buf, size_t cap) {
    const fft_modular_plan *const p = &plan->modular;
    char shape[160] = "";
    if (plan->way != DEVICE_MEMBER_ALONE) {
        snprintf(shape, sizeof shape,
                 ", %u %sprimes, digits of %u bits, %u x 2^%u x 2^%u x 2^%u points%s", p->primes,
                 plan->lg_inner > 0 ? "second " : "", p->digit_bits, p->pieces, p->lg_outer,
                 p->lg_rows, p->lg_columns, plan->in_turn ? " in turn" : "");
    }
    return snprintf(
        buf, cap,
        "group: %u members on devices, way %s%s, %" PRIu64 " bytes sent by a member at most",
        plan->members, device_member_way_name(plan->way), shape, device_member_sent_bytes(plan));
}
