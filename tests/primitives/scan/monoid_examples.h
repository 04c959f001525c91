// monoid_examples.h: what reductions and scans are for, by example, on a device or under the kernel
// emulation: questions about a sequence that become a reduction once a monoid is found which is
// closed under concatenation, h(y then z) = h(y) * h(z) [Koike15], and a scan that moves data.
// Plain C; includes result.h.
#ifndef TESTS_PRIMITIVES_SCAN_MONOID_EXAMPLES_H_
#define TESTS_PRIMITIVES_SCAN_MONOID_EXAMPLES_H_

#include <stddef.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// The best segment of a sequence of numbers, its total, its best suffix and its best prefix; the
// empty segment, of sum 0, among those that are best. Sums must stay below 2^31 in magnitude.
typedef struct {
    int32_t best, total, suffix, prefix;
} example_segment;

// example_workspace_bytes returns what each of the functions below needs, for n <= 2^30.
size_t example_workspace_bytes(uint64_t n);

// example_best_segment enqueues *out = that of x[0..n): an ordered reduction under an operator that
// does not commute, of 16 bytes. Two launches, x is read once. Device memory throughout, aligned to
// 256 bytes.
result example_best_segment(example_segment *out, const int32_t *x, uint64_t n, void *workspace,
                            cuda_stream stream);

// example_compare enqueues *out = -1, 0 or 1, as a[0..n) stands before, is, or stands behind b as a
// number whose digits lie least significant first: of two neighbouring stretches the higher one
// decides, unless it is equal. Two launches, each word is read once.
result example_compare(int32_t *out, const uint64_t *a, const uint64_t *b, uint64_t n,
                       void *workspace, cuda_stream stream);

// example_compact enqueues: the elements of x[0..n) that are not 0, in their order, to out, and
// their number to *kept. Flags, an exclusive scan of them (scan.h), and a store at the place that
// it says. out may hold n elements and is not x. n >= 1; the workspace's first
// example_workspace_bytes are zero before the first use.
result example_compact(uint32_t *out, uint32_t *kept, const uint32_t *x, uint64_t n,
                       void *workspace, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // TESTS_PRIMITIVES_SCAN_MONOID_EXAMPLES_H_
