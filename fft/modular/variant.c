// variant.c: one SIMD variant of the modular transform as a table of functions. Compiled once per
// variant with that variant's flags; everything in it comes from the headers.
#include "fft/modular/columns.h"
#include "fft/modular/crt.h"
#include "fft/modular/row.h"
#include "fft/modular/tables.h"

#define VARIANT_PASTE(a, b) a##b
#define VARIANT_SYMBOL(name) VARIANT_PASTE(fft_ops_, name)
#define VARIANT_TEXT(name) #name
#define VARIANT_NAME(name) VARIANT_TEXT(name)

const fft_ops VARIANT_SYMBOL(VEC_VARIANT) = {
    .name = VARIANT_NAME(VEC_VARIANT),
    .shape = {.row = VEC_LG_ROW, .rows = VEC_LG_ROWS},
    .tables_bytes = tables_bytes,
    .tables_fill = tables_fill,
    .item = residue_item,
    .columns_forward = columns_forward,
    .rows = row_run,
    .columns_inverse = columns_inverse,
    .coefficients = crt_coefficients,
};
