// identity.h: which device an ordinal is, for processes that share devices or number them in their
// own ways.
#ifndef PRIMITIVES_CUDA_IDENTITY_H_
#define PRIMITIVES_CUDA_IDENTITY_H_

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// cuda_identity writes what is the same for one device in all processes and differs between
// devices, on all machines. Emulated devices are their process's own.
enum { CUDA_IDENTITY_BYTES = 16 };
result cuda_identity(int ordinal, unsigned char id[CUDA_IDENTITY_BYTES]);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_CUDA_IDENTITY_H_
