// columns.h: the column transforms of a plane, strip by strip, with the digit split in front. May
// include tree.h.
//
// A plane holds rows x columns points, row after row (row_stride apart); point i C + c of the
// convolution is row i, column c. All levels above the rows only join points of the same column, so
// a strip of columns
//
//      plane:   row 0   |  ....  [strip s]  ....  |        buffer: [row 0 of the strip][row 1] ...
//               row 1   |  ....  [strip s]  ....  |                2^lg_rows x 2^lg_strip doubles,
//               in cache
//
// is transformed in a buffer, the last pass forward writing to, the first one back reading from the
// plane: one sweep over memory for all those levels. The first `rows` outputs are rows of the
// tree's nodes 0 .. rows - 1, or, below another node than the root, of its first descendants.
#ifndef FFT_MODULAR_COLUMNS_H_
#define FFT_MODULAR_COLUMNS_H_

#include <string.h>

#include "fft/modular/fft.h"
#include "fft/modular/tree.h"

// columns_extract: digits first .. first + n - 1 into d, n a multiple of VEC_WIDTH; zero past the
// end of the words.
static void columns_extract(uint64_t *d, const fft_digits *a, uint64_t first, size_t n) {
    const unsigned bits = a->bits;
    const uint64_t mask = ~(uint64_t)0 >> (64 - bits);
    size_t i = 0;
    for (; i < n && (first + i) * bits / 64 + VEC_WIDTH < a->words_n; i += VEC_WIDTH) {
        const uint64_t bit = (first + i) * bits;
        vec_fields(d + i, a->words + bit / 64, bit % 64, bits);
    }
    for (; i < n; i++) {
        const uint64_t bit = (first + i) * bits, word = bit / 64;
        const uint64_t low = word < a->words_n ? a->words[word] >> bit % 64 : 0;
        const uint64_t high = word + 1 < a->words_n ? a->words[word + 1] << 1 : 0;
        d[i] = (low | high << (63 - bit % 64)) & mask;
    }
}

// columns_split: residues of n digits from index `first` into x; n a multiple of VEC_WIDTH, x
// aligned. A word is high 2^32 + low, both exact doubles; the high part is reduced: |residue| <=
// 0.5001 p + 2^32.
static void columns_split(double *x, const fft_digits *a, uint64_t first, size_t n, ring f) {
    uint64_t d[64];
    const vec two32 = vec_set1(0x1p32);
    const field q = ring_field(f);
    for (size_t done = 0; done < n; done += 64) {
        const size_t block = n - done < 64 ? n - done : 64;
        const uint64_t *p = d;
        if (a->bits == 64 && first + done + block <= a->words_n) {
            p = a->words + first + done;
        } else {
            columns_extract(d, a, first + done, block);
        }
        for (size_t i = 0; i < block; i += VEC_WIDTH) {
            const vec high = field_reduce(vec_mul(vec_high_half(p + i), two32), q);
            const vec digit = vec_add(high, vec_low_half(p + i));
            residue_store(x + done + i, residue_from_double(digit, f));
        }
    }
}

// columns_prefetch asks for n words at p: rows lie far apart, where no hardware prefetcher follows.
// Two planes of less than COLUMNS_FAR doubles, 512 KiB, both stay in the second-level cache;
// prefetching from there would only displace lines of the first level.
enum { COLUMNS_AHEAD = 4, COLUMNS_LINE = 8, COLUMNS_FAR = 1 << 16 };
VEC_INLINE void columns_prefetch(const void *p, size_t n, const bool to_write) {
    for (size_t k = 0; k < n; k += COLUMNS_LINE) {
        if (to_write) {
            __builtin_prefetch((const uint64_t *)p + k, 1);
        } else {
            __builtin_prefetch((const uint64_t *)p + k, 0);
        }
    }
}

static void columns_forward(const fft_plan *plan, const fft_tables *tables, double *x,
                            const fft_digits *a, size_t s, double *buffer) {
    const ring f = ring_make(fft_primes[tables->prime].p);
    const size_t strip = (size_t)1 << plan->lg_strip, at = s << plan->lg_strip;
    const uint64_t columns = (uint64_t)1 << plan->lg_columns;
    const size_t in = (size_t)((a->count + columns - 1) / columns);
    const size_t far = plan->rows * plan->row_stride < COLUMNS_FAR ? 0 : (size_t)plan->rows;
    for (size_t i = 0; i < in; i++) {
        const uint64_t ahead = ((i + COLUMNS_AHEAD) * columns + at) * a->bits / 64;
        if (ahead < a->words_n) {
            columns_prefetch(a->words + ahead, strip, false);
        }
        for (size_t r = i * far / in; r < (i + 1) * far / in; r++) {
            columns_prefetch(x + r * plan->row_stride + at, strip, true);
        }
        columns_split(buffer + i * strip, a, i * columns + at, strip, f);
    }
    const tree_place place = {buffer, x + at, plan->row_stride};
    tree_forward_truncated(buffer, place, plan->lg_rows + plan->lg_strip, plan->lg_strip, tables->w,
                           plan->node, f, in, plan->rows);
}

static void columns_inverse(const fft_plan *plan, const fft_tables *tables, double *x, size_t s,
                            double *buffer) {
    const ring f = ring_make(fft_primes[tables->prime].p);
    const size_t strip = (size_t)1 << plan->lg_strip, at = s << plan->lg_strip;
    const tree_place place = {buffer, x + at, plan->row_stride};
    // coefficients past the product's end are zero
    tree_inverse_truncated(place, plan->lg_rows + plan->lg_strip, plan->lg_strip, tables->w,
                           plan->node, f, plan->rows, true);
    for (size_t r = 0; r < plan->rows; r++) {
        tree_copy(x + r * plan->row_stride + at, buffer + r * strip, strip);
    }
}

#endif  // FFT_MODULAR_COLUMNS_H_
