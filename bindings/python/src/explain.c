// explain.c: Context.explain and Context.workspace_bytes: the plans of calls.
#include "explain.h"

#include <stdbool.h>
#include <string.h>

static const char *const names[BIGINT_CALL_KINDS] = {
    [BIGINT_CALL_MUL] = "mul",
    [BIGINT_CALL_SQR] = "sqr",
    [BIGINT_CALL_MUL_MINUS1] = "mul_minus1",
    [BIGINT_CALL_MUL_PLUS1] = "mul_plus1",
    [BIGINT_CALL_DIVREM] = "divrem",
    [BIGINT_CALL_FDIV] = "fdiv",
    [BIGINT_CALL_DIVEXACT] = "divexact",
    [BIGINT_CALL_DIV_PREP_CREATE] = "div_prep_create",
    [BIGINT_CALL_DIVREM_PREP] = "divrem_prep",
    [BIGINT_CALL_SQRT] = "sqrt",
    [BIGINT_CALL_ROOT] = "root",
    [BIGINT_CALL_RSQRT_FIXED] = "rsqrt_fixed",
    [BIGINT_CALL_SET_TEXT] = "set_text",
    [BIGINT_CALL_GET_TEXT] = "get_text",
    [BIGINT_CALL_POWM] = "powm",
    [BIGINT_CALL_GCD] = "gcd",
    [BIGINT_CALL_LCM] = "lcm",
    [BIGINT_CALL_GCDEXT] = "gcdext",
    [BIGINT_CALL_INVERT] = "invert",
    [BIGINT_CALL_MUL_BATCH] = "mul_batch",
    [BIGINT_CALL_MUL_SUM_BATCH] = "mul_sum_batch",
    [BIGINT_CALL_MUL_DECIMAL] = "mul_decimal",
    [BIGINT_CALL_FACTORIAL] = "factorial",
    [BIGINT_CALL_MULTIFACTORIAL] = "multifactorial",
    [BIGINT_CALL_PRIMORIAL] = "primorial",
    [BIGINT_CALL_BINOMIAL_U64] = "binomial_u64",
    [BIGINT_CALL_BINOMIAL] = "binomial",
    [BIGINT_CALL_FIBONACCI] = "fibonacci",
    [BIGINT_CALL_LUCAS] = "lucas",
    [BIGINT_CALL_POW_U64] = "pow_u64",
    [BIGINT_CALL_IS_SQUARE] = "is_square",
    [BIGINT_CALL_IS_POWER] = "is_power",
    [BIGINT_CALL_KRONECKER] = "kronecker",
    [BIGINT_CALL_REMOVE] = "remove",
    [BIGINT_CALL_RANDOM] = "random",
    [BIGINT_CALL_MUL_SUM] = "mul_sum",
    [BIGINT_CALL_ADDMUL] = "addmul",
    [BIGINT_CALL_PREP_CREATE] = "prep_create",
    [BIGINT_CALL_MUL_PREP] = "mul_prep",
    [BIGINT_CALL_CONGRUENT] = "congruent",
    [BIGINT_CALL_PROBABLE_PRIME] = "probable_prime",
    [BIGINT_CALL_PROBABLE_PRIME_BATCH] = "probable_prime_batch",
    [BIGINT_CALL_NEXT_PRIME] = "next_prime",
    [BIGINT_CALL_POWM_SEC] = "powm_sec",
    [BIGINT_CALL_MUL_MINUS1_BATCH] = "mul_minus1_batch",
    [BIGINT_CALL_MUL_PLUS1_BATCH] = "mul_plus1_batch",
    [BIGINT_CALL_POWM_BATCH] = "powm_batch",
    [BIGINT_CALL_MULMOD_BATCH] = "mulmod_batch",
    [BIGINT_CALL_SQRMOD_BATCH] = "sqrmod_batch",
    [BIGINT_CALL_INVMOD_BATCH] = "invmod_batch",
    [BIGINT_CALL_DIVREM_BATCH] = "divrem_batch",
    [BIGINT_CALL_MUL_HOST] = "mul_host",
};

// read_call: the call that the arguments name; -1 with an exception set.
static int read_call(bigint_call *c, const char *format, PyObject *args, PyObject *keywords) {
    static char *words[] = {"call", "an", "bn", "k", "count", NULL};
    const char *name;
    unsigned long long an = 0, bn = 0, k = 0, count = 0;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, format, words, &name, &an, &bn, &k, &count)) {
        return -1;
    }
    for (int kind = 0; kind < BIGINT_CALL_KINDS; kind++) {
        if (strcmp(names[kind], name) == 0) {
            *c = (bigint_call){(bigint_call_kind)kind, an, bn, k, count};
            return 0;
        }
    }
    PyErr_Format(PyExc_ValueError, "no call named '%s'; bigint_plan.h has the names", name);
    return -1;
}

// read_product: explain(an, bn).
static int read_product(bigint_call *c, PyObject *args) {
    unsigned long long an, bn;
    if (!PyArg_ParseTuple(args, "KK:explain", &an, &bn)) {
        return -1;
    }
    *c = (bigint_call){.kind = BIGINT_CALL_MUL, .an = an, .bn = bn};
    return 0;
}

PyObject *explain_call(PyObject *self, PyObject *args, PyObject *keywords) {
    char plan[1024];
    bigint_call c;
    const bool product = PyTuple_Size(args) > 0 && PyLong_Check(PyTuple_GetItem(args, 0));
    const int read = product && keywords == NULL ? read_product(&c, args)
                                                 : read_call(&c, "s|KKKK:explain", args, keywords);
    bigint_ctx *const ctx = read < 0 ? NULL : context_lend((context *)self);
    if (ctx == NULL) {
        return NULL;
    }
    const bigint_status status = bigint_call_explain(ctx, plan, sizeof plan, NULL, &c);
    if (status != BIGINT_OK) {
        context_raise(status, bigint_ctx_error(ctx));
    }
    context_give_back((context *)self, ctx);
    return status != BIGINT_OK ? NULL : PyUnicode_FromString(plan);
}

PyObject *explain_bytes(PyObject *self, PyObject *args, PyObject *keywords) {
    uint64_t bytes = 0;
    bigint_call c;
    bigint_ctx *const ctx = read_call(&c, "s|KKKK:workspace_bytes", args, keywords) < 0
                                ? NULL
                                : context_lend((context *)self);
    if (ctx == NULL) {
        return NULL;
    }
    const bigint_status status = bigint_call_workspace_bytes(ctx, &bytes, &c);
    if (status != BIGINT_OK) {
        context_raise(status, bigint_ctx_error(ctx));
    }
    context_give_back((context *)self, ctx);
    return status != BIGINT_OK ? NULL : PyLong_FromUnsignedLongLong(bytes);
}
