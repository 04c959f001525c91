// portion.c: the plans of portion.h and their memory.
#include "primitives/tridiagonal/portion.h"

enum { SPAN_NUMBERS = 10, LANES = 32 };

static size_t number_bytes(tridiagonal_type type, tridiagonal_variant variant) {
    const size_t width = type == TRIDIAGONAL_F32 ? 4 : 8;
    return variant == TRIDIAGONAL_PARTITION_PIVOT ? 2 * width : width;
}

// Rows of a thread where joints are kept: tridiagonal.h.
static unsigned rows_each(tridiagonal_type type, tridiagonal_variant variant) {
    return number_bytes(type, variant) == 16 ? 16 : 32;
}

uint64_t tridiagonal_portion_rows(tridiagonal_type type, tridiagonal_variant variant) {
    return LANES * rows_each(type, variant);
}

size_t tridiagonal_span_bytes(tridiagonal_type type, tridiagonal_variant variant) {
    return SPAN_NUMBERS * number_bytes(type, variant);
}

bool tridiagonal_portion_plan(const tridiagonal_portion *p, tridiagonal_plan *plan) {
    const uint64_t rows = tridiagonal_portion_rows(p->type, p->variant);
    if (p->n == 0 || p->batch == 0 || (p->behind && p->n % rows != 0) ||
        (p->variant != TRIDIAGONAL_PARTITION_PIVOT && p->variant != TRIDIAGONAL_PARTITION_PLAIN)) {
        return false;
    }
    *plan = (tridiagonal_plan){.job = {p->type, p->n, p->batch, 1, p->n},
                               .variant = p->variant,
                               .rows_each = rows_each(p->type, p->variant),
                               .lanes = LANES,
                               .systems = 1,
                               .tiles = (p->n - 1) / rows + 1,
                               .together = TRIDIAGONAL_KEPT};
    return tridiagonal_valid(plan);
}

// Behind the plan's workspace stand two borders of two unknowns each for every system.
size_t tridiagonal_portion_bytes(const tridiagonal_portion *p) {
    tridiagonal_plan plan;
    if (!tridiagonal_portion_plan(p, &plan)) {
        return 0;
    }
    return tridiagonal_workspace_bytes(&plan) + 4 * number_bytes(p->type, p->variant) * p->batch;
}
