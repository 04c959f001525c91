#!/usr/bin/env python3
"""plot_product.py: records of products on a device to one SVG: time against size, ours and that of
transforms by cuFFT, and the ratio below.

usage: plot_product.py [--chip NAME] [--records DIR] [-o FILE.svg]

The default output is DIR/<chip>-product.svg. Python's standard library alone; the same records give
the same file.
"""

import argparse
import os

import read_records
from plot import GMP, OURS, TWO, figure


def draw(records):
    of = {case: sorted((r for r in records if r["case"] == case), key=lambda r: r["bits"])
          for case in ("mul", "sqr")}
    rows, last = of["mul"], of["mul"][-1]
    rival = last["rival"].split()[0]
    times = [(rows, "rival_median_ns", GMP, "by " + rival, False),
             (rows, "median_ns", OURS, "product", False),
             (of["sqr"], "median_ns", TWO, "square", True)]
    return figure(rows, times, (
        "One product of two n-bit integers in device memory",
        "%s; medians, interleaved with transforms of 16-bit digits by %s, every product checked" % (
            last["cpu"], last["rival"]),
        "time of %s's transforms / longmul time" % rival))


def main():
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "records")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chip", default="h200")
    parser.add_argument("--records", default=here, metavar="DIR")
    parser.add_argument("-o", metavar="FILE.svg")
    options = parser.parse_args()
    source = os.path.join(options.records, options.chip + "-product.jsonl")
    records = [r for r in read_records.read([source]) if r["topic"] == "product"]
    if len({r["bits"] for r in records if r["case"] == "mul"}) < 2:
        read_records.fail("fewer than two sizes in %s" % source)
    path = options.o or os.path.join(options.records, options.chip + "-product.svg")
    with open(path, "w", encoding="utf-8") as f:
        f.write(draw(records))
    print("wrote %s" % path)


if __name__ == "__main__":
    main()
