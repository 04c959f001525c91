// meeting.cc: how threads of a block or cluster wait for each other: barriers, warp operations,
// asynchronous copies. See scheduler.h.
#include <algorithm>
#include <cstring>

#include "primitives/emulation/blocks.h"
#include "primitives/emulation/scheduler.h"

namespace emulation {

// --- Barriers ------------------------------------------------------------------------------------

namespace {

void ReleaseBarrier(Block &b) {
    for (Fibre &f : b.fibres) {
        if (f.state == State::kAtBarrier) {
            f.result = b.counted;
            Wake(f);
        }
    }
    b.arrived = b.counted = 0;
}

}  // namespace

unsigned Barrier(bool predicate) {
    Block &b = *current->block;
    b.counted += predicate ? 1 : 0;
    if (++b.arrived == b.alive) {
        current->result = b.counted;
        ReleaseBarrier(b);
        Interleave();
    } else {
        Wait(State::kAtBarrier);
    }
    return (unsigned)current->result;
}

void NamedBarrier(unsigned barrier, unsigned threads, bool wait) {
    Block &b = *current->block;
    Require(barrier >= 1 && barrier <= 15 && threads % 32 == 0, "no such named barrier");
    unsigned &arrived = b.arrived_named[barrier];
    Require(arrived == 0 || b.expected[barrier] == threads,
            "threads disagree on how many a named barrier is for");
    b.expected[barrier] = threads;
    if (++arrived < threads) {
        if (wait) {
            current->barrier = barrier;
            Wait(State::kAtNamed);
        } else {
            Interleave();
        }
        return;
    }
    arrived = 0;
    for (Fibre &f : b.fibres) {
        if (f.state == State::kAtNamed && f.barrier == barrier) {
            Wake(f);
        }
    }
    Interleave();
}

// --- The cluster's barrier -----------------------------------------------------------------------

namespace {

// Lets waiting threads go on if all have arrived.
void ConcludePhase(Cluster &c) {
    if (c.alive == 0 || c.arrived < c.alive) {
        return;
    }
    c.arrived = 0;
    c.phase++;
    for (unsigned i = 0; i < c.size; i++) {
        for (Fibre &f : c.blocks[i].fibres) {
            if (f.state == State::kAtCluster) {
                Wake(f);
            }
        }
    }
}

}  // namespace

void ClusterArrive() {
    Cluster &c = *current->block->cluster;
    Require(!current->arrived, "a thread arrives at the cluster's barrier again before it waits");
    current->arrived = true;
    current->phase = c.phase;
    c.arrived++;
    ConcludePhase(c);
    Interleave();
}

void ClusterWait() {
    Require(current->arrived, "a thread waits at the cluster's barrier and has not arrived");
    current->arrived = false;
    if (current->phase == current->block->cluster->phase) {
        Wait(State::kAtCluster);
    }
}

// --- Warp operations -----------------------------------------------------------------------------

namespace {

uint64_t Reduce(Op op, uint64_t a, uint64_t b) {
    switch (op) {
        case Op::kAdd:
            return (uint32_t)(a + b);
        case Op::kMin:
            return std::min(a, b);
        case Op::kMax:
            return std::max(a, b);
        case Op::kAnd:
            return a & b;
        case Op::kOr:
            return a | b;
        default:
            return a ^ b;
    }
}

// The lanes of `in` whose value is that one.
unsigned LanesWith(const Warp &w, unsigned in, uint64_t value) {
    unsigned equal = 0;
    for (unsigned i = 0; i < 32; i++) {
        equal |= (unsigned)(in >> i & (w.value[i] == value)) << i;
    }
    return equal;
}

// What all lanes of the meeting get, where that is the same for each.
uint64_t CommonResult(const Warp &w, const Meeting &m) {
    const unsigned in = m.arrived;
    const uint64_t first = w.value[__builtin_ctz(in)];
    switch (m.op) {
        case Op::kBallot:
            return in & ~LanesWith(w, in, 0);
        case Op::kMatchAll:
            return LanesWith(w, in, first) == in ? in : 0;
        case Op::kSync:
        case Op::kShuffle:
        case Op::kMatchAny:
            return 0;
        default:
            break;
    }
    uint64_t reduced = first;
    for (unsigned rest = in & (in - 1); rest != 0; rest &= rest - 1) {
        reduced = Reduce(m.op, reduced, w.value[__builtin_ctz(rest)]);
    }
    return reduced;
}

uint64_t ResultOf(const Warp &w, const Meeting &m, unsigned lane, uint64_t common) {
    if (m.op == Op::kShuffle) {
        const unsigned from = w.argument[lane];
        return m.arrived >> from & 1 ? w.value[from] : kPoison;
    }
    return m.op == Op::kMatchAny ? LanesWith(w, m.arrived, w.value[lane]) : common;
}

// Ends a meeting to which lanes have come if all are there. Every lane gets its result at once, so
// that values and arguments may be overwritten as soon as the first lane goes on.
bool Conclude(Warp &w, Meeting &m) {
    if ((m.arrived & w.alive) != (m.mask & w.alive)) {
        return false;
    }
    const uint64_t common = CommonResult(w, m);
    for (unsigned i = 0; i < 32; i++) {
        if (m.arrived >> i & 1) {
            w.lanes[i].result = ResultOf(w, m, i, common);
        }
    }
    for (unsigned i = 0; i < 32; i++) {
        if (m.arrived >> i & 1 && w.lanes[i].state == State::kInWarp) {
            Wake(w.lanes[i]);
        }
    }
    m.arrived = 0;
    return true;
}

}  // namespace

uint64_t Meet(Op op, unsigned mask, uint64_t value, unsigned argument) {
    Warp &w = *current->warp;
    const unsigned me = 1u << current->lane;
    Require((mask & me) != 0, "a lane takes part in a warp operation whose mask leaves it out");
    Meeting &m = w.meetings[__builtin_ctz(mask)];
    if (m.arrived == 0) {
        m.op = op;
        m.mask = mask;
    }
    Require(m.op == op && m.mask == mask,
            "lanes of a warp disagree on the operation or on its mask (or two masks in use at once "
            "share their lowest lane, which is not emulated)");
    w.value[current->lane] = value;
    w.argument[current->lane] = argument;
    m.arrived |= me;
    if (!Conclude(w, m)) {
        Wait(State::kInWarp);
    }
    return current->result;
}

// --- Asynchronous copies -------------------------------------------------------------------------

struct Copies {
    struct Copy {
        void *to;
        const void *from;
        size_t bytes;
        uint64_t group;
    };
    std::vector<Copy> under_way;
    uint64_t group;  // of the next copy
};

void CopyAsync(void *to, const void *from, size_t bytes) {
    if (current->copies == nullptr) {
        current->copies = new Copies();
    }
    memset(to, 0xA5, bytes);
    current->copies->under_way.push_back({to, from, bytes, current->copies->group});
}

void CopyCommit() {
    if (current->copies != nullptr) {
        current->copies->group++;
    }
}

void CopyWait(unsigned groups_left) {
    Copies *copies = current->copies;
    if (copies == nullptr) {
        return;
    }
    size_t kept = 0;
    for (const Copies::Copy &c : copies->under_way) {
        if (c.group + groups_left < copies->group) {
            memcpy(c.to, c.from, c.bytes);
        } else {
            copies->under_way[kept++] = c;
        }
    }
    copies->under_way.resize(kept);
}

void EndCopies(Fibre *f) {
    Require(f->copies == nullptr || f->copies->under_way.empty(),
            "a thread ends with asynchronous copies under way");
    delete f->copies;
    f->copies = nullptr;
}

// --- The end of a thread -------------------------------------------------------------------------

void LeaveMeetings(Fibre *f) {
    Block &b = *f->block;
    Warp &w = *f->warp;
    w.alive &= ~(1u << f->lane);
    for (Meeting &m : w.meetings) {
        if (m.arrived != 0) {
            Conclude(w, m);
        }
    }
    if (b.alive > 0 && b.arrived == b.alive) {
        ReleaseBarrier(b);
    }
    Cluster &c = *b.cluster;
    c.arrived -= f->arrived && f->phase == c.phase ? 1 : 0;
    ConcludePhase(c);
}

}  // namespace emulation
