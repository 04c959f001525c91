// dealt.c: see dealt.h.
#include "bigint/api/dealt.h"

#include "bigint/batch/batch.h"
#include "bigint/core/integer.h"
#include "bigint/group/group.h"

// --- Parts ---------------------------------------------------------------------------------------

static uint64_t count_of(const dealt_call *call) {
    unsigned k = 0;
    while (call->spans[k] == NULL) {
        k++;
    }
    return call->spans[k]->count;
}

// alike: whether all items have the same lengths.
static bool alike(const dealt_call *call) {
    bool same = true;
    for (unsigned k = 0; k < DEALT_SPANS; k++) {
        same = same && (call->spans[k] == NULL || call->spans[k]->lengths == NULL);
    }
    return same;
}

static double cost_of(const dealt_call *call, uint64_t i) {
    uint64_t n[DEALT_SPANS] = {0};
    for (unsigned k = 0; k < DEALT_SPANS; k++) {
        n[k] = call->spans[k] == NULL ? 0 : batch_item_of(call->spans[k], i).n;
    }
    return 1 + call->cost(n);
}

// range_of: the items of part `index`: those whose middle, in the cost of all, lies there.
static batch_range range_of(const dealt_call *call, unsigned parts, unsigned index) {
    const uint64_t count = count_of(call);
    if (alike(call)) {
        return batch_chunk(count, parts, index);
    }
    double all = 0, before = 0;
    for (uint64_t i = 0; i < count; i++) {
        all += cost_of(call, i);
    }
    batch_range range = {count, count};
    for (uint64_t i = 0; i < count; i++) {
        const double cost = cost_of(call, i), middle = (before + cost / 2) / all * parts;
        const unsigned part = middle >= parts ? parts - 1 : (unsigned)middle;  // rounding
        before += cost;
        if (part == index && range.begin == count) {
            range.begin = i;
        }
        if (part > index) {
            range.end = i;
            break;
        }
    }
    range.begin = range.begin > range.end ? range.end : range.begin;
    return range;
}

static bigint_span part_of(const bigint_span *s, batch_range range) {
    bigint_span part = *s;
    part.count = range.end - range.begin;
    part.p += s->p != NULL && s->offsets == NULL ? range.begin * s->stride : 0;
    part.offsets += s->offsets != NULL ? range.begin : 0;
    part.lengths += s->lengths != NULL ? range.begin : 0;
    return part;
}

// --- A member ------------------------------------------------------------------------------------

// asker: the agreement of a call in which a member has written nothing yet.
typedef struct {
    member *m;
    uint64_t key;
    bool asked;
    bigint_status agreed;
} asker;

static bigint_status agree(asker *a, bigint_status status) {
    if (!a->asked) {
        a->asked = true;
        a->agreed = member_agree(a->m, status, a->key);
    }
    return a->agreed;
}

static bigint_status ask(void *arg) { return agree(arg, BIGINT_OK); }

typedef struct {
    const dealt_call *call;
    unsigned first, local;
} dealt_job;

static bigint_status run(member *m, void *arg) {
    const dealt_job *const job = arg;
    const dealt_call *const call = job->call;
    const batch_range range = range_of(call, job->local, m->exchange->member - job->first);
    bigint_span parts[DEALT_SPANS];
    const bigint_span *spans[DEALT_SPANS] = {NULL};
    for (unsigned k = 0; k < DEALT_SPANS; k++) {
        if (call->spans[k] != NULL) {
            parts[k] = part_of(call->spans[k], range);
            spans[k] = &parts[k];
        }
    }
    asker a = {.m = m, .key = member_key(call->who, call->bits, 0, 0)};
    m->ctx->ask = ask;
    m->ctx->asker = &a;
    unsigned char *const bytes = call->bytes == NULL ? NULL : call->bytes + range.begin;
    const bigint_status status =
        context_on_device(m->ctx)
            ? dealt_on_device(m->ctx, call, spans, range.end - range.begin, bytes)
            : call->run(m->ctx, call, spans, bytes);
    m->ctx->ask = NULL;
    if (agree(&a, status) != BIGINT_OK) {
        return a.agreed;
    }
    return member_agree(m, status, a.key);  // a check may have failed since
}

bigint_status dealt_batch(bigint_ctx *ctx, const dealt_call *call) {
    const group *const g = ctx->group;
    dealt_job job = {call, g->first, g->local};
    return group_run(ctx, call->who, run, &job);
}
