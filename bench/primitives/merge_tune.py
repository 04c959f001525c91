#!/usr/bin/env python3
"""merge_tune.py: the fastest shape of the multiway merge at each size, from records of `sort_bench merge`.

usage: merge_tune.py H200-SORT-MERGE.jsonl

Prints for each kind of item and each n the shape, its time against CUB's merge sort, and the runner-up; then the lines
of kSortMergeLines in primitives/sort/shape.h that follow. Lanes or a warp for the cuts are SortLogProbes there.
"""

import json
import math
import sys

BYTES = {"u32": 4, "u32-pairs": 8, "u64": 8, "u64-pairs": 16}


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    groups = {}
    for r in records:
        groups.setdefault((r["op"], r["n"]), []).append(r)
    total = {}  # (bytes, log n) -> shape -> time against the best of the kind
    for (op, n), rows in sorted(groups.items(), key=lambda g: (BYTES[g[0][0]], g[0])):
        rows.sort(key=lambda r: r["median_ns"])
        best, log_n = rows[0], int(math.log2(n))
        runner_up = " then %s %.2f" % (rows[1]["variant"], rows[1]["ratio"]) if len(rows) > 1 else ""
        print("%-10s 2^%d  %-16s %.2f × CUB%s" % (op, log_n, best["variant"], best["ratio"], runner_up))
        shapes = total.setdefault((BYTES[op], log_n), {})
        fastest = {}
        for r in rows:
            fastest.setdefault((r["block_threads"], r["parameter"]), r["median_ns"] / best["median_ns"])
        for shape, factor in fastest.items():
            shapes[shape] = shapes.get(shape, 1) * factor
    for item in sorted({item for item, _ in total}):
        sizes = sorted(log_n for b, log_n in total if b == item)
        picks = [min(total[item, log_n], key=total[item, log_n].get) for log_n in sizes]
        for i, (log_n, pick) in enumerate(zip(sizes, picks)):
            last = i + 1 == len(sizes)
            if last or picks[i + 1] != pick:
                print("    {%d, %d, {%d, %d}}," % (item, 34 if last else log_n, pick[0], int(math.log2(pick[1]))))


if __name__ == "__main__":
    main()
