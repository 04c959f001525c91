// device.h: contexts on a device: the stream and its memory (device.c, memory.c), integers
// that live there (integer.c, arith.c), their products (product.c,
// tables.c, float.c), the checks of these (check.c) and powers
// (powm.c). Internal to bigint/; may include context.h, plan.h, recombine_device.h
// and the device headers of the rooms below, and product_rows.h.
//
// An integer on a device: d_ points to limb 0 in device memory; the word before it is the sign, 0
// for plus, 1 for minus, which the host does not know; the value 0 may have either. n_ is the
// announced length: top limbs may be zero, and n_ = 0 is the value 0, whose sign is not read. sign_
// is the number of top bits of limb n_ - 1 that are zero for certain, 0 .. 63: so a number grows by
// a bit with every sum, not by a limb. Limbs begin on a line of 128 bytes. So a sum or a shift is
// enqueued with what the host knows, and a value comes and goes as one row of words.
//
// Errors. Whatever fails is recorded with the text of CUDA; a device error is sticky: ctx->failed.
#ifndef BIGINT_DEVICE_DEVICE_H_
#define BIGINT_DEVICE_DEVICE_H_

#include "bigint/core/context.h"
#include "bigint/device/kernels/product_rows.h"
#include "bigint/device/kernels/recombine_device.h"
#include "bigint/device/plan.h"
#include "primitives/limbs/device.h"

// --- The queue (device.c) ------------------------------------------------------------------------

// device_place_usable: whether contexts can work on the device d->place; fills d->about, or writes
// cause and next step.
bool device_place_usable(bigint_device *d, char *why, size_t cap);
// device_open gives a new context its stream. device_close waits for it and frees all that it
// holds; it does nothing where none is open.
bigint_status device_open(bigint_ctx *ctx);
void device_close(bigint_ctx *ctx);
// device_enter makes the context's device current, device_leave the caller's again. Everything below
// but device_allocate and device_release stands between them.
bigint_status device_enter(bigint_ctx *ctx, const char *who);
void device_leave(bigint_ctx *ctx);
// device_status: the status of what a room below answered.
bigint_status device_status(bigint_ctx *ctx, const char *who, result done);
// device_wait waits for the stream, and tells of products that were found wrong meanwhile.
bigint_status device_wait(bigint_ctx *ctx, const char *who);

// --- Its memory (memory.c) ----------------------------------------------------------------

// device_allocate: device memory in stream order, or pinned memory; counts counters.allocations.
// NULL: no memory, without a text, or the device failed, with one. device_release gives it back, in
// stream order; pinned memory at once, so its uses must be over.
void *device_allocate(bigint_ctx *ctx, memory_kind kind, uint64_t bytes);
void device_release(bigint_ctx *ctx, memory_kind kind, void *p);
// device_words_need makes queue.words at least so long.
bigint_status device_words_need(bigint_ctx *ctx, const char *who, uint64_t bytes);
// device_staging_need makes the staging and its events; device_staging_bytes: what it takes.
uint64_t device_staging_bytes(const bigint_ctx *ctx);
bigint_status device_staging_need(bigint_ctx *ctx, const char *who);
// device_answer: a line of pinned memory for what a kernel tells the host. After
// device_staging_need.
void *device_answer(const bigint_ctx *ctx);
// device_send enqueues to[-1] = sign, {to, n} = {p, n}, n >= 1; p has been read on return. Waits
// only where the staging is full of limbs that are still on their way.
bigint_status device_send(bigint_ctx *ctx, const char *who, uint64_t *to, const uint64_t *p,
                          uint64_t n, uint64_t sign);
// device_fetch: {p, n} = {from, n}; waits for the stream, as device_wait.
bigint_status device_fetch(bigint_ctx *ctx, const char *who, uint64_t *p, const uint64_t *from,
                           uint64_t n);
// device_trim waits for the stream and gives words, staging and the memory of checks back; the arena
// is arena_trim's. What checks found stays to be told.
void device_trim(bigint_ctx *ctx);

// --- Integers (integer.c) -----------------------------------------------------------------

// device_number: x as the kernels see it.
limbs_device_number device_number(const bigint *x);
// device_bits: |x| < 2^bits, which the host knows; 0 for n_ = 0.
uint64_t device_bits(const bigint *x);
// device_clear frees the limbs of x, which lives here, in stream order, and makes x 0.
void device_clear(bigint_ctx *ctx, bigint *x);

// device_target: where a result below 2^bits goes: r's own limbs where they are enough, else new
// ones, so that r keeps its value until the result is enqueued. bits >= 1. device_target_open finds it;
// device_target_close makes it r's if status is BIGINT_OK, else drops it; returns status.
typedef struct {
    uint64_t *p, cap, n, bits;
} device_target;
bigint_status device_target_open(bigint_ctx *ctx, const char *who, const bigint *r, uint64_t bits,
                                 device_target *target);
bigint_status device_target_close(bigint_ctx *ctx, bigint *r, const device_target *target,
                                  bigint_status status);

// The calls of bigint.h, for integers whose places have been checked.
bigint_status device_store(bigint_ctx *ctx, const char *who, bigint *r, const uint64_t *p,
                           uint64_t n, int sign);
bigint_status device_load(bigint_ctx *ctx, const char *who, uint64_t *p, const bigint *a,
                          uint64_t n);
bigint_status device_measure(bigint_ctx *ctx, const char *who, uint64_t *bits, int *sign,
                             const bigint *a);
bigint_status device_cmp(bigint_ctx *ctx, const char *who, int *order, const bigint *a,
                         const bigint *b, bool magnitudes);
bigint_status device_copy(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                          limbs_sign sign);
// device_move: one of x's place and `place` is this context's.
bigint_status device_move(bigint_ctx *ctx, const char *who, bigint *x, int place);
// device_move_through: the same by a context of its own on the device.
bigint_status device_move_through(bigint_ctx *ctx, const char *who, bigint *x, int place,
                                  int device);

// --- Arithmetic (arith.c) -----------------------------------------------------------------
bigint_status device_add(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                         const bigint *b, bool subtract);
bigint_status device_mul_2exp(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                              uint64_t bits);
bigint_status device_tdiv_2exp(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                               uint64_t bits);

// --- Products (product.c) -----------------------------------------------------------------

// product_tables: of one modular shape, or of one length of transforms; a context keeps a list of
// them.
struct product_tables {
    product_tables *next;
    void *memory;
    uint64_t bytes;
    fft_modular_tables tables;
    uint64_t points;  // of a floating-point engine's transform, whose tables are the memory itself
};
// --- Their tables (tables.c) --------------------------------------------------------------

// device_tables: the context's tables of a modular shape, device_float_tables those of a
// floating-point plan; NULL if it has none.
// device_tables_missing: the bytes that tables would take which the plan needs and the context
// has not, and device_tables_add makes those. device_tables_need: the plan's, and where there
// is a cap no others. device_tables_trim gives all back.
const fft_modular_tables *device_tables(const bigint_ctx *ctx, const fft_modular_plan *shape);
const void *device_float_tables(const bigint_ctx *ctx, const device_plan *plan);
uint64_t device_tables_missing(const bigint_ctx *ctx, const device_plan *plan);
bigint_status device_tables_add(bigint_ctx *ctx, const char *who, const device_plan *plan);
bigint_status device_tables_need(bigint_ctx *ctx, const char *who, const device_plan *plan);
void device_tables_trim(bigint_ctx *ctx);

// device_work: products under way, between device_begin, which takes all memory that they need
// by the plan, and device_end. Between the two the queue is entered.
typedef struct {
    bigint_ctx *ctx;
    arena_mark mark;
    const device_plan *plan;
    const fft_modular_tables *tables, *high_tables;
    const void *float_tables;  // in their place, by a floating-point plan
    uint64_t room;             // bytes of workspace
    uint64_t *zero;     // a line for a sign that nobody wants: 0 behind the first such product
    double *x, *y;      // planes of the product, device_others
    uint64_t *scratch;  // limbs
} device_work;
bigint_status device_begin(device_work *run, bigint_ctx *ctx, const char *who,
                           const device_plan *plan);
void device_end(device_work *run);
// device_use changes the plan to another one that needs no more memory, whose tables are there.
void device_use(device_work *run, const device_plan *plan);
// device_multiply enqueues {rp, rn} = a b, checked if that is asked for, and the sign, which
// nobody wants where r_sign is NULL. a.n, b.n >= 1 and within the plan; a == b of a square. rn:
// enough for the value, at most a.n + b.n. prepared: by a plan for that, what device_transform
// made of b; else NULL. rp may be a.p or b.p where the plan is of one piece and not certified. By a
// certified plan it waits for the product and, where the check finds it wrong, computes it once
// more by the modular transform.
// Cost: one launch of a whole plan (bigint/device/kernels/cluster_product.h); otherwise four and
// more for each piece and in turn for each prime; see fft/device/modular/convolution.h.
result device_multiply(const device_work *run, uint64_t *rp, uint64_t rn, uint64_t *r_sign,
                       limbs_device_number a, limbs_device_number b, const double *prepared);
// device_transform enqueues planes = the transform of b by a plan for prepared operands.
result device_transform(const bigint_ctx *ctx, const device_plan *plan, double *planes,
                        limbs_device_number b);
// device_mul: r = a b.
bigint_status device_mul(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                         const bigint *b);

// --- One piece of a product (piece.c) -----------------------------------------------------

// device_multiply_piece enqueues {rp, rn} = a b and the sign by the modular transform: a and b
// within a_piece and b_piece of the run's plan; rp is aligned to 16 bytes.
result device_multiply_piece(const device_work *run, uint64_t *rp, uint64_t rn,
                             const recombine_signs *signs, fft_modular_operand a,
                             fft_modular_operand b, const double *prepared);

// --- Products that come again (replay.c) --------------------------------------------------

// device_launches: what enqueues a product's launches, and nothing else, on a stream.
typedef result (*device_launches)(const void *call, cuda_stream stream);
// device_replay enqueues them on the context's stream, from the second time on by one call of the
// driver. key: REPLAY_WORDS words, not all zero, that determine every launch and what it is given.
// Where the stream is being recorded already they are enqueued one by one. spread: they begin on
// several branches at once.
result device_replay(bigint_ctx *ctx, const uint64_t *key, device_launches enqueue,
                     const void *call, bool spread);
// device_replay_trim forgets all of them. The stream is idle.
void device_replay_trim(bigint_ctx *ctx);

// --- Sums of products (sum.c) -------------------------------------------------------------
// device_mul_sum: bigint_mul_sum. Terms whose announced lengths together are at least 2 / 3 of
// the longest's meet in the transform domain: two launches for each, and some six for the sum; with
// checks one more for each and for the sum.
bigint_status device_mul_sum(bigint_ctx *ctx, const char *who, bigint *r, const bigint *const *a,
                             const bigint *const *b, const int *signs, uint64_t count);
// --- Products in floating point (float.c) -------------------------------------------------

// device_float_plan fills in floats and certified for the floating-point engine plan->engine:
// digits that are proved, or certified ones. NULL, or why there are none.
const char *device_float_plan(device_plan *plan, bool certified);
// device_float_memory: what these take of such a plan, whose square is known; of a plan's
// workspace_bytes, words_bytes, tables_bytes.
typedef struct {
    uint64_t workspace, words, tables;
} device_memory;
device_memory device_float_memory(const device_plan *plan);
// device_float_bound: how far a computed coefficient is from its integer at most, as proved, or
// as expected of certified digits.
static inline double device_float_bound(const fft_float_device_plan *plan) {
    return (double)plan->error * 0x1p-32;
}
// device_float_print: device_plan_print of such a plan.
int device_float_print(const bigint_ctx *ctx, const device_plan *plan, char *buf, size_t cap);
// device_float_multiply enqueues {rp, rn} = a b by such a plan, a a of a square, and the sign.
// Cost: fft_float_device_convolve and one launch.
result device_float_multiply(const device_work *run, uint64_t *rp, uint64_t rn,
                             const recombine_signs *signs, limbs_device_number a,
                             limbs_device_number b);

// --- Prepared operands (prep.c) -----------------------------------------------------------

// device_prep: an operand for products with others of up to max_other limbs: its limbs, and where
// that pays its transform by device_plan_whole, else NULL. Immutable once it is made.
typedef struct {
    bigint a;
    uint64_t max_other;
    double *planes;
} device_prep;
// device_prep_make waits for the stream, so that other streams may read what it made.
bigint_status device_prep_make(bigint_ctx *ctx, const char *who, device_prep *prep, const bigint *a,
                               uint64_t max_other);
// device_prep_free gives its memory back in stream order.
void device_prep_free(bigint_ctx *ctx, device_prep *prep);
// device_mul_prep: r = a b; b->n_ <= max_other.
bigint_status device_mul_prep(bigint_ctx *ctx, const char *who, bigint *r, const device_prep *a,
                              const bigint *b);

// --- Batches (batch_plan.c, batch.c) -----------------------------------------------

// device_batch_way: how a product of a batch is made: alone, as by bigint_mul, or with all others
// of its way in one launch. size: what the kernel's door says (short_product.h, tiled_product.h,
// block_product.h, common_product.h, common_matrix.h), of clusters the logarithm of the points; 0
// of those alone.
typedef enum {
    BATCH_ALONE,
    BATCH_SHORT,
    BATCH_TILED,
    BATCH_BLOCK,
    BATCH_COMMON,
    BATCH_MATRIX,
    BATCH_CLUSTER,
    BATCH_KINDS
} device_batch_kind;
enum { BATCH_SIZES = 33 };  // above all sizes
typedef struct {
    device_batch_kind kind;
    unsigned size;
} device_batch_way;
// device_batch_sharing: what its way may make use of: one factor that is common to so many
// products that it pays, or that all are squares.
typedef enum { BATCH_SHARES_NOTHING, BATCH_SHARES_FACTOR, BATCH_OF_SQUARES } device_batch_sharing;
device_batch_sharing device_batch_shares(const product_rows *rows);
// device_batch_choose: the way of products of an by bn limbs in a batch of `count`, the same for
// all such in a context; of nothing where an = 0 or bn = 0.
device_batch_way device_batch_choose(const bigint_ctx *ctx, device_batch_sharing shares,
                                     uint64_t count, uint64_t an, uint64_t bn);
// device_batch_shape: the shape of clusters of 2^lg points. False if the device has none.
bool device_batch_shape(const bigint_ctx *ctx, unsigned lg, fft_modular_plan *plan);
// device_mul_batch: bigint_mul_batch for spans that have been looked at.
bigint_status device_mul_batch(bigint_ctx *ctx, const char *who, const bigint_span *r,
                               const bigint_span *a, const bigint_span *b);

// --- Modular powers (powm.c) --------------------------------------------------------------
// device_powm_batch: bigint_powm_batch for spans that have been looked at. Cost: two launches,
// and copies of what is ragged.
bigint_status device_powm_batch(bigint_ctx *ctx, const char *who, const bigint_span *r,
                                const bigint_span *base, const bigint_span *exponent,
                                const bigint_span *modulus);
// device_lucas_batch: low[i], high[i] = terms e, e + 1, e = exponent[i], of the Lucas sequence of
// p[i] modulo modulus[i] (lucas_device.h), for spans that have been looked at. Cost: one launch.
bigint_status device_lucas_batch(bigint_ctx *ctx, const char *who, const bigint_span *low,
                                 const bigint_span *high, const bigint_span *p,
                                 const bigint_span *exponent, const bigint_span *modulus);
// device_exponent: below 2^bits: limbs p in device memory, or, where it is not NULL, secret, the
// same limbs in host memory, which are then worked through whatever they are.
typedef struct {
    uint64_t *p, bits;
    const uint64_t *secret;
} device_exponent;
// device_powm_serves: whether device_powm takes such lengths.
bool device_powm_serves(uint64_t modulus_bits, uint64_t exponent_bits);
// device_powm: r = base^exponent mod |modulus|, which has modulus_bits >= 1 bits.
bigint_status device_powm(bigint_ctx *ctx, const char *who, bigint *r, const bigint *base,
                          device_exponent exponent, const bigint *modulus, uint64_t modulus_bits);

// --- Checks of products (check.c) ---------------------------------------------------------
// Where options.checks does not ask for them, these do nothing.

// device_check_need makes their memory; device_check_bytes: what it takes. Errors: ENOMEM,
// EDEVICE.
bigint_status device_check_need(bigint_ctx *ctx, const char *who);
uint64_t device_check_bytes(const bigint_ctx *ctx);
// device_check_factors enqueues what must be known of the factors {ap, an} and {bp, bn} before
// the product is written; device_check_product, behind it, the judgement on {rp, rn}. Between
// the two no others. Cost: a launch and one read of the numbers each.
result device_check_factors(bigint_ctx *ctx, const uint64_t *ap, uint64_t an, const uint64_t *bp,
                            uint64_t bn);
result device_check_product(bigint_ctx *ctx, const uint64_t *rp, uint64_t rn, uint64_t an,
                            uint64_t bn);
// device_check_term: the same for a term of a sum, whose residues go to factors[0] and [1],
// device memory of the caller's; subtract: the sum loses it. device_check_sum, behind the sum and
// all its terms, whose residues stand one after the other: the judgement on r; an and bn are told
// of.
result device_check_term(bigint_ctx *ctx, uint64_t *factors, limbs_device_number a,
                         limbs_device_number b, bool subtract);
result device_check_sum(bigint_ctx *ctx, limbs_device_number r, const uint64_t *factors,
                        uint64_t terms, uint64_t an, uint64_t bn);
// device_check_rows, behind many products at once, none of which is over a factor: the judgement
// on all of them. Cost: one launch and one read.
result device_check_rows(bigint_ctx *ctx, const product_rows *rows);
// For a stream that has been waited for: device_check_collect counts the products that were
// found wrong; device_check_verdict does so too and tells of them, once: ECHECK with the sizes of
// the first. device_check_again: whether there are any, which are counted, and not told of: for
// who computes them once more.
void device_check_collect(bigint_ctx *ctx);
bool device_check_again(bigint_ctx *ctx);
bigint_status device_check_verdict(bigint_ctx *ctx, const char *who);
// device_check_trim gives their memory back, after device_check_collect.
void device_check_trim(bigint_ctx *ctx);

#endif  // BIGINT_DEVICE_DEVICE_H_
