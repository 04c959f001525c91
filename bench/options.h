// options.h: the command line of the benchmark.
#ifndef BENCH_OPTIONS_H_
#define BENCH_OPTIONS_H_

#include <stdbool.h>

typedef struct {
    char **topics;  // names on the command line; none: all
    int topic_count;
    unsigned size_lo, size_hi;   // log2 of the bits of the longer operand
    const char *json, *records;  // file, folder; NULL: no records
    const char *rival;           // command of an outside rival
    const char *engine, *variant;
    unsigned threads;        // 0: each sweep's own
    unsigned sample;         // sizes drawn for each sweep; 0: the sweeps' own
    unsigned pairs;          // of samples in every row at least
    unsigned share, shares;  // only rows share, share + shares, ... of each sweep; share < shares
    bool quick, longer, roofs, list;
} bench_options;

// bench_options_read parses the command line. It exits with 0 after --help, and with EXIT_USAGE and
// a line on stderr for anything it does not understand, and for records that cannot be written.
bench_options bench_options_read(int argc, char **argv);

// bench_options_want: true if the topic was asked for, or no topic was.
bool bench_options_want(const bench_options *o, const char *topic);

#endif  // BENCH_OPTIONS_H_
