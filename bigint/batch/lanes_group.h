// lanes_group.h: a group of a batch's items, one in each lane: their powers, or their products
// modulo a common number. Internal to bigint/.
#ifndef BIGINT_BATCH_LANES_GROUP_H_
#define BIGINT_BATCH_LANES_GROUP_H_

#include <stdint.h>

#include "bigint/batch/batch.h"
#include "bigint/batch/lanes.h"
#include "bigint/modular/residues.h"

// lanes_group: what one group of items needs.
typedef struct {
    const batch_modular_job *job;
    const uint64_t *items;
    odd_number moduli[RESIDUES_MAX];
    residues f;
    const uint64_t *square;  // an element, R^2 in every lane, where all items have the same
                             // modulus, else NULL
    uint64_t *rows;          // f.limbs for each item
} lanes_group;

// An item's modulus, and the length of its exponent in bits.
odd_number lanes_modulus(const batch_modular_job *j, uint64_t item);
uint64_t lanes_exponent_bits(const batch_modular_job *j, uint64_t item);

// lanes_group_bytes: more memory than a group of several takes that has this item.
uint64_t lanes_group_bytes(const batch_modular_job *j, uint64_t item);
// lanes_bytes: the same of the longest numbers of this size. lanes_group_need: what a group needs.
uint64_t lanes_bytes(const batch_modular_size *size);
void lanes_group_need(work_need *w, const batch_modular_size *size);

// lanes_group_run computes and stores the results of a group's items. Errors: ENOMEM.
bigint_status lanes_group_run(bigint_ctx *ctx, lanes_group *g);

#endif  // BIGINT_BATCH_LANES_GROUP_H_
