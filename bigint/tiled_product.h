// tiled_product.h
#ifndef BIGINT_TILED_PRODUCT_H_
#define BIGINT_TILED_PRODUCT_H_

#include "bigint/product_rows.h"
#include "primitives/result.h"

#ifdef __cplusplus
extern "C" {
#endif
result tiled_product(const product_rows *all, uint64_t an, uint64_t bn, device_stream stream);
#ifdef __cplusplus
}
#endif
#endif
