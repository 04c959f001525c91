// han_carlson.cu: the variant "han-carlson" of scan.h, for all operators.
#include "primitives/scan/han_carlson.cuh"

#include "primitives/scan/schedule.cuh"

extern const ScanSchedule kScanHanCarlson = ScheduleOf<ScanHanCarlson>();
