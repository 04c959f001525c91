// variant.c: the names of the schedules of scan.h.
#include "primitives/scan/scan.h"

const char *scan_variant_name(scan_variant v) {
    static const char *const names[SCAN_VARIANTS] = {"look-back",  "kogge-stone", "ladner-fischer",
                                                     "brent-kung", "han-carlson", "three-kernel",
                                                     "tile"};
    return (unsigned)v < SCAN_VARIANTS ? names[v] : "unknown";
}
