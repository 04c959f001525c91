// ranks_scan.c: scans of 32-bit sums, for group_ranks_bench. Every byte of an operand is 1.
#include "bench/group/ranks_job.h"
#include "primitives/cuda/runtime.h"
#include "primitives/scan/group.h"

enum { CHECKS = 16 };

static scan_share share_of(const ranks_job *j) {
    return scan_group_share(&j->scan.job, j->g->members, j->networks, j->g->first);
}

static void open_scan(ranks_job *j) {
    j->scan.job = (scan_job){.op = MONOID_SUM_U32, .n = j->n, .rows = j->rows};
    const scan_share s = share_of(j);
    const unsigned each = j->g->members / j->networks;
    j->bytes = 8.0 * (double)j->n * (double)j->rows;
    j->exchanges = each > 1;
    j->received = 4 * s.rows * (each - 1);
    j->scan.in = ranks_allocate(j, 4 * s.n * s.rows, 1);
    j->scan.out = ranks_allocate(j, 4 * s.n * s.rows, 0xA5);
    j->scan.workspace = ranks_allocate(
        j, scan_group_workspace_bytes(&j->scan.job, j->g->members, j->networks, j->g->first), 0);
    if (ranks_first(j)) {
        j->copy_bytes = 4 * j->n * j->rows;
        j->copy_from = j->scan.all_in = ranks_allocate(j, j->copy_bytes, 1);
        j->copy_to = j->scan.all_out = ranks_allocate(j, j->copy_bytes, 0xA5);
        j->scan.all_bytes = scan_workspace_bytes(&j->scan.job);
        j->scan.all_workspace = ranks_allocate(j, j->scan.all_bytes, 0);
    }
}

static bool run_scan(ranks_job *j) {
    void *const out[] = {j->scan.out}, *const workspace[] = {j->scan.workspace};
    const void *const in[] = {j->scan.in};
    return scan_group(&j->scan.job, j->g, j->networks, out, in, workspace) == RESULT_OK;
}

static bool single_scan(ranks_job *j) {
    return scan_device(&j->scan.job, j->scan.all_out, j->scan.all_in, j->scan.all_workspace,
                       j->scan.all_bytes, ranks_stream(j)) == RESULT_OK;
}

// Scans once more, over what was there. Element i of a row is (i + 1) 0x01010101.
static bool scan_right(ranks_job *j) {
    const scan_share s = share_of(j);
    const uint64_t size = s.n * s.rows;
    bool right = cuda_set(j->scan.out, 0xA5, 4 * size, ranks_stream(j)) == RESULT_OK;
    right = run_scan(j) && right;  // collective
    for (uint64_t i = 0; i < CHECKS && size > 0; i++) {
        const uint64_t at = i == 0 ? size - 1 : i * (size / CHECKS) * 7919 % size;
        uint32_t y = 0;
        right = right && ranks_read(j, &y, (const uint32_t *)j->scan.out + at, sizeof y) &&
                y == (uint32_t)((s.first + at % s.n + 1) * 0x01010101);
    }
    return right;
}

const ranks_kind ranks_scan = {"group-ranks-scan", open_scan, run_scan, single_scan, scan_right};
