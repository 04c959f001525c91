// device_queue.h: the device side of a context as data: its stream, its memory, and what later
// products find there. Internal to bigint/.
#ifndef BIGINT_CORE_DEVICE_QUEUE_H_
#define BIGINT_CORE_DEVICE_QUEUE_H_

#include <stdbool.h>
#include <stdint.h>

#include "bigint/core/arena.h"
#include "primitives/cuda/runtime.h"
#include "primitives/residues/residue.h"

typedef struct product_tables product_tables;

// replay: a product on a device that came before, and how its launches are enqueued by one call.
enum { REPLAYS = 8, REPLAY_WORDS = 18 };
typedef struct {
    uint64_t key[REPLAY_WORDS];  // all that its launches depend on; all zero for none
    uint64_t used;               // when it came last, counted in products
    cuda_graph graph;            // NULL: it came once
} replay;

// branch: a stream beside a context's own, and a mark behind what it was given last.
enum { BRANCHES_MOST = 4 };  // with the context's own
typedef struct {
    cuda_stream stream;
    cuda_event ended;
} branch;

// Slots of the staging, through which limbs travel.
enum { STAGING_SLOTS = 4 };

// queue: the device side of a context (device/device.h). All zero in a host context.
typedef struct {
    bool open;
    cuda_stream stream;
    bool owned;         // the stream was created with the context
    unsigned cluster;   // blocks of a cluster that short products may have; 0: no such plans
    bool clusters;      // whether the device has clusters of blocks
    unsigned primes;    // that products are made modulo; 0: the plan chooses. Contexts that share
                        // prepared operands have the same
    unsigned branches;  // that products' launches are spread over; 0: the plan chooses
    double *roundoff;   // where products in floating point leave their largest round-off
                        // (recombine_reals); NULL but in tests and benchmarks
    int caller;         // the device to go back to, between device_enter and device_leave
    arena memory;       // workspace in device memory
    product_tables *tables;  // of device/tables.c, one for each shape in use
    void *words;             // where launches count and announce: zero at first, left ready by each
    uint64_t words_bytes;
    // Pinned: a line for answers, then slots by which limbs come and go.
    unsigned char *staging;
    uint64_t slot_bytes;
    uint64_t used;  // bytes of the slot in turn, by limbs on their way to the device
    unsigned turn;
    cuda_event passed[STAGING_SLOTS];  // behind the last copy that the slot took part in
    // options.checks, of device/check.c: what kernels count in, on the device; what they found,
    // pinned; what no call has told of yet.
    unsigned char *check;
    limbs_residue_report *report, found;
    limbs_modulus modulus;
    // Of replay.c: products that came before, and what launches are recorded on.
    replay replays[REPLAYS];
    uint64_t replays_used;  // so far: the newest has this number
    cuda_stream recorder;
    // Of branches.c: branches but the first, and a mark where all of them begin; NULL before
    // the first use.
    branch branch[BRANCHES_MOST - 1];
    cuda_event forked;
} device_queue;

#endif  // BIGINT_CORE_DEVICE_QUEUE_H_
