// steps.c: names of steps.h.
#include "bench/studies/steps.h"

const char *steps_way_name(steps_way way) {
    static const char *const names[STEPS_WAYS] = {"launches", "early-launches", "barrier",
                                                  "post-wait", "no-wait"};
    return (unsigned)way < STEPS_WAYS ? names[way] : "unknown";
}
