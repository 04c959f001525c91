#!/usr/bin/env python3
"""compare.py: two record files, row by row: how much faster the second is.

usage: compare.py OLD.jsonl NEW.jsonl [--slower PERCENT]

Exit status 1 if a row is slower by more than PERCENT (default 5) and by more than the noise of
both files together.
"""

import argparse
import math
import sys

import read_records
from read_records import size_text, time_text


def name(record):
    size = size_text(record.get("an", record.get("n")))
    if record.get("bn") not in (None, record.get("an")):
        size += " x " + size_text(record["bn"])
    forced = " %s %s" % (record["engine"], record["variant"]) if record["forced"] else ""
    return "%s %s %s%s, %d thread%s" % (record["case"], record["op"], size, forced,
                                        record["threads"], "s" * (record["threads"] > 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--slower", type=float, default=5, metavar="PERCENT")
    options = parser.parse_args()
    old = {read_records.key(r): r for r in read_records.read([options.old])}
    new = {read_records.key(r): r for r in read_records.read([options.new])}
    common = [k for k in new if k in old]
    if not common:
        read_records.fail("the files have no row in common")
    regressions = 0
    print("%-48s %10s %10s %8s %7s" % ("", "old", "new", "old/new", "noise"))
    for k in common:
        a, b = old[k], new[k]
        gain = a["median_ns"] / b["median_ns"]
        noise = a["spread"] + b["spread"]
        slower = b["median_ns"] / a["median_ns"] - 1 > max(options.slower / 100, noise)
        regressions += slower
        print("%-48s %10s %10s %8.3f %6.1f%%%s" % (
            name(b), time_text(a["median_ns"]), time_text(b["median_ns"]), gain, 100 * noise,
            "  SLOWER" if slower else ""))
    mean = sum(math.log(old[k]["median_ns"] / new[k]["median_ns"]) for k in common) / len(common)
    print("%d rows in common, geometric mean %.3f, %d slower" % (
        len(common), math.exp(mean), regressions))
    sys.exit(1 if regressions else 0)


if __name__ == "__main__":
    main()
