// device_facts.h: what plans need to know of the devices of all members. Internal to bigint/group.
#ifndef BIGINT_GROUP_DEVICE_FACTS_H_
#define BIGINT_GROUP_DEVICE_FACTS_H_

#include "bigint/group/exchange/member.h"

// device_facts: the same for all members.
typedef struct {
    bool all;          // every member is a device; zeros follow if not
    bool clusters;     // all devices have clusters of blocks
    unsigned devices;  // how many different ones
    uint64_t room;     // bytes of memory for each member, spread evenly over the devices
} device_facts;

// device_facts_gather: collective. Errors: EPEER; EDEVICE, which members have not agreed on.
bigint_status device_facts_gather(member *m, const char *who, device_facts *facts);

#endif  // BIGINT_GROUP_DEVICE_FACTS_H_
