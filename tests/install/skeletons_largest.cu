// skeletons_largest.cu: the largest element and its place, in a second file of the same program.
// See skeletons_program.h. It includes the header twice, as users' headers do.
#include "primitives/scan/longmul/skeletons.cuh"
#include "tests/install/skeletons_program.h"

// Of a stretch of elements: the largest, its first place, and how many they are.
struct Largest {
    struct Value {
        uint32_t value, place, length, unused;
    };
    using Element = uint32_t;
    __host__ __device__ static Value Of(uint32_t x) { return {x, 0, 1, 0}; }
    __host__ __device__ static Value Identity() { return {0, 0, 0, 0}; }
    __host__ __device__ static Value Combine(Value a, Value b) {
        const bool later = b.value > a.value;
        return {later ? b.value : a.value, later ? a.length + b.place : a.place,
                a.length + b.length, 0};
    }
};

result skeletons_program_place(uint32_t *out, const uint32_t *x, uint64_t n, void *workspace,
                               size_t bytes, cuda_stream stream) {
    return longmul::Reduce<Largest>((Largest::Value *)out, x, n, 1, workspace, bytes, stream) ==
                   cudaSuccess
               ? RESULT_OK
               : RESULT_DEVICE_ERROR;
}
