// way.c: see way.h.
#include "bench/group/way.h"

#include <string.h>

#include "bench/device/run.h"
#include "bigint/core/context.h"

enum { KEY_WAY = 0x3000, KEY_GROUPS, KEY_INNER, KEY_THIRDS, KEY_IN_TURN };
static const struct argp_option options[] = {
    {"way", KEY_WAY, "WAY", 0, "auto, alone, primes, columns or grid, where it can be; auto", 0},
    {"groups", KEY_GROUPS, "N", 0, "Of a grid: prime groups; by default the best number", 0},
    {"inner", KEY_INNER, "LG", 0, "Of columns: an inner pass of 2^LG points and second primes", 0},
    {"thirds", KEY_THIRDS, NULL, 0, "Of columns: one exchange beside each third of a convolution",
     0},
    {"in-turn", KEY_IN_TURN, NULL, 0, "Of columns: one share at a time", 0},
    {0}};

static device_member_way named(const char *name, const struct argp_state *state) {
    device_member_way way = DEVICE_MEMBER_AUTO;
    while (way < DEVICE_MEMBER_WAYS && strcmp(name, device_member_way_name(way)) != 0) {
        way++;
    }
    if (way == DEVICE_MEMBER_WAYS) {
        argp_error(state, "no way is called '%s'", name);
    }
    return way;
}

static error_t parse(int key, char *value, struct argp_state *state) {
    group_way *const w = state->input;
    switch (key) {
        case KEY_WAY:
            w->way = named(value, state);
            return 0;
        case KEY_GROUPS:
            w->prime_groups =
                (unsigned)device_run_number(state, "groups", value, 1, FFT_MODULAR_PRIMES);
            return 0;
        case KEY_INNER:
            w->lg_inner =
                (unsigned)device_run_number(state, "inner", value, 1, FFT_MODULAR_LG_OUTER);
            return 0;
        case KEY_THIRDS:
            w->pace = DEVICE_PACE_THIRDS;
            return 0;
        case KEY_IN_TURN:
            w->pace = DEVICE_PACE_IN_TURN;
            return 0;
        default:
            return ARGP_ERR_UNKNOWN;
    }
}

const struct argp group_way_options = {.options = options, .parser = parse};

void group_way_set(bigint_ctx *ctx, const group_way *way) {
    group *const g = ctx->group;
    g->way = way->way;
    g->prime_groups = way->prime_groups;
    g->lg_inner = way->lg_inner;
    g->pace = way->pace;
}
