// group.c: see group.h.
#include "primitives/cuda/group.h"

#include <assert.h>
#include <stdio.h>

enum { STAGE = 1 << 22, STAGE_LINE = 256 };  // bytes

// --- Opening ---

// open_member: the member's stream and mark.
static result open_member(cuda_group *g, unsigned member) {
    result done = cuda_group_enter(g, member);
    if (done != RESULT_OK) {
        return done;
    }
    cuda_member *const m = &g->member[member];
    done = cuda_stream_create(&m->stream);
    done = done == RESULT_OK ? cuda_event_create(&m->mark) : done;
    cuda_group_leave(g);
    return done;
}

// open_here: members first .. first + count of g.
static result open_here(cuda_group *g, const int *devices, unsigned count) {
    result done = RESULT_OK;
    for (unsigned i = 0; i < count && done == RESULT_OK; i++) {
        g->member[g->first + i].device = devices[i];
        g->here = i + 1;
        done = open_member(g, g->first + i);
        for (unsigned j = 0; j < i && done == RESULT_OK; j++) {
            bool direct;
            done = cuda_reach(devices[i], devices[j], &direct);
            done = done == RESULT_OK ? cuda_reach(devices[j], devices[i], &direct) : done;
        }
    }
    return done;
}

result cuda_group_open(cuda_group *g, const int *devices, unsigned members) {
    *g = (cuda_group){0};
    if (members == 0 || members > CUDA_GROUP_MOST) {
        return RESULT_REFUSED;
    }
    const result done = open_here(g, devices, members);
    g->members = g->here;
    return done;
}

// open_stage: pinned memory of the first member's device.
static result open_stage(cuda_group *g) {
    result done = cuda_group_enter(g, g->first);
    if (done == RESULT_OK) {
        void *stage = NULL;
        done = cuda_pin(&stage, STAGE);
        g->stage = stage;
        cuda_group_leave(g);
    }
    return done;
}

result cuda_group_join(cuda_group *g, const int *devices, cuda_link *link) {
    *g = (cuda_group){0};
    g->link = link;
    g->members = link->first[link->processes];
    g->first = link->first[link->process];
    assert(g->members <= CUDA_GROUP_MOST && link->first[link->process + 1] > g->first);
    result done = open_here(g, devices, link->first[link->process + 1] - g->first);
    done = done == RESULT_OK ? open_stage(g) : done;
    return cuda_group_agree(g, done, g->members);
}

// wait_here waits for the work of all members of this process.
static result wait_here(const cuda_group *g) {
    result all = RESULT_OK;
    for (unsigned i = g->first; i < g->first + g->here; i++) {
        const result done = cuda_stream_wait(g->member[i].stream);
        all = all == RESULT_OK ? done : all;
    }
    return all;
}

void cuda_group_close(cuda_group *g) {
    if (g->stage != NULL) {
        wait_here(g);
    }
    for (unsigned i = g->first; i < g->first + g->here; i++) {
        const cuda_member *const m = &g->member[i];
        if (cuda_group_enter(g, i) == RESULT_OK) {
            cuda_event_destroy(m->mark);
            if (m->stream != NULL) {
                cuda_stream_destroy(m->stream);
            }
            cuda_group_leave(g);
        }
    }
    if (g->link != NULL) {
        cuda_unpin(g->link->lost ? NULL : g->stage);
        g->link->close(g->link);
    }
    *g = (cuda_group){0};
}

result cuda_group_wait(cuda_group *g) {
    return cuda_group_agree(g, wait_here(g), cuda_key(0, g->members));
}

// --- Steps ---

result cuda_group_enter(cuda_group *g, unsigned member) {
    return cuda_enter(g->member[member].device, &g->caller);
}

void cuda_group_leave(cuda_group *g) { cuda_leave(g->caller); }

result cuda_group_each(cuda_group *g, result (*step)(const void *call, unsigned member),
                       const void *call) {
    result done = RESULT_OK;
    for (unsigned m = g->first; m < g->first + g->here && done == RESULT_OK; m++) {
        done = cuda_group_enter(g, m);
        if (done == RESULT_OK) {
            done = step(call, m);
            cuda_group_leave(g);
        }
    }
    return done;
}

result cuda_group_mark(cuda_group *g, unsigned member) {
    return cuda_event_record(g->member[member].mark, g->member[member].stream);
}

result cuda_group_follow(cuda_group *g, unsigned member, unsigned other) {
    return cuda_stream_follow(g->member[member].stream, g->member[other].mark);
}

result cuda_group_agree(cuda_group *g, result own, uint64_t key) {
    char why[256] = "";
    if (g->link == NULL) {
        return own;
    }
    if (own == RESULT_DEVICE_ERROR) {
        cuda_error(why, sizeof why);
    } else if (own != RESULT_OK) {
        snprintf(why, sizeof why, "%s",
                 own == RESULT_NO_MEMORY   ? "no memory"
                 : own == RESULT_NO_DEVICE ? "built without CUDA"
                                           : "its arguments are refused");
    }
    return g->link->agree(g->link, own, key, why);
}

uint64_t cuda_key(uint64_t key, uint64_t number) {
    key = (key ^ number) * UINT64_C(0x9E3779B97F4A7C15);  // 2^64 over the golden ratio, odd
    return key ^ key >> 29;
}

// --- Exchanges ---

// exchanging: an exchange, and the pieces of slots that are on the stage, one after the other.
typedef struct {
    cuda_group *g;
    const cuda_slots *x;
    uint64_t from;                     // where the pieces begin in their slots
    uint64_t at[CUDA_GROUP_MOST + 1];  // and a member's on the stage
} exchanging;

static unsigned number_in(const cuda_slots *x, unsigned member) { return member % x->each; }

// wants: whether a member takes the slot of another one.
static bool wants(const cuda_slots *x, unsigned member, unsigned other) {
    return member != other && member / x->each == other / x->each && x->member[other].bytes > 0 &&
           number_in(x, other) < x->member[member].taken;
}

static result mark(const void *call, unsigned m) {
    const exchanging *const e = call;
    return cuda_group_mark(e->g, m);
}

static char *slot_of(const cuda_slots *x, unsigned area, unsigned member) {
    return x->member[area].area + number_in(x, member) * x->member[member].bytes;
}

// fetch: the slots that a member wants of others, all of this process.
static result fetch(const void *call, unsigned m) {
    const exchanging *const e = call;
    const cuda_slots *const x = e->x;
    result done = RESULT_OK;
    for (unsigned other = e->g->first; other < e->g->first + e->g->here; other++) {
        if (done == RESULT_OK && wants(x, m, other)) {
            done = cuda_group_follow(e->g, m, other);
            done = done == RESULT_OK
                       ? cuda_copy_between(slot_of(x, m, other), e->g->member[m].device,
                                           slot_of(x, other, other), e->g->member[other].device,
                                           x->member[other].bytes, e->g->member[m].stream)
                       : done;
        }
    }
    return done;
}

static result settle(const void *call, unsigned m) {
    const exchanging *const e = call;
    result done = RESULT_OK;
    for (unsigned other = e->g->first; other < e->g->first + e->g->here; other++) {
        if (done == RESULT_OK && wants(e->x, other, m)) {
            done = cuda_group_follow(e->g, m, other);
        }
    }
    return done;
}

// crosses: whether a network has members of several processes.
static bool crosses(const cuda_group *g, const cuda_slots *x) {
    bool any = false;
    for (unsigned p = 1; g->link != NULL && p < g->link->processes; p++) {
        any = any || g->link->first[p] % x->each != 0;
    }
    return any;
}

// put: what there is of a member's piece, from its slot to the stage, where the other members here
// may still take pieces of the exchange before.
static result put(const void *call, unsigned m) {
    const exchanging *const e = call;
    result done = RESULT_OK;
    for (unsigned i = 0; i < e->g->here && done == RESULT_OK; i++) {
        done = cuda_group_follow(e->g, m, e->g->first + i);
    }
    return done != RESULT_OK ? done
                             : cuda_copy(e->g->stage + e->at[m], slot_of(e->x, m, m) + e->from,
                                         e->at[m + 1] - e->at[m], e->g->member[m].stream);
}

// take: the pieces that a member wants, from the stage to its area, and a mark behind them.
static result take(const void *call, unsigned m) {
    const exchanging *const e = call;
    result done = RESULT_OK;
    for (unsigned other = 0; other < e->g->members && done == RESULT_OK; other++) {
        if (wants(e->x, m, other)) {
            done = cuda_copy(slot_of(e->x, m, other) + e->from, e->g->stage + e->at[other],
                             e->at[other + 1] - e->at[other], e->g->member[m].stream);
        }
    }
    return done == RESULT_OK ? cuda_group_mark(e->g, m) : done;
}

// needed: the range of the stage that process `to` needs of process `from`.
static cuda_range needed(const exchanging *e, unsigned from, unsigned to) {
    const unsigned *const first = e->g->link->first;
    cuda_range r = {0, 0};
    for (unsigned m = first[from]; m < first[from + 1]; m++) {
        bool any = false;
        for (unsigned k = first[to]; k < first[to + 1]; k++) {
            any = any || wants(e->x, k, m);
        }
        if (any && from != to) {
            r.begin = r.end == r.begin ? e->at[m] : r.begin;
            r.end = e->at[m + 1];
        }
    }
    return r;
}

// swap: the pieces on the stage to the other processes, and theirs to the stage.
static result swap(const exchanging *e) {
    cuda_link *const link = e->g->link;
    cuda_range send[CUDA_GROUP_MOST], receive[CUDA_GROUP_MOST];
    for (unsigned p = 0; p < link->processes; p++) {
        send[p] = needed(e, link->process, p);
        receive[p] = needed(e, p, link->process);
    }
    return link->swap(link, e->g->stage, send, receive);
}

// by_host: the exchange piece by piece. A process that fails goes on: others wait for its pieces.
static result by_host(exchanging *e, result done) {
    uint64_t most = 0;
    for (unsigned m = 0; m < e->g->members; m++) {
        most = e->x->member[m].bytes > most ? e->x->member[m].bytes : most;
    }
    const uint64_t piece = STAGE / e->g->members / STAGE_LINE * STAGE_LINE;
    for (e->from = 0; e->from < most && !e->g->link->lost; e->from += piece) {
        e->at[0] = 0;
        for (unsigned m = 0; m < e->g->members; m++) {
            const uint64_t bytes = e->x->member[m].bytes;
            const uint64_t rest = bytes > e->from ? bytes - e->from : 0;
            e->at[m + 1] = e->at[m] + (rest < piece ? rest : piece);
        }
        done = done == RESULT_OK ? cuda_group_each(e->g, put, e) : done;
        const result waited = wait_here(e->g);  // also for pieces that members still take
        done = done == RESULT_OK ? waited : done;
        const result swapped = swap(e);
        done = done == RESULT_OK ? swapped : done;
        done = done == RESULT_OK ? cuda_group_each(e->g, take, e) : done;
    }
    return done;
}

result cuda_group_gather(cuda_group *g, const cuda_slots *x, result done) {
    exchanging e = {.g = g, .x = x};
    if (crosses(g, x)) {
        return by_host(&e, done);
    }
    static result (*const steps[])(const void *, unsigned) = {mark, fetch, mark};
    for (unsigned i = 0; i < sizeof steps / sizeof *steps && done == RESULT_OK; i++) {
        done = cuda_group_each(g, steps[i], &e);
    }
    return done;
}

result cuda_group_settle(cuda_group *g, const cuda_slots *x) {
    const exchanging e = {.g = g, .x = x};
    return crosses(g, x) ? RESULT_OK : cuda_group_each(g, settle, &e);
}
