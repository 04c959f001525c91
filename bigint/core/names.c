// names.c: the lists of backends, engines and variants, and which of them this build and machine
// can run. Add a new engine or variant here and nowhere else.
#include "bigint/core/names.h"

#include <stdio.h>
#include <string.h>

static const char *const backend_names[] = {"ref", "cpu", "cuda", NULL};
// In the order of engine_kind, ENGINE_AUTO left out.
static const char *const engine_names[] = {
    "schoolbook",  "karatsuba", "toom3",           "tiled",        "modular-fft",
    "complex-fft", "real-fft",  "complex-fft-f32", "real-fft-f32", NULL};
// From the variant that every machine has to the most demanding.
static const char *const variant_names[] = {"portable", "avx2", "avx512", "ifma", NULL};
enum { VARIANT_PORTABLE, VARIANT_AVX2, VARIANT_AVX512, VARIANT_IFMA };

const char *const *bigint_backends(void) { return backend_names; }
const char *const *bigint_engines(void) { return engine_names; }
const char *const *bigint_variants(void) { return variant_names; }

int names_position(const char *const *list, const char *name) {
    for (int i = 0; list[i] != NULL; i++) {
        if (strcmp(list[i], name) == 0) {
            return i;
        }
    }
    return -1;
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

bool names_variant_features(int v, cpu_features have, cpu_features *use) {
    switch (v) {
        case VARIANT_PORTABLE:
            *use = (cpu_features){0};
            return true;
        case VARIANT_AVX2:
            *use = (cpu_features){.adx = have.adx, .avx2 = true, .rounds = have.rounds};
            return have.avx2;
        case VARIANT_AVX512:
            *use = (cpu_features){.adx = have.adx, .avx2 = true, .avx512 = true};
            return have.avx2 && have.avx512;
        default:
            *use = have;
            return have.avx2 && have.avx512 && have.ifma;
    }
}

int names_best_variant(cpu_features have) {
    cpu_features use;
    int best = VARIANT_PORTABLE;
    for (int v = VARIANT_PORTABLE; variant_names[v] != NULL; v++) {
        if (names_variant_features(v, have, &use)) {
            best = v;
        }
    }
    return best;
}
