// short.c: operations on short numbers, computed at once.
#include "short.h"

#include "shared.h"

// A result has at most twice NUMBER_BRIEF limbs: the dead numbers of shared.h keep 1 MiB together.
enum { SHORT_COUNT = 1 << 12 };

static bigint_ctx *at_hand(void) {
    context *c = shared.entered_count == 0 ? shared.base : context_current();
    return c == NULL ? NULL : context_peek(c);
}

// operand: a short number's value, or an int of 64 bits in *word.
static const bigint *operand(bigint_ctx *ctx, PyObject *x, bigint *word) {
    if (number_check(x)) {
        const number *n = (const number *)x;
        return n->brief ? &n->value : NULL;
    }
    if (!PyLong_CheckExact(x) && !PyLong_Check(x)) {
        return NULL;
    }
    int overflow;
    const long long value = PyLong_AsLongLongAndOverflow(x, &overflow);
    if (overflow != 0) {
        return NULL;
    }
    if (value >= SHARED_LOWEST && value < SHARED_LOWEST + SHARED_FREQUENT) {
        return &shared.frequent[value - SHARED_LOWEST];
    }
    return bigint_set_i64(ctx, word, value) == BIGINT_OK ? word : NULL;
}

static PyObject *finish(number *r, bigint_status status) {
    if (status == BIGINT_OK) {
        number_settle(r);
        return (PyObject *)r;
    }
    object_drop(r);
    return NULL;
}

PyObject *short_of_one(PyObject *x, short_unary op) {
    bigint_ctx *ctx = at_hand();
    const bigint *a = ctx == NULL ? NULL : operand(ctx, x, &shared.words[0]);
    number *r = a == NULL ? NULL : number_new();
    return r == NULL ? NULL : finish(r, op(ctx, &r->value, a));
}

PyObject *short_of_two(PyObject *x, PyObject *y, short_binary op) {
    bigint_ctx *ctx = at_hand();
    const bigint *a = ctx == NULL ? NULL : operand(ctx, x, &shared.words[0]);
    const bigint *b = a == NULL ? NULL : operand(ctx, y, &shared.words[1]);
    number *r = b == NULL ? NULL : number_new();
    return r == NULL ? NULL : finish(r, op(ctx, &r->value, a, b));
}

PyObject *short_of_count(PyObject *x, PyObject *y, short_counted op) {
    bigint_ctx *ctx = at_hand();
    const bigint *a = ctx == NULL ? NULL : operand(ctx, x, &shared.words[0]);
    if (a == NULL || !PyLong_Check(y)) {
        return NULL;
    }
    int overflow;
    const long long k = PyLong_AsLongLongAndOverflow(y, &overflow);
    number *r = overflow != 0 || k < 0 || k > SHORT_COUNT ? NULL : number_new();
    return r == NULL ? NULL : finish(r, op(ctx, &r->value, a, (uint64_t)k));
}

bool short_compare(PyObject *x, PyObject *y, int *order) {
    bigint_ctx *ctx = at_hand();
    const bigint *a = ctx == NULL ? NULL : operand(ctx, x, &shared.words[0]);
    const bigint *b = a == NULL ? NULL : operand(ctx, y, &shared.words[1]);
    return b != NULL && bigint_cmp(ctx, order, a, b) == BIGINT_OK;
}
