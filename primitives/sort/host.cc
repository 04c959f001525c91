// host.cc: sort.h in host memory. Keys are mapped to unsigned order and moved, with their
// values, into the workspace; pieces are sorted there by the team's threads, and the result is
// mapped back. Keys alone by std::sort; with values by a merge sort, which is stable and takes no
// memory of its own. Uses no part of the C++ library that has to be linked.
#include <algorithm>
#include <type_traits>

#include "primitives/sort/order.h"

namespace {

// Below this many elements a share, waking threads takes longer than they save.
constexpr uint64_t kMinShare = 1 << 13;
constexpr uint64_t kInsertion = 16;  // runs that a merge sort begins with

struct NoValue {};
template <class K, class V>
struct Item {
    K key;
    V value;
};
template <class K>
struct Item<K, NoValue> {
    K key;
};
template <class K, class V>
bool operator<(const Item<K, V> &a, const Item<K, V> &b) {
    return a.key < b.key;
}

// Sorts x[0..n) with the help of y[0..n).
template <class K>
void SortPiece(Item<K, NoValue> *x, Item<K, NoValue> *, uint64_t n) {
    std::sort(x, x + n);
}
template <class K, class V>
void SortPiece(Item<K, V> *x, Item<K, V> *y, uint64_t n) {
    for (uint64_t first = 0; first < n; first += kInsertion) {
        const uint64_t end = std::min(first + kInsertion, n);
        for (uint64_t i = first + 1; i < end; i++) {
            const Item<K, V> item = x[i];
            uint64_t to = i;
            for (; to > first && item < x[to - 1]; to--) {
                x[to] = x[to - 1];
            }
            x[to] = item;
        }
    }
    Item<K, V> *from = x, *into = y;
    for (uint64_t run = kInsertion; run < n; run *= 2) {
        for (uint64_t first = 0; first < n; first += 2 * run) {
            const uint64_t middle = std::min(first + run, n), end = std::min(first + 2 * run, n);
            std::merge(from + first, from + middle, from + middle, from + end, into + first);
        }
        std::swap(from, into);
    }
    if (from != x) {
        std::copy(from, from + n, x);
    }
}

// How many of the first `count` items of the merge of a[0..an) and b[0..bn) come from a.
template <class T>
uint64_t FromFirst(const T *a, uint64_t an, const T *b, uint64_t bn, uint64_t count) {
    uint64_t low = count > bn ? count - bn : 0, high = std::min(count, an);
    while (low < high) {
        const uint64_t mid = low + (high - low) / 2;
        if (b[count - 1 - mid] < a[mid]) {
            high = mid;
        } else {
            low = mid + 1;
        }
    }
    return low;
}

template <class K, class V>
struct HostSort {
    using T = Item<K, V>;
    const sort_job *job;
    const sort_arrays *arrays;
    SortOrder<K> order;
    T *x, *y;
    uint64_t shares;
    uint64_t merged;  // shares of a sorted run

    // Rows or segments, and elements of a single row: share i of n of them.
    uint64_t Share(uint64_t i, uint64_t n) const {
        return n / shares * i + std::min(i, n % shares);
    }

    void Read(uint64_t first, uint64_t end) {
        const K *keys = (const K *)arrays->keys_in;
        for (uint64_t i = first; i < end; i++) {
            x[i].key = order.Map(keys[i]);
            if constexpr (!std::is_same<V, NoValue>::value) {
                x[i].value = ((const V *)arrays->values_in)[i];
            }
        }
    }
    void Write(uint64_t first, uint64_t end) const {
        for (uint64_t i = first; i < end; i++) {
            ((K *)arrays->keys_out)[i] = order.Back(x[i].key);
            if constexpr (!std::is_same<V, NoValue>::value) {
                ((V *)arrays->values_out)[i] = x[i].value;
            }
        }
    }

    uint64_t Begin(uint64_t row) const { return job->ragged ? arrays->offsets[row] : row * job->n; }

    static void RowsTask(void *arg, size_t index, unsigned) {
        HostSort &s = *(HostSort *)arg;
        const uint64_t rows = s.job->rows;
        for (uint64_t row = s.Share(index, rows); row < s.Share(index + 1, rows); row++) {
            const uint64_t first = s.Begin(row), end = s.Begin(row + 1);
            s.Read(first, end);
            SortPiece(s.x + first, s.y + first, end - first);
            s.Write(first, end);
        }
    }
    static void ShareTask(void *arg, size_t index, unsigned) {
        HostSort &s = *(HostSort *)arg;
        const uint64_t first = s.Share(index, s.job->n), end = s.Share(index + 1, s.job->n);
        s.Read(first, end);
        SortPiece(s.x + first, s.y + first, end - first);
    }
    // The part of two runs' merge that has the share's places.
    static void MergeTask(void *arg, size_t index, unsigned) {
        HostSort &s = *(HostSort *)arg;
        const uint64_t run = index / (2 * s.merged) * 2 * s.merged;
        const uint64_t n = s.job->n, first = s.Share(run, n);
        const uint64_t middle = s.Share(std::min(run + s.merged, s.shares), n);
        const uint64_t end = s.Share(std::min(run + 2 * s.merged, s.shares), n);
        const T *a = s.x + first, *b = s.x + middle;
        const uint64_t an = middle - first, bn = end - middle;
        const uint64_t from = s.Share(index, n) - first, upto = s.Share(index + 1, n) - first;
        const uint64_t a_from = FromFirst(a, an, b, bn, from), a_to = FromFirst(a, an, b, bn, upto);
        std::merge(a + a_from, a + a_to, b + (from - a_from), b + (upto - a_to),
                   s.y + first + from);
    }
    static void WriteTask(void *arg, size_t index, unsigned) {
        const HostSort &s = *(const HostSort *)arg;
        s.Write(s.Share(index, s.job->n), s.Share(index + 1, s.job->n));
    }

    void Run(team *t) {
        const uint64_t threads = team_size(t);
        if (job->ragged || job->rows > 1 || threads == 1 || job->n < threads * kMinShare) {
            // Several shares each, because segments may be of very different lengths.
            shares = threads == 1 ? 1 : std::min<uint64_t>(job->rows, 16 * threads);
            team_run(t, RowsTask, this, shares);
            return;
        }
        shares = threads;
        team_run(t, ShareTask, this, shares);
        for (merged = 1; merged < shares; merged *= 2) {
            team_run(t, MergeTask, this, shares);
            std::swap(x, y);
        }
        team_run(t, WriteTask, this, shares);
    }
};

constexpr uint64_t kMaxSize = UINT64_MAX / 64;

// Of a key and a value, with the gap between them.
size_t ItemBytes(const sort_job &job) {
    const size_t key = SortKeyBytes(job.key);
    return job.value_bytes == 0 ? key : key == 8 || job.value_bytes == 8 ? 16 : 8;
}

template <class K, class V>
void Run(const sort_job *job, const sort_arrays *arrays, void *workspace, team *team) {
    auto *const x = (Item<K, V> *)workspace;
    HostSort<K, V> sort = {job, arrays, SortOrderOf<K>(job->key), x, x + SortSize(*job), 1, 1};
    sort.Run(team);
}

template <class K>
void RunFor(const sort_job *job, const sort_arrays *arrays, void *workspace, team *team) {
    switch (job->value_bytes) {
        case 0:
            return Run<K, NoValue>(job, arrays, workspace, team);
        case 4:
            return Run<K, uint32_t>(job, arrays, workspace, team);
        default:
            return Run<K, uint64_t>(job, arrays, workspace, team);
    }
}

}  // namespace

size_t sort_host_bytes(const sort_job *job) {
    return SortJobValid(*job, kMaxSize) ? 2 * SortSize(*job) * ItemBytes(*job) : 0;
}

result sort_host(const sort_job *job, const sort_arrays *arrays, void *workspace, size_t bytes,
                 team *team) {
    if (!SortJobValid(*job, kMaxSize) || bytes < sort_host_bytes(job)) {
        return RESULT_REFUSED;
    }
    if (job->n > 0 && job->rows > 0) {
        (SortKeyBytes(job->key) == 8 ? RunFor<uint64_t> : RunFor<uint32_t>)(job, arrays, workspace,
                                                                            team);
    }
    return RESULT_OK;
}
