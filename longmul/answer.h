// answer.h: the status of a result of the rooms below, for the .c files of this folder. Includes
// scan.h for the results.
#ifndef LONGMUL_ANSWER_H_
#define LONGMUL_ANSWER_H_

#include "longmul/status.h"
#include "primitives/scan/scan.h"

static inline longmul_status status_of(result r) {
    switch (r) {
        case RESULT_OK:
            return LONGMUL_OK;
        case RESULT_REFUSED:
            return LONGMUL_REFUSED;
        case RESULT_NO_DEVICE:
            return LONGMUL_NO_DEVICE;
        default:
            return LONGMUL_DEVICE_ERROR;
    }
}

#endif  // LONGMUL_ANSWER_H_
