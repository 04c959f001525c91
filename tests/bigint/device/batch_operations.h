// batch_operations.h: batches of every kind, for operations.c, on two items of the operands.
#ifndef TESTS_BIGINT_DEVICE_BATCH_OPERATIONS_H_
#define TESTS_BIGINT_DEVICE_BATCH_OPERATIONS_H_

#include "tests/bigint/device/operations.h"

bigint_status operation_mul_batch(operands *s);
bigint_status operation_ragged_batch(operands *s);
bigint_status operation_residue_batch(operands *s);
bigint_status operation_powm_batch(operands *s);
bigint_status operation_mulmod_batch(operands *s);
bigint_status operation_sqrmod_batch(operands *s);
bigint_status operation_invmod_batch(operands *s);
bigint_status operation_divrem_batch(operands *s);

#endif  // TESTS_BIGINT_DEVICE_BATCH_OPERATIONS_H_
