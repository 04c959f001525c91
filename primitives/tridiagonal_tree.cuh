// tridiagonal_tree.cuh: trees of spans in a block's shared memory, and trees over the tiles of a
// long system in device memory. For tridiagonal_partition.cu. Includes tridiagonal_span.cuh and
// tridiagonal_levels.h.
#ifndef PRIMITIVES_TRIDIAGONAL_TREE_CUH_
#define PRIMITIVES_TRIDIAGONAL_TREE_CUH_

#include "primitives/tridiagonal_levels.h"
#include "primitives/tridiagonal_span.cuh"

// Slots of a tree: kJointValues values each, value after value. A slot holds a span until it is the
// right part of a join, and that joint from then on. Every 32nd slot is followed by a gap, so that
// neither consecutive slots nor every 2^k-th share a bank.
template <class T>
struct Slots {
    T *values;
    unsigned stride;

    DEVICE static unsigned Stride(unsigned count) { return count + count / kWarp; }
    DEVICE T &At(unsigned value, unsigned slot) const {
        return values[value * stride + slot + slot / kWarp];
    }
    DEVICE Span<T> LoadSpan(unsigned slot) const {
        Span<T> s;
#pragma unroll
        for (unsigned k = 0; k < 2; k++) {
            s.row[k] = {At(5 * k, slot), At(5 * k + 1, slot), At(5 * k + 2, slot),
                        At(5 * k + 3, slot), At(5 * k + 4, slot)};
        }
        return s;
    }
    DEVICE void StoreSpan(unsigned slot, const Span<T> &s) const {
#pragma unroll
        for (unsigned k = 0; k < 2; k++) {
            At(5 * k, slot) = s.row[k].far;
            At(5 * k + 1, slot) = s.row[k].near;
            At(5 * k + 2, slot) = s.row[k].u;
            At(5 * k + 3, slot) = s.row[k].v;
            At(5 * k + 4, slot) = s.row[k].d;
        }
    }
    DEVICE Joint<T> LoadJoint(unsigned slot) const {
        Joint<T> j;
#pragma unroll
        for (unsigned i = 0; i < kJointValues; i++) {
            j.e[i] = At(i, slot);
        }
        return j;
    }
    DEVICE void StoreJoint(unsigned slot, const Joint<T> &j) const {
#pragma unroll
        for (unsigned i = 0; i < kJointValues; i++) {
            At(i, slot) = j.e[i];
        }
    }
};

// The logarithm of a power of two.
HOST_DEVICE unsigned Log2(unsigned power) {
    unsigned log = 0;
    while (power >> log > 1) {
        log++;
    }
    return log;
}

// JoinTree joins the spans in slots 0 .. count of each of `trees` groups of 2^log_slots consecutive
// slots: the span of all stands in each group's first slot then, the joint at the
// border before span m in slot m. Called by the whole block; begins and ends with a barrier.
template <class T>
DEVICE void JoinTree(const Slots<T> &s, unsigned trees, unsigned log_slots, unsigned count) {
    __syncthreads();
    for (unsigned level = 0; level < log_slots; level++) {
        for (unsigned i = threadIdx.x; i < trees << (log_slots - level - 1); i += blockDim.x) {
            const unsigned left = 2 * i << level, right = left + (1u << level);
            if ((right & ((1u << log_slots) - 1)) < count) {
                Span<T> span = s.LoadSpan(left);
                const Joint<T> joint = Join(span, s.LoadSpan(right));
                s.StoreSpan(left, span);
                s.StoreJoint(right, joint);
            }
        }
        __syncthreads();
    }
}

// MeetTree goes back: the first and last border of each group are known, one more than slots to each,
// and those between are found. Called by the whole block; begins and ends with a barrier.
template <class T>
DEVICE void MeetTree(const Slots<T> &s, Border<T> *borders, unsigned trees, unsigned log_slots) {
    __syncthreads();
    for (unsigned level = log_slots; level-- > 0;) {
        for (unsigned i = threadIdx.x; i < trees << (log_slots - level - 1); i += blockDim.x) {
            const unsigned left = 2 * i << level, width = 1u << level;
            Border<T> *const b = borders + left + (left >> log_slots);
            b[width] = Meet(s.LoadJoint(left + width), b[0], b[2 * width]);
        }
        __syncthreads();
    }
}

// --- The tree over a system's tiles --------------------------------------------------------------

// One system's part of the workspace.
template <class T>
struct Ladder {
    T *values;
    uint32_t *counters;

    DEVICE Border<T> *Ends(const tridiagonal_levels &l) const {
        return (Border<T> *)(values + l.values - 2);
    }
};

// Climb hands on the span in slot 0, that of tile `tile`: of all blocks that bring a span of one
// group, the last joins them and hands on theirs. That one which joins the last group finds the
// system's ends. No block waits. Called by the whole block; slots has room for a group.
// Every span is released by the count that follows it and acquired by the count of the block that
// joins it, whose barrier hands that on to all its threads.
template <class T>
DEVICE bool Climb(const tridiagonal_levels &levels, const Ladder<T> &ladder, const Slots<T> &s,
                  uint64_t tile, uint32_t *is_last) {
    uint64_t index = tile;
    for (unsigned k = 0; k < levels.count; k++) {
        const tridiagonal_level &level = levels.level[k];
        const uint64_t group = index / level.slots, before = group * level.slots;
        const unsigned position = (unsigned)(index - before);
        const unsigned count =
            level.spans - before < level.slots ? (unsigned)(level.spans - before) : level.slots;
        T *const values = ladder.values + level.values + before * kJointValues;
        if (threadIdx.x == 0) {
            for (unsigned v = 0; v < kSpanValues; v++) {
                values[v * level.slots + position] = s.At(v, 0);
            }
            uint32_t *const counter = ladder.counters + level.counters + group;
            *is_last = AddAcquireRelease(counter, 1) == count - 1;
            if (*is_last != 0) {
                *counter = 0;  // ready for the next solve
            }
        }
        __syncthreads();
        if (*is_last == 0) {
            return false;
        }
        for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
            for (unsigned v = 0; v < kSpanValues; v++) {
                s.At(v, i) = values[v * level.slots + i];
            }
        }
        JoinTree(s, 1, Log2(level.slots), count);
        for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
            for (unsigned v = 0; v < kJointValues; v++) {
                values[v * level.slots + i] = s.At(v, i);
            }
        }
        index = group;
        __syncthreads();
    }
    return true;
}

// The joints on the way from a system's ends to a tile: at most so many. A group of 2^k slots has k
// on the way, and all groups together log2(tiles), each rounded up.
constexpr unsigned kPathJoints = 32;

// FetchPath copies the joints on the way to a tile into path, from its group upwards, and returns
// how many there are. Some slots on the way have no joint: what stands there is not used.
template <class T>
DEVICE unsigned FetchPath(const tridiagonal_levels &levels, const Ladder<T> &ladder, uint64_t tile,
                          Joint<T> *path) {
    uint64_t index = tile;
    unsigned joints = 0;
    for (unsigned k = 0; k < levels.count; k++) {
        const tridiagonal_level &level = levels.level[k];
        const unsigned position = (unsigned)(index % level.slots);
        index /= level.slots;
        const T *const values =
            ladder.values + level.values + index * level.slots * kJointValues;
        const unsigned steps = Log2(level.slots);
        for (unsigned i = threadIdx.x; i < steps * kJointValues; i += blockDim.x) {
            const unsigned step = i / kJointValues, v = i % kJointValues;
            const unsigned at = (position >> (step + 1) << (step + 1)) + (1u << step);
            path[joints + step].e[v] = values[v * level.slots + at];
        }
        joints += steps;
    }
    return joints;
}

// Descend finds the borders of a tile from the system's ends and the path. By one thread.
template <class T>
DEVICE void Descend(const tridiagonal_levels &levels, uint64_t tile, const Joint<T> *path,
                    unsigned joints, Border<T> *lo, Border<T> *hi) {
    for (unsigned k = levels.count; k-- > 0;) {
        const tridiagonal_level &level = levels.level[k];
        uint64_t index = tile;
        for (unsigned below = 0; below < k; below++) {
            index /= levels.level[below].slots;
        }
        const uint64_t before = index / level.slots * level.slots;
        const unsigned position = (unsigned)(index - before);
        for (unsigned width = level.slots / 2; width > 0; width /= 2) {
            joints--;
            const unsigned middle = position / (2 * width) * (2 * width) + width;
            if (before + middle >= level.spans) {
                continue;  // nothing stands to the right
            }
            (position >= middle ? *lo : *hi) = Meet(path[joints], *lo, *hi);
        }
    }
}

#endif  // PRIMITIVES_TRIDIAGONAL_TREE_CUH_
