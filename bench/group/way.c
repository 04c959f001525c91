// way.c: see way.h.
#include "bench/group/way.h"

#include <string.h>

device_member_way group_way_named(const char *name, struct argp_state *state) {
    device_member_way way = DEVICE_MEMBER_AUTO;
    while (way < DEVICE_MEMBER_WAYS && strcmp(name, device_member_way_name(way)) != 0) {
        way++;
    }
    if (way == DEVICE_MEMBER_WAYS) {
        argp_error(state, "no way is called '%s'", name);
    }
    return way;
}
