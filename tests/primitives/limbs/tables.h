// tables.h: the tables of multiplying operations by name, as cases of TEST_EACH.
#ifndef TESTS_PRIMITIVES_LIMBS_TABLES_H_
#define TESTS_PRIMITIVES_LIMBS_TABLES_H_

#include <stdio.h>
#include <string.h>

#include "primitives/limbs/adx.h"
#include "primitives/limbs/ifma.h"
#include "primitives/limbs/limbs.h"

typedef struct {
    const char *name;
} table_case;
static const table_case tables[] = {{"portable"}, {"adx"}, {"ifma"}};

static inline void table_label(char *buf, size_t cap, const table_case *p) {
    snprintf(buf, cap, "%s", p->name);
}

// The table of that name, or NULL where the processor cannot run it.
static inline const limbs_ops *table_named(const char *name) {
    if (strcmp(name, "portable") == 0) return &limbs_ops_portable;
    const cpu_features f = cpu_detect();
    if (strcmp(name, "adx") == 0) return f.adx ? limbs_ops_adx() : NULL;
    return f.adx && f.ifma ? limbs_ops_ifma() : NULL;
}

#endif  // TESTS_PRIMITIVES_LIMBS_TABLES_H_
