// member.h: what a member program is given. Internal to bigint/.
#ifndef BIGINT_GROUP_EXCHANGE_MEMBER_H_
#define BIGINT_GROUP_EXCHANGE_MEMBER_H_

#include "bigint/core/context.h"
#include "bigint/group/exchange/exchange.h"

// member: one member of a group. Member programs take all their memory from its context, and call
// others only through its endpoint.
typedef struct {
    exchange *exchange;
    bigint_ctx *ctx;
} member;

#endif  // BIGINT_GROUP_EXCHANGE_MEMBER_H_
