// scheduler.cc: fibres, and who runs next. See scheduler.h.
#include "primitives/emulation/scheduler.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "primitives/emulation/fibre_switch.h"

#if defined(__x86_64__)
asm(R"(
    .text
    .globl longmul_fibre_switch
    .hidden longmul_fibre_switch
    .type longmul_fibre_switch, @function
longmul_fibre_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size longmul_fibre_switch, . - longmul_fibre_switch
)");
#endif

namespace emulation {

__thread Fibre *current;

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
    std::unique_ptr<char[]> bytes;
};

struct Block {
    uint3 index;
    std::vector<Fibre> fibres;
    std::vector<Warp> warps;
    std::vector<SharedObject> shared;
    size_t ready, paused, alive;  // fibres
    size_t last;                  // the fibre that ran last
    size_t favoured;              // in a random order: fibres from here on run first; none if n
    unsigned arrived, counted;    // at the barrier; of them, with the predicate
    unsigned arrived_named[16], expected[16];
};

namespace {

// As many blocks as this are resident at once, fewer if that makes more threads than the other.
constexpr size_t kResidentBlocks = 256;
constexpr size_t kResidentThreads = 8192;
// Rounds in which everybody who can run only polls, before the kernel is declared stuck.
constexpr uint64_t kPatience = 10000;

struct Launched {
    dim3 grid, block;
    size_t shared_bytes;
    Body body;
    void *arguments;
    bool early;
    std::vector<Block> blocks;
    size_t turn;  // the block that runs now
    uint64_t changes, changes_seen, idle_rounds;
    Fibre main;  // the caller of Launch
};

__thread Launched *launched;
__thread uint64_t order_seed;
__thread uint64_t random_state;

uint64_t Random() {  // splitmix64
    uint64_t z = random_state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

[[noreturn]] void Fail(const char *what) {
    fprintf(stderr, "kernel emulation: %s\n", what);
    if (current != nullptr && current->block != nullptr) {
        fprintf(stderr, "  in thread (%u, %u, %u) of block (%u, %u, %u)\n", current->thread.x,
                current->thread.y, current->thread.z, current->block->index.x,
                current->block->index.y, current->block->index.z);
    }
    static const char *const kNames[] = {"ready", "polls", "at the barrier", "at a named barrier",
                                         "in a warp operation"};
    for (const Block &b : launched->blocks) {
        size_t count[5] = {};
        for (const Fibre &f : b.fibres) {
            if (f.state != State::kDone) {
                count[(size_t)f.state]++;
            }
        }
        for (size_t s = 0; b.alive > 0 && s < 5; s++) {
            if (count[s] > 0) {
                fprintf(stderr, "  block (%u, %u, %u): %zu threads %s\n", b.index.x, b.index.y,
                        b.index.z, count[s], kNames[s]);
            }
        }
    }
    abort();
}

void Require(bool holds, const char *otherwise) {
    if (!holds) {
        Fail(otherwise);
    }
}

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

void Wake(Fibre &f) {
    f.state = State::kReady;
    f.block->ready++;
    launched->changes++;
}

void WakePaused(Block &b) {
    for (Fibre &f : b.fibres) {
        if (f.state == State::kPaused) {
            f.state = State::kReady;
        }
    }
    b.ready += b.paused;
    b.paused = 0;
}

// The next ready fibre of a block that has one.
Fibre *PickIn(Block &b) {
    const size_t n = b.fibres.size();
    size_t i = b.last;
    if (order_seed != 0) {
        // Chance alone keeps all fibres nearly abreast. A race may need one warp far ahead of
        // others.
        if (Random() % 512 == 0) {
            b.favoured = Random() % 4 == 0 ? n : Random() % n;
        }
        i = b.favoured < n ? b.favoured : Random() % n;
    }
    do {
        i = i + 1 < n ? i + 1 : 0;
    } while (b.fibres[i].state != State::kReady);
    b.last = i;
    return &b.fibres[i];
}

// The next fibre to run. Those that paused run again when nobody else can, so that whoever they
// wait for has had every chance.
Fibre *Pick() {
    Launched &l = *launched;
    const size_t n = l.blocks.size();
    if (order_seed != 0) {
        l.turn = Random() % n;
        WakePaused(l.blocks[Random() % n]);
    }
    for (;;) {
        for (size_t k = 0; k < n; k++) {
            Block &b = l.blocks[(l.turn + k) % n];
            if (b.ready > 0) {
                l.turn = (l.turn + k) % n;
                return PickIn(b);
            }
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

void Wait(State state) {
    Block &b = *current->block;
    current->state = state;
    b.ready--;
    b.paused += state == State::kPaused ? 1 : 0;
    SwitchTo(Pick());
}

// --- Barriers ------------------------------------------------------------------------------------

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

void Pause() { Wait(State::kPaused); }

void Interleave() {
    if (order_seed != 0 && Random() % 4 == 0) {
        SwitchTo(Pick());
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

uint64_t ResultOf(const Warp &w, const Meeting &m, unsigned lane) {
    const unsigned in = m.arrived;
    if (m.op == Op::kSync) {
        return 0;
    }
    if (m.op == Op::kShuffle) {
        const unsigned from = w.argument[lane];
        return in >> from & 1 ? w.value[from] : kPoison;
    }
    unsigned equal = 0;
    unsigned ballot = 0;
    uint64_t reduced = w.value[lane];
    for (unsigned i = 0; i < 32; i++) {
        if (in >> i & 1) {
            equal |= (unsigned)(w.value[i] == w.value[lane]) << i;
            ballot |= (unsigned)(w.value[i] != 0) << i;
            reduced = i == lane ? reduced : Reduce(m.op, reduced, w.value[i]);
        }
    }
    switch (m.op) {
        case Op::kBallot:
            return ballot;
        case Op::kMatchAny:
            return equal;
        case Op::kMatchAll:
            return equal == in ? in : 0;
        default:
            return reduced;
    }
}

// Ends the meeting if everybody is there. Every lane gets its result at once, so that values and
// arguments may be overwritten as soon as the first lane goes on.
bool Conclude(Warp &w, Meeting &m) {
    if ((m.arrived & w.alive) != (m.mask & w.alive)) {
        return false;
    }
    for (unsigned i = 0; i < 32; i++) {
        if (m.arrived >> i & 1) {
            w.lanes[i].result = ResultOf(w, m, i);
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

// --- Blocks --------------------------------------------------------------------------------------

uint3 BlockIndex() { return current->block->index; }
dim3 GridSize() { return launched->grid; }
dim3 BlockSize() { return launched->block; }

void *Shared(const void *key, size_t bytes) {
    std::vector<SharedObject> &objects = current->block->shared;
    for (SharedObject &object : objects) {
        if (object.key == key) {
            return object.bytes.get();
        }
    }
    objects.push_back({key, std::unique_ptr<char[]>(new char[bytes])});
    memset(objects.back().bytes.get(), 0xA5, bytes);  // what a device leaves there is arbitrary
    return objects.back().bytes.get();
}

void *DynamicShared() {
    static const char key = 0;
    return Shared(&key, launched->shared_bytes);
}

namespace {

void End() {
    Fibre *me = current;
    Block &b = *me->block;
    Warp &w = *me->warp;
    Require(me->copies == nullptr || me->copies->under_way.empty(),
            "a thread ends with asynchronous copies under way");
    Require(!launched->early || me->waited,
            "a thread of a kernel that may start early has not waited for the one before");
    delete me->copies;
    me->copies = nullptr;
    me->state = State::kDone;
    b.ready--;
    b.alive--;
    w.alive &= ~(1u << me->lane);
    launched->changes++;
    for (Meeting &m : w.meetings) {
        if (m.arrived != 0) {
            Conclude(w, m);
        }
    }
    if (b.alive > 0 && b.arrived == b.alive) {
        ReleaseBarrier(b);
    }
    SwitchTo(b.alive > 0 ? Pick() : &launched->main, true);
    abort();
}

void Enter() {
    AfterSwitch(current, launched->main.stack == nullptr ? &launched->main : nullptr);
    launched->body(launched->arguments);
    End();
}

// Stacks that no fibre uses, kept from launch to launch: mapping thousands takes longer than most
// kernels.
struct StackPool {
    std::vector<char *> stacks;
    ~StackPool() {
        for (char *stack : stacks) {
            munmap(stack, kStackBytes);
        }
    }
};
thread_local StackPool pool;

char *NewStack() {
    if (!pool.stacks.empty()) {
        char *stack = pool.stacks.back();
        pool.stacks.pop_back();
        return stack;
    }
    void *stack = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    Require(stack != MAP_FAILED, "no memory for a fibre's stack");
    return (char *)stack;
}

void KeepStack(char *stack) {
#if defined(EMULATION_ASAN)
    ASAN_UNPOISON_MEMORY_REGION(stack, kStackBytes);
#endif
    pool.stacks.push_back(stack);
}

// Makes b the block with that index, all its threads ready. Stacks are kept from block to block.
void Start(Block &b, uint64_t index) {
    const dim3 &grid = launched->grid;
    const dim3 &block = launched->block;
    const unsigned n = block.x * block.y * block.z;
    b.index = {(unsigned)(index % grid.x), (unsigned)(index / grid.x % grid.y),
               (unsigned)(index / grid.x / grid.y)};
    b.fibres.resize(n);
    b.warps.assign((n + 31) / 32, Warp());
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
            f.stack_size = kStackBytes;
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
        f.waited = false;
        PrepareStack(&f, Enter);
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

// The order in which blocks start.
std::vector<uint64_t> BlockOrder(uint64_t blocks) {
    std::vector<uint64_t> order(blocks);
    for (uint64_t i = 0; i < blocks; i++) {
        order[i] = i;
    }
    for (uint64_t i = blocks; order_seed != 0 && i > 1; i--) {
        std::swap(order[i - 1], order[Random() % i]);
    }
    return order;
}

// See Launch and LaunchEarly.
bool Run(dim3 grid, dim3 block, size_t shared_bytes, Body body, void *arguments, bool early) {
    const uint64_t threads = (uint64_t)block.x * block.y * block.z;
    const uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z;
    if (threads == 0 || threads > 1024 || block.z > 64 || blocks == 0 || grid.x > 0x7FFFFFFF ||
        grid.y > 65535 || grid.z > 65535 || shared_bytes > (227 << 10)) {
        return false;
    }
    Launched l = {};
    l.grid = grid;
    l.block = block;
    l.shared_bytes = shared_bytes;
    l.body = body;
    l.arguments = arguments;
    l.early = early;
    launched = &l;
    current = &l.main;
    random_state = order_seed;
    const std::vector<uint64_t> order = BlockOrder(blocks);
    l.blocks.resize(std::min<uint64_t>(blocks, Resident(threads)));
    uint64_t started = 0;
    for (Block &b : l.blocks) {
        Start(b, order[started++]);
    }
    // Comes back here whenever a block has ended.
    for (size_t resident = l.blocks.size(); resident > 0;) {
        SwitchTo(Pick());
        Block &ended = l.blocks[l.turn];
        if (started < blocks) {
            Start(ended, order[started++]);
        } else {
            resident--;
        }
    }
    Release(l);
    launched = nullptr;
    current = nullptr;
    return true;
}

}  // namespace

bool Launch(dim3 grid, dim3 block, size_t shared_bytes, Body body, void *arguments) {
    return Run(grid, block, shared_bytes, body, arguments, false);
}

bool LaunchEarly(dim3 grid, dim3 block, size_t shared_bytes, Body body, void *arguments) {
    return Run(grid, block, shared_bytes, body, arguments, true);
}

void WaitForKernelBefore() { current->waited = true; }

size_t Resident(size_t threads) {
    return std::min(kResidentBlocks, std::max<size_t>(1, kResidentThreads / threads));
}

void Order(uint64_t seed) { order_seed = seed; }

}  // namespace emulation
