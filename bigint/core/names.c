// names.c: the names of backends, engines and variants, and which of them this build and machine
// can run. Add a new engine or variant here and nowhere else.
#include "bigint/core/names.h"

#include <stdio.h>
#include <string.h>

#include "bigint/bigint.h"

static const char *const backend_names[] = {
    [BACKEND_REF] = "ref", [BACKEND_CPU] = "cpu", [BACKEND_CUDA] = "cuda", NULL};
static const char *const engine_names[] = {
    [ENGINE_AUTO] = "",
    [ENGINE_SCHOOLBOOK] = "schoolbook",
    [ENGINE_KARATSUBA] = "karatsuba",
    [ENGINE_TOOM3] = "toom3",
    [ENGINE_TILED] = "tiled",
    [ENGINE_MODULAR_FFT] = "modular-fft",
    [ENGINE_COMPLEX_FFT] = "complex-fft",
    [ENGINE_REAL_FFT] = "real-fft",
    [ENGINE_COMPLEX_FFT_F32] = "complex-fft-f32",
    [ENGINE_REAL_FFT_F32] = "real-fft-f32",
    NULL,
};
static const char *const variant_names[] = {
    [VARIANT_PORTABLE] = "portable",
    [VARIANT_AVX2] = "avx2",
    [VARIANT_AVX512] = "avx512",
    [VARIANT_IFMA] = "ifma",
    NULL,
};

const char *const *bigint_backends(void) { return backend_names; }
const char *const *bigint_engines(void) { return engine_names + 1; }
const char *const *bigint_variants(void) { return variant_names; }

const char *names_backend(backend_kind kind) { return backend_names[kind]; }
const char *names_engine(engine_kind kind) { return engine_names[kind]; }
const char *names_variant(variant_kind kind) { return variant_names[kind]; }

// position: the position of a name in a list that ends with NULL, or -1.
static int position(const char *const *list, const char *name) {
    for (int i = 0; list[i] != NULL; i++) {
        if (strcmp(list[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

bool names_read_backend(backend_kind *kind, const char *name) {
    const int i = position(backend_names, name);
    *kind = i < 0 ? BACKEND_REF : (backend_kind)i;
    return i >= 0;
}

bool names_read_engine(engine_kind *kind, const char *name) {
    const int i = position(engine_names + 1, name);
    *kind = (engine_kind)(i + 1);
    return i >= 0;
}

bool names_read_variant(variant_kind *kind, const char *name) {
    const int i = position(variant_names, name);
    *kind = i < 0 ? VARIANT_PORTABLE : (variant_kind)i;
    return i >= 0;
}

const char *names_join(char *buf, size_t cap, const char *const *list) {
    size_t used = 0;
    buf[0] = 0;
    for (int i = 0; list[i] != NULL && used < cap; i++) {
        used += (size_t)snprintf(buf + used, cap - used, "%s%s", i == 0 ? "" : ", ", list[i]);
    }
    return buf;
}

bool names_engine_built(engine_kind kind, bool on_device) {
    return !on_device || kind == ENGINE_AUTO || kind >= ENGINE_TILED;
}

bool names_variant_features(variant_kind kind, cpu_features have, cpu_features *use) {
    switch (kind) {
        case VARIANT_PORTABLE:
            *use = (cpu_features){0};
            return true;
        case VARIANT_AVX2:
            *use = (cpu_features){.adx = have.adx, .avx2 = true, .rounds = have.rounds};
            return have.avx2;
        case VARIANT_AVX512:
            *use = (cpu_features){.adx = have.adx, .avx2 = true, .avx512 = true};
            return have.avx2 && have.avx512;
        case VARIANT_IFMA:
            *use = have;
            return have.avx2 && have.avx512 && have.ifma;
    }
    return false;
}

variant_kind names_best_variant(cpu_features have) {
    cpu_features use;
    variant_kind best = VARIANT_PORTABLE;
    for (int v = VARIANT_PORTABLE; v <= VARIANT_IFMA; v++) {
        if (names_variant_features((variant_kind)v, have, &use)) {
            best = (variant_kind)v;
        }
    }
    return best;
}
