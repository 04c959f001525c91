// bigmul.c: products, quotients, powers, ... of integers from the command line: read, compute,
// verify, write. May include the program's own headers and bigint.h; only verify.c includes GMP.
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/bigmul_job.h"
#include "apps/output_file.h"
#include "apps/program.h"
#include "apps/verify.h"
#include "bigint/bigint.h"

// What is written before the progress is shown again.
static const size_t kWriteBlock = 1 << 24;
static const double kBitsPerCharacter[] = {
    [FORMAT_DECIMAL] = 3.321928094887363, [FORMAT_HEX] = 4, [FORMAT_RAW] = 8, [FORMAT_GMP] = 8};

// --- The library ---------------------------------------------------------------------------------

static bool multiplies(const bigmul_options *o) { return o->verb <= VERB_SQUARE; }

// Whether the host multiplies in a decimal radix, without conversion. This is faster wherever both
// ways exist. A forced engine asks for a binary product, and devices have no decimal product.
static bool host_keeps_decimal(const bigmul_options *o) {
    return o->radix == RADIX_DECIMAL ||
           (o->radix == RADIX_AUTO && o->from == FORMAT_DECIMAL && o->to == FORMAT_DECIMAL &&
            o->library.engine == NULL && multiplies(o) && o->modulus == NULL);
}

// The host's memory that each character of the operands costs: its own, its part of the product's
// text and, unless the product stays decimal, its part of the operands and the product in binary.
static double bytes_per_character(const bigmul_options *o) {
    const bool decimal = o->device < 0 && host_keeps_decimal(o);
    const double binary = kBitsPerCharacter[o->from] / 8;
    const double product = kBitsPerCharacter[o->from] / kBitsPerCharacter[o->to];
    const double times =
        o->verb == VERB_SQUARE ? 2 : 1;  // the characters of a square count for both factors
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
    if (!multiplies(o) || host_keeps_decimal(o) ||
        fmin(bits(a, o->from), bits(b, o->from)) < DEVICE_BITS) {
        return false;
    }
    const bigint_call least = {.kind = BIGINT_CALL_MUL_HOST, .an = j->an, .bn = j->bn};
    uint64_t bytes;
    if (place_open(&j->there, 0, o->backend, options) == BIGINT_OK &&
        bigint_call_workspace_bytes(j->there.ctx, &bytes, &least) == BIGINT_OK) {
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
        job_must(j, &j->there, place_open(&j->there, o->device, o->backend, &library));
    } else if (o->device == PLACE_AUTO && !take_device(j, &library, a, b)) {
        j->there.at = BIGINT_HOST;
    }
    library.threads = o->library.threads;
    library.max_workspace_bytes = j->workspace;
    library.progress = stages_progress;
    library.progress_user = &j->stages;
    const bool alone = j->there.at == BIGINT_HOST;
    job_must(j, &j->host, place_open(&j->host, BIGINT_HOST, alone ? o->backend : "cpu", &library));
    j->there = alone ? j->host : j->there;
}

static void close_library(job *j) {
    if (j->there.at != BIGINT_HOST) {
        place_close(&j->there);
    }
    place_close(&j->host);
}

// explain: the binary product, of the most limbs that its operands may have.
static void explain(job *j) {
    const bool square = j->options->verb == VERB_SQUARE;
    job_explain(j, &j->there,
                &(bigint_call){.kind = square ? BIGINT_CALL_SQR : BIGINT_CALL_MUL,
                               .an = j->an,
                               .bn = square ? 0 : j->bn});
}

// --- The product ---------------------------------------------------------------------------------

static number_text multiply_decimal(job *j, const number_text *a, const number_text *b) {
    size_t room = a->length + b->length + 2;  // digits of the product, '-', NUL
    number_text r = {job_text(j, room), 0};
    job_explain(j, &j->host,
                &(bigint_call){.kind = BIGINT_CALL_MUL_DECIMAL, .an = a->length, .bn = b->length});
    stages_begin(&j->stages, "multiply", 1);
    job_must(j, &j->host,
             bigint_mul_decimal(j->host.ctx, r.data, room, &room, a->data, a->length, b->data,
                                b->length, NULL));
    j->times.product = j->times.end_to_end = stages_end(&j->stages);
    r.length = room - 1;
    return r;
}

// multiply_from_host: the product of numbers that the device has no memory for, in blocks.
static bigint_status multiply_from_host(job *j, bigint *r, bigint *x, bigint *y) {
    bigint_clear(j->there.ctx, r);
    job_must(j, &j->there, bigint_sync(j->there.ctx));
    job_must(j, &j->host, bigint_move(j->host.ctx, x, BIGINT_HOST));
    job_must(j, &j->host, bigint_move(j->host.ctx, y, BIGINT_HOST));
    const bigint_call call = {.kind = BIGINT_CALL_MUL_HOST, .an = j->an, .bn = j->bn};
    job_explain(j, &j->there, &call);
    return place_mul_from_host(&j->there, r, x, y, &j->times);
}

// r = x y, r 0 before. If --device=auto chose a device and it has no memory left even for blocks of
// this product, the host computes it.
static void multiply(job *j, bigint *r, bigint *x, bigint *y) {
    bigint_status status = place_mul(&j->there, r, x, y, &j->times);
    if (status == BIGINT_ENOMEM && j->there.at != BIGINT_HOST) {
        status = multiply_from_host(j, r, x, y);
    }
    if (status == BIGINT_ENOMEM && j->there.at != BIGINT_HOST && j->options->device == PLACE_AUTO) {
        place_close(&j->there);
        j->there = j->host;
        explain(j);
        status = place_mul(&j->there, r, x, y, &j->times);
    }
    job_must(j, &j->there, status);
}

// result_of: the text of the verb's result, computed on binary numbers.
static number_text result_of(job *j, const number_text *operands) {
    const bigmul_options *const o = j->options;
    const int count = o->operand_count + (o->modulus != NULL);
    bigint x[OPERANDS_MOST] = {BIGINT_INIT, BIGINT_INIT, BIGINT_INIT}, result = BIGINT_INIT;
    stages_begin(&j->stages, "to binary", (unsigned)count);
    for (int i = 0; i < count; i++) {
        job_set(j, &x[i], &operands[i], operand_format(o, i));
        stages_next_part(&j->stages);
    }
    stages_end(&j->stages);
    if (multiplies(o)) {
        explain(j);
        stages_begin(&j->stages, "multiply", j->there.at == BIGINT_HOST ? 1 : 0);
        multiply(j, &result, &x[0], &x[o->operand_count - 1]);
        stages_end(&j->stages);
    }
    if (!multiplies(o) || o->modulus != NULL) {
        const bool known = o->modulus == NULL
                               ? o->verb == VERB_QUOTIENT || o->verb == VERB_REMAINDER
                               : o->verb != VERB_QUOTIENT;
        stages_begin(&j->stages, multiplies(o) ? "reduce" : bigmul_verb_names[o->verb], known);
        verb_compute(j, &result, x);
        const double seconds = stages_end(&j->stages);
        j->times.product += seconds;
        j->times.end_to_end += seconds;
    }
    for (int i = 0; i < count; i++) {
        bigint_clear(i < o->operand_count ? j->there.ctx : j->host.ctx, &x[i]);
    }
    stages_begin(&j->stages, "to text", 1);
    const number_text r = job_text_of(j, &result);
    stages_end(&j->stages);
    bigint_clear(j->host.ctx, &result);
    return r;
}

static void verify(job *j, const number_text *operands, const number_text *r) {
    const bigmul_options *o = j->options;
    double seconds;
    stages_begin(&j->stages, "verify", 0);
    if (!verify_with_gmp(o, operands, r, &seconds)) {
        errx(EXIT_WRONG, "verification failed: the %s differs from GMP's; nothing was written",
             bigmul_verb_names[o->verb]);
    }
    stages_end(&j->stages);
    fprintf(stderr, "bigmul: verified: equal to GMP");
    fprintf(stderr, o->time ? " (its %s took %.3f s)\n" : "\n", bigmul_verb_names[o->verb],
            seconds);
}

// Reads the operands, as long as they, the product and its text fit in --max-memory, and sets what
// they leave of it to the workspace.
static void read_operands(job *j, number_text *operands) {
    const bigmul_options *o = j->options;
    const double each = bytes_per_character(o), all = (double)o->max_memory;
    operand_rules rules = {0, 0, o->max_memory, stages_progress, &j->stages};
    double held = 0;
    const int count = o->operand_count + (o->modulus != NULL);
    stages_begin(&j->stages, "read", (unsigned)count);
    for (int i = 0; i < count; i++) {
        rules.format = operand_format(o, i);
        rules.max_bytes = (uint64_t)(fmax(all - held, 0) / each);
        operands[i] =
            operand_read(o->operands[i], i < o->operand_count ? i + 1 : OPERANDS_MOST, &rules);
        held += each * (double)operands[i].length;
        stages_next_part(&j->stages);
    }
    stages_end(&j->stages);
    j->workspace = held < all ? o->max_memory - (uint64_t)held : 1;  // 0 would be no cap
}

static void write_result(job *j, const number_text *r) {
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

// --- Reports -------------------------------------------------------------------------------------

static void print_time(FILE *to, const char *name, double seconds) {
    fprintf(to, "%s %.3f s", name, seconds);
}

static void print_member(FILE *to, const char *name, double seconds) {
    fprintf(to, "\"%s\": %.6f", name, seconds);
}

static void report(const job *j) {
    const bigmul_options *const o = j->options;
    if (o->time) {
        fprintf(stderr, "bigmul: ");
        stages_print(&j->stages, stderr, ", ", print_time);
        fprintf(stderr, "\nbigmul: %s %.6f s, end to end %.6f s\n",
                multiplies(o) ? "product" : bigmul_verb_names[o->verb], j->times.product,
                j->times.end_to_end);
    }
    if (o->json) {
        fprintf(stderr, "{\"verb\": \"%s\", \"place\": %d, \"threads\": %u, \"stages\": {",
                bigmul_verb_names[o->verb], j->there.at, (unsigned)o->library.threads);
        stages_print(&j->stages, stderr, ", ", print_member);
        fprintf(stderr, "}, \"seconds\": %.6f, \"end_to_end\": %.6f}\n", j->times.product,
                j->times.end_to_end);
    }
}

int main(int argc, char **argv) {
    program_begin();
    const bigmul_options o = bigmul_options_parse(argc, argv, NULL);
    output_open(o.output, EXIT_IO);
    job j = {.options = &o};
    number_text operands[OPERANDS_MOST] = {{NULL, 0}};
    stages_start(&j.stages);
    read_operands(&j, operands);
    const number_text *a = &operands[0], *b = &operands[o.operand_count - 1];
    open_library(&j, a, b);
    number_text r = in_decimal_radix(&j) ? multiply_decimal(&j, a, b) : result_of(&j, operands);
    close_library(&j);
    if (o.verify) {
        verify(&j, operands, &r);
    }
    if (o.to == FORMAT_DECIMAL || o.to == FORMAT_HEX) {
        r.data[r.length++] = '\n';  // replaces the NUL
    }
    write_result(&j, &r);
    report(&j);
    free(r.data);
    for (int i = 0; i < OPERANDS_MOST; i++) {
        free(operands[i].data);
    }
    return 0;
}
