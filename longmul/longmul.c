// longmul.c: the functions of longmul/*.h, over primitives/ and fft/.
#include "longmul/fft.h"

#include <string.h>

#include "fft/device/complex/transform.h"
#include "longmul/answer.h"
#include "longmul/scan.h"
#include "longmul/sort.h"
#include "longmul/tridiagonal.h"
#include "primitives/scan/reduce.h"
#include "primitives/scan/scan.h"
#include "primitives/sort/sort.h"
#include "primitives/tridiagonal/residual.h"
#include "primitives/tridiagonal/tridiagonal.h"

// Operators and keys have the numbers of the rooms below.
_Static_assert((int)LONGMUL_SUM_F32 == (int)MONOID_SUM_F32, "operators");
_Static_assert((int)LONGMUL_MAX_U32 == (int)MONOID_MAX_U32, "operators");
_Static_assert((int)LONGMUL_SUM_MOD61 == (int)MONOID_SUM_MOD61, "operators");
_Static_assert((int)LONGMUL_OPERATORS == (int)MONOID_KINDS, "operators");
_Static_assert((int)LONGMUL_I32 == (int)SORT_I32, "keys");
_Static_assert((int)LONGMUL_KEYS == (int)SORT_KEYS, "keys");
_Static_assert((int)LONGMUL_COMPLEX_F32 == (int)FFT_ID_COMPLEX_F32, "elements");
_Static_assert((int)LONGMUL_REAL_F32 == (int)FFT_ID_REAL_F32, "elements");
_Static_assert(sizeof(longmul_fft) >= sizeof(fft_id_plan), "room for a plan");

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
                             const void *c, const void *d, uint32_t *status, double *residual,
                             void *workspace, size_t bytes, longmul_stream stream) {
    tridiagonal_plan plan;
    if (!plan_of(systems, &plan) || (residual != NULL && x == d)) {
        return LONGMUL_REFUSED;
    }
    const result solved =
        tridiagonal_device(&plan, a, b, c, d, x, status, workspace, bytes, stream);
    if (solved != RESULT_OK || residual == NULL) {
        return status_of(solved);
    }
    return status_of(tridiagonal_residual(&plan.job, a, b, c, d, x, residual, stream));
}

// The plan within longmul_fft, and one that is refused where none was made: it has no stages.
static fft_id_plan fft_of(const longmul_fft *plan) {
    fft_id_plan of;
    memcpy(&of, plan->words, sizeof of);
    return of;
}

// Why there is no such transform, or NULL. A plan of small nodes tells what the problem lacks.
static const char *fft_refusal(const fft_id_problem *problem) {
    const unsigned most = fft_id_mixed(problem) ? 3 : fft_id_digits(problem);
    const uint8_t p = (uint8_t)(most < 3 ? most : 3);
    fft_id_plan any;
    return fft_id_make(&any, problem, (fft_id_tuple){p, p, 0}, FFT_ID_AFTER);
}

longmul_status longmul_fft_make(longmul_fft *plan, longmul_element element, int inverse, uint64_t n,
                                uint64_t batch, const char **why) {
    const char *unused, **const to = why != NULL ? why : &unused;
    fft_id_problem problem = {.element = (fft_id_element)element,
                              .direction = inverse ? FFT_ID_INVERSE : FFT_ID_FORWARD,
                              .order = FFT_ID_NATURAL,
                              .batch = batch};
    fft_id_plan made = {0};
    memset(plan, 0, sizeof *plan);
    *to = (unsigned)element >= LONGMUL_ELEMENTS ? "the element is none of those there are"
                                                : fft_id_set_length(&problem, n);
    *to = *to != NULL ? *to : fft_refusal(&problem);
    if (*to != NULL) {
        return LONGMUL_REFUSED;
    }
    if (!fft_device_plan(&made, &problem)) {
        *to = "built without CUDA";
        return LONGMUL_NO_DEVICE;
    }
    memcpy(plan->words, &made, sizeof made);
    return LONGMUL_OK;
}

size_t longmul_fft_table_bytes(const longmul_fft *plan) {
    const fft_id_plan of = fft_of(plan);
    return fft_device_table_bytes(&of);
}

size_t longmul_fft_workspace_bytes(const longmul_fft *plan) {
    const fft_id_plan of = fft_of(plan);
    return fft_device_workspace_bytes(&of);
}

longmul_status longmul_fft_tables(const longmul_fft *plan, void *tables, size_t bytes,
                                  longmul_stream stream) {
    const fft_id_plan of = fft_of(plan);
    return bytes < fft_device_table_bytes(&of) ? LONGMUL_REFUSED
                                               : status_of(fft_device_tables(&of, tables, stream));
}

longmul_status longmul_fft_run(const longmul_fft *plan, void *out, const void *in,
                               const void *tables, void *workspace, size_t bytes,
                               longmul_stream stream) {
    const fft_id_plan of = fft_of(plan);
    return bytes < fft_device_workspace_bytes(&of)
               ? LONGMUL_REFUSED
               : status_of(fft_device_transform(&of, in, out, workspace, tables, stream));
}
