// matrix.cu: the variant "tile" of scan.h, for all operators.
#include "primitives/scan/matrix.cuh"

#include "primitives/scan/schedule.cuh"

extern const ScanSchedule kScanMatrix = ScheduleOf<ScanMatrix>();
