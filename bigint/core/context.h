// context.h: the context: its device, its options, the choices made when it was created, its
// memory, and its error text. Internal to bigint/.
#ifndef BIGINT_CORE_CONTEXT_H_
#define BIGINT_CORE_CONTEXT_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/names.h"
#include "carry/columns.h"
#include "fft/complex/complex.h"
#include "fft/complex/float_product.h"
#include "fft/modular/fft.h"
#include "primitives/limbs/limbs.h"
#include "primitives/words/cpu.h"
#include "primitives/words/team.h"

typedef struct float_tables float_tables;
struct place_calls;  // place.h
struct group;        // bigint/group
struct group_device;

struct bigint_device {
    int place;
    backend_kind backend;
    cpu_features features;   // what the backend may use of the host: backend ref has none
    cuda_description about;  // of places that are devices
    // Of BIGINT_GROUP: its members. NULL in the copies that contexts keep.
    struct group_device *group;
    pid_t process;         // that opened it
    bigint_status failed;  // not OK: the device only carries `error`
    char error[256];
};

// context_part: a part of a public call whose steps call options.progress. The call's work is
// `total`, `done` of it before the part, and the part is `share` of it. share 0: nothing is
// reported.
typedef struct {
    double done, share, total;
} context_part;

// reporting: who calls options.progress. REPORT_COUNTS: context_pause, with the number of products,
// for a total that is not known. REPORT_STEPS: the steps of the one product that a call consists
// of. REPORT_PARTS: a caller of context_report.
typedef enum { REPORT_COUNTS, REPORT_STEPS, REPORT_PARTS } reporting;

struct bigint_ctx {
    bigint_device device;  // a copy: the host device may be implicit
    // The names in it are not kept: engine and variant below hold the choice.
    bigint_ctx_options options;
    bigint_status failed;  // not OK: every call returns it; the context only carries `error`
    bool on_host;          // it has not failed and works on the host
    // What another place than the host does for the calls of bigint/core; NULL on the host.
    const struct place_calls *away;
    struct group *group;  // on BIGINT_GROUP: the members' contexts; NULL if it failed
    // On a member of a group in a call that is dealt out: asks the other members
    // (context_may_write).
    bigint_status (*ask)(void *asker);
    void *asker;
    engine_kind engine;
    variant_kind variant;    // as limbs and the others below, which are NULL before it is chosen
    bool certified;          // options.mode: floating-point engines may use unproved digits
    uint64_t check_modulus;  // options.checks, or certified: the prime of check.h; else 0
    const limbs_ops *limbs;
    // On the host: products whose shorter operand has up to this many limbs need no plan
    // (mul_short_limbs). Where they are not checked either, factors of equal length of up to
    // few_limbs limbs, at most LIMBS_FEW, have functions of their own; else few_limbs is 0.
    uint64_t short_limbs, few_limbs;
    const fft_ops *fft;                         // the SIMD variant in use
    fft_tables *tables[FFT_PRIMES];             // twiddle tables per prime, grown on demand
    const fft_complex_ops *floats[FFT_FLOATS];  // the variant in use, for each type
    const fft_float_ops *float_loops;
    carry_columns *columns;
    float_tables *float_tables;  // of multiply/float.c, one for each length in use
    uint64_t tables_bytes;       // of both kinds
    reporting reports;
    // bigint_ctx_stop sets it. It lies beside the context: threads of a batch have copies of that.
    atomic_bool *stopped;
    context_part division;  // what long divisions report
    team *team;             // NULL for one thread
    void *team_memory;      // team_bytes(options.threads) bytes
    arena arena;            // workspace in host memory
    device_queue queue;
    bigint_counters counters;
    char error[512];
};

static inline bool context_on_device(const bigint_ctx *ctx) { return ctx->device.place >= 0; }
static inline bool context_on_group(const bigint_ctx *ctx) {
    return ctx->device.place == BIGINT_GROUP;
}

// --- Progress, and ending a call early -----------------------------------------------------------
// A call ends early where it may fail: between steps, before it writes an output.

// context_goes_on: false after bigint_ctx_stop. On any thread. Cost: a load.
static inline bool context_goes_on(const bigint_ctx *ctx) {
    return !atomic_load_explicit(ctx->stopped, memory_order_relaxed);
}
// These call options.progress, on the calling thread only, and return false if the call is to end,
// as context_goes_on does too: context_report always, context_step if REPORT_STEPS, where `done` of
// `total` steps are done. At the end, where done is total, they return true.
bool context_report(const bigint_ctx *ctx, double done, double total);
bool context_step(const bigint_ctx *ctx, double done, double total);
// context_canceled records why a call ends early; returns ECANCELED.
bigint_status context_canceled(bigint_ctx *ctx, const char *who);
// context_pause: before each step of a call that takes longer than some microseconds. It calls
// options.progress if REPORT_COUNTS. Errors: ECANCELED.
bigint_status context_pause(bigint_ctx *ctx, const char *who);
// context_division_progress: `fraction` of a division is done; it is reported if the division is
// part of a call that says so. Errors: ECANCELED.
bigint_status context_division_progress(bigint_ctx *ctx, double fraction);

// context_may_write: batches call it when nothing can fail any more, before they write a result.
// Not OK, the status of another member of a group: they return it, and write nothing.
static inline bigint_status context_may_write(const bigint_ctx *ctx) {
    return ctx->ask == NULL ? BIGINT_OK : ctx->ask(ctx->asker);
}

// bigint_fail records the text (printf format: call, cause with numbers, next step) and returns
// status.
bigint_status bigint_fail(bigint_ctx *ctx, bigint_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// context_wrong_product records that the check of a product of an by bn words failed; returns
// ECHECK. context_impossible: the same where a result is impossible unless a product was wrong: a
// number of a length that it cannot have would become a count or a shift.
bigint_status context_wrong_product(bigint_ctx *ctx, const char *who, uint64_t an, uint64_t bn);
bigint_status context_impossible(bigint_ctx *ctx, const char *who, const char *what);

#endif  // BIGINT_CORE_CONTEXT_H_
