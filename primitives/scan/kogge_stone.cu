// kogge_stone.cu: the variant "kogge-stone" of scan.h, for all operators.
#include "primitives/scan/kogge_stone.cuh"

#include "primitives/scan/schedule.cuh"

extern const ScanSchedule kScanKoggeStone = ScheduleOf<ScanKoggeStone>();
