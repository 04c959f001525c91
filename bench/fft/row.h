// row.h: what fft_bench measures in one row: device memory, a problem's input and exact result, one
// call of ours, and errors. Plain C; includes what describes transforms and rivals.
#ifndef BENCH_FFT_ROW_H_
#define BENCH_FFT_ROW_H_

#include "bench/device/timing.h"
#include "bench/fft/cufft.h"
#include "bench/fft/naive.h"
#include "bench/fft/options.h"
#include "bench/fft/truth.h"
#include "fft/device/complex/transform.h"

// Device memory that grows and is used again.
typedef struct {
    void *at;
    size_t bytes;
} fft_room;

typedef struct {
    fft_bench_options asked;
    cufft *rival;
    fft_room in, rival_in, out, rival_out, workspace, rival_workspace, tables, truth;
    fft_truth exact;
} fft_bench;

// What all contenders of a row share.
typedef struct {
    const fft_kind *k;
    fft_id_problem problem;
    uint64_t n, points;  // of one transform, of all
    double levels;       // log2 n
    fft_truth_array in, rival_in, out, rival_out;
    double bytes;  // of input and output
} fft_row;

// One call of ours.
typedef struct {
    const fft_id_plan *plan;
    const void *in, *tables;
    void *out, *workspace;
} fft_row_job;

// fft_row_grown: a room of `bytes` bytes; NULL without memory.
void *fft_row_grown(fft_room *r, size_t bytes);

// fft_row_wrong ends the program, naming the row and the reason.
void fft_row_wrong(const fft_row *r, const char *what);

// fft_row_of: the arrays of a problem, its input and its exact result. If the exact result is not
// known for the length, arrays of as many points. Ends the program without memory.
fft_row fft_row_of(fft_bench *b, const fft_kind *k, const fft_id_problem *problem);

// fft_row_job_of: that of a plan, its tables filled. Ends the program without memory.
fft_row_job fft_row_job_of(fft_bench *b, const fft_row *r, const fft_id_plan *plan);
// fft_row_run puts one call of a fft_row_job on the stream.
bool fft_row_run(void *job, cuda_stream stream);

// fft_row_naive_of: that of the forms of naive.h, for complex forward transforms, its roots
// filled. Ends the program without memory.
naive_fft_job fft_row_naive_of(fft_bench *b, const fft_row *r);

// fft_row_check: the error of a result in the 2-norm, relative; ends the program if it is no
// transform's.
double fft_row_check(const fft_bench *b, const fft_row *r, const fft_truth_array *y,
                     const char *whose);

// fft_row_errors: the errors of our result and of the rival's, whose job may be NULL, for the input
// of the timed calls. With fewer than 2^18 points that error would be chance, so it is a root mean
// square over more inputs, 1024 at most, the same for both.
void fft_row_errors(const fft_bench *b, const fft_row *r, const device_side *ours, cufft_job *job,
                    double error[2]);

#endif  // BENCH_FFT_ROW_H_
