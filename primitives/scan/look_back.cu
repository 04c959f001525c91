// look_back.cu: the variant "look-back" of scan.h, for all operators.
#include "primitives/scan/look_back.cuh"

#include "primitives/scan/schedule.cuh"

namespace {

template <class M>
struct Schedule : ScanLookBack<M> {
    using Operator = M;
    static size_t WorkspaceBytes(uint64_t n, uint64_t rows) {
        return ScanLookBack<M>::WorkspaceBytes(n * rows);
    }
};

}  // namespace

extern const ScanSchedule kScanLookBack = ScheduleOf<Schedule>();
