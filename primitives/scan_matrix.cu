// scan_matrix.cu: the variant "tile" of scan.h, for all operators.
#include "primitives/scan_matrix.cuh"

#include "primitives/scan_schedule.cuh"

extern const ScanSchedule kScanMatrix = ScheduleOf<ScanMatrix>();
