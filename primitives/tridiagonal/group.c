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

// solving: a solve over a group, and the arrays of the members here.
typedef struct {
    const tridiagonal_systems *job;
    cuda_group *g;
    unsigned networks, each, holders;
    const tridiagonal_member *member;
    bool status, residual;  // asked for
} solving;

// place: where a step of one member works.
typedef struct {
    tridiagonal_share share;
    layout l;
    unsigned own;  // in its network
    const tridiagonal_member *member;
    cuda_stream stream;
} place;

static place place_of(const solving *c, unsigned m) {
    const tridiagonal_share s = tridiagonal_group_share(c->job, c->g->members, c->networks, m);
    return (place){s, layout_of(c->job, s, c->each), m % c->each, &c->member[m - c->g->first],
                   c->g->member[m].stream};
}

static void *at(const place *p, size_t offset) { return (char *)p->member->workspace + offset; }

static void *slot(const place *p, area k) { return at(p, p->l.area[k] + p->own * p->l.slot[k]); }

// exchange: the slots of the network's members that have rows, to all others that have systems;
// spans to those that have rows too.
static result exchange(const solving *c, area k, result done) {
    cuda_group *const g = c->g;
    cuda_slots x = {.each = c->each};
    for (unsigned m = 0; m < g->members; m++) {
        const tridiagonal_share s = tridiagonal_group_share(c->job, g->members, c->networks, m);
        x.member[m].bytes = layout_of(c->job, s, c->each).slot[k];
        x.member[m].taken = s.n > 0 || k != SPANS ? c->holders : 0;
    }
    for (unsigned m = g->first; m < g->first + g->here; m++) {
        const place p = place_of(c, m);
        x.member[m].area = at(&p, p.l.area[k]);
    }
    done = cuda_group_gather(g, &x, done);
    return done == RESULT_OK ? cuda_group_settle(g, &x) : done;
}

// --- Steps ---

// whole: systems that are not split.
static result whole(const void *call, unsigned m) {
    const solving *const c = call;
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

static result reduce(const void *call, unsigned m) {
    const solving *const c = call;
    const place p = place_of(c, m);
    const tridiagonal_portion own = portion_of(c->job, p.share);
    return !has_rows(p.share)
               ? RESULT_OK
               : tridiagonal_portion_reduce(&own, &p.member->rows, slot(&p, SPANS),
                                            at(&p, p.l.steps), p.l.steps_bytes, p.stream);
}

static result solve(const void *call, unsigned m) {
    const solving *const c = call;
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
static result largest(const solving *c, const place *p, area k, size_t width, void *to) {
    return tridiagonal_portions_largest(to, at(p, p->l.area[k]), c->holders, p->share.systems,
                                        width, p->stream);
}

static result finish_status(const void *call, unsigned m) {
    const solving *const c = call;
    const place p = place_of(c, m);
    return largest(c, &p, STATUS, sizeof(uint32_t), p.member->status);
}

static result finish_unknowns(const void *call, unsigned m) {
    const solving *const c = call;
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

static result finish_residual(const void *call, unsigned m) {
    const solving *const c = call;
    const place p = place_of(c, m);
    return largest(c, &p, RESIDUAL, sizeof(double), p.member->residual);
}

// step: of all members here, if all went well so far.
static result step(const solving *c, result done, result (*of)(const void *, unsigned)) {
    return done == RESULT_OK ? cuda_group_each(c->g, of, c) : done;
}

// split: systems whose members have reduced their rows. Processes that fail come to every exchange.
static result split(const solving *c) {
    result done = exchange(c, SPANS, RESULT_OK);
    done = step(c, done, solve);
    if (c->status) {
        done = exchange(c, STATUS, done);
        done = step(c, done, finish_status);
    }
    if (c->residual) {
        done = exchange(c, LARGEST, done);
        done = step(c, done, finish_unknowns);
        done = exchange(c, RESIDUAL, done);
        done = step(c, done, finish_residual);
    }
    return done;
}

// asks_alike: members here that have systems ask for the same, which c gets; what the first one
// asks for if none has.
static bool asks_alike(solving *c) {
    bool first = true;
    c->status = c->member[0].status != NULL;
    c->residual = c->member[0].residual != NULL;
    for (unsigned m = c->g->first; m < c->g->first + c->g->here; m++) {
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

static bool accepted(const tridiagonal_systems *job, const cuda_group *g, unsigned networks) {
    bool all = valid(job, g->members, networks);  // not of a group without members
    for (unsigned m = 0; m < g->members && all; m++) {
        all = tridiagonal_group_workspace_bytes(job, g->members, networks, m) > 0;
    }
    return all;
}

// key_of: of a call, for processes that have members of one group.
static uint64_t key_of(const solving *c) {
    const uint64_t numbers[] = {(uint64_t)c->job->type,
                                (uint64_t)c->job->variant,
                                c->job->n,
                                c->job->batch,
                                c->networks,
                                c->status,
                                c->residual};
    uint64_t key = 't';
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        key = cuda_key(key, numbers[i]);
    }
    return key;
}

result tridiagonal_group(const tridiagonal_systems *job, cuda_group *g, unsigned networks,
                         const tridiagonal_member *member) {
    solving c = {.job = job, .g = g, .networks = networks, .member = member};
    if (!accepted(job, g, networks)) {
        return cuda_group_agree(g, RESULT_REFUSED, key_of(&c));
    }
    c.each = g->members / networks;
    c.holders = holders_of(job, c.each);
    if (!asks_alike(&c)) {
        return cuda_group_agree(g, RESULT_REFUSED, key_of(&c));
    }
    // Nothing is written to outputs before all processes agree.
    result done = c.each == 1 ? RESULT_OK : cuda_group_each(g, reduce, &c);
    done = cuda_group_agree(g, done, key_of(&c));
    if (done != RESULT_OK) {
        return done;
    }
    done = c.each == 1 ? cuda_group_each(g, whole, &c) : split(&c);
    return cuda_group_agree(g, done, key_of(&c));
}
