// faults.h: makes calls of the emulated runtime fail, and lists their error codes. A thread may ask
// that one of its own allocations, or any of its calls, fails. Includes the C++ library only.
#ifndef PRIMITIVES_EMULATION_FAULTS_H_
#define PRIMITIVES_EMULATION_FAULTS_H_

#include <cstdint>

typedef enum {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInsufficientDriver = 35,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorNotReady = 600,
    cudaErrorPeerAccessAlreadyEnabled = 704,
    cudaErrorLaunchFailure = 719,
    cudaErrorCooperativeLaunchTooLarge = 720,
    cudaErrorNotSupported = 801,
    cudaErrorStreamCaptureUnjoined = 904,
    cudaErrorStreamCaptureIsolation = 905,
} cudaError_t;

namespace emulation {

// What the calling thread's calls meet. Counts are from now on: 1 is the next one, 0 none.
struct Faults {
    uint64_t allocation;  // of device or pinned memory; fails with cudaErrorMemoryAllocation
    uint64_t call;        // fails with cudaErrorLaunchFailure, and so does every call after it
    cudaError_t sticky;   // the state that this leaves: set to cudaSuccess to mend it
    cudaError_t last;     // of the calls that failed, until it is asked for
    int64_t live;         // allocations of the calling thread less its releases
    uint64_t flip;        // the kernel, as they run, behind which *word ^= bits
    uint64_t *word, bits;
};

inline Faults &TheFaults() {
    static __thread Faults faults;
    return faults;
}

inline cudaError_t Answer(cudaError_t error) {
    if (error != cudaSuccess) {
        TheFaults().last = error;
    }
    return error;
}

// Every call that may fail on a device begins here.
inline cudaError_t Call() {
    Faults &f = TheFaults();
    if (f.call > 0 && --f.call == 0) {
        f.sticky = cudaErrorLaunchFailure;
    }
    return Answer(f.sticky);
}

}  // namespace emulation

inline cudaError_t cudaGetLastError() {
    emulation::Faults &f = emulation::TheFaults();
    const cudaError_t error = f.last;
    f.last = f.sticky;
    return error;
}
inline const char *cudaGetErrorName(cudaError_t e) {
    return e == cudaSuccess                 ? "cudaSuccess"
           : e == cudaErrorMemoryAllocation ? "cudaErrorMemoryAllocation"
           : e == cudaErrorLaunchFailure    ? "cudaErrorLaunchFailure"
                                            : "cudaError";
}
inline const char *cudaGetErrorString(cudaError_t e) {
    return e == cudaSuccess                     ? "no error"
           : e == cudaErrorMemoryAllocation     ? "out of memory"
           : e == cudaErrorInvalidConfiguration ? "invalid configuration argument"
           : e == cudaErrorLaunchFailure        ? "unspecified launch failure"
                                                : "error";
}

#endif  // PRIMITIVES_EMULATION_FAULTS_H_
