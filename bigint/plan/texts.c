// texts.c: the plans of texts and decimal products.
#include "bigint/plan/call_plans.h"

#include "bigint/device/decimal.h"
#include "bigint/device/text/decimal.h"
#include "bigint/text/mul_decimal.h"
#include "bigint/text/plan.h"
#include "bigint/text/text.h"

// --- Text ----------------------------------------------------------------------------------------

static void set_text_host(work_need *n, const bigint_call *c) {
    const text_radix radix = text_radix_of((int)c->k);
    text_read_need(n, &radix, c->an);
}
static void get_text_host(work_need *n, const bigint_call *c) {
    const text_radix radix = text_radix_of((int)c->k);
    text_write_need(n, &radix, c->an);
}

static void set_text_device(work_need *n, const bigint_call *c) {
    device_decimal_read_need(n, c->an);
}
static void get_text_device(work_need *n, const bigint_call *c) {
    device_decimal_write_need(n, c->an);
}

// digits_of: of a text that is read or written, or one more.
static uint64_t digits_of(const bigint_call *c) {
    return c->kind == BIGINT_CALL_SET_TEXT ? c->an
           : c->an == 0                    ? 1
                                           : text_digits_bound(&text_decimal, 64 * c->an);
}

static int set_text_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    if (context_on_device(ctx)) {
        return device_decimal_print(ctx, buf, cap, digits_of(c));
    }
    const text_radix radix = text_radix_of((int)c->k);
    return text_read_print(ctx, buf, cap, &radix, c->an);
}
static int get_text_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    if (context_on_device(ctx)) {
        return device_decimal_print(ctx, buf, cap, digits_of(c));
    }
    const text_radix radix = text_radix_of((int)c->k);
    return text_write_print(ctx, buf, cap, &radix, c->an);
}

static bool in_decimal(const bigint_ctx *ctx, const bigint_call *c) {
    return c->k == text_decimal.base && device_decimal_takes(ctx, digits_of(c));
}

const call_plan plan_set_text = {.host = set_text_host,
                                 .device = set_text_device,
                                 .takes = in_decimal,
                                 .line = set_text_line,
                                 .needs = NEEDS_BASE};
const call_plan plan_get_text = {.host = get_text_host,
                                 .device = get_text_device,
                                 .takes = in_decimal,
                                 .line = get_text_line,
                                 .needs = NEEDS_BASE,
                                 .operands = 1};

// --- Decimal products ----------------------------------------------------------------------------

static void decimal_host(work_need *n, const bigint_call *c) { decimal_host_need(n, c->an, c->bn); }
static void decimal_device(work_need *n, const bigint_call *c) {
    decimal_device_need(n, c->an, c->bn);
}

static int decimal_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return context_on_device(ctx) ? decimal_device_print(ctx, buf, cap, c->an, c->bn)
                                  : decimal_host_print(ctx, buf, cap, c->an, c->bn);
}

const call_plan plan_mul_decimal = {
    .host = decimal_host, .device = decimal_device, .line = decimal_line};
