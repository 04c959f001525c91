// tune.c: measures from which size on one algorithm beats another, for each SIMD variant, and puts
// the sizes into bigint/core/tune.h. May include bigint/'s internal headers. Run it twice if a
// threshold moves a lot, because the compiled-in thresholds choose what runs below a forced step.
//
// In tune.h it changes the numbers after `#define NAME ` for each NAME measured here, and the line
// that says where they come from. Everything else stays.
#define _POSIX_C_SOURCE 200809L
#include <argp.h>
#include <ctype.h>
#include <gmp.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/gmp_memory.h"
#include "apps/program.h"
#include "bench/harness.h"
#include "bench/host.h"
#include "bigint/bigint.h"
#include "bigint/core/context.h"
#include "bigint/multiply/mul.h"
#include "bigint/multiply/small.h"
#include "tests/support/gen.h"

// contender: an algorithm at work on {ap, n} {bp, n}; ctx decides if it is not NULL, else
// mul_small.
typedef struct {
    bigint_ctx *ctx;
    const limbs_ops *ops;
    mul_small_algorithm algorithm;
    size_t n;
    const uint64_t *ap, *bp;  // equal pointers: a square
    uint64_t *rp, *ws;
} contender;

static bool multiply(void *self) {
    const contender *c = self;
    if (c->ctx) {
        return bigint_mul_limbs(c->ctx, c->rp, c->ap, c->n, c->bp, c->n) == BIGINT_OK;
    }
    if (c->ap == c->bp) {
        sqr_small(c->ops, c->algorithm, c->rp, c->ap, c->n, c->ws);
    } else {
        mul_small(c->ops, c->algorithm, c->rp, c->ap, c->n, c->bp, c->n, c->ws);
    }
    return true;
}

// duel: both contenders and GMP's product.
typedef struct {
    contender below, above;
    uint64_t *want;
} duel;

static bool both_right(void *self) {
    const duel *d = self;
    size_t bytes = 2 * d->below.n * sizeof(uint64_t);
    return memcmp(d->below.rp, d->want, bytes) == 0 && memcmp(d->above.rp, d->want, bytes) == 0;
}

// crossover: a family of constants of tune.h. The `*` of name stands for the SIMD variant where an
// engine computes the upper side, else for the table of row operations (limbs.h). A side is an
// engine of a context, or an algorithm of mul_small. Sizes from lo to hi limbs.
typedef struct {
    const char *name;
    bool square;
    mul_small_algorithm below, above;         // not read where there is an engine
    const char *below_engine, *above_engine;  // or NULL
    size_t lo, hi;
} crossover;

enum { SIZE_MAX_LIMBS = 30000 };

static const crossover crossovers[] = {
    {"MUL_KARATSUBA_*_THRESHOLD", false, MUL_SMALL_SCHOOLBOOK, MUL_SMALL_KARATSUBA, NULL, NULL, 8,
     300},
    {"SQR_KARATSUBA_*_THRESHOLD", true, MUL_SMALL_SCHOOLBOOK, MUL_SMALL_KARATSUBA, NULL, NULL, 12,
     300},
    {"MUL_TOOM3_*_THRESHOLD", false, MUL_SMALL_KARATSUBA, MUL_SMALL_TOOM3, NULL, NULL, 36, 3000},
    {"SQR_TOOM3_*_THRESHOLD", true, MUL_SMALL_KARATSUBA, MUL_SMALL_TOOM3, NULL, NULL, 48, 3000},
    {"MUL_FFT_*_THRESHOLD", false, MUL_SMALL_BEST, MUL_SMALL_BEST, NULL, "modular-fft", 40,
     SIZE_MAX_LIMBS},
    {"SQR_FFT_*_THRESHOLD", true, MUL_SMALL_BEST, MUL_SMALL_BEST, NULL, "modular-fft", 40,
     SIZE_MAX_LIMBS},
    {"MUL_REAL_FFT_*_THRESHOLD", false, MUL_SMALL_BEST, MUL_SMALL_BEST, NULL, "real-fft", 40, 2000},
    {"SQR_REAL_FFT_*_THRESHOLD", true, MUL_SMALL_BEST, MUL_SMALL_BEST, NULL, "real-fft", 40, 2000},
    {"MUL_REAL_FFT_*_END", false, MUL_SMALL_BEST, MUL_SMALL_BEST, "real-fft", "modular-fft", 400,
     SIZE_MAX_LIMBS},
    {"SQR_REAL_FFT_*_END", true, MUL_SMALL_BEST, MUL_SMALL_BEST, "real-fft", "modular-fft", 400,
     SIZE_MAX_LIMBS},
};

enum { SIZES_MAX = 128 };
// trial: ln(above / below) at n limbs: how much slower the algorithm above is.
typedef struct {
    size_t n;
    double log_ratio;
} trial;

// The threshold of least regret, count >= 1. Regret adds up the losses of the chosen algorithm: the
// lower one below the threshold, the upper one from it on. Equal regrets choose the smaller size.
// The result is `never` if the upper algorithm does not pay at the last sizes.
static size_t least_regret(const trial *trials, size_t count, size_t never) {
    double regret = 0, best = 0;  // against taking the algorithm above at every size
    size_t threshold = 0;         // trials below it
    for (size_t i = 0; i < count; i++) {
        regret -= trials[i].log_ratio;  // trial i goes to the algorithm below
        if (regret < best) {
            best = regret;
            threshold = i + 1;
        }
    }
    return threshold < count ? trials[threshold].n : never;
}

// Steps of one sixteenth.
static size_t next_size(size_t n) { return n + 1 + n / 16; }

// Measures c; below and above are contexts of its engines, or NULL. 0 if a side fails, with a line
// on stderr.
static size_t measure(const crossover *c, const limbs_ops *ops, bigint_ctx *below_ctx,
                      bigint_ctx *above_ctx, uint64_t *memory) {
    static const bench_effort effort = {2e5, 2e7, 7, 101, 0.01};
    uint64_t *ap = memory, *bp = c->square ? ap : ap + SIZE_MAX_LIMBS;
    uint64_t *results = memory + 2 * SIZE_MAX_LIMBS, *ws = results + 6 * SIZE_MAX_LIMBS;
    trial trials[SIZES_MAX];
    size_t count = 0;
    for (size_t n = c->lo; n <= c->hi && count < SIZES_MAX; n = next_size(n)) {
        duel d = {.below = {below_ctx, ops, c->below, n, ap, bp, results, ws},
                  .above = {above_ctx, ops, c->above, n, ap, bp, results + 2 * SIZE_MAX_LIMBS, ws},
                  .want = results + 4 * SIZE_MAX_LIMBS};
        mpn_mul_n((mp_limb_t *)d.want, (const mp_limb_t *)ap, (const mp_limb_t *)bp, (mp_size_t)n);
        bench_side below = {bench_sample_calls, multiply, &d.below};
        bench_side above = {bench_sample_calls, multiply, &d.above};
        bench_result timed;
        if (!bench_measure(&below, &above, both_right, &d, &effort, &timed) || !timed.checked) {
            fprintf(stderr, "tune: %s fails at %zu limbs: %s\n", c->name, n,
                    bigint_ctx_error(above_ctx));
            return 0;
        }
        trials[count++] = (trial){n, log(timed.rival.median / timed.ours.median)};
        if (trials[count - 1].log_ratio < log(0.5)) {
            break;  // decided
        }
    }
    return least_regret(trials, count, c->hi + 1);
}

// --- tune.h -------------------------------------------------------------------------------------

// replace gives text with what follows `before`, up to a character of `end`, replaced by `with`;
// NULL if text does not have it.
static char *replace(const char *text, const char *before, const char *end, const char *with) {
    const char *at = strstr(text, before);
    if (!at) {
        return NULL;
    }
    at += strlen(before);
    size_t cap = strlen(text) + strlen(with) + 1;
    char *out = malloc(cap);
    if (out) {
        snprintf(out, cap, "%.*s%s%s", (int)(at - text), text, with, at + strcspn(at, end));
    }
    return out;
}

static char *put_constant(const char *text, const char *name, size_t value) {
    char define[80], number[32];
    snprintf(define, sizeof define, "#define %s ", name);
    snprintf(number, sizeof number, "%zu", value);
    return replace(text, define, " \n", number);
}

// The line that says where the numbers come from; a file without one gets it before its guard.
static char *put_origin(const char *text) {
    static const char begin[] = "// Products measured by ./dev tune on ", guard[] = "#ifndef ";
    bench_host host = bench_host_get();
    char origin[256], line[512];
    snprintf(origin, sizeof origin, "%s, %s, commit %.12s%s", host.chip, host.compiler, host.commit,
             host.dirty ? " with changes" : "");
    char *out = replace(text, begin, "\n", origin);
    if (out) {
        return out;
    }
    snprintf(line, sizeof line, "%s%s\n%s", begin, origin, guard);
    const char *at = strstr(text, guard);
    size_t cap = strlen(text) + strlen(line) + 1;
    out = at ? malloc(cap) : NULL;
    if (out) {
        snprintf(out, cap, "%.*s%s%s", (int)(at - text), text, line, at + strlen(guard));
    }
    return out;
}

// The name of c's constant for a variant or a table, in upper case.
static void constant_name(char *to, size_t cap, const crossover *c, const char *of) {
    const char *star = strchr(c->name, '*');
    snprintf(to, cap, "%.*s%s%s", (int)(star - c->name), c->name, of, star + 1);
    for (char *p = to; *p; p++) {
        *p = (char)toupper((unsigned char)*p);
    }
}

static char *read_file(const char *path) {
    FILE *f = fopen(path, "r");
    enum { CAP = 1 << 16 };
    char *text = f ? calloc(1, CAP) : NULL;
    if (text) {
        text[fread(text, 1, CAP - 1, f)] = '\0';
    }
    if (f) {
        fclose(f);
    }
    return text;
}

// The file appears complete or stays as it was.
static bool write_file(const char *path, const char *text) {
    char fresh[256];
    snprintf(fresh, sizeof fresh, "%s.new", path);
    FILE *f = fopen(fresh, "w");
    bool ok = f && fputs(text, f) >= 0;
    ok = f && fclose(f) == 0 && ok;
    return ok && rename(fresh, path) == 0;
}

// --- Main ---------------------------------------------------------------------------------------

// A context of one engine and variant; NULL for no engine, or with a line on stderr.
static bigint_ctx *context_of(const char *engine, const char *variant) {
    bigint_ctx *ctx = NULL;
    bigint_ctx_options options = {.engine = engine, .variant = variant};
    if (engine && bigint_ctx_create(&ctx, NULL, &options) != BIGINT_OK) {
        fprintf(stderr, "tune: skipping %s: %s\n", variant, bigint_ctx_error(ctx));
        bigint_ctx_destroy(ctx);
        return NULL;
    }
    return ctx;
}

// The crossovers of one variant, put into *text. Row operations are left out if *rows says that
// another variant has measured them. False if one could not be measured, or is not in the text.
static bool tune_variant(char **text, const char *variant, const limbs_ops **rows,
                         uint64_t *memory) {
    bigint_ctx *ctx = context_of("modular-fft", variant);
    if (!ctx) {
        return true;
    }
    bool complete = true;
    for (size_t i = 0; i < sizeof crossovers / sizeof crossovers[0]; i++) {
        const crossover *c = &crossovers[i];
        if (!c->above_engine && ctx->limbs == *rows) {
            continue;
        }
        char name[64];
        constant_name(name, sizeof name, c, c->above_engine ? variant : ctx->limbs->name);
        bigint_ctx *below = context_of(c->below_engine, variant);
        bigint_ctx *above = context_of(c->above_engine, variant);
        const bool there = !c->below_engine == !below && !c->above_engine == !above;
        size_t value = there ? measure(c, ctx->limbs, below, above, memory) : 0;
        bigint_ctx_destroy(below);
        bigint_ctx_destroy(above);
        char *next = value ? put_constant(*text, name, value) : NULL;
        printf("%-34s %6zu%s%s\n", name, value, value > c->hi ? "  never pays" : "",
               next ? "" : "  not in tune.h");
        program_flush();
        if (next) {
            free(*text);
            *text = next;
        }
        complete = complete && next;
    }
    *rows = ctx->limbs;
    bigint_ctx_destroy(ctx);
    return complete;
}

enum { VARIANTS_MAX = 8 };

// What the command line asks for.
typedef struct {
    bool print;
    const char *variants[VARIANTS_MAX + 1];  // NULL behind the last; none: all
    unsigned count;
} command_line;

static void add_variant(command_line *c, const char *name, const struct argp_state *state) {
    const char *const *v = bigint_variants();
    while (*v && strcmp(*v, name) != 0) {
        v++;
    }
    if (!*v || c->count == VARIANTS_MAX) {
        argp_error(state, "no variant is called '%s', or there are too many", name);
    }
    c->variants[c->count++] = *v;
}

static error_t parse(int key, char *value, struct argp_state *state) {
    command_line *const c = state->input;
    switch (key) {
        case 'p':
            c->print = true;
            break;
        case ARGP_KEY_ARG:
            add_variant(c, value, state);
            break;
        default:
            return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static void read_command_line(command_line *c, int argc, char **argv) {
    static const struct argp_option options[] = {
        {"print", 'p', NULL, 0, "Print the crossovers, and change no file", 0}, {0}};
    static const struct argp parser = {
        .options = options,
        .parser = parse,
        .args_doc = "[VARIANT...]",
        .doc =
            "Measures the crossovers between algorithms and puts them into bigint/core/tune.h "
            "of the working directory. Variants that this processor lacks, or that are not "
            "named where some are, keep their values.\v" PROGRAM_EXIT_CODES};
    *c = (command_line){.print = false};
    argp_err_exit_status = EXIT_USAGE;
    if (argp_parse(&parser, argc, argv, 0, NULL, c) != 0) {
        program_no_memory("the command line");
    }
}

int main(int argc, char **argv) {
    program_begin();
    program_prints();
    gmp_memory_checked();
    command_line asked;
    read_command_line(&asked, argc, argv);
    const char *const *variants = asked.count > 0 ? asked.variants : bigint_variants();
    const char *path = "bigint/core/tune.h";
    char *text = read_file(path);
    size_t limbs = 8 * SIZE_MAX_LIMBS + mul_small_workspace_limbs(SIZE_MAX_LIMBS, SIZE_MAX_LIMBS);
    if (!text) {
        fprintf(stderr, "tune: cannot read %s: run it in the project's folder\n", path);
        return EXIT_IO;
    }
    uint64_t *memory = program_memory(limbs, sizeof *memory, "operands");
    gen g = gen_seed(1);
    gen_limbs(&g, GEN_UNIFORM, memory, 2 * SIZE_MAX_LIMBS);
    const limbs_ops *rows = NULL;
    bool complete = true;
    for (const char *const *v = variants; *v; v++) {
        complete = tune_variant(&text, *v, &rows, memory) && complete;
    }
    bool written = true;
    if (!asked.print) {
        char *all = put_origin(text);
        written = all && write_file(path, all);
        fprintf(stderr, "tune: %s %s\n", written ? "wrote" : "cannot write", path);
        free(all);
    }
    free(text);
    free(memory);
    return !written ? EXIT_IO : complete ? 0 : EXIT_WRONG;
}
