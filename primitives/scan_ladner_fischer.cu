// scan_ladner_fischer.cu: the variant "ladner-fischer" of scan.h, for all operators.
#include "primitives/scan_ladner_fischer.cuh"

#include "primitives/scan_schedule.cuh"

extern const ScanSchedule kScanLadnerFischer = ScheduleOf<ScanLadnerFischer>();
