// group.c: see group.h.
#include "primitives/scan/group.h"

#include "primitives/scan/portion.h"

static uint64_t parts_of(uint64_t n, unsigned parts) { return (n + parts - 1) / parts; }

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

scan_share scan_group_share(const scan_job *job, unsigned members, unsigned networks,
                            unsigned member) {
    const unsigned each = members / networks, network = member / each, own = member % each;
    const uint64_t rows = parts_of(job->rows, networks);
    const uint64_t vector = 16 / monoid_bytes(job->op);
    const uint64_t n =
        each == 1 ? job->n : parts_of(parts_of(job->n, each), (unsigned)vector) * vector;
    scan_share s = {least(network * rows, job->rows), 0, least(own * n, job->n), 0};
    s.rows = least(rows, job->rows - s.first_row);
    s.n = least(n, job->n - s.first);
    return s;
}

// job_of: the scan of a share.
static scan_job job_of(const scan_job *job, scan_share s) {
    scan_job own = *job;
    own.n = s.n;
    own.rows = s.rows;
    return own;
}

static size_t line(size_t bytes) { return (bytes + 255) / 256 * 256; }

// layout: a member's workspace: its totals behind those of the members before it, then the steps'.
typedef struct {
    size_t slot, steps, steps_bytes;
} layout;

static layout layout_of(const scan_job *job, scan_share s, unsigned each, unsigned own) {
    const scan_job mine = job_of(job, s);
    if (each == 1) {
        return (layout){0, 0, scan_workspace_bytes(&mine)};
    }
    const size_t slot = (size_t)s.rows * monoid_bytes(job->op);
    return (layout){slot, line(slot * (own + 1)), scan_portion_bytes(&mine)};
}

static bool valid(const scan_job *job, unsigned members, unsigned networks) {
    return networks > 0 && members > 0 && members % networks == 0 && scan_valid(job);
}

size_t scan_group_workspace_bytes(const scan_job *job, unsigned members, unsigned networks,
                                  unsigned member) {
    if (!valid(job, members, networks)) {
        return 0;
    }
    const unsigned each = members / networks;
    const scan_share s = scan_group_share(job, members, networks, member);
    const layout l = layout_of(job, s, each, member % each);
    return l.steps_bytes == 0 ? 0 : l.steps + l.steps_bytes;
}

// scanning: a scan over a group, and the arrays of the members here.
typedef struct {
    const scan_job *job;
    cuda_group *g;
    unsigned networks, each;
    void *const *out;
    const void *const *in;
    void *const *workspace;
} scanning;

// place: where a step of one member works.
typedef struct {
    scan_job job;
    layout l;
    unsigned own;  // in its network
    void *out;
    const void *in;
    char *workspace;
    cuda_stream stream;
} place;

static place place_of(const scanning *c, unsigned m) {
    const scan_share s = scan_group_share(c->job, c->g->members, c->networks, m);
    const unsigned own = m % c->each, here = m - c->g->first;
    return (place){job_of(c->job, s),
                   layout_of(c->job, s, c->each, own),
                   own,
                   c->out[here],
                   c->in[here],
                   c->workspace[here],
                   c->g->member[m].stream};
}

// whole: rows that are not split.
static result whole(const void *call, unsigned m) {
    const place p = place_of(call, m);
    return scan_device(&p.job, p.out, p.in, p.workspace, p.l.steps_bytes, p.stream);
}

// reduce: member m's totals.
static result reduce(const void *call, unsigned m) {
    const place p = place_of(call, m);
    return scan_portion_totals(&p.job, p.workspace + p.own * p.l.slot, p.in,
                               p.workspace + p.l.steps, p.l.steps_bytes, p.stream);
}

// scan: member m's portions, behind the totals of the members before it in its network.
static result scan(const void *call, unsigned m) {
    const place p = place_of(call, m);
    return scan_portion_run(&p.job, p.out, p.in, p.workspace, p.own, p.workspace + p.l.steps,
                            p.l.steps_bytes, p.stream);
}

// totals_of: what members exchange: each wants the totals of those before it.
static cuda_slots totals_of(const scanning *c) {
    cuda_slots x = {.each = c->each};
    for (unsigned m = 0; m < c->g->members; m++) {
        const scan_share s = scan_group_share(c->job, c->g->members, c->networks, m);
        x.member[m].bytes = s.rows * monoid_bytes(c->job->op);
        x.member[m].taken = m % c->each;
    }
    for (unsigned i = 0; i < c->g->here; i++) {
        x.member[c->g->first + i].area = c->workspace[i];
    }
    return x;
}

static bool accepted(const scan_job *job, const cuda_group *g, unsigned networks) {
    bool all = valid(job, g->members, networks);
    for (unsigned m = 0; m < g->members && all; m++) {
        all = scan_group_workspace_bytes(job, g->members, networks, m) > 0;
    }
    return all;
}

// key_of: of a call, for processes that have members of one group.
static uint64_t key_of(const scan_job *job, unsigned networks) {
    const uint64_t numbers[] = {(uint64_t)job->op, job->exclusive, (uint64_t)job->variant, job->n,
                                job->rows,         networks};
    uint64_t key = 's';
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        key = cuda_key(key, numbers[i]);
    }
    return key;
}

result scan_group(const scan_job *job, cuda_group *g, unsigned networks, void *const *out,
                  const void *const *in, void *const *workspace) {
    const uint64_t key = key_of(job, networks);
    if (!accepted(job, g, networks)) {
        return cuda_group_agree(g, RESULT_REFUSED, key);
    }
    const scanning c = {job, g, networks, g->members / networks, out, in, workspace};
    // Nothing is written to outputs before all processes agree.
    result done =
        cuda_group_agree(g, c.each == 1 ? RESULT_OK : cuda_group_each(g, reduce, &c), key);
    if (done != RESULT_OK) {
        return done;
    }
    if (c.each == 1) {
        return cuda_group_agree(g, cuda_group_each(g, whole, &c), key);
    }
    const cuda_slots totals = totals_of(&c);
    done = cuda_group_gather(g, &totals, RESULT_OK);
    done = done == RESULT_OK ? cuda_group_each(g, scan, &c) : done;
    done = done == RESULT_OK ? cuda_group_settle(g, &totals) : done;
    return cuda_group_agree(g, done, key);
}
