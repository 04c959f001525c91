// scheduler.cc: fibres, and which of them runs next. See scheduler.h.
#include "primitives/emulation/scheduler.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "primitives/emulation/blocks.h"
#include "primitives/emulation/fibre_switch.h"

namespace emulation {

__thread Fibre *current;

namespace {

// As many blocks as this are resident at once, fewer if that makes more threads than the other.
constexpr size_t kResidentBlocks = 256;
constexpr size_t kResidentThreads = 8192;
// No device has larger clusters.
constexpr unsigned kClusterBlocks = 16;
// Rounds in which every fibre that can run only polls, before the kernel is declared stuck.
constexpr uint64_t kPatience = 10000;

// Which fibres of a block are ready, a bit each: most of a block's fibres may wait for one warp.
struct Ready {
    uint64_t bits[1024 / 64];

    void Set(size_t i) { bits[i / 64] |= uint64_t{1} << i % 64; }
    void Clear(size_t i) { bits[i / 64] &= ~(uint64_t{1} << i % 64); }
    // The first one behind i, around the end; some fibre is ready.
    size_t Behind(size_t i) const {
        size_t word = (i + 1) / 64 % (1024 / 64);
        uint64_t rest = bits[word] & ~uint64_t{0} << (i + 1) % 64;
        while (rest == 0) {
            word = (word + 1) % (1024 / 64);
            rest = bits[word];
        }
        return 64 * word + (size_t)__builtin_ctzll(rest);
    }
};

struct Launched {
    Shape shape;
    Body body;
    void *arguments;
    std::vector<Cluster> clusters;
    std::vector<Block> blocks;  // those of one cluster follow each other
    std::vector<Ready> ready;   // of each block
    size_t turn;                // the block that runs now
    size_t favoured;            // in a random order: the block that runs first; none if n
    uint64_t changes, changes_seen, idle_rounds;
    Fibre main;  // the caller of Launch
};

__thread Launched *launched;

Ready &ReadyOf(const Block &b) { return launched->ready[(size_t)(&b - launched->blocks.data())]; }

size_t IndexOf(const Fibre &f) { return (size_t)(&f - f.block->fibres.data()); }

__thread uint64_t order_seed;
__thread uint64_t random_state;

uint64_t Random() {  // splitmix64
    uint64_t z = random_state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

}  // namespace

void Require(bool holds, const char *otherwise) {
    if (holds) {
        return;
    }
    fprintf(stderr, "kernel emulation: %s\n", otherwise);
    if (current != nullptr && current->block != nullptr) {
        fprintf(stderr, "  in thread (%u, %u, %u) of block (%u, %u, %u)\n", current->thread.x,
                current->thread.y, current->thread.z, current->block->index.x,
                current->block->index.y, current->block->index.z);
    }
    static const char *const kNames[] = {"ready",
                                         "polls",
                                         "at the barrier",
                                         "at a named barrier",
                                         "in a warp operation",
                                         "at the cluster's barrier"};
    if (launched == nullptr) {
        abort();
    }
    for (const Block &b : launched->blocks) {
        size_t count[(size_t)State::kDone] = {};
        for (const Fibre &f : b.fibres) {
            if (f.state != State::kDone) {
                count[(size_t)f.state]++;
            }
        }
        for (size_t s = 0; b.alive > 0 && s < (size_t)State::kDone; s++) {
            if (count[s] > 0) {
                fprintf(stderr, "  block (%u, %u, %u): %zu threads %s\n", b.index.x, b.index.y,
                        b.index.z, count[s], kNames[s]);
            }
        }
    }
    abort();
}

namespace {

// --- Switching -----------------------------------------------------------------------------------

void SwitchTo(Fibre *to, bool last = false) {
    Fibre *from = current;
    if (to == from) {
        return;
    }
    current = to;
    BeforeSwitch(from, to, last);
    SwitchStacks(from, to);
    AfterSwitch(from, nullptr);
}

void WakePaused(Block &b) {
    if (b.paused == 0) {
        return;
    }
    for (Fibre &f : b.fibres) {
        if (f.state == State::kPaused) {
            f.state = State::kReady;
            ReadyOf(b).Set(IndexOf(f));
        }
    }
    b.ready += b.paused;
    b.paused = 0;
}

// The next ready fibre of a block that has one.
Fibre *PickIn(Block &b) {
    size_t i = b.last;
    if (order_seed != 0) {
        // Chance alone keeps all fibres nearly abreast. A race may need one warp far ahead of
        // others.
        const size_t n = b.fibres.size();
        if (Random() % 512 == 0) {
            b.favoured = Random() % 4 == 0 ? n : Random() % n;
        }
        i = b.favoured < n ? b.favoured : Random() % n;
    }
    b.last = ReadyOf(b).Behind(i);
    return &b.fibres[b.last];
}

// The next fibre to run. Those that paused run again when no other fibre can, so that the fibres
// they wait for has had every chance.
Fibre *Pick() {
    Launched &l = *launched;
    const size_t n = l.blocks.size();
    if (order_seed != 0) {
        if (Random() % 4096 == 0) {  // a race may need one block ahead of others, too
            l.favoured = Random() % 2 == 0 ? n : Random() % n;
        }
        l.turn = l.favoured < n ? l.favoured : Random() % n;
        WakePaused(l.blocks[Random() % n]);
    }
    for (;;) {
        for (size_t k = 0; k < n; k++) {
            if (l.blocks[l.turn].ready > 0) {
                return PickIn(l.blocks[l.turn]);
            }
            l.turn = l.turn + 1 < n ? l.turn + 1 : 0;
        }
        size_t paused = 0;
        for (Block &b : l.blocks) {
            paused += b.paused;
            WakePaused(b);
        }
        Require(paused > 0, "deadlock: every thread waits (a divergent barrier or warp operation)");
        l.idle_rounds = l.changes == l.changes_seen ? l.idle_rounds + 1 : 0;
        l.changes_seen = l.changes;
        Require(l.idle_rounds < kPatience, "no progress: every thread that can run only polls");
    }
}

}  // namespace

void Wake(Fibre &f) {
    f.state = State::kReady;
    ReadyOf(*f.block).Set(IndexOf(f));
    f.block->ready++;
    launched->changes++;
}

void Wait(State state) {
    Block &b = *current->block;
    current->state = state;
    ReadyOf(b).Clear(IndexOf(*current));
    b.ready--;
    b.paused += state == State::kPaused ? 1 : 0;
    SwitchTo(Pick());
}

void Pause() { Wait(State::kPaused); }

void Interleave() {
    if (order_seed != 0 && Random() % 4 == 0) {
        SwitchTo(Pick());
    }
}

// --- Blocks --------------------------------------------------------------------------------------

uint3 BlockIndex() { return current->block->index; }
dim3 GridSize() { return launched->shape.grid; }
dim3 BlockSize() { return launched->shape.block; }

namespace {

void End() {
    Fibre *me = current;
    Block &b = *me->block;
    EndCopies(me);
    Require(!launched->shape.early || me->waited,
            "a thread of a kernel that may start early has not waited for the one before");
    me->state = State::kDone;
    ReadyOf(b).Clear(IndexOf(*me));
    b.ready--;
    b.alive--;
    b.cluster->alive--;
    launched->changes++;
    LeaveMeetings(me);
    if (b.alive == 0 && b.cluster->size > 1) {
        SpoilShared(b);
    }
    SwitchTo(b.cluster->alive > 0 ? Pick() : &launched->main, true);
    abort();
}

void Enter() {
    AfterSwitch(current, launched->main.stack == nullptr ? &launched->main : nullptr);
    launched->body(launched->arguments);
    End();
}

// Bytes of a stack that its fibre leaves free, so that the first frames of 32 neighbouring stacks
// begin in other lines of their pages: at the same line, they would share few sets of the cache.
size_t Indent(const char *stack) { return (uintptr_t)stack / kStackBytes % 32 * 64; }

// Makes b the block with that index, all its threads ready. Stacks are kept from block to block.
void StartBlock(Block &b, uint64_t index) {
    const dim3 &grid = launched->shape.grid;
    const dim3 &block = launched->shape.block;
    const unsigned n = block.x * block.y * block.z;
    b.index = {(unsigned)(index % grid.x), (unsigned)(index / grid.x % grid.y),
               (unsigned)(index / grid.x / grid.y)};
    b.fibres.resize(n);
    b.warps.assign((n + 31) / 32, Warp());
    ReadyOf(b) = {};
    b.dynamic_bytes = launched->shape.shared_bytes;
    b.shared.clear();
    b.ready = b.alive = n;
    b.paused = 0;
    b.last = n - 1;
    b.favoured = order_seed != 0 ? Random() % n : n;
    b.arrived = b.counted = 0;
    memset(b.arrived_named, 0, sizeof b.arrived_named);
    for (unsigned i = 0; i < n; i++) {
        Fibre &f = b.fibres[i];
        if (f.stack == nullptr) {
            f.stack = NewStack();
            Require(f.stack != nullptr, "no memory for a fibre's stack");
            f.stack_size = kStackBytes - Indent(f.stack);
        }
#if defined(EMULATION_ASAN)
        ASAN_UNPOISON_MEMORY_REGION(f.stack, f.stack_size);
#endif
        f.fake_stack = nullptr;
        f.block = &b;
        f.warp = &b.warps[i / 32];
        f.warp->lanes = &b.fibres[i / 32 * 32];
        f.thread = {i % block.x, i / block.x % block.y, i / block.x / block.y};
        f.lane = i % 32;
        f.warp->alive |= 1u << f.lane;
        f.state = State::kReady;
        ReadyOf(b).Set(i);
        f.waited = f.arrived = false;
        PrepareStack(&f, Enter);
    }
}

// Makes c the cluster with that number, all its blocks started.
void StartCluster(Cluster &c, uint64_t number) {
    c.alive = c.arrived = c.phase = 0;
    for (unsigned i = 0; i < c.size; i++) {
        Block &b = c.blocks[i];
        b.cluster = &c;
        b.rank = i;
        StartBlock(b, number * c.size + i);
        c.alive += b.alive;
    }
}

void Release(Launched &l) {
    for (Block &b : l.blocks) {
        for (Fibre &f : b.fibres) {
            ReleaseStack(&f);
            KeepStack(f.stack);
        }
    }
}

// The order in which clusters start.
std::vector<uint64_t> StartOrder(uint64_t clusters) {
    std::vector<uint64_t> order(clusters);
    for (uint64_t i = 0; i < clusters; i++) {
        order[i] = i;
    }
    for (uint64_t i = clusters; order_seed != 0 && i > 1; i--) {
        std::swap(order[i - 1], order[Random() % i]);
    }
    return order;
}

bool Possible(const Shape &s) {
    const uint64_t threads = (uint64_t)s.block.x * s.block.y * s.block.z;
    const uint64_t blocks = (uint64_t)s.grid.x * s.grid.y * s.grid.z;
    return threads > 0 && threads <= 1024 && s.block.z <= 64 && blocks > 0 &&
           s.grid.x <= 0x7FFFFFFF && s.grid.y <= 65535 && s.grid.z <= 65535 && s.cluster > 0 &&
           s.cluster <= kClusterBlocks && s.grid.x % s.cluster == 0 &&
           s.shared_bytes <= (227 << 10);
}

}  // namespace

bool Launch(const Shape &shape, Body body, void *arguments) {
    if (!Possible(shape)) {
        return false;
    }
    const size_t threads = shape.block.x * shape.block.y * shape.block.z;
    const uint64_t clusters = (uint64_t)shape.grid.x / shape.cluster * shape.grid.y * shape.grid.z;
    Launched l = {};
    l.shape = shape;
    l.body = body;
    l.arguments = arguments;
    launched = &l;
    current = &l.main;
    random_state = order_seed;
    const std::vector<uint64_t> order = StartOrder(clusters);
    const uint64_t together = std::max<uint64_t>(1, Resident(threads) / shape.cluster);
    l.clusters.resize(std::min(clusters, together));
    l.blocks.resize(l.clusters.size() * shape.cluster);
    l.ready.resize(l.blocks.size());
    l.favoured = l.blocks.size();
    uint64_t started = 0;
    for (Cluster &c : l.clusters) {
        c.blocks = &l.blocks[started * shape.cluster];
        c.size = shape.cluster;
        StartCluster(c, order[started++]);
    }
    // Comes back here whenever a cluster has ended.
    for (size_t resident = l.clusters.size(); resident > 0;) {
        SwitchTo(Pick());
        Cluster &ended = *l.blocks[l.turn].cluster;
        CheckSpoilt(ended);
        if (started < clusters) {
            StartCluster(ended, order[started++]);
        } else {
            resident--;
        }
    }
    Release(l);
    launched = nullptr;
    current = nullptr;
    return true;
}

void WaitForKernelBefore() { current->waited = true; }

size_t Resident(size_t threads) {
    return std::min(kResidentBlocks, std::max<size_t>(1, kResidentThreads / threads));
}

void Order(uint64_t seed) { order_seed = seed; }

bool Hastes() { return order_seed != 0 && Random() % 2 == 0; }

}  // namespace emulation
