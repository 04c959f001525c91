// record.h: one measured row as one line of JSON (schema.md) and as one line for people.
#ifndef BENCH_RECORD_H_
#define BENCH_RECORD_H_

#include <stdio.h>

#include "bench/cases/cases.h"
#include "bench/harness.h"
#include "bench/host.h"
#include "bench/model.h"
#include "bench/roof/roof.h"

enum { BENCH_SCHEMA = 1 };

typedef struct {
    const bench_host *host;
    const bench_roof *roof;
    const bench_sweep *sweep;
    bench_row row;
    const char *backend, *engine, *variant, *rival;
    bool forced;     // engine or variant was asked for
    uint64_t count;  // operations in one call
    unsigned threads;
    bench_plan plan;
    bench_share share;
    bench_result result;
    double error_l2, rival_error_l2;  // 0: not measured
} bench_record;

// bench_ratio is the rival's median over ours: above 1 we are faster.
double bench_ratio(const bench_record *r);

// bench_record_json writes the record and a newline. False if writing fails.
bool bench_record_json(FILE *f, const bench_record *r);

// bench_record_head writes the head of the table, bench_record_print one line of it.
void bench_record_head(FILE *f, const char *topic, const char *rival);
void bench_record_print(FILE *f, const bench_record *r);

// bench_size_text writes a size briefly: "2^20", "1.25*2^20", "10^6", or the number.
void bench_size_text(char *to, size_t cap, uint64_t n);

#endif  // BENCH_RECORD_H_
