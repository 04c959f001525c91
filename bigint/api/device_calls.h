// device_calls.h: the calls of place.h for contexts on a device. Internal to bigint/.
#ifndef BIGINT_API_DEVICE_CALLS_H_
#define BIGINT_API_DEVICE_CALLS_H_

#include "bigint/core/place.h"

extern const place_calls device_calls;

#endif  // BIGINT_API_DEVICE_CALLS_H_
