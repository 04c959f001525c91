// context.h: the context: allocator, arena, error text, and the choices made once at creation. Internal to
// bigint/; every file of the room includes it, nobody outside does.
#ifndef BIGINT_CONTEXT_H_
#define BIGINT_CONTEXT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bigint/bigint.h"
#include "fft/fft.h"
#include "primitives/cpu.h"
#include "primitives/limbs.h"
#include "primitives/team.h"

// engine_kind: which algorithm computes a product; ENGINE_AUTO lets the plan decide by size.
typedef enum {
    ENGINE_AUTO,
    ENGINE_SCHOOLBOOK,
    ENGINE_KARATSUBA,
    ENGINE_TOOM3,
    ENGINE_MODULAR_FFT,
} engine_kind;

typedef struct arena_block arena_block;
// arena: stack-ordered workspace. Blocks are kept when released, so that a repeated call allocates nothing.
typedef struct {
    arena_block *top;    // block in use
    uint64_t held;       // bytes in all blocks
    uint64_t in_use;     // bytes taken now
    uint64_t in_use_peak;  // since the arena was last empty
} arena;

struct bigint_device {
    int place;
    const char *backend;  // an element of bigint_backends()
    cpu_features features;
};

struct bigint_ctx {
    bigint_device device;  // a copy: the host device may be implicit
    bigint_ctx_options options;
    engine_kind engine;
    const limbs_ops *limbs;
    const fft_ops *fft;      // the SIMD variant in use
    fft_tables *tables[FFT_PRIMES];  // twiddle tables per prime, grown on demand (fft_tables.c of bigint)
    uint64_t tables_bytes;
    team *team;              // NULL for one thread
    arena arena;
    bigint_counters counters;
    char error[512];
};

// bigint_fail records the text (printf format: call, cause with numbers, next step) and returns status.
bigint_status bigint_fail(bigint_ctx *ctx, bigint_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// --- Arena -----------------------------------------------------------------------------------------
typedef struct {
    arena_block *block;
    size_t used;
    uint64_t in_use;
} arena_mark;
// arena_take: `bytes` of 64-byte aligned workspace, not zeroed, or NULL with the error recorded (ENOMEM,
// naming `who`, the bytes asked for, held and the cap). bytes = 0 gives a valid pointer.
void *arena_take(bigint_ctx *ctx, const char *who, uint64_t bytes);
uint64_t *arena_take_limbs(bigint_ctx *ctx, const char *who, uint64_t limbs);
// arena_get_mark, arena_release: everything taken since the mark is free again. When the arena becomes empty
// and holds several blocks they are replaced, at the next take, by one that is large enough.
arena_mark arena_get_mark(bigint_ctx *ctx);
void arena_release(bigint_ctx *ctx, arena_mark mark);

// --- Integers --------------------------------------------------------------------------------------
// bigint_reserve makes room for `limbs` limbs in r, keeping its value. ENOMEM leaves r as it was.
bigint_status bigint_reserve(bigint_ctx *ctx, const char *who, bigint *r, uint64_t limbs);
// bigint_finish sets the length of r to n without its zero limbs at the top, and the sign (0 for zero).
void bigint_finish(bigint *r, uint64_t n, int sign);
// bigint_check_places: EPLACE unless every given integer (NULL ends the list) is on the context's place.
bigint_status bigint_check_places(bigint_ctx *ctx, const char *who, const bigint *a, const bigint *b,
                                  const bigint *c);
// The number of limbs that no size arithmetic in the library overflows below: larger is BIGINT_ERANGE.
#define BIGINT_MAX_LIMBS ((uint64_t)1 << 56)

// --- Products on limbs (mul.c) ---------------------------------------------------------------------
// {rp, an + bn} = {ap, an} {bp, bn}. Any lengths, zero included, either order, any size; ap == bp with
// an == bn is squared. rp overlaps neither input. Engine chosen by the context. Workspace from the arena.
// Errors: ENOMEM, ERANGE, ENOBACKEND (a forced engine that cannot do this size); {rp} is then undefined.
bigint_status bigint_mul_limbs(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an,
                               const uint64_t *bp, uint64_t bn);

// A multiplicand kept in transform domain on the arena, for callers inside bigint/ (divrem, text, powm).
// mul_operand_prepare takes its storage from the arena and refers to {bp, bn}, which must stay.
// max_an: the longest other operand. mul_operand_mul: as bigint_mul_limbs with the prepared operand as b.
typedef struct mul_operand mul_operand;
bigint_status mul_operand_prepare(bigint_ctx *ctx, mul_operand **out, const uint64_t *bp, uint64_t bn,
                                  uint64_t max_an);
bigint_status mul_operand_mul(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an,
                              const mul_operand *b);

// --- Division on limbs (divrem.c) ------------------------------------------------------------------
// {qp, an - dn + 1} and {rp, dn} of {ap, an} / {dp, dn}: an >= dn >= 1, dp[dn - 1] != 0. qp or rp may be NULL.
// rp may equal ap (its low limbs); no other overlap.
bigint_status bigint_divrem_limbs(bigint_ctx *ctx, uint64_t *qp, uint64_t *rp, const uint64_t *ap, uint64_t an,
                                  const uint64_t *dp, uint64_t dn);

#endif  // BIGINT_CONTEXT_H_
