// sort.h: sorts in ascending order on a device: rows of n keys one after another, each by itself,
// with a value beside each key or without. Rules: status.h; this workspace may hold anything.
#ifndef LONGMUL_SORT_H_
#define LONGMUL_SORT_H_

#include <stddef.h>
#include <stdint.h>

#include "longmul/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// Floating point by IEEE 754's total order: -0 before +0, NaNs at the ends.
typedef enum {
    LONGMUL_U32,
    LONGMUL_U64,
    LONGMUL_I32,
    LONGMUL_I64,
    LONGMUL_F32,
    LONGMUL_F64,
    LONGMUL_KEYS,
} longmul_key;

// longmul_sort enqueues the sort of every row. value_bytes: 0 (values are not looked at), 4 or 8.
// Outputs may be the inputs. n rows <= 2^34, rows < 2^31. Values of equal keys keep their order if
// rows = 1, n < 2^30 and a row is longer than a block holds (16 384 keys of 4 bytes); see
// primitives/sort/sort.h, which chooses. A workspace of 0 bytes may be NULL; 0 is also what
// longmul_sort_workspace_bytes returns for rows that need none.
LONGMUL_API size_t longmul_sort_workspace_bytes(longmul_key key, unsigned value_bytes, uint64_t n,
                                                uint64_t rows);
LONGMUL_API longmul_status longmul_sort(longmul_key key, unsigned value_bytes, void *keys_out,
                                        void *values_out, const void *keys_in,
                                        const void *values_in, uint64_t n, uint64_t rows,
                                        void *workspace, size_t bytes, longmul_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // LONGMUL_SORT_H_
