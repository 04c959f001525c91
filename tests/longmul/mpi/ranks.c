// ranks.c: see ranks.h.
#include "tests/longmul/mpi/ranks.h"

#include <mpi.h>
#include <stdlib.h>

#include "longmul/group_mpi.h"
#include "primitives/cuda/runtime.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

static void end_mpi(void) { MPI_Finalize(); }

// places: devices for members, beginning with this rank's.
static void places(int *devices, unsigned count) {
    cuda_description about;
    cuda_describe(0, &about);
    for (unsigned i = 0; i < count; i++) {
        devices[i] = about.count > 1 ? (int)(ranks_own() + i) % about.count : 0;
    }
}

unsigned ranks_start(void) {
    int started = 0, level = 0, ranks = 0;
    MPI_Initialized(&started);
    if (!started) {
        MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
        atexit(end_mpi);
        device_several(2);  // of the emulation
    }
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return (unsigned)ranks;
}

unsigned ranks_own(void) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return (unsigned)rank;
}

longmul_status ranks_open(longmul_group *g, ranks_members each, double timeout_s) {
    int devices[HERE_MOST];
    ranks_start();
    places(devices, HERE_MOST);
    return longmul_group_open_mpi(g, MPI_COMM_WORLD, devices,
                                  ranks_own() % 2 == 0 ? each.even : each.odd, timeout_s);
}

void ranks_alone(longmul_group *g, unsigned members) {
    int devices[MEMBERS_MOST];
    places(devices, MEMBERS_MOST);
    if (longmul_group_open(g, devices, members) != LONGMUL_OK) {
        ct_fail(__FILE__, __LINE__, 1, "no group");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

bool ranks_all_equal(int number) {
    int least = number, most = number;
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return least == most;
}

bool ranks_any(bool own) {
    int any = own;
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return any != 0;
}
