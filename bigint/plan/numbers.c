// numbers.c: the plans of number theory, which the host computes.
#include <stdarg.h>
#include <stdio.h>

#include "bigint/core/names.h"
#include "bigint/divide/root_plan.h"
#include "bigint/gcd/plan.h"
#include "bigint/number/plan.h"
#include "bigint/plan/call_plans.h"

typedef unsigned long long number;

// print: the line of a call, how it is computed, and of what size.
__attribute__((format(printf, 6, 7))) static int print(const bigint_ctx *ctx, char *buf, size_t cap,
                                                       const char *call, const char *how,
                                                       const char *size, ...) {
    char text[96];
    va_list arguments;
    va_start(arguments, size);
    vsnprintf(text, sizeof text, size, arguments);
    va_end(arguments);
    return snprintf(buf, cap, "%s %s %s, %s, %s", names_backend(ctx->device.backend), call,
                    ctx->limbs->name, text, how);
}

// --- Combinatorics -------------------------------------------------------------------------------

static void factorial_host(work_need *n, const bigint_call *c) { factorial_need(n, c->count); }
static void multifactorial_host(work_need *n, const bigint_call *c) {
    multifactorial_need(n, c->count, c->k);
}
static void primorial_host(work_need *n, const bigint_call *c) { primorial_need(n, c->count); }
static void binomial_u64_host(work_need *n, const bigint_call *c) {
    binomial_u64_need(n, c->count, c->k);
}
static void binomial_host(work_need *n, const bigint_call *c) { binomial_need(n, c->an, c->k); }
static void fibonacci_host(work_need *n, const bigint_call *c) { fibonacci_need(n, c->count); }

static int factorial_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return print(ctx, buf, cap, "factorial", "swings of primes and squares", "of %llu",
                 (number)c->count);
}

static int multifactorial_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return print(ctx, buf, cap, "factorial", "a tree of products", "of %llu in steps of %llu",
                 (number)c->count, (number)c->k);
}

static int primorial_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return print(ctx, buf, cap, "primorial", "a sieve and a tree of products", "of %llu",
                 (number)c->count);
}

static int binomial_u64_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    static const char *const ways[] = {[BINOMIAL_ZERO] = "zero",
                                       [BINOMIAL_PAIR] = "in words",
                                       [BINOMIAL_QUOTIENT] = "a quotient of two products",
                                       [BINOMIAL_PRIMES] = "a product of primes"};
    return print(ctx, buf, cap, "binomial coefficient", ways[number_binomial_way(c->count, c->k)],
                 "%llu over %llu", (number)c->count, (number)c->k);
}

static int binomial_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return print(ctx, buf, cap, "binomial coefficient",
                 c->an <= 1 ? "a quotient of two products, or a product of primes"
                            : "a quotient of two products",
                 "%llu limbs over %llu", (number)c->an, (number)c->k);
}

static int sequence_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return print(ctx, buf, cap, c->kind == BIGINT_CALL_LUCAS ? "Lucas number" : "Fibonacci number",
                 "doublings of two squares each", "of %llu", (number)c->count);
}

const call_plan plan_factorial = {.host = factorial_host, .line = factorial_line};
const call_plan plan_multifactorial = {
    .host = multifactorial_host, .line = multifactorial_line, .needs = NEEDS_STEP};
const call_plan plan_primorial = {.host = primorial_host, .line = primorial_line};
const call_plan plan_binomial_u64 = {.host = binomial_u64_host, .line = binomial_u64_line};
const call_plan plan_binomial = {.host = binomial_host, .line = binomial_line, .operands = 1};
const call_plan plan_sequence = {.host = fibonacci_host, .line = sequence_line};

// --- Powers and their roots ----------------------------------------------------------------------

static void pow_host(work_need *n, const bigint_call *c) { pow_u64_need(n, c->an, c->k); }
static void is_square_host(work_need *n, const bigint_call *c) { root_need(n, c->an, 2); }
static void is_power_host(work_need *n, const bigint_call *c) { is_power_need(n, c->an); }

static int pow_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return print(ctx, buf, cap, "power", "squares, and products for the ones of the exponent",
                 "%llu limbs to %llu", (number)c->an, (number)c->k);
}

static int is_square_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return root_print(ctx, buf, cap, c->an, 2);
}

static int is_power_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return print(ctx, buf, cap, "test of powers", "a root for each prime degree", "%llu limbs",
                 (number)c->an);
}

const call_plan plan_pow_u64 = {.host = pow_host, .line = pow_line, .operands = 1};
const call_plan plan_is_square = {.host = is_square_host, .line = is_square_line, .operands = 1};
const call_plan plan_is_power = {.host = is_power_host, .line = is_power_line, .operands = 1};

// --- Symbols, divisors, random numbers -----------------------------------------------------------

static void kronecker_host(work_need *n, const bigint_call *c) { kronecker_need(n, c->an, c->bn); }
static void remove_host(work_need *n, const bigint_call *c) { remove_need(n, c->an, c->bn); }
static void random_host(work_need *n, const bigint_call *c) { random_need(n, c->an); }

static int kronecker_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return gcd_print(ctx, buf, cap, c->an, c->bn);
}

static int remove_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return print(ctx, buf, cap, "removal", "divisions by powers that are squared",
                 "%llu limbs from %llu", (number)c->bn, (number)c->an);
}

static int random_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return print(ctx, buf, cap, "random number", "drawn in workspace", "%llu limbs", (number)c->an);
}

const call_plan plan_kronecker = {.host = kronecker_host, .line = kronecker_line, .operands = 2};
const call_plan plan_remove = {
    .host = remove_host, .line = remove_line, .needs = NEEDS_DIVISOR, .operands = 2};
const call_plan plan_random = {.host = random_host, .line = random_line, .operands = 1};
