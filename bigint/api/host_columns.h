// host_columns.h: the columns of a product in host memory, one after the other: one thread sends
// blocks and enqueues work, another one fetches sums. Internal to bigint/.
#ifndef BIGINT_API_HOST_COLUMNS_H_
#define BIGINT_API_HOST_COLUMNS_H_

#include "bigint/api/host_blocks.h"

// host_column enqueues s->sum[c % plan.sums] = the sum of column c, and what is above the lowest
// block of the sum before. It sends blocks.
typedef bigint_status (*host_column)(void *self, uint64_t c);
// host_columns_run: s->rp = all columns. Waits for the sums. A team of one thread does both by
// itself.
bigint_status host_columns_run(host_job *s, host_column column, void *self);

#endif  // BIGINT_API_HOST_COLUMNS_H_
