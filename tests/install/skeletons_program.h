// skeletons_program.h: a user's program with the installed header longmul/skeletons.cuh. Plain C.
#ifndef TESTS_INSTALL_SKELETONS_PROGRAM_H_
#define TESTS_INSTALL_SKELETONS_PROGRAM_H_

#include <stddef.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// skeletons_program_place enqueues out[0] = the largest of x[0..n), out[1] = its first place,
// out[2] = n, out[3] = 0; skeletons_program_records the running maxima of x to out. Device memory;
// the workspace is of skeletons_program_bytes and zero.
size_t skeletons_program_bytes(uint64_t n);
result skeletons_program_place(uint32_t *out, const uint32_t *x, uint64_t n, void *workspace,
                               size_t bytes, cuda_stream stream);
result skeletons_program_records(uint32_t *out, const uint32_t *x, uint64_t n, void *workspace,
                                 size_t bytes, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // TESTS_INSTALL_SKELETONS_PROGRAM_H_
