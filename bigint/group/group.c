// group.c: see group.h.
#include "bigint/group/group.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "bigint/core/arena.h"
#include "bigint/group/group_devices.h"

unsigned group_here(const group *g, unsigned number) {
    return number >= g->first && number - g->first < g->local ? number - g->first : UINT_MAX;
}

// --- Lifetime ------------------------------------------------------------------------------------

// start_crew: a thread for each member of this process but the first.
static bigint_status start_crew(bigint_ctx *ctx, group *g, void *memory) {
    if (g->local <= 1) {
        return BIGINT_OK;
    }
    g->crew = crew_start(memory, g->local);
    return g->crew != NULL
               ? BIGINT_OK
               : bigint_fail(ctx, BIGINT_ENOMEM,
                             "bigint_ctx_create: the system did not start %u threads for the "
                             "members of the group",
                             g->local - 1);
}

static uint64_t round_up_64(uint64_t bytes) { return (bytes + 63) / 64 * 64; }

bigint_status group_open(bigint_ctx *ctx, const group_device *device, bigint_ctx *const *contexts,
                         bigint_status so_far) {
    const uint64_t seats = round_up_64(sizeof(group) + device->local * sizeof(group_seat));
    const uint64_t bytes = seats + crew_bytes(device->local);
    group *const g = so_far == BIGINT_OK ? context_allocate(ctx, bytes) : NULL;
    exchange *endpoints[EXCHANGE_MEMBERS_MAX];
    void *state = NULL;
    bigint_status status =
        g != NULL || so_far != BIGINT_OK
            ? so_far
            : bigint_fail(ctx, BIGINT_ENOMEM, "bigint_ctx_create: no memory for a group of %u",
                          device->members);
    status =
        device->transport->open(ctx, device, status, ctx->options.timeout_s, endpoints, &state);
    if (status != BIGINT_OK) {
        context_release(ctx, g, bytes);
        return status;
    }
    *g = (group){.members = device->members,
                 .first = device->first,
                 .local = device->local,
                 .transport = device->transport,
                 .carrier = device->carrier,
                 .state = state,
                 .bytes = bytes};
    for (unsigned i = 0; i < g->local; i++) {
        g->seats[i] = (group_seat){.self = {endpoints[i], contexts[i]}};
    }
    ctx->group = g;
    status = start_crew(ctx, g, (unsigned char *)g + seats);
    if (status != BIGINT_OK) {
        group_close(ctx);
    }
    return status;
}

void group_close(bigint_ctx *ctx) {
    group *const g = ctx->group;
    crew_stop(g->crew);
    group_devices_close(g);
    g->transport->close(ctx, g);
    context_release(ctx, g, g->bytes);
    ctx->group = NULL;
}

bigint_status group_check(bigint_ctx *ctx, const char *who) {
    if (ctx->failed == BIGINT_OK && ctx->device.process != getpid()) {
        ctx->failed = bigint_fail(
            ctx, BIGINT_EPEER,
            "%s: process %ld made the context of a group, and process %ld was forked from it: its "
            "members do not survive a fork; make a new context",
            who, (long)ctx->device.process, (long)getpid());
    }
    return ctx->failed;
}

void group_counters(const bigint_ctx *ctx, bigint_counters *out) {
    const group *const g = ctx->group;
    for (unsigned i = 0; g != NULL && i < g->local; i++) {
        bigint_counters c;
        bigint_ctx_counters(g->seats[i].self.ctx, &c);
        out->products += c.products;
        out->checks += c.checks;
        out->mismatches += c.mismatches;
        out->allocations += c.allocations;
        out->workspace_bytes += c.workspace_bytes;
        out->workspace_peak += c.workspace_peak;
    }
}

// --- Programs ------------------------------------------------------------------------------------

typedef struct {
    group *g;
    member_program program;
    void *arg;
} group_job;

static void run_seat(void *arg, unsigned index) {
    const group_job *const job = arg;
    group_seat *const seat = &job->g->seats[index];
    exchange *const x = seat->self.exchange;
    if (!x->lost) {
        x->failure.status = BIGINT_OK;  // of an earlier call
    }
    seat->status = job->program(&seat->self, job->arg);
    if (seat->status != BIGINT_OK && x->failure.status == BIGINT_OK) {
        exchange_give_up(x, seat->status, bigint_ctx_error(seat->self.ctx));
    }
}

// tell records the failure that a member reports: its own, or the one it was told of.
static bigint_status tell(bigint_ctx *ctx, const char *who, const group_seat *seat) {
    const exchange_failure *const f = &seat->self.exchange->failure;
    const size_t length = strlen(who);
    const bool named = strncmp(f->cause, who, length) == 0 && f->cause[length] == ':';
    const char *const cause = f->cause + (named ? length + 2 : 0);
    return bigint_fail(ctx, seat->status, "%s: member %u of the group: %s", who, f->member, cause);
}

bigint_status group_run(bigint_ctx *ctx, const char *who, member_program program, void *arg) {
    group *const g = ctx->group;
    group_job job = {g, program, arg};
    // Before the members begin, because they must all go on or all end. Other processes would wait.
    const bigint_status wanted = g->local == g->members ? context_pause(ctx, who) : BIGINT_OK;
    if (wanted != BIGINT_OK) {
        return wanted;
    }
    if (g->crew != NULL) {
        crew_run(g->crew, run_seat, &job);
    } else {
        run_seat(&job, 0);
    }
    // The member that failed knows more than those that lost it.
    const group_seat *worst = NULL;
    for (unsigned i = 0; i < g->local; i++) {
        const group_seat *const seat = &g->seats[i];
        if (seat->status != BIGINT_OK &&
            (worst == NULL || (worst->status == BIGINT_EPEER && seat->status != BIGINT_EPEER))) {
            worst = seat;
        }
    }
    if (worst == NULL) {
        return BIGINT_OK;
    }
    const bigint_status status = tell(ctx, who, worst);
    ctx->failed = worst->self.exchange->lost ? BIGINT_EPEER : ctx->failed;
    return status;
}

bigint_status member_agree(member *m, bigint_status status, uint64_t key) {
    return exchange_agree(m->exchange, status, bigint_ctx_error(m->ctx), key);
}

uint64_t member_key(const char *who, uint64_t a, uint64_t b, uint64_t c) {
    const uint64_t numbers[] = {a, b, c};
    uint64_t key = UINT64_C(0xcbf29ce484222325);  // FNV-1a, of words
    for (; *who != '\0'; who++) {
        key = (key ^ (unsigned char)*who) * UINT64_C(0x100000001b3);
    }
    for (unsigned i = 0; i < 3; i++) {
        key = (key ^ numbers[i]) * UINT64_C(0x100000001b3);
        key ^= key >> 32;
    }
    return key;
}
