// side.h: one side of a benchmark of groups of devices: a context, operands that it makes by
// itself, and their product. No limb leaves the devices, so that 2^36 bits take seconds.
#ifndef BENCH_GROUP_SIDE_H_
#define BENCH_GROUP_SIDE_H_

#include <stdbool.h>

#include "bigint/bigint.h"

// side: the operands are squares of squares of random numbers of 2^20 bits, the same on all sides.
// Any failure ends the program by fail, with the text.
typedef struct {
    bigint_ctx *ctx;
    bigint a, b, r;
    void (*fail)(const char *text);
} side;

// side_open makes a context on a device, which it closes, and operands of 2^lg bits, lg >= 20.
// side_close frees all.
void side_open(side *s, bigint_device *device, unsigned lg, void (*fail)(const char *text));
void side_close(side *s);
// side_time: nanoseconds of one product, from the call until the place is idle.
double side_time(side *s);
// side_plan: bigint_explain's text.
void side_plan(const side *s, char *text, size_t room);
// side_same: whether the blocks that a group has in this process are the same limbs as the product
// on one device, which compares them.
bool side_same(side *single, side *dealt);

#endif  // BENCH_GROUP_SIDE_H_
