#!/usr/bin/env python3
"""transform_limits.py: the rows of docs/transform_limits.md that miss a target, from the records of transforms on a
device.

usage: transform_limits.py [--chip NAME] [--records DIR] [--write FILE]

FILE's lines between its marks `rows:begin` and `rows:end` are replaced; without it they are printed. Python's standard
library alone; the same records give the same lines.
"""

import argparse
import math
import os

from read_records import fail, find, read

BEGIN, END = "<!-- rows:begin -->\n", "<!-- rows:end -->\n"
KINDS = ("z2z", "c2c", "d2z", "z2d", "r2c", "c2r")
# Batches for which two passes, or one over clusters, are the floor: 2^14 to 2^18 points and 2^16 to 2^20.
TWO_COPIES = {"z2z-batch": range(14, 19), "c2c-batch": range(16, 21)}


def target(record):
    lg = round(math.log2(record["n"]))
    if lg in TWO_COPIES.get(record["op"], ()):
        return 1.1
    if record["op"][:3] in ("z2z", "c2c"):
        return 1.3 if lg >= 14 else 1.0
    return 1.8 if lg >= 13 else 1.0


def microseconds(ns):
    us = ns / 1000
    return "%.0f" % us if us >= 100 else "%.1f" % us


def row(record):
    floor = record["roof_ns"] * record["passes"]
    length = "2^%d" % round(math.log2(record["n"]))
    if record["count"] > 1:
        length += " × 2^%d" % round(math.log2(record["count"]))
    return "| %s | %s | %s | %s | %.2f | %.1f | %d | %s | %.2f |" % (
        record["op"][:3], length, microseconds(record["median_ns"]), microseconds(record["rival_median_ns"]),
        record["ratio"], target(record), record["passes"], microseconds(floor), floor / record["median_ns"])


def geometric_mean(records):
    return math.exp(sum(math.log(r["ratio"]) for r in records) / len(records))


def lines(records):
    """Missed rows, batches first, and the geometric means over 2^8 to 2^28 points of all rows."""
    out = ["Commit %s. Geometric means of all ratios, 2^8 to 2^28 points: %s." % (
        ", ".join(sorted({r["commit"][:12] for r in records})),
        ", ".join("%s %.2f" % (kind, geometric_mean([r for r in records if r["op"][:3] == kind and r["n"] >= 256]))
                  for kind in KINDS)), "",
           "| kind | length | ours | cuFFT | ratio | target | passes | floor | of floor |",
           "|---|---|---:|---:|---:|---:|---:|---:|---:|"]
    for suffix in ("-batch", ""):
        for kind in KINDS:
            of_kind = sorted((r for r in records if r["op"] == kind + suffix), key=lambda r: r["n"])
            out += [row(r) for r in of_kind if round(r["ratio"], 2) < target(r)]
    return "".join(line + "\n" for line in out)


def main():
    here = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "records")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chip", default="h200")
    parser.add_argument("--records", metavar="DIR", default=here)
    parser.add_argument("--write", metavar="FILE")
    arguments = parser.parse_args()
    source = find(arguments.records, "%s-fft.jsonl" % arguments.chip)
    text = lines([r for r in read([source]) if r["topic"] == "fft"])
    if arguments.write is None:
        print(text, end="")
        return
    with open(arguments.write, encoding="utf-8") as document:
        before, found, rest = document.read().partition(BEGIN)
    _, ended, after = rest.partition(END)
    if not found or not ended:
        fail("no marks in %s" % arguments.write)
    with open(arguments.write, "w", encoding="utf-8") as document:
        document.write(before + BEGIN + text + END + after)


main()
