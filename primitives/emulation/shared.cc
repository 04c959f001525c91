// shared.cc: the shared memory of blocks, their own and that of others in their cluster. See
// scheduler.h.
#include <algorithm>
#include <cstring>

#include "primitives/emulation/blocks.h"
#include "primitives/emulation/scheduler.h"

namespace emulation {

namespace {

constexpr char kArbitrary = (char)0xA5;  // what a device leaves there is arbitrary

char *ObjectOf(Block &b, const void *key, size_t size) {
    for (SharedObject &object : b.shared) {
        if (object.key == key) {
            return object.bytes.get();
        }
    }
    b.shared.push_back({key, size, std::unique_ptr<char[]>(new char[size])});
    char *bytes = b.shared.back().bytes.get();
    memset(bytes, kArbitrary, size);
    return bytes;
}

}  // namespace

void *Shared(const void *key, size_t bytes) { return ObjectOf(*current->block, key, bytes); }

void *DynamicShared() {
    static const char key = 0;
    return Shared(&key, current->block->dynamic_bytes);
}

// --- Clusters ------------------------------------------------------------------------------------

unsigned ClusterRank() { return current->block->rank; }

void *ClusterShared(const void *own, unsigned rank) {
    Interleave();
    const Block &mine = *current->block;
    const Cluster &c = *mine.cluster;
    Require(rank < c.size, "there is no block of that rank in the cluster");
    Block &there = c.blocks[rank];
    Require(
        c.phase > 0 || &there == &mine,
        "a thread reaches for another block's shared memory before the cluster's first barrier");
    Require(there.alive > 0, "a thread reaches for the shared memory of a block that has ended");
    for (const SharedObject &object : mine.shared) {
        // An address before the object becomes an offset beyond any size.
        const size_t offset = (uintptr_t)own - (uintptr_t)object.bytes.get();
        if (offset < object.size) {
            return ObjectOf(there, object.key, object.size) + offset;
        }
    }
    Require(false, "ClusterShared is given an address outside the caller's shared memory");
    return nullptr;
}

void SpoilShared(Block &b) {
    for (SharedObject &object : b.shared) {
        memset(object.bytes.get(), kArbitrary, object.size);
    }
}

void CheckSpoilt(const Cluster &c) {
    for (unsigned i = 0; c.size > 1 && i < c.size; i++) {
        for (const SharedObject &object : c.blocks[i].shared) {
            const char *bytes = object.bytes.get();
            Require(std::all_of(bytes, bytes + object.size, [](char b) { return b == kArbitrary; }),
                    "somebody has written to the shared memory of a block that had ended");
        }
    }
}

}  // namespace emulation
