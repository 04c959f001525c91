// member_sum.c: see member_sum.h.
#include "bigint/group/member_sum.h"

#include <assert.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/limbs.h"
#include "bigint/group/exchange/member_carry.h"
#include "bigint/group/exchange/spread.h"
#include "bigint/group/group.h"
#include "bigint/group/group_devices.h"
#include "bigint/group/group_integer.h"
#include "bigint/group/member_operand.h"
#include "primitives/words/word.h"

// linear_job: one of these calls. Every member computes the same order and bits; the first of this
// process writes them.
typedef struct {
    const char *who;
    const bigint *r, *a, *b;
    uint64_t n;     // limbs of r, or of the longer operand of a comparison
    uint64_t bits;  // of a shift; then of r, or of a
    bool opposite;  // r = | |a| - |b| |
    int order;      // of |a| and |b|
    unsigned first;
} linear_job;

static void answer(const member *m, linear_job *job, int order, uint64_t bits) {
    if (m->exchange->member == job->first) {
        job->order = order;
        job->bits = bits;
    }
}

static bigint_status agree(member *m, bigint_status status, const linear_job *job) {
    return member_agree(m, status, member_key(job->who, job->n, job->a->n_, job->bits));
}

static bigint_status run(bigint_ctx *ctx, member_program program, linear_job *job) {
    job->first = ctx->group->first;
    return group_run(ctx, job->who, program, job);
}

// --- Comparisons ---------------------------------------------------------------------------------

// highest: *order of two numbers whose blocks here are in the order `own`. A collective call.
static bigint_status highest(member *m, int *order, int own) {
    int all[EXCHANGE_MEMBERS_MAX];
    const bigint_status status = exchange_all_gather(m->exchange, all, &own, sizeof own);
    *order = 0;
    for (unsigned i = m->exchange->members; status == BIGINT_OK && i-- > 0 && *order == 0;) {
        *order = all[i];
    }
    return status;
}

// compare: of two numbers whose blocks here are {a, count} and {b, count}.
static bigint_status compare(member *m, int *order, const uint64_t *a, const uint64_t *b,
                             uint64_t count) {
    return highest(m, order, count == 0 ? 0 : limbs_cmp(a, b, count));
}

// measure_block: *bits up to the top one of a's block on a device; 0 if it is 0.
static bigint_status measure_block(member *m, const char *who, uint64_t *bits, const bigint *a) {
    int sign;
    const bigint_status status =
        device_measure(m->ctx, who, bits, &sign, group_block_integer(m, a));
    *bits = status == BIGINT_OK && *bits > 0 ? *bits + 64 * group_block(m, a->n_).first : 0;
    return status;
}

static bigint_status measure(member *m, void *arg) {
    linear_job *const job = arg;
    const arena_mark mark = arena_get_mark(m->ctx);
    const bool on_device = context_on_device(m->ctx);
    const uint64_t *p = NULL;
    uint64_t own = 0, bits;
    bigint_status status;
    if (on_device) {
        status = measure_block(m, job->who, &own, job->a);
    } else {
        p = group_read(m, job->who, job->a, &status);
    }
    status = agree(m, status, job);
    if (status == BIGINT_OK) {
        status = on_device ? group_most(m, &bits, own) : group_top_bits(m, &bits, p, job->a->n_);
    }
    if (status == BIGINT_OK) {
        answer(m, job, 0, bits);
    }
    arena_release(m->ctx, mark);
    return status;
}

bigint_status group_measure(bigint_ctx *ctx, const char *who, uint64_t *bits, int *sign,
                            const bigint *a) {
    linear_job job = {.who = who, .a = a};
    const bigint_status status = a->n_ == 0 ? BIGINT_OK : run(ctx, measure, &job);
    if (status == BIGINT_OK) {
        *bits = job.bits;
        *sign = job.bits == 0 ? 0 : a->sign_;
    }
    return status;
}

// order_on_device: of numbers in the same blocks. Makes the exchanges that order_of makes for them.
static bigint_status order_on_device(member *m, linear_job *job) {
    int own = 0, order;
    uint64_t own_bits, bits;
    bigint_status status = device_cmp(m->ctx, job->who, &own, group_block_integer(m, job->a),
                                      group_block_integer(m, job->b), true);
    status = status == BIGINT_OK ? measure_block(m, job->who, &own_bits, job->a) : status;
    status = agree(m, status, job);
    status = status == BIGINT_OK ? highest(m, &order, own) : status;
    status = status == BIGINT_OK ? group_most(m, &bits, own_bits) : status;
    if (status == BIGINT_OK) {
        answer(m, job, order, bits);
    }
    return status;
}

static bigint_status order_of(member *m, void *arg) {
    linear_job *const job = arg;
    const uint64_t n = job->n;
    const unsigned members = m->exchange->members;
    if (context_on_device(m->ctx) &&
        block_length(job->a->n_, members) == block_length(job->b->n_, members)) {
        return order_on_device(m, job);
    }
    const arena_mark mark = arena_get_mark(m->ctx);
    member_operand a = {0}, b = {0};
    int order;
    uint64_t bits;
    bigint_status status = member_operand_take(m, job->who, &a, job->a, n);
    status = status == BIGINT_OK ? member_operand_take(m, job->who, &b, job->b, n) : status;
    status = agree(m, status, job);
    status = status == BIGINT_OK ? member_operand_fetch(m, &a) : status;
    status = status == BIGINT_OK ? member_operand_fetch(m, &b) : status;
    status = status == BIGINT_OK ? compare(m, &order, a.p, b.p, group_block(m, n).count) : status;
    status = status == BIGINT_OK ? group_top_bits(m, &bits, a.p, n) : status;
    if (status == BIGINT_OK) {
        answer(m, job, order, bits);
    }
    arena_release(m->ctx, mark);
    return status;
}

// order_on_devices: of numbers in different blocks, by peer copies. bits: only whether a is 0.
static bigint_status order_on_devices(bigint_ctx *ctx, linear_job *job) {
    const uint64_t an = group_limbs_used(job->a), bn = group_limbs_used(job->b);
    int sign;
    const bigint_status status =
        group_devices_cmp(ctx, job->who, job->a, an, job->b, bn, &job->order);
    return status == BIGINT_OK && job->order == 0
               ? group_measure(ctx, job->who, &job->bits, &sign, job->a)
               : status;
}

// compare_all: the order and the bits of a, of numbers that are not both empty.
static bigint_status compare_all(bigint_ctx *ctx, linear_job *job) {
    const unsigned members = ctx->group->members;
    bool devices = false;
    bigint_status status = BIGINT_OK;
    if (group_bits(job->a) > 0 && group_bits(job->b) > 0 &&
        block_length(job->a->n_, members) != block_length(job->b->n_, members)) {
        status = group_devices_ready(ctx, job->who, &devices);
    }
    return status != BIGINT_OK ? status
           : devices           ? order_on_devices(ctx, job)
                               : run(ctx, order_of, job);
}

// A zero may have a sign. So different signs decide only if one of the numbers is not 0.
bigint_status group_cmp(bigint_ctx *ctx, const char *who, int *order, const bigint *a,
                        const bigint *b, bool magnitudes) {
    linear_job job = {.who = who, .a = a, .b = b, .n = a->n_ > b->n_ ? a->n_ : b->n_};
    const bigint_status status = job.n == 0 ? BIGINT_OK : compare_all(ctx, &job);
    if (status == BIGINT_OK) {
        const bool zeros = job.order == 0 && job.bits == 0;
        *order = zeros                  ? 0
                 : magnitudes           ? job.order
                 : a->sign_ == b->sign_ ? a->sign_ * job.order
                 : a->sign_ < b->sign_  ? -1
                                        : 1;
    }
    return status;
}

// --- Sums ----------------------------------------------------------------------------------------

// all_equal: whether all limbs are x.
static bool all_equal(const uint64_t *p, uint64_t n, uint64_t x) {
    uint64_t i = 0;
    while (i < n && p[i] == x) {
        i++;
    }
    return i == n;
}

// add_blocks: {to, count} = the block of |a| + |b|, or of |a| - |b| >= 0. A collective call.
static bigint_status add_blocks(member *m, uint64_t *to, const uint64_t *a, const uint64_t *b,
                                uint64_t count, bool opposite) {
    uint64_t carry = 0, in, out;
    if (count > 0) {
        carry = opposite ? limbs_sub_n(to, a, b, count) : limbs_add_n(to, a, b, count);
    }
    const bool propagates = carry == 0 && all_equal(to, count, opposite ? 0 : UINT64_MAX);
    const bigint_status status = member_carry_in(m->exchange, carry, propagates, &in, &out);
    if (status == BIGINT_OK) {
        assert(out == 0);  // r has a bit more than the operands, or |a| >= |b|
        if (count > 0) {
            carry = opposite ? limbs_sub_1(to, to, count, in) : limbs_add_1(to, to, count, in);
        }
    }
    return status;
}

static bigint_status sum(member *m, void *arg) {
    linear_job *const job = arg;
    const uint64_t n = job->n, count = group_block(m, n).count;
    const arena_mark mark = arena_get_mark(m->ctx);
    member_operand a = {0}, b = {0};
    int order = 1;
    uint64_t bits;
    bigint_status status;
    uint64_t *const to = group_room(m, job->who, job->r, n, &status);
    status = status == BIGINT_OK ? member_operand_take(m, job->who, &a, job->a, n) : status;
    status = status == BIGINT_OK ? member_operand_take(m, job->who, &b, job->b, n) : status;
    status = agree(m, status, job);
    status = status == BIGINT_OK ? member_operand_fetch(m, &a) : status;
    status = status == BIGINT_OK ? member_operand_fetch(m, &b) : status;
    if (status == BIGINT_OK && job->opposite) {
        status = compare(m, &order, a.p, b.p, count);
    }
    if (status == BIGINT_OK) {
        status = order >= 0 ? add_blocks(m, to, a.p, b.p, count, job->opposite)
                            : add_blocks(m, to, b.p, a.p, count, job->opposite);
    }
    status = status == BIGINT_OK ? group_top_bits(m, &bits, to, n) : status;
    status = status == BIGINT_OK ? group_keep(m, job->who, job->r, n, to) : status;
    if (status == BIGINT_OK) {
        answer(m, job, order, bits);
    }
    arena_release(m->ctx, mark);
    return status;
}

// Blocks of the result and of both operands, each read from a device and fetched.
uint64_t group_add_bytes(const bigint_ctx *ctx, uint64_t n) {
    enum { BLOCKS = 7 };
    const uint64_t block = block_length(n, ctx->group->members);
    return arena_most_held(BLOCKS * arena_limbs_bytes(block));
}

// result: r = sign times what the program computes, of at most `bits` bits.
static bigint_status result_of(bigint_ctx *ctx, member_program program, linear_job *job, bigint *r,
                               uint64_t bits) {
    job->r = r;
    job->n = word_ceil_div(bits, 64);
    bigint_status status = bigint_check_size(ctx, job->who, job->n);
    status = status == BIGINT_OK ? group_table(ctx, job->who, r) : status;
    return status == BIGINT_OK ? run(ctx, program, job) : status;
}

// sum_on_devices: the same on members that are devices; the length is not read back.
static bigint_status sum_on_devices(bigint_ctx *ctx, linear_job *job, bigint *r, uint64_t bits) {
    job->n = word_ceil_div(bits, 64);
    job->bits = bits;
    bigint_status status = bigint_check_size(ctx, job->who, job->n);
    status = status == BIGINT_OK ? group_table(ctx, job->who, r) : status;
    return status == BIGINT_OK ? group_devices_sum(ctx, job->who, r, job->n, job->a, job->b,
                                                   job->opposite, &job->order)
                               : status;
}

bigint_status group_add(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                        const bigint *b, bool subtract) {
    const uint64_t a_bits = group_bits(a), b_bits = group_bits(b);
    if (b_bits == 0) {
        return group_calls.copy(ctx, who, r, a, LIMBS_SIGN_KEEP);
    }
    if (a_bits == 0) {
        return group_calls.copy(ctx, who, r, b, subtract ? LIMBS_SIGN_FLIP : LIMBS_SIGN_KEEP);
    }
    const int a_sign = a->sign_, b_sign = subtract ? -b->sign_ : b->sign_;
    linear_job job = {.who = who, .a = a, .b = b, .opposite = a_sign != b_sign};
    const uint64_t bits = (a_bits > b_bits ? a_bits : b_bits) + !job.opposite;
    bool devices;
    bigint_status status = group_devices_ready(ctx, who, &devices);
    if (status == BIGINT_OK) {
        status = devices ? sum_on_devices(ctx, &job, r, bits) : result_of(ctx, sum, &job, r, bits);
    }
    if (status == BIGINT_OK) {
        group_settle(r, job.n, job.bits, job.order >= 0 ? a_sign : b_sign);
    }
    return status;
}

// --- Shifts --------------------------------------------------------------------------------------

// shift: r = |a| 2^bits, or |a| / 2^bits rounded down if `opposite`. A limb of r comes from two
// neighbours of a: every member fetches the limbs below, or above, its own and one more.
static bigint_status shift(member *m, void *arg) {
    linear_job *const job = arg;
    const uint64_t n = job->n, count = group_block(m, n).count, limbs = job->bits / 64;
    const unsigned s = (unsigned)(job->bits % 64);
    const bool left = !job->opposite;
    const arena_mark mark = arena_get_mark(m->ctx);
    uint64_t bits;
    bigint_status status;
    uint64_t *const to = group_room(m, job->who, job->r, n, &status), *from = NULL;
    const uint64_t *const own =
        status == BIGINT_OK ? group_read(m, job->who, job->a, &status) : NULL;
    if (status == BIGINT_OK) {
        from = arena_take_limbs(m->ctx, job->who, count + 1);
        status = from == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    }
    status = agree(m, status, job);
    if (status == BIGINT_OK) {
        const spread want = {.n = n, .at = left ? 0 : limbs, .more = 1};
        const spread have = {.n = job->a->n_, .at = left ? limbs + 1 : 0};
        status = member_fetch(m, from, &want, own, &have);
    }
    if (status == BIGINT_OK && count > 0 && left) {
        limbs_lshift(to, from + 1, count, s);
        to[0] |= s > 0 ? from[0] >> (64 - s) : 0;
    } else if (status == BIGINT_OK && count > 0) {
        limbs_rshift(to, from, count, s);
        to[count - 1] |= s > 0 ? from[count] << (64 - s) : 0;
    }
    status = status == BIGINT_OK ? group_top_bits(m, &bits, to, n) : status;
    status = status == BIGINT_OK ? group_keep(m, job->who, job->r, n, to) : status;
    if (status == BIGINT_OK) {
        answer(m, job, 0, bits);
    }
    arena_release(m->ctx, mark);
    return status;
}

// shift_on_devices: the same on members that are devices; the length is not read back.
static bigint_status shift_on_devices(bigint_ctx *ctx, linear_job *job, bigint *r, uint64_t bits) {
    const uint64_t by = job->bits;
    job->n = word_ceil_div(bits, 64);
    job->bits = bits;
    bigint_status status = bigint_check_size(ctx, job->who, job->n);
    status = status == BIGINT_OK ? group_table(ctx, job->who, r) : status;
    return status == BIGINT_OK
               ? group_devices_shift(ctx, job->who, r, job->n, job->a, by, job->opposite)
               : status;
}

static bigint_status shift_all(bigint_ctx *ctx, linear_job *job, bigint *r, uint64_t bits) {
    const int sign = job->a->sign_;
    bool devices;
    bigint_status status = group_devices_ready(ctx, job->who, &devices);
    if (status == BIGINT_OK && devices) {
        status = shift_on_devices(ctx, job, r, bits);
    } else if (status == BIGINT_OK) {
        status = result_of(ctx, shift, job, r, bits);
    }
    if (status == BIGINT_OK) {
        group_settle(r, job->n, job->bits, sign);
    }
    return status;
}

bigint_status group_mul_2exp(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                             uint64_t bits) {
    if (group_bits(a) == 0) {
        group_settle(r, 0, 0, 0);
        return BIGINT_OK;
    }
    // bits / 64 < 2^58 and at most 2^56: no overflow; then bits together are below 2^63
    const bigint_status status = bigint_check_size(ctx, who, bits / 64 + group_limbs_used(a));
    linear_job job = {.who = who, .a = a, .bits = bits};
    return status == BIGINT_OK ? shift_all(ctx, &job, r, group_bits(a) + bits) : status;
}

bigint_status group_tdiv_2exp(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                              uint64_t bits) {
    if (group_bits(a) <= bits) {
        group_settle(r, 0, 0, 0);
        return BIGINT_OK;
    }
    linear_job job = {.who = who, .a = a, .bits = bits, .opposite = true};
    return shift_all(ctx, &job, r, group_bits(a) - bits);
}
