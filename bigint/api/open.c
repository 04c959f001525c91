// open.c: devices: places and groups of them, opened and closed. The only file that reads the
// environment.
#include "bigint/api/open.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bigint/core/device_stream.h"
#include "bigint/core/names.h"
#include "bigint/group/device/carrier.h"
#include "bigint/group/open_members.h"
#include "bigint/group/transport_local.h"

enum { NAMES_TEXT = 128, DEVICE_TEXT = 220 };

const char *open_environment(const char *name) {
    const char *value = getenv(name);
    return value == NULL || value[0] == 0 ? NULL : value;
}

static bigint_status device_fail(bigint_device *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bigint_status device_fail(bigint_device *d, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(d->error, sizeof d->error, format, args);
    va_end(args);
    d->failed = BIGINT_ENOBACKEND;
    return d->failed;
}

bigint_status open_place(bigint_device *d, int place, const char *backend) {
    *d = (bigint_device){.place = place, .process = getpid()};
    const char *source = "";
    if (backend == NULL) {
        backend = open_environment("BIGINT_BACKEND");
        source = backend == NULL ? "" : "BIGINT_BACKEND: ";
    }
    if (backend == NULL) {
        backend = place == BIGINT_HOST ? "cpu" : "cuda";
    }
    char names[NAMES_TEXT];
    if (!names_read_backend(&d->backend, backend)) {
        return device_fail(d, "%sno backend is called '%.40s'; the backends are %s", source,
                           backend, names_join(names, sizeof names, bigint_backends()));
    }
    const bool cuda = d->backend == BACKEND_CUDA;
    if (cuda && place < 0) {
        return device_fail(d, "%sbackend cuda works on places 0 and above, not on place %d; %s",
                           source, place, "name a device, or use cpu or ref on BIGINT_HOST");
    }
    if (!cuda && place != BIGINT_HOST) {
        return device_fail(d,
                           "%sbackend %s works on the host alone, not on place %d; use BIGINT_HOST",
                           source, backend, place);
    }
    char why[DEVICE_TEXT];
    if (cuda && !device_place_usable(d, why, sizeof why)) {
        return device_fail(d, "%sbackend cuda cannot work on place %d: %s", source, place, why);
    }
    if (d->backend != BACKEND_REF) {
        d->features = cpu_detect();
    }
    return BIGINT_OK;
}

bigint_status bigint_device_open(bigint_device **out, int place, const char *backend) {
    *out = malloc(sizeof **out);
    return *out == NULL ? BIGINT_ENOMEM : open_place(*out, place, backend);
}

void bigint_device_close(bigint_device *device) {
    if (device != NULL && device->group != NULL) {
        device->group->transport->device_closed(device->group);
        free(device->group);
    }
    free(device);
}

const char *bigint_device_error(const bigint_device *device) {
    return device == NULL ? "no device: bigint_device_open found no memory for one" : device->error;
}

// --- Groups --------------------------------------------------------------------------------------

// open_places opens a group's members of this process; on failure d has the text.
static bigint_status open_places(bigint_device *d, const int *places, const char *backend) {
    group_device *const g = d->group;
    for (unsigned i = 0; i < g->local; i++) {
        const bigint_device *const p = &g->places[i];
        if (places[i] == BIGINT_GROUP) {
            device_fail(d, "member %u of the group is itself a group; name its places", i);
            d->failed = BIGINT_EINVAL;
            return d->failed;
        }
        if (open_place(&g->places[i], places[i], backend) != BIGINT_OK) {
            return device_fail(d, "member %u of the group: %s", g->first + i, p->error);
        }
    }
    d->backend = g->places[0].backend;
    d->features = g->places[0].features;
    return BIGINT_OK;
}

// shared_place: a place that several members have; BIGINT_HOST if none of these devices is shared.
static int shared_place(const int *places, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        for (unsigned j = 0; j < i; j++) {
            if (places[i] == places[j]) {
                return places[i];
            }
        }
    }
    return BIGINT_HOST;
}

// carries: whether the carrier can work between such members; device_fail if not.
static bool carries(bigint_device *d, const device_carrier *c, const int *places) {
    const group_device *const g = d->group;
    const int shared = shared_place(places, g->local);
    if (c->kind == CARRIER_PEER && g->local < g->members) {
        device_fail(d,
                    "peer copies do not go from process to process; use staged, nccl or nvshmem");
        return false;
    }
    if (c->kind == CARRIER_NVSHMEM && g->local > 1) {
        device_fail(d,
                    "NVSHMEM has one member a process; use peer, or a group of processes by MPI");
        return false;
    }
    if (c->kind == CARRIER_NCCL && shared != BIGINT_HOST) {
        device_fail(d,
                    "NCCL has one member a device, and several members of the group are on device "
                    "%d; use %s",
                    shared, g->local < g->members ? "staged" : "peer");
        return false;
    }
    return true;
}

// choose_carrier: what carries blocks between members that are devices: the one of that name, or
// BIGINT_EXCHANGE's. Members on the host have no such blocks.
static bigint_status choose_carrier(bigint_device *d, const int *places, const char *name) {
    group_device *const g = d->group;
    char why[DEVICE_TEXT];
    for (unsigned i = 0; i < g->local; i++) {
        if (places[i] == BIGINT_HOST) {
            return BIGINT_OK;
        }
    }
    name = name == NULL ? open_environment("BIGINT_EXCHANGE") : name;
    if (name == NULL) {
        name = g->local < g->members ? "staged" : "peer";
    }
    if (!carrier_load(&g->carrier, name, why, sizeof why)) {
        return device_fail(d, "exchange between devices: %s", why);
    }
    return carries(d, &g->carrier, places) ? BIGINT_OK : d->failed;
}

bigint_status bigint_device_open_members(bigint_device **out, const group_device *like,
                                         const int *places, const char *backend, const char *name) {
    bigint_device *const d = *out = malloc(sizeof *d);
    if (d == NULL) {
        return BIGINT_ENOMEM;
    }
    *d = (bigint_device){.place = BIGINT_GROUP, .process = getpid()};
    if (like->members == 0 || like->members > EXCHANGE_MEMBERS_MAX) {
        device_fail(d, "a group of %u members; a group has 1 to %d", like->members,
                    EXCHANGE_MEMBERS_MAX);
        d->failed = BIGINT_EINVAL;
        return d->failed;
    }
    d->group = malloc(sizeof *d->group + like->local * sizeof *d->group->places);
    if (d->group == NULL) {
        free(d);
        *out = NULL;
        return BIGINT_ENOMEM;
    }
    *d->group = *like;
    const bigint_status status = open_places(d, places, backend);
    return status == BIGINT_OK ? choose_carrier(d, places, name) : status;
}

bigint_status bigint_device_open_group(bigint_device **out, const int *places, unsigned count,
                                       const char *backend) {
    const group_device like = {.members = count, .local = count, .transport = &transport_local};
    return bigint_device_open_members(out, &like, places, backend, NULL);
}
