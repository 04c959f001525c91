// gpu.h: long products on a GPU, if LONGMUL_GMP_DEVICE asks for it.
//
// The process has one context there, made by its first product that is long enough. Signals wait
// while it works, so no handler can leave a product by longjmp with the driver's locks held. A
// thread that finds it in use computes on the host, and so do forked children, where CUDA does not
// work.
#ifndef BINDINGS_GMP_GPU_H_
#define BINDINGS_GMP_GPU_H_

#include <stdbool.h>
#include <stdint.h>

#include "bigint/bigint.h"

// gpu_start: products whose shorter operand has at least `least` limbs go to that place. Before
// the first call of gpu_mul.
void gpu_start(int place, uint64_t least, bool checks);

// gpu_takes: whether a product with a shorter operand of bn limbs may go to the device.
extern uint64_t gpu_least;
static inline bool gpu_takes(uint64_t bn) {
    return __builtin_expect(bn >= __atomic_load_n(&gpu_least, __ATOMIC_RELAXED), 0);
}

// gpu_mul: {rp, an + bn} = {ap, an} {bp, bn}, an >= bn >= 1; rp overlaps neither. After a failure
// nothing usable was written: EDEVICE if the device is in use, failed or cannot be opened, which is
// reported on stderr once; ENOMEM, ECHECK.
bigint_status gpu_mul(uint64_t *rp, const uint64_t *ap, uint64_t an, const uint64_t *bp,
                      uint64_t bn);

// gpu_products: how many products were computed there.
uint64_t gpu_products(void);

#endif  // BINDINGS_GMP_GPU_H_
