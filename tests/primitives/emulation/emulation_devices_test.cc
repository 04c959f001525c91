// emulation_devices_test.cc: several devices under the emulation: whose memory a kernel or a copy
// may touch, and that any other access is stopped. In C++, because the emulation's headers are.
#include <gtest/gtest.h>

#include <cstdint>
#include <thread>

#include "primitives/cuda/launch.cuh"

namespace {

__global__ void AddKernel(uint32_t *to, const uint32_t *from) {
    atomicAdd(to + threadIdx.x, from[threadIdx.x]);
}

constexpr unsigned kWords = 64;

// Two devices with a stream, and words of plain and of pool memory, each.
struct TwoDevices {
    cudaStream_t stream[2] = {};
    uint32_t *plain[2] = {}, *pool[2] = {};

    TwoDevices() {
        emulation::Devices(2);
        for (int d = 0; d < 2; d++) {
            cudaSetDevice(d);
            cudaStreamCreateWithFlags(&stream[d], cudaStreamNonBlocking);
            cudaMalloc(&plain[d], 4 * kWords);
            cudaMallocAsync((void **)&pool[d], 4 * kWords, stream[d]);
            cudaMemsetAsync(plain[d], d + 1, 4 * kWords, stream[d]);
            cudaMemsetAsync(pool[d], d + 3, 4 * kWords, stream[d]);
            cudaStreamSynchronize(stream[d]);
        }
        cudaSetDevice(0);
    }
    ~TwoDevices() {
        for (int d = 0; d < 2; d++) {
            cudaSetDevice(d);
            cudaFree(plain[d]);
            cudaFreeAsync(pool[d], stream[d]);
            cudaStreamDestroy(stream[d]);
        }
        cudaSetDevice(0);
        emulation::Devices(1);
    }

    cudaError_t Add(int d, uint32_t *to, const uint32_t *from) {
        cudaSetDevice(d);
        const cudaError_t e = Launch(AddKernel, 1, kWords, 0, stream[d], to, from);
        return e == cudaSuccess ? cudaStreamSynchronize(stream[d]) : e;
    }

    // The last of the words there.
    uint32_t Word(int d, const uint32_t *from) {
        uint32_t word = 0;
        cudaSetDevice(d);
        cudaMemcpyAsync(&word, from + kWords - 1, 4, cudaMemcpyDefault, stream[d]);
        cudaStreamSynchronize(stream[d]);
        return word;
    }
};

// Catches a device that cannot touch its own memory, or that shares it with another.
TEST(EmulationDevices, OwnMemory) {
    TwoDevices two;
    for (int d = 0; d < 2; d++) {
        EXPECT_EQ(two.Add(d, two.plain[d], two.pool[d]), cudaSuccess);
    }
    EXPECT_EQ(two.Word(0, two.plain[0]), 0x04040404u);
    EXPECT_EQ(two.Word(1, two.plain[1]), 0x06060606u);
    EXPECT_EQ(two.Word(1, two.pool[1]), 0x04040404u);
}

// Catches access granted both ways, or to memory of both kinds, by a call that grants one.
TEST(EmulationDevicesDeathTest, ForeignMemoryWithoutAccess) {
    TwoDevices two;
    const char *const message = "device 0 touches memory of device 1(.|\n)*in thread";
    EXPECT_DEATH(two.Add(0, two.plain[1], two.plain[0]), message);
    EXPECT_DEATH(two.Add(0, two.plain[0], two.pool[1]), "device 1's pool");
    EXPECT_DEATH(two.Word(0, two.plain[1]), "device 0 touches memory of device 1");
    EXPECT_DEATH(*two.plain[0] = 1, "the host touches memory of device 0");

    cudaSetDevice(0);
    EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess);
    EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
    cudaGetLastError();
    EXPECT_EQ(two.Add(0, two.plain[1], two.plain[0]), cudaSuccess);
    EXPECT_EQ(two.Word(1, two.plain[1]), 0x03030303u);
    EXPECT_DEATH(two.Add(1, two.plain[0], two.plain[1]), "device 1 touches memory of device 0");
    EXPECT_DEATH(two.Add(0, two.plain[0], two.pool[1]), "device 1's pool");

    cudaMemPool_t pool;
    cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
    EXPECT_EQ(cudaDeviceGetDefaultMemPool(&pool, 1), cudaSuccess);
    EXPECT_EQ(cudaMemPoolSetAccess(pool, &access, 1), cudaSuccess);
    EXPECT_EQ(two.Add(0, two.plain[0], two.pool[1]), cudaSuccess);
    EXPECT_EQ(two.Word(0, two.plain[0]), 0x05050505u);
    EXPECT_DEATH(two.Add(1, two.pool[0], two.pool[1]), "device 0's pool");
}

// Catches copies between devices that need access, or that take memory for another device's.
TEST(EmulationDevices, CopiesBetween) {
    TwoDevices two;
    cudaSetDevice(1);
    EXPECT_EQ(cudaMemcpyPeerAsync(two.pool[1], 1, two.plain[0], 0, 4 * kWords, two.stream[0]),
              cudaSuccess);
    cudaStreamSynchronize(two.stream[0]);
    EXPECT_EQ(two.Word(1, two.pool[1]), 0x01010101u);
    EXPECT_EQ(cudaMemcpyPeerAsync(two.pool[1], 0, two.plain[0], 0, 4, two.stream[0]),
              cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpyPeerAsync(two.pool[1], 1, two.plain[0], 1, 4, two.stream[0]),
              cudaErrorInvalidValue);
}

// Catches work on the stream of a device that is not current, and devices that do not exist.
TEST(EmulationDevices, CurrentDevice) {
    TwoDevices two;
    int device = -1;
    EXPECT_EQ(cudaSetDevice(2), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaSetDevice(1), cudaSuccess);
    EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
    EXPECT_EQ(device, 1);
    EXPECT_EQ(cudaStreamGetDevice(two.stream[0], &device), cudaSuccess);
    EXPECT_EQ(device, 0);
    EXPECT_EQ(Launch(AddKernel, 1, kWords, 0, two.stream[0], two.plain[0], two.plain[0]),
              cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaMemsetAsync(two.plain[0], 0, 4, two.stream[0]), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaGetDeviceCount(&device), cudaSuccess);
    EXPECT_EQ(device, 2);
}

// Two threads, each with a device, follow each other's streams a hundred times. Catches protection
// that one thread changes under the other, and work that two threads do at once.
TEST(EmulationDevices, Threads) {
    TwoDevices two;
    cudaEvent_t done[2];
    for (cudaEvent_t &event : done) {
        cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    }
    const auto member = [&](int d) {
        cudaSetDevice(d);
        for (int i = 0; i < 100; i++) {
            Launch(AddKernel, 1, kWords, 0, two.stream[d], two.plain[d], two.pool[d]);
            cudaEventRecord(done[d], two.stream[d]);
            cudaStreamWaitEvent(two.stream[d], done[1 - d], 0);
        }
        cudaStreamSynchronize(two.stream[d]);
    };
    std::thread other(member, 1);
    member(0);
    other.join();
    EXPECT_EQ(two.Word(0, two.plain[0]), 0x01010101u + 100 * 0x03030303u);
    EXPECT_EQ(two.Word(1, two.plain[1]), 0x02020202u + 100 * 0x04040404u);
    cudaEventDestroy(done[0]), cudaEventDestroy(done[1]);
}

}  // namespace
