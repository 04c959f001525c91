// recombine_rows.h: recombine_device.h's kernel for a batch of products in one launch. Internal to
// bigint/; plain C.
#ifndef BIGINT_DEVICE_KERNELS_RECOMBINE_ROWS_H_
#define BIGINT_DEVICE_KERNELS_RECOMBINE_ROWS_H_

#include "bigint/device/kernels/product_rows.h"
#include "bigint/device/kernels/recombine_device.h"

#ifdef __cplusplus
extern "C" {
#endif

// recombine_rows_bytes: the bytes of workspace for `count` products of up to rn limbs.
size_t recombine_rows_bytes(uint64_t rn, uint64_t count);

// recombine_rows enqueues all products of `rows`, zero-padded. residues: of product 0, modulo three
// primes, of coefficients that weigh 2^(64 i); those of product i are i * stride doubles further.
// rn: the most limbs of a result.
// Carries look back within a product, never beyond it.
// Requires, costs and refuses the same as recombine_device, for each product; the workspace is
// recombine_rows_bytes. Other primes or weights are refused for several products. There are no
// signs. The factors of `rows` are not read.
result recombine_rows(const product_rows *rows, uint64_t rn, const recombine_residues *residues,
                      uint64_t stride, void *workspace, size_t bytes, cuda_stream stream);

// recombine_term: what a product c is replaced by: c + times {p, n} B^at, or c - times {p, n} B^at
// if `less`; then its negative if `negative`; then B^one_at is added, unless that is UINT64_MAX.
typedef struct {
    const uint64_t *p;
    uint64_t n, at, times, one_at;
    bool less, negative;
} recombine_term;

// recombine_rows_terms enqueues the same for up to RECOMBINE_TERMS products, given by strides, each
// replaced as its term says, which is not negative. Requires and costs the same; the
// terms' limbs are read once and overlap no result.
// RESULT_REFUSED: as recombine_rows; more products, a list, other weights than 2^64.
enum { RECOMBINE_TERMS = 2 };
result recombine_rows_terms(const product_rows *rows, uint64_t rn, const recombine_term *terms,
                            const recombine_residues *residues, uint64_t stride, void *workspace,
                            size_t bytes, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_KERNELS_RECOMBINE_ROWS_H_
