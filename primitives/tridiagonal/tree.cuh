// tree.cuh: trees of spans in a block's shared memory, and trees over the tiles of a
// long system in device memory. For partition.cu. Includes span.cuh and
// levels.h.
#ifndef PRIMITIVES_TRIDIAGONAL_TREE_CUH_
#define PRIMITIVES_TRIDIAGONAL_TREE_CUH_

#include "primitives/tridiagonal/levels.h"
#include "primitives/tridiagonal/span.cuh"

// Slots of a tree: kJointValues values each, one slot after the other, with a gap of one value
// after as many slots as values fill all banks. So neither neighbouring slots nor every 2^k-th one
// share a bank: kJointValues is odd, and those of 2^k-th slots that would meet are gaps apart. A
// slot holds a span until it is the right part of a join, and that joint from then on.
template <class T>
struct Slots {
    T *values;

    static constexpr unsigned kBetweenGaps = 128 / sizeof(T);
    HOST_DEVICE static constexpr unsigned Values(unsigned count) {
        return kJointValues * count + count / kBetweenGaps;
    }
    DEVICE T &At(unsigned value, unsigned slot) const { return values[Values(slot) + value]; }
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
};

// The logarithm of a power of two.
HOST_DEVICE unsigned Log2(unsigned power) {
    unsigned log = 0;
    while (power >> log > 1) {
        log++;
    }
    return log;
}

// A row in x(m) and the four unknowns at the ends, during a join: `own` those of the side that the
// first pivot came from.
template <class T>
struct JoinRow {
    T m, own[2], other[2], d;
};

// Puts the row with the larger coefficient first.
template <class T>
DEVICE void Order(JoinRow<T> &p, JoinRow<T> &q) {
    const bool swap = fabs(q.m) > fabs(p.m);
    const JoinRow<T> larger = swap ? q : p;
    q = swap ? p : q;
    p = larger;
}

// Join makes one span, in slot `left`, of those in both slots, which are neighbours, and puts the
// joint into slot `right`. Of the four rows that know x(m-1) the one with the largest coefficient
// is the pivot, of the three that are left the one with the largest coefficient of x(m). A row of
// the side that the first pivot comes from does not know the other side's end, so rows are picked
// by their addresses, and only what is there is computed: 18 fused operations, 13 products, two
// reciprocals at most.
template <class T>
DEVICE void Join(const Slots<T> &slots, unsigned left, unsigned right) {
    T *const l = &slots.At(0, left), *const h = &slots.At(0, right);
    const T *const l1 = l + kRowFields, *const h1 = h + kRowFields;
    // x(m-1) is a left row's field 2, a right row's field 0; x(m) the field after.
    const T ml[2] = {l[2], l1[2]}, mh[2] = {h[0], h1[0]};
    const bool swap_l = fabs(ml[1]) > fabs(ml[0]), swap_h = fabs(mh[1]) > fabs(mh[0]);
    const bool high = fabs(swap_h ? mh[1] : mh[0]) > fabs(swap_l ? ml[1] : ml[0]);
    const bool swap = high ? swap_h : swap_l;
    const T *const p0 = high ? h : l, *const p1 = high ? h1 : l1;
    const T *const p = swap ? p1 : p0, *const q = swap ? p0 : p1;
    const T *const s[2] = {high ? l : h, high ? l1 : h1};
    const unsigned own = high ? 2 : 0, other = high ? 0 : 2;  // fields of the ends
    const T inverse = Reciprocal(p[other]);
    const T m = p[other + 1] * inverse, end0 = p[own] * inverse, end1 = p[own + 1] * inverse;
    const T d = p[4] * inverse;
    JoinRow<T> r[3];
    const T mq = q[other];
    r[0] = {fma(-mq, m, q[other + 1]),
            {fma(-mq, end0, q[own]), fma(-mq, end1, q[own + 1])},
            {0, 0},
            fma(-mq, d, q[4])};
#pragma unroll
    for (unsigned k = 0; k < 2; k++) {
        const T ms = s[k][own];
        r[1 + k] = {fma(-ms, m, s[k][own + 1]),
                    {-ms * end0, -ms * end1},
                    {s[k][other], s[k][other + 1]},
                    fma(-ms, d, s[k][4])};
    }
    Order(r[0], r[1]);
    Order(r[0], r[2]);
    const T second = Reciprocal(r[0].m);
    JoinRow<T> &e = r[0];
    e = {1,
         {e.own[0] * second, e.own[1] * second},
         {e.other[0] * second, e.other[1] * second},
         e.d * second};
#pragma unroll
    for (unsigned k = 0; k < 2; k++) {
        const JoinRow<T> &row = r[1 + k];
        T *const to = l + k * kRowFields;
        to[own] = fma(-row.m, e.own[0], row.own[0]);
        to[own + 1] = fma(-row.m, e.own[1], row.own[1]);
        to[other] = fma(-row.m, e.other[0], row.other[0]);
        to[other + 1] = fma(-row.m, e.other[1], row.other[1]);
        to[4] = fma(-row.m, e.d, row.d);
    }
    T *const joint = h, *const above = h + 5;
    joint[own] = end0;
    joint[own + 1] = end1;
    joint[other] = 0;
    joint[other + 1] = 0;
    joint[4] = d;
    above[own] = e.own[0];
    above[own + 1] = e.own[1];
    above[other] = e.other[0];
    above[other + 1] = e.other[1];
    above[4] = e.d;
    joint[10] = m;
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
                Join(s, left, right);
            }
        }
        __syncthreads();
    }
}

// MeetTree goes back: the borders 0 and count of each group are known, one more than slots to each,
// and those between are found. Called by the whole block; begins and ends with a barrier.
template <class T>
DEVICE void MeetTree(const Slots<T> &s, Border<T> *borders, unsigned trees, unsigned log_slots,
                     unsigned count) {
    __syncthreads();
    for (unsigned level = log_slots; level-- > 0;) {
        for (unsigned i = threadIdx.x; i < trees << (log_slots - level - 1); i += blockDim.x) {
            const unsigned left = 2 * i << level, width = 1u << level;
            const unsigned within = left & ((1u << log_slots) - 1);
            if (within + width < count) {
                const unsigned to = within + 2 * width < count ? 2 * width : count - within;
                Border<T> *const b = borders + left + (left >> log_slots);
                b[width] = Meet(s.LoadJoint(left + width), b[0], b[to]);
            }
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
        const unsigned slots = 1u << level.log_slots;
        const uint64_t group = index >> level.log_slots, before = group << level.log_slots;
        const unsigned position = (unsigned)(index - before);
        const unsigned count =
            level.spans - before < slots ? (unsigned)(level.spans - before) : slots;
        T *const values = ladder.values + level.values + before * kJointValues;
        if (threadIdx.x == 0) {
            for (unsigned v = 0; v < kSpanValues; v++) {
                values[(v << level.log_slots) + position] = s.At(v, 0);
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
                s.At(v, i) = values[(v << level.log_slots) + i];
            }
        }
        JoinTree(s, 1, level.log_slots, count);
        for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
            for (unsigned v = 0; v < kJointValues; v++) {
                values[(v << level.log_slots) + i] = s.At(v, i);
            }
        }
        index = group;
        __syncthreads();
    }
    return true;
}

// The joints on the way from a system's ends to a tile: at most this many. A group of 2^k slots has
// k on the way, and all groups together log2(tiles), each rounded up.
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
        const unsigned steps = level.log_slots;
        const unsigned position = (unsigned)index & ((1u << steps) - 1);
        index >>= steps;
        const T *const values = ladder.values + level.values + (index << steps) * kJointValues;
        for (unsigned i = threadIdx.x; i < steps * kJointValues; i += blockDim.x) {
            const unsigned step = i / kJointValues, v = i % kJointValues;
            const unsigned at = (position >> (step + 1) << (step + 1)) + (1u << step);
            path[joints + step].e[v] = values[(v << steps) + at];
        }
        joints += steps;
    }
    return joints;
}

// Descend finds the borders of a tile from the system's ends and the path. By one thread.
template <class T>
DEVICE void Descend(const tridiagonal_levels &levels, uint64_t tile, const Joint<T> *path,
                    unsigned joints, Border<T> *lo, Border<T> *hi) {
    unsigned below = 0;  // binary digits of a tile's number below those of its place in a level
    for (unsigned k = 0; k < levels.count; k++) {
        below += levels.level[k].log_slots;
    }
    for (unsigned k = levels.count; k-- > 0;) {
        const tridiagonal_level &level = levels.level[k];
        below -= level.log_slots;
        const unsigned slots = 1u << level.log_slots;
        const unsigned position = (unsigned)(tile >> below) & (slots - 1);
        const uint64_t before = (tile >> below) - position;
        for (unsigned width = slots / 2; width > 0; width /= 2) {
            joints--;
            const unsigned middle = (position & (0 - 2 * width)) + width;
            if (before + middle >= level.spans) {
                continue;  // nothing stands to the right
            }
            (position >= middle ? *lo : *hi) = Meet(path[joints], *lo, *hi);
        }
    }
}

#endif  // PRIMITIVES_TRIDIAGONAL_TREE_CUH_
