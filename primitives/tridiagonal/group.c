// group.c: see group.h.
#include "primitives/tridiagonal/group.h"

#include "primitives/tridiagonal/residual.h"

static const uint64_t most = UINT64_C(1) << 40;  // of rows and of systems: no sum below overflows

static uint64_t parts_of(uint64_t n, uint64_t parts) { return (n + parts - 1) / parts; }

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

// Rows of every member of a network but the last ones.
static uint64_t rows_each(const tridiagonal_systems *job, unsigned each) {
    if (each == 1) {
        return job->n;
    }
    const uint64_t rows = tridiagonal_portion_rows(job->type, job->variant);
    return parts_of(parts_of(job->n, each), rows) * rows;
}

// Members of a network that have rows: its first ones.
static unsigned holders_of(const tridiagonal_systems *job, unsigned each) {
    return job->n == 0 ? 0 : (unsigned)parts_of(job->n, rows_each(job, each));
}

tridiagonal_share tridiagonal_group_share(const tridiagonal_systems *job, unsigned members,
                                          unsigned networks, unsigned member) {
    const unsigned each = members / networks, network = member / each, own = member % each;
    const uint64_t systems = parts_of(job->batch, networks), n = rows_each(job, each);
    tridiagonal_share s = {least(network * systems, job->batch), 0, least(own * n, job->n), 0};
    s.systems = least(systems, job->batch - s.first_system);
    s.n = least(n, job->n - s.first);
    return s;
}

// portion_of: the portions of a share.
static tridiagonal_portion portion_of(const tridiagonal_systems *job, tridiagonal_share s) {
    return (tridiagonal_portion){.type = job->type,
                                 .variant = job->variant,
                                 .n = s.n,
                                 .batch = s.systems,
                                 .before = s.first > 0,
                                 .behind = s.first + s.n < job->n};
}

static tridiagonal_job job_of(const tridiagonal_systems *job, tridiagonal_share s) {
    return (tridiagonal_job){job->type, s.n, s.systems, 1, s.n > 0 ? s.n : 1};
}

static bool has_rows(tridiagonal_share s) { return s.n > 0 && s.systems > 0; }

// What members exchange, a slot for each member of the network.
typedef enum { SPANS, STATUS, LARGEST, RESIDUAL, AREAS } area;

// layout: a member's workspace. Areas are at the same place in all members of a network.
typedef struct {
    size_t slot[AREAS];  // bytes
    size_t area[AREAS], neighbours, steps, steps_bytes;
} layout;

static size_t line(size_t bytes) { return (bytes + 255) / 256 * 256; }

static layout layout_of(const tridiagonal_systems *job, tridiagonal_share s, unsigned each) {
    layout l = {{0}, {0}, 0, 0, 0};
    if (each == 1) {
        const tridiagonal_job own = job_of(job, s);
        tridiagonal_plan plan;
        l.steps_bytes = tridiagonal_make_plan(&plan, &own, job->variant)
                            ? tridiagonal_workspace_bytes(&plan)
                            : 0;
        return l;
    }
    const size_t widths[AREAS] = {[SPANS] = tridiagonal_span_bytes(job->type, job->variant),
                                  [STATUS] = sizeof(uint32_t),
                                  [LARGEST] = sizeof(double),
                                  [RESIDUAL] = sizeof(double)};
    size_t at = 0;
    for (unsigned k = 0; k < AREAS; k++) {
        l.slot[k] = widths[k] * s.systems;
        l.area[k] = at;
        at += line(l.slot[k] * each);
    }
    const tridiagonal_portion p = portion_of(job, s);
    l.neighbours = at;
    l.steps = at + line(2 * sizeof(double) * s.systems);
    l.steps_bytes = has_rows(s) ? tridiagonal_portion_bytes(&p) : 1;  // never 0
    return l;
}

static bool valid(const tridiagonal_systems *job, unsigned members, unsigned networks) {
    return networks > 0 && members > 0 && members % networks == 0 && members <= CUDA_GROUP_MOST &&
           (unsigned)job->type < TRIDIAGONAL_TYPES && job->n <= most && job->batch <= most &&
           (members == networks || job->variant == TRIDIAGONAL_PARTITION_PIVOT ||
            job->variant == TRIDIAGONAL_PARTITION_PLAIN);
}

size_t tridiagonal_group_workspace_bytes(const tridiagonal_systems *job, unsigned members,
                                         unsigned networks, unsigned member) {
    if (!valid(job, members, networks)) {
        return 0;
    }
    const tridiagonal_share s = tridiagonal_group_share(job, members, networks, member);
    const layout l = layout_of(job, s, members / networks);
    return l.steps_bytes == 0 ? 0 : l.steps + l.steps_bytes;
}

uint64_t tridiagonal_group_sent_bytes(const tridiagonal_systems *job, unsigned members,
                                      unsigned networks, unsigned member) {
    const tridiagonal_share s = tridiagonal_group_share(job, members, networks, member);
    const unsigned each = members / networks, holders = holders_of(job, each);
    return each == 1 || !has_rows(s) ? 0
                                     : (uint64_t)(holders - 1) * s.systems *
                                           tridiagonal_span_bytes(job->type, job->variant);
}

// call: a solve over a group, at an exchange of one area.
typedef struct {
    const tridiagonal_systems *job;
    cuda_group *g;
    unsigned networks, each, holders;
    const tridiagonal_member *member;
    bool status, residual;  // asked for
    area area;
} call;

// place: where a step of one member works.
typedef struct {
    tridiagonal_share share;
    layout l;
    unsigned own;  // in its network
    const tridiagonal_member *member;
    cuda_stream stream;
} place;

static place place_of(const call *c, unsigned m) {
    const tridiagonal_share s = tridiagonal_group_share(c->job, c->g->members, c->networks, m);
    return (place){s, layout_of(c->job, s, c->each), m % c->each, &c->member[m],
                   c->g->member[m].stream};
}

static void *at(const place *p, size_t offset) { return (char *)p->member->workspace + offset; }

static void *slot(const place *p, area k) { return at(p, p->l.area[k] + p->own * p->l.slot[k]); }

// for_members: a step of every member, its device current.
static result for_members(const call *c, result (*step)(const call *, unsigned)) {
    result done = RESULT_OK;
    for (unsigned m = 0; m < c->g->members && done == RESULT_OK; m++) {
        done = cuda_group_enter(c->g, m);
        if (done == RESULT_OK) {
            done = step(c, m);
            cuda_group_leave(c->g);
        }
    }
    return done;
}

// --- Exchanges ---

static result mark(const call *c, unsigned m) { return cuda_group_mark(c->g, m); }

// gather: the slots of all other members of the network that have rows; spans if it has some too.
static result gather(const call *c, unsigned m) {
    const place p = place_of(c, m);
    const unsigned first = m - p.own;
    const bool wanted = p.share.systems > 0 && (p.share.n > 0 || c->area != SPANS);
    result done = RESULT_OK;
    for (unsigned k = 0; k < c->holders && done == RESULT_OK && wanted; k++) {
        if (k == p.own) {
            continue;
        }
        const place from = place_of(c, first + k);
        done = cuda_group_follow(c->g, m, first + k);
        if (done == RESULT_OK) {
            done = cuda_group_fetch(c->g, m, at(&p, p.l.area[c->area] + k * p.l.slot[c->area]),
                                    first + k, slot(&from, c->area), p.l.slot[c->area]);
        }
    }
    return done;
}

// follow_others: the member's slot is not written again before all have fetched it.
static result follow_others(const call *c, unsigned m) {
    const unsigned first = m - m % c->each;
    result done = RESULT_OK;
    for (unsigned other = first; other < first + c->each && done == RESULT_OK; other++) {
        done = other == m ? RESULT_OK : cuda_group_follow(c->g, m, other);
    }
    return done;
}

static result exchange(call *c, area k) {
    static result (*const steps[])(const call *, unsigned) = {mark, gather, mark, follow_others};
    result done = RESULT_OK;
    c->area = k;
    for (unsigned i = 0; i < sizeof steps / sizeof *steps && done == RESULT_OK; i++) {
        done = for_members(c, steps[i]);
    }
    return done;
}

// --- Steps ---

// whole: systems that are not split.
static result whole(const call *c, unsigned m) {
    const place p = place_of(c, m);
    const tridiagonal_job own = job_of(c->job, p.share);
    const tridiagonal_arrays *const r = &p.member->rows;
    tridiagonal_plan plan;
    if (!tridiagonal_make_plan(&plan, &own, c->job->variant)) {
        return RESULT_REFUSED;
    }
    const result done = tridiagonal_device(&plan, r->a, r->b, r->c, r->d, r->x, p.member->status,
                                           p.member->workspace, p.l.steps_bytes, p.stream);
    return done != RESULT_OK || !c->residual
               ? done
               : tridiagonal_residual(&own, r->a, r->b, r->c, r->d, r->x, p.member->residual,
                                      p.stream);
}

static result reduce(const call *c, unsigned m) {
    const place p = place_of(c, m);
    const tridiagonal_portion own = portion_of(c->job, p.share);
    return !has_rows(p.share)
               ? RESULT_OK
               : tridiagonal_portion_reduce(&own, &p.member->rows, slot(&p, SPANS),
                                            at(&p, p.l.steps), p.l.steps_bytes, p.stream);
}

static result solve(const call *c, unsigned m) {
    const place p = place_of(c, m);
    if (!has_rows(p.share)) {
        return RESULT_OK;
    }
    const tridiagonal_portion own = portion_of(c->job, p.share);
    const tridiagonal_job job = job_of(c->job, p.share);
    const result done =
        tridiagonal_portion_solve(&own, &p.member->rows, at(&p, p.l.area[SPANS]), c->holders, p.own,
                                  c->status ? slot(&p, STATUS) : NULL, at(&p, p.l.neighbours),
                                  at(&p, p.l.steps), p.l.steps_bytes, p.stream);
    return done != RESULT_OK || !c->residual
               ? done
               : tridiagonal_unknowns(&job, p.member->rows.x, slot(&p, LARGEST), p.stream);
}

// largest: of all members' slots.
static result largest(const call *c, const place *p, area k, size_t width, void *to) {
    return tridiagonal_portions_largest(to, at(p, p->l.area[k]), c->holders, p->share.systems,
                                        width, p->stream);
}

static result finish_status(const call *c, unsigned m) {
    const place p = place_of(c, m);
    return largest(c, &p, STATUS, sizeof(uint32_t), p.member->status);
}

static result finish_unknowns(const call *c, unsigned m) {
    const place p = place_of(c, m);
    double *const unknowns = p.member->residual + p.share.systems;
    const result done = largest(c, &p, LARGEST, sizeof(double), unknowns);
    if (done != RESULT_OK || !has_rows(p.share)) {
        return done;
    }
    const tridiagonal_portion own = portion_of(c->job, p.share);
    const tridiagonal_job job = job_of(c->job, p.share);
    const tridiagonal_edges edges = {own.before, own.behind, at(&p, p.l.neighbours)};
    const tridiagonal_arrays *const r = &p.member->rows;
    return tridiagonal_residuals(&job, r->a, r->b, r->c, r->d, r->x, &edges, unknowns,
                                 slot(&p, RESIDUAL), p.stream);
}

static result finish_residual(const call *c, unsigned m) {
    const place p = place_of(c, m);
    return largest(c, &p, RESIDUAL, sizeof(double), p.member->residual);
}

static result split(call *c) {
    result done = for_members(c, reduce);
    done = done == RESULT_OK ? exchange(c, SPANS) : done;
    done = done == RESULT_OK ? for_members(c, solve) : done;
    if (done == RESULT_OK && c->status) {
        done = exchange(c, STATUS);
        done = done == RESULT_OK ? for_members(c, finish_status) : done;
    }
    if (done == RESULT_OK && c->residual) {
        done = exchange(c, LARGEST);
        done = done == RESULT_OK ? for_members(c, finish_unknowns) : done;
        done = done == RESULT_OK ? exchange(c, RESIDUAL) : done;
        done = done == RESULT_OK ? for_members(c, finish_residual) : done;
    }
    return done;
}

// asks_alike: members that have systems ask for the same, which c gets.
static bool asks_alike(call *c) {
    bool first = true;
    for (unsigned m = 0; m < c->g->members; m++) {
        const place p = place_of(c, m);
        const bool status = p.member->status != NULL, residual = p.member->residual != NULL;
        if (p.share.systems == 0) {
            continue;
        }
        if ((!first && (status != c->status || residual != c->residual)) ||
            (residual && p.member->rows.x == p.member->rows.d && p.share.n > 0)) {
            return false;
        }
        c->status = status;
        c->residual = residual;
        first = false;
    }
    return true;
}

result tridiagonal_group(const tridiagonal_systems *job, cuda_group *g, unsigned networks,
                         const tridiagonal_member *member) {
    for (unsigned m = 0; m < g->members; m++) {
        if (tridiagonal_group_workspace_bytes(job, g->members, networks, m) == 0) {
            return RESULT_REFUSED;
        }
    }
    if (!valid(job, g->members, networks)) {
        return RESULT_REFUSED;  // a group without members too
    }
    const unsigned each = g->members / networks;
    call c = {.job = job,
              .g = g,
              .networks = networks,
              .each = each,
              .holders = holders_of(job, each),
              .member = member};
    if (!asks_alike(&c)) {
        return RESULT_REFUSED;
    }
    return each == 1 ? for_members(&c, whole) : split(&c);
}
