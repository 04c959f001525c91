// stage.c: see stage.h. What a member sends to another in all sets is one string of bytes, and a
// piece is a slot's length of it. Piece j uses the slots j % STAGE_OUT and j % STAGE_IN, counted
// over all exchanges. The stream has, in this order: pack j + 1, unpack j, pack j + 2, ... Before
// piece j travels the host waits for its packing, so
//   - a slot is packed again (j + 2) after the piece in it has travelled (j);
//   - a message (j + 2) comes to a slot that has been unpacked (j).
// By NVSHMEM a member puts its piece into the others' slots when it is packed, and to travel is to
// meet. Piece j + 4 is enqueued when all have met for piece j + 2: all have packed that, and so
// unpacked j, whose slot it takes.
#include "bigint/group/device/stage.h"

#include <assert.h>

#include "bigint/core/device_stream.h"

enum { ALIGNED = 4096, LONGEST = 4 << 20 };  // bytes of a slot
static const uint64_t usual_bytes = UINT64_C(64) << 20;

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t most(uint64_t a, uint64_t b) { return a > b ? a : b; }

// --- Lifetime ------------------------------------------------------------------------------------

result device_stage_open(device_stage *s, unsigned members, uint64_t bytes, const nvshmem *shmem) {
    const uint64_t slots = (STAGE_OUT + STAGE_IN) * (uint64_t)members;
    const uint64_t slot = (bytes == 0 ? usual_bytes : bytes) / slots / ALIGNED * ALIGNED;
    void *memory = NULL;
    *s = (device_stage){.shmem = shmem, .slot = most(least(slot, LONGEST), ALIGNED)};
    result done = RESULT_OK;
    if (shmem != NULL) {
        memory = shmem->malloc(s->slot * slots);
        done = memory == NULL ? RESULT_NO_MEMORY : RESULT_OK;
    } else {
        done = cuda_pin(&memory, s->slot * slots);
    }
    s->memory = done == RESULT_OK ? memory : NULL;
    for (unsigned i = 0; i < STAGE_OUT && done == RESULT_OK; i++) {
        done = cuda_event_create(&s->packed[i]);
    }
    return done;
}

void device_stage_close(device_stage *s, bool lost) {
    for (unsigned i = 0; i < STAGE_OUT; i++) {
        cuda_event_destroy(s->packed[i]);
    }
    if (s->memory != NULL && !lost) {
        s->shmem != NULL ? s->shmem->free(s->memory) : cuda_unpin(s->memory);
    }
    *s = (device_stage){0};
}

// --- Pieces --------------------------------------------------------------------------------------

static unsigned char *slot_out(const device_stage *s, const exchange *host, uint64_t turn,
                               unsigned to) {
    return s->memory + (turn % STAGE_OUT * host->members + to) * s->slot;
}

static unsigned char *slot_in(const device_stage *s, const exchange *host, uint64_t turn,
                              unsigned from) {
    return s->memory + ((STAGE_OUT + turn % STAGE_IN) * host->members + from) * s->slot;
}

// total: bytes that the blocks of all sets have for one member.
static uint64_t total(const device_stage_transfer *t, const exchange_block *blocks, unsigned m) {
    uint64_t bytes = 0;
    for (unsigned set = 0; set < t->sets; set++) {
        bytes += exchange_block_bytes(&blocks[set * t->host->members + m]);
    }
    return bytes;
}

// length: bytes of piece k of them.
static uint64_t length(const device_stage *s, uint64_t bytes, uint64_t k) {
    return bytes > k * s->slot ? least(bytes - k * s->slot, s->slot) : 0;
}

// move_bytes copies bytes first .. end - 1 of a block to `packed`, or from there.
static result move_bytes(const exchange_block *b, uint64_t first, uint64_t end,
                         unsigned char *packed, bool pack, cuda_stream stream) {
    result done = RESULT_OK;
    while (first < end && done == RESULT_OK) {
        const uint64_t skip = first % b->row_bytes, left = end - first;
        const bool whole = skip == 0 && left >= b->row_bytes;
        const uint64_t row = whole ? b->row_bytes : least(b->row_bytes - skip, left),
                       rows = whole ? left / row : 1;
        unsigned char *const p = (unsigned char *)b->p + first / b->row_bytes * b->stride + skip;
        done = pack ? cuda_copy_rows(packed, row, p, b->stride, row, rows, stream)
                    : cuda_copy_rows(p, b->stride, packed, row, row, rows, stream);
        packed += row * rows;
        first += row * rows;
    }
    return done;
}

// move_piece copies piece k of what the blocks have for one member to a slot, or from there.
static result move_piece(const device_stage *s, const device_stage_transfer *t,
                         const exchange_block *blocks, unsigned m, uint64_t k, unsigned char *slot,
                         bool pack) {
    const uint64_t begin = k * s->slot, end = begin + s->slot;
    uint64_t at = 0;  // where a set's block begins
    result done = RESULT_OK;
    for (unsigned set = 0; set < t->sets && done == RESULT_OK; set++) {
        const exchange_block *const b = &blocks[set * t->host->members + m];
        const uint64_t bytes = exchange_block_bytes(b);
        const uint64_t from = most(at, begin), to = least(at + bytes, end);
        if (from < to) {
            done = move_bytes(b, from - at, to - at, slot + (from - begin), pack, t->stream);
        }
        at += bytes;
    }
    return done;
}

// put enqueues that the slots of a turn are written to the others' by NVSHMEM.
static void put(const device_stage *s, const device_stage_transfer *t, uint64_t turn, uint64_t k) {
    const exchange *const host = t->host;
    for (unsigned i = 0; i < host->members; i++) {
        const uint64_t bytes = i == host->member ? 0 : length(s, total(t, t->send, i), k);
        if (bytes > 0) {
            s->shmem->put(slot_in(s, host, turn, host->member), slot_out(s, host, turn, i), bytes,
                          (int)i, t->stream);
        }
    }
    s->shmem->quiet(t->stream);
}

// move_all enqueues the copies of piece k to the slots of a turn, or from there.
static result move_all(const device_stage *s, const device_stage_transfer *t, uint64_t turn,
                       uint64_t k, bool pack) {
    const exchange *const host = t->host;
    result done = RESULT_OK;
    for (unsigned i = 0; i < host->members && done == RESULT_OK; i++) {
        if (i != host->member) {
            unsigned char *const slot =
                pack ? slot_out(s, host, turn, i) : slot_in(s, host, turn, i);
            done = move_piece(s, t, pack ? t->send : t->receive, i, k, slot, pack);
        }
    }
    return done;
}

// pack enqueues the way of piece k to the slots of a turn, by NVSHMEM to the others' slots, too.
static result pack(const device_stage *s, const device_stage_transfer *t, uint64_t turn,
                   uint64_t k) {
    const result done = move_all(s, t, turn, k, true);
    if (done != RESULT_OK) {
        return done;
    }
    if (s->shmem != NULL) {
        put(s, t, turn, k);
    }
    return cuda_event_record(s->packed[turn % STAGE_OUT], t->stream);
}

// meet: all members have put their piece k.
static bigint_status meet(const device_stage *s, const device_stage_transfer *t, uint64_t k) {
    exchange *const host = t->host;
    unsigned char here = 0, all[EXCHANGE_MEMBERS_MAX];
    for (unsigned i = 0; i < host->members; i++) {
        host->sent_bytes += i == host->member ? 0 : length(s, total(t, t->send, i), k);
    }
    return exchange_all_gather(host, all, &here, sizeof here);
}

// travel: piece k goes from all members to all.
static bigint_status travel(const device_stage *s, const device_stage_transfer *t, uint64_t turn,
                            uint64_t k) {
    exchange *const host = t->host;
    exchange_block send[EXCHANGE_MEMBERS_MAX], receive[EXCHANGE_MEMBERS_MAX];
    for (unsigned i = 0; i < host->members; i++) {
        const bool other = i != host->member;
        send[i] = exchange_bytes(slot_out(s, host, turn, i),
                                 other ? length(s, total(t, t->send, i), k) : 0);
        receive[i] = exchange_bytes(slot_in(s, host, turn, i),
                                    other ? length(s, total(t, t->receive, i), k) : 0);
    }
    return exchange_all_to_all_lasting(host, send, receive);  // device_stage_close
}

// --- Exchanges -----------------------------------------------------------------------------------

// count_pieces: *pieces: of the longest string of bytes that any member sends to another.
static bigint_status count_pieces(const device_stage *s, const device_stage_transfer *t,
                                  uint64_t *pieces) {
    uint64_t all[EXCHANGE_MEMBERS_MAX], own = 0;
    for (unsigned i = 0; i < t->host->members; i++) {
        own = most(own, i == t->host->member ? 0 : total(t, t->send, i));
    }
    const bigint_status status = exchange_all_gather(t->host, all, &own, sizeof own);
    uint64_t bytes = 0;
    for (unsigned i = 0; i < t->host->members && status == BIGINT_OK; i++) {
        bytes = most(bytes, all[i]);
    }
    *pieces = (bytes + s->slot - 1) / s->slot;
    return status;
}

// keep copies the blocks that a member has for itself.
static result keep(const device_stage_transfer *t) {
    result done = RESULT_OK;
    for (unsigned set = 0; set < t->sets && done == RESULT_OK; set++) {
        const unsigned own = set * t->host->members + t->host->member;
        const exchange_block *const from = &t->send[own], *const to = &t->receive[own];
        assert(to->rows == from->rows && to->row_bytes == from->row_bytes);
        if (exchange_block_bytes(from) > 0) {
            done = cuda_copy_rows(to->p, to->stride, from->p, from->stride, from->row_bytes,
                                  from->rows, t->stream);
        }
    }
    return done;
}

// step: piece k, which is being packed, travels, while the next one is packed.
static bigint_status step(device_stage *s, bigint_ctx *ctx, const char *who,
                          const device_stage_transfer *t, uint64_t k, bool more) {
    const uint64_t turn = s->turn++;
    result done = more ? pack(s, t, turn + 1, k + 1) : RESULT_OK;
    done = done == RESULT_OK ? cuda_event_wait(s->packed[turn % STAGE_OUT]) : done;
    bigint_status status = device_status(ctx, who, done);
    if (status == BIGINT_OK) {
        status = s->shmem != NULL ? meet(s, t, k) : travel(s, t, turn, k);
    }
    return status == BIGINT_OK ? device_status(ctx, who, move_all(s, t, turn, k, false)) : status;
}

bigint_status device_stage_carry(device_stage *s, bigint_ctx *ctx, const char *who,
                                 const device_stage_transfer *t) {
    uint64_t pieces;
    bigint_status status = count_pieces(s, t, &pieces);
    if (status != BIGINT_OK) {
        return status;
    }
    result done = keep(t);
    done = done == RESULT_OK && pieces > 0 ? pack(s, t, s->turn, 0) : done;
    status = device_status(ctx, who, done);
    for (uint64_t k = 0; k < pieces && status == BIGINT_OK; k++) {
        status = step(s, ctx, who, t, k, k + 1 < pieces);
    }
    return status;
}
