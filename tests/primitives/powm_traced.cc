// powm_traced.cc: powm_device.cu and powm_tiled.cu for the emulation, compiled so that they leave
// a trace.
#include "primitives/device.cuh"
#include "tests/primitives/kernel_trace.h"

#undef DYNAMIC_SHARED
#define DYNAMIC_SHARED(Type, name) \
    Type *const name = static_cast<Type *>(kernel_trace_shared(emulation::DynamicShared()))

#include "primitives/powm_device.cu"
#include "primitives/powm_tiled.cu"
