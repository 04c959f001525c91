// options.h: what the benchmarks of transforms can measure, and their command line. Plain C;
// includes the headers that describe transforms and rivals.
#ifndef BENCH_FFT_OPTIONS_H_
#define BENCH_FFT_OPTIONS_H_

#include <stdbool.h>
#include <stdint.h>

#include "bench/device/run.h"
#include "bench/fft/cufft.h"
#include "bench/fft/truth.h"
#include "fft/index_digit/index_digit.h"

// fft_kind: a transform as the library, the rival and the truth name it.
typedef struct {
    const char *name;
    fft_id_element element;
    fft_id_direction direction;
    fft_id_order order;  // the library's; the rival's is natural
    cufft_type type;
    fft_truth_form in, out;
} fft_kind;

enum { FFT_KINDS = 12, FFT_SPECS_MAX = 64, FFT_LENGTHS_MAX = 64 };
extern const fft_kind fft_kinds[FFT_KINDS];

// What a program takes beside --cufft and the options of all benchmarks: a range of lengths and
// single or batched transforms, lengths one by one, names of kinds, plans.
enum {
    FFT_BENCH_RANGE = 1 << 0,
    FFT_BENCH_LENGTHS = 1 << 1,
    FFT_BENCH_NAMES = 1 << 2,
    FFT_BENCH_PLANS = 1 << 3
};

// fft_bench_options: the command line, with defaults filled in; --help explains the options.
typedef struct {
    device_run run;
    const char *cufft_path;  // NULL: found by itself
    const char *spec[FFT_SPECS_MAX];
    uint64_t length[FFT_LENGTHS_MAX];
    unsigned takes, specs, lengths, total;  // log2 of lengths, of points in batches
    bool wanted[FFT_KINDS], single, batched, candidates, ablations, once, interface;
} fft_bench_options;

// fft_bench_start reads the command line and begins the program, by device_run_start. doc is what
// --help says first.
void fft_bench_start(fft_bench_options *o, unsigned takes, const char *doc, int argc, char **argv);

#endif  // BENCH_FFT_OPTIONS_H_
