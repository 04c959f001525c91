// work.c: see work.h.
#define _POSIX_C_SOURCE 200809L  // clock_gettime
#include "bigint/group/device/work.h"

#include <time.h>

#include "bigint/core/device_stream.h"

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

uint64_t member_work_longest(const device_member_plan *plan) {
    return block_bounds(member_work_limbs(plan), plan->members, 0).count;  // the first
}

void member_work_lay_words(member_work *w, unsigned char *memory, uint64_t *used) {
    w->adder.words = member_work_lay(memory, used, BLOCK_ADDER_WORDS * LIMB_BYTES);
    w->adder.adding =
        member_work_lay(memory, used, block_adder_bytes(member_work_longest(w->plan)));
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
    if (status == BIGINT_OK && w->job->clock != NULL) {
        status = member_work_end(w);  // nothing runs beside what is timed
    }
    return status == BIGINT_OK ? member_work_tick(w, DEVICE_PHASE_EXCHANGE) : status;
}

bigint_status member_work_end(const member_work *w) {
    return device_exchange_end(w->exchange, w->m->ctx, member_work_who);
}

bigint_status member_work_exchange(const member_work *w, unsigned sets) {
    const bigint_status status = member_work_begin(w, sets, DEVICE_PHASE_TRANSFORM);
    return status == BIGINT_OK ? member_work_end(w) : status;
}

void member_work_clear(const member_work *w, unsigned first, unsigned sets) {
    for (unsigned i = first * w->plan->members; i < (first + sets) * w->plan->members; i++) {
        w->send[i] = w->receive[i] = exchange_bytes(NULL, 0);
    }
}

void member_work_gather(const member_work *w, unsigned set, const device_member_operand *a,
                        uint64_t *to) {
    const unsigned members = w->plan->members, self = member_work_self(w);
    const uint64_t own = member_work_operand(w, a, self).count;
    for (unsigned i = 0; i < members; i++) {
        const block_range theirs = member_work_operand(w, a, i);
        w->send[set * members + i] = exchange_bytes(a->p, i == 0 ? own * LIMB_BYTES : 0);
        w->receive[set * members + i] =
            self == 0 ? exchange_bytes(to + theirs.first, theirs.count * LIMB_BYTES)
                      : exchange_bytes(NULL, 0);
    }
}
