// timing.cu: timing.h over CUDA events and graphs.
#include "bench/device/timing.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "bench/device/energy.h"

namespace {

constexpr unsigned kThreads = 512;

__global__ void CopyKernel(uint4 *to, const uint4 *from, size_t n) {
    for (size_t i = (size_t)blockIdx.x * kThreads + threadIdx.x; i < n;
         i += (size_t)gridDim.x * kThreads) {
        to[i] = from[i];
    }
}

struct Timer {
    cudaStream_t stream;
    const bool owned;
    cudaEvent_t begin, end;

    explicit Timer(cudaStream_t given) : stream(given), owned(given == nullptr) {
        if (owned) {
            cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        }
        cudaEventCreate(&begin);
        cudaEventCreate(&end);
    }
    ~Timer() {
        cudaEventDestroy(begin);
        cudaEventDestroy(end);
        if (owned) {
            cudaStreamDestroy(stream);
        }
    }

    // Nanoseconds of what f enqueues; negative if that failed.
    template <class F>
    double Time(F f) {
        cudaEventRecord(begin, stream);
        const bool enqueued = f();
        cudaEventRecord(end, stream);
        float ms = 0;
        if (cudaEventSynchronize(end) != cudaSuccess || !enqueued ||
            cudaEventElapsedTime(&ms, begin, end) != cudaSuccess) {
            return -1;
        }
        return 1e6 * ms;
    }
};

bool Enqueue(const device_side &side, unsigned calls, cudaStream_t stream) {
    for (unsigned i = 0; i < calls; i++) {
        if (!side.enqueue(side.self, stream)) {
            return false;
        }
    }
    return true;
}

cudaGraphExec_t Capture(const device_side &side, unsigned calls, cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) != cudaSuccess) {
        return nullptr;
    }
    const bool enqueued = Enqueue(side, calls, stream);
    if (cudaStreamEndCapture(stream, &graph) == cudaSuccess && enqueued) {
        cudaGraphInstantiate(&exec, graph, 0);
    }
    cudaGraphDestroy(graph);
    return exec;
}

// What the energy counter sees: a graph of calls, or where calls wait the calls, `times` over.
struct Batch {
    const device_side *side;
    cudaGraphExec_t graph;
    unsigned calls, times;
    cudaStream_t stream;

    static bool Run(void *self) {
        const Batch &b = *(const Batch *)self;
        bool ok = true;
        for (unsigned i = 0; ok && i < b.times; i++) {
            ok = b.graph == nullptr ? Enqueue(*b.side, b.calls, b.stream)
                                    : cudaGraphLaunch(b.graph, b.stream) == cudaSuccess;
        }
        return cudaStreamSynchronize(b.stream) == cudaSuccess && ok;
    }
};

double Median(std::vector<double> &ns) {
    std::sort(ns.begin(), ns.end());
    return ns[ns.size() / 2];
}

}  // namespace

bool device_time(cuda_stream stream, const device_side *sides, size_t count, unsigned calls,
                 unsigned samples, device_times *times) {
    Timer timer(stream);
    std::vector<cudaGraphExec_t> many(count), one(count);
    std::vector<std::vector<double>> in_graph(count), in_stream(count), single(count);
    for (size_t s = 0; s < count; s++) {
        // First a call outside a graph, which loads modules and shows mistakes.
        if (!Enqueue(sides[s], 2, timer.stream) ||
            cudaStreamSynchronize(timer.stream) != cudaSuccess) {
            return false;
        }
        if (!sides[s].waits) {
            many[s] = Capture(sides[s], calls, timer.stream);
            one[s] = Capture(sides[s], 1, timer.stream);
            if (many[s] == nullptr || one[s] == nullptr) {
                return false;
            }
        }
    }
    bool ok = true;
    for (unsigned round = 0; round < samples + 2; round++) {
        for (size_t s = 0; s < count; s++) {
            auto replay = [&](cudaGraphExec_t g, unsigned n) {
                return g == nullptr ? Enqueue(sides[s], n, timer.stream)
                                    : cudaGraphLaunch(g, timer.stream) == cudaSuccess;
            };
            const double a = timer.Time([&] { return replay(many[s], calls); });
            const double b = timer.Time([&] { return replay(one[s], 1); });
            const double c = timer.Time([&] { return Enqueue(sides[s], calls, timer.stream); });
            ok = ok && a > 0 && b > 0 && c > 0;
            if (round >= 2) {  // two rounds to warm up
                in_graph[s].push_back(a / calls);
                single[s].push_back(b);
                in_stream[s].push_back(c / calls);
            }
        }
    }
    for (size_t s = 0; s < count; s++) {
        std::vector<double> &ns = in_graph[s];
        times[s].median_ns = Median(ns);
        times[s].min_ns = ns[0];
        times[s].spread = (ns[ns.size() * 3 / 4] - ns[ns.size() / 4]) / (2 * times[s].median_ns);
        times[s].stream_ns = Median(in_stream[s]);
        times[s].single_ns = Median(single[s]);
        times[s].samples = samples;
        times[s].joules = 0;
        if (many[s] != nullptr) {
            cudaGraphExecDestroy(many[s]);
            cudaGraphExecDestroy(one[s]);
        }
    }
    return ok && cudaGetLastError() == cudaSuccess;
}

bool device_energy(cuda_stream stream, const device_side *sides, size_t count, unsigned calls,
                   double seconds, device_times *times) {
    constexpr double kBatch = 5e-3;  // seconds; short beside the counter's steps
    char bus[32] = "";
    energy_counter counter;
    if (seconds <= 0 || !device_bus(bus, sizeof bus) || !energy_open(&counter, nullptr, bus)) {
        return true;
    }
    Timer timer(stream);
    bool ok = true;
    for (size_t s = 0; ok && s < count; s++) {
        const double each = 1e-9 * times[s].median_ns * calls;
        Batch batch = {&sides[s], nullptr, calls, (unsigned)std::max(kBatch / each, 1.0),
                       timer.stream};
        if (!sides[s].waits) {
            batch.graph = Capture(sides[s], calls, timer.stream);
            ok = batch.graph != nullptr;
        }
        const unsigned batches = (unsigned)std::max(seconds / (each * batch.times), 1.0);
        ok = ok && energy_measure(&counter, Batch::Run, &batch, batches, &times[s].joules);
        times[s].joules /= (double)calls * batch.times;
        if (batch.graph != nullptr) {
            cudaGraphExecDestroy(batch.graph);
        }
    }
    energy_close(&counter);
    return ok;
}

bool device_copy_enqueue(void *self, cuda_stream stream) {
    const device_copying *c = (const device_copying *)self;
    const size_t n = c->bytes / sizeof(uint4);
    const size_t blocks = std::min<size_t>((n + kThreads - 1) / kThreads, 132 * 16);
    CopyKernel<<<(unsigned)std::max<size_t>(blocks, 1), kThreads, 0, stream>>>(
        (uint4 *)c->to, (const uint4 *)c->from, n);
    return cudaGetLastError() == cudaSuccess;
}

bool device_name(char *to, size_t cap) {
    cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) {
        return false;
    }
    snprintf(to, cap, "%s", properties.name);
    return true;
}

bool device_bus(char *to, size_t cap) {
    return cudaDeviceGetPCIBusId(to, (int)cap, 0) == cudaSuccess;
}
