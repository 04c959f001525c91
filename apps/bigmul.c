// bigmul.c: multiplies two integers from the command line: read, multiply, verify, write. May
// include the program's own headers and bigint.h; Only verify.c includes GMP.
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
#include "apps/place.h"
#include "apps/verify.h"
#include "bigint/bigint.h"

static const double kMebibyte = 1024.0 * 1024.0;
static const double kBitsPerCharacter[] = {
    [FORMAT_DECIMAL] = 3.321928094887363, [FORMAT_HEX] = 4, [FORMAT_RAW] = 8};

// What the steps of one run share.
typedef struct {
    const bigmul_options *options;
    place host;         // for texts
    place there;        // for the product: the same as host, or a device
    uint64_t an, bn;    // upper bounds on the operands' limbs
    place_times times;  // of the product
    double lap;         // when the present step began
    double shown;       // when the progress line was last drawn; 0: not in this step
    const char *step;   // what the present step is called
    char steps[256];    // the finished steps, for --time
} job;

// --- Steps, progress, errors ---------------------------------------------------------------------

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
    const size_t used = strlen(j->steps);
    snprintf(j->steps + used, sizeof j->steps - used, "%s%s %.3f s", used == 0 ? "" : ", ", j->step,
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

static void must(const job *j, const place *p, bigint_status status) {
    if (status != BIGINT_OK) {
        clear_progress(j);
        errx(exit_code(status), "%s", bigint_ctx_error(p->ctx));
    }
}

static char *allocate_text(size_t bytes) {
    char *p = malloc(bytes);
    if (p == NULL) {
        errx(EXIT_MEMORY, "no memory for the product's text (%.1f MiB)", (double)bytes / kMebibyte);
    }
    return p;
}

// --- The library ---------------------------------------------------------------------------------

// Whether the host multiplies in a decimal radix, without conversion. This is faster wherever both
// ways exist. A forced engine asks for a binary product, and devices have no decimal product.
static bool host_keeps_decimal(const bigmul_options *o) {
    return o->radix == RADIX_DECIMAL || (o->radix == RADIX_AUTO && o->from == FORMAT_DECIMAL &&
                                         o->to == FORMAT_DECIMAL && o->library.engine == NULL);
}

static bool in_decimal_radix(const job *j) {
    return j->there.at == BIGINT_HOST && host_keeps_decimal(j->options);
}

static double bits(const number_text *t, number_format format) {
    return (double)t->length * kBitsPerCharacter[format];
}

// --device=auto means device 0 if both operands are long enough and the device opens and has a plan
// for the product with all the other options. Otherwise it means the host.
static bool take_device(job *j, const bigint_ctx_options *options, const number_text *a,
                        const number_text *b) {
    const bigmul_options *o = j->options;
    if (host_keeps_decimal(o) || fmin(bits(a, o->from), bits(b, o->from)) < DEVICE_BITS) {
        return false;
    }
    uint64_t bytes;
    if (place_open(&j->there, 0, o->backend, options) == BIGINT_OK &&
        bigint_workspace_bytes(j->there.ctx, &bytes, j->an, j->bn) == BIGINT_OK) {
        return true;
    }
    place_close(&j->there);
    return false;
}

// The bytes of --max-memory that texts and numbers leave over.
static uint64_t workspace_cap(const job *j, const number_text *a, const number_text *b) {
    const bigmul_options *o = j->options;
    const double product_bits = bits(a, o->from) + bits(b, o->from);
    const double texts = (double)a->length + (a == b ? 0 : (double)b->length) +
                         product_bits / kBitsPerCharacter[o->to];
    const double needed = texts + (in_decimal_radix(j) ? 0 : 2 * product_bits / 8);
    if (needed >= (double)o->max_memory) {
        errx(EXIT_MEMORY, "the numbers alone take %.1f MiB; --max-memory allows %.1f MiB",
             needed / kMebibyte, (double)o->max_memory / kMebibyte);
    }
    return o->max_memory - (uint64_t)needed;
}

// Opens the place of the product, and the host. Threads, progress and the cap are the host's.
static void open_library(job *j, const number_text *a, const number_text *b) {
    const bigmul_options *o = j->options;
    j->an = (uint64_t)(bits(a, o->from) / 64) + 1;
    j->bn = (uint64_t)(bits(b, o->from) / 64) + 1;
    bigint_ctx_options library = o->library;
    library.threads = 1;
    j->there.at = o->device;
    if (o->device >= 0) {
        must(j, &j->there, place_open(&j->there, o->device, o->backend, &library));
    } else if (o->device == PLACE_AUTO && !take_device(j, &library, a, b)) {
        j->there.at = BIGINT_HOST;
    }
    library.threads = o->library.threads;
    library.max_workspace_bytes = workspace_cap(j, a, b);
    library.progress = isatty(STDERR_FILENO) ? show_progress : NULL;
    library.progress_user = j;
    const bool alone = j->there.at == BIGINT_HOST;
    must(j, &j->host, place_open(&j->host, BIGINT_HOST, alone ? o->backend : "cpu", &library));
    j->there = alone ? j->host : j->there;
}

static void close_library(job *j) {
    if (j->there.at != BIGINT_HOST) {
        place_close(&j->there);
    }
    place_close(&j->host);
}

// For --explain and --time.
static void explain(const job *j) {
    if (!j->options->explain && !j->options->time) {
        return;
    }
    char plan[512];
    must(j, &j->there, bigint_explain(j->there.ctx, plan, sizeof plan, NULL, j->an, j->bn));
    fprintf(stderr, "bigmul: %s%s\n",
            in_decimal_radix(j)
                ? "in a decimal radix, without conversion; a binary product of this length: "
                : "",
            plan);
}

// --- The product ---------------------------------------------------------------------------------

static number_text multiply_decimal(job *j, const number_text *a, const number_text *b) {
    size_t room = a->length + b->length + 2;  // digits of the product, '-', NUL
    number_text r = {allocate_text(room), 0};
    begin_step(j, "multiply");
    must(j, &j->host,
         bigint_mul_decimal(j->host.ctx, r.data, room, &room, a->data, a->length, b->data,
                            b->length, NULL));
    j->times.product = j->times.end_to_end = seconds_now() - j->lap;
    end_step(j);
    r.length = room - 1;
    return r;
}

static void set_number(job *j, bigint *r, const number_text *t) {
    switch (j->options->from) {
        case FORMAT_DECIMAL:
            must(j, &j->host, bigint_set_decimal(j->host.ctx, r, t->data, t->length, NULL));
            break;
        case FORMAT_HEX:
            must(j, &j->host, bigint_set_hex(j->host.ctx, r, t->data, t->length, NULL));
            break;
        case FORMAT_RAW:
            must(j, &j->host,
                 bigint_set_bytes(j->host.ctx, r, (const uint8_t *)t->data, t->length,
                                  BIGINT_LITTLE_ENDIAN, 1));
            break;
    }
}

// One library call that writes `value` in the format `to` into buf. *need counts the NUL of a text.
static bigint_status get_number(job *j, char *buf, size_t cap, size_t *need, const bigint *value) {
    switch (j->options->to) {
        case FORMAT_DECIMAL:
            return bigint_get_decimal(j->host.ctx, buf, cap, need, value);
        case FORMAT_HEX:
            return bigint_get_hex(j->host.ctx, buf, cap, need, value);
        default:
            return bigint_get_bytes(j->host.ctx, (uint8_t *)buf, cap, need, BIGINT_LITTLE_ENDIAN,
                                    value);
    }
}

static number_text text_of(job *j, const bigint *value) {
    const bool raw = j->options->to == FORMAT_RAW;
    int sign;
    must(j, &j->host, bigint_sign(j->host.ctx, &sign, value));
    if (raw && sign < 0) {
        errx(EXIT_USAGE, "the product is negative: --to raw cannot write it");
    }
    size_t need;
    const bigint_status asked = get_number(j, NULL, 0, &need, value);
    if (asked != BIGINT_OK && asked != BIGINT_ERANGE) {
        must(j, &j->host, asked);
    }
    number_text r = {allocate_text(need + 1), 0};
    must(j, &j->host, get_number(j, r.data, need, &need, value));
    r.length = raw ? need : need - 1;
    if (raw && r.length == 0) {
        r.data[r.length++] = '\0';  // 0 is one zero byte, as an empty file is no number
    }
    return r;
}

// r = x y, r 0 before. If --device=auto chose a device and it has no memory left for this product,
// the host computes it.
static void multiply(job *j, bigint *r, bigint *x, bigint *y) {
    bigint_status status = place_mul(&j->there, r, x, y, &j->times);
    if (status == BIGINT_ENOMEM && j->there.at != BIGINT_HOST && j->options->device == PLACE_AUTO) {
        bigint_clear(j->there.ctx, r);
        must(j, &j->there, bigint_sync(j->there.ctx));
        must(j, &j->host, bigint_move(j->host.ctx, x, BIGINT_HOST));
        must(j, &j->host, bigint_move(j->host.ctx, y, BIGINT_HOST));
        place_close(&j->there);
        j->there = j->host;
        explain(j);
        status = place_mul(&j->there, r, x, y, &j->times);
    }
    must(j, &j->there, status);
}

static number_text multiply_converted(job *j, const number_text *a, const number_text *b) {
    bigint x = BIGINT_INIT, y = BIGINT_INIT, product = BIGINT_INIT;
    begin_step(j, "to binary");
    set_number(j, &x, a);
    if (a != b) {
        set_number(j, &y, b);
    }
    end_step(j);
    begin_step(j, "multiply");
    multiply(j, &product, &x, a == b ? &x : &y);
    end_step(j);
    bigint_clear(j->there.ctx, &x);
    bigint_clear(j->there.ctx, &y);
    begin_step(j, "to text");
    const number_text r = text_of(j, &product);
    end_step(j);
    bigint_clear(j->host.ctx, &product);
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
    explain(&j);
    number_text r =
        in_decimal_radix(&j) ? multiply_decimal(&j, a, b) : multiply_converted(&j, a, b);
    close_library(&j);
    if (o.verify) {
        verify(&j, a, b, &r);
    }
    if (o.to != FORMAT_RAW) {
        r.data[r.length++] = '\n';  // replaces the NUL
    }
    begin_step(&j, "write");
    output_write(r.data, r.length);
    output_finish();
    end_step(&j);
    if (o.time) {
        fprintf(stderr, "bigmul: %s\nbigmul: product %.6f s, end to end %.6f s\n", j.steps,
                j.times.product, j.times.end_to_end);
    }
    free(r.data);
    for (int i = 0; i < o.operand_count; i++) {
        free(operands[i].data);
    }
    return 0;
}
