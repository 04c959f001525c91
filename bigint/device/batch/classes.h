// classes.h: the classes of a batch's products by passes, whose launches follow one another in one
// workspace. Launches of products by blocks do the same. Internal to bigint/.
#ifndef BIGINT_DEVICE_BATCH_CLASSES_H_
#define BIGINT_DEVICE_BATCH_CLASSES_H_

#include "bigint/device/batch/batch_plan.h"
#include "bigint/device/batch/passes.h"
#include "bigint/device/float.h"

// device_classes: all zero at first. A class without products has rows.count = 0.
typedef struct {
    device_passes plan[BATCH_SIZES];
    uint64_t blocks_bytes;  // of products by blocks, which use the same workspace
    uint64_t ring;          // as of device_passes_make
    void *workspace;
} device_classes;

// device_classes_add counts `products` more of a class, of an by bn limbs with rn limbs.
// device_classes_plan plans all classes: of the numbers `alike`, or, if NULL, of a list.
void device_classes_add(device_classes *all, unsigned size, uint64_t products, uint64_t an,
                        uint64_t bn, uint64_t rn);
void device_classes_plan(const bigint_ctx *ctx, device_classes *all, const product_rows *alike);
// device_classes_need: the memory of all classes; least: with one product a launch.
device_memory device_classes_need(const device_classes *all, bool least);
// device_classes_take takes that memory from the queue's arena; where there is not enough, launches
// get fewer products. Errors: ENOMEM, EDEVICE.
bigint_status device_classes_take(bigint_ctx *ctx, const char *who, device_classes *all);
// device_classes_run enqueues all products of a class, whose tables exist. items: the list where
// there is one, else NULL.
result device_classes_run(const bigint_ctx *ctx, const device_classes *all, unsigned size,
                          const product_item *items);

#endif  // BIGINT_DEVICE_BATCH_CLASSES_H_
