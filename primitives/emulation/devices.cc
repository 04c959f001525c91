// devices.cc: devices, their memory and its protection. See devices.h.
#include "primitives/emulation/devices.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>

#include "primitives/emulation/blocks.h"

namespace emulation {

namespace {

// An allocation where there are several devices: whole pages.
struct Region {
    size_t bytes;
    int owner;
    Memory kind;
    bool open;  // its pages can be touched now
};

struct Machine {
    std::recursive_mutex mutex;
    int count = 1;
    bool granted[kMemories][kMaxDevices][kMaxDevices] = {};  // by owner, to device
    std::map<uintptr_t, Region> regions;                     // by address
};

Machine &TheMachine() {
    static Machine machine;
    return machine;
}

__thread int current_device;
__thread int acting = kHost;
__thread bool has_signal_stack;
__thread char signal_stack[64 << 10];

// The region that holds an address, or nullptr.
const Region *Find(const void *p) {
    const std::map<uintptr_t, Region> &regions = TheMachine().regions;
    auto after = regions.upper_bound((uintptr_t)p);
    if (after == regions.begin()) {
        return nullptr;
    }
    const auto at = std::prev(after);
    return (uintptr_t)p - at->first < at->second.bytes ? &at->second : nullptr;
}

bool MayTouch(int device, const Region &r) {
    return device == kAnyDevice || device == r.owner ||
           (device != kHost && TheMachine().granted[r.kind][r.owner][device]);
}

void Protect(uintptr_t base, Region *r) {
    const bool open = MayTouch(acting, *r);
    if (open != r->open) {
        Require(mprotect((void *)base, r->bytes, open ? PROT_READ | PROT_WRITE : PROT_NONE) == 0,
                "cannot protect memory");
        r->open = open;
    }
}

// Makes pages accessible as `device` sees them.
void See(int device) {
    acting = device;
    for (auto &r : TheMachine().regions) {
        Protect(r.first, &r.second);
    }
}

// An access that is not in device memory happens again and meets the default action.
void OnFault(int, siginfo_t *info, void *) {
    const Region *r = Find(info->si_addr);
    if (r == nullptr) {
        signal(SIGSEGV, SIG_DFL);
        return;
    }
    char text[128], who[32] = "the host";
    if (acting != kHost) {
        snprintf(who, sizeof who, "device %d", acting);
    }
    snprintf(text, sizeof text, "%s touches memory of device %d%s, to which it has no access", who,
             r->owner, r->kind == kPool ? "'s pool" : "");
    Require(false, text);
}

// A fibre's stack may be too small for the handler. A sanitizer may have given a stack before.
void GiveSignalStack() {
    stack_t stack = {};
    if (sigaltstack(nullptr, &stack) == 0 && (stack.ss_flags & SS_DISABLE) != 0) {
        stack = {};
        stack.ss_sp = signal_stack;
        stack.ss_size = sizeof signal_stack;
        sigaltstack(&stack, nullptr);
    }
    has_signal_stack = true;
}

}  // namespace

void Devices(int count) {
    const Locked locked;
    Machine &m = TheMachine();
    Require(count >= 1 && count <= kMaxDevices, "no such number of devices");
    Require(m.regions.empty(), "the number of devices changes while memory is allocated");
    m.count = count;
    memset(m.granted, 0, sizeof m.granted);
    struct sigaction action = {};
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    action.sa_sigaction = OnFault;
    sigaction(SIGSEGV, &action, nullptr);
}

int DeviceCount() { return TheMachine().count; }

int CurrentDevice() { return current_device; }

void SetCurrentDevice(int device) { current_device = device; }

// --- Memory --------------------------------------------------------------------------------------

void *NewHostMemory(size_t bytes) {
    void *p = aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (p != nullptr) {
        memset(p, 0xA5, bytes);
    }
    return p;
}

void *NewMemory(Memory kind, int device, size_t bytes) {
    const Locked locked;
    Machine &m = TheMachine();
    if (m.count == 1) {
        return NewHostMemory(bytes);
    }
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (bytes + page - 1) / page * page;
    void *p = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) {
        return nullptr;
    }
    memset(p, 0xA5, whole);
    Region &r = m.regions[(uintptr_t)p] = {whole, device, kind, true};
    Protect((uintptr_t)p, &r);
    return p;
}

void FreeMemory(void *p) {
    const Locked locked;
    Machine &m = TheMachine();
    const auto at = m.regions.find((uintptr_t)p);
    if (at == m.regions.end()) {
        free(p);
        return;
    }
    munmap(p, at->second.bytes);
    m.regions.erase(at);
}

bool Owns(int device, const void *p) {
    const Locked locked;
    if (TheMachine().count == 1) {
        return device == 0;
    }
    const Region *r = Find(p);
    return r != nullptr && r->owner == device;
}

bool Grant(Memory kind, int owner, int device) {
    const Locked locked;
    bool &granted = TheMachine().granted[kind][owner][device];
    const bool before = granted;
    granted = true;
    return !before;
}

// --- Threads -------------------------------------------------------------------------------------

Locked::Locked() { TheMachine().mutex.lock(); }
Locked::~Locked() { TheMachine().mutex.unlock(); }

Acting::Acting(int device) : before_(acting) {
    if (!has_signal_stack && TheMachine().count > 1) {
        GiveSignalStack();
    }
    See(device);
}
Acting::~Acting() { See(before_); }

}  // namespace emulation
