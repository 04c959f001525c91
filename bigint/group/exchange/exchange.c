// exchange.c: what all transports share: counting, agreement, failures. See exchange.h.
#define _POSIX_C_SOURCE 200809L  // clock_gettime
#include "bigint/group/exchange/exchange.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// finish: counts a call that began at `begin` and sent `bytes`.
static bigint_status finish(exchange *x, bigint_status status, double begin, uint64_t bytes) {
    x->calls++;
    x->seconds += now() - begin;
    x->sent_bytes += status == BIGINT_OK ? bytes : 0;
    assert((status == BIGINT_OK) == !x->lost);
    return status;
}

static bigint_status all_to_all(exchange *x, const exchange_block *send,
                                const exchange_block *receive, bool lasting) {
    if (x->lost) {
        return BIGINT_EPEER;
    }
    uint64_t bytes = 0;
    for (unsigned i = 0; i < x->members; i++) {
        bytes += i == x->member ? 0 : exchange_block_bytes(&send[i]);
    }
    assert(send[x->member].rows == receive[x->member].rows &&
           send[x->member].row_bytes == receive[x->member].row_bytes);
    const double begin = now();
    return finish(x, x->ops->all_to_all(x, send, receive, lasting), begin, bytes);
}

bigint_status exchange_all_to_all(exchange *x, const exchange_block *send,
                                  const exchange_block *receive) {
    return all_to_all(x, send, receive, false);
}

bigint_status exchange_all_to_all_lasting(exchange *x, const exchange_block *send,
                                          const exchange_block *receive) {
    return all_to_all(x, send, receive, true);
}

bigint_status exchange_all_gather(exchange *x, void *all, const void *own, size_t bytes) {
    if (x->lost) {
        return BIGINT_EPEER;
    }
    const double begin = now();
    return finish(x, x->ops->all_gather(x, all, own, bytes), begin,
                  (uint64_t)(x->members - 1) * bytes);
}

// --- Agreement ---

typedef struct {
    uint64_t key;
    int64_t status;
} vote;

// first_failure: the first member whose vote is against, with its status; `members` if none is.
static unsigned first_failure(const vote *votes, unsigned members, bigint_status *status) {
    for (unsigned i = 0; i < members; i++) {
        if (votes[i].status != BIGINT_OK) {
            *status = (bigint_status)votes[i].status;
            return i;
        }
    }
    for (unsigned i = 1; i < members; i++) {
        if (votes[i].key != votes[0].key) {
            *status = BIGINT_EINVAL;
            return i;
        }
    }
    *status = BIGINT_OK;
    return members;
}

// tell_cause: member's text of EXCHANGE_CAUSE bytes to all members.
static bigint_status tell_cause(exchange *x, unsigned member, char *text) {
    exchange_block send[EXCHANGE_MEMBERS_MAX] = {{0}}, receive[EXCHANGE_MEMBERS_MAX] = {{0}};
    char own[EXCHANGE_CAUSE];
    snprintf(own, sizeof own, "%s", text);
    for (unsigned i = 0; i < x->members && x->member == member; i++) {
        send[i] = exchange_bytes(own, sizeof own);
    }
    receive[member] = exchange_bytes(text, EXCHANGE_CAUSE);
    return exchange_all_to_all(x, send, receive);
}

// Each step is a bijection of the key so far, and of the part.
uint64_t exchange_key(const uint64_t *parts, size_t count) {
    uint64_t key = 0;
    for (size_t i = 0; i < count; i++) {
        key = (key ^ parts[i]) * UINT64_C(0x9e3779b97f4a7c15);
        key ^= key >> 29;
    }
    return key;
}

bigint_status exchange_agree(exchange *x, bigint_status status, const char *text, uint64_t key) {
    vote votes[EXCHANGE_MEMBERS_MAX];
    const vote own = {.key = key, .status = status};
    if (exchange_all_gather(x, votes, &own, sizeof own) != BIGINT_OK) {
        return BIGINT_EPEER;
    }
    bigint_status agreed;
    const unsigned member = first_failure(votes, x->members, &agreed);
    if (agreed == BIGINT_OK) {
        return BIGINT_OK;
    }
    exchange_failure failure = {.member = member, .status = agreed};
    if (votes[member].status == BIGINT_OK) {
        snprintf(failure.cause, sizeof failure.cause,
                 "its call, lengths, options or processor are not those of member 0");
    } else {
        snprintf(failure.cause, sizeof failure.cause, "%s", text == NULL ? "" : text);
        if (tell_cause(x, member, failure.cause) != BIGINT_OK) {
            return BIGINT_EPEER;
        }
    }
    x->failure = failure;
    return agreed;
}

// --- Failures ---

bigint_status exchange_lost(exchange *x, unsigned member, bigint_status status, const char *format,
                            ...) {
    va_list list;
    va_start(list, format);
    x->failure = (exchange_failure){.member = member, .status = status};
    vsnprintf(x->failure.cause, sizeof x->failure.cause, format, list);
    va_end(list);
    x->lost = true;
    return BIGINT_EPEER;
}

void exchange_give_up(exchange *x, bigint_status status, const char *cause) {
    if (!x->lost) {
        exchange_lost(x, x->member, status, "%s", cause);
        x->ops->give_up(x);
    }
}

// --- Blocks ---

void exchange_copy(const exchange_block *to, const exchange_block *from) {
    assert(to->rows == from->rows && to->row_bytes == from->row_bytes);
    for (uint64_t i = 0; i < to->rows; i++) {
        memcpy((char *)to->p + i * to->stride, (const char *)from->p + i * from->stride,
               to->row_bytes);
    }
}
