// context.h: the context: allocator, arena, error text, and the choices made once at creation.
// Internal to bigint/; every file of the room includes it, nobody outside does.
#ifndef BIGINT_CORE_CONTEXT_H_
#define BIGINT_CORE_CONTEXT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bigint/bigint.h"
#include "carry/columns.h"
#include "fft/complex/complex.h"
#include "fft/complex/float_product.h"
#include "fft/modular/fft.h"
#include "primitives/cuda/runtime.h"
#include "primitives/limbs/limbs.h"
#include "primitives/residues/residue.h"
#include "primitives/words/cpu.h"
#include "primitives/words/team.h"

// engine_kind: which algorithm computes a product; ENGINE_AUTO lets the plan decide by size. The
// others stand in the order of bigint_engines(): engine k has the name bigint_engines()[k - 1].
typedef enum {
    ENGINE_AUTO,
    ENGINE_SCHOOLBOOK,
    ENGINE_KARATSUBA,
    ENGINE_TOOM3,
    ENGINE_TILED,
    ENGINE_MODULAR_FFT,
    ENGINE_COMPLEX_FFT,
    ENGINE_REAL_FFT,
    ENGINE_COMPLEX_FFT_F32,
    ENGINE_REAL_FFT_F32,
} engine_kind;

// memory_kind: where workspace lies. Pinned memory is the host's, within the device's reach.
typedef enum { MEMORY_HOST, MEMORY_DEVICE, MEMORY_PINNED } memory_kind;

typedef struct arena_block arena_block;
typedef struct float_tables float_tables;
typedef struct product_tables product_tables;
// arena: stack-ordered workspace (arena.c). Blocks are kept when released, so that a repeated call
// allocates nothing. On a device takes and releases are in the order of the stream.
typedef struct {
    memory_kind kind;      // host or device
    arena_block *top;      // the block that takes come from; the ones in use below hang on it
    arena_block *spare;    // released blocks, the one that was lowest first
    uint64_t in_use;       // bytes taken now
    uint64_t in_use_peak;  // since the arena was last empty
} arena;

// replay: a product on a device that came before, and how its launches are enqueued by one call.
enum { REPLAYS = 8, REPLAY_WORDS = 18 };
typedef struct {
    uint64_t key[REPLAY_WORDS];  // all that its launches depend on; all zero for none
    uint64_t used;               // when it came last, counted in products
    device_graph graph;          // NULL: it came once
} replay;

// branch: a stream beside a context's own, and a mark behind what it was given last.
enum { BRANCHES_MOST = 4 };  // with the context's own
typedef struct {
    device_stream stream;
    device_event ended;
} branch;

// Slots of the staging, through which limbs travel.
enum { STAGING_SLOTS = 4 };

// queue: the device side of a context (device/device.h). All zero in a host context.
typedef struct {
    bool open;
    device_stream stream;
    bool owned;         // the stream was created with the context
    unsigned cluster;   // blocks of a cluster that short products may have; 0: no such plans
    bool clusters;      // whether the device has clusters of blocks
    unsigned primes;    // that products are made modulo; 0: the plan chooses. Contexts that share
                        // prepared operands have the same
    unsigned branches;  // that products' launches are spread over; 0: the plan chooses
    double *roundoff;   // where products in floating point leave their largest round-off
                        // (recombine_reals); NULL but in tests and benchmarks
    int caller;         // the device to go back to, between queue_enter and queue_leave
    arena memory;       // workspace in device memory
    product_tables *tables;  // of device/tables.c, one for each shape in use
    void *words;             // where launches count and announce: zero at first, left ready by each
    uint64_t words_bytes;
    // Pinned: a line for answers, then slots by which limbs come and go.
    unsigned char *staging;
    uint64_t slot_bytes;
    uint64_t used;  // bytes of the slot in turn, by limbs on their way to the device
    unsigned turn;
    device_event passed[STAGING_SLOTS];  // behind the last copy that the slot took part in
    // options.checks, of device/check.c: what kernels count in, on the device; what they found,
    // pinned; what no call has told of yet.
    unsigned char *check;
    limbs_residue_report *report, found;
    limbs_modulus modulus;
    // Of replay.c: products that came before, and what launches are recorded on.
    replay replays[REPLAYS];
    uint64_t replays_used;  // so far: the newest has this number
    device_stream recorder;
    // Of branches.c: branches but the first, and a mark where all of them begin; NULL before
    // the first use.
    branch branch[BRANCHES_MOST - 1];
    device_event forked;
} queue;

struct bigint_device {
    int place;
    const char *backend;       // an element of bigint_backends(); NULL if opening failed
    cpu_features features;     // what the backend may use of the host: backend ref has none
    device_description about;  // of places that are devices
    bigint_status failed;      // not OK: the device only carries `error`
    char error[256];
};

struct bigint_ctx {
    bigint_device device;  // a copy: the host device may be implicit
    // The names in it are not kept: engine and variant below say what was chosen.
    bigint_ctx_options options;
    bigint_status failed;  // not OK: every call returns it; the context only carries `error`
    engine_kind engine;
    const char *variant;     // an element of bigint_variants()
    bool certified;          // options.mode: floating-point engines take digits that are not proved
    uint64_t check_modulus;  // options.checks, or certified: the prime of check.h; else 0
    const limbs_ops *limbs;
    // on the host: products by up to so many limbs need no plan (mul_short_limbs)
    uint64_t short_limbs;
    const fft_ops *fft;                         // the SIMD variant in use
    fft_tables *tables[FFT_PRIMES];             // twiddle tables per prime, grown on demand
    const fft_complex_ops *floats[FFT_FLOATS];  // the variant in use, for each type
    const fft_float_ops *float_loops;
    carry_columns *columns;
    float_tables *float_tables;  // of multiply/float.c, one for each length in use
    uint64_t tables_bytes;       // of both kinds
    bool reports;       // a public product is under way: options.progress hears of its steps
    team *team;         // NULL for one thread
    void *team_memory;  // team_bytes(options.threads) bytes
    arena arena;        // workspace in host memory
    queue queue;
    bigint_counters counters;
    char error[512];
};

static inline bool context_on_device(const bigint_ctx *ctx) { return ctx->device.place >= 0; }

// context_progress tells options.progress, if a public product is under way, how far it has come.
// On the calling thread only.
void context_progress(const bigint_ctx *ctx, double done, double total);

// bigint_fail records the text (printf format: call, cause with numbers, next step) and returns
// status.
bigint_status bigint_fail(bigint_ctx *ctx, bigint_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// --- Memory --------------------------------------------------------------------------------------
// context_allocate, context_release: the options' allocator, counted in counters.allocations. NULL
// on failure without a text. context_release takes the bytes asked for; p may be NULL.
void *context_allocate(bigint_ctx *ctx, uint64_t bytes);
void context_release(bigint_ctx *ctx, void *p, uint64_t bytes);
// workspace_allocate, workspace_release: the same, of any kind, for what counts against
// options.max_workspace_bytes (arenas, tables, staging), kept in counters.workspace_bytes. Idle
// blocks of the arenas are given up for it. NULL with the error recorded: ENOMEM, or EDEVICE where
// the device failed, which ctx->failed then says.
void *workspace_allocate(bigint_ctx *ctx, const char *who, memory_kind kind, uint64_t bytes);
void workspace_release(bigint_ctx *ctx, memory_kind kind, void *p, uint64_t bytes);

// --- Arena ---------------------------------------------------------------------------------------
typedef struct {
    arena_block *block;
    size_t used;
    uint64_t in_use;
} arena_mark;
// arena_take_in: `bytes` of workspace, aligned to 64 bytes (on a device 256), not zeroed, or NULL
// with the error recorded as by workspace_allocate (ENOMEM, naming `who`, the bytes asked for, held
// and the cap). bytes = 0 gives a valid pointer.
void *arena_take_in(bigint_ctx *ctx, arena *s, const char *who, uint64_t bytes);
// arena_mark_in, arena_release_in: everything taken since the mark is free again. When the arena
// becomes empty and holds several blocks they are replaced by one that holds all that was in use at
// once.
arena_mark arena_mark_in(const arena *s);
void arena_release_in(bigint_ctx *ctx, arena *s, arena_mark mark);
// The same for the arena in host memory.
void *arena_take(bigint_ctx *ctx, const char *who, uint64_t bytes);
uint64_t *arena_take_limbs(bigint_ctx *ctx, const char *who, uint64_t limbs);
arena_mark arena_get_mark(bigint_ctx *ctx);
void arena_release(bigint_ctx *ctx, arena_mark mark);
// arena_make_room: whether takes of `bytes` together, each rounded up to the alignment, will come
// from one block. For an empty arena; no text if not.
bool arena_make_room(bigint_ctx *ctx, arena *s, uint64_t bytes);
// arena_lend makes {memory, bytes}, aligned to 64 bytes, the one block of the context's empty arena
// in host memory, and all that it holds. Of bytes that were taken before as the sum of
// ARENA_LEND_MORE and of what an arena had in use.
enum { ARENA_LEND_MORE = 64 };
void arena_lend(bigint_ctx *ctx, void *memory, uint64_t bytes);
// arena_trim gives the blocks of both arenas that are not in use back.
void arena_trim(bigint_ctx *ctx);
// arena_limbs_bytes: of workspace for n limbs, rounded up so that what follows stays aligned.
uint64_t arena_limbs_bytes(uint64_t n);
// arena_held_bytes: what an empty arena holds after one take of `bytes`: the block with its
// rounding. arena_held_with: what one with something in use holds then; no more than now if its top
// block has room.
uint64_t arena_held_bytes(uint64_t bytes);
uint64_t arena_held_with(const arena *s, uint64_t bytes);

// --- Integers ------------------------------------------------------------------------------------
// On the host the length of an integer is exact: its top limb is not zero. Integers on a device are
// described in device/device.h; what follows is for the host unless it says otherwise.
//
// bigint_limbs_allocate: a buffer of at least `limbs` limbs, its size in *cap, or NULL with the
// error recorded (ERANGE above BIGINT_MAX_LIMBS, else ENOMEM) and returned in *status.
// bigint_limbs_adopt makes it r's, in place of the old one; r's length and sign are the caller's to
// finish. bigint_limbs_release frees one.
uint64_t *bigint_limbs_allocate(bigint_ctx *ctx, const char *who, uint64_t limbs, uint64_t *cap,
                                bigint_status *status);
void bigint_limbs_adopt(bigint_ctx *ctx, bigint *r, uint64_t *limbs, uint64_t cap);
void bigint_limbs_release(bigint_ctx *ctx, uint64_t *limbs, uint64_t cap);
// bigint_reserve makes room for `limbs` limbs in r, keeping its value. ENOMEM, ERANGE leave r as it
// was. r's limbs may move: read r->d_ (and that of an operand that may be r) after the call.
bigint_status bigint_reserve(bigint_ctx *ctx, const char *who, bigint *r, uint64_t limbs);
// bigint_has_room: whether x is not wanted, or lives on the host and holds `limbs` limbs.
static inline bool bigint_has_room(const bigint *x, uint64_t limbs) {
    return x == NULL || (x->cap_ >= limbs && x->place_ == 0);
}
// bigint_finish sets the length of r to n without its zero limbs at the top, and the sign (0 for
// zero).
void bigint_finish(bigint *r, uint64_t n, int sign);
// bigint_put: r = sign {p, n} on the host, whose own limbs have room. No overlap.
void bigint_put(bigint *r, const uint64_t *p, uint64_t n, int sign);
// bigint_store: r = sign {p, n} from host limbs, which may be r's own, on either kind of place.
// Errors: as bigint_reserve.
bigint_status bigint_store(bigint_ctx *ctx, const char *who, bigint *r, const uint64_t *p,
                           uint64_t n, int sign);
// bigint_draft: host memory for `limbs` limbs that bigint_store will make r: r's own on the host,
// whose value is then lost; the caller's mark frees the others. NULL with the error in *status.
uint64_t *bigint_draft(bigint_ctx *ctx, const char *who, bigint *r, uint64_t limbs,
                       bigint_status *status);
// bigint_measure: the length of |a| in bits and the sign, on either kind of place; waits for the
// stream. Begins with bigint_check_places.
bigint_status bigint_measure(bigint_ctx *ctx, const char *who, uint64_t *bits, int *sign,
                             const bigint *a);
// bigint_view: the lowest n limbs of a, n >= 1, in host memory, on either kind of place; waits for
// the stream. The caller's mark frees them. NULL with the error in *status.
const uint64_t *bigint_view(bigint_ctx *ctx, const char *who, const bigint *a, uint64_t n,
                            bigint_status *status);
// bigint_check_places: EPLACE unless every given integer (NULL ends the list) is on the context's
// place; a failed context's status. Every public call that works on ctx begins with it.
bigint_status bigint_check_places(bigint_ctx *ctx, const char *who, const bigint *a,
                                  const bigint *b, const bigint *c);
// bigint_check_on_host: ENOBACKEND on a device, for calls that are not built there. how: the way to
// the host, the end of the text.
bigint_status bigint_check_on_host(bigint_ctx *ctx, const char *who, const char *how);
#define BIGINT_MOVE_TO_HOST "where bigint_move brings operands and results"
// The number of limbs that no size arithmetic in the library overflows below: larger is
// BIGINT_ERANGE.
#define BIGINT_MAX_LIMBS ((uint64_t)1 << 56)
// bigint_check_size: ERANGE with numbers if a result of `limbs` limbs is larger than
// BIGINT_MAX_LIMBS.
bigint_status bigint_check_size(bigint_ctx *ctx, const char *who, uint64_t limbs);
// bigint_check_capacity: ERANGE if the caller's buffer of cap units ("limbs", "bytes",
// "characters") is smaller than needed.
bigint_status bigint_check_capacity(bigint_ctx *ctx, const char *who, const char *unit,
                                    uint64_t cap, uint64_t needed);

// --- Products on limbs (multiply/plan.c, multiply/mul.c) ----------------------------------------
// {rp, an + bn} = {ap, an} {bp, bn}. Any lengths, zero included, either order, any size; ap == bp
// with an == bn is squared. rp overlaps neither input. Engine chosen by the context. Workspace from
// the arena.
// Errors: ENOMEM, ERANGE: {rp} is unchanged, for all that can fail does so before the first limb is
// written; ECHECK: {rp} is the wrong product.
bigint_status bigint_mul_limbs(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an,
                               const uint64_t *bp, uint64_t bn);

// mul_operand: a multiplicand kept in transform domain on the arena, for callers inside bigint/.
// mul_operand_prepare takes its storage from the arena and refers to {bp, bn}, which must stay.
// max_an: the longest other operand. mul_operand_mul: as bigint_mul_limbs with the prepared operand
// as b.
typedef struct mul_operand mul_operand;
bigint_status mul_operand_prepare(bigint_ctx *ctx, mul_operand **out, const uint64_t *bp,
                                  uint64_t bn, uint64_t max_an);
bigint_status mul_operand_mul(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an,
                              const mul_operand *b);

// --- Division on limbs (divrem.c) ----------------------------------------------------------------
// {qp, an - dn + 1} and {rp, dn} of {ap, an} / {dp, dn}: an >= dn >= 1, dp[dn - 1] != 0. qp or rp
// may be NULL. rp may equal ap (its low limbs); no other overlap.
bigint_status bigint_divrem_limbs(bigint_ctx *ctx, uint64_t *qp, uint64_t *rp, const uint64_t *ap,
                                  uint64_t an, const uint64_t *dp, uint64_t dn);
// bigint_divide_limbs: in place, as div_small (divide/small.h) of these sizes, its algorithm by
// them.
bigint_status bigint_divide_limbs(bigint_ctx *ctx, uint64_t *qp, uint64_t *ap, uint64_t qn,
                                  const uint64_t *dp, uint64_t dn);

#endif  // BIGINT_CORE_CONTEXT_H_
