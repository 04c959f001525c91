// radix.cu: the variant of sort.h by digits: clear, histograms, one launch for each byte of the
// key, alternating between the workspace and the output.
#include "primitives/sort/radix.cuh"

#include <algorithm>

namespace {

template <class K>
cudaError_t Histogram(const SortData<K, NoValue> &d, uint32_t n, RadixCounters *counters,
                      uint32_t *status, uint32_t words, cudaStream_t stream) {
    constexpr unsigned kEach = 8;  // keys for each thread, or fewer blocks
    int multiprocessors = 0;
    auto kernel = d.in.sign != 0 ? RadixHistogramKernel<K, true> : RadixHistogramKernel<K, false>;
    cudaError_t e = DeviceAttribute(cudaDevAttrMultiProcessorCount, &multiprocessors);
    if (e == cudaSuccess) {
        e = AllowShared(kernel, sizeof(RadixHistogram<K>));
    }
    const uint64_t blocks = SortCeil(n, kEach * kRadixHistogramThreads);
    return e != cudaSuccess
               ? e
               : LaunchEarly(kernel, (unsigned)std::min<uint64_t>(blocks, multiprocessors),
                             kRadixHistogramThreads, sizeof(RadixHistogram<K>), stream, d.keys_in,
                             n, d.in, counters, status, words);
}

template <class K, class V>
cudaError_t Run(const SortCall &c) {
    constexpr RadixShape kShape =
        RadixShapeFor(sizeof(K), SortItem<K, V>::kHasValue ? sizeof(V) : 0);
    constexpr unsigned kPasses = sizeof(K);
    using Shared = RadixShared<K, V, kShape.threads, kShape.items>;
    static_assert(kPasses % 2 == 0, "the first pass leaves its input, the last writes the output");
    const SortData<K, V> whole = SortDataOf<K, V>(c);
    RadixPass<K, V> p = {};
    p.n = (uint32_t)c.job->n;
    p.tiles = (uint32_t)SortCeil(p.n, Shared::kTile);
    // The workspace: counters, status of two passes, keys, values.
    auto *const counters = (RadixCounters *)c.workspace;
    auto *const status = (uint32_t *)(c.workspace + kRadixCounterBytes);
    const size_t words = (size_t)p.tiles * kRadix;
    K *const keys = (K *)(c.workspace + kRadixCounterBytes + 8 * words);
    V *const values = (V *)((char *)keys + SortAligned(p.n * sizeof(K)));
    auto plain = RadixPassKernel<K, V, kShape.threads, kShape.items, kShape.blocks, false>;
    auto mapped = RadixPassKernel<K, V, kShape.threads, kShape.items, kShape.blocks, true>;
    cudaError_t e = cudaMemsetAsync(counters, 0, sizeof *counters, c.stream);
    if (e == cudaSuccess) {
        e = Histogram<K>({whole.keys_in, nullptr, nullptr, nullptr, whole.in, {}}, p.n, counters,
                         status, (uint32_t)words, c.stream);
    }
    if (e == cudaSuccess) {
        e = AllowShared(plain, sizeof(Shared));
    }
    if (e == cudaSuccess) {
        e = AllowShared(mapped, sizeof(Shared));
    }
    p.d = whole;
    for (unsigned pass = 0; e == cudaSuccess && pass < kPasses; pass++) {
        const bool to_output = pass % 2 == 1;
        p.d.keys_out = to_output ? whole.keys_out : keys;
        p.d.values_out = to_output ? whole.values_out : values;
        p.d.in = pass == 0 ? whole.in : SortOrder<K>{0, 0};
        p.d.out = pass == kPasses - 1 ? whole.out : SortOrder<K>{0, 0};
        p.byte = pass;
        p.stable = pass > 0 || SortItem<K, V>::kHasValue;
        p.histogram = counters->histogram[pass];
        p.draws = &counters->draws[pass];
        p.status = status + pass % 2 * words;
        p.next_status = pass == kPasses - 1 ? nullptr : status + (pass + 1) % 2 * words;
        const bool maps = p.d.in.sign != 0 || p.d.out.sign != 0;
        e = LaunchEarly(maps ? mapped : plain, p.tiles, kShape.threads, sizeof(Shared), c.stream,
                        p);
        p.d.keys_in = p.d.keys_out, p.d.values_in = p.d.values_out;
    }
    return e;
}

}  // namespace

cudaError_t SortByRadix(const SortCall &call) {
    return WithSortTypes(call.job, [&](auto types) {
        using T = decltype(types);
        return Run<typename T::Key, typename T::Value>(call);
    });
}
