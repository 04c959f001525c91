// bigmul_job.h: what the steps of one run of bigmul share: places, errors, and numbers from text
// and back. May include the program's own headers and bigint.h.
#ifndef APPS_BIGMUL_JOB_H_
#define APPS_BIGMUL_JOB_H_

#include "apps/bigmul_options.h"
#include "apps/operand_io.h"
#include "apps/place.h"
#include "apps/stages.h"
#include "bigint/bigint.h"

typedef struct {
    const bigmul_options *options;
    place host;          // for texts
    place there;         // for the product: the same as host, or a device
    uint64_t an, bn;     // upper bounds on the operands' limbs
    uint64_t workspace;  // bytes of --max-memory that the host's context may use
    place_times times;   // of the operation
    stages stages;
} job;

// job_must ends the program with the library's text unless status is BIGINT_OK.
void job_must(job *j, const place *p, bigint_status status);
// job_text: room for text; never NULL.
char *job_text(job *j, size_t bytes);

// job_explain: for --explain and --time, a line on standard error: how the place computes this
// call, and the workspace that it may take. A call that has no plan says so itself when it is made.
void job_explain(job *j, const place *p, const bigint_call *call);

// job_set: r = t, a number in that format. job_text_of: the text of value, in the format
// `to`.
void job_set(job *j, bigint *r, const number_text *t, number_format format);
number_text job_text_of(job *j, const bigint *value);

// verb_compute: r = the verb of the operands on the host, modulo the last one with --mod. A product
// or a square is r already, and only the modulus is to be taken.
void verb_compute(job *j, bigint *r, const bigint *operands);

#endif  // APPS_BIGMUL_JOB_H_
