// ranks_solve.c: tridiagonal systems with statuses, by the safe solver, for group_ranks_bench.
#include <stdlib.h>

#include "bench/group/ranks_job.h"

// Bytes of a, b, c, d and x: rows whose diagonal is more than four times their other elements.
enum { ARRAYS = 5 };
static const int bytes_of[ARRAYS] = {0x3F, 0x40, 0x3F, 0x3F, 0xA5};

static uint64_t width(const ranks_job *j) { return j->is_double ? 8 : 4; }

static tridiagonal_share share_of(const ranks_job *j) {
    return tridiagonal_group_share(&j->solve.job, j->g->members, j->networks, j->g->first);
}

// open_single: all systems on the first rank's device.
static void open_single(ranks_job *j) {
    const tridiagonal_job all = {j->solve.job.type, j->n, j->rows, 1, j->n};
    if (!tridiagonal_make_plan(&j->solve.all_plan, &all, j->solve.job.variant)) {
        ranks_stop("no plan", j);
    }
    j->copy_bytes = width(j) * j->n * j->rows;
    for (unsigned k = 0; k < ARRAYS; k++) {
        j->solve.all[k] = ranks_allocate(j, j->copy_bytes, bytes_of[k]);
    }
    j->copy_from = j->solve.all[0];
    j->copy_to = j->solve.all[4];
    j->solve.all_status = ranks_allocate(j, sizeof(uint32_t) * j->rows, 0xA5);
    j->solve.all_workspace = ranks_allocate(j, tridiagonal_workspace_bytes(&j->solve.all_plan), 0);
}

static void open_solve(ranks_job *j) {
    j->solve.job = (tridiagonal_systems){j->is_double ? TRIDIAGONAL_F64 : TRIDIAGONAL_F32,
                                         TRIDIAGONAL_PARTITION_PIVOT, j->n, j->rows};
    const tridiagonal_share s = share_of(j);
    const unsigned each = j->g->members / j->networks;
    const uint64_t sent =
        tridiagonal_group_sent_bytes(&j->solve.job, j->g->members, j->networks, j->g->first);
    void *array[ARRAYS];
    j->bytes = 5.0 * (double)(width(j) * j->n) * (double)j->rows;
    j->exchanges = each > 1 ? 2 : 0;
    // A status of 4 bytes with each span.
    const uint64_t span = tridiagonal_span_bytes(j->solve.job.type, j->solve.job.variant);
    j->received = sent + sent / span * sizeof(uint32_t);
    for (unsigned k = 0; k < ARRAYS; k++) {
        array[k] = ranks_allocate(j, width(j) * s.n * s.systems, bytes_of[k]);
    }
    j->solve.member = (tridiagonal_member){
        .rows = {array[0], array[1], array[2], array[3], array[4]},
        .status = ranks_allocate(j, sizeof(uint32_t) * s.systems, 0xA5),
        .workspace = ranks_allocate(j,
                                    tridiagonal_group_workspace_bytes(&j->solve.job, j->g->members,
                                                                      j->networks, j->g->first),
                                    0)};
    if (ranks_first(j)) {
        open_single(j);
    }
}

static bool run_solve(ranks_job *j) {
    return tridiagonal_group(&j->solve.job, j->g, j->networks, &j->solve.member) == RESULT_OK;
}

static bool single_solve(ranks_job *j) {
    void *const *const x = j->solve.all;
    return tridiagonal_device(&j->solve.all_plan, x[0], x[1], x[2], x[3], x[4], j->solve.all_status,
                              j->solve.all_workspace,
                              tridiagonal_workspace_bytes(&j->solve.all_plan),
                              ranks_stream(j)) == RESULT_OK;
}

// Solves all systems once more and checks their residuals.
static bool solve_right(ranks_job *j) {
    const double unit = j->is_double ? 0x1p-53 : 0x1p-24;
    const tridiagonal_share s = share_of(j);
    uint32_t *const status = malloc(sizeof *status * (s.systems + 1));
    double *const residual = malloc(sizeof *residual * (s.systems + 1));
    j->solve.member.residual = ranks_allocate(j, 2 * sizeof(double) * s.systems, 0xA5);
    bool right = status != NULL && residual != NULL && run_solve(j) &&
                 ranks_read(j, status, j->solve.member.status, sizeof *status * s.systems) &&
                 ranks_read(j, residual, j->solve.member.residual, sizeof *residual * s.systems);
    for (uint64_t k = 0; k < s.systems && right; k++) {
        right = status[k] == 0 && residual[k] <= 3.01 * unit;
    }
    free(status), free(residual);
    return right;
}

const ranks_kind ranks_solve = {"group-ranks-tridiagonal", open_solve, run_solve, single_solve,
                                solve_right};
