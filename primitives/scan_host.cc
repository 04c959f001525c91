// scan_host.cc: scan.h and reduce.h in host memory: one loop for each operator, and a team of
// threads that takes consecutive shares. Uses no part of the C++ library that has to be linked.
#include <cstring>

#include "primitives/monoid.cuh"
#include "primitives/reduce.h"
#include "primitives/scan.h"

namespace {

// Below this many elements a share, waking threads takes longer than they save.
constexpr uint64_t kMinShare = 1 << 14;

template <class M>
struct HostJob {
    using Value = typename M::Value;
    const Value *in;
    Value *out;
    uint64_t *totals;  // of each share: the product since its last head
    uint64_t size, n;
    uint64_t share;  // elements
    bool exclusive;

    uint64_t End(uint64_t index) const {
        const uint64_t end = (index + 1) * share;
        return end < size ? end : size;
    }

    // Where the row of position at ends.
    uint64_t RowEnd(uint64_t at) const { return at - at % n + n; }
};

template <class T>
uint64_t ToWord(T v) {
    uint64_t word = 0;
    memcpy(&word, &v, sizeof v);
    return word;
}

template <class T>
T FromWord(uint64_t word) {
    T v;
    memcpy(&v, &word, sizeof v);
    return v;
}

// The product of x[0..n) after `product`.
template <class M>
typename M::Value Fold(typename M::Value product, const typename M::Value *x, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) {
        product = M::Combine(product, x[i]);
    }
    return product;
}

// Scans one share, `product` standing before it.
template <class M>
void ScanShare(const HostJob<M> &j, uint64_t first, uint64_t last, typename M::Value product) {
    for (uint64_t at = first; at < last;) {
        const uint64_t row_end = j.RowEnd(at) < last ? j.RowEnd(at) : last;
        product = at % j.n == 0 ? M::Identity() : product;
        for (; at < row_end; at++) {
            const typename M::Value before = product;
            product = M::Combine(product, j.in[at]);
            j.out[at] = j.exclusive ? before : product;
        }
    }
}

template <class M>
void TotalTask(void *arg, size_t index, unsigned) {
    const HostJob<M> &j = *(const HostJob<M> *)arg;
    const uint64_t first = index * j.share, last = j.End(index);
    if (first < last) {
        const uint64_t head = (last - 1) / j.n * j.n;  // the last head below `last`
        const uint64_t from = head > first ? head : first;
        j.totals[index] = ToWord(Fold<M>(M::Identity(), j.in + from, last - from));
    }
}

template <class M>
void ScanTask(void *arg, size_t index, unsigned) {
    const HostJob<M> &j = *(const HostJob<M> *)arg;
    const uint64_t first = index * j.share, last = j.End(index);
    if (first < last) {
        ScanShare(j, first, last, FromWord<typename M::Value>(j.totals[index]));
    }
}

// Totals of shares become what stands before each; a share with a head cuts off what came before
// it.
template <class M>
void ScanTotals(const HostJob<M> &j, uint64_t shares) {
    using Value = typename M::Value;
    Value before = M::Identity();
    for (uint64_t i = 0; i < shares && i * j.share < j.size; i++) {
        const Value total = FromWord<Value>(j.totals[i]);
        j.totals[i] = ToWord(before);
        const uint64_t head = (j.End(i) - 1) / j.n * j.n;
        before = head >= i * j.share ? total : M::Combine(before, total);
    }
}

template <class M>
void Scan(const scan_job *job, void *out, const void *in, uint64_t *workspace, team *t) {
    using Value = typename M::Value;
    HostJob<M> j = {(const Value *)in, (Value *)out, workspace, job->n * job->rows, job->n, 0,
                    job->exclusive};
    const uint64_t shares = team_size(t);
    j.share = (j.size + shares - 1) / shares;
    if (shares == 1 || j.share < kMinShare) {
        ScanShare(j, 0, j.size, M::Identity());
        return;
    }
    team_run(t, TotalTask<M>, &j, shares);
    ScanTotals(j, shares);
    team_run(t, ScanTask<M>, &j, shares);
}

// Whole rows for each thread where there are enough of them.
template <class M>
void RowsTask(void *arg, size_t index, unsigned) {
    const HostJob<M> &j = *(const HostJob<M> *)arg;
    const uint64_t rows = j.size, first = index * j.share;
    const uint64_t last = first + j.share < rows ? first + j.share : rows;
    for (uint64_t row = first; row < last; row++) {
        j.out[row] = Fold<M>(M::Identity(), j.in + row * j.n, j.n);
    }
}

template <class M>
void Reduce(const reduce_job *job, void *out, const void *in, uint64_t *workspace, team *t) {
    using Value = typename M::Value;
    HostJob<M> j = {(const Value *)in, (Value *)out, workspace, job->rows, job->n, 0, false};
    const uint64_t shares = team_size(t);
    if (job->rows >= shares) {
        j.share = (job->rows + shares - 1) / shares;
        team_run(t, RowsTask<M>, &j, shares);
        return;
    }
    j.share = (job->n + shares - 1) / shares;
    for (uint64_t row = 0; row < job->rows; row++) {
        if (j.share < kMinShare) {
            j.out[row] = Fold<M>(M::Identity(), j.in + row * job->n, job->n);
            continue;
        }
        HostJob<M> one = j;
        one.in += row * job->n;
        one.size = job->n;
        team_run(t, TotalTask<M>, &one, shares);
        Value product = M::Identity();
        for (uint64_t i = 0; i < shares && i * one.share < one.size; i++) {
            product = M::Combine(product, FromWord<Value>(one.totals[i]));
        }
        j.out[row] = product;
    }
}

bool Fits(uint64_t n, uint64_t rows) { return n == 0 || rows <= UINT64_MAX / 8 / n; }

}  // namespace

result scan_host(const scan_job *job, void *out, const void *in, uint64_t *workspace, team *team) {
    if ((unsigned)job->op >= MONOID_KINDS || !Fits(job->n, job->rows)) {
        return RESULT_REFUSED;
    }
    if (job->n * job->rows > 0) {
        WithMonoid(job->op, [&](auto m) { Scan<decltype(m)>(job, out, in, workspace, team); });
    }
    return RESULT_OK;
}

result reduce_host(const reduce_job *job, void *out, const void *in, uint64_t *workspace,
                   team *team) {
    if ((unsigned)job->op >= MONOID_KINDS || !Fits(job->n, job->rows)) {
        return RESULT_REFUSED;
    }
    WithMonoid(job->op, [&](auto m) { Reduce<decltype(m)>(job, out, in, workspace, team); });
    return RESULT_OK;
}
