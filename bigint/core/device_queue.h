// device_queue.h: the device side of a context as data: its stream, its memory, and what it keeps
// for later products. Internal to bigint/.
#ifndef BIGINT_CORE_DEVICE_QUEUE_H_
#define BIGINT_CORE_DEVICE_QUEUE_H_

#include <stdbool.h>
#include <stdint.h>

#include "bigint/core/arena.h"
#include "fft/device/modular/convolution.h"
#include "primitives/cuda/runtime.h"
#include "primitives/residues/residue.h"

typedef struct product_tables product_tables;

// kept_plan: the modular transforms of an earlier product, and all that they were chosen by
// (device/plan.c).
enum { KEPT_PLANS = 8 };
typedef struct {
    uint64_t an, bn;  // 0: unused
    unsigned primes;
    bool clusters;
    fft_modular_plan plan, high;
} kept_plan;
typedef struct {
    kept_plan kept[KEPT_PLANS];
    unsigned turn;  // the one that the next product replaces
} kept_plans;

// replay: an earlier product on a device, and the graph that enqueues its launches in one call.
enum { REPLAYS = 8, REPLAY_WORDS = 18 };
typedef struct {
    uint64_t key[REPLAY_WORDS];  // everything its launches depend on; all zero: unused
    uint64_t used;               // its last use, counted in products
    cuda_graph graph;            // NULL: seen only once
} replay;

// recording: an earlier call on a device, and the graph that enqueues what of it depends on lengths
// alone (device/recording.h).
enum { RECORDINGS = 12, RECORDING_WORDS = 22 };
typedef struct {
    uint64_t key[RECORDING_WORDS];  // what its launches depend on; all zero: unused
    bool refused;                   // it cannot be recorded
    cuda_graph graph;               // NULL: not recorded yet
    // Memory of its own: numbers that it reads and writes, and what it allocates on its way.
    uint64_t *numbers, numbers_bytes;
    void *memory;
    uint64_t memory_bytes;
    // Where its launches expect what all calls share, and how much workspace they use.
    void *workspace, *words;
    uint64_t workspace_bytes;
    uint64_t products;  // that one run counts
} recording;

// device_lent: memory from which a call that is recorded takes all that it allocates; what it frees
// is taken again. used: how much of it was needed at once, or DEVICE_LENT_REFUSED. memory NULL:
// that is counted, and what it allocates is memory as for any other call. blocks: those in use,
// where they are or would be, by `from`.
enum { LENT_BLOCKS = 64 };
#define DEVICE_LENT_REFUSED (UINT64_MAX / 2)  // for more blocks at once
typedef struct {
    const void *p;
    uint64_t from, bytes;
} lent_block;
typedef struct {
    unsigned char *memory;
    uint64_t bytes, used;
    unsigned count;
    lent_block blocks[LENT_BLOCKS];
} device_lent;

// branch: a stream beside the context's own, and an event after its last work.
enum { BRANCHES_MOST = 4 };  // including the context's own
typedef struct {
    cuda_stream stream;
    cuda_event ended;
} branch;

// kept_block: host memory that kept.h keeps; all zero: none.
enum { KEPT_BLOCKS = 4 };
typedef struct {
    void *p;
    uint64_t bytes;
} kept_block;

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

// device_forced: what only tests and benchmarks choose for a context, so that short numbers take
// every way. All zero: the library chooses.
typedef struct {
    unsigned primes;  // of the modular transform; contexts that share prepared operands must agree
    unsigned branches;          // for a product's launches
    bool long_powers;           // powers by products, however short the modulus
    uint64_t quotient_limbs;    // limbs of a quotient that are found at a time
    unsigned quotient_levels;   // of a series from a short reciprocal, by which they are found
    uint64_t quotient_waits;    // least limbs of a divisor for which a quotient alone waits for
                                // what tells whether its remainder is needed
    uint64_t reciprocal_limbs;  // limbs of a reciprocal that one launch finds, at least 4
    uint64_t series_limbs;      // most limbs of a reciprocal that a series finds; 1: none
    uint64_t root_limbs;        // limbs of a reciprocal root that the host computes
    uint64_t root_series;       // most limbs of square roots that a series finds; 1: none
    uint64_t root_halves;       // limbs before the last step of a square root from which that is by
                                // halves
    uint64_t text_digits;       // least digits of decimal texts that the device converts
    uint64_t host_block;        // limbs of a block of a product in host memory
    bool host_kept;             // such blocks are kept as transforms
    uint64_t batch_limbs;       // limbs of both factors from which products of a batch share
                                // launches of the modular transform
    uint64_t batch_items;       // products of such a launch
} device_forced;

// device_queue: the device side of a context (device/device.h). All zero in a host context.
typedef struct {
    bool open;
    int place;  // the device's number
    cuda_stream stream;
    bool owned;        // the stream was created with the context
    unsigned cluster;  // most blocks of a cluster for short products; 0: no such plans
    bool clusters;     // whether the device has clusters of blocks
    device_forced forced;
    kept_plans plans;
    double *roundoff;        // where floating-point products store their largest round-off
                             // (recombine_reals); NULL except in tests and benchmarks
    int caller;              // the caller's device, between device_enter and device_leave
    arena memory;            // workspace in device memory
    product_tables *tables;  // of device/tables.c, one for each shape in use
    void *words;             // counters for launches: zero at first, each launch resets them
    uint64_t words_bytes;
    // Pinned: a line for answers with the slots behind it, and once a long number has come, longer
    // slots.
    unsigned char *staging;
    slot_ring ring, long_ring;
    kept_block kept[KEPT_BLOCKS];
    bigint_ctx *carrier, *fetcher;  // of api/host_blocks.c; NULL before the first use
    // options.checks, for device/check.c: what kernels count, on the device; what they found,
    // pinned; and what no call has reported yet.
    unsigned char *check;
    limbs_residue_report *report, found;
    limbs_modulus modulus;
    // For device/replay.c: earlier products, and the stream that launches are recorded on.
    replay replays[REPLAYS];
    uint64_t replays_used;  // so far: the newest has this number
    cuda_stream recorder;
    // For device/recording.c: earlier calls, the newest first; NULL but while one is recorded.
    recording recordings[RECORDINGS];
    device_lent *lent;
    cuda_event answered;  // behind the question of device_measure_begin; NULL before the first one
    bool no_room;         // the last memory asked for was there, and refused by it or the cap
    bool doubts;          // the last divisor was shorter than announced (device/divide/quotient.c)
    // For device/branches.c: the branches except the first, and the event at which all of them
    // begin; NULL before the first use.
    branch branch[BRANCHES_MOST - 1];
    cuda_event forked;
    branch ahead;  // its kernels start before waiting kernels of the context's stream
} device_queue;

#endif  // BIGINT_CORE_DEVICE_QUEUE_H_
