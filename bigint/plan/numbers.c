// numbers.c: the plans of number theory, which the host computes.
#include <stdio.h>

#include "bigint/core/names.h"
#include "bigint/divide/root_plan.h"
#include "bigint/gcd/plan.h"
#include "bigint/number/plan.h"
#include "bigint/plan/call_plans.h"

typedef unsigned long long number;

// print: the line of a call, of what size, and how it is computed.
static int print(const bigint_ctx *ctx, char *buf, size_t cap, const char *call, const char *size,
                 const char *how) {
    return snprintf(buf, cap, "%s %s %s, %s, %s", names_backend(ctx->device.backend), call,
                    ctx->limbs->name, size, how);
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
    char size[64];
    snprintf(size, sizeof size, "of %llu", (number)c->count);
    return print(ctx, buf, cap, "factorial", size, "swings of primes and squares");
}

static int multifactorial_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    char size[96];
    snprintf(size, sizeof size, "of %llu in steps of %llu", (number)c->count, (number)c->k);
    return print(ctx, buf, cap, "factorial", size, "a tree of products");
}

static int primorial_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    char size[64];
    snprintf(size, sizeof size, "of %llu", (number)c->count);
    return print(ctx, buf, cap, "primorial", size, "a sieve and a tree of products");
}

static int binomial_u64_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    static const char *const ways[] = {[BINOMIAL_ZERO] = "zero",
                                       [BINOMIAL_PAIR] = "in words",
                                       [BINOMIAL_QUOTIENT] = "a quotient of two products",
                                       [BINOMIAL_PRIMES] = "a product of primes"};
    char size[96];
    snprintf(size, sizeof size, "%llu over %llu", (number)c->count, (number)c->k);
    return print(ctx, buf, cap, "binomial coefficient", size,
                 ways[number_binomial_way(c->count, c->k)]);
}

static int binomial_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    char size[96];
    snprintf(size, sizeof size, "%llu limbs over %llu", (number)c->an, (number)c->k);
    return print(ctx, buf, cap, "binomial coefficient", size,
                 c->an <= 1 ? "a quotient of two products, or a product of primes"
                            : "a quotient of two products");
}

static int sequence_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    char size[64];
    snprintf(size, sizeof size, "of %llu", (number)c->count);
    return print(ctx, buf, cap, c->kind == BIGINT_CALL_LUCAS ? "Lucas number" : "Fibonacci number",
                 size, "doublings of two squares each");
}

const call_plan plan_factorial = {.host = factorial_host, .line = factorial_line};
const call_plan plan_multifactorial = {
    .host = multifactorial_host, .line = multifactorial_line, .needs = NEEDS_STEP};
const call_plan plan_primorial = {.host = primorial_host, .line = primorial_line};
const call_plan plan_binomial_u64 = {.host = binomial_u64_host, .line = binomial_u64_line};
const call_plan plan_binomial = {.host = binomial_host, .line = binomial_line, .operands = 1};
const call_plan plan_fibonacci = {.host = fibonacci_host, .line = sequence_line};
const call_plan plan_lucas = {.host = fibonacci_host, .line = sequence_line};

// --- Powers and their roots ----------------------------------------------------------------------

static void pow_host(work_need *n, const bigint_call *c) { pow_u64_need(n, c->an, c->k); }
static void is_square_host(work_need *n, const bigint_call *c) { root_need(n, c->an, 2); }
static void is_power_host(work_need *n, const bigint_call *c) { is_power_need(n, c->an); }

static int pow_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    char size[96];
    snprintf(size, sizeof size, "%llu limbs to %llu", (number)c->an, (number)c->k);
    return print(ctx, buf, cap, "power", size,
                 "squares, and products for the ones of the exponent");
}

static int is_square_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return root_print(ctx, buf, cap, c->an, 2);
}

static int is_power_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    char size[64];
    snprintf(size, sizeof size, "%llu limbs", (number)c->an);
    return print(ctx, buf, cap, "test of powers", size, "a root for each prime degree");
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
    char size[96];
    snprintf(size, sizeof size, "%llu limbs from %llu", (number)c->bn, (number)c->an);
    return print(ctx, buf, cap, "removal", size, "divisions by powers that are squared");
}

static int random_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    char size[64];
    snprintf(size, sizeof size, "%llu limbs", (number)c->an);
    return print(ctx, buf, cap, "random number", size, "drawn in workspace");
}

const call_plan plan_kronecker = {.host = kronecker_host, .line = kronecker_line, .operands = 2};
const call_plan plan_remove = {
    .host = remove_host, .line = remove_line, .needs = NEEDS_DIVISOR, .operands = 2};
const call_plan plan_random = {.host = random_host, .line = random_line, .operands = 1};
