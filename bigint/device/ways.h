// ways.h: the fastest ways of products on a device, by size, as measured. Data only;
// includes context.h. Written by ./dev tune --products from records of product_bench --engine
// --cluster.
// Measured on NVIDIA H200, commit 47c8ac29dfb2, 9826077b509e, af108c2392d5.
#ifndef BIGINT_DEVICE_WAYS_H_
#define BIGINT_DEVICE_WAYS_H_

#include "bigint/core/context.h"

#define DEVICE_WAYS_OF "NVIDIA H200"

// device_engine: the engine of products whose longer factor has at most `limbs` limbs.
typedef struct {
    uint64_t limbs;
    engine_kind engine;
} device_engine;
static const device_engine device_engines[] = {
    {192, ENGINE_TILED},
    {UINT64_MAX, ENGINE_MODULAR_FFT},
};

// device_cluster: for modular products whose factors have at most `limbs` limbs on average, the
// blocks of the cluster that computes them in one launch; 0: several launches.
typedef struct {
    uint64_t limbs;
    unsigned blocks;
} device_cluster;
static const device_cluster device_clusters[] = {
    {512, 3},
    {1024, 6},
    {4096, 12},
    {UINT64_MAX, 0},
};

#endif  // BIGINT_DEVICE_WAYS_H_
