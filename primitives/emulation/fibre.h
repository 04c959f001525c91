// fibre.h: a CUDA thread as the emulation holds it, and the types that stand in for CUDA's.
// Includes the C++ library only.
#ifndef PRIMITIVES_EMULATION_FIBRE_H_
#define PRIMITIVES_EMULATION_FIBRE_H_

#include <cstddef>
#include <cstdint>

struct uint3 {
    unsigned x, y, z;
};
struct dim3 {
    unsigned x, y, z;
    dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};

namespace emulation {

struct Block;
struct Warp;

enum class State : uint8_t { kReady, kPaused, kAtBarrier, kAtNamed, kInWarp, kAtCluster, kDone };

// A CUDA thread.
struct Fibre {
    void *stack_pointer;
    char *stack;        // lowest address
    size_t stack_size;  // bytes
    void *fake_stack;   // AddressSanitizer's
    Block *block;
    Warp *warp;
    uint3 thread;
    unsigned lane;
    State state;
    unsigned barrier;       // the named one that it waits at
    uint64_t result;        // of the warp operation that this lane took part in last
    struct Copies *copies;  // asked for and not yet done; made when first needed
    bool waited;            // for the kernel before this one
    bool arrived;           // at the cluster's barrier, and has not waited for it
    uint64_t phase;         // of that barrier, when it arrived
};

// What the lanes of a warp do together (Meet in scheduler.h).
enum class Op : uint8_t {
    kSync,
    kShuffle,   // argument: the lane to read from; reading a lane outside the mask gives kPoison
    kBallot,    // value: 0 or 1
    kMatchAny,  // the lanes of the mask that have the same value
    kMatchAll,  // the mask if all values are equal, otherwise 0
    kAdd,       // the 32-bit reductions
    kMin,
    kMax,
    kAnd,
    kOr,
    kXor,
};
constexpr uint64_t kPoison = 0xBADBADBADBADBADB;

}  // namespace emulation

#endif  // PRIMITIVES_EMULATION_FIBRE_H_
