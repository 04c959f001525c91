// order.h: checks jobs of sort.h, and maps their keys to unsigned integers of the same order. C++,
// host and device; includes host_device.h and sort.h.
#ifndef PRIMITIVES_SORT_ORDER_H_
#define PRIMITIVES_SORT_ORDER_H_

#include "primitives/sort/sort.h"
#include "primitives/words/host_device.h"

// K = uint32_t or uint64_t. sign: the top bit for signed kinds; flip: the others for floating
// point; otherwise 0. Negative floating-point numbers are complemented, so that larger magnitudes
// stand lower.
template <class K>
struct SortOrder {
    K sign, flip;
    static constexpr unsigned kTop = 8 * sizeof(K) - 1;

    HOST_DEVICE K Map(K bits) const { return bits ^ (((K)0 - (bits >> kTop)) & flip) ^ sign; }
    // A mapped negative number has top bit 0.
    HOST_DEVICE K Back(K key) const { return key ^ (((key >> kTop) - (K)1) & flip) ^ sign; }
};

template <class K>
SortOrder<K> SortOrderOf(sort_key key) {
    const K top = (K)1 << SortOrder<K>::kTop;
    const bool is_unsigned = key == SORT_U32 || key == SORT_U64;
    const bool floats = key == SORT_F32 || key == SORT_F64;
    return {is_unsigned ? (K)0 : top, floats ? (K)(top - 1) : (K)0};
}

inline unsigned SortKeyBytes(sort_key key) {
    return key == SORT_U64 || key == SORT_I64 || key == SORT_F64 ? 8 : 4;
}

// Elements in all.
inline uint64_t SortSize(const sort_job &job) { return job.ragged ? job.n : job.n * job.rows; }

// Types that exist, and a size of at most `most`.
inline bool SortJobValid(const sort_job &job, uint64_t most) {
    const bool types = (unsigned)job.key < SORT_KEYS &&
                       (job.value_bytes == 0 || job.value_bytes == 4 || job.value_bytes == 8);
    const bool size = job.ragged ? job.n <= most && (job.rows > 0 || job.n == 0)
                                 : job.n == 0 || job.rows <= most / job.n;
    return types && size;
}

#endif  // PRIMITIVES_SORT_ORDER_H_
