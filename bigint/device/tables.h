// tables.h: the tables of transforms that a context keeps on its device. Internal to bigint/.
#ifndef BIGINT_DEVICE_TABLES_H_
#define BIGINT_DEVICE_TABLES_H_

#include "bigint/core/context.h"
#include "bigint/device/plan.h"

// device_tables: the context's tables of a modular shape; device_float_tables: the tables of a
// floating-point plan; NULL if it has none.
// device_tables_missing: the bytes of the tables that the plan needs and the context does not have.
// device_tables_add makes these. device_tables_need makes the plan's tables and, with a cap, frees
// all others. device_tables_trim frees all.
const fft_modular_tables *device_tables(const bigint_ctx *ctx, const fft_modular_plan *shape);
const void *device_float_tables(const bigint_ctx *ctx, const device_plan *plan);
uint64_t device_tables_missing(const bigint_ctx *ctx, const device_plan *plan);
bigint_status device_tables_add(bigint_ctx *ctx, const char *who, const device_plan *plan);
bigint_status device_tables_need(bigint_ctx *ctx, const char *who, const device_plan *plan);
void device_tables_trim(bigint_ctx *ctx);

#endif  // BIGINT_DEVICE_TABLES_H_
