// plan.c: see plan.h.
#include "bigint/group/device/plan.h"

#include <inttypes.h>
#include <stdio.h>

#include "primitives/words/word.h"

// exact gives the plan the widest digits of up to `most` bits, none of them balanced.
static bool exact(fft_modular_plan *p, uint64_t an, uint64_t bn, unsigned primes, unsigned most) {
    return fft_modular_plan_digits(p, an, bn, primes, most) &&
           (!p->balanced || (fft_modular_plan_digits(p, an, bn, primes, 63) && !p->balanced));
}

// shaped gives it a shape that so many members can share.
static bool shaped(fft_modular_plan *p, const fft_modular_plan *shape, unsigned lg_members) {
    fft_modular_plan high;
    p->pieces = shape->pieces;
    p->lg_outer = shape->lg_outer;
    p->lg_rows = shape->lg_rows;
    p->lg_columns = shape->lg_columns;
    return fft_modular_plan_shape(p, &high) && fft_modular_shares(p, lg_members);
}

// fewest: the shape with the fewest points and primes, since a point takes about the same time
// modulo each of them. Rows are long, as those of all products of so many points.
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
            if (all < least && shaped(&p, &shape, lg_members)) {
                least = all;
                *best = p;
            }
        }
    }
    return least != UINT64_MAX;
}

bool device_member_plan_make(device_member_plan *plan, uint64_t an, uint64_t bn, bool square,
                             unsigned members, const fft_modular_plan *shape) {
    *plan = (device_member_plan){.members = members, .an = an, .bn = bn, .square = square};
    if (members == 0 || (members & (members - 1)) != 0) {
        return false;
    }
    plan->lg_members = (unsigned)__builtin_ctz(members);
    fft_modular_plan *const p = &plan->modular;
    const bool made = shape == NULL ? fewest(p, an, bn, plan->lg_members)
                                    : exact(p, an, bn, shape->primes, shape->digit_bits) &&
                                          shaped(p, shape, plan->lg_members);
    if (!made) {
        return false;
    }
    plan->strip_limbs = fft_modular_strip_words(p, plan->lg_members);
    plan->row_limbs = plan->strip_limbs << plan->lg_members;
    plan->points = fft_modular_share_points(p, plan->lg_members);
    const uint64_t rows = word_ceil_div(an + bn, plan->row_limbs), parts = fft_modular_parts(p);
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

uint64_t device_member_sent_bytes(const device_member_plan *plan) {
    const uint64_t operands = plan->square ? 1 : 2, exchanges = operands + 1;
    const uint64_t limbs = plan->an + (plan->square ? 0 : plan->bn) + plan->an + plan->bn;
    const uint64_t own = plan->points * plan->modular.primes * exchanges + limbs / plan->members;
    return own / plan->members * (plan->members - 1) * 8;
}

int device_member_print(const device_member_plan *plan, char *buf, size_t cap) {
    const fft_modular_plan *const p = &plan->modular;
    return snprintf(buf, cap,
                    "columns over %u devices: %u primes, %u bits a digit, %u x 2^%u x 2^%u x 2^%u "
                    "points, strips of %" PRIu64 " limbs, %" PRIu64 " bytes sent by each",
                    plan->members, p->primes, p->digit_bits, p->pieces, p->lg_outer, p->lg_rows,
                    p->lg_columns, plan->strip_limbs, device_member_sent_bytes(plan));
}
