// scan_three_kernel.cu: the variant "three-kernel" of scan.h, for all operators.
#include "primitives/scan_three_kernel.cuh"

#include "primitives/scan_schedule.cuh"

extern const ScanSchedule kScanThreeKernel = ScheduleOf<ScanThreeKernel>();
