// blocks.h: warps, blocks and clusters, for scheduler.cc (which fibre runs), meeting.cc (how
// threads wait for each other) and shared.cc (the memory of blocks) only.
#ifndef PRIMITIVES_EMULATION_BLOCKS_H_
#define PRIMITIVES_EMULATION_BLOCKS_H_

#include <memory>
#include <vector>

#include "primitives/emulation/fibre.h"

namespace emulation {

// Lanes that meet in one warp operation; a warp keeps one for each possible lowest lane of the
// mask.
struct Meeting {
    Op op;
    unsigned mask, arrived;
};

struct Warp {
    unsigned alive;  // lanes that have not ended
    Fibre *lanes;
    Meeting meetings[32];
    uint64_t value[32];
    unsigned argument[32];
};

struct SharedObject {
    const void *key;
    size_t size;  // bytes
    std::unique_ptr<char[]> bytes;
};

// Blocks that are resident together. They also end together, so that shared memory stays.
struct Cluster {
    Block *blocks;
    unsigned size;   // blocks
    size_t alive;    // threads that have not ended
    size_t arrived;  // of them, at the barrier
    uint64_t phase;  // how often all have arrived
};

struct Block {
    uint3 index;
    Cluster *cluster;
    unsigned rank;  // in the cluster
    size_t dynamic_bytes;
    std::vector<Fibre> fibres;
    std::vector<Warp> warps;
    std::vector<SharedObject> shared;
    size_t ready, paused, alive;  // fibres
    size_t last;                  // the fibre that ran last
    size_t favoured;              // in a random order: fibres from here on run first; none if n
    unsigned arrived, counted;    // at the barrier; of them, with the predicate
    unsigned arrived_named[16], expected[16];
};

// --- scheduler.cc --------------------------------------------------------------------------------
// Unless it holds, ends the process with a message and a list of what waits where.
void Require(bool holds, const char *otherwise);
// Makes a waiting thread ready.
void Wake(Fibre &f);
// Makes the current thread wait, in that state, until it is woken.
void Wait(State state);

// --- meeting.cc ----------------------------------------------------------------------------------
// EndCopies checks that a thread that ends has no copies under way. LeaveMeetings stops counting
// it; called once the block has one live thread less.
void EndCopies(Fibre *f);
void LeaveMeetings(Fibre *f);

// --- shared.cc -----------------------------------------------------------------------------------
// Spoils the shared memory of a block that has ended before others of its cluster.
void SpoilShared(Block &b);
// Requires that no thread has written there since. Called once the whole cluster has ended.
void CheckSpoilt(const Cluster &c);

}  // namespace emulation

#endif  // PRIMITIVES_EMULATION_BLOCKS_H_
