// three_kernel.cu: the variant "three-kernel" of scan.h, for all operators.
#include "primitives/scan/three_kernel.cuh"

#include "primitives/scan/schedule.cuh"

extern const ScanSchedule kScanThreeKernel = ScheduleOf<ScanThreeKernel>();
