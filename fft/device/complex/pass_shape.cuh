// pass_shape.cuh: one pass of an index-digit transform as compile-time data: which digits a thread
// holds in registers from node to node, which bit of its number indexes each other digit, and where
// an item stands in shared memory. There is no arithmetic here. Includes
// primitives/cuda/device.cuh.
//
// A tile is 2^x transforms ("lines") of 2^q points, s = q + x digits in all. Slot i < x is digit i
// of the line's number, slot x + j - 1 is digit t_j of the point until a node consumes it, and a
// digit of the frequency from then on (docs/index_digit.md). A layout says where each slot is while
// items are in registers; between two layouts items go through shared memory.
//
// Shared memory. An item's address has slot i as its bit i, and to its lowest three (four for items
// of 8 bytes) bits others are added modulo 2, each slot to one of them, its bank. Lanes that are
// served together differ in the lowest thread bits of a layout; their slots have different banks,
// so no two of these lanes meet in one. Where a thread reads is where it writes next, so one
// barrier an exchange is enough.
//
// Clusters. A tile may be spread over 2^g blocks: the address's top g bits are the rank of the
// block that has the item in its shared memory, and the thread's number goes on with the block's
// rank. The top slots are the first node's, so the first exchange goes to all blocks; from then on
// these slots are the rank's in every layout, and exchanges stay within a block.
//
// Reversed order (docs/index_digit.md). A slot stays one digit of an item's place in memory: to
// reversed order that of the point, from reversed order that of the frequency. In each node's slots
// the digits of the other index then stand in reverse, and registers are renamed after the node, or
// before it.
#ifndef FFT_DEVICE_COMPLEX_PASS_SHAPE_CUH_
#define FFT_DEVICE_COMPLEX_PASS_SHAPE_CUH_

#include "fft/device/complex/pass_kernels.h"
#include "primitives/cuda/device.cuh"

// BitMap: bit i of a number moves to bit to[i]; nowhere if negative.
constexpr unsigned kMapBits = 20;
struct BitMap {
    int to[kMapBits] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                        -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

    // The map that moves bits by this one and then by the other.
    constexpr BitMap Then(const BitMap &next) const {
        BitMap m;
        for (unsigned i = 0; i < kMapBits; i++) {
            m.to[i] = to[i] < 0 ? -1 : next.to[to[i]];
        }
        return m;
    }
    constexpr BitMap Inverse() const {
        BitMap m;
        for (unsigned i = 0; i < kMapBits; i++) {
            if (to[i] >= 0) {
                m.to[to[i]] = (int)i;
            }
        }
        return m;
    }
    // Bits from i on that move by the same distance.
    __host__ __device__ constexpr unsigned Run(unsigned i) const {
        unsigned n = 1;
        while (i + n < kMapBits && to[i + n] == to[i] + (int)n) {
            n++;
        }
        return n;
    }
};

// MoveBits moves the bits of x by Map::kMap, in a shift and a mask for each run. Two bits that move
// to the same place add up modulo 2.
template <class Map, unsigned i = 0>
DEVICE unsigned MoveBits(unsigned x) {
    if constexpr (i >= kMapBits) {
        return 0;
    } else if constexpr (Map::kMap.to[i] < 0) {
        return MoveBits<Map, i + 1>(x);
    } else {
        constexpr unsigned n = Map::kMap.Run(i), to = (unsigned)Map::kMap.to[i];
        const unsigned bits = x & ((1u << n) - 1) << i;
        return (to >= i ? bits << (to - i) : bits >> (i - to)) ^ MoveBits<Map, i + n>(x);
    }
}

constexpr unsigned kMaxLayouts = kMaxNodes + 2;

// Layout: where each slot is while a thread has items in registers.
struct Layout {
    unsigned digits = 0;       // of the node; 0: items only come or go
    BitMap thread, registers;  // bits of the thread's, the register's number to slots, the node's
                               // slots being the register's lowest bits
};

// `nodes`: the nodes' digits, one hexadecimal digit each, the first one at the top.
HOST_DEVICE constexpr unsigned NodesOf(unsigned nodes) {
    return nodes > 0xFFF ? 4 : nodes > 0xFF ? 3 : nodes > 0xF ? 2 : 1;
}
HOST_DEVICE constexpr unsigned NodeDigits(unsigned nodes, unsigned node) {
    return nodes >> 4 * (NodesOf(nodes) - 1 - node) & 0xF;
}
// Digits that registers have: the largest node's.
HOST_DEVICE constexpr unsigned RegisterDigits(unsigned nodes) {
    unsigned most = 0;
    for (unsigned i = 0; i < NodesOf(nodes); i++) {
        most = NodeDigits(nodes, i) > most ? NodeDigits(nodes, i) : most;
    }
    return most;
}

// kNodes: as `nodes` above. kS: digits of a tile. kMode: PassModes.
template <unsigned kNodes, unsigned kS, unsigned kMode>
struct PassShape {
    static constexpr unsigned kNodesN = NodesOf(kNodes);
    HOST_DEVICE static constexpr unsigned Digits(unsigned node) { return NodeDigits(kNodes, node); }
    // Digits consumed before a node.
    __host__ __device__ static constexpr unsigned Before(unsigned node) {
        unsigned c = 0;
        for (unsigned i = 0; i < node; i++) {
            c += Digits(i);
        }
        return c;
    }
    static constexpr unsigned kQ = Before(kNodesN), kX = kS - kQ;
    static constexpr unsigned kP = RegisterDigits(kNodes);
    static constexpr unsigned kG = kMode >> kSpreadShift;  // digits of the block's rank
    static constexpr unsigned kThreadBits = kS - kP;       // of the cluster's threads
    static constexpr unsigned kThreads = 1u << (kThreadBits - kG);
    static constexpr unsigned kLocal = kS - kG;  // digits of an address in one block
    static constexpr unsigned kItems = 1u << kP;
    static constexpr bool kFromReversed = (kMode & kReversedIn) != 0;
    static constexpr bool kToReversed = (kMode & kReversedOut) != 0;
    static constexpr bool kStagedIn = (kMode & (kStageIn | kRealIn)) != 0;
    static constexpr bool kStagedOut = (kMode & (kStageOut | kRealOut)) != 0;
    static constexpr unsigned kFirst = kStagedIn ? 1 : 0;  // the first node's layout
    static constexpr unsigned kLayouts = kNodesN + kFirst + (kStagedOut ? 1 : 0);
    static_assert(kNodes <= 0xFFFF && kQ <= kS && kS >= kP && kS <= kMapBits, "no such shape");
    static_assert(kG == 0 || (kG <= Digits(0) && !kStagedIn), "the first node has the ranks");
    static_assert(!kFromReversed || !kToReversed, "one side is in natural order");

    // Slots in the order in which threads are numbered, those of the node left out.
    struct Order {
        unsigned n = 0, slot[kMapBits] = {};

        constexpr void Add(unsigned first, unsigned count, unsigned node_first, unsigned node_count,
                           unsigned end) {
            for (unsigned i = first; i < first + count && i < end; i++) {
                if (i < node_first || i >= node_first + node_count) {
                    slot[n++] = i;
                }
            }
        }
    };

    // Threads are numbered along memory where the layout loads or stores, and along the points that
    // are left elsewhere. Where pairs of reals' frequencies are combined, the index's last digit,
    // which tells a pair's two items apart, stands for a node's digits.
    static constexpr Layout Make(unsigned layout) {
        const bool loads = layout == 0, stores = layout == kLayouts - 1;
        const int node = (int)layout - (int)kFirst;
        const unsigned consumed = Before(node < 0 ? 0 : (unsigned)node);
        Layout l;
        l.digits = node >= 0 && node < (int)kNodesN ? Digits((unsigned)node) : 0;
        const unsigned left = kQ - consumed;  // digits of the point, the node's among them
        // Slots below that many digits in the order of points, above in that of frequencies.
        const unsigned points = loads && kFromReversed ? 0 : stores && kToReversed ? kQ : left;
        unsigned node_first = kX + left - l.digits;
        const bool columns = (loads && (kMode & kColumnsIn)) || (stores && (kMode & kColumnsOut));
        if ((loads && (kMode & kRealIn)) || (stores && (kMode & kRealOut))) {
            l.digits = 1;
            node_first = kX + (loads ? kQ : Digits(kNodesN - 1)) - 1;
        }
        const bool between = !loads && !stores;
        // The slots of the ranks come last of the threads' once they are known.
        const unsigned end = loads ? kS : kS - kG, threads = loads ? kThreadBits : kThreadBits - kG;
        Order order;
        if (columns) {
            order.Add(0, kX, node_first, l.digits, end);
        }
        order.Add(kX, points, node_first, l.digits, end);
        if (between) {  // not after the frequency: its first digits share banks with lines' digits
            order.Add(0, kX, node_first, l.digits, end);
        }
        // The frequency from f_1 on: node after node, each in the slots that it consumed.
        for (unsigned i = 0, at = kX + kQ; i < kNodesN && at > kX + points; i++) {
            at -= Digits(i);
            order.Add(at, Digits(i), node_first, l.digits, end);
        }
        if (!columns && !between) {
            order.Add(0, kX, node_first, l.digits, end);
        }
        for (unsigned i = 0; i < l.digits; i++) {
            l.registers.to[i] = (int)(node_first + i);
        }
        // kWarpsApart: the first node's slots that are not the ranks' come last of the threads'.
        const unsigned apart =
            (kMode & kWarpsApart) != 0 && kNodesN > 2 && layout > 0 ? Digits(0) - kG : 0;
        for (unsigned i = 0, in_thread = 0, in_register = l.digits; i < order.n; i++) {
            const unsigned slot = order.slot[i], first = end - apart;
            if (slot >= first) {
                l.thread.to[threads - apart + slot - first] = (int)slot;
            } else if (in_thread < threads - apart) {
                l.thread.to[in_thread++] = (int)slot;
            } else {
                l.registers.to[in_register++] = (int)slot;
            }
        }
        for (unsigned i = threads; i < kThreadBits; i++) {
            l.thread.to[i] = (int)(kLocal + i - threads);
        }
        return l;
    }
    struct All {
        Layout layout[kMaxLayouts];
    };
    static constexpr All MakeAll() {
        All all;
        for (unsigned i = 0; i < kLayouts; i++) {
            all.layout[i] = Make(i);
        }
        return all;
    }
    static constexpr All kAll = MakeAll();

    // Whether all that a thread takes in the exchange after a layout comes from its own warp: the
    // same slots tell warps apart before and after it.
    static constexpr bool StaysInWarp(unsigned layout) {
        constexpr unsigned kLgWarp = 5;
        static_assert(1u << kLgWarp == kWarp, "bits of a lane's number");
        bool stays = (kMode & kWarpsApart) != 0;
        for (unsigned i = kLgWarp; i < kThreadBits; i++) {
            stays =
                stays && kAll.layout[layout].thread.to[i] == kAll.layout[layout + 1].thread.to[i];
        }
        return stays;
    }

    // From a slot to the digit of the point that it is before all nodes, to the digit of the
    // frequency that it is after them, and to the digit of the line.
    static constexpr BitMap MakePoint() { return MakeIndex(false, kFromReversed); }
    static constexpr BitMap MakeFrequency() { return MakeIndex(true, kToReversed); }
    // The first node has the top digits of the point, the lowest of the frequency.
    static constexpr BitMap MakeIndex(bool frequency, bool reversed) {
        BitMap m;
        for (unsigned i = 0; i < kNodesN; i++) {
            const unsigned n = Digits(i), left = kQ - Before(i + 1);
            for (unsigned j = 0; j < n; j++) {
                const unsigned digit = reversed ? n - 1 - j : j;
                m.to[kX + left + j] = (int)((frequency ? Before(i) : left) + digit);
            }
        }
        return m;
    }
    static constexpr BitMap MakeLine() {
        BitMap m;
        for (int i = 0; i < (int)kX; i++) {
            m.to[i] = i;
        }
        return m;
    }
    // The digits of the point that are left after a node.
    static constexpr BitMap MakeLeft(unsigned node) {
        BitMap m = MakePoint();
        for (unsigned i = kQ - Before(node + 1); i < kQ; i++) {
            m.to[kX + i] = -1;
        }
        return m;
    }

    // Banks. Slots below bank_bits are their own; each other one takes the first that no slot
    // served together with it has.
    static constexpr bool Together(unsigned a, unsigned b, unsigned bank_bits) {
        for (unsigned i = 0; i < kLayouts; i++) {
            bool has_a = false, has_b = false;
            for (unsigned j = 0; j < bank_bits && j < kThreadBits - kG; j++) {
                const int slot = kAll.layout[i].thread.to[j];
                has_a = has_a || slot == (int)a;
                has_b = has_b || slot == (int)b;
            }
            if (has_a && has_b) {
                return true;
            }
        }
        return false;
    }
    static constexpr bool WithLowest(unsigned slot, unsigned bank_bits) {
        bool with = false;
        for (unsigned i = 0; i < bank_bits; i++) {
            with = with || Together(slot, i, bank_bits);
        }
        return with;
    }
    static constexpr BitMap MakeBanks(unsigned bank_bits) {
        BitMap bank;
        // Those first that are served with slots whose banks are given: they have fewest choices.
        for (unsigned i = 0; i < 2 * kS; i++) {
            const unsigned slot = i % kS;
            const bool now = slot < bank_bits || WithLowest(slot, bank_bits) == (i < kS);
            if (!now || bank.to[slot] >= 0) {
                continue;
            }
            unsigned taken = 0;
            for (unsigned other = 0; other < kS; other++) {
                const bool counts = bank.to[other] >= 0 && Together(slot, other, bank_bits);
                taken |= counts ? 1u << bank.to[other] : 0;
            }
            unsigned b = slot % bank_bits;
            for (unsigned j = 0; slot >= bank_bits && j < bank_bits && (taken >> b & 1) != 0; j++) {
                b = (b + 1) % bank_bits;
            }
            bank.to[slot] = (int)b;
        }
        return bank;
    }
    static constexpr bool BanksDiffer(unsigned bank_bits) {
        const BitMap bank = MakeBanks(bank_bits);
        for (unsigned a = 0; a < kS; a++) {
            for (unsigned b = 0; b < a; b++) {
                if (Together(a, b, bank_bits) && bank.to[a] == bank.to[b]) {
                    return false;
                }
            }
        }
        return true;
    }
    // What slots add to an address beside their own bits.
    static constexpr BitMap MakeSwizzle(unsigned bank_bits) {
        BitMap m = MakeBanks(bank_bits);
        for (unsigned i = 0; i < bank_bits; i++) {
            m.to[i] = -1;
        }
        return m;
    }
};

#endif  // FFT_DEVICE_COMPLEX_PASS_SHAPE_CUH_
