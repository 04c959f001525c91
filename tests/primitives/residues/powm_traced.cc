// powm_traced.cc: powm_digits.cu and powm_tiled.cu for the emulation, compiled so that they leave
// a trace.
#include "primitives/cuda/device.cuh"
#include "tests/primitives/cuda/kernel_trace.h"

#undef DYNAMIC_SHARED
#define DYNAMIC_SHARED(Type, name) \
    Type *const name = static_cast<Type *>(kernel_trace_shared(emulation::DynamicShared()))

#include "primitives/residues/powm_digits.cu"
#include "primitives/residues/powm_tiled.cu"
