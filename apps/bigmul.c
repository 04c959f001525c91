// bigmul.c: multiplies two integers from the command line: read, multiply, verify, write. May
// include the program's own headers and bigint.h; only verify.c includes GMP.
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/bigmul_options.h"
#include "apps/count.h"
#include "apps/operand_io.h"
#include "apps/output_file.h"
#include "apps/place.h"
#include "apps/program.h"
#include "apps/stages.h"
#include "apps/verify.h"
#include "bigint/bigint.h"

// What is written before the progress is shown again.
static const size_t kWriteBlock = 1 << 24;
static const double kBitsPerCharacter[] = {
    [FORMAT_DECIMAL] = 3.321928094887363, [FORMAT_HEX] = 4, [FORMAT_RAW] = 8};

// What the steps of one run share.
typedef struct {
    const bigmul_options *options;
    place host;          // for texts
    place there;         // for the product: the same as host, or a device
    uint64_t an, bn;     // upper bounds on the operands' limbs
    uint64_t workspace;  // bytes of --max-memory that the host's context may use
    place_times times;   // of the product
    stages stages;
} job;

// --- Errors --------------------------------------------------------------------------------------

// Ends the program with the library's text. Where that text ends with advice on the library's cap,
// advice on the user's options takes its place.
static _Noreturn void end(job *j, const place *p, bigint_status status) {
    const char *text = bigint_ctx_error(p->ctx);
    const int cause = (int)strcspn(text, ";");
    char all[COUNT_BYTES_ROOM], left[COUNT_BYTES_ROOM];
    stages_clear(&j->stages);
    if (strstr(text + cause, "max_workspace_bytes") == NULL) {
        errx(place_exit_code(status), "%s", text);
    }
    if (p->at != BIGINT_HOST) {
        errx(EXIT_MEMORY, "%.*s; try --device=host", cause, text);
    }
    errx(EXIT_MEMORY, "%.*s; --max-memory is %s, of which the numbers leave %s", cause, text,
         count_bytes(all, (double)j->options->max_memory), count_bytes(left, (double)j->workspace));
}

static void must(job *j, const place *p, bigint_status status) {
    if (status != BIGINT_OK) {
        end(j, p, status);
    }
}

static char *allocate_text(job *j, size_t bytes) {
    char *p = malloc(bytes);
    if (p == NULL) {
        char size[COUNT_BYTES_ROOM];
        stages_clear(&j->stages);
        errx(EXIT_MEMORY, "no memory for the product's text (%s)",
             count_bytes(size, (double)bytes));
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

// The host's memory that each character of the operands costs: its own, its part of the product's
// text and, unless the product stays decimal, its part of the operands and the product in binary.
static double bytes_per_character(const bigmul_options *o) {
    const bool decimal = o->device < 0 && host_keeps_decimal(o);
    const double binary = kBitsPerCharacter[o->from] / 8;
    const double product = kBitsPerCharacter[o->from] / kBitsPerCharacter[o->to];
    const double times = o->square ? 2 : 1;  // the characters of a square count for both factors
    return 1 + times * product + (decimal ? 0 : (1 + times) * binary);
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
    library.max_workspace_bytes = j->workspace;
    library.progress = stages_progress;
    library.progress_user = &j->stages;
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
static void explain(job *j) {
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
    number_text r = {allocate_text(j, room), 0};
    stages_begin(&j->stages, "multiply", 1);
    must(j, &j->host,
         bigint_mul_decimal(j->host.ctx, r.data, room, &room, a->data, a->length, b->data,
                            b->length, NULL));
    j->times.product = j->times.end_to_end = stages_end(&j->stages);
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
    number_text r = {allocate_text(j, need + 1), 0};
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
    stages_begin(&j->stages, "to binary", a == b ? 1 : 2);
    set_number(j, &x, a);
    if (a != b) {
        stages_next_part(&j->stages);
        set_number(j, &y, b);
    }
    stages_end(&j->stages);
    stages_begin(&j->stages, "multiply", j->there.at == BIGINT_HOST ? 1 : 0);
    multiply(j, &product, &x, a == b ? &x : &y);
    stages_end(&j->stages);
    bigint_clear(j->there.ctx, &x);
    bigint_clear(j->there.ctx, &y);
    stages_begin(&j->stages, "to text", 1);
    const number_text r = text_of(j, &product);
    stages_end(&j->stages);
    bigint_clear(j->host.ctx, &product);
    return r;
}

static void verify(job *j, const number_text *a, const number_text *b, const number_text *r) {
    const bigmul_options *o = j->options;
    double seconds;
    stages_begin(&j->stages, "verify", 0);
    if (!verify_with_gmp(a, a == b ? NULL : b, o->from, r, o->to, &seconds)) {
        errx(EXIT_WRONG,
             "verification failed: the product differs from GMP's; nothing was written");
    }
    stages_end(&j->stages);
    fprintf(stderr, "bigmul: verified: equal to GMP");
    fprintf(stderr, o->time ? " (its product took %.3f s)\n" : "\n", seconds);
}

// Reads the operands, as long as they, the product and its text fit in --max-memory, and sets what
// they leave of it to the workspace.
static void read_operands(job *j, number_text operands[2]) {
    const bigmul_options *o = j->options;
    const double each = bytes_per_character(o), all = (double)o->max_memory;
    operand_rules rules = {o->from, 0, o->max_memory, stages_progress, &j->stages};
    double held = 0;
    stages_begin(&j->stages, "read", (unsigned)o->operand_count);
    for (int i = 0; i < o->operand_count; i++) {
        rules.max_bytes = (uint64_t)(fmax(all - held, 0) / each);
        operands[i] = operand_read(o->operands[i], i + 1, &rules);
        held += each * (double)operands[i].length;
        stages_next_part(&j->stages);
    }
    stages_end(&j->stages);
    j->workspace = held < all ? o->max_memory - (uint64_t)held : 1;  // 0 would be no cap
}

static void write_product(job *j, const number_text *r) {
    stages_begin(&j->stages, "write", 1);
    for (size_t done = 0; done < r->length;) {
        const size_t left = r->length - done, block = left < kWriteBlock ? left : kWriteBlock;
        output_write(r->data + done, block);
        done += block;
        stages_progress(&j->stages, (double)done, (double)r->length);
    }
    output_finish();
    stages_end(&j->stages);
}

int main(int argc, char **argv) {
    program_begin();
    const bigmul_options o = bigmul_options_parse(argc, argv);
    output_open(o.output, EXIT_IO);
    job j = {.options = &o};
    number_text operands[2];
    stages_start(&j.stages);
    read_operands(&j, operands);
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
    write_product(&j, &r);
    if (o.time) {
        fprintf(stderr, "bigmul: %s\nbigmul: product %.6f s, end to end %.6f s\n", j.stages.report,
                j.times.product, j.times.end_to_end);
    }
    free(r.data);
    for (int i = 0; i < o.operand_count; i++) {
        free(operands[i].data);
    }
    return 0;
}
