// tables.c: the tables of transforms that a context keeps on its device, one for each shape in use.
#include "bigint/device/tables.h"

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/float.h"
#include "bigint/device/plan.h"
#include "bigint/multiply/float.h"

static void tables_free(bigint_ctx *ctx, product_tables *t) {
    workspace_release(ctx, MEMORY_DEVICE, t->memory, t->bytes);
    workspace_release(ctx, MEMORY_HOST, t, sizeof *t);
}

// serves_float: whether these are the tables of the plan's floating-point transform. A context has
// one engine, so all of them are of its type; modular ones have no points.
static bool serves_float(const product_tables *t, const device_plan *plan) {
    return mul_float_engine(plan->engine) &&
           t->points == fft_id_length(&plan->floats.transform.problem);
}

// serves: whether a plan needs these tables. (Those in floating point have no modular shape.)
static bool serves(const product_tables *t, const device_plan *plan) {
    const fft_modular_plan *const own = &t->tables.plan;
    return serves_float(t, plan) ||
           (device_modular(plan) &&
            (fft_modular_same_shape(own, &plan->modular) ||
             (plan->modular.wrapped > 0 && fft_modular_same_shape(own, &plan->high))));
}

// trim frees all tables except the plan's, if there is a plan.
static void trim(bigint_ctx *ctx, const device_plan *but) {
    for (product_tables **at = &ctx->queue.tables; *at != NULL;) {
        product_tables *const t = *at;
        if (but != NULL && serves(t, but)) {
            at = &t->next;
        } else {
            *at = t->next;
            tables_free(ctx, t);
        }
    }
}

void device_tables_trim(bigint_ctx *ctx) { trim(ctx, NULL); }

const fft_modular_tables *device_tables(const bigint_ctx *ctx, const fft_modular_plan *shape) {
    for (const product_tables *t = ctx->queue.tables; t != NULL; t = t->next) {
        if (fft_modular_same_shape(shape, &t->tables.plan)) {
            return &t->tables;
        }
    }
    return NULL;
}

const void *device_float_tables(const bigint_ctx *ctx, const device_plan *plan) {
    const product_tables *t = ctx->queue.tables;
    while (t != NULL && !serves_float(t, plan)) {
        t = t->next;
    }
    return t != NULL ? t->memory : NULL;
}

static uint64_t missing(const bigint_ctx *ctx, const fft_modular_plan *shape) {
    return device_tables(ctx, shape) != NULL
               ? 0
               : fft_modular_table_bytes(shape) + sizeof(product_tables);
}

uint64_t device_tables_missing(const bigint_ctx *ctx, const device_plan *plan) {
    uint64_t bytes = 0;
    if (mul_float_engine(plan->engine) && device_float_tables(ctx, plan) == NULL) {
        bytes += device_float_memory(plan).tables;
    }
    if (device_modular(plan)) {
        bytes += missing(ctx, &plan->modular);
        bytes += plan->modular.wrapped > 0 ? missing(ctx, &plan->high) : 0;
    }
    return bytes;
}

bigint_status device_tables_need(bigint_ctx *ctx, const char *who, const device_plan *plan) {
    if (ctx->options.max_workspace_bytes != 0) {
        trim(ctx, plan);  // others may be in the way
    }
    return device_tables_add(ctx, who, plan);
}

// tables_open: memory for tables of this many bytes, or NULL; tables_close adds them to the list if
// they were filled.
static product_tables *tables_open(bigint_ctx *ctx, const char *who, uint64_t bytes) {
    product_tables *t = workspace_allocate(ctx, who, MEMORY_HOST, sizeof *t);
    void *memory = t == NULL ? NULL : workspace_allocate(ctx, who, MEMORY_DEVICE, bytes);
    if (memory == NULL) {
        workspace_release(ctx, MEMORY_HOST, t, sizeof *t);
        return NULL;
    }
    *t = (product_tables){.next = ctx->queue.tables, .memory = memory, .bytes = bytes};
    return t;
}

static bigint_status tables_close(bigint_ctx *ctx, const char *who, product_tables *t,
                                  result done) {
    const bigint_status status = device_status(ctx, who, done);
    if (status != BIGINT_OK) {
        tables_free(ctx, t);
        return status;
    }
    ctx->queue.tables = t;
    return BIGINT_OK;
}

static bigint_status no_tables(const bigint_ctx *ctx) {
    return ctx->failed != BIGINT_OK ? ctx->failed : BIGINT_ENOMEM;
}

static bigint_status add(bigint_ctx *ctx, const char *who, const fft_modular_plan *shape) {
    product_tables *t = tables_open(ctx, who, fft_modular_table_bytes(shape));
    return t == NULL ? no_tables(ctx)
                     : tables_close(ctx, who, t,
                                    fft_modular_tables_make(&t->tables, shape, t->memory,
                                                            ctx->queue.stream));
}

static bigint_status add_float(bigint_ctx *ctx, const char *who, const device_plan *plan) {
    product_tables *t = tables_open(ctx, who, device_float_memory(plan).tables - sizeof *t);
    if (t == NULL) {
        return no_tables(ctx);
    }
    t->points = fft_id_length(&plan->floats.transform.problem);
    return tables_close(ctx, who, t,
                        fft_float_device_tables(&plan->floats, t->memory, ctx->queue.stream));
}

bigint_status device_tables_add(bigint_ctx *ctx, const char *who, const device_plan *plan) {
    bigint_status status = BIGINT_OK;
    if (mul_float_engine(plan->engine) && device_float_tables(ctx, plan) == NULL) {
        status = add_float(ctx, who, plan);
    }
    if (!device_modular(plan)) {
        return status;
    }
    if (status == BIGINT_OK && device_tables(ctx, &plan->modular) == NULL) {
        status = add(ctx, who, &plan->modular);
    }
    if (status == BIGINT_OK && plan->modular.wrapped > 0 &&
        device_tables(ctx, &plan->high) == NULL) {
        status = add(ctx, who, &plan->high);
    }
    return status;
}
