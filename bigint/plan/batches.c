// batches.c: the plans of batches.
#include "bigint/plan/call_plans.h"

#include "bigint/batch/products.h"
#include "bigint/device/batch/batch.h"
#include "bigint/device/batch/sums.h"

// --- Batches -------------------------------------------------------------------------------------

static void mul_batch_host(work_need *n, const bigint_call *c) {
    batch_mul_need(n, c->count, c->an, c->bn);
}
static void mul_batch_device(work_need *n, const bigint_call *c) {
    device_mul_batch_need(n, c->count, c->an, c->bn, false);
    device_mul_batch_need(n, c->count, c->an, c->bn, true);
}

static void mul_sum_batch_host(work_need *n, const bigint_call *c) {
    need_take_limbs(&n->host, 2 * c->count * (c->an + c->bn));
    mul_batch_host(n, c);
}
static void mul_sum_batch_device(work_need *n, const bigint_call *c) {
    device_mul_sum_batch_need(n, c->count, c->an, c->bn);
}

static int batch_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return context_on_device(ctx) ? device_mul_batch_print(ctx, buf, cap, c->count, c->an, c->bn)
                                  : batch_mul_print(ctx, buf, cap, c->count, c->an, c->bn);
}

const call_plan plan_mul_batch = {.host = mul_batch_host,
                                  .device = mul_batch_device,
                                  .line = batch_line,
                                  .needs = BATCH,
                                  .operands = 2};
const call_plan plan_mul_sum_batch = {.host = mul_sum_batch_host,
                                      .device = mul_sum_batch_device,
                                      .line = batch_line,
                                      .needs = BATCH,
                                      .operands = 2};
