// place.c: see place.h. May include count.h, machine.h for the clock and program.h for the
// exit codes.
#include "apps/place.h"

#include <err.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "apps/count.h"
#include "apps/machine.h"
#include "apps/program.h"

int place_value(const char *value) {
    if (strcmp(value, "host") == 0) {
        return BIGINT_HOST;
    }
    if (strcmp(value, "auto") == 0) {
        return PLACE_AUTO;
    }
    char *end;
    const unsigned long at = strtoul(value, &end, 10);  // ULONG_MAX if there are too many digits
    if (value[0] < '0' || value[0] > '9' || *end != '\0' || at > INT_MAX) {
        errx(EXIT_USAGE, "--device: '%s' is neither a number nor host nor auto", value);
    }
    return (int)at;
}

uint32_t place_threads(const char *value) {
    const uint64_t threads = count_parse(value, "", 4096);
    if (threads == 0) {
        errx(EXIT_USAGE, "--threads: '%s' is not a number from 1 to 4096", value);
    }
    return (uint32_t)threads;
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
