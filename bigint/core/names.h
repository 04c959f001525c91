// names.h: backends, engines and variants: enums for the library, a table of names for its users,
// and which of them this machine can run. Internal to bigint/.
#ifndef BIGINT_CORE_NAMES_H_
#define BIGINT_CORE_NAMES_H_

#include <stdbool.h>
#include <stddef.h>

#include "primitives/words/cpu.h"

// backend_kind: where and with which instructions a context works.
typedef enum { BACKEND_REF, BACKEND_CPU, BACKEND_CUDA } backend_kind;

// engine_kind: which algorithm computes a product; ENGINE_AUTO lets the plan decide by size and has
// no name.
typedef enum {
    ENGINE_AUTO,
    ENGINE_SCHOOLBOOK,
    ENGINE_KARATSUBA,
    ENGINE_TOOM3,
    ENGINE_TILED,
    ENGINE_MODULAR_FFT,
    ENGINE_COMPLEX_FFT,
    ENGINE_REAL_FFT,
    ENGINE_COMPLEX_FFT_F32,
    ENGINE_REAL_FFT_F32,
} engine_kind;

// variant_kind: the host's instructions in use, from what every machine has to the most demanding.
typedef enum { VARIANT_PORTABLE, VARIANT_AVX2, VARIANT_AVX512, VARIANT_IFMA } variant_kind;

// The name of each. An engine must not be ENGINE_AUTO.
const char *names_backend(backend_kind kind);
const char *names_engine(engine_kind kind);
const char *names_variant(variant_kind kind);

// names_read_...: *kind = the one with that name; false if there is none.
bool names_read_backend(backend_kind *kind, const char *name);
bool names_read_engine(engine_kind *kind, const char *name);
bool names_read_variant(variant_kind *kind, const char *name);

// names_join writes "a, b, c" from a list that ends with NULL, cut at cap; returns buf. For error
// texts.
const char *names_join(char *buf, size_t cap, const char *const *list);

// names_engine_built: whether bigint_mul can run engine k (ENGINE_AUTO included), on the host or on
// devices.
bool names_engine_built(engine_kind kind, bool on_device);
// names_variant_features: *use = the features in `have` that a variant may use. False if the
// variant is not built, or the machine lacks a feature that it needs.
bool names_variant_features(variant_kind kind, cpu_features have, cpu_features *use);
// names_best_variant: the last variant for which names_variant_features holds; VARIANT_PORTABLE
// always does.
variant_kind names_best_variant(cpu_features have);

#endif  // BIGINT_CORE_NAMES_H_
