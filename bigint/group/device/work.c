// work.c: see work.h.
#define _POSIX_C_SOURCE 200809L  // clock_gettime
#include "bigint/group/device/work.h"

#include <time.h>

#include "bigint/core/device_stream.h"
#include "bigint/group/exchange/member_carry.h"
#include "carry/add.h"

const char *const member_work_who = "bigint_mul";

block_range member_work_operand(const member_work *w, const device_member_operand *a, unsigned m) {
    const block_range b = block_bounds(a->blocks, w->plan->members, m);
    const uint64_t end = b.first + b.count < a->n ? b.first + b.count : a->n;
    return (block_range){b.first < a->n ? b.first : a->n, b.first < end ? end - b.first : 0};
}

// --- Memory --------------------------------------------------------------------------------------

void *member_work_lay(unsigned char *memory, uint64_t *used, uint64_t bytes) {
    void *const at = memory == NULL ? NULL : memory + *used;
    *used += (bytes + 255) / 256 * 256;
    return at;
}

// longest: limbs of the longest block of the product, the first.
static uint64_t longest(const member_work *w) {
    return block_bounds(member_work_limbs(w->plan), w->plan->members, 0).count;
}

void member_work_lay_words(member_work *w, unsigned char *memory, uint64_t *used) {
    w->words = member_work_lay(memory, used, 4 * LIMB_BYTES);
    w->adding = member_work_lay(memory, used, carry_add_workspace_bytes(longest(w) + 1));
}

void member_work_lay_blocks(member_work *w, unsigned char *memory, uint64_t *used) {
    const uint64_t block = (longest(w) + 1) * LIMB_BYTES;
    w->low = member_work_lay(memory, used, block);
    w->high = member_work_lay(memory, used, block);
    w->sum = member_work_lay(memory, used, block);
    w->next = member_work_lay(memory, used, block);
}

// --- Exchanges -----------------------------------------------------------------------------------

bigint_status member_work_status(const member_work *w, result done) {
    return device_status(w->m->ctx, member_work_who, done);
}

const char *device_member_phase_name(device_member_phase phase) {
    static const char *const names[DEVICE_PHASES] = {"transform", "exchange", "join"};
    return names[phase];
}

bigint_status member_work_tick(const member_work *w, device_member_phase phase) {
    device_member_clock *const clock = w->job->clock;
    if (clock == NULL) {
        return BIGINT_OK;
    }
    result done = cuda_stream_wait(w->exchange->copies);
    done = done == RESULT_OK ? cuda_stream_wait(w->stream) : done;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    const double now = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    clock->seconds[phase] += clock->last > 0 ? now - clock->last : 0;
    clock->last = now;
    return member_work_status(w, done);
}

bigint_status member_work_begin(const member_work *w, unsigned sets, device_member_phase phase) {
    bigint_status status = member_work_tick(w, phase);
    if (status == BIGINT_OK) {
        status = device_exchange_begin(w->exchange, w->m->ctx, member_work_who, sets, w->send,
                                       w->receive);
    }
    return status == BIGINT_OK ? member_work_tick(w, DEVICE_PHASE_EXCHANGE) : status;
}

bigint_status member_work_end(const member_work *w) {
    return device_exchange_end(w->exchange, w->m->ctx, member_work_who);
}

void member_work_gather(const member_work *w, unsigned set, const device_member_operand *a,
                        uint64_t *to, bool everywhere) {
    const unsigned members = w->plan->members, self = member_work_self(w);
    const uint64_t own = member_work_operand(w, a, self).count;
    for (unsigned i = 0; i < members; i++) {
        const block_range theirs = member_work_operand(w, a, i);
        const bool sends = everywhere || i == 0, receives = everywhere || self == 0;
        w->send[set * members + i] = exchange_bytes(a->p, sends ? own * LIMB_BYTES : 0);
        w->receive[set * members + i] =
            receives ? exchange_bytes(to + theirs.first, theirs.count * LIMB_BYTES)
                     : exchange_bytes(NULL, 0);
    }
}

// --- The carry -----------------------------------------------------------------------------------

// add enqueues r = a + b of the own block, with the carry out in a limb more.
static result add(const member_work *w, uint64_t *r, limbs_device_number a, limbs_device_number b) {
    const uint64_t n = member_work_block(w).count + 1;
    return carry_add(r, n, w->words + 1, a, b, false, w->adding, carry_add_workspace_bytes(n),
                     w->stream);
}

// Both sums are there before it is known what comes in: one more carries out where the first one is
// all ones.
bigint_status member_work_carry(const member_work *w, uint64_t high_n) {
    bigint_ctx *const ctx = w->m->ctx;
    const uint64_t n = member_work_block(w).count;
    uint64_t out[2] = {0, 1}, in = 0, top = 0;
    bigint_status status = BIGINT_OK;
    if (n > 0) {
        const limbs_device_number low = {w->low, n, NULL}, high = {w->high, high_n, NULL},
                                  sum = {w->sum, n + 1, NULL}, one = {w->words + 2, 1, NULL};
        result done = add(w, w->sum, low, high);
        done = done == RESULT_OK ? add(w, w->next, sum, one) : done;
        done = done == RESULT_OK ? cuda_copy(&out[0], w->sum + n, LIMB_BYTES, w->stream) : done;
        done = done == RESULT_OK ? cuda_copy(&out[1], w->next + n, LIMB_BYTES, w->stream) : done;
        status = member_work_status(w, done);
        status = status == BIGINT_OK ? device_wait(ctx, member_work_who) : status;
    }
    if (status == BIGINT_OK) {
        status = member_carry_in(w->m->exchange, out[0], out[1] != out[0], &in, &top);
    }
    if (status != BIGINT_OK || n == 0) {
        return status;
    }
    return member_work_status(
        w, cuda_copy(w->job->rp, in != 0 ? w->next : w->sum, n * LIMB_BYTES, w->stream));
}
