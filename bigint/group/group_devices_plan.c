// group_devices_plan.c: see group_devices_plan.h.
#include "bigint/group/group_devices_plan.h"

#include "bigint/group/device/cost.h"
#include "bigint/group/group.h"

// refused: a product that members have no plan for.
static bigint_status refused(bigint_ctx *ctx, const char *who, const device_member_plan *plan,
                             const device_member_choice *choice) {
    const unsigned long long an = plan->an, bn = plan->bn;
    if (plan->way == DEVICE_MEMBER_AUTO) {
        return bigint_fail(ctx, BIGINT_ERANGE,
                           "%s: no exact plan for %llu by %llu limbs on %u devices: a transform of "
                           "more than 7 x 2^35 points, or products that are not dealt out and too "
                           "long for one",
                           who, an, bn, plan->members);
    }
    const uint64_t held = device_member_held_bytes(plan),
                   has = choice->room < choice->memory ? choice->room : choice->memory;
    return bigint_fail(ctx, BIGINT_ENOMEM,
                       "%s: %llu by %llu limbs take %llu bytes on each of %u devices, which have "
                       "%llu; take %llu devices",
                       who, an, bn, (unsigned long long)held, plan->members,
                       (unsigned long long)has,
                       (unsigned long long)((double)held / (double)has * plan->members + 1));
}

static device_member_choice choice_of(const bigint_ctx *ctx) {
    const group *const g = ctx->group;
    const uint64_t cap = ctx->options.max_workspace_bytes;
    return (device_member_choice){
        .members = g->members,
        .devices = g->devices.devices,
        .alone = ctx->check_modulus != 0 ||
                 (ctx->engine != ENGINE_AUTO && ctx->engine != ENGINE_MODULAR_FFT),
        .clusters = g->devices.clusters,
        .room = cap == 0 ? UINT64_MAX : cap,
        .memory = g->devices.room,
        .carrier = g->carrier.kind,
        .way = g->way,
        .prime_groups = g->prime_groups,
        .shape = g->shape,
        .lg_inner = g->lg_inner,
        .pace = g->pace};
}

// is_planned: whether the group's last plan is for this. Of one group the rest of a choice is the
// same.
static bool is_planned(const group *g, uint64_t an, uint64_t bn, bool square,
                       const device_member_choice *choice) {
    const device_member_choice *const last = &g->planned_for;
    return g->planned.an == an && g->planned.bn == bn && g->planned.square == square &&
           last->alone == choice->alone && last->room == choice->room && last->way == choice->way &&
           last->prime_groups == choice->prime_groups && last->shape == choice->shape &&
           last->lg_inner == choice->lg_inner && last->pace == choice->pace;
}

bigint_status group_devices_plan(bigint_ctx *ctx, const char *who, device_member_plan *plan,
                                 uint64_t an, uint64_t bn, bool square) {
    group *const g = ctx->group;
    const device_member_choice wanted = choice_of(ctx);
    if (is_planned(g, an, bn, square, &wanted)) {
        *plan = g->planned;
        return BIGINT_OK;
    }
    device_member_choice choice = wanted;
    bool made = device_member_plan_make(plan, an, bn, square, &choice);
    if (!made && g->way != DEVICE_MEMBER_AUTO) {  // which is taken where it can be
        choice.way = DEVICE_MEMBER_ALONE;
        made = device_member_plan_make(plan, an, bn, square, &choice);
    }
    if (!made) {
        return refused(ctx, who, plan, &choice);
    }
    g->planned = *plan;
    g->planned_for = wanted;
    return BIGINT_OK;
}
