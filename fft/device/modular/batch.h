// batch.h: the steps of many convolutions of one plan, each step one launch for all of them. Plain
// C; in steps.cu, where the steps of convolution.h are those of a batch of one.
//
// The items of a batch have operands of the plan's lengths and planes laid out as a single
// product's are, a stride from each item to the next. A thread block belongs to one item, so items
// meet nowhere. Batches of several items have digits of whole words, columns of up to
// 2^FFT_MODULAR_ITEMS_LG_ROWS rows, no outer pass, and nothing that wraps around.
#ifndef FFT_DEVICE_MODULAR_BATCH_H_
#define FFT_DEVICE_MODULAR_BATCH_H_

#include "fft/device/modular/convolution.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FFT_MODULAR_ITEMS_LG_ROWS = 9 };

// fft_modular_items: strides from the planes x and y to those of the next item, in doubles, and
// from its operands to the next ones, in words. 0: one for all items.
typedef struct {
    unsigned count;
    uint64_t x, y, a, b;
} fft_modular_items;

// fft_modular_items_most: the most items of one launch: 1 if the plan serves no batches. Tiles are
// four columns or more, and a grid has at most 65535 blocks in y and z.
static inline unsigned fft_modular_items_most(const fft_modular_plan *plan) {
    const bool serves = plan->digit_bits == 64 && !plan->balanced && plan->wrapped == 0 &&
                        plan->lg_outer == 0 && plan->lg_columns > 0 &&
                        plan->lg_rows <= FFT_MODULAR_ITEMS_LG_ROWS;
    return serves ? 65535U >> (plan->lg_columns - 2) : 1;
}

// The same steps as in convolution.h, of 1 .. fft_modular_items_most items; RESULT_REFUSED of more.
result fft_modular_items_columns(const fft_modular_step *step, const fft_modular_items *items,
                                 double *x, fft_modular_operand a, double *y,
                                 fft_modular_operand b);
result fft_modular_items_rows(const fft_modular_step *step, const fft_modular_items *items,
                              double *x, const double *y, fft_row_mode mode);
result fft_modular_items_inverse(const fft_modular_step *step, const fft_modular_items *items,
                                 double *x);

#ifdef __cplusplus
}
#endif

#endif  // FFT_DEVICE_MODULAR_BATCH_H_
