// alone.h: a product on member 0 by the way `alone` (plan.h). Internal to bigint/group/device.
#ifndef BIGINT_GROUP_DEVICE_ALONE_H_
#define BIGINT_GROUP_DEVICE_ALONE_H_

#include "bigint/device/product.h"
#include "bigint/group/device/work.h"

typedef struct {
    member_work *w;
    uint64_t *a, *b, *r;  // of member 0: both operands and the product
    device_plan plan;     // its own
    device_work run;
} alone_work;

// alone_lay lays its memory, as member_work_lay.
void alone_lay(alone_work *p, unsigned char *memory, uint64_t *used);
// alone_begin: what one device takes for the product, on member 0, between enter and leave of the
// context; alone_end gives it back. Errors: as bigint_mul.
bigint_status alone_begin(alone_work *p);
void alone_end(alone_work *p);
// alone_run: all members have agreed. Errors: EDEVICE, EPEER.
bigint_status alone_run(const alone_work *p);

#endif  // BIGINT_GROUP_DEVICE_ALONE_H_
