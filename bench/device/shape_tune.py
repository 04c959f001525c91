#!/usr/bin/env python3
"""shape_tune.py: records of products by every shape to the table of costs that plans of products on
a device read.

usage: shape_tune.py [--table FILE] [--check] RECORDS.jsonl ...

RECORDS are what `product_bench --shapes LG` wrote; of what was measured more than once the last one
counts. With --check nothing is written, and the exit status is 1 where the table is not what would be.
"""

import math

import tune_table

HEAD = """// costs.h: what shapes of products on a device cost, as measured. Data only; includes
// convolution.h. Written by ./dev tune --shapes from records of product_bench --shapes.
%s
#ifndef FFT_DEVICE_MODULAR_COSTS_H_
#define FFT_DEVICE_MODULAR_COSTS_H_

#include "fft/device/modular/convolution.h"

// Picoseconds for each point of a product of whole words modulo three primes, that fills a shape
// of 1 to 7 pieces: by pairs of the columns' logarithm, from 8 on, by that of the rows. 0: nothing
// was measured.
static const uint16_t modular_point_cost[3][13][FFT_MODULAR_PIECES] = {
%s};

// Picoseconds more behind an outer pass, by the rows' logarithm.
static const unsigned modular_outer_cost[FFT_MODULAR_LG_OUTER + 1][13] = {
%s};

// The cost of a prime in a product modulo that many primes, in hundredths of its cost modulo three:
// by the rows' logarithm, for one piece, two and more. Measured with columns of 2^12. 0: not
// measured.
static const unsigned modular_primes_cost[FFT_MODULAR_PRIMES + 1][13][3] =
    {
%s};

#endif  // FFT_DEVICE_MODULAR_COSTS_H_
"""
SHAPE = ("primes", "lg_outer", "lg_columns", "lg_rows", "pieces")


def primes_cost(times, primes, lg_rows, pieces):
    """In hundredths of the same shapes modulo three, the geometric mean; 0 where there are none.
    pieces: 1, 2, or 3 for three and more."""
    logarithms = [math.log(time / times[3, *shape[1:]]) for shape, time in times.items()
                  if shape[0] == primes and shape[2] == 12 and shape[3] == lg_rows and min(shape[4], 3) == pieces]
    return round(100 * math.exp(sum(logarithms) / len(logarithms))) if logarithms else 0


def outer_cost(times, lg_outer, lg_rows):
    """Picoseconds a point more than the same shape without an outer pass takes. Where that many rows were
    not measured, because they take too long, the mean over the other numbers of rows with as many parts."""
    more = {shape[3]: time - times[shape[0], 0, *shape[2:]] for shape, time in times.items() if shape[1] == lg_outer}
    return round(more.get(lg_rows, sum(more.values()) / len(more)))


def table(records):
    shapes = [r for r in records if r["topic"] == "product-shapes" and r["lg_columns"] > 0]
    times = {}  # picoseconds for each point, and three primes
    for r in shapes:
        points = r["pieces"] << (r["lg_outer"] + r["lg_rows"] + r["lg_columns"])
        times[tuple(r[name] for name in SHAPE)] = 3000 * r["median_ns"] / points / r["primes"]
    lines = []
    for columns in (8, 10, 12):
        lines.append("    {")
        for rows in range(4, 13):
            cells = [times.get((3, 0, columns, rows, pieces), 0) for pieces in range(1, 8)]
            if any(cells):
                lines.append("        [%d] = {%s}," % (rows, ", ".join("%d" % round(c) for c in cells)))
        lines.append("    },")
    outer = []
    for parts in sorted({s[1] for s in times if s[1] > 0}):
        cells = ", ".join("[%d] = %d" % (rows, outer_cost(times, parts, rows)) for rows in (8, 9))
        outer.append("[%d] = {%s}," % (parts, cells))
    outer = ["    " + " ".join(outer[i:i + 3]) for i in range(0, len(outer), 3)]
    primes = []
    for count in sorted({s[0] for s in times if s[0] > 3}):
        primes += ["        [%d] =" % count, "            {"]
        for rows in sorted({s[3] for s in times if s[0] == count}):
            cells = tuple(primes_cost(times, count, rows, pieces) for pieces in (1, 2, 3))
            primes.append("                [%d] = {%d, %d, %d}," % (rows, *cells))
        primes.append("            },")
    return HEAD % (tune_table.about(shapes), "\n".join(lines) + "\n", "\n".join(outer) + "\n", "\n".join(primes) + "\n")


if __name__ == "__main__":
    tune_table.run(__doc__, "fft/device/modular/costs.h", table)
