// record.h: one line of a device benchmark's table, and its record (bench/schema.md).
// Plain C; includes run.h and timing.h.
#ifndef BENCH_DEVICE_RECORD_H_
#define BENCH_DEVICE_RECORD_H_

#include <stdint.h>
#include <stdio.h>

#include "bench/device/run.h"
#include "bench/device/timing.h"

typedef struct {
    const char *topic, *op, *variant;
    const char *engine;         // NULL: auto
    uint64_t n, rows;           // elements of a row, rows
    double bytes;               // read and written by one call
    const device_times *times;  // ours, the rival's if there is one, the copy's last
    const char *rival;          // NULL: the copy alone
    const char *kase;           // the record's case; NULL: the topic
    const char *more;           // further fields of the record, a comma before each; NULL: none
    const char *note;           // what is printed at the line's end; NULL: nothing
    bool chosen;                // engine and variant are the library's choice, not the benchmark's
} device_line;

// device_record prints the line and appends its record to OUT/<chip>-<topic>.jsonl. What cannot be
// written ends the program with EXIT_IO, here and below.
void device_record(const device_run *run, const device_line *line);

// Records of another form: device_records_open opens that file, and device_records_close closes it.
FILE *device_records_open(const device_run *run, const char *topic);
void device_records_close(FILE *f);

// Records without a rival: device_record_open begins the record of a product of `bits` bits, up to
// a comma. The caller prints fields, each with a comma after it, and device_record_close ends the
// record.
FILE *device_record_open(const device_run *run, const char *topic, uint64_t bits);
void device_record_close(const device_run *run, FILE *f);

#endif  // BENCH_DEVICE_RECORD_H_
