// place.c: see place.h. May include machine.h for the clock.
#include "apps/place.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "apps/machine.h"

bool place_parse(const char *value, int *at) {
    if (strcmp(value, "host") == 0 || strcmp(value, "auto") == 0) {
        *at = value[0] == 'h' ? BIGINT_HOST : PLACE_AUTO;
        return true;
    }
    char *end;
    const unsigned long ordinal =
        strtoul(value, &end, 10);  // ULONG_MAX if there are too many digits
    *at = (int)(ordinal & INT_MAX);
    return '0' <= value[0] && value[0] <= '9' && *end == '\0' && ordinal <= INT_MAX;
}

bigint_status place_open(place *p, int at, const char *backend, const bigint_ctx_options *options) {
    *p = (place){at, NULL};
    bigint_device *device;
    bigint_status status = bigint_device_open(&device, at, backend);
    if (device != NULL) {  // the context reports its failure
        status = bigint_ctx_create(&p->ctx, device, options);
    }
    bigint_device_close(device);
    return status;
}

void place_close(place *p) {
    bigint_ctx_destroy(p->ctx);
    p->ctx = NULL;
}

bigint_status place_mul(const place *p, bigint *r, bigint *a, bigint *b, place_times *times) {
    const double began = seconds_now();
    bigint_status status = bigint_move(p->ctx, a, p->at);
    if (status == BIGINT_OK) {
        status = bigint_move(p->ctx, b, p->at);
    }
    if (status == BIGINT_OK) {
        status = bigint_sync(p->ctx);
    }
    const double moved = seconds_now();
    if (status == BIGINT_OK) {
        status = bigint_mul(p->ctx, r, a, b);
    }
    if (status == BIGINT_OK) {
        status = bigint_sync(p->ctx);
    }
    const double multiplied = seconds_now();
    if (status == BIGINT_OK) {
        status = bigint_move(p->ctx, r, BIGINT_HOST);
    }
    *times = (place_times){multiplied - moved, seconds_now() - began};
    return status;
}
