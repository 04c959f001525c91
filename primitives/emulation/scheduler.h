// scheduler.h: runs a CUDA kernel on the host, one fibre for each CUDA thread, several blocks at a
// time, all on the calling OS thread. Knows threads, warps, blocks and how they wait for each
// other; keywords and intrinsics are in keywords.h. Includes the C++ library only. For tests: a
// kernel that breaks the programming model ends the process with a message that says how.
//
// A fibre runs until it waits (barrier, warp operation), pauses (a poll that found nothing) or
// ends, so program order is kept and every access is sequentially consistent. Missing barriers are
// found; missing fences are not. By default the order is fixed: threads in order of their index,
// blocks in order of theirs. Order(seed) with seed > 0 shuffles the start of blocks, picks threads
// and blocks at random at every wait, now and then lets some run far ahead of the others, and makes
// atomic accesses points where another thread may run.
//
// Valid: any grid, blocks of up to 1024 threads, exited threads, warp operations on any set of
// lanes as long as two sets in use at once do not share their lowest lane, clusters along x.
// Refused at compile time: grid-wide barriers, __activemask.
#ifndef PRIMITIVES_EMULATION_SCHEDULER_H_
#define PRIMITIVES_EMULATION_SCHEDULER_H_

#include <cstddef>
#include <cstdint>

#include "primitives/emulation/fibre.h"

namespace emulation {

// The thread that runs now, its block's index and the launch's shape.
extern __thread Fibre *current;
uint3 BlockIndex();
dim3 GridSize();
dim3 BlockSize();

// --- Launching -----------------------------------------------------------------------------------
// A kernel with its arguments bound.
using Body = void (*)(void *arguments);

struct Shape {
    dim3 grid, block;
    unsigned cluster;  // blocks in each, along x
    size_t shared_bytes;
    bool early;  // each thread must have called WaitForKernelBefore when it ends
};

// Launch runs body(arguments) in every thread and returns when all have ended. Returns false and
// runs nothing if no device takes such a shape.
bool Launch(const Shape &shape, Body body, void *arguments);
void WaitForKernelBefore();

// Resident returns how many blocks of that many threads are resident at once.
size_t Resident(size_t threads);

// Order(0) is the fixed order; any other seed a random one, reproducible by that seed.
void Order(uint64_t seed);
// Hastes: whether a stream does its work now although no thread waits for it yet: at random in a
// random order, otherwise never.
bool Hastes();

// --- Waiting -------------------------------------------------------------------------------------
// A barrier of all threads of the block that have not ended; returns how many came with a
// predicate.
unsigned Barrier(bool predicate);
// One of the barriers 1 .. 15, for that many threads. A thread that does not wait only arrives.
void NamedBarrier(unsigned barrier, unsigned threads, bool wait);
// The barrier of all threads of the cluster that have not ended. A thread arrives once, then waits.
void ClusterArrive();
void ClusterWait();
// Lets other threads run. Blocks that wait for other blocks must call it between two polls.
void Pause();
// A point where another thread may run, when the order is random.
void Interleave();

// What the lanes of a mask do together. value is the lane's own.
uint64_t Meet(Op op, unsigned mask, uint64_t value, unsigned argument);

// --- Asynchronous copies -------------------------------------------------------------------------
// A copy takes place when it is waited for, as late as a device may do it; the destination is
// filled with a pattern until then. A thread that ends with copies under way breaks the rules.
void CopyAsync(void *to, const void *from, size_t bytes);
void CopyCommit();
void CopyWait(unsigned groups_left);

// --- Shared memory -------------------------------------------------------------------------------
// The block's object known by key, filled with a pattern when first asked for.
void *Shared(const void *key, size_t bytes);
// The block's dynamic shared memory.
void *DynamicShared();

unsigned ClusterRank();
// The address in the block of that rank of what the calling block has at `own`. What a block leaves
// in its shared memory is lost when it ends, and no thread may write there afterwards.
void *ClusterShared(const void *own, unsigned rank);

}  // namespace emulation

#endif  // PRIMITIVES_EMULATION_SCHEDULER_H_
