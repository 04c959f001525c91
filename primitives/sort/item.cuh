// item.cuh: items as the kernels of sort.h hold them, in registers and in shared memory: keys
// mapped to unsigned integers of the same order, with or without a value. Includes order.h and
// warp.cuh.
#ifndef PRIMITIVES_SORT_ITEM_CUH_
#define PRIMITIVES_SORT_ITEM_CUH_

#include "primitives/cuda/warp.cuh"
#include "primitives/sort/order.h"

struct NoValue {};

template <class K, class V>
struct SortItem {
    static constexpr bool kHasValue = true;
    K key;
    V value;
};
template <class K>
struct SortItem<K, NoValue> {
    static constexpr bool kHasValue = false;
    K key;
};

template <class T>
DEVICE T SortShuffle(T v, unsigned bits) {
    return ShuffleXor(v, bits);
}
DEVICE word_pair SortShuffle(word_pair v, unsigned bits) {
    return (word_pair)ShuffleXor((uint64_t)(v >> 64), bits) << 64 | ShuffleXor((uint64_t)v, bits);
}

template <class K, class V>
DEVICE SortItem<K, V> SortShuffle(const SortItem<K, V> &x, unsigned bits) {
    SortItem<K, V> other;
    other.key = SortShuffle(x.key, bits);
    if constexpr (SortItem<K, V>::kHasValue) {
        other.value = SortShuffle(x.value, bits);
    }
    return other;
}

// SortCompare puts the smaller key into a. Equal keys stay, so that a filler item, which has the
// largest key, is never exchanged for a real one before it.
template <class K, class V>
DEVICE void SortCompare(SortItem<K, V> &a, SortItem<K, V> &b) {
    const bool exchange = b.key < a.key;
    const SortItem<K, V> low = exchange ? b : a;
    b = exchange ? a : b;
    a = low;
}
template <class K>
DEVICE void SortCompare(SortItem<K, NoValue> &a, SortItem<K, NoValue> &b) {
    const K low = b.key < a.key ? b.key : a.key;
    b.key = b.key < a.key ? a.key : b.key;
    a.key = low;
}

// SortKeep is one side of SortCompare between two lanes: upper says that `mine` is b.
template <class K, class V>
DEVICE SortItem<K, V> SortKeep(const SortItem<K, V> &mine, const SortItem<K, V> &other,
                               bool upper) {
    // Without branches, which the compiler would make of ?:.
    const bool exchange = ((mine.key < other.key) & upper) | ((other.key < mine.key) & !upper);
    return exchange ? other : mine;
}
template <class K>
DEVICE SortItem<K, NoValue> SortKeep(const SortItem<K, NoValue> &mine,
                                     const SortItem<K, NoValue> &other, bool upper) {
    const K low = other.key < mine.key ? other.key : mine.key;
    const K high = other.key < mine.key ? mine.key : other.key;
    return {upper ? high : low};
}

// Items in shared memory, keys apart from values. A gap of one element after every 128 bytes keeps
// lanes that are 16 items apart on different banks, and leaves neighbours side by side.
template <class K, class V>
struct SharedItems {
    using Item = SortItem<K, V>;
    K *keys;
    V *values;

    template <class T>
    HOST_DEVICE static unsigned Gap(unsigned i) {
        return i + i / (128 / sizeof(T));
    }
    // Bytes for n items: a multiple of 16.
    HOST_DEVICE static size_t KeyBytes(unsigned n) {
        return (sizeof(K) * Gap<K>(n) + 15) / 16 * 16;
    }
    HOST_DEVICE static size_t Bytes(unsigned n) {
        return KeyBytes(n) + (Item::kHasValue ? (sizeof(V) * Gap<V>(n) + 15) / 16 * 16 : 0);
    }
    DEVICE static SharedItems In(void *bytes, unsigned n) {
        return {(K *)bytes, (V *)((char *)bytes + KeyBytes(n))};
    }

    DEVICE K Key(unsigned i) const { return keys[Gap<K>(i)]; }
    DEVICE Item Load(unsigned i) const {
        Item x;
        x.key = keys[Gap<K>(i)];
        if constexpr (Item::kHasValue) {
            x.value = values[Gap<V>(i)];
        }
        return x;
    }
    DEVICE void Store(unsigned i, const Item &x) const {
        keys[Gap<K>(i)] = x.key;
        if constexpr (Item::kHasValue) {
            values[Gap<V>(i)] = x.value;
        }
    }
};

#endif  // PRIMITIVES_SORT_ITEM_CUH_
