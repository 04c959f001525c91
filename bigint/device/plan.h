// plan.h: plans of products on a device, and how much memory of each kind they need (plan.c).
// Internal to bigint/.
#ifndef BIGINT_DEVICE_PLAN_H_
#define BIGINT_DEVICE_PLAN_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "fft/device/complex/float_convolution.h"
#include "fft/device/modular/word_plan.h"

// Words in a line of memory: parts of products begin on one.
enum { DEVICE_LINE = 16 };
// device_lines: words in the fewest whole lines that hold n.
static inline uint64_t device_lines(uint64_t n) {
    return (n + DEVICE_LINE - 1) / DEVICE_LINE * DEVICE_LINE;
}

// device_plan: how one product of up to an by bn limbs, an, bn >= 1, is computed. Pure data.
typedef struct {
    uint64_t an, bn;
    engine_kind engine;            // modular-fft, tiled, or one of mul_float_engine
    fft_modular_plan modular;      // of a_piece by b_piece limbs
    fft_modular_plan high;         // of its high convolution, if it wraps coefficients around
    fft_float_device_plan floats;  // of an by bn limbs, in one piece
    bool certified;                // floats may give a wrong product; modular repeats it
    uint64_t a_piece, b_piece;     // an, bn for one piece, else multiples of a line
    bool square;
    bool prepared;      // b's transform is prepared
    bool in_turn;       // primes one after another, sharing one plane of the other operand
    unsigned branches;  // for the launches of modular-fft: 1 .. BRANCHES_MOST
    bool recorded;      // if the product is repeated, one call enqueues its launches
    bool apart;         // parts of a result that is not aligned are added up in the workspace
    uint64_t workspace_bytes, words_bytes, tables_bytes;
} device_plan;

// product_tables: the tables of one modular shape, or of one length of transforms; a context keeps
// a list of them.
struct product_tables {
    product_tables *next;
    void *memory;
    uint64_t bytes;
    fft_modular_tables tables;
    uint64_t points;  // of a floating-point engine's transform, whose tables are the memory itself
};

// device_plan_make chooses the plan of a product of an by bn limbs (either order; the plan's an
// is the larger): the fastest that keeps to the cap. apart: the result may not be aligned to 16
// bytes. Errors: as mul_plan_make.
bigint_status device_plan_make(bigint_ctx *ctx, const char *who, device_plan *plan, uint64_t an,
                               uint64_t bn, bool square, bool apart);
// device_plan_whole: the plan of products of up to an by bn limbs in one piece, the same in every
// context. prepared: the operand of bn limbs is prepared. False, without a text, if there is no
// exact plan or it does not keep to the cap.
bool device_plan_whole(const bigint_ctx *ctx, device_plan *plan, uint64_t an, uint64_t bn,
                       bool square, bool prepared);
// device_plan_engine: the engine for products whose longer factor has an limbs: the one asked for
// by name, else the table's.
engine_kind device_plan_engine(const bigint_ctx *ctx, uint64_t an);
// device_plan_words: the plan of one convolution of an by bn digits of that kind, for
// device_convolve, which need not keep to the cap; its cost, to compare plans, UINT64_MAX if none
// is exact.
uint64_t device_plan_words(const bigint_ctx *ctx, device_plan *plan, uint64_t an, uint64_t bn,
                           const fft_modular_words *words, bool square);
// device_plan_cluster: the blocks of the cluster that computes a product by modular-fft in one
// launch, whose factors have that many limbs on average: the table's number, limited by the device.
unsigned device_plan_cluster(const bigint_ctx *ctx, uint64_t limbs);
// device_plan_fits: whether the plan keeps to the cap and to the device's memory.
bool device_plan_fits(const bigint_ctx *ctx, const device_plan *plan);
// device_held_bytes: the bytes that a context holds for this plan and for the staging of its
// operands.
uint64_t device_held_bytes(const bigint_ctx *ctx, const device_plan *plan);
// device_need_begin: of a call on a device. device_plan_need: what the plan's workspace, words and
// tables need. device_mul_need: the same for device_plan_make's plan of an by bn limbs.
work_need device_need_begin(bigint_ctx *ctx, const char *who);
void device_plan_need(work_need *n, const device_plan *plan);
void device_mul_need(work_need *n, uint64_t an, uint64_t bn, bool square);
// device_transfer_need: what transfers of that many bytes need beside the staging.
void device_transfer_need(work_need *n, uint64_t bytes);
// device_modular: whether the plan needs the modular transform, even if only to repeat wrong
// products.
bool device_modular(const device_plan *plan);
// device_plan_print: the plan as one line, like snprintf, with the source of the engine's choice
// unless it was asked for by name.
int device_plan_print(const bigint_ctx *ctx, const device_plan *plan, char *buf, size_t cap);
// Doubles of a prime's plane.
static inline uint64_t device_plane(const device_plan *plan) {
    return fft_modular_whole(&plan->modular) ? 0 : fft_modular_plane(&plan->modular);
}
// Pieces of the operands: more than one product is added up.
static inline bool device_is_cut(const device_plan *plan) {
    return plan->a_piece < plan->an || plan->b_piece < plan->bn;
}
// Whether the high convolution has a branch of its own, and memory of its own.
static inline bool device_beside(const device_plan *plan) {
    return plan->modular.wrapped > 0 && plan->branches > 1;
}
// Whether both groups of more than three primes have a branch each, and planes of the other operand
// of their own.
static inline bool device_groups_beside(const device_plan *plan) {
    return plan->branches == 2 && plan->modular.primes > FFT_PRIMES_USED && !device_beside(plan);
}
// Whether branches begin only after the columns of all primes, which share words: with two branches
// for three primes and no other branch.
static inline bool device_parts_late(const device_plan *plan) {
    return plan->branches == 2 && !device_beside(plan) && !device_groups_beside(plan);
}
// Whether launches begin on several branches at once.
static inline bool device_parts_spread(const device_plan *plan) {
    return plan->branches > 1 && !device_parts_late(plan);
}
// Doubles beside the product's planes: the planes of the other operand, and of the high
// convolution, which lie in the same place or after them (device_high).
static inline uint64_t device_other(const device_plan *plan) {
    const uint64_t primes = plan->in_turn                ? 1
                            : device_groups_beside(plan) ? plan->modular.primes
                                                         : FFT_PRIMES_USED;
    return plan->square || plan->prepared ? 0 : primes * device_plane(plan);
}
static inline uint64_t device_high(const device_plan *plan) {
    return device_beside(plan) ? device_other(plan) : 0;
}
static inline uint64_t device_others(const device_plan *plan) {
    const uint64_t primes = plan->in_turn ? 1 : FFT_PRIMES_USED, own = device_other(plan);
    const uint64_t planes = plan->modular.wrapped == 0 ? 0 : plan->square ? 1 : 2;
    const uint64_t end = device_high(plan) + planes * primes * fft_modular_plane(&plan->high);
    return own > end ? own : end;
}
// Limbs of a result that is apart.
static inline uint64_t device_whole(const device_plan *plan) {
    return device_lines(plan->an + plan->bn);
}

#endif  // BIGINT_DEVICE_PLAN_H_
