// ladner_fischer.cu: the variant "ladner-fischer" of scan.h, for all operators.
#include "primitives/scan/ladner_fischer.cuh"

#include "primitives/scan/schedule.cuh"

extern const ScanSchedule kScanLadnerFischer = ScheduleOf<ScanLadnerFischer>();
