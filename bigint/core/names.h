// names.h: the four lists of names and what each choice means on this machine. Internal to bigint/.
#ifndef BIGINT_CORE_NAMES_H_
#define BIGINT_CORE_NAMES_H_

#include "bigint/core/context.h"

// names_position: the position of name in a NULL-terminated list, or -1.
int names_position(const char *const *list, const char *name);
// names_join writes "a, b, c" from a list, cut at cap; returns buf. For error texts.
const char *names_join(char *buf, size_t cap, const char *const *list);

// names_engine_built: whether bigint_mul can run engine k (ENGINE_AUTO included), on the host or on
// devices.
bool names_engine_built(engine_kind kind, bool on_device);
// names_variant_features: *use = the features in `have` that variant number v may use. False if the
// variant is not built, or the machine lacks a feature that it needs.
bool names_variant_features(int v, cpu_features have, cpu_features *use);
// names_best_variant: the last variant for which names_variant_features holds; 0 (portable) always
// does.
int names_best_variant(cpu_features have);

#endif  // BIGINT_CORE_NAMES_H_
