// text.c: plans of index-digit transforms as text: specs, printed and parsed, and the
// table of layouts. Includes lengths.h.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "fft/index_digit/lengths.h"

static const char *const element_names[] = {"cf64", "cf32", "rf64", "rf32", "mod"};
static const char *const direction_names[] = {"fwd", "inv"};
static const char *const order_names[] = {"nat", "rev"};
static const char wheres[] = "gsr";
static const char twiddles[] = {0, '<', '>'};

// writer: text appended like snprintf would, counting what does not fit.
typedef struct {
    char *text;
    size_t bytes, n;
} writer;

__attribute__((format(printf, 2, 3))) static void add(writer *w, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const size_t left = w->n < w->bytes ? w->bytes - w->n : 0;
    const int n = vsnprintf(left ? w->text + w->n : NULL, left, format, args);
    va_end(args);
    w->n += n > 0 ? (size_t)n : 0;
}

int fft_id_print(const fft_id_plan *plan, char *text, size_t bytes) {
    const fft_id_problem *problem = &plan->problem;
    writer w = {text, bytes, 0};
    add(&w, "%s:%s:%s:2^%u", element_names[problem->element], direction_names[problem->direction],
        order_names[problem->order], problem->exponent[0]);
    for (unsigned i = 1; i < FFT_ID_PRIMES; i++) {
        if (problem->exponent[i]) {
            add(&w, "*%u^%u", fft_id_primes[i], problem->exponent[i]);
        }
    }
    add(&w, "x%llu:p%u,s%u,x%u:", (unsigned long long)problem->batch, plan->tuple.p, plan->tuple.s,
        plan->tuple.x);
    for (unsigned m = 0; m < plan->stages_n; m++) {
        const fft_id_stage *stage = &plan->stage[m];
        const char twiddle[2] = {twiddles[stage->twiddle], 0};
        add(&w, "%s%c%u%s", m ? "," : "", wheres[stage->where], stage->radix, twiddle);
    }
    return (int)w.n;
}

// literal: consumes `word` from *at if it stands there.
static bool literal(const char **at, const char *word) {
    const size_t n = strlen(word);
    if (strncmp(*at, word, n) != 0) {
        return false;
    }
    *at += n;
    return true;
}

// name: consumes one of the names and the colon after it; their number if there is none.
static unsigned name(const char **at, const char *const *names, unsigned names_n) {
    unsigned i = 0;
    while (i < names_n && !literal(at, names[i])) {
        i++;
    }
    return literal(at, ":") ? i : names_n;
}

// number: consumes a decimal number of at most `most`, as it would be printed.
static bool number(const char **at, uint64_t most, uint64_t *value) {
    const char *c = *at;
    *value = 0;
    while (*c >= '0' && *c <= '9') {
        const uint64_t digit = (uint64_t)(*c++ - '0');
        if (*value > (most - digit) / 10 || digit > most) {
            return false;
        }
        *value = *value * 10 + digit;
    }
    const bool plain = c > *at && (**at != '0' || c == *at + 1);
    *at = c;
    return plain;
}

static bool byte(const char **at, const char *before, uint8_t *value) {
    uint64_t v = 0;
    const bool ok = literal(at, before) && number(at, 255, &v);
    *value = (uint8_t)v;
    return ok;
}

static bool parse_problem(const char **at, fft_id_problem *problem) {
    problem->element = (fft_id_element)name(at, element_names, FFT_ID_ELEMENTS);
    problem->direction = (fft_id_direction)name(at, direction_names, FFT_ID_DIRECTIONS);
    problem->order = (fft_id_order)name(at, order_names, FFT_ID_ORDERS);
    bool ok = problem->element < FFT_ID_ELEMENTS && problem->direction < FFT_ID_DIRECTIONS &&
              problem->order < FFT_ID_ORDERS && byte(at, "2^", &problem->exponent[0]);
    for (unsigned i = 1; i < FFT_ID_PRIMES; i++) {
        const char factor[] = {'*', (char)('0' + fft_id_primes[i]), '^', 0};
        if (strncmp(*at, factor, 3) == 0) {
            ok = ok && byte(at, factor, &problem->exponent[i]) && problem->exponent[i] > 0;
        }
    }
    return ok && literal(at, "x") && number(at, UINT64_MAX, &problem->batch);
}

static bool parse_stage(const char **at, fft_id_stage *stage) {
    const char *where = **at ? strchr(wheres, **at) : NULL;
    if (!where) {
        return false;
    }
    stage->where = (uint8_t)(where - wheres);
    ++*at;
    if (!byte(at, "", &stage->radix)) {
        return false;
    }
    stage->digits = (uint8_t)fft_id_radix_digits(stage->radix);  // 11 and its like: refused later
    stage->twiddle = FFT_ID_NONE;
    if (**at == '<' || **at == '>') {
        stage->twiddle = *(*at)++ == '<' ? FFT_ID_BEFORE : FFT_ID_AFTER;
    }
    return true;
}

const char *fft_id_parse(fft_id_plan *plan, const char *spec) {
    const char *const form =
        "a spec reads ELEMENT:DIRECTION:ORDER:2^axBATCH:pP,sS,xX:STAGES, such as "
        "cf64:fwd:nat:2^4x1:p2,s4,x0:g4>,s4";
    const char *at = spec;
    memset(plan, 0, sizeof *plan);
    if (!parse_problem(&at, &plan->problem) || !byte(&at, ":p", &plan->tuple.p) ||
        !byte(&at, ",s", &plan->tuple.s) || !byte(&at, ",x", &plan->tuple.x) ||
        !literal(&at, ":")) {
        return form;
    }
    unsigned consumed = 0;
    do {
        if (plan->stages_n == FFT_ID_STAGES_MAX) {
            return "a plan has 1 to 33 stages";
        }
        fft_id_stage *stage = &plan->stage[plan->stages_n++];
        if (!parse_stage(&at, stage)) {
            return form;
        }
        stage->top = (uint8_t)(fft_id_digits(&plan->problem) - consumed);
        consumed += stage->digits;
    } while (literal(&at, ","));
    return *at ? form : fft_id_refusal(plan);
}

// add_word: the digits of a word from the top, those of consumed slots (below t_top none) as f.
static void add_word(writer *w, const fft_id_plan *plan, const fft_id_word *word, unsigned top) {
    for (unsigned i = word->n; i >= 1; i--) {
        const unsigned j = word->slot[i];
        char digit[8];
        snprintf(digit, sizeof digit, "%c%u", j > top ? 'f' : 't',
                 j > top ? fft_id_output_digit(plan, j) : j);
        add(w, i > 1 ? "%-4s" : "%s\n", digit);
    }
}

static void add_mapping(writer *w, const fft_id_plan *plan, const fft_id_word *word,
                        unsigned stage) {
    const fft_id_mapping map = fft_id_stage_mapping(plan, stage);
    add(w, "%-8s%-20s", "", "held in");
    for (unsigned i = word->n; i >= 1; i--) {
        const unsigned j = word->slot[i];
        char resource[8];
        snprintf(resource, sizeof resource, "%c%u", "plb"[map.resource[j]], map.bit[j]);
        add(w, i > 1 ? "%-4s" : "%s\n", resource);
    }
}

static void add_operator(writer *w, const fft_id_operator *op) {
    char text[40];
    if (op->operation == FFT_ID_NODE) {
        snprintf(text, sizeof text, "node(%u,%u)", op->i, op->j);
    } else if (op->operation == FFT_ID_REVERSAL) {
        snprintf(text, sizeof text, "reversal(%u,%u)", op->i, op->j);
    } else {
        snprintf(text, sizeof text, "unshuffle^%u(%u,%u)", op->times, op->i, op->j);
    }
    add(w, "%-20s", text);
}

int fft_id_explain(const fft_id_plan *plan, char *text, size_t bytes) {
    static const char *const where_names[] = {"global", "shared", "register"};
    writer w = {text, bytes, 0};
    fft_id_word word = fft_id_word_before(plan, 0);
    add(&w, "%-28s", "input");
    add_word(&w, plan, &word, word.n);
    for (unsigned m = 0; m < plan->stages_n; m++) {
        const fft_id_stage *stage = &plan->stage[m];
        unsigned top = stage->top;
        fft_id_operator ops[FFT_ID_STAGE_OPERATORS];
        fft_id_stage_operators(plan, m, ops);
        for (unsigned i = 0; i < FFT_ID_STAGE_OPERATORS; i++) {
            add(&w, "%-8s", i ? "" : where_names[stage->where]);
            add_operator(&w, &ops[i]);
            fft_id_apply(ops[i], &word);
            top -= ops[i].operation == FFT_ID_NODE ? stage->digits : 0u;
            add_word(&w, plan, &word, top);
            if (ops[i].operation == FFT_ID_NODE && !fft_id_mixed(&plan->problem)) {
                add_mapping(&w, plan, &word, m);
            }
        }
    }
    return (int)w.n;
}
