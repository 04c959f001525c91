// residues.h: residues in Montgomery form modulo an odd number, or modulo up to eight numbers at
// once in lanes. Tests of primality and batches use montgomery.h and montgomery_lanes.h through it.
// Internal to bigint/.
#ifndef BIGINT_MODULAR_RESIDUES_H_
#define BIGINT_MODULAR_RESIDUES_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "bigint/modular/montgomery.h"
#include "bigint/modular/montgomery_lanes.h"

// odd_number: p[n - 1] != 0.
typedef struct {
    const uint64_t *p;
    uint64_t n;
} odd_number;

enum { RESIDUES_MAX = MONTGOMERY_LANES };

// odd_number_bits: the length in bits.
uint64_t odd_number_bits(const odd_number *x);
// odd_number_sub: {rp, n} = {ap, n} - {bp, n} mod m, both below m. rp may be ap or bp.
void odd_number_sub(uint64_t *rp, const uint64_t *ap, const uint64_t *bp, const odd_number *m);

// residues: moduli that are used together. An element is `words` words: one residue for each
// modulus, in Montgomery form and not reduced.
typedef struct {
    const odd_number *numbers;
    unsigned count;
    uint64_t limbs, words;    // limbs: of the longest number
    montgomery one;           // count = 1
    montgomery_lanes lanes;   // count > 1
    uint64_t *units, *spare;  // elements: the numbers 1, not their forms; workspace
} residues;

// residues_group: items of a list, from `begin` on, that are computed together.
typedef struct {
    uint64_t begin;
    unsigned count;
} residues_group;

// residues_in_lanes: whether several moduli of up to `bits` bits can be used at once here.
bool residues_in_lanes(const bigint_ctx *ctx, uint64_t bits);
// residues_cut appends groups of `count` items from `begin` on, of `digits` digits, to
// groups[*used] and on. In lanes groups have eight items. A few left-over items are faster one by
// one; without lanes all items are taken one by one.
void residues_cut(residues_group *groups, uint64_t *used, uint64_t begin, uint64_t count,
                  size_t digits, bool in_lanes);

// residues_init takes the memory from the arena; the numbers must stay. count > 1 requires
// residues_in_lanes.
bigint_status residues_init(bigint_ctx *ctx, const char *who, residues *f,
                            const odd_number *numbers, unsigned count);
// residues_share: the same moduli once more, with memory of its own for results, for another thread
// or the first `count` > 1 of several equal moduli. The other one must stay.
bigint_status residues_share(bigint_ctx *ctx, const char *who, residues *f, const residues *other,
                             unsigned count);
// residues_need: what residues_init needs for `count` numbers of n limbs, which stays, and their
// products and numbers; returns the words of an element. residues_form_need: residues_form of
// an limbs.
uint64_t residues_need(work_need *w, uint64_t n, unsigned count);
void residues_form_need(work_need *w, uint64_t an, uint64_t n, unsigned count);
// residues_new: an element on the arena, zeros; NULL with the error recorded.
uint64_t *residues_new(bigint_ctx *ctx, const char *who, const residues *f);
// residues_form: {rp, n} = the form of {ap, an} modulo number k. Cost: one division.
bigint_status residues_form(bigint_ctx *ctx, const char *who, const residues *f, unsigned k,
                            uint64_t *rp, const uint64_t *ap, uint64_t an);
// residues_put: residue k of x = {ap, n}, below number k: a form, or in lanes any number.
void residues_put(const residues *f, uint64_t *x, unsigned k, const uint64_t *ap);
// residues_put_all: all residues of x; {ap[k], n[k]} is below number k; count > 1. The lanes that
// are left hold 0.
void residues_put_all(const residues *f, uint64_t *x, const uint64_t *const *ap, const size_t *n);
// residues_get: {rp + k f->limbs, n} = the number whose form is residue k of x, reduced, for all k.
bigint_status residues_get(bigint_ctx *ctx, const residues *f, uint64_t *rp, const uint64_t *x);
// residues_read: the same for x itself instead of its form; x is a product, and is reduced; count >
// 1.
void residues_read(const residues *f, uint64_t *rp, uint64_t *x);
// residues_mul: r = 2 a b for the numbers in `twice`, a b + c for the others; c = NULL means 0.
// Requires: c is from residues_put, and NULL unless twice is 0; r may be a or b.
bigint_status residues_mul(bigint_ctx *ctx, const residues *f, uint64_t *r, const uint64_t *a,
                           const uint64_t *b, const uint64_t *c, unsigned twice);
// residues_swap exchanges a and b for the numbers in `which`.
void residues_swap(const residues *f, uint64_t *a, uint64_t *b, unsigned which);

#endif  // BIGINT_MODULAR_RESIDUES_H_
