// portion.h: the steps of systems whose rows are split over several members, each with a portion of
// every system in its own memory. A member reduces its portions to spans, two equations in the four
// unknowns at a portion's ends (span.cuh); gets the spans of all portions; solves for the unknowns
// at its ends; and goes back to all others. This is elimination with pivoting among all rows, as
// partition-pivot is anyway: portions are one more level of its tree. Plain C; the device side is
// in portion.cu. Whole systems over a group are in group.h; these steps are for those who exchange
// spans in a way of their own.
//
// Differences from the source (MPS of [DieguezThesis18]): members exchange a span, 10 numbers for a
// system, where triads of 48 bytes crossed for every element.
#ifndef PRIMITIVES_TRIDIAGONAL_PORTION_H_
#define PRIMITIVES_TRIDIAGONAL_PORTION_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/tridiagonal/tridiagonal.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TRIDIAGONAL_PORTIONS_MOST = 64 };  // of one system

// tridiagonal_portion: `batch` portions of n > 0 rows each, one after the other without gaps.
// before, behind: rows of the same systems stand there, in other members' portions.
typedef struct {
    tridiagonal_type type;
    tridiagonal_variant variant;  // a form of partition-pivot
    uint64_t n, batch;
    bool before, behind;
} tridiagonal_portion;

// tridiagonal_arrays: the arrays of tridiagonal.h, in memory of one member.
typedef struct {
    const void *a, *b, *c, *d;
    void *x;
} tridiagonal_arrays;

// tridiagonal_portion_rows: n is a multiple of it unless a portion is the last of its systems:
// 1024, or 512 by partition-pivot of doubles.
uint64_t tridiagonal_portion_rows(tridiagonal_type type, tridiagonal_variant variant);

// tridiagonal_span_bytes: of one span.
size_t tridiagonal_span_bytes(tridiagonal_type type, tridiagonal_variant variant);

// tridiagonal_portion_plan: how a portion is done; false if it is refused: not a form of
// partition-pivot, n = 0 or not a multiple, batch = 0, or sizes that tridiagonal.h refuses.
bool tridiagonal_portion_plan(const tridiagonal_portion *p, tridiagonal_plan *plan);

// tridiagonal_portion_bytes: workspace for both steps, which must be the same memory, as in
// tridiagonal.h; 0 for a portion that is refused.
size_t tridiagonal_portion_bytes(const tridiagonal_portion *p);

// tridiagonal_portion_reduce enqueues spans[s] = the span of portion s. x is not looked at. Two
// launches; reads 4 words a row.
result tridiagonal_portion_reduce(const tridiagonal_portion *p, const tridiagonal_arrays *rows,
                                  void *spans, void *workspace, size_t bytes, cuda_stream stream);

// tridiagonal_portion_solve enqueues x = the unknowns of the portions; it follows the other step of
// the same portions in the stream. spans: of all `portions` portions of the systems in their order,
// those of portion k at k batch; this one is number `own`. x may be d. status: NULL, or `batch`
// words: 0, or 1 where one of the portion's unknowns is not finite. neighbours: NULL, or 2 `batch`
// elements: the unknowns before and behind portion s, at 2 s and 2 s + 1, the same bits as in their
// own member's x; 0 where there is none. Three launches; reads 4 words a row and writes one.
result tridiagonal_portion_solve(const tridiagonal_portion *p, const tridiagonal_arrays *rows,
                                 const void *spans, unsigned portions, unsigned own,
                                 uint32_t *status, void *neighbours, void *workspace, size_t bytes,
                                 cuda_stream stream);

// tridiagonal_portions_largest enqueues to[i] = the largest of from[i], from[count + i], .. of
// `portions`, 0 if there are none, for i < count. Elements are words of 4 bytes, or of 8: doubles
// that are not negative. One launch.
result tridiagonal_portions_largest(void *to, const void *from, unsigned portions, uint64_t count,
                                    size_t element_bytes, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_TRIDIAGONAL_PORTION_H_
