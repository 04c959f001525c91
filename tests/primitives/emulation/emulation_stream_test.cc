// emulation_stream_test.cc: streams, events and graphs under the emulation. In C++, as its header
// is.
#include <gtest/gtest.h>

#include <cstdint>

#include "primitives/cuda/launch.cuh"

namespace {

// Two streams: the second adds 1 to what the first has set, the first doubles that.
struct TwoStreams {
    cudaStream_t first = nullptr, second = nullptr;
    cudaEvent_t set = nullptr, added = nullptr;
    int value = 0;

    TwoStreams() {
        for (cudaStream_t *stream : {&first, &second}) {
            cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
        }
        for (cudaEvent_t *event : {&set, &added}) {
            cudaEventCreateWithFlags(event, cudaEventDisableTiming);
        }
    }
    ~TwoStreams() {
        cudaStreamDestroy(first), cudaStreamDestroy(second);
        cudaEventDestroy(set), cudaEventDestroy(added);
    }

    void Enqueue(int to, bool second_follows, bool first_follows) {
        emulation::Enqueue(first, [this, to] { value = to; });
        cudaEventRecord(set, first);
        if (second_follows) {
            cudaStreamWaitEvent(second, set, 0);
        }
        emulation::Enqueue(second, [this] { value++; });
        cudaEventRecord(added, second);
        if (first_follows) {
            cudaStreamWaitEvent(first, added, 0);
        }
        emulation::Enqueue(first, [this] { value *= 2; });
    }
};

// Catches an event that counts for a later record of it, and streams that do what others should
// have done before, or that miss what they do not follow.
TEST(EmulationStream, FollowsEvents) {
    unsigned late = 0, early = 0;
    for (uint64_t seed = 0; seed < 16; seed++) {
        emulation::Order(seed);
        TwoStreams s;
        s.Enqueue(10, true, true), s.Enqueue(20, true, true);
        cudaStreamSynchronize(s.first);
        EXPECT_EQ(s.value, 42);
        s.Enqueue(30, true, false);
        cudaStreamSynchronize(s.first);
        late += s.value != 62;
        cudaStreamSynchronize(s.second);
        s.Enqueue(40, false, true);
        cudaStreamSynchronize(s.first);
        early += s.value != 82;
    }
    emulation::Order(0);
    EXPECT_TRUE(late > 0 && early > 0) << late << " " << early;
}

// Catches work of a stream that follows into a graph and is done at once, or twice, or not by the
// graph; graphs that end before all such work is joined.
TEST(EmulationStream, GraphsHoldThoseThatFollow) {
    TwoStreams s;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    EXPECT_EQ(cudaStreamBeginCapture(s.first, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    s.Enqueue(10, true, true);
    EXPECT_EQ(cudaStreamEndCapture(s.first, &graph), cudaSuccess);
    cudaStreamSynchronize(s.first), cudaStreamSynchronize(s.second);
    EXPECT_EQ(s.value, 0);
    EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    for (int run = 0; run < 2; run++) {
        s.value = 0;
        EXPECT_EQ(cudaGraphLaunch(exec, s.first), cudaSuccess);
        cudaStreamSynchronize(s.first);
        EXPECT_EQ(s.value, 22);
    }
    cudaGraphDestroy(graph), cudaGraphExecDestroy(exec);
    s.Enqueue(20, true, true);  // neither stream is the graph's any more
    cudaStreamSynchronize(s.first);
    EXPECT_EQ(s.value, 42);
    EXPECT_EQ(cudaStreamBeginCapture(s.first, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    s.Enqueue(30, true, false);
    EXPECT_EQ(cudaStreamEndCapture(s.first, &graph), cudaErrorStreamCaptureUnjoined);
    EXPECT_EQ(graph, nullptr);
    cudaGetLastError();
}

}  // namespace
