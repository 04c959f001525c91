// plan.c: see plan.h.
#include "bigint/group/device/plan.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "bigint/group/device/cost.h"
#include "bigint/group/device/product.h"
#include "fft/device/modular/far_plan.h"
#include "primitives/words/word.h"

enum {
    // Products of up to this many limbs are not dealt out, nor those of an operand that is this
    // many times as long as the other. On four H200, two numbers of 2^28 bits take 0.90 of one
    // device's time by primes; numbers of 2^27 bits took 1.9, and 1.7 if one device multiplied for
    // all. The ratio is not measured.
    ALONE_LIMBS = 1 << 22,
    ALONE_RATIO = 32,
    LEAST_PRIMES = FFT_PRIMES_USED + 1,  // of digits that are never balanced
    LG_STRIPS_EACH = 3,
    // Fewer parts are not known to be faster. Of 2^36 bits one share of eight takes 48.1 ms with
    // 256 parts, 46.0 with 32.
    LEAST_PARTS = 32,
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

// share: part m of things that are dealt out evenly.
static block_range share(uint64_t total, unsigned groups, unsigned m) {
    const uint64_t first = word_ceil_div(total * m, groups);
    return (block_range){first, word_ceil_div(total * (m + 1), groups) - first};
}

block_range device_member_primes(const device_member_plan *plan, unsigned m) {
    return share(plan->modular.primes, plan->prime_groups, device_member_prime_group(plan, m));
}

block_range device_member_rows(const device_member_plan *plan, unsigned m) {
    return share(plan->rows, plan->prime_groups, device_member_prime_group(plan, m));
}

block_range device_member_strips(const device_member_plan *plan, unsigned m) {
    return share((uint64_t)1 << plan->lg_strips, plan->column_groups,
                 device_member_column_group(plan, m));
}

block_range device_member_parts(const device_member_plan *plan, unsigned m) {
    return share(fft_modular_parts(&plan->modular), plan->column_groups,
                 device_member_column_group(plan, m));
}

uint64_t device_member_span(const device_member_plan *plan, block_range rows) {
    const uint64_t all = device_member_strip_points(plan), first = rows.first * plan->columns,
                   count = rows.count * plan->columns;
    assert(rows.count == 0 || first < all);
    return rows.count == 0 || count < all - first ? count : all - first;
}

uint64_t device_member_joined(const device_member_plan *plan) {
    return device_member_deals(plan) ? device_member_rows(plan, 0).count * plan->columns
                                     : device_member_strip_points(plan);
}

// --- Whole transforms ----------------------------------------------------------------------------

// lay_whole: one strip, a row for each member, of whole words and of about as many limbs as its
// block. All coefficients that may be other than 0 are in rows.
static void lay_whole(device_member_plan *plan) {
    const fft_modular_plan *const p = &plan->modular;
    const uint64_t all = word_ceil_div(p->a_digits + p->b_digits - 1, 64);
    const uint64_t each = word_ceil_div(all, plan->prime_groups);
    assert(all * 64 <= fft_modular_points(p) && !p->balanced && p->wrapped == 0);
    plan->columns = 64 * each;
    plan->strip_limbs = plan->row_limbs = each * p->digit_bits;
    plan->points = fft_modular_plane(p);
    plan->rows = word_ceil_div(all, each);
}

// plan_whole: of one column group: the number of primes that costs least.
static bool plan_whole(device_member_plan *plan, const device_member_choice *choice) {
    const fft_modular_plan *const shape = choice->shape;
    const device_member_plan none = *plan;
    uint64_t least = UINT64_MAX;
    if (shape != NULL) {
        const bool made =
            shape->primes >= plan->prime_groups &&
            exact(&plan->modular, plan->an, plan->bn, shape->primes, shape->digit_bits) &&
            shaped(&plan->modular, shape);
        return made && (lay_whole(plan), true);
    }
    for (unsigned primes = LEAST_PRIMES; primes <= FFT_MODULAR_PRIMES; primes++) {
        device_member_plan p = none;
        if (primes < p.prime_groups ||
            !fft_modular_plan_sum(&p.modular, p.an, p.bn, 1, primes, choice->clusters)) {
            continue;
        }
        lay_whole(&p);
        if (device_member_cost(&p, choice) < least) {
            least = device_member_cost(&p, choice);
            *plan = p;
        }
    }
    return least != UINT64_MAX;
}

// --- Columns -------------------------------------------------------------------------------------

// cut: strips of a row, as many as column groups, or, where those are not 2^i, eight times as many
// and more, so that none has more than 9 / 8 of the average; fewer where they would be too narrow.
// False if there are too few columns or parts.
static bool cut(device_member_plan *plan) {
    unsigned lg = 0;
    while (1u << lg < plan->column_groups) {
        lg++;
    }
    plan->lg_strips = lg + (1u << lg == plan->column_groups ? 0 : LG_STRIPS_EACH);
    while (plan->lg_strips > lg && !fft_modular_shares(&plan->modular, plan->lg_strips)) {
        plan->lg_strips--;
    }
    return fft_modular_parts(&plan->modular) >= plan->column_groups &&
           fft_modular_shares(&plan->modular, plan->lg_strips);
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

// share_points: of the longest share.
static uint64_t share_points(const device_member_plan *plan) {
    return device_member_parts(plan, 0).count << fft_modular_lg_part(&plan->modular);
}

// few: how many parts, as far as that counts. Each has rows of its own to send and to join.
static unsigned few(const device_member_plan *plan) {
    const unsigned parts = fft_modular_parts(&plan->modular);
    return parts > LEAST_PARTS ? parts : LEAST_PARTS;
}

// better: in turn less memory; then less work, fewer parts, a shorter inner pass and fewer pieces.
static bool better(const device_member_plan *a, const device_member_plan *b) {
    if (b->members == 0) {
        return true;
    }
    const uint64_t of_a = device_member_work(a), of_b = device_member_work(b),
                   a_points = share_points(a), b_points = share_points(b);
    return a->pace == DEVICE_PACE_IN_TURN && a_points != b_points ? a_points < b_points
           : of_a != of_b                                         ? of_a < of_b
           : few(a) != few(b)                                     ? few(a) < few(b)
           : a->lg_inner != b->lg_inner                           ? a->lg_inner < b->lg_inner
                                        : a->modular.pieces < b->modular.pieces;
}

// shapes: the best of all shapes with an inner pass of 2^lg_inner points. Rows are long, as those
// of all products of this many points.
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

// without_inner: the best of all numbers of primes that are enough for the groups.
static void without_inner(device_member_plan *best, device_member_plan *plan) {
    for (unsigned primes = FFT_PRIMES_USED; primes <= FFT_MODULAR_PRIMES; primes++) {
        if (primes >= plan->prime_groups &&
            exact(&plan->modular, plan->an, plan->bn, primes, 128)) {
            shapes(best, plan, 0);
        }
    }
}

// fewest: with an inner pass of 2^lg_inner points or more, or without where that is better. More
// than two pieces have a pass of their own, too.
static bool fewest(device_member_plan *plan, unsigned lg_inner) {
    device_member_plan best = {.members = 0};
    if (lg_inner == 0) {
        without_inner(&best, plan);
    }
    const bool inner = best.members == 0 || best.modular.pieces > 2;
    for (unsigned lg = lg_inner > 0 ? lg_inner : 1; lg <= FFT_MODULAR_LG_OUTER && inner; lg++) {
        shapes(&best, plan, lg);
    }
    *plan = best.members == 0 ? *plan : best;
    return best.members != 0;
}

static bool plan_shares(device_member_plan *plan, const device_member_choice *choice) {
    const fft_modular_plan *const shape = choice->shape;
    return shape == NULL ? fewest(plan, choice->lg_inner)
                         : (choice->lg_inner > 0 || exact(&plan->modular, plan->an, plan->bn,
                                                          shape->primes, shape->digit_bits)) &&
                               take(plan, shape, choice->lg_inner) &&
                               plan->modular.primes >= plan->prime_groups;
}

static void lay_shares(device_member_plan *plan) {
    const fft_modular_plan *const p = &plan->modular;
    plan->columns = fft_modular_strip_columns(p, plan->lg_strips);
    plan->strip_limbs = fft_modular_strip_words(p, plan->lg_strips);
    plan->row_limbs = plan->strip_limbs << plan->lg_strips;
    const uint64_t parts = fft_modular_parts(p),
                   rows = word_ceil_div(plan->an + plan->bn, plan->row_limbs),
                   of_strips = device_member_strips(plan, 0).count * parts * plan->columns,
                   of_share = share_points(plan);
    plan->points = of_strips > of_share ? of_strips : of_share;
    plan->rows = rows < parts ? rows : parts;
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

// fits: whether a member has room for the plan, and memory for that and its blocks.
static bool fits(const device_member_plan *plan, const device_member_choice *choice) {
    return device_member_held_bytes(plan) <= choice->memory &&
           device_member_bytes(plan) <= choice->room;
}

// longer: a plan with an inner pass and fewer, longer rows, where those cost less and fit: NCCL
// carries rows one by one.
static void longer(device_member_plan *plan, const device_member_plan *none,
                   const device_member_choice *choice) {
    device_member_plan other = *none;
    if (choice->carrier == CARRIER_NCCL && choice->shape == NULL && choice->lg_inner == 0 &&
        fewest(&other, 1)) {
        lay_shares(&other);
        const bool less = device_member_cost(&other, choice) < device_member_cost(plan, choice);
        *plan = less && fits(&other, choice) ? other : *plan;
    }
}

// plan_grid: the plan of this many prime groups.
static bool plan_grid(device_member_plan *plan, const device_member_choice *choice,
                      unsigned prime_groups) {
    plan->prime_groups = prime_groups;
    plan->column_groups = plan->members / prime_groups;
    plan->way = plan->column_groups == 1  ? DEVICE_MEMBER_PRIMES
                : plan->prime_groups == 1 ? DEVICE_MEMBER_COLUMNS
                                          : DEVICE_MEMBER_GRID;
    plan->pace = plan->way == DEVICE_MEMBER_COLUMNS ? choice->pace : DEVICE_PACE_BESIDE;
    const device_member_plan none = *plan;
    if (prime_groups > FFT_MODULAR_PRIMES || plan->members % prime_groups != 0) {
        return false;
    }
    if (plan->column_groups == 1) {
        return choice->lg_inner == 0 && plan_whole(plan, choice);
    }
    if (!plan_shares(plan, choice)) {
        return false;
    }
    lay_shares(plan);
    longer(plan, &none, choice);
    return true;
}

// suits: whether a grid is of the way that is asked for.
static bool suits(const device_member_choice *choice, unsigned prime_groups) {
    const unsigned columns = choice->members / prime_groups;
    return choice->prime_groups > 0               ? prime_groups == choice->prime_groups
           : choice->way == DEVICE_MEMBER_PRIMES  ? columns == 1
           : choice->way == DEVICE_MEMBER_COLUMNS ? prime_groups == 1
           : choice->way == DEVICE_MEMBER_GRID    ? prime_groups > 1 && columns > 1
                                                  : true;
}

// plan_best: of the grids that suit the one that costs least, of those that members have room for
// where `fitting`. Returns its cost; UINT64_MAX if there is none.
static uint64_t plan_best(device_member_plan *plan, const device_member_choice *choice,
                          bool fitting) {
    const device_member_plan none = *plan;
    uint64_t least = UINT64_MAX;
    for (unsigned groups = 1; groups <= choice->members && groups <= FFT_MODULAR_PRIMES; groups++) {
        device_member_plan p = none;
        if (choice->members % groups == 0 && suits(choice, groups) &&
            plan_grid(&p, choice, groups) && (!fitting || fits(&p, choice)) &&
            device_member_cost(&p, choice) < least) {
            least = device_member_cost(&p, choice);
            *plan = p;
        }
    }
    return least;
}

// plan_saving: `columns` by thirds, or in turn, the plan of least memory. Returns whether members
// have it.
static bool plan_saving(device_member_plan *plan, const device_member_choice *choice) {
    const device_member_plan none = *plan;
    device_member_choice saving = *choice;
    bool made = true, fitting = false;
    for (unsigned pace = DEVICE_PACE_THIRDS; pace <= DEVICE_PACE_IN_TURN && made && !fitting;
         pace++) {
        *plan = none;
        saving.pace = (device_member_pace)pace;
        made = plan_grid(plan, &saving, 1);
        fitting = made && pace >= choice->pace && fits(plan, choice);
    }
    *plan = made ? *plan : none;
    return fitting;
}

bool device_member_plan_make(device_member_plan *plan, uint64_t an, uint64_t bn, bool square,
                             const device_member_choice *choice) {
    assert(an >= bn && bn >= 1 && choice->members >= 1);
    *plan = (device_member_plan){.members = choice->members, .an = an, .bn = bn, .square = square};
    device_member_plan alone = *plan;
    alone.way = DEVICE_MEMBER_ALONE;
    if (choice->way == DEVICE_MEMBER_ALONE) {
        *plan = alone;
        return true;
    }
    if (choice->way != DEVICE_MEMBER_AUTO) {
        return plan_best(plan, choice, false) < UINT64_MAX;
    }
    const bool may_alone =
        choice->devices == 1 || device_member_held_bytes(&alone) <= choice->memory;
    const bool may_deal = !choice->alone && choice->devices > 1 && an + bn > ALONE_LIMBS;
    const bool even = an / ALONE_RATIO < bn;
    const uint64_t dealt =
        may_deal && (even || !may_alone) ? plan_best(plan, choice, true) : UINT64_MAX;
    if (dealt < UINT64_MAX && (!may_alone || dealt <= device_member_cost(&alone, choice))) {
        return true;
    }
    if (dealt == UINT64_MAX && may_deal && even && plan_saving(plan, choice)) {
        return true;
    }
    if (may_alone) {
        *plan = alone;
        return true;
    }
    return may_deal && !even && plan_saving(plan, choice);
}

// --- What it says --------------------------------------------------------------------------------

const char *device_member_way_name(device_member_way way) {
    static const char *const names[DEVICE_MEMBER_WAYS] = {"auto", "alone", "primes", "columns",
                                                          "grid"};
    return names[way];
}

int device_member_print(const device_member_plan *plan, char *buf, size_t cap) {
    static const char *const paces[] = {"", " by thirds", " in turn"};
    const fft_modular_plan *const p = &plan->modular;
    char shape[192] = "";
    if (plan->way != DEVICE_MEMBER_ALONE) {
        snprintf(shape, sizeof shape,
                 " of %u x %u, %u strips, %u %sprimes, digits of %u bits, %u x 2^%u x 2^%u x 2^%u "
                 "points%s",
                 plan->prime_groups, plan->column_groups, 1U << plan->lg_strips, p->primes,
                 plan->lg_inner > 0 ? "second " : "", p->digit_bits, p->pieces, p->lg_outer,
                 p->lg_rows, p->lg_columns, paces[plan->pace]);
    }
    return snprintf(
        buf, cap,
        "group: %u members on devices, way %s%s, %" PRIu64 " bytes sent by a member at most",
        plan->members, device_member_way_name(plan->way), shape, device_member_sent_bytes(plan));
}
