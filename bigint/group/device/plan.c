// plan.c: see plan.h.
#include "bigint/group/device/plan.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "primitives/words/word.h"

enum {
    // Products of up to so many limbs are not dealt out, nor those of an operand that is so many
    // times as long as the other. On four H200, two numbers of 2^28 bits take 1.04 of one device's
    // time by primes, and 1.49 if one device multiplies for all; shorter ones are not measured, nor
    // is the ratio.
    ALONE_LIMBS = 1 << 22,
    ALONE_RATIO = 32,
    LEAST_PRIMES = FFT_PRIMES_USED + 1,  // of digits that are never balanced
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

// plan_primes: the primes with the least work for the member that has most of them; of equals the
// most, since all but the last exchange run beside the transforms.
static bool plan_primes(device_member_plan *plan, const device_member_choice *choice) {
    uint64_t least = UINT64_MAX;
    const fft_modular_plan *const shape = choice->shape;
    for (unsigned primes = shape != NULL ? shape->primes : LEAST_PRIMES;
         primes <= (shape != NULL ? shape->primes : FFT_MODULAR_PRIMES); primes++) {
        device_member_plan p = *plan;
        const bool made =
            shape != NULL
                ? exact(&p.modular, p.an, p.bn, primes, shape->digit_bits) &&
                      shaped(&p.modular, shape)
                : fft_modular_plan_sum(&p.modular, p.an, p.bn, 1, primes, choice->clusters);
        if (made && primes >= p.members && rounds(&p) * fft_modular_points(&p.modular) < least) {
            least = rounds(&p) * fft_modular_points(&p.modular);
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

static bool shared(fft_modular_plan *p, const fft_modular_plan *shape, unsigned lg_members) {
    return shaped(p, shape) && fft_modular_shares(p, lg_members);
}

// fewest: the shape with the fewest points and primes, since a point takes about the same time
// modulo each of them, and then the fewest pieces, whose join is a pass of its own. Rows are long,
// as those of all products of so many points.
static bool fewest(fft_modular_plan *best, uint64_t an, uint64_t bn, unsigned lg_members) {
    uint64_t least = UINT64_MAX;
    for (unsigned primes = FFT_PRIMES_USED; primes <= FFT_MODULAR_PRIMES; primes++) {
        fft_modular_plan p;
        if (!exact(&p, an, bn, primes, 128)) {
            continue;
        }
        for (unsigned i = 0; i < 2 * FFT_MODULAR_LG_OUTER * FFT_MODULAR_PIECES; i++) {
            const fft_modular_plan shape = {
                .pieces = 1 + i % FFT_MODULAR_PIECES,
                .lg_outer = 1 + i / FFT_MODULAR_PIECES % FFT_MODULAR_LG_OUTER,
                .lg_rows = FFT_MODULAR_LONG_LG_ROWS + i / FFT_MODULAR_PIECES / FFT_MODULAR_LG_OUTER,
                .lg_columns = FFT_MODULAR_LG_LONG};
            const uint64_t all = primes * fft_modular_points(&shape);
            if ((all < least || (all == least && shape.pieces < best->pieces)) &&
                shared(&p, &shape, lg_members)) {
                least = all;
                *best = p;
            }
        }
    }
    return least != UINT64_MAX;
}

static bool plan_columns(device_member_plan *plan, const fft_modular_plan *shape) {
    const unsigned members = plan->members;
    fft_modular_plan *const p = &plan->modular;
    if ((members & (members - 1)) != 0) {
        return false;
    }
    plan->lg_members = (unsigned)__builtin_ctz(members);
    const bool made = shape == NULL
                          ? fewest(p, plan->an, plan->bn, plan->lg_members)
                          : exact(p, plan->an, plan->bn, shape->primes, shape->digit_bits) &&
                                shared(p, shape, plan->lg_members);
    if (!made) {
        return false;
    }
    plan->strip_limbs = fft_modular_strip_words(p, plan->lg_members);
    plan->row_limbs = plan->strip_limbs << plan->lg_members;
    plan->points = fft_modular_share_points(p, plan->lg_members);
    const uint64_t rows = word_ceil_div(plan->an + plan->bn, plan->row_limbs),
                   parts = fft_modular_parts(p);
    plan->rows = rows < parts ? rows : parts;
    return true;
}

uint64_t device_member_before(const device_member_plan *plan, unsigned m, uint64_t end) {
    const uint64_t own = m * plan->strip_limbs, in_row = end % plan->row_limbs;
    const uint64_t part = in_row <= own                      ? 0
                          : in_row - own < plan->strip_limbs ? in_row - own
                                                             : plan->strip_limbs;
    return end / plan->row_limbs * plan->strip_limbs + part;
}

// --- The way -------------------------------------------------------------------------------------

// plane_bytes: of what a member has at a time: three planes of all points and its residues, or nine
// shares of them, and operands.
static uint64_t plane_bytes(const device_member_plan *plan) {
    const uint64_t points = fft_modular_points(&plan->modular), n = plan->an + plan->bn;
    const uint64_t own = plan->modular.primes * points / plan->members;
    return 8 * (plan->way == DEVICE_MEMBER_PRIMES ? n + 3 * points + own
                                                  : n / plan->members + 9 * plan->points + own);
}

static bool plan_way(device_member_plan *plan, const device_member_choice *choice,
                     device_member_way way) {
    plan->way = way;
    return way == DEVICE_MEMBER_ALONE ||
           (way == DEVICE_MEMBER_PRIMES ? plan_primes(plan, choice)
                                        : plan_columns(plan, choice->shape));
}

bool device_member_plan_make(device_member_plan *plan, uint64_t an, uint64_t bn, bool square,
                             const device_member_choice *choice) {
    assert(an >= bn && bn >= 1 && choice->members >= 1);
    *plan = (device_member_plan){.members = choice->members, .an = an, .bn = bn, .square = square};
    if (choice->way != DEVICE_MEMBER_AUTO) {
        return plan_way(plan, choice, choice->way);
    }
    const device_member_plan none = *plan;
    const bool dealt =
        !choice->alone && choice->devices > 1 && an + bn > ALONE_LIMBS && an / ALONE_RATIO < bn;
    for (device_member_way way = DEVICE_MEMBER_PRIMES; dealt && way < DEVICE_MEMBER_WAYS; way++) {
        if (plan_way(plan, choice, way) && plane_bytes(plan) <= choice->room) {
            return true;
        }
        *plan = none;
    }
    return plan_way(plan, choice, DEVICE_MEMBER_ALONE);
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

int device_member_print(const device_member_plan *plan, char *buf, size_t cap) {
    static const char *const names[DEVICE_MEMBER_WAYS] = {[DEVICE_MEMBER_ALONE] = "alone",
                                                          [DEVICE_MEMBER_PRIMES] = "primes",
                                                          [DEVICE_MEMBER_COLUMNS] = "columns"};
    const fft_modular_plan *const p = &plan->modular;
    char shape[160] = "";
    if (plan->way != DEVICE_MEMBER_ALONE) {
        snprintf(shape, sizeof shape,
                 ", %u primes, digits of %u bits, %u x 2^%u x 2^%u x 2^%u points", p->primes,
                 p->digit_bits, p->pieces, p->lg_outer, p->lg_rows, p->lg_columns);
    }
    return snprintf(buf, cap,
                    "group: %u members on devices, way %s%s, %" PRIu64
                    " bytes sent by a member at most",
                    plan->members, names[plan->way], shape, device_member_sent_bytes(plan));
}
