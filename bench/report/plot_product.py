#!/usr/bin/env python3
"""plot_product.py: records of products on a device to one SVG: time against size, ours and that of
transforms by cuFFT, and the ratio below.

usage: plot_product.py [--chip NAME] [--records DIR] [-o FILE.svg]

The default output is DIR/<chip>-product.svg. Python's standard library alone; the same records give
the same file.
"""

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


if __name__ == "__main__":
    read_records.plot_main(__doc__, "product", "bits", draw)
