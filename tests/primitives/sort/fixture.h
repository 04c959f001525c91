// fixture.h: keys of every kind in patterns, and the judge of sorted ones: the C library's
// qsort with comparisons written out for each kind. For the tests of sort.h.
#ifndef TESTS_PRIMITIVES_SORT_FIXTURE_H_
#define TESTS_PRIMITIVES_SORT_FIXTURE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/sort/sort.h"
#include "tests/support/gen.h"

typedef enum {
    SORT_RANDOM,   // any bits: NaNs of both signs among floating-point keys
    SORT_SPECIAL,  // extremes, both zeros, infinities and NaNs, few others
    SORT_FEW,      // 4 different keys
    SORT_EQUAL,    // all bits one: the largest unsigned key, a NaN
    SORT_SORTED,
    SORT_REVERSED,
    SORT_ORGAN_PIPE,  // up, then down
    SORT_PATTERNS,
} sort_pattern;

const char *sort_pattern_name(sort_pattern p);
size_t sort_key_bytes(sort_key key);
const char *sort_key_name(sort_key key);

// sort_fill writes n keys. sort_number writes 0, 1, .. as values of that many bytes.
void sort_fill(gen *g, sort_pattern p, sort_key key, void *keys, size_t n);
void sort_number(void *values, unsigned bytes, size_t n);

// sort_wrong returns the first place in a row or segment [0..n) at which `out` is not the sorted
// order of `in`, or n. Values, if not NULL, are numbers from `first` on in the input's order. If
// stable, values of equal keys must keep that order. Otherwise each value must be beside its key,
// once.
size_t sort_wrong(sort_key key, bool stable, const void *in, const void *out, const void *values,
                  unsigned value_bytes, size_t first, size_t n);

// sort_first_wrong judges all rows or segments of a job; SIZE_MAX if all is well.
size_t sort_first_wrong(const sort_job *job, bool stable, const void *in, const void *out,
                        const void *values, const uint64_t *offsets);

// sort_cut fills offsets[0..rows] with segments of n elements in all, some empty, some long.
void sort_cut(gen *g, uint64_t *offsets, size_t rows, size_t n);

#endif  // TESTS_PRIMITIVES_SORT_FIXTURE_H_
