// transport_local.h: members that are threads of one process. Internal to bigint/.
#ifndef BIGINT_GROUP_TRANSPORT_LOCAL_H_
#define BIGINT_GROUP_TRANSPORT_LOCAL_H_

#include "bigint/group/group.h"

extern const group_transport transport_local;

#endif  // BIGINT_GROUP_TRANSPORT_LOCAL_H_
