// local.h: exchanges between threads of one process, in host memory. Internal to bigint/.
#ifndef BIGINT_GROUP_EXCHANGE_LOCAL_H_
#define BIGINT_GROUP_EXCHANGE_LOCAL_H_

#include "bigint/group/exchange/exchange.h"

// exchange_hub: where the endpoints of one group meet. Each endpoint serves one thread at a time.
typedef struct exchange_hub exchange_hub;

// Bytes of the caller's memory (64-byte aligned) that a hub lives in.
size_t exchange_hub_bytes(unsigned members);
// exchange_hub_open makes a hub in memory; timeout_s as in exchange.h. NULL if the system has no
// resources for it.
exchange_hub *exchange_hub_open(void *memory, unsigned members, double timeout_s);
// exchange_hub_endpoint: a member's endpoint, part of the hub.
exchange *exchange_hub_endpoint(exchange_hub *hub, unsigned member);
// exchange_hub_close: no thread is in a call. NULL is allowed. The memory is the caller's again.
void exchange_hub_close(exchange_hub *hub);

#endif  // BIGINT_GROUP_EXCHANGE_LOCAL_H_
