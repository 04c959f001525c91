// loops.h: the loops over elements of scan_host and reduce_host, a table for each instruction
// set. C++. loops.cc is compiled once for each, with that set's flags; host.cc chooses.
#ifndef PRIMITIVES_SCAN_LOOPS_H_
#define PRIMITIVES_SCAN_LOOPS_H_

#include <cstdint>
#include <cstring>

#include "primitives/scan/monoid.h"

// A batch of rows of n elements in host memory.
struct ScanRows {
    const void *in;
    void *out;
    uint64_t n;
    bool exclusive;
};

// For one operator. Products travel as words: the element's bytes, then zeros.
struct ScanLoops {
    // Scans elements first..last of the batch, `product` standing before them in their row.
    void (*scan)(const ScanRows &rows, uint64_t first, uint64_t last, uint64_t product);
    // The product of elements first..last, all of one row.
    uint64_t (*fold)(const void *in, uint64_t first, uint64_t last);
};

extern const ScanLoops scan_loops_portable[MONOID_KINDS];
extern const ScanLoops scan_loops_avx2[MONOID_KINDS];
extern const ScanLoops scan_loops_avx512[MONOID_KINDS];

template <class T>
static inline uint64_t ToWord(T v) {
    uint64_t word = 0;
    memcpy(&word, &v, sizeof v);
    return word;
}

template <class T>
static inline T FromWord(uint64_t word) {
    T v;
    memcpy(&v, &word, sizeof v);
    return v;
}

#endif  // PRIMITIVES_SCAN_LOOPS_H_
