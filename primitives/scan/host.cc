// host.cc: scan.h and reduce.h in host memory: a team of threads takes consecutive shares,
// each by the loops of loops.h. Uses no part of the C++ library that has to be linked.
#include "primitives/scan/loops.h"
#include "primitives/scan/monoid.cuh"
#include "primitives/scan/reduce.h"
#include "primitives/scan/scan.h"

namespace {

// Below this many elements a share, waking threads takes longer than they save.
constexpr uint64_t kMinShare = 1 << 14;

// The loops for an operator; simd is valid.
const ScanLoops &LoopsFor(cpu_simd simd, monoid op) {
    // In the order of cpu.h.
    static const ScanLoops *const tables[CPU_SIMDS] = {scan_loops_portable, scan_loops_avx2,
                                                       scan_loops_avx512};
    return tables[simd][op];
}

uint64_t Identity(monoid op) {
    uint64_t word = 0;
    WithMonoid(op, [&](auto m) { word = ToWord(decltype(m)::Identity()); });
    return word;
}

uint64_t Combine(monoid op, uint64_t first, uint64_t then) {
    uint64_t word = 0;
    WithMonoid(op, [&](auto m) {
        using Value = typename decltype(m)::Value;
        word = ToWord(decltype(m)::Combine(FromWord<Value>(first), FromWord<Value>(then)));
    });
    return word;
}

struct HostJob {
    monoid op;
    const ScanLoops *loops;
    ScanRows rows;
    uint64_t size;     // elements
    uint64_t share;    // elements, or rows
    uint64_t *totals;  // of each share: the product since its last head

    uint64_t First(uint64_t index) const { return index * share < size ? index * share : size; }
    uint64_t End(uint64_t index) const { return First(index + 1); }

    // The last head below the end of a share that is not empty.
    uint64_t LastHead(uint64_t index) const { return (End(index) - 1) / rows.n * rows.n; }
};

void TotalTask(void *arg, size_t index, unsigned) {
    const HostJob &j = *(const HostJob *)arg;
    const uint64_t first = j.First(index), last = j.End(index);
    if (first < last) {
        const uint64_t head = j.LastHead(index);
        j.totals[index] = j.loops->fold(j.rows.in, head > first ? head : first, last);
    }
}

void ScanTask(void *arg, size_t index, unsigned) {
    const HostJob &j = *(const HostJob *)arg;
    if (j.First(index) < j.End(index)) {
        j.loops->scan(j.rows, j.First(index), j.End(index), j.totals[index]);
    }
}

// Totals of shares become what stands before each; a share with a head cuts off what came before
// it.
void ScanTotals(const HostJob &j, uint64_t shares) {
    uint64_t before = Identity(j.op);
    for (uint64_t i = 0; i < shares && j.First(i) < j.size; i++) {
        const uint64_t total = j.totals[i];
        // A share that begins with a head takes nothing from before it.
        j.totals[i] = j.First(i) % j.rows.n == 0 ? Identity(j.op) : before;
        before = j.LastHead(i) >= j.First(i) ? total : Combine(j.op, before, total);
    }
}

void Scan(HostJob &j, team *t) {
    const uint64_t shares = team_size(t);
    j.share = (j.size + shares - 1) / shares;
    if (shares == 1 || j.share < kMinShare) {
        j.loops->scan(j.rows, 0, j.size, Identity(j.op));
        return;
    }
    team_run(t, TotalTask, &j, shares);
    ScanTotals(j, shares);
    team_run(t, ScanTask, &j, shares);
}

void Store(const HostJob &j, uint64_t row, uint64_t word) {
    const size_t bytes = monoid_bytes(j.op);
    memcpy((char *)j.rows.out + row * bytes, &word, bytes);  // the low bytes come first
}

void ReduceRow(const HostJob &j, uint64_t row) {
    Store(j, row, j.loops->fold(j.rows.in, row * j.rows.n, (row + 1) * j.rows.n));
}

// Whole rows for each thread where there are enough of them.
void RowsTask(void *arg, size_t index, unsigned) {
    const HostJob &j = *(const HostJob *)arg;  // size: rows
    for (uint64_t row = j.First(index); row < j.End(index); row++) {
        ReduceRow(j, row);
    }
}

void Reduce(HostJob &j, uint64_t rows, team *t) {
    const uint64_t shares = team_size(t);
    if (rows >= shares) {
        j.size = rows;
        j.share = (rows + shares - 1) / shares;
        team_run(t, RowsTask, &j, shares);
        return;
    }
    const uint64_t n = j.rows.n;
    for (uint64_t row = 0; row < rows; row++) {
        j.share = (n + shares - 1) / shares;
        if (j.share < kMinShare) {
            ReduceRow(j, row);
            continue;
        }
        HostJob one = j;
        one.rows.in = (const char *)j.rows.in + row * n * monoid_bytes(j.op);
        one.size = n;
        team_run(t, TotalTask, &one, shares);
        uint64_t product = Identity(j.op);
        for (uint64_t i = 0; i < shares && one.First(i) < n; i++) {
            product = Combine(j.op, product, one.totals[i]);
        }
        Store(j, row, product);
    }
}

bool Fits(uint64_t n, uint64_t rows) { return n == 0 || rows <= UINT64_MAX / 8 / n; }

}  // namespace

result scan_host(const scan_job *job, void *out, const void *in, uint64_t *workspace, team *team) {
    if ((unsigned)job->op >= MONOID_KINDS || (unsigned)job->simd >= CPU_SIMDS ||
        !Fits(job->n, job->rows)) {
        return RESULT_REFUSED;
    }
    if (job->n * job->rows > 0) {
        HostJob j = {job->op,
                     &LoopsFor(job->simd, job->op),
                     {in, out, job->n, job->exclusive},
                     job->n * job->rows,
                     0,
                     workspace};
        Scan(j, team);
    }
    return RESULT_OK;
}

result reduce_host(const reduce_job *job, void *out, const void *in, uint64_t *workspace,
                   team *team) {
    if ((unsigned)job->op >= MONOID_KINDS || (unsigned)job->simd >= CPU_SIMDS ||
        !Fits(job->n, job->rows)) {
        return RESULT_REFUSED;
    }
    HostJob j = {job->op, &LoopsFor(job->simd, job->op), {in, out, job->n, false}, 0, 0, workspace};
    Reduce(j, job->rows, team);
    return RESULT_OK;
}
