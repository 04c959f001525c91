// monoid.c: sizes and names of the operators of monoid.h.
#include "primitives/scan/monoid.h"

size_t monoid_bytes(monoid m) {
    switch (m) {
        case MONOID_MAP3:
            return 1;
        case MONOID_SUM_U32:
        case MONOID_SUM_F32:
        case MONOID_MAX_U32:
            return 4;
        default:
            return 8;
    }
}

const char *monoid_name(monoid m) {
    static const char *const names[MONOID_KINDS] = {
        "sum-u32", "sum-u64", "sum-f32", "sum-f64", "max-u32", "affine-u32", "map3", "sum-mod61"};
    return names[m];
}
