// scan.h: prefix sums and reductions on a device under a fixed operator. Rows lie one after another
// without gaps, each scanned or reduced by itself; n rows <= 2^34. Rules: status.h.
#ifndef LONGMUL_SCAN_H_
#define LONGMUL_SCAN_H_

#include <stddef.h>
#include <stdint.h>

#include "longmul/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    LONGMUL_SUM_U32,     // uint32_t, modulo 2^32
    LONGMUL_SUM_U64,     // uint64_t, modulo 2^64
    LONGMUL_SUM_F32,     // float; its bits may differ from call to call in scans of long rows
    LONGMUL_SUM_F64,     // double; likewise
    LONGMUL_MAX_U32,     // uint32_t
    LONGMUL_AFFINE_U32,  // {slope, offset}, uint32_t: x -> slope x + offset, the lower one first
    LONGMUL_MAP3,        // uint8_t: maps f of {0, 1, 2}, f(i) in bits 2 i and 2 i + 1
    LONGMUL_SUM_MOD61,   // uint64_t below 2^61 - 1, modulo it
    LONGMUL_OPERATORS,
} longmul_operator;

// longmul_scan enqueues, for every row, out[i] = in[0] * .. * in[i] or, exclusive, the identity and
// then in[0] * .. * in[i - 1]. out may be in. One launch, each element read and written once.
LONGMUL_API size_t longmul_scan_workspace_bytes(longmul_operator op, uint64_t n, uint64_t rows);
LONGMUL_API longmul_status longmul_scan(longmul_operator op, int exclusive, void *out,
                                        const void *in, uint64_t n, uint64_t rows, void *workspace,
                                        size_t bytes, longmul_stream stream);

// longmul_reduce enqueues out[r] = the product of row r in its order, the identity if n = 0, r <
// rows < 2^31. One launch, each element read once.
LONGMUL_API size_t longmul_reduce_workspace_bytes(longmul_operator op, uint64_t n, uint64_t rows);
LONGMUL_API longmul_status longmul_reduce(longmul_operator op, void *out, const void *in,
                                          uint64_t n, uint64_t rows, void *workspace, size_t bytes,
                                          longmul_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // LONGMUL_SCAN_H_
