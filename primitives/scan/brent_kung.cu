// brent_kung.cu: the variant "brent-kung" of scan.h, for all operators.
#include "primitives/scan/brent_kung.cuh"

#include "primitives/scan/schedule.cuh"

extern const ScanSchedule kScanBrentKung = ScheduleOf<ScanBrentKung>();
