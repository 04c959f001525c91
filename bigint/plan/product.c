// product.c: bigint_explain and bigint_workspace_bytes: how a product would be computed, and what
// it would cost.
#include "bigint/plan/product.h"

#include <stdio.h>

#include "bigint/api/host_need.h"
#include "bigint/core/arena.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/device/plan.h"
#include "bigint/group/device/product.h"
#include "bigint/group/group.h"
#include "bigint/group/group_devices.h"
#include "bigint/group/group_devices_plan.h"
#include "bigint/group/member_product.h"
#include "bigint/multiply/mul.h"

enum { LINE = 1024 };  // more than a plan's

bigint_status explain_line(bigint_ctx *ctx, const char *who, char *buf, size_t cap, size_t *need,
                           int (*print)(bigint_ctx *ctx, const void *plan, char *buf, size_t cap),
                           const void *plan) {
    const size_t characters = (size_t)print(ctx, plan, NULL, 0) + 1;
    if (need != NULL) {
        *need = characters;
    }
    const bigint_status status = bigint_check_capacity(ctx, who, "characters", cap, characters);
    if (status == BIGINT_OK) {
        print(ctx, plan, buf, characters);  // some snprintf miscount with a room of 2^61 and more
    }
    return status;
}

static int print_host(bigint_ctx *ctx, const void *plan, char *buf, size_t cap) {
    return mul_plan_print(ctx, plan, buf, cap);
}

static int print_device(bigint_ctx *ctx, const void *plan, char *buf, size_t cap) {
    return device_plan_print(ctx, plan, buf, cap);
}

// on_members: whether products are dealt out to members. Backend ref gathers them on the host.
static bool on_members(const bigint_ctx *ctx) {
    return context_on_group(ctx) && ctx->device.backend != BACKEND_REF;
}

// plan_group: the plan of a group.
static bigint_status plan_group(bigint_ctx *ctx, const char *who, member_plan *plan, uint64_t an,
                                uint64_t bn, bool square) {
    const uint64_t longer = an > bn ? an : bn, shorter = an > bn ? bn : an;
    const bigint_status status = bigint_check_product_size(ctx, who, an, bn);
    return status != BIGINT_OK ? status
                               : member_plan_make(ctx, who, plan, ctx->group->members, longer,
                                                  shorter, square, MEMBER_AUTO);
}

// group_bytes: the most that a member of this group holds.
static bigint_status group_bytes(bigint_ctx *ctx, uint64_t *bytes, const member_plan *plan) {
    bigint_ctx *const like = ctx->group->seats[0].self.ctx;  // as all members' contexts
    uint64_t most = 0;
    bigint_status status = BIGINT_OK;
    for (unsigned i = 0; i < plan->members && status == BIGINT_OK; i++) {
        uint64_t own;
        status = member_workspace_bytes(like, plan, i, &own);
        most = status == BIGINT_OK && own > most ? own : most;
    }
    if (status != BIGINT_OK) {
        return bigint_fail(ctx, status, "%s", bigint_ctx_error(like));
    }
    const uint64_t cap = ctx->options.max_workspace_bytes;
    *bytes = cap != 0 && most > cap ? cap : most;
    return BIGINT_OK;
}

static int print_group(bigint_ctx *ctx, const void *plan, char *buf, size_t cap) {
    (void)ctx;
    return member_plan_print(plan, buf, cap);
}

// members_plan: how a group's members compute a product: on the devices that they are, as one of
// them does if `alone`, or on the host.
typedef struct {
    bool devices, alone;
    device_member_plan dealt;
    device_plan own;  // of alone
    member_plan host;
} members_plan;

static bigint_status plan_devices(bigint_ctx *ctx, const char *who, members_plan *plan, uint64_t an,
                                  uint64_t bn, bool square) {
    bigint_ctx *const first = ctx->group->seats[0].self.ctx;
    bigint_status status =
        group_devices_plan(ctx, who, &plan->dealt, an > bn ? an : bn, an > bn ? bn : an, square);
    if (status != BIGINT_OK) {
        return status;
    }
    plan->alone = plan->dealt.way == DEVICE_MEMBER_ALONE;
    status =
        plan->alone ? device_plan_make(first, who, &plan->own, an, bn, square, false) : BIGINT_OK;
    return status == BIGINT_OK ? status : bigint_fail(ctx, status, "%s", bigint_ctx_error(first));
}

static bigint_status plan_members(bigint_ctx *ctx, const char *who, members_plan *plan, uint64_t an,
                                  uint64_t bn, bool square) {
    bigint_status status = bigint_check_product_size(ctx, who, an, bn);
    if (status == BIGINT_OK && an > 0 && bn > 0) {
        status = group_devices_ready(ctx, who, &plan->devices);
    }
    return status != BIGINT_OK ? status
           : plan->devices     ? plan_devices(ctx, who, plan, an, bn, square)
                               : plan_group(ctx, who, &plan->host, an, bn, square);
}

static int print_members(bigint_ctx *ctx, const void *plan, char *buf, size_t cap) {
    const members_plan *const p = plan;
    if (!p->devices) {
        return print_group(ctx, &p->host, buf, cap);
    }
    char dealt[LINE], own[LINE] = "";
    device_member_print(&p->dealt, dealt, sizeof dealt);
    if (p->alone) {
        print_device(ctx->group->seats[0].self.ctx, &p->own, own, sizeof own);
    }
    return snprintf(buf, cap, "%s%s%s", dealt, p->alone ? "; " : "", own);
}

// members_bytes: the most that a member holds.
static bigint_status members_bytes(bigint_ctx *ctx, uint64_t *bytes, const members_plan *plan) {
    if (!plan->devices) {
        return group_bytes(ctx, bytes, &plan->host);
    }
    const bigint_ctx *const first = ctx->group->seats[0].self.ctx;
    const uint64_t own = ctx->group->members == 1 ? 0 : device_member_bytes(&plan->dealt);
    *bytes = own + (plan->alone                ? device_held_bytes(first, &plan->own)
                    : plan->dealt.lg_inner > 0 ? 0  // tables are in the workspace
                                               : fft_modular_table_bytes(&plan->dealt.modular));
    return BIGINT_OK;
}

bigint_status explain_product(bigint_ctx *ctx, const char *who, char *buf, size_t cap, size_t *need,
                              uint64_t an, uint64_t bn, bool square) {
    bigint_status status = bigint_check_places(ctx, who, NULL, NULL, NULL);
    if (status == BIGINT_OK && context_on_device(ctx)) {
        device_plan plan;
        status = device_plan_make(ctx, who, &plan, an, bn, square, false);
        return status == BIGINT_OK ? explain_line(ctx, who, buf, cap, need, print_device, &plan)
                                   : status;
    }
    if (status == BIGINT_OK && on_members(ctx)) {
        members_plan plan = {.devices = false};
        status = plan_members(ctx, who, &plan, an, bn, square);
        return status == BIGINT_OK ? explain_line(ctx, who, buf, cap, need, print_members, &plan)
                                   : status;
    }
    mul_plan plan;
    if (status == BIGINT_OK) {
        status = mul_plan_make(ctx, who, &plan, an, bn, square);
    }
    return status == BIGINT_OK ? explain_line(ctx, who, buf, cap, need, print_host, &plan) : status;
}

bigint_status explain_product_bytes(bigint_ctx *ctx, const char *who, uint64_t *bytes, uint64_t an,
                                    uint64_t bn, bool square) {
    bigint_status status = bigint_check_places(ctx, who, NULL, NULL, NULL);
    if (status == BIGINT_OK && context_on_device(ctx)) {
        device_plan plan;
        status = device_plan_make(ctx, who, &plan, an, bn, square, false);
        if (status == BIGINT_OK) {
            *bytes = device_held_bytes(ctx, &plan);
        }
        return status;
    }
    if (status == BIGINT_OK && on_members(ctx)) {
        members_plan plan = {.devices = false};
        status = plan_members(ctx, who, &plan, an, bn, square);
        return status == BIGINT_OK ? members_bytes(ctx, bytes, &plan) : status;
    }
    mul_plan plan;
    if (status == BIGINT_OK) {
        status = mul_plan_make(ctx, who, &plan, an, bn, square);
    }
    if (status == BIGINT_OK) {
        // Includes the copy of an operand that the result replaces in place, or of an old value
        // that is put back if the call ends early. If that copy does not fit under the cap, none is
        // made, and the plan by itself keeps to the cap.
        const uint64_t cap = ctx->options.max_workspace_bytes;
        const uint64_t gathered = context_on_group(ctx) ? 2 * arena_limbs_bytes(an + bn) : 0;
        const uint64_t kept = !mul_plan_writes_late(ctx, an, bn) ? an + bn
                              : mul_plan_reads_first(ctx, &plan) ? 0
                                                                 : plan.an;
        const uint64_t all =
            arena_held_bytes(arena_limbs_bytes(kept) + plan.workspace_bytes + gathered) +
            plan.tables_bytes;
        *bytes = cap != 0 && all > cap ? cap : all;
    }
    return status;
}

static int print_from_host(bigint_ctx *ctx, const void *plan, char *buf, size_t cap) {
    return host_print(ctx, plan, buf, cap);
}

bigint_status explain_host_product(bigint_ctx *ctx, const char *who, char *buf, size_t cap,
                                   size_t *need, uint64_t an, uint64_t bn) {
    host_explained plan;
    const bigint_status status = host_explain(ctx, who, &plan, an, bn);
    return status == BIGINT_OK ? explain_line(ctx, who, buf, cap, need, print_from_host, &plan)
                               : status;
}

bigint_status bigint_explain(bigint_ctx *ctx, char *buf, size_t cap, size_t *need, uint64_t an,
                             uint64_t bn) {
    return explain_product(ctx, "bigint_explain", buf, cap, need, an, bn, false);
}

bigint_status bigint_workspace_bytes(bigint_ctx *ctx, uint64_t *bytes, uint64_t an, uint64_t bn) {
    return explain_product_bytes(ctx, "bigint_workspace_bytes", bytes, an, bn, false);
}
