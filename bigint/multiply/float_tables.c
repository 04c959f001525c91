// float_tables.c: the tables of floating-point plans (float.h): the process's for short ones, the
// context's for the others.
#include "bigint/core/arena.h"
#include "bigint/multiply/float.h"
#include "bigint/multiply/shared_tables.h"

// float_tables: the tables of one transform. They follow this header at the next boundary of 64
// bytes.
struct float_tables {
    float_tables *next;
    uint64_t bytes;  // of all of it
    fft_complex_problem problem;
};

enum { TABLES_HEADER = (sizeof(float_tables) + 63) / 64 * 64 };

uint64_t mul_float_tables_bytes(const mul_float_plan *plan) {
    const fft_complex_plan *const transform = &plan->fft.transform;
    return shared_tables_have(transform) ? 0 : TABLES_HEADER + fft_complex_table_bytes(transform);
}

static const fft_complex_ops *ops_of(const bigint_ctx *ctx, const mul_float_plan *plan) {
    return ctx->floats[plan->fft.transform.problem.type];
}

const void *mul_float_find(const bigint_ctx *ctx, const mul_float_plan *plan) {
    const fft_complex_problem *const p = &plan->fft.transform.problem;
    const float_tables *t = ctx->float_tables;
    if (shared_tables_have(&plan->fft.transform)) {
        return shared_tables(ops_of(ctx, plan), &plan->fft.transform);
    }
    while (t && !(t->problem.type == p->type && t->problem.right_angle == p->right_angle &&
                  t->problem.length == p->length)) {
        t = t->next;
    }
    return t == NULL ? NULL : (const unsigned char *)t + TABLES_HEADER;
}

bigint_status mul_float_tables(bigint_ctx *ctx, const char *who, const mul_float_plan *plan) {
    if (mul_float_find(ctx, plan) != NULL) {
        return BIGINT_OK;
    }
    const uint64_t bytes = mul_float_tables_bytes(plan);
    float_tables *const t = workspace_allocate(ctx, who, MEMORY_HOST, bytes);
    if (!t) {
        return BIGINT_ENOMEM;
    }
    *t = (float_tables){ctx->float_tables, bytes, plan->fft.transform.problem};
    fft_complex_tables(ops_of(ctx, plan), &plan->fft.transform, (unsigned char *)t + TABLES_HEADER);
    ctx->float_tables = t;
    ctx->tables_bytes += bytes;
    return BIGINT_OK;
}

void mul_float_trim(bigint_ctx *ctx) {
    while (ctx->float_tables) {
        float_tables *const t = ctx->float_tables;
        ctx->float_tables = t->next;
        ctx->tables_bytes -= t->bytes;
        workspace_release(ctx, MEMORY_HOST, t, t->bytes);
    }
}

void mul_float_tables_need(work_need *n, const mul_float_plan *plan) {
    const fft_complex_problem *const p = &plan->fft.transform.problem;
    need_tables(n, p->length << 3 | (uint64_t)p->type << 1 | (p->right_angle ? 1 : 0),
                mul_float_tables_bytes(plan));
}
