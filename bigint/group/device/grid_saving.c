// grid_saving.c: see grid_saving.h. Strips of a's residues have the plane of the product's residues
// modulo the same prime, which come later. What else there is of one operand has the plane of the
// last prime, and in its turn the place of a's limbs, which have been split for the last time: in
// turn a share, by thirds strips.
#include "bigint/group/device/grid_saving.h"

#include "bigint/group/device/grid_steps.h"

static unsigned primes_of(const grid_work *c) { return device_member_rounds(c->w->plan); }

// plane: of the residues modulo a prime; other: of the other operand modulo that prime.
static double *plane(const grid_work *c, unsigned prime) {
    return c->residues + prime * grid_plane(c->w->plan);
}

static double *other(const grid_work *c, unsigned prime) {
    return prime + 1 < primes_of(c) ? plane(c, primes_of(c) - 1) : (double *)(void *)c->a_limbs;
}

// --- Memory --------------------------------------------------------------------------------------

// aligned: the first of those limbs that begins a line of memory.
static double *aligned(const uint64_t *p) {
    return (double *)(((uintptr_t)p + DEVICE_MEMBER_LINE - 1) / DEVICE_MEMBER_LINE *
                      DEVICE_MEMBER_LINE);
}

// One share has the product's block, where that is long enough: operands, which it may belong to,
// are in strips by then.
uint64_t grid_saving_lay(grid_work *c, unsigned char *memory, uint64_t used) {
    const device_member_plan *const plan = c->w->plan;
    const uint64_t share = plan->points * sizeof(double), b = plan->square ? 0 : 1,
                   beside = plan->pace == DEVICE_PACE_THIRDS ? share : 0,
                   strips = grid_strips_bytes(plan, plan->an);
    c->x[0] = device_member_in_block(plan) ? aligned(c->w->job->rp)
                                           : member_work_lay(memory, &used, share);
    c->x[1] = member_work_lay(memory, &used, beside);
    c->y[0] = member_work_lay(memory, &used, b * beside);
    c->a_limbs = member_work_lay(memory, &used, b * share > strips ? b * share : strips);
    c->b_limbs = member_work_lay(memory, &used, b * grid_strips_bytes(plan, plan->bn));
    return used;
}

static result split_a(const grid_work *c, unsigned prime) {
    return grid_split(c, prime, plane(c, prime), c->a_limbs, c->w->plan->an, NULL, NULL, 0);
}

static result split_b(const grid_work *c, unsigned prime, double *strips) {
    return grid_split(c, prime, strips, c->b_limbs, c->w->plan->bn, NULL, NULL, 0);
}

// --- In turn -------------------------------------------------------------------------------------

// turn: an exchange with nothing beside it, after a step.
static bigint_status turn(const grid_work *c, result done, double *share, double *strips,
                          bool back) {
    const bigint_status status = member_work_status(c->w, done);
    return status == BIGINT_OK
               ? member_work_exchange(c->w, grid_turn(c, 0, false, share, strips, back))
               : status;
}

static bigint_status convolve_in_turn(const grid_work *c, unsigned prime) {
    double *const x = c->x[0], *const y = c->w->plan->square ? NULL : other(c, prime),
                  *const strips = plane(c, prime);
    bigint_status status = turn(c, split_a(c, prime), x, strips, false);
    if (status == BIGINT_OK && y != NULL) {
        status = turn(c, split_b(c, prime, strips), y, strips, false);
    }
    status = status == BIGINT_OK ? turn(c, grid_convolve(c, prime, x, y), x, strips, true) : status;
    return status == BIGINT_OK ? member_work_status(c->w, grid_gather(c, prime, strips)) : status;
}

static bigint_status all_in_turn(const grid_work *c) {
    bigint_status status = BIGINT_OK;
    for (unsigned prime = 0; prime < primes_of(c) && status == BIGINT_OK; prime++) {
        status = convolve_in_turn(c, prime);
    }
    return status;
}

// --- By thirds -----------------------------------------------------------------------------------

// A convolution has three thirds, and one exchange is beside each:
//
//   travels                         computes
//   b of prime k to shares          columns of a's share; residues of the product of k - 2
//   product of k - 1 to strips      columns of b's share; a's strips of k + 1
//   a of k + 1 to shares            rows and inverse; b's strips of k + 1
//
// So there are two shares of a and one of b. Of a square the first third has no exchange.

static bool is_prime(const grid_work *c, int k) { return k >= 0 && k < (int)primes_of(c); }

// begin: an exchange, where there is one, after what the stream has; end: behind it.
static bigint_status begin(const grid_work *c, bool any, double *share, double *strips, bool back) {
    return any ? member_work_begin(c->w, grid_turn(c, 0, false, share, strips, back),
                                   DEVICE_PHASE_TRANSFORM)
               : BIGINT_OK;
}

static bigint_status end(const grid_work *c, bool any, bigint_status status, result done) {
    status = status == BIGINT_OK ? member_work_status(c->w, done) : status;
    return status == BIGINT_OK && any ? member_work_end(c->w) : status;
}

static bigint_status first_third(const grid_work *c, int k) {
    const bool any = is_prime(c, k) && !c->w->plan->square;
    bigint_status status = begin(c, any, c->y[0], any ? other(c, (unsigned)k) : NULL, false);
    result done = RESULT_OK;
    if (status == BIGINT_OK && is_prime(c, k)) {
        done = grid_columns(c, (unsigned)k, c->x[k % 2]);
    }
    if (status == BIGINT_OK && done == RESULT_OK && is_prime(c, k - 2)) {
        done = grid_gather(c, (unsigned)k - 2, plane(c, (unsigned)k - 2));
    }
    return end(c, any, status, done);
}

static bigint_status second_third(const grid_work *c, int k) {
    const bool any = is_prime(c, k - 1);
    bigint_status status =
        begin(c, any, any ? c->x[(k - 1) % 2] : NULL, any ? plane(c, (unsigned)k - 1) : NULL, true);
    result done = RESULT_OK;
    if (status == BIGINT_OK && is_prime(c, k) && !c->w->plan->square) {
        done = grid_columns(c, (unsigned)k, c->y[0]);
    }
    if (status == BIGINT_OK && done == RESULT_OK && is_prime(c, k + 1)) {
        done = split_a(c, (unsigned)k + 1);
    }
    return end(c, any, status, done);
}

static bigint_status last_third(const grid_work *c, int k) {
    const bool any = is_prime(c, k + 1), square = c->w->plan->square;
    bigint_status status = begin(c, any, any ? c->x[(k + 1) % 2] : NULL,
                                 any ? plane(c, (unsigned)k + 1) : NULL, false);
    result done = RESULT_OK;
    if (status == BIGINT_OK && is_prime(c, k)) {
        done = grid_rows(c, (unsigned)k, c->x[k % 2], square ? NULL : c->y[0]);
    }
    if (status == BIGINT_OK && done == RESULT_OK && any && !square) {
        done = split_b(c, (unsigned)k + 1, other(c, (unsigned)k + 1));
    }
    return end(c, any, status, done);
}

static bigint_status all_by_thirds(const grid_work *c) {
    const int primes = (int)primes_of(c);
    bigint_status status = member_work_status(c->w, split_a(c, 0));
    status = status == BIGINT_OK ? last_third(c, -1) : status;
    for (int k = 0; k <= primes && status == BIGINT_OK; k++) {
        status = first_third(c, k);
        status = status == BIGINT_OK ? second_third(c, k) : status;
        status = status == BIGINT_OK ? last_third(c, k) : status;
    }
    return status == BIGINT_OK
               ? member_work_status(
                     c->w, grid_gather(c, (unsigned)primes - 1, plane(c, (unsigned)primes - 1)))
               : status;
}

bigint_status grid_saving_run(const grid_work *c) {
    return c->w->plan->pace == DEVICE_PACE_THIRDS ? all_by_thirds(c) : all_in_turn(c);
}
