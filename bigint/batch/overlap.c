// overlap.c: whether numbers of two spans share memory. Addresses are compared as bytes; with spans
// of up to 2^56 limbs no difference of two of them overflows.
#include "bigint/batch/overlap.h"

#include <stdint.h>

#include "bigint/batch/batch.h"

// row: count pieces of n bytes, the first at `begin`, the others behind it at the stride, which is
// not 0 if there are others.
typedef struct {
    int64_t begin, n, stride, count;
} row;

// row_of: a span without offsets, with addresses counted from `origin`; shorter numbers count n.
static row row_of(const bigint_span *s, uintptr_t origin) {
    const bool one = s->stride == 0;
    return (row){.begin = (int64_t)((uintptr_t)s->p - origin),
                 .n = (int64_t)(s->n * sizeof *s->p),
                 .stride = (int64_t)((one ? 1 : s->stride) * sizeof *s->p),
                 .count = one ? 1 : (int64_t)s->count};
}

static int64_t end_of(const row *x) { return x->begin + (x->count - 1) * x->stride + x->n; }

// meets: whether a piece of x overlaps [begin, end): the first one that ends behind `begin` does,
// or none.
static bool meets(const row *x, int64_t begin, int64_t end) {
    const int64_t before = begin - (x->begin + x->n);  // pieces 0 .. before / stride end before it
    const int64_t i = before < 0 ? 0 : before / x->stride + 1;
    return i < x->count && x->begin + i * x->stride < end;
}

// apart: whether the address ranges of two rows, gaps included, have nothing in common.
static bool apart(const row *x, const row *y) {
    return end_of(x) <= y->begin || end_of(y) <= x->begin;
}

static bool rows_overlap(row x, row y) {
    if (x.stride == y.stride && x.count == y.count) {
        // Pieces i of x and j of y are as far apart as pieces 0 and j - i.
        y.begin -= (y.count - 1) * y.stride;
        y.count = 2 * y.count - 1;
        x.count = 1;
    }
    const row few = x.count < y.count ? x : y, many = x.count < y.count ? y : x;
    bool overlap = false;
    for (int64_t i = 0; i < few.count && !overlap; i++) {
        const int64_t begin = few.begin + i * few.stride;
        overlap = meets(&many, begin, begin + few.n);
    }
    return overlap;
}

static bool items_overlap(batch_item x, batch_item y) {
    const uintptr_t xp = (uintptr_t)x.p, yp = (uintptr_t)y.p;
    return x.n > 0 && y.n > 0 && xp < yp + y.n * sizeof *y.p && yp < xp + x.n * sizeof *x.p;
}

bool batch_overlap(const bigint_span *x, const bigint_span *y) {
    if (x->n == 0 || y->n == 0 || x->count == 0) {
        return false;
    }
    if (x->offsets == NULL && y->offsets == NULL) {
        const row all_x = row_of(x, (uintptr_t)x->p), all_y = row_of(y, (uintptr_t)x->p);
        if (apart(&all_x, &all_y)) {
            return false;
        }
        if (x->lengths == NULL && y->lengths == NULL) {
            return rows_overlap(all_x, all_y);
        }
    }
    bool overlap = false;
    for (uint64_t i = 0; i < x->count && !overlap; i++) {
        overlap = items_overlap(batch_item_of(x, i), batch_item_of(y, i));
    }
    return overlap;
}
