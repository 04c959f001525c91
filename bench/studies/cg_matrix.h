// cg_matrix.h: the matrices of the studies of conjugate gradients, of the host and on a device.
// Plain C; includes cg.h.
#ifndef BENCH_STUDIES_CG_MATRIX_H_
#define BENCH_STUDIES_CG_MATRIX_H_

#include "bench/studies/cg.h"

// Compressed rows in host memory.
typedef struct {
    uint32_t n, width;  // rows; the longest one's entries
    uint32_t *begins, *columns;
    double *values;
} cg_host;

// cg_host_grid: -u(left) - u(right) - u(up) - u(down) + 4 u on side x side points, 0 around them:
// Poisson's equation in the plane. Ends the program without memory.
cg_host cg_host_grid(unsigned side);
// cg_host_band: `width` entries in each row (odd), of a band of 16 width around the diagonal,
// diagonally dominant: longer rows.
cg_host cg_host_band(uint32_t n, unsigned width);
void cg_host_free(cg_host *m);

// cg_matrix_upload copies it to a device in a format; false without memory.
bool cg_matrix_upload(cg_matrix *to, const cg_host *from, cg_format format);
void cg_matrix_free(cg_matrix *m);

#endif  // BENCH_STUDIES_CG_MATRIX_H_
