// run.h: how a benchmark of devices starts: its command line, the folder for its records, its
// device. Plain C; includes argp.h.
#ifndef BENCH_DEVICE_RUN_H_
#define BENCH_DEVICE_RUN_H_

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

// device_range: what a program has of --from and --to, the logarithms of its sizes, and of
// --threads. The program sets the defaults; the command line may change from, to and threads.
typedef struct {
    const char *sizes;            // "Operands of 2^N bits:", for --help; NULL: no --from, no --to
    unsigned from, to;            // from <= to
    unsigned least, most, quick;  // of both; `quick` instead of `most` with --quick
    unsigned threads;             // 0: no --threads
} device_range;

// What all lines of a run share.
typedef struct {
    const char *commit, *out;  // out: the folder for records, or NULL
    bool dirty, quick;
    double energy;  // seconds of each contender under the energy counter; 0: none
    device_range range;
    char device[128], chip[32];
} device_run;

// device_run_start begins a program. run->range is set, to zeros where the program has neither
// sizes nor threads. It reads the command line: --commit, --out, --dirty, --quick, --energy,
// --help, the options of the range, and what `own` adds, whose parser has `self` as its input. It
// ends the program with the exit codes of apps/program.h, 0 after --help: before anything is
// measured if an option is not understood, if no record can be written to the folder, or if there
// is no device.
void device_run_start(device_run *run, const struct argp *own, void *self, int argc, char **argv);

// device_run_number: the value of an option, from least to most; anything else ends the program.
uint64_t device_run_number(const struct argp_state *state, const char *option, const char *value,
                           uint64_t least, uint64_t most);

// device_run_another: the place of one more value of an option that may be repeated `most` times;
// counts it.
unsigned device_run_another(unsigned *count, unsigned most, const struct argp_state *state);

// device_run_parts: words on the command line that pick parts of a benchmark. The parser for them
// is device_run_parts_parse. Bit k of `asked` is set for names[k], and all bits if no part is
// named.
typedef struct {
    const char *const *names;
    unsigned count, asked;
} device_run_parts;
error_t device_run_parts_parse(int key, char *value, struct argp_state *state);

#endif  // BENCH_DEVICE_RUN_H_
