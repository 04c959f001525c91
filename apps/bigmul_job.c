// bigmul_job.c: errors, and numbers from text and back. See bigmul_job.h.
#include "apps/bigmul_job.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/count.h"

// --- Errors --------------------------------------------------------------------------------------

// Ends the program with the library's text: of an operand that it refuses the cause alone, because
// the call's name and the advice behind ';' are for programmers. Where that text ends with advice
// on the library's cap, advice on the user's options takes its place.
static _Noreturn void end(job *j, const place *p, bigint_status status) {
    const char *text = bigint_ctx_error(p->ctx);
    const int cause = (int)strcspn(text, ";");
    char all[COUNT_BYTES_ROOM], left[COUNT_BYTES_ROOM];
    stages_clear(&j->stages);
    if (status == BIGINT_EINVAL) {
        const char *const colon = strstr(text, ": ");
        const int name = colon != NULL && colon < text + cause ? (int)(colon - text) + 2 : 0;
        errx(EXIT_USAGE, "%.*s", cause - name, text + name);
    }
    if (strstr(text + cause, "max_workspace_bytes") == NULL) {
        errx(place_exit_code(status), "%s", text);
    }
    if (p->at != BIGINT_HOST) {
        errx(EXIT_MEMORY, "%.*s; try --device=host", cause, text);
    }
    errx(EXIT_MEMORY, "%.*s; --max-memory is %s, of which the numbers leave %s", cause, text,
         count_bytes(all, (double)j->options->max_memory), count_bytes(left, (double)j->workspace));
}

void job_must(job *j, const place *p, bigint_status status) {
    if (status != BIGINT_OK) {
        end(j, p, status);
    }
}

char *job_text(job *j, size_t bytes) {
    char *p = malloc(bytes);
    if (p == NULL) {
        char size[COUNT_BYTES_ROOM];
        stages_clear(&j->stages);
        errx(EXIT_MEMORY, "no memory for the result's text (%s)", count_bytes(size, (double)bytes));
    }
    return p;
}

// --- Plans ---------------------------------------------------------------------------------------

void job_explain(job *j, const place *p, const bigint_call *call) {
    char plan[1024], size[COUNT_BYTES_ROOM];
    uint64_t bytes;
    if ((j->options->explain || j->options->time) &&
        bigint_call_explain(p->ctx, plan, sizeof plan, NULL, call) == BIGINT_OK &&
        bigint_call_workspace_bytes(p->ctx, &bytes, call) == BIGINT_OK) {
        stages_clear(&j->stages);
        fprintf(stderr, "bigmul: %s; workspace up to %s\n", plan, count_bytes(size, (double)bytes));
    }
}

// --- Numbers -------------------------------------------------------------------------------------

// set_bytes: *r = the bytes of a binary format.
static bigint_status set_bytes(job *j, bigint *r, const number_text *t, number_format format) {
    const uint8_t *const bytes = (const uint8_t *)t->data;
    return format == FORMAT_RAW
               ? bigint_set_bytes(j->host.ctx, r, bytes, t->length, BIGINT_LITTLE_ENDIAN, 1)
               : bigint_set_bytes(j->host.ctx, r, bytes + GMP_HEADER, t->length - GMP_HEADER,
                                  BIGINT_BIG_ENDIAN, gmp_sign(t));
}

void job_set(job *j, bigint *r, const number_text *t, number_format format) {
    bigint_ctx *const ctx = j->host.ctx;
    job_must(j, &j->host,
             format == FORMAT_DECIMAL ? bigint_set_decimal(ctx, r, t->data, t->length, NULL)
             : format == FORMAT_HEX   ? bigint_set_hex(ctx, r, t->data, t->length, NULL)
                                      : set_bytes(j, r, t, format));
}

// get_number: one library call that writes `value` in the format `to` into buf, without a header.
// *need counts the NUL of a text.
static bigint_status get_number(job *j, char *buf, size_t cap, size_t *need, const bigint *value) {
    switch (j->options->to) {
        case FORMAT_DECIMAL:
            return bigint_get_decimal(j->host.ctx, buf, cap, need, value);
        case FORMAT_HEX:
            return bigint_get_hex(j->host.ctx, buf, cap, need, value);
        case FORMAT_RAW:
            return bigint_get_bytes(j->host.ctx, (uint8_t *)buf, cap, need, BIGINT_LITTLE_ENDIAN,
                                    value);
        default:
            return bigint_get_bytes(j->host.ctx, (uint8_t *)buf, cap, need, BIGINT_BIG_ENDIAN,
                                    value);
    }
}

number_text job_text_of(job *j, const bigint *value) {
    const number_format to = j->options->to;
    const size_t header = to == FORMAT_GMP ? GMP_HEADER : 0;
    int sign;
    job_must(j, &j->host, bigint_sign(j->host.ctx, &sign, value));
    if (to == FORMAT_RAW && sign < 0) {
        errx(EXIT_USAGE, "the %s is negative: --to raw cannot write it",
             bigmul_verb_names[j->options->verb]);
    }
    size_t need;
    const bigint_status asked = get_number(j, NULL, 0, &need, value);
    if (asked != BIGINT_OK && asked != BIGINT_ERANGE) {
        job_must(j, &j->host, asked);
    }
    number_text r = {job_text(j, header + need + 1), 0};
    job_must(j, &j->host, get_number(j, r.data + header, need, &need, value));
    if (to == FORMAT_GMP && !gmp_header(r.data, need, sign < 0)) {
        errx(EXIT_MEMORY, "the %s has 2^31 bytes or more, which --to gmp cannot write",
             bigmul_verb_names[j->options->verb]);
    }
    r.length = to == FORMAT_DECIMAL || to == FORMAT_HEX ? need - 1 : header + need;
    if (r.length == 0) {
        r.data[r.length++] = '\0';  // 0 is one zero byte, as an empty file is no number
    }
    return r;
}
