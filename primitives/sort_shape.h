// sort_shape.h: the sizes of tiles that plans and kernels of sort.h share. C and C++; includes
// nothing.
#ifndef PRIMITIVES_SORT_SHAPE_H_
#define PRIMITIVES_SORT_SHAPE_H_

// Bytes of an item, key (widened for ragged segments) and value, up to which a thread holds 16, in
// blocks of up to 1024 threads; up to 16 bytes 16, in 512 threads; longer ones 8, in 512.
enum {
    SORT_SHORT_ITEM = 8,
    SORT_MIDDLE_ITEM = 16,
    SORT_MAX_WAYS = 16,  // runs that one pass of the multiway merge joins
    SORT_RADIX_BITS = 8,
};

#endif  // PRIMITIVES_SORT_SHAPE_H_
