// reduce_study.h: the reductions of the study [Koike15] as kernels of their own, what reduce.h is
// measured against: on a device or under the kernel emulation. Plain C; includes monoid_examples.h.
#ifndef TESTS_PRIMITIVES_SCAN_REDUCE_STUDY_H_
#define TESTS_PRIMITIVES_SCAN_REDUCE_STUDY_H_

#include "tests/primitives/scan/monoid_examples.h"

#ifdef __cplusplus
extern "C" {
#endif

// A group is a warp. AGPU counts: n elements, b words a transfer, p cores, M words of shared memory
// a multiprocessor, g groups (at most 8192) of whose products a tree is left.
//
//   form       order  time             I/O          multiplicity  launches
//   tree       kept   O(n log b / p)   3 n / (2 b)  M / (2 b)     log n / log (2 b)
//   matrix     kept   O(n / p)         n / b + 2 g  M / b^2       1 + log g / log (2 b)
//   pipeline   kept   O(n / p)         n / b + 2 g  M / (2 b)     1 + log g / log (2 b)
//   cascading  -      O(n / p)         n / b + 2 g  M             1 + log g / log (2 b)
//   tree-any   -      O(n log b / p)   3 n / (2 b)  M / (2 b)     log n / log (2 b)
//
// tree: each group folds 2 b neighbours, half of the cores idle after every step, and the results
// are the next launch's elements. matrix: each core folds a run of its own, b rows of runs at a
// time through a b x b matrix, so that loads are coalesced. pipeline: the cores of a group are the
// nodes of a tree that works on log b + 1 rows at once. cascading: each core folds a column.
// tree-any: as tree, but the first half of 2 b elements by the second, without bank conflicts.
typedef enum {
    STUDY_TREE,
    STUDY_MATRIX,
    STUDY_PIPELINE,
    STUDY_CASCADING,  // this one and what follows do not keep the order
    STUDY_TREE_COMMUTATIVE,
    STUDY_FORMS,
} study_form;

static const char *const study_names[STUDY_FORMS] = {"study-tree", "study-matrix", "study-pipeline",
                                                     "study-cascading", "study-tree-any"};

// study_workspace_bytes returns what both functions below need, for n <= 2^34.
size_t study_workspace_bytes(uint64_t n);

// study_sum enqueues *out = the sum of x[0..n), modulo 2^32. study_best_segment is
// example_best_segment; RESULT_REFUSED for the forms that do not keep the order, since that
// operator does not commute. n >= 1. Device memory throughout, the workspace aligned to 16 bytes;
// it may hold anything. Each element is read once.
result study_sum(uint32_t *out, const uint32_t *x, uint64_t n, study_form form, void *workspace,
                 cuda_stream stream);
result study_best_segment(example_segment *out, const int32_t *x, uint64_t n, study_form form,
                          void *workspace, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // TESTS_PRIMITIVES_SCAN_REDUCE_STUDY_H_
