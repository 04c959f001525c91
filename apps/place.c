// place.c: see place.h. May include machine.h for the clock and program.h for the exit codes.
#include "apps/place.h"

#include <err.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "apps/machine.h"
#include "apps/program.h"

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

int place_exit_code(bigint_status status) {
    switch (status) {
        case BIGINT_ENOMEM:
        case BIGINT_ERANGE:
            return EXIT_MEMORY;
        case BIGINT_ECHECK:
            return EXIT_WRONG;
        case BIGINT_EDEVICE:
        case BIGINT_EPEER:
            return EXIT_IO;
        default:
            return EXIT_USAGE;
    }
}

void place_must(const bigint_ctx *ctx, bigint_status status) {
    if (status == BIGINT_ENOMEM) {
        program_no_memory("%s", bigint_ctx_error(ctx));
    }
    if (status != BIGINT_OK) {
        errx(place_exit_code(status), "%s", bigint_ctx_error(ctx));
    }
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

bigint_status place_mul_from_host(const place *p, bigint *r, const bigint *a, const bigint *b,
                                  place_times *times) {
    const double began = seconds_now();
    const bigint_status status = bigint_mul(p->ctx, r, a, b);
    const double seconds = seconds_now() - began;
    *times = (place_times){seconds, seconds};
    return status;
}
