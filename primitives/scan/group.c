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

// layout: a member's workspace: its totals, those of the members before it, then the steps'.
typedef struct {
    size_t before, steps, steps_bytes;
} layout;

static layout layout_of(const scan_job *job, scan_share s, unsigned each, unsigned own) {
    const scan_job mine = job_of(job, s);
    if (each == 1) {
        return (layout){0, 0, scan_workspace_bytes(&mine)};
    }
    const size_t totals = (size_t)s.rows * monoid_bytes(job->op);
    const size_t before = line(totals), steps = before + line(totals * own);
    return (layout){before, steps, scan_portion_bytes(&mine)};
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

// call: a scan over a group. split: members of a network.
typedef struct {
    const scan_job *job;
    cuda_group *g;
    unsigned networks, each;
    void *const *out;
    const void *const *in;
    void *const *workspace;
} call;

// reduce: member m's totals, and a mark behind them; the whole scan where rows are not split.
static result reduce(const call *c, unsigned m) {
    const scan_share s = scan_group_share(c->job, c->g->members, c->networks, m);
    const scan_job own = job_of(c->job, s);
    const layout l = layout_of(c->job, s, c->each, m % c->each);
    char *const w = c->workspace[m];
    const cuda_stream stream = c->g->member[m].stream;
    if (c->each == 1) {
        return scan_device(&own, c->out[m], c->in[m], w, l.steps_bytes, stream);
    }
    const result done = scan_portion_totals(&own, w, c->in[m], w + l.steps, l.steps_bytes, stream);
    return done == RESULT_OK ? cuda_group_mark(c->g, m) : done;
}

// gather: the totals of the members before m in its network, and a mark behind them.
static result gather(const call *c, unsigned m) {
    const unsigned first = m - m % c->each;
    const scan_share s = scan_group_share(c->job, c->g->members, c->networks, m);
    const size_t bytes = (size_t)s.rows * monoid_bytes(c->job->op);
    char *const before = (char *)c->workspace[m] + layout_of(c->job, s, c->each, m - first).before;
    result done = RESULT_OK;
    for (unsigned other = first; other < m && done == RESULT_OK && bytes > 0; other++) {
        done = cuda_group_follow(c->g, m, other);
        done = done == RESULT_OK ? cuda_group_fetch(c->g, m, before + (other - first) * bytes,
                                                    other, c->workspace[other], bytes)
                                 : done;
    }
    return done;
}

// scan: member m's portions. Its totals are not written again before all have fetched them.
static result scan(const call *c, unsigned m) {
    const unsigned first = m - m % c->each;
    const scan_share s = scan_group_share(c->job, c->g->members, c->networks, m);
    const scan_job own = job_of(c->job, s);
    const layout l = layout_of(c->job, s, c->each, m - first);
    char *const w = c->workspace[m];
    result done = scan_portion_run(&own, c->out[m], c->in[m], w + l.before, m - first, w + l.steps,
                                   l.steps_bytes, c->g->member[m].stream);
    for (unsigned other = m + 1; other < first + c->each && done == RESULT_OK; other++) {
        done = cuda_group_follow(c->g, m, other);
    }
    return done;
}

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

static result mark(const call *c, unsigned m) { return cuda_group_mark(c->g, m); }

result scan_group(const scan_job *job, cuda_group *g, unsigned networks, void *const *out,
                  const void *const *in, void *const *workspace) {
    for (unsigned m = 0; m < g->members; m++) {
        if (scan_group_workspace_bytes(job, g->members, networks, m) == 0) {
            return RESULT_REFUSED;
        }
    }
    if (!valid(job, g->members, networks)) {
        return RESULT_REFUSED;
    }
    const call c = {job, g, networks, g->members / networks, out, in, workspace};
    result done = for_members(&c, reduce);
    if (c.each == 1 || done != RESULT_OK) {
        return done;
    }
    done = for_members(&c, gather);
    done = done == RESULT_OK ? for_members(&c, mark) : done;
    return done == RESULT_OK ? for_members(&c, scan) : done;
}
