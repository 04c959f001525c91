// record.h: one line of a device benchmark's table, and its record (bench/schema.md).
// Plain C; includes timing.h.
#ifndef BENCH_DEVICE_RECORD_H_
#define BENCH_DEVICE_RECORD_H_

#include <stdint.h>
#include <stdio.h>

#include "bench/device/timing.h"

// What all lines of a run share, read from --commit HASH [--dirty] [--out FOLDER] [--quick]
// [--energy SECONDS].
typedef struct {
    const char *commit, *out;
    bool dirty, quick;
    double energy;  // seconds of each contender under the energy counter; 0: none
    char device[128], chip[32];
} device_run;

// device_run_parse takes one option at argv[*i] and moves *i past it; false if it is none of them.
bool device_run_parse(device_run *run, int argc, char **argv, int *i);
// device_run_parts reads a command line of those options and of names of parts: bit k of *asked is
// set for names[k], and all bits if it names no part. False, having printed why, on anything else.
bool device_run_parts(device_run *run, const char *const *names, unsigned count, int argc,
                      char **argv, unsigned *asked);
// device_run_begin fills in the device's name.
void device_run_begin(device_run *run);

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

// device_record prints the line and appends its record to OUT/<chip>-<topic>.jsonl; false if that
// failed.
bool device_record(const device_run *run, const device_line *line);

// Records without a rival: device_record_open begins the record of a product of `bits` bits, up to
// a comma, and returns NULL on failure. The caller prints fields, each with a comma after it, and
// device_record_close ends the record.
FILE *device_record_open(const device_run *run, const char *topic, uint64_t bits);
void device_record_close(const device_run *run, FILE *f);

#endif  // BENCH_DEVICE_RECORD_H_
