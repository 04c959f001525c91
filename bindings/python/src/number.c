// number.c: objects of mpz. Dead ones that have room for few limbs are kept with it and with their
// reference to the type, because an allocation takes longer than a short sum.
#include "number.h"

#include "call.h"
#include "convert.h"
#include "shared.h"

bool number_check(PyObject *x) { return Py_TYPE(x) == shared.mpz; }

number *number_new(void) {
    number *x;
    if (shared.dead_count == 0) {
        x = (number *)shared.allocate(shared.mpz, 0);
    } else {
        x = shared.dead[--shared.dead_count];
        Py_SET_REFCNT((PyObject *)x, 1);
    }
    if (x != NULL) {
        x->hash = -1;
        x->few = true;
        x->brief = false;
    }
    return x;
}

void number_dealloc(PyObject *self) {
    number *x = (number *)self;
    if (x->few && x->home == NULL && shared.dead_count < SHARED_DEAD) {
        shared.dead[shared.dead_count++] = x;
        return;
    }
    PyTypeObject *type = Py_TYPE(self);
    context_discard(x->home != NULL ? x->home : shared.base, &x->value);
    object_drop(x->home);
    shared.release(self);
    object_drop(type);
}

number *number_from_i64(int64_t value) {
    number *x = number_new();
    bigint_ctx *ctx = context_peek(shared.base);
    if (x != NULL && (ctx == NULL || bigint_set_i64(ctx, &x->value, value) != BIGINT_OK)) {
        object_drop(x);
        return (number *)PyErr_NoMemory();
    }
    if (x != NULL) {
        number_settle(x);
    }
    return x;
}

int number_sign(const number *x) {
    int sign = 0;
    bigint_ctx *ctx = context_peek(shared.base);
    // It reads a field: it cannot fail on the host.
    return ctx != NULL && bigint_sign(ctx, &sign, &x->value) == BIGINT_OK ? sign : 0;
}

static bigint_status run_to_host(bigint_ctx *ctx, call *c) {
    bigint_status status = bigint_set(ctx, &c->out[0]->value, &c->in[0]->value);
    return status == BIGINT_OK ? bigint_move(ctx, &c->out[0]->value, BIGINT_HOST) : status;
}

number *number_host(number *x) {
    if (x->home == NULL) {
        object_hold(x);
        return x;
    }
    call c = {.run = run_to_host, .in = {x}, .result_on_host = true};
    object_hold(x);
    return (number *)call_number(&c);
}
