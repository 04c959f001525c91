// merge.cu: the variant of sort.h that sorts tiles in shared memory and merges runs of them,
// 2^log_ways at once, pass by pass, between the output and the workspace. Rows are cut into tiles
// each for itself; ragged segments are one row, whose keys are widened (segments.cuh).
#include "primitives/sort/merge.cuh"

namespace {

template <class K, class V>
SortData<K, V> BetweenPasses(SortData<K, V> d, const K *keys_in, K *keys_out, const V *values_in,
                             V *values_out) {
    d.keys_in = keys_in, d.keys_out = keys_out;
    d.values_in = values_in, d.values_out = values_out;
    return d;
}

template <class K, class V, bool kRagged>
cudaError_t SortTiles(const SortMerge<K, V> &m, cudaStream_t stream) {
    SortRows<K, V> rows = {};
    rows.d = m.d;
    rows.n = m.n;
    rows.tiles = m.tiles;
    rows.tiles_of_row = m.tiles_of_row;
    rows.log_tile = SortLog(m.tile);
    rows.offsets = m.offsets;
    rows.segments = m.segments;
    return RunSortRows<V, K, kRagged>(rows, stream);
}

template <class K, class V, bool kRagged>
cudaError_t Cuts(const SortMerge<K, V> &m, cudaStream_t stream) {
    const uint64_t lanes = m.tiles << (m.log_ways + m.log_probes);
    return LaunchEarly(SortCutsKernel<K, V, kRagged>, (unsigned)SortCeil(lanes, kSortCutsThreads),
                       kSortCutsThreads, 0, stream, m);
}

template <class K, class V, bool kRagged, unsigned kThreads>
cudaError_t Tiles(const SortMerge<K, V> &m, cudaStream_t stream) {
    using Types = SortMergeTypes<K, V, kRagged, kThreads>;
    const auto kernel = SortMergeKernel<K, V, kRagged, kThreads>;
    const cudaError_t e = AllowShared(kernel, Types::SharedBytes());
    return e != cudaSuccess
               ? e
               : LaunchEarly(kernel, (unsigned)m.tiles, kThreads, Types::SharedBytes(), stream, m);
}

template <class K, class V, bool kRagged>
cudaError_t Merge(const SortMerge<K, V> &m, unsigned threads, cudaStream_t stream) {
    if (m.cuts != nullptr) {
        const cudaError_t e = Cuts<K, V, kRagged>(m, stream);
        if (e != cudaSuccess) {
            return e;
        }
    }
    if constexpr (!kRagged) {
        if (threads == 256) {
            return Tiles<K, V, kRagged, 256>(m, stream);
        }
    }
    return Tiles<K, V, kRagged, 512>(m, stream);
}

template <class K, class V, bool kRagged>
cudaError_t Run(const SortCall &c) {
    const sort_plan &plan = *c.plan;
    const SortData<K, V> whole = SortDataOf<K, V>(c);
    const uint64_t size = kRagged ? c.job->n : c.job->n * c.job->rows;
    SortMerge<K, V> m = {};
    m.n = c.job->n;
    m.tile = plan.tile;
    m.tiles_of_row = SortCeil(m.n, m.tile);
    m.tiles = m.tiles_of_row * (kRagged ? 1 : c.job->rows);
    m.log_ways = plan.log_ways;
    m.log_probes = plan.log_probes;
    m.offsets = c.arrays->offsets;
    m.segments = c.job->rows;
    // The workspace: cuts if they have a launch of their own, keys, values.
    const bool apart = SortCutsApart(m.log_ways, kRagged);
    m.cuts = apart ? (uint64_t *)c.workspace : nullptr;
    K *const keys = (K *)(c.workspace + (apart ? SortAligned(m.tiles * 8 << m.log_ways) : 0));
    V *const values = (V *)((char *)keys + SortAligned(size * sizeof(K)));
    // The last pass writes the output; the others alternate.
    bool to_output = plan.passes % 2 == 0;
    m.d = whole;
    for (unsigned pass = 0; pass <= plan.passes; pass++, to_output = !to_output) {
        m.d = BetweenPasses<K, V>(
            m.d, pass == 0 ? whole.keys_in : m.d.keys_out, to_output ? whole.keys_out : keys,
            pass == 0 ? whole.values_in : m.d.values_out, to_output ? whole.values_out : values);
        m.d.in = pass == 0 ? whole.in : SortOrder<K>{0, 0};
        m.d.out = pass == plan.passes ? whole.out : SortOrder<K>{0, 0};
        m.run = (uint64_t)m.tile << (pass == 0 ? 0 : (pass - 1) * m.log_ways);
        const cudaError_t e = pass == 0 ? SortTiles<K, V, kRagged>(m, c.stream)
                                        : Merge<K, V, kRagged>(m, plan.threads, c.stream);
        if (e != cudaSuccess) {
            return e;
        }
    }
    return cudaSuccess;
}

}  // namespace

cudaError_t SortByMultiwayMerge(const SortCall &call) {
    return WithSortTypes(call.job, [&](auto types) {
        using T = decltype(types);
        return call.job->ragged ? Run<typename T::Key, typename T::Value, true>(call)
                                : Run<typename T::Key, typename T::Value, false>(call);
    });
}
