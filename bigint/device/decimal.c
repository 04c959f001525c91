// decimal.c: bigint_mul_decimal on a device: the way for the context's engine and the lengths,
// memory, copies and the check. The launches are in decimal_modular.c and, of the other engines, in
// decimal/product.c.
#include "bigint/device/decimal.h"

#include <stdio.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/device_stream.h"
#include "bigint/core/names.h"
#include "bigint/device/decimal/product.h"
#include "bigint/device/decimal_modular.h"
#include "bigint/device/plan.h"
#include "bigint/multiply/float.h"
#include "bigint/multiply/mul.h"
#include "bigint/text/decimal_digits.h"
#include "carry/add.h"
#include "primitives/words/word.h"

static const char *const who = "bigint_mul_decimal";

// On a device a text begins on such a line, and the word before it is device_send's sign.
enum { LINE = 256, CHARACTERS = sizeof(uint64_t) };

static uint64_t words_of(size_t characters) { return word_ceil_div(characters, CHARACTERS); }

static uint64_t whole_lines(uint64_t bytes) { return word_ceil_div(bytes, LINE) * LINE; }

// check: counts the product and, if the context checks products, compares residues of the texts;
// the product's has `digits` characters.
static bigint_status check(bigint_ctx *ctx, const decimal_text *a, const decimal_text *b,
                           const char *product, size_t digits) {
    const unsigned k = DECIMAL_WORD_DIGITS;
    const uint64_t an = word_ceil_div(a->count, k), bn = word_ceil_div(b->count, k);
    if (ctx->check_modulus == 0) {
        return mul_check_words(ctx, who, DECIMAL_WORD_RADIX, NULL, NULL, an, NULL, bn);
    }
    uint64_t *const ap = arena_take_limbs(ctx, who, 2 * (an + bn));
    if (ap == NULL) {
        return BIGINT_ENOMEM;
    }
    uint64_t *const bp = ap + an, *const rp = bp + bn;
    rp[an + bn - 1] = 0;  // the product may have a word less
    decimal_digits_read(ap, a->digits, a->count, k);
    decimal_digits_read(bp, b->digits, b->count, k);
    decimal_digits_read(rp, product, digits, k);
    return mul_check_words(ctx, who, DECIMAL_WORD_RADIX, rp, ap, an, bp, bn);
}

// --- Modular -------------------------------------------------------------------------------------

// send_texts: memory on the device for the texts of a, b and the product, and both factors there.
static bigint_status send_texts(bigint_ctx *ctx, char *text[3], const decimal_text *a,
                                const decimal_text *b) {
    const uint64_t an = whole_lines(a->count), bn = whole_lines(b->count);
    text[0] = arena_take_in(ctx, &ctx->queue.memory, who, 2 * (an + bn));
    if (text[0] == NULL) {
        return ctx->failed != BIGINT_OK ? ctx->failed : BIGINT_ENOMEM;
    }
    text[1] = text[0] + an;
    text[2] = text[1] + bn;
    bigint_status status = device_staging_need(ctx, who);
    if (status == BIGINT_OK) {
        status = device_send_bytes(ctx, who, text[0], a->digits, a->count);
    }
    return status == BIGINT_OK && a != b ? device_send_bytes(ctx, who, text[1], b->digits, b->count)
                                         : status;
}

// run_modular: the product's text, on the device; *good: whether both factors have digits alone;
// *less: whether its first one is 0. Waits.
static bigint_status run_modular(bigint_ctx *ctx, const decimal_modular *d, char *text[3],
                                 bool *good, size_t *less) {
    uint64_t answer[3];  // of d->bad, and the first characters
    result done = decimal_modular_run(d, text[2], text[0], text[1]);
    done = done == RESULT_OK ? cuda_copy(d->bad + 2, text[2], sizeof *answer, ctx->queue.stream)
                             : done;
    bigint_status status = device_status(ctx, who, done);
    if (status == BIGINT_OK) {
        status = device_fetch(ctx, who, answer, d->bad, 3);
    }
    if (status == BIGINT_OK) {
        *good = answer[0] >= d->an && answer[1] >= d->bn;
        *less = *(const char *)&answer[2] == '0';
    }
    return status;
}

// modular: the text goes to the caller's buffer at once; only a failed check leaves it there.
static bigint_status modular(bigint_ctx *ctx, const decimal_buffer *to, decimal_modular *d,
                             const decimal_text *a, const decimal_text *b, size_t *bad_at) {
    char *text[3], *at = NULL;
    bool good = true;
    size_t less = 0;
    bigint_status status = send_texts(ctx, text, a, b);
    if (status == BIGINT_OK) {
        status = run_modular(ctx, d, text, &good, &less);
    }
    if (status == BIGINT_OK && !good) {  // which character: the device's answer says where
        status = decimal_text_check(ctx, a, bad_at);
        status = status == BIGINT_OK ? decimal_text_check(ctx, b, bad_at) : status;
        return status == BIGINT_OK
                   ? context_impossible(ctx, who,
                                        "a character that is no digit on the device alone")
                   : status;
    }
    const size_t digits = a->count + b->count - less;
    if (status == BIGINT_OK) {
        status = decimal_buffer_open(ctx, to, digits, &at);
    }
    if (status == BIGINT_OK) {
        status = device_fetch_bytes(ctx, who, at, text[2] + less, digits);
    }
    return status == BIGINT_OK ? check(ctx, a, b, at, digits) : status;
}

static bigint_status by_modular(bigint_ctx *ctx, const decimal_buffer *to, const decimal_text *a,
                                const decimal_text *b, size_t *bad_at) {
    decimal_modular d;
    if (!decimal_modular_plan(ctx, &d, a->count, b->count, a == b)) {
        return mul_float_refuse(ctx, who, ENGINE_MODULAR_FFT, a->count, b->count, "decimal digits",
                                "too many points");
    }
    const arena_mark on_host = arena_get_mark(ctx);
    bigint_status status = decimal_modular_open(ctx, who, &d);
    if (status == BIGINT_OK) {
        status = modular(ctx, to, &d, a, b, bad_at);
        decimal_modular_close(&d);
    }
    arena_release(ctx, on_host);
    return status;
}

// --- Plan of the other engines -------------------------------------------------------------------

// way_of: the pipeline of an engine that is not modular.
static decimal_way way_of(engine_kind engine) {
    decimal_way way = {.method = engine == ENGINE_TILED ? DECIMAL_TILED : DECIMAL_REAL};
    if (mul_float_engine(engine)) {
        way.single = mul_float_type(engine) == FFT_F32;
        if (engine == ENGINE_COMPLEX_FFT || engine == ENGINE_COMPLEX_FFT_F32) {
            way.method = DECIMAL_COMPLEX;
        }
    }
    return way;
}

static bigint_status make_plan(bigint_ctx *ctx, decimal_plan *plan, const decimal_text *a,
                               const decimal_text *b) {
    const decimal_way way = way_of(ctx->engine);
    const char *const why = decimal_plan_make(plan, &way, a->count, b->count, 1, a == b);
    const engine_kind engine = ctx->engine == ENGINE_AUTO ? ENGINE_REAL_FFT : ctx->engine;
    return why == NULL
               ? BIGINT_OK
               : mul_float_refuse(ctx, who, engine, a->count, b->count, "decimal digits", why);
}

// --- Product -------------------------------------------------------------------------------------

// task: one product: texts on both places, each a number of words.
typedef struct {
    const decimal_text *a, *b;
    uint64_t *host[3], *device[3];  // a, b, the product
    decimal_product product;
} task;

static size_t characters(const task *t, int i) {
    return i == 0 ? t->a->count : i == 1 ? t->b->count : t->a->count + t->b->count;
}

// take_host: memory for the texts on the host: whole words, which device_send reads.
static bigint_status take_host(bigint_ctx *ctx, task *t) {
    for (int i = 0; i < 3; i++) {
        t->host[i] = arena_take_limbs(ctx, who, words_of(characters(t, i)));
        if (t->host[i] == NULL) {
            return BIGINT_ENOMEM;
        }
    }
    return BIGINT_OK;
}

// take_device: memory for the texts and the product, words for its carries, and the staging.
static bigint_status take_device(bigint_ctx *ctx, task *t) {
    device_queue *const q = &ctx->queue;
    uint64_t at[3], end = 0;
    for (int i = 0; i < 3; i++) {
        at[i] = end + LINE;
        end = at[i] + whole_lines(characters(t, i));
    }
    const size_t words = decimal_product_words_bytes(t->product.plan);
    bigint_status status = device_words_need(ctx, who, CARRY_ADD_FRONT_BYTES + words);
    if (status == BIGINT_OK) {
        status = device_staging_need(ctx, who);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    unsigned char *const memory =
        arena_take_in(ctx, &q->memory, who, end + decimal_product_bytes(t->product.plan));
    if (memory == NULL) {
        return ctx->failed != BIGINT_OK ? ctx->failed : BIGINT_ENOMEM;
    }
    for (int i = 0; i < 3; i++) {
        t->device[i] = (uint64_t *)(memory + at[i]);
    }
    t->product.memory = memory + end;
    // after the words of comparisons and sums
    t->product.words = (unsigned char *)q->words + CARRY_ADD_FRONT_BYTES;
    t->product.words_bytes = q->words_bytes - CARRY_ADD_FRONT_BYTES;
    t->product.stream = q->stream;
    return BIGINT_OK;
}

// send: a factor's text; what stands behind it in its last word is not read.
static bigint_status send(bigint_ctx *ctx, const task *t, int i, const decimal_text *text) {
    const uint64_t n = words_of(text->count);
    t->host[i][n - 1] = 0;
    memcpy(t->host[i], text->digits, text->count);
    return device_send(ctx, who, t->device[i], t->host[i], n, 0);
}

// run: the product's text to host[2]; waits.
static bigint_status run(bigint_ctx *ctx, task *t) {
    bigint_status status = send(ctx, t, 0, t->a);
    if (status == BIGINT_OK && t->a != t->b) {
        status = send(ctx, t, 1, t->b);
    }
    if (status == BIGINT_OK) {
        result done = decimal_product_tables(&t->product);
        if (done == RESULT_OK) {
            done = decimal_product_run(&t->product, (const char *)t->device[0],
                                       (const char *)t->device[1], (char *)t->device[2]);
        }
        status = device_status(ctx, who, done);
    }
    return status == BIGINT_OK
               ? device_fetch(ctx, who, t->host[2], t->device[2], words_of(characters(t, 2)))
               : status;
}

// write: the text to the caller's buffer; its first character is 0 if it has a digit less.
static bigint_status write(bigint_ctx *ctx, const decimal_buffer *to, const task *t) {
    const char *const text = (const char *)t->host[2];
    const size_t less = text[0] == '0', digits = characters(t, 2) - less;
    char *at;
    const bigint_status status = decimal_buffer_open(ctx, to, digits, &at);
    if (status == BIGINT_OK) {
        memcpy(at, text + less, digits);
    }
    return status;
}

static bigint_status multiply(bigint_ctx *ctx, const decimal_buffer *to, task *t) {
    const arena_mark on_host = arena_get_mark(ctx), there = arena_mark_in(&ctx->queue.memory);
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    status = take_host(ctx, t);
    if (status == BIGINT_OK) {
        status = take_device(ctx, t);
    }
    if (status == BIGINT_OK) {
        status = run(ctx, t);
    }
    arena_release_in(ctx, &ctx->queue.memory, there);
    device_leave(ctx);
    if (status == BIGINT_OK) {
        status = check(ctx, t->a, t->b, (const char *)t->host[2], characters(t, 2));
    }
    if (status == BIGINT_OK) {
        status = write(ctx, to, t);
    }
    arena_release(ctx, on_host);
    return status;
}

static bigint_status by_pipeline(bigint_ctx *ctx, const decimal_buffer *to, const decimal_text *a,
                                 const decimal_text *b, size_t *bad_at) {
    decimal_plan plan;
    task t = {.a = a, .b = b, .product = {.plan = &plan}};
    bigint_status status = decimal_text_check(ctx, a, bad_at);
    if (status == BIGINT_OK && a != b) {
        status = decimal_text_check(ctx, b, bad_at);
    }
    if (status == BIGINT_OK) {
        status = make_plan(ctx, &plan, a, b);
    }
    return status == BIGINT_OK ? multiply(ctx, to, &t) : status;
}

// --- Both ----------------------------------------------------------------------------------------

// is_modular: whether the modular transform computes products of this many digits.
static bool is_modular(const bigint_ctx *ctx, uint64_t digits) {
    return ctx->engine == ENGINE_MODULAR_FFT ||
           (ctx->engine == ENGINE_AUTO && digits >= DECIMAL_MODULAR_FROM);
}

bigint_status decimal_on_device(bigint_ctx *ctx, const decimal_buffer *to, const decimal_text *a,
                                const decimal_text *b, size_t *bad_at) {
    return (is_modular(ctx, a->count + b->count) ? by_modular : by_pipeline)(ctx, to, a, b, bad_at);
}

// --- Plans ---------------------------------------------------------------------------------------

static void pipeline_need(work_need *w, uint64_t an, uint64_t bn, bool square) {
    const uint64_t texts[] = {an, bn, an + bn};
    const decimal_way way = way_of(w->ctx->engine);
    decimal_plan plan;
    if (decimal_plan_make(&plan, &way, an, bn, 1, square) != NULL) {
        return;  // refused by the call, too
    }
    uint64_t bytes = 0;
    for (unsigned i = 0; i < 3; i++) {
        need_take_limbs(&w->host, words_of(texts[i]));
        bytes += LINE + whole_lines(texts[i]);
    }
    need_words(w, CARRY_ADD_FRONT_BYTES + decimal_product_words_bytes(&plan));
    need_take(&w->device, bytes + decimal_product_bytes(&plan));
}

static void modular_need(work_need *w, uint64_t an, uint64_t bn, bool square) {
    decimal_modular d;
    if (decimal_modular_plan(w->ctx, &d, an, bn, square)) {
        decimal_modular_need(w, &d);
        device_transfer_need(w, an + bn);
        need_take(&w->device, 2 * (whole_lines(an) + whole_lines(bn)));
    }
}

void decimal_device_need(work_need *w, uint64_t an, uint64_t bn) {
    const uint64_t host = w->host.in_use, device = w->device.in_use;
    for (unsigned square = 0; square < (an == bn ? 2 : 1) && an > 0 && bn > 0; square++) {
        (is_modular(w->ctx, an + bn) ? modular_need : pipeline_need)(w, an, bn, square == 1);
        if (w->ctx->check_modulus != 0) {  // of check
            need_take_limbs(&w->host, 2 * ((an + bn) / DECIMAL_WORD_DIGITS + 2));
        }
        need_release(&w->host, host);
        need_release(&w->device, device);
    }
}

int decimal_device_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t bn) {
    const engine_kind engine = is_modular(ctx, an + bn)     ? ENGINE_MODULAR_FFT
                               : ctx->engine == ENGINE_AUTO ? ENGINE_REAL_FFT
                                                            : ctx->engine;
    return snprintf(buf, cap, "%s %s, %llu x %llu digits", names_backend(ctx->device.backend),
                    names_engine(engine), (unsigned long long)an, (unsigned long long)bn);
}
