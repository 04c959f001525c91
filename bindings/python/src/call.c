// call.c: how an operation runs: at once, without the GIL, or on a thread of its own.
#include "call.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "shared.h"

// Limbs of a product: one takes 50 to 100 ns in a long product. To release the GIL and take it
// again costs 5 ms if other threads compute in Python; a thread costs 20 µs.
static const double RELEASE_GIL = 2048, OWN_THREAD = 131072;
enum { LOOK_AFTER_MS = 50 };  // a waiting main thread looks for signals

typedef struct {
    call call;
    bigint_ctx *ctx;
    context *where;
    bigint_status status;
    char error[512];
    // Below: under the mutex.
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool done;
    bool abandoned;  // the job owns what the call holds, and itself
} job;

void call_end(call *c) {
    for (int i = 0; i < CALL_OPERANDS; i++) {
        Py_CLEAR(c->in[i]);
    }
    for (int i = 0; i < CALL_RESULTS; i++) {
        Py_CLEAR(c->out[i]);
    }
    free(c->memory);
    c->memory = NULL;
}

bigint_status call_unary(bigint_ctx *ctx, call *c) {
    return c->unary(ctx, &c->out[0]->value, &c->in[0]->value);
}
bigint_status call_binary(bigint_ctx *ctx, call *c) {
    return c->binary(ctx, &c->out[0]->value, &c->in[0]->value, &c->in[1]->value);
}
bigint_status call_counted(bigint_ctx *ctx, call *c) {
    return c->counted(ctx, &c->out[0]->value, &c->in[0]->value, c->k);
}

// --- Without the GIL -----------------------------------------------------------------------------

static void job_run(job *j) {
    j->status = j->call.run(j->ctx, &j->call);
    if (j->status != BIGINT_OK) {  // before another thread uses the context
        strncpy(j->error, bigint_ctx_error(j->ctx), sizeof j->error - 1);
    }
}

static void job_free(job *j) {
    pthread_cond_destroy(&j->changed);
    pthread_mutex_destroy(&j->mutex);
    free(j);
}

static void *job_thread(void *argument) {
    job *j = argument;
    job_run(j);
    pthread_mutex_lock(&j->mutex);
    j->done = true;
    const bool abandoned = j->abandoned;
    pthread_cond_signal(&j->changed);
    pthread_mutex_unlock(&j->mutex);
    if (abandoned) {
        const PyGILState_STATE gil = PyGILState_Ensure();
        bigint_ctx_resume(j->ctx);
        context_give_back(j->where, j->ctx);
        call_end(&j->call);
        object_drop(j->call.keep);
        object_drop(j->where);
        job_free(j);
        PyGILState_Release(gil);
    }
    return NULL;
}

// start: whether the thread runs. Signals stay with the program's own threads.
static bool start(job *j) {
    sigset_t all, old;
    pthread_attr_t detached;
    pthread_t thread;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    const bool started = pthread_create(&thread, &detached, job_thread, j) == 0;
    pthread_attr_destroy(&detached);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return started;
}

// wait_a_while: whether the job is done, after LOOK_AFTER_MS at most.
static bool wait_a_while(job *j) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_AFTER_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_mutex_lock(&j->mutex);
    int status = 0;
    while (!j->done && status != ETIMEDOUT) {
        status = pthread_cond_timedwait(&j->changed, &j->mutex, &until);
    }
    const bool done = j->done;
    pthread_mutex_unlock(&j->mutex);
    return done;
}

// abandon: whether the thread goes on without us; then it owns what the call held.
static bool abandon(job *j, call *c) {
    pthread_mutex_lock(&j->mutex);
    const bool running = !j->done;
    if (running) {
        object_hold(j->where);
        object_hold(c->keep);
        memset(c->in, 0, sizeof c->in);
        memset(c->out, 0, sizeof c->out);
        c->memory = NULL;
        j->abandoned = true;
    }
    pthread_mutex_unlock(&j->mutex);
    return running;
}

// attend waits for the job. -1 with the exception of a signal handler, which stops the job; *gone:
// it did not end soon, and was abandoned.
static int attend(job *j, call *c, bool *gone) {
    for (bool done = false; !done;) {
        Py_BEGIN_ALLOW_THREADS done = wait_a_while(j);
        Py_END_ALLOW_THREADS if (!done && PyErr_CheckSignals() < 0) {
            bigint_ctx_stop(j->ctx);
            Py_BEGIN_ALLOW_THREADS done = wait_a_while(j);
            Py_END_ALLOW_THREADS *gone = !done && abandon(j, c);
            if (!*gone) {
                bigint_ctx_resume(j->ctx);
                c->memory = j->call.memory;  // it has ended: call_end frees it
            }
            return -1;
        }
    }
    return 0;
}

// in_main_thread: whether this is the thread that runs signal handlers. To ask may run them, too.
static int in_main_thread(void) {
    PyObject *thread = PyObject_CallNoArgs(shared.main_thread);
    PyObject *ident = thread == NULL ? NULL : PyObject_GetAttrString(thread, "ident");
    const int main =
        ident == NULL ? -1 : PyLong_AsUnsignedLong(ident) == PyThread_get_thread_ident();
    object_drop(thread);
    object_drop(ident);
    return main;
}

// without_gil runs c on ctx, a lent context of where, and gives it back. 1 if the library has no
// such operation on a device.
static int without_gil(call *c, context *where, bigint_ctx *ctx) {
    const int own_thread = c->effort < OWN_THREAD ? 0 : in_main_thread();
    job *j = own_thread < 0 ? NULL : calloc(1, sizeof *j);
    if (j == NULL) {
        context_give_back(where, ctx);
        if (own_thread >= 0) {
            PyErr_NoMemory();
        }
        return -1;
    }
    j->call = *c;
    j->ctx = ctx;
    j->where = where;
    pthread_mutex_init(&j->mutex, NULL);
    pthread_cond_init(&j->changed, NULL);
    int result = 0;
    bool gone = false;
    if (own_thread != 0 && start(j)) {
        result = attend(j, c, &gone);
    } else {
        Py_BEGIN_ALLOW_THREADS job_run(j);
        Py_END_ALLOW_THREADS
    }
    if (gone) {
        return -1;
    }
    context_give_back(where, ctx);
    *c = j->call;
    if (result == 0 && j->status != BIGINT_OK) {
        result = j->status == BIGINT_ENOBACKEND && where->place >= 0 ? 1 : -1;
        if (result < 0) {
            context_raise(j->status, j->error);
        }
    }
    job_free(j);
    return result;
}

// --- Devices -------------------------------------------------------------------------------------

// copy_to_device replaces *x, on the host, by a copy on the device of ctx.
static int copy_to_device(number **x, context *where, bigint_ctx *ctx) {
    number *copy = number_new();
    bigint_ctx *host = context_peek(shared.base);
    if (copy == NULL || host == NULL) {
        object_drop(copy);
        return -1;
    }
    bigint_status status = bigint_set(host, &copy->value, &(*x)->value);
    const bool set = status == BIGINT_OK;
    status = set ? bigint_move(ctx, &copy->value, where->place) : status;
    if (status != BIGINT_OK) {
        context_raise(status, bigint_ctx_error(set ? ctx : host));
        object_drop(copy);
        return -1;
    }
    copy->home = where;
    object_hold(where);
    object_replace((PyObject **)x, copy);
    return 0;
}

// to_device brings the operands there and empties the results, so that they get memory there.
static int to_device(call *c, context *where, bigint_ctx *ctx) {
    for (int i = 0; i < CALL_OPERANDS && c->in[i] != NULL; i++) {
        if (c->in[i]->home == NULL) {
            if (copy_to_device(&c->in[i], where, ctx) < 0) {
                return -1;
            }
        } else if (c->in[i]->home != where) {
            PyErr_SetString(PyExc_ValueError,
                            "the numbers belong to different contexts of devices");
            return -1;
        }
    }
    for (int i = 0; i < CALL_RESULTS && c->out[i] != NULL; i++) {
        context_discard(shared.base, &c->out[i]->value);
        c->out[i]->home = where;
        object_hold(where);
    }
    return 0;
}

// results_to_device moves the results there.
static int results_to_device(call *c, context *where) {
    bigint_ctx *ctx = context_lend(where);
    bigint_status status = ctx == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    for (int i = 0; status == BIGINT_OK && i < CALL_RESULTS && c->out[i] != NULL; i++) {
        status = bigint_move(ctx, &c->out[i]->value, where->place);
        if (status == BIGINT_OK) {
            c->out[i]->home = where;
            object_hold(where);
        } else {
            context_raise(status, bigint_ctx_error(ctx));
        }
    }
    if (ctx != NULL) {
        context_give_back(where, ctx);
    }
    return status == BIGINT_OK ? 0 : -1;
}

// -------------------------------------------------------------------------------------------------

static int run_long(call *c, context *where);

// on_host_instead: the host computes, with copies there and back.
static int on_host_instead(call *c, context *where) {
    for (int i = 0; i < CALL_RESULTS && c->out[i] != NULL; i++) {
        Py_CLEAR(c->out[i]->home);  // it was emptied
    }
    for (int i = 0; i < CALL_OPERANDS && c->in[i] != NULL; i++) {
        object_replace((PyObject **)&c->in[i], number_host(c->in[i]));
        if (c->in[i] == NULL) {
            return -1;
        }
    }
    const int result = run_long(c, shared.base);
    return result != 0 || c->result_on_host ? result : results_to_device(c, where);
}

static int run_long(call *c, context *where) {
    bigint_ctx *ctx = context_lend(where);
    if (ctx == NULL) {
        return -1;
    }
    if (where->place >= 0 && to_device(c, where, ctx) < 0) {
        context_give_back(where, ctx);
        return -1;
    }
    const int result = without_gil(c, where, ctx);
    if (result != 0) {
        return result < 0 ? -1 : on_host_instead(c, where);
    }
    for (int i = 0; c->result_on_host && i < CALL_RESULTS && c->out[i] != NULL; i++) {
        Py_CLEAR(c->out[i]->home);
    }
    return 0;
}

// run_here runs c at once, with the GIL.
static int run_here(call *c, context *where) {
    bigint_ctx *ctx = context_peek(where);
    if (ctx == NULL) {
        return -1;
    }
    const bigint_status status = c->run(ctx, c);
    if (status != BIGINT_OK) {
        context_raise(status, bigint_ctx_error(ctx));
        return -1;
    }
    return 0;
}

int call_run(call *c) {
    context *where = c->where;
    for (int i = 0; i < CALL_RESULTS && c->out[i] != NULL; i++) {
        c->out[i]->few = false;
    }
    for (int i = 0; i < CALL_OPERANDS && where == NULL && c->in[i] != NULL; i++) {
        where = c->in[i]->home;
    }
    where = where != NULL ? where : context_current();
    if (where == NULL) {
        return -1;
    }
    const bool at_once = c->effort < RELEASE_GIL && where->place < 0;
    object_hold(where);  // another thread may end its block
    const int result = at_once ? run_here(c, where) : run_long(c, where);
    object_drop(where);
    for (int i = 0; result == 0 && i < CALL_RESULTS && c->out[i] != NULL; i++) {
        number_settle(c->out[i]);
    }
    return result;
}

PyObject *call_number(call *c) {
    PyObject *result = NULL;
    c->out[0] = number_new();
    if (c->out[0] != NULL && call_run(c) == 0) {
        result = (PyObject *)c->out[0];
        c->out[0] = NULL;
    }
    call_end(c);
    return result;
}

PyObject *call_tuple(call *c, int count) {
    PyObject *result = NULL;
    bool made = true;
    for (int i = 0; i < count && made; i++) {
        c->out[i] = number_new();
        made = c->out[i] != NULL;
    }
    if (made && call_run(c) == 0) {
        result = PyTuple_New(count);
        for (int i = 0; i < count && result != NULL; i++) {
            PyTuple_SetItem(result, i, Py_NewRef((PyObject *)c->out[i]));
        }
    }
    call_end(c);
    return result;
}

int call_answer(call *c, int64_t *answer) {
    const int result = call_run(c);
    *answer = c->answer;
    call_end(c);
    return result;
}
