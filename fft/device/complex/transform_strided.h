// transform_strided.h: index-digit transforms on a device, of batches whose elements and problems
// stand at any distances, on either side. Items, directions and lengths are those of transform.h.
// C; includes transform.h.
//
// Element j of problem b is at b distance + j stride, counted in elements of its side: complex
// items, of reals real numbers on the one side and complex items on the other. An even number of
// reals to or from the first n/2 + 1 of their frequencies; reals of odd length are refused, as they
// form no pairs: take them as complex items. So batches may be interleaved: stride = batch,
// distance = 1. The first and the last pass address these places, so there is no pass more than
// without strides, but where reals are separated: one launch, in place; none more of powers of two
// side by side, whose reals' problems stand an even number apart. In reversed order problems stand
// one right after the other; those of one pass at any distance, or interleaved on both sides, in
// batches of whole tiles.
#ifndef FFT_DEVICE_COMPLEX_TRANSFORM_STRIDED_H_
#define FFT_DEVICE_COMPLEX_TRANSFORM_STRIDED_H_

#include "fft/device/complex/transform.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint64_t stride, distance;  // from element to element, from problem to problem
} fft_strided_layout;

// fft_strided_plan: the tuple's x means 2^x lines of a pass in a tile; the lines may be of
// different problems.
typedef struct {
    fft_id_plan plan;
    fft_strided_layout in, out;
} fft_strided_plan;

// fft_strided_elements: how many a problem has on the input's or the output's side.
uint64_t fft_strided_elements(const fft_id_problem *problem, bool output);
// fft_strided_dense: the layout that fft_device_transform takes, without gaps.
fft_strided_layout fft_strided_dense(const fft_id_problem *problem, bool output);

bool fft_strided_is_dense(const fft_id_problem *problem, fft_strided_layout layout, bool output);

// fft_strided_layout_refusal: NULL, or why the layouts are not valid (a sentence of the program's
// own memory): two output elements share a place, or a place is beyond 2^48. Elements of the input
// may share places: windows that overlap, one problem for all.
const char *fft_strided_layout_refusal(const fft_strided_plan *plan);
// fft_strided_in_place: whether every item has the same place in both layouts: complex items in
// equal layouts; reals side by side if each problem begins where its frequencies begin.
bool fft_strided_in_place(const fft_strided_plan *plan);

// fft_strided_refusal: NULL, or why this plan is not served: what fft_id_refusal says, or
// fft_strided_layout_refusal, or a pass without a kernel.
const char *fft_strided_refusal(const fft_strided_plan *plan);

// fft_strided_make: the plan for these layouts; NULL, or why there is none, *plan being undefined.
const char *fft_strided_make(fft_strided_plan *plan, const fft_id_problem *problem,
                             fft_strided_layout in, fft_strided_layout out);

// As fft_device_table_bytes, fft_device_workspace_bytes and fft_device_tables: the workspace is one
// dense copy of the data, or nothing in one pass or in reversed order.
size_t fft_strided_table_bytes(const fft_strided_plan *plan);
size_t fft_strided_workspace_bytes(const fft_strided_plan *plan);
result fft_strided_tables(const fft_strided_plan *plan, void *tables, cuda_stream stream);

// fft_strided_transform enqueues one transform of the batch: out = transform of in, neither scaled.
// in may be out where fft_strided_in_place (refused elsewhere). Beyond that no element of out is
// where one of in, of the workspace or of the tables is. What lies between elements keeps its
// values, and so does in, unless it is out. in and out are aligned as complex items are.
// Errors: RESULT_REFUSED; RESULT_DEVICE_ERROR (a launch failed; out is not to be used).
// Cost: a launch a pass, each reading and writing the batch once, of reals one more. Powers of two
// whose items are side by side cost the same as fft_device_transform, at any distances; so do
// complex ones of 2^7 to 2^11 points that go to interleaved from interleaved or from one after the
// other, in batches of whole tiles, as multiples of 32 are. Threads are numbered along whichever is
// nearer in memory, elements or problems; where neither are side by side each element costs a
// sector.
result fft_strided_transform(const fft_strided_plan *plan, const void *in, void *out,
                             void *workspace, const void *tables, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // FFT_DEVICE_COMPLEX_TRANSFORM_STRIDED_H_
