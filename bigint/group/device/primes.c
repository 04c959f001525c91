// primes.c: see primes.h. Operands go from blocks to all members, the second one while the first
// one's pass runs. While a member computes modulo one prime, the residues modulo the one before go
// to the members that join them.
#include "bigint/group/device/primes.h"

#include <assert.h>

#include "bigint/device/kernels/recombine_device.h"

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t most(uint64_t a, uint64_t b) { return a > b ? a : b; }

// --- Strips --------------------------------------------------------------------------------------

// strip: limbs of the product that a member's coefficients weigh, and those that they reach into
// beyond.
typedef struct {
    block_range main, over;
} strip;

static strip strip_of(const device_member_plan *plan, unsigned m) {
    const uint64_t n = member_work_limbs(plan), bits = plan->modular.digit_bits;
    const block_range own = device_member_coefficients(plan, m);
    const uint64_t at = least(own.first / 64 * bits, n);
    const uint64_t end = least((own.first + own.count) / 64 * bits, n);
    const uint64_t over = own.count == 0 ? 0 : least(n - end, DEVICE_MEMBER_OVER);
    return (strip){{at, end - at}, {end, over}};
}

static uint64_t longest_strip(const device_member_plan *plan) {
    uint64_t limbs = 0;
    for (unsigned m = 0; m < plan->members; m++) {
        const strip s = strip_of(plan, m);
        limbs = most(limbs, s.main.count + s.over.count);
    }
    return limbs;
}

static uint64_t most_coefficients(const device_member_plan *plan) {
    uint64_t count = 0;
    for (unsigned m = 0; m < plan->members; m++) {
        count = most(count, device_member_coefficients(plan, m).count);
    }
    return count;
}

// --- Memory --------------------------------------------------------------------------------------

static uint64_t recombine_bytes(const device_member_plan *plan) {
    return recombine_device_bytes(longest_strip(plan));
}

// Planes and operands are over when strips are made, in the same memory.
void primes_lay(primes_work *p, unsigned char *memory, uint64_t *used, uint64_t *zeros) {
    const device_member_plan *const plan = p->w->plan;
    const uint64_t plane = fft_modular_plane(&plan->modular) * sizeof(double);
    const uint64_t b = plan->square ? 0 : 1;
    p->recombining = member_work_lay(memory, used, recombine_bytes(plan));
    *zeros = *used;
    p->residues = member_work_lay(memory, used,
                                  most_coefficients(plan) * plan->modular.primes * sizeof(double));
    uint64_t transform = *used, limbs = *used;
    p->a = member_work_lay(memory, &transform, plan->an * LIMB_BYTES);
    p->b = member_work_lay(memory, &transform, b * plan->bn * LIMB_BYTES);
    for (unsigned i = 0; i < 2; i++) {
        p->x[i] = member_work_lay(memory, &transform, plane);
    }
    p->y = member_work_lay(memory, &transform, b * plane);
    p->strip = member_work_lay(memory, &limbs, longest_strip(plan) * LIMB_BYTES);
    p->w->low = member_work_lay_block(p->w, memory, &limbs);
    p->w->high = member_work_lay_block(p->w, memory, &limbs);
    *used = most(transform, limbs);
}

// --- Residues ------------------------------------------------------------------------------------

// columns: the first pass of both operands, modulo the prime of round `round`. The second operand
// comes, for the first round, while the first one's pass runs.
static bigint_status columns(const primes_work *p, const fft_modular_step *step, uint64_t round) {
    const member_work *const w = p->w;
    const fft_modular_operand a = {p->a, w->plan->an}, b = {p->b, w->plan->bn};
    double *const x = p->x[round % 2], *const y = w->plan->square ? NULL : p->y;
    if (y == NULL || round > 0) {
        return member_work_status(w, fft_modular_columns(step, x, a, y, b));
    }
    bigint_status status = member_work_status(w, fft_modular_columns(step, x, a, NULL, a));
    status = status == BIGINT_OK ? member_work_end(w) : status;
    return status == BIGINT_OK ? member_work_status(w, fft_modular_columns(step, y, b, NULL, b))
                               : status;
}

// convolve: the planes of round `round`: residues of all coefficients modulo one prime.
static bigint_status convolve(const primes_work *p, uint64_t round) {
    const member_work *const w = p->w;
    const device_member_plan *const plan = w->plan;
    const unsigned prime =
        (unsigned)(device_member_primes(plan, member_work_self(w)).first + round);
    const fft_modular_step step = {&plan->modular, w->tables, prime, 1, w->stream};
    double *const x = p->x[round % 2];
    const bigint_status status = columns(p, &step, round);
    if (status != BIGINT_OK) {
        return status;
    }
    const result done =
        fft_modular_rows(&step, x, p->y, plan->square ? FFT_ROW_SQUARE : FFT_ROW_MULTIPLY);
    return member_work_status(w, done == RESULT_OK ? fft_modular_inverse(&step, x) : done);
}

// send_residues: the blocks of a round's exchange: each member gets the residues of its own
// coefficients modulo the primes of this round.
static void send_residues(const primes_work *p, uint64_t round) {
    const member_work *const w = p->w;
    const device_member_plan *const plan = w->plan;
    const unsigned self = member_work_self(w);
    const uint64_t own = device_member_coefficients(plan, self).count;
    const bool has = round < device_member_primes(plan, self).count;
    for (unsigned i = 0; i < plan->members; i++) {
        const block_range theirs = device_member_coefficients(plan, i),
                          primes = device_member_primes(plan, i);
        w->send[i] =
            has ? exchange_bytes(p->x[round % 2] + theirs.first, theirs.count * sizeof(double))
                : exchange_bytes(NULL, 0);
        w->receive[i] =
            round < primes.count
                ? exchange_bytes(p->residues + (primes.first + round) * own, own * sizeof(double))
                : exchange_bytes(NULL, 0);
    }
}

// residues_of_all: prime after prime; an exchange ends only when the next prime has been enqueued.
static bigint_status residues_of_all(const primes_work *p) {
    const member_work *const w = p->w;
    const device_member_plan *const plan = w->plan;
    const uint64_t own = device_member_primes(plan, member_work_self(w)).count;
    const uint64_t rounds = (plan->modular.primes + plan->members - 1) / plan->members;
    bigint_status status = BIGINT_OK;
    for (uint64_t round = 0; round < rounds && status == BIGINT_OK; round++) {
        status = round < own ? convolve(p, round) : BIGINT_OK;
        status = status == BIGINT_OK && round > 0 ? member_work_end(w) : status;
        if (status == BIGINT_OK) {
            send_residues(p, round);
            status = member_work_begin(w, 1, DEVICE_PHASE_TRANSFORM);
        }
    }
    return status == BIGINT_OK ? member_work_end(w) : status;
}

// --- Limbs ---------------------------------------------------------------------------------------

static result recombine(const primes_work *p) {
    const member_work *const w = p->w;
    const device_member_plan *const plan = w->plan;
    const block_range own = device_member_coefficients(plan, member_work_self(w));
    const strip s = strip_of(plan, member_work_self(w));
    const uint64_t n = s.main.count + s.over.count;
    if (n == 0) {
        return RESULT_OK;
    }
    assert(own.count > 0);
    const recombine_residues residues = {
        p->residues, own.count, own.count, plan->modular.primes, plan->modular.digit_bits,
        0,           false};
    const recombine_signs none = {w->adder.words + 1, w->adder.words, w->adder.words};
    return recombine_device(p->strip, n, &none, &residues, p->recombining, recombine_bytes(plan),
                            w->stream);
}

// send_limbs: the blocks of one set: parts of strips, `main` or beyond, go to where they are in the
// product's blocks. Returns the limbs of the own block up to the last that is received.
static uint64_t send_limbs(const primes_work *p, unsigned set, uint64_t *to, bool main) {
    const member_work *const w = p->w;
    const device_member_plan *const plan = w->plan;
    const unsigned members = plan->members;
    const block_range block = member_work_block(w);
    const strip own = strip_of(plan, member_work_self(w));
    uint64_t reached = 0;
    for (unsigned i = 0; i < members; i++) {
        const strip s = strip_of(plan, i);
        const block_range out = block_common(main ? own.main : own.over,
                                             block_bounds(member_work_limbs(plan), members, i));
        const block_range in = block_common(main ? s.main : s.over, block);
        w->send[set * members + i] =
            out.count == 0
                ? exchange_bytes(NULL, 0)
                : exchange_bytes(p->strip + (out.first - own.main.first), out.count * LIMB_BYTES);
        w->receive[set * members + i] =
            in.count == 0 ? exchange_bytes(NULL, 0)
                          : exchange_bytes(to + (in.first - block.first), in.count * LIMB_BYTES);
        reached = in.count == 0 ? reached : most(reached, in.first + in.count - block.first);
    }
    return reached;
}

// join: the own block from all strips. Their main limbs lie side by side; what they reach into
// beyond is a number of its own, of few limbs.
static bigint_status join(const primes_work *p) {
    const member_work *const w = p->w;
    const uint64_t n = member_work_block(w).count;
    result done = recombine(p);
    const uint64_t low = send_limbs(p, 0, w->low, true), high = send_limbs(p, 1, w->high, false);
    done = done == RESULT_OK && low < n
               ? cuda_set(w->low + low, 0, (n - low) * LIMB_BYTES, w->stream)
               : done;
    done =
        done == RESULT_OK && high > 0 ? cuda_set(w->high, 0, high * LIMB_BYTES, w->stream) : done;
    bigint_status status = member_work_status(w, done);
    status = status == BIGINT_OK ? member_work_begin(w, 2, DEVICE_PHASE_JOIN) : status;
    status = status == BIGINT_OK ? member_work_end(w) : status;
    return status == BIGINT_OK ? member_work_carry(w, high) : status;
}

// gather begins the exchange in which all members get all limbs of an operand.
static bigint_status gather(const primes_work *p, const device_member_operand *a, uint64_t *to) {
    member_work_gather(p->w, 0, a, to, true);
    return member_work_begin(p->w, 1, DEVICE_PHASE_TRANSFORM);
}

bigint_status primes_run(const primes_work *p) {
    const member_work *const w = p->w;
    bigint_status status = gather(p, &w->job->a, p->a);
    status = status == BIGINT_OK ? member_work_end(w) : status;
    status = status == BIGINT_OK && !w->plan->square ? gather(p, &w->job->b, p->b) : status;
    status = status == BIGINT_OK ? residues_of_all(p) : status;
    return status == BIGINT_OK ? join(p) : status;
}
