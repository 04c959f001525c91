// device_queue.h: the device side of a context as data: its stream, its memory, and what it keeps
// for later products. Internal to bigint/.
#ifndef BIGINT_CORE_DEVICE_QUEUE_H_
#define BIGINT_CORE_DEVICE_QUEUE_H_

#include <stdbool.h>
#include <stdint.h>

#include "bigint/core/arena.h"
#include "primitives/cuda/runtime.h"
#include "primitives/residues/residue.h"

typedef struct product_tables product_tables;

// replay: an earlier product on a device, and the graph that enqueues its launches in one call.
enum { REPLAYS = 8, REPLAY_WORDS = 18 };
typedef struct {
    uint64_t key[REPLAY_WORDS];  // everything its launches depend on; all zero: unused
    uint64_t used;               // its last use, counted in products
    cuda_graph graph;            // NULL: seen only once
} replay;

// branch: a stream beside the context's own, and an event after its last work.
enum { BRANCHES_MOST = 4 };  // including the context's own
typedef struct {
    cuda_stream stream;
    cuda_event ended;
} branch;

// slot_ring: pinned memory through which limbs travel, cut into slots.
enum { RING_SLOTS_MOST = 32 };
typedef struct {
    unsigned char *memory;
    uint64_t slot_bytes;
    unsigned slots;
    unsigned turn;                       // the slot that limbs for the device fill at present
    uint64_t used;                       // bytes of it that are filled
    cuda_event passed[RING_SLOTS_MOST];  // after the slot's last copy
} slot_ring;

// device_queue: the device side of a context (device/device.h). All zero in a host context.
typedef struct {
    bool open;
    int place;  // the device's number
    cuda_stream stream;
    bool owned;         // the stream was created with the context
    unsigned cluster;   // most blocks of a cluster for short products; 0: no such plans
    bool clusters;      // whether the device has clusters of blocks
    unsigned primes;    // primes of the modular transform; 0: the plan chooses. Contexts that share
                        // prepared operands must agree
    unsigned branches;  // branches for a product's launches; 0: the plan chooses
    uint64_t quotient_limbs;  // limbs of a quotient that are found at a time; 0: chosen by length.
                              // Set only by tests
    bool long_powers;         // powers are computed by products, however short the modulus. Set
                              // only by tests
    uint64_t text_digits;     // of decimal texts that the device converts, or more; 0: a threshold.
                              // Set only by tests
    uint64_t quotient_waits;  // least limbs of a divisor for which a quotient alone waits for
                              // what tells whether its remainder is needed; 0: chosen. Set only
                              // by tests
    uint64_t reciprocal_limbs;  // limbs of a reciprocal that one launch finds, at least 4; 0: as
                                // many as it can. Set only by tests
    uint64_t root_limbs;     // limbs of a reciprocal root that the host computes; 0: the usual. Set
                             // only by tests
    uint64_t host_block;     // limbs of a block of a product in host memory; 0: as large as fits.
                             // Set only by tests
    uint64_t batch_limbs;    // limbs of both factors from which products of a batch share launches
                             // of the modular transform; 0: as measured. Set only by tests
    uint64_t batch_items;    // products of such a launch; 0: by their length. Set only by tests
    double *roundoff;        // where floating-point products store their largest round-off
                             // (recombine_reals); set only by tests and benchmarks
    int caller;              // the caller's device, between device_enter and device_leave
    arena memory;            // workspace in device memory
    product_tables *tables;  // of device/tables.c, one for each shape in use
    void *words;             // counters for launches: zero at first, each launch resets them
    uint64_t words_bytes;
    // Pinned: a line for answers with the slots behind it, and once a long number has come, longer
    // slots.
    unsigned char *staging;
    slot_ring ring, long_ring;
    // options.checks, for device/check.c: what kernels count, on the device; what they found,
    // pinned; and what no call has reported yet.
    unsigned char *check;
    limbs_residue_report *report, found;
    limbs_modulus modulus;
    // For device/replay.c: earlier products, and the stream that launches are recorded on.
    replay replays[REPLAYS];
    uint64_t replays_used;  // so far: the newest has this number
    cuda_stream recorder;
    // For device/branches.c: the branches except the first, and the event at which all of them
    // begin; NULL before the first use.
    branch branch[BRANCHES_MOST - 1];
    cuda_event forked;
} device_queue;

#endif  // BIGINT_CORE_DEVICE_QUEUE_H_
