// longmul.c: the functions of longmul/*.h, over primitives/.
#include "longmul/scan.h"
#include "longmul/sort.h"
#include "longmul/tridiagonal.h"
#include "primitives/scan/reduce.h"
#include "primitives/scan/scan.h"
#include "primitives/sort/sort.h"
#include "primitives/tridiagonal/tridiagonal.h"

// Operators and keys have the numbers of the rooms below.
_Static_assert((int)LONGMUL_SUM_F32 == (int)MONOID_SUM_F32, "operators");
_Static_assert((int)LONGMUL_MAX_U32 == (int)MONOID_MAX_U32, "operators");
_Static_assert((int)LONGMUL_SUM_MOD61 == (int)MONOID_SUM_MOD61, "operators");
_Static_assert((int)LONGMUL_OPERATORS == (int)MONOID_KINDS, "operators");
_Static_assert((int)LONGMUL_I32 == (int)SORT_I32, "keys");
_Static_assert((int)LONGMUL_KEYS == (int)SORT_KEYS, "keys");

static longmul_status status_of(result r) {
    switch (r) {
        case RESULT_OK:
            return LONGMUL_OK;
        case RESULT_REFUSED:
            return LONGMUL_REFUSED;
        case RESULT_NO_DEVICE:
            return LONGMUL_NO_DEVICE;
        default:
            return LONGMUL_DEVICE_ERROR;
    }
}

static scan_job scan_of(longmul_operator op, int exclusive, uint64_t n, uint64_t rows) {
    return (scan_job){.op = (monoid)op, .exclusive = exclusive != 0, .n = n, .rows = rows};
}

size_t longmul_scan_workspace_bytes(longmul_operator op, uint64_t n, uint64_t rows) {
    const scan_job job = scan_of(op, 0, n, rows);
    return scan_workspace_bytes(&job);
}

longmul_status longmul_scan(longmul_operator op, int exclusive, void *out, const void *in,
                            uint64_t n, uint64_t rows, void *workspace, size_t bytes,
                            longmul_stream stream) {
    const scan_job job = scan_of(op, exclusive, n, rows);
    return status_of(scan_device(&job, out, in, workspace, bytes, stream));
}

size_t longmul_reduce_workspace_bytes(longmul_operator op, uint64_t n, uint64_t rows) {
    const reduce_job job = {.op = (monoid)op, .n = n, .rows = rows};
    return reduce_workspace_bytes(&job);
}

longmul_status longmul_reduce(longmul_operator op, void *out, const void *in, uint64_t n,
                              uint64_t rows, void *workspace, size_t bytes, longmul_stream stream) {
    const reduce_job job = {.op = (monoid)op, .n = n, .rows = rows};
    return status_of(reduce_device(&job, out, in, workspace, bytes, stream));
}

static bool sort_of(longmul_key key, unsigned value_bytes, uint64_t n, uint64_t rows, sort_job *job,
                    sort_plan *plan) {
    *job = (sort_job){(sort_key)key, value_bytes, n, rows, false};
    return sort_plan_make(job, sort_choose(job), plan);
}

size_t longmul_sort_workspace_bytes(longmul_key key, unsigned value_bytes, uint64_t n,
                                    uint64_t rows) {
    sort_job job;
    sort_plan plan;
    return sort_of(key, value_bytes, n, rows, &job, &plan) ? plan.workspace_bytes : 0;
}

longmul_status longmul_sort(longmul_key key, unsigned value_bytes, void *keys_out, void *values_out,
                            const void *keys_in, const void *values_in, uint64_t n, uint64_t rows,
                            void *workspace, size_t bytes, longmul_stream stream) {
    sort_job job;
    sort_plan plan;
    if (!sort_of(key, value_bytes, n, rows, &job, &plan)) {
        return LONGMUL_REFUSED;
    }
    const sort_arrays arrays = {keys_in, keys_out, values_in, values_out, NULL};
    return status_of(sort_device(&job, &plan, &arrays, workspace, bytes, stream));
}

static bool plan_of(const longmul_systems *s, tridiagonal_plan *plan) {
    const tridiagonal_job job = {s->is_double ? TRIDIAGONAL_F64 : TRIDIAGONAL_F32, s->n, s->batch,
                                 s->row_stride, s->system_stride};
    return tridiagonal_make_plan(plan, &job, TRIDIAGONAL_PARTITION_PIVOT);
}

size_t longmul_solve_workspace_bytes(const longmul_systems *systems) {
    tridiagonal_plan plan;
    return plan_of(systems, &plan) ? tridiagonal_workspace_bytes(&plan) : 0;
}

longmul_status longmul_solve(const longmul_systems *systems, void *x, const void *a, const void *b,
                             const void *c, const void *d, uint32_t *status, void *workspace,
                             size_t bytes, longmul_stream stream) {
    tridiagonal_plan plan;
    return plan_of(systems, &plan) ? status_of(tridiagonal_device(&plan, a, b, c, d, x, status,
                                                                  workspace, bytes, stream))
                                   : LONGMUL_REFUSED;
}
