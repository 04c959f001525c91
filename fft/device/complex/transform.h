// transform.h: index-digit transforms on a device: which plans have kernels, what memory
// they take, and how they are run. C; includes the plans and primitives/words/result.h.
//
// Items are complex numbers, real part first, aligned to their length (16 bytes of doubles, 8 of
// floats). The problems of a batch follow each other without gaps. Each pass of a plan is one
// launch that reads and writes every item once. Lengths are 2^a 3^b 5^c 7^d up to 2^33
// (fft_id_set_length); powers of two have kernels of their own.
//
// Reversed order (FFT_ID_REVERSED): complex items, powers of two. The frequency with digits [f_n
// ... f_1] is at [f_1 ... f_n], after a forward and before an inverse transform, with any plan. So
// pointwise products between the two need no map of indices. Passes are in place and need no
// workspace.
//
// Real elements: an even number n of reals, at least 4, on one side, and the first n/2 + 1 of their
// frequencies on the other, as complex items. Natural order only. The problems of either side
// follow each other without gaps. The forward transform takes reals; the inverse one takes
// frequencies and ignores the imaginary parts of items 0 and n/2. The passes are the same as for
// n/2 complex items. The last or the first of them does the rest (pass_real.cuh); if n has a factor
// 3, 5 or 7, one more launch does it in place (pass_halves.cuh).
//
// Refused: lengths with a prime factor above 7; reals of odd length, which form no pairs (take them
// as complex items); reversed order of reals, whose n/2 + 1 frequencies no word of digits numbers,
// and of lengths with a factor 3, 5 or 7, where it would depend on the radices. Other distances
// between elements or problems: transform_strided.h.
#ifndef FFT_DEVICE_COMPLEX_TRANSFORM_H_
#define FFT_DEVICE_COMPLEX_TRANSFORM_H_

#include "fft/index_digit/index_digit.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// fft_device_refusal: NULL, or why no kernel serves this plan (a sentence of the program's own
// memory): a plan that fft_id_refusal refuses, an order or element without kernels, or a pass whose
// nodes and tile none was built for.
const char *fft_device_refusal(const fft_id_plan *plan);

// fft_device_plan fills in the plan that was fastest on the device it was tuned for. False if there
// is none.
bool fft_device_plan(fft_id_plan *plan, const fft_id_problem *problem);

// Bytes of device memory for a plan's tables and for its workspace, which overlaps neither input
// nor output: one copy of the data, none in one pass or in reversed order. Both are 0 for a plan
// that is refused.
size_t fft_device_table_bytes(const fft_id_plan *plan);
size_t fft_device_workspace_bytes(const fft_id_plan *plan);

// fft_device_tables fills `tables` on the stream and makes the present device ready for the plan's
// kernels, so it comes before the first transform on each device. 256-byte aligned.
// Cost: a few thousand roots; a launch for each node that is not the last of its pass.
result fft_device_tables(const fft_id_plan *plan, void *tables, cuda_stream stream);

// fft_device_transform enqueues one transform of the batch: out = transform of in, not scaled. in
// may be out, but with real elements only if batch is 1, because the two sides have different
// distances between problems (refused). No other two of in, out, workspace and tables overlap. in
// keeps its values unless it is out. The workspace need not be initialised. Aligned as complex
// items are.
// Errors: RESULT_REFUSED; RESULT_DEVICE_ERROR (a launch failed; out is not to be used).
// Accuracy: measured, in the 2-norm below 4.2e-16 and 2.2e-7 to 2^28 points
// (bench/records/device.md); proved of complex items and 2^n points by the sum of fft_bound_device.
// Cost: a launch a pass, each reading and writing the batch once.
result fft_device_transform(const fft_id_plan *plan, const void *in, void *out, void *workspace,
                            const void *tables, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // FFT_DEVICE_COMPLEX_TRANSFORM_H_
