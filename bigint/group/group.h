// group.h: a group: its members in this process, and how a program runs on them. Internal to
// bigint/.
#ifndef BIGINT_GROUP_GROUP_H_
#define BIGINT_GROUP_GROUP_H_

#include "bigint/core/context.h"
#include "bigint/group/device/carrier.h"
#include "bigint/group/device/exchange.h"
#include "bigint/group/device/product.h"
#include "bigint/group/device_facts.h"
#include "bigint/group/exchange/crew.h"
#include "bigint/group/exchange/member.h"

// group_transport: where the endpoints of a context's members come from.
typedef struct {
    // open fills endpoints[i] for the i-th member of this process; *state is for close. so_far: how
    // it went here up to now; if not OK, no endpoint is made here, nor in any other process of the
    // group, all of which call this. timeout_s: of the context's options. On failure it records a
    // text in ctx, which is NULL if there was no memory for it.
    bigint_status (*open)(bigint_ctx *ctx, const struct group_device *device, bigint_status so_far,
                          double timeout_s, exchange **endpoints, void **state);
    void (*close)(bigint_ctx *ctx, const struct group *g);
    // device_closed frees device->user.
    void (*device_closed)(struct group_device *device);
} group_transport;

// group_device: what a bigint_device of BIGINT_GROUP holds.
typedef struct group_device {
    unsigned members;       // of the group
    unsigned first, local;  // in this process: members first .. first + local - 1
    const group_transport *transport;
    void *user;              // the transport's
    device_carrier carrier;  // of blocks between devices
    bigint_device places[];  // of the members of this process
} group_device;

// group_seat: a member of this process.
typedef struct {
    member self;
    bigint_status status;    // of its program
    device_exchange device;  // zeros if there is none
} group_seat;

// group_reach: whether products run on the members' devices (group_devices.h), or on the host.
typedef enum { GROUP_REACH_UNKNOWN, GROUP_REACH_HOST, GROUP_REACH_DIRECT } group_reach;

typedef struct group {
    unsigned members, first, local;
    const group_transport *transport;
    void *state;  // the transport's
    crew *crew;   // NULL for one member
    uint64_t bytes;
    group_reach reach;
    device_carrier carrier;  // as the device's
    device_facts devices;    // zeros while `reach` is unknown
    // What products on devices take where they can, and a clock for each member here, or NULL. Set
    // only by tests and benchmarks.
    device_member_way way;
    const fft_modular_plan *shape;
    unsigned prime_groups, lg_inner;  // as of device_member_choice, as pace
    device_member_pace pace;
    device_member_clock *clocks;
    // The last plan, and what it was made for: a tenth of a millisecond to make.
    device_member_plan planned;
    device_member_choice planned_for;
    group_seat seats[];
} group;

// group_here: the index of a member in seats; UINT_MAX if it is in another process.
unsigned group_here(const group *g, unsigned number);

// group_open gives a context on a group its members, if so_far is OK here and in all processes of
// the group; its status, if not. contexts: those of the members of this process, which the group
// destroys by itself only if it succeeds. group_close ends what group_open began, the contexts
// aside.
bigint_status group_open(bigint_ctx *ctx, const group_device *device, bigint_ctx *const *contexts,
                         bigint_status so_far);
void group_close(bigint_ctx *ctx);

// group_check: the status of a context that failed; EPEER for good in a forked child.
bigint_status group_check(bigint_ctx *ctx, const char *who);

// group_run runs a program on all members of this process at the same time, the first of them on
// the calling thread, and returns OK if none failed. Otherwise it records in ctx which member
// failed and why.
// A program calls exchange_agree when it has all its memory. If it fails later without a failed
// exchange, its endpoint gives up, so that no other member waits for it.
typedef bigint_status (*member_program)(member *m, void *arg);
bigint_status group_run(bigint_ctx *ctx, const char *who, member_program program, void *arg);

// member_agree: exchange_agree with the text of the member's context.
bigint_status member_agree(member *m, bigint_status status, uint64_t key);
// member_key: a key of a call for member_agree: its name and three numbers.
uint64_t member_key(const char *who, uint64_t a, uint64_t b, uint64_t c);

// group_counters adds the counters of the members here to *out.
void group_counters(const bigint_ctx *ctx, bigint_counters *out);

#endif  // BIGINT_GROUP_GROUP_H_
