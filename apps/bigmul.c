// bigmul.c: multiplies two integers from the command line: read, multiply, verify, write. May
// include the program's own headers and bigint.h; GMP is verify.c's.
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/bigmul_options.h"
#include "apps/machine.h"
#include "apps/operand_io.h"
#include "apps/output_file.h"
#include "apps/verify.h"
#include "bigint/bigint.h"

static const double kMebibyte = 1024.0 * 1024.0;
static const double kBitsPerCharacter[] = {
    [FORMAT_DECIMAL] = 3.321928094887363, [FORMAT_HEX] = 4, [FORMAT_RAW] = 8};

// What the steps of one run share.
typedef struct {
    const bigmul_options *options;
    bigint_device *device;
    bigint_ctx *ctx;
    double lap;        // when the present step began
    double shown;      // when the progress line was last drawn; 0: not in this step
    const char *step;  // what the present step is called
    char times[256];   // the steps that are over, for --time
} job;

// --- Steps, progress, errors
// -----------------------------------------------------------------------

static void begin_step(job *j, const char *step) {
    j->step = step;
    j->shown = 0;
    j->lap = seconds_now();
}

static void clear_progress(const job *j) {
    if (j->shown != 0) {
        fprintf(stderr, "\r\033[K");
    }
}

static void end_step(job *j) {
    clear_progress(j);
    const size_t used = strlen(j->times);
    snprintf(j->times + used, sizeof j->times - used, "%s%s %.3f s", used == 0 ? "" : ", ", j->step,
             seconds_now() - j->lap);
}

// Draws the progress of a step that has taken a second, ten times a second at most.
static void show_progress(void *user, double done, double total) {
    job *j = user;
    const double now = seconds_now();
    if (now - j->lap > 1 && now - j->shown > 0.1) {
        j->shown = now;
        fprintf(stderr, "\rbigmul: %s %3.0f %%", j->step, 100 * fmin(done / total, 1));
    }
}

static int exit_code(bigint_status status) {
    switch (status) {
        case BIGINT_ENOMEM:
        case BIGINT_ERANGE:
            return EXIT_MEMORY;
        case BIGINT_ECHECK:
            return EXIT_WRONG;
        case BIGINT_EDEVICE:
            return EXIT_IO;
        default:
            return EXIT_USAGE;
    }
}

static void must(const job *j, bigint_status status) {
    if (status != BIGINT_OK) {
        clear_progress(j);
        errx(exit_code(status), "%s", bigint_ctx_error(j->ctx));
    }
}

static char *allocate_text(size_t bytes) {
    char *p = malloc(bytes);
    if (p == NULL) {
        errx(EXIT_MEMORY, "no memory for the product's text (%.1f MiB)", (double)bytes / kMebibyte);
    }
    return p;
}

// --- The library
// -----------------------------------------------------------------------------------

// Is the product computed in a decimal radix, without conversion? It is the faster way wherever
// both exist; a forced engine is a wish about binary products.
static bool in_decimal_radix(const bigmul_options *o) {
    return o->radix == RADIX_DECIMAL || (o->radix == RADIX_AUTO && o->from == FORMAT_DECIMAL &&
                                         o->to == FORMAT_DECIMAL && o->library.engine == NULL);
}

static double bits(const number_text *t, number_format format) {
    return (double)t->length * kBitsPerCharacter[format];
}

// Creates the context, whose workspace gets what --max-memory leaves beside all texts and numbers.
static void open_library(job *j, const number_text *a, const number_text *b) {
    const bigmul_options *o = j->options;
    const double product_bits = bits(a, o->from) + bits(b, o->from);
    const double texts = (double)a->length + (a == b ? 0 : (double)b->length) +
                         product_bits / kBitsPerCharacter[o->to];
    const double needed = texts + (in_decimal_radix(o) ? 0 : 2 * product_bits / 8);
    if (needed >= (double)o->max_memory) {
        errx(EXIT_MEMORY, "the numbers alone take %.1f MiB; --max-memory allows %.1f MiB",
             needed / kMebibyte, (double)o->max_memory / kMebibyte);
    }
    bigint_ctx_options library = o->library;
    library.max_workspace_bytes = o->max_memory - (uint64_t)needed;
    library.progress = isatty(STDERR_FILENO) ? show_progress : NULL;
    library.progress_user = j;
    const bigint_status status = bigint_device_open(&j->device, BIGINT_HOST, o->backend);
    if (status != BIGINT_OK) {
        errx(exit_code(status), "backend %s: %s", o->backend == NULL ? "(default)" : o->backend,
             bigint_status_text(status));
    }
    must(j, bigint_ctx_create(&j->ctx, j->device, &library));
}

static void explain(const job *j, double a_bits, double b_bits) {
    char plan[512];
    must(j, bigint_explain(j->ctx, plan, sizeof plan, NULL, (uint64_t)(a_bits / 64) + 1,
                           (uint64_t)(b_bits / 64) + 1));
    fprintf(stderr, "bigmul: %s%s\n",
            in_decimal_radix(j->options)
                ? "in a decimal radix, without conversion; a binary product of this length: "
                : "",
            plan);
}

// --- The product
// -----------------------------------------------------------------------------------

static number_text multiply_decimal(job *j, const number_text *a, const number_text *b) {
    size_t room = a->length + b->length + 2;  // digits of the product, '-', NUL
    number_text r = {allocate_text(room), 0};
    begin_step(j, "multiply");
    must(j, bigint_mul_decimal(j->ctx, r.data, room, &room, a->data, a->length, b->data, b->length,
                               NULL));
    end_step(j);
    r.length = room - 1;
    return r;
}

static void set_number(job *j, bigint *r, const number_text *t) {
    switch (j->options->from) {
        case FORMAT_DECIMAL:
            must(j, bigint_set_decimal(j->ctx, r, t->data, t->length, NULL));
            break;
        case FORMAT_HEX:
            must(j, bigint_set_hex(j->ctx, r, t->data, t->length, NULL));
            break;
        case FORMAT_RAW:
            must(j, bigint_set_bytes(j->ctx, r, (const uint8_t *)t->data, t->length,
                                     BIGINT_LITTLE_ENDIAN, 1));
            break;
    }
}

// One call of the library's that writes `value` in the format `to` into buf; *need counts a NUL in
// texts.
static bigint_status get_number(job *j, char *buf, size_t cap, size_t *need, const bigint *value) {
    switch (j->options->to) {
        case FORMAT_DECIMAL:
            return bigint_get_decimal(j->ctx, buf, cap, need, value);
        case FORMAT_HEX:
            return bigint_get_hex(j->ctx, buf, cap, need, value);
        default:
            return bigint_get_bytes(j->ctx, (uint8_t *)buf, cap, need, BIGINT_LITTLE_ENDIAN, value);
    }
}

static number_text text_of(job *j, const bigint *value) {
    const bool raw = j->options->to == FORMAT_RAW;
    int sign;
    must(j, bigint_sign(j->ctx, &sign, value));
    if (raw && sign < 0) {
        errx(EXIT_USAGE, "the product is negative: --to raw cannot write it");
    }
    size_t need;
    const bigint_status asked = get_number(j, NULL, 0, &need, value);
    if (asked != BIGINT_OK && asked != BIGINT_ERANGE) {
        must(j, asked);
    }
    number_text r = {allocate_text(need + 1), 0};
    must(j, get_number(j, r.data, need, &need, value));
    r.length = raw ? need : need - 1;
    if (raw && r.length == 0) {
        r.data[r.length++] = '\0';  // 0 is one zero byte, as an empty file is no number
    }
    return r;
}

static number_text multiply_converted(job *j, const number_text *a, const number_text *b) {
    bigint x = BIGINT_INIT, y = BIGINT_INIT;
    begin_step(j, "to binary");
    set_number(j, &x, a);
    if (a != b) {
        set_number(j, &y, b);
    }
    end_step(j);
    begin_step(j, "multiply");
    must(j, a == b ? bigint_sqr(j->ctx, &x, &x) : bigint_mul(j->ctx, &x, &x, &y));
    end_step(j);
    begin_step(j, "to text");
    const number_text r = text_of(j, &x);
    end_step(j);
    bigint_clear(j->ctx, &x);
    bigint_clear(j->ctx, &y);
    return r;
}

static void verify(job *j, const number_text *a, const number_text *b, const number_text *r) {
    const bigmul_options *o = j->options;
    double seconds;
    begin_step(j, "verify");
    if (!verify_with_gmp(a, a == b ? NULL : b, o->from, r, o->to, &seconds)) {
        errx(EXIT_WRONG,
             "verification failed: the product differs from GMP's; nothing was written");
    }
    end_step(j);
    fprintf(stderr, "bigmul: verified: equal to GMP");
    fprintf(stderr, o->time ? " (its product took %.3f s)\n" : "\n", seconds);
}

int main(int argc, char **argv) {
    const bigmul_options o = bigmul_options_parse(argc, argv);
    output_open(o.output, EXIT_IO);
    job j = {.options = &o};
    number_text operands[2];
    begin_step(&j, "read");
    for (int i = 0; i < o.operand_count; i++) {
        operands[i] = operand_read(o.operands[i], i + 1, o.from, o.max_memory);
    }
    end_step(&j);
    const number_text *a = &operands[0], *b = &operands[o.operand_count - 1];
    open_library(&j, a, b);
    if (o.explain) {
        explain(&j, bits(a, o.from), bits(b, o.from));
    }
    number_text r =
        in_decimal_radix(&o) ? multiply_decimal(&j, a, b) : multiply_converted(&j, a, b);
    bigint_ctx_destroy(j.ctx);
    bigint_device_close(j.device);
    if (o.verify) {
        verify(&j, a, b, &r);
    }
    if (o.to != FORMAT_RAW) {
        r.data[r.length++] = '\n';  // in the place of the NUL
    }
    begin_step(&j, "write");
    output_write(r.data, r.length);
    output_finish();
    end_step(&j);
    if (o.time) {
        fprintf(stderr, "bigmul: %s\n", j.times);
    }
    free(r.data);
    for (int i = 0; i < o.operand_count; i++) {
        free(operands[i].data);
    }
    return 0;
}
