// open.h: places opened, for contexts and for groups. Internal to bigint/.
#ifndef BIGINT_API_OPEN_H_
#define BIGINT_API_OPEN_H_

#include "bigint/core/context.h"

// open_environment: the value of a variable, or NULL. The library reads its environment only here,
// when a device or a context is opened.
const char *open_environment(const char *name);
// open_place: what bigint_device_open does, into memory of the caller's.
bigint_status open_place(bigint_device *d, int place, const char *backend);

#endif  // BIGINT_API_OPEN_H_
