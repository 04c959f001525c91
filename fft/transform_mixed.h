// transform_mixed.h: what transform_device.cu and transform_plan.cu hand on where the length is no
// power of two, and what those lengths and powers of two have in common. Each function that begins
// with Mixed is that of transform_device.h for such problems; of plans that come fft_id_refusal is
// NULL, and all but MixedRefusal take those that it does not refuse. Includes the door only.
#ifndef FFT_TRANSFORM_MIXED_H_
#define FFT_TRANSFORM_MIXED_H_

#include "fft/transform_device.h"

const char *MixedRefusal(const fft_id_plan *plan);
bool MixedPlan(fft_id_plan *plan, const fft_id_problem *problem);
size_t MixedTableBytes(const fft_id_plan *plan);
result MixedTables(const fft_id_plan *plan, void *tables, device_stream stream);
result MixedTransform(const fft_id_plan *plan, const void *in, void *out, void *workspace,
                      const void *tables, device_stream stream);

// Whether items are of two doubles, not of two floats.
inline bool OfDoubles(const fft_id_problem *problem) {
    return fft_id_item_bytes(problem) == 2 * sizeof(double);
}

// Where the first of so many passes that are left goes. Of an odd number it leaves items at their
// places, so it may be in place.
inline void *PassOutput(unsigned left, void *out, void *workspace) {
    return left % 2 != 0 ? out : workspace;
}

#endif  // FFT_TRANSFORM_MIXED_H_
