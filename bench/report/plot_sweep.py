#!/usr/bin/env python3
"""plot_sweep.py: the papers' free parameters swept on a device to one SVG: K of Scan-SP and α of the
matrix-based scan, and d of the d-way merge sort where there are records of it: elements a second, a
curve for each length, and where the AGPU model has its optimum.

usage: plot_sweep.py [--chip NAME] [--records DIR] [-o FILE.svg]

The default output is DIR/<chip>-scan-sweep.svg. Python's standard library alone; the same records give
the same file.
"""

import math
import os

import read_records
from plot import Axis, STYLE, curve, labels, line, text

WIDTH, LEFT, RIGHT = 820, 74, 120
TOP, HEIGHT, GAP, BOTTOM = 76, 190, 66, 30
COLORS = ("#5aa7e0", "#0b5fa5", "#c2571a", "#4a8a3a")
SHARED, WARPS, TRANSFER = 227 * 1024, 64, 32  # of a multiprocessor: bytes, warps; words of a transfer


def rate(record):
    return record["n"] / record["median_ns"]


def most_warps(rows):
    """α: multiplicity is what it can be up to the largest α with as many warps as any."""
    most = max(r["warps"] for r in rows)
    return max(r["parameter"] for r in rows if r["warps"] == most)


def kernel_2_full(rows):
    """K: as long as the second kernel fills a multiprocessor with 16 blocks of a tile of 2^12 products."""
    return max(1, max(r["n"] for r in rows) // (16 * 4096 * 4096))


def trees_fit(_):
    """d: as many trees of 2 b d words as a multiprocessor runs warps."""
    return 2**int(math.log2(SHARED / (WARPS * 8 * TRANSFER)))


PANELS = (("three-kernel-k", "K of Scan-SP: tiles of a chunk", kernel_2_full),
          ("tile-alpha", "α of the matrix-based scan: elements of a lane", most_warps),
          ("d-way-merge-", "d of the merge sort: runs merged at once", trees_fit))


def panel(rows, words, optimum, top):
    logs = [math.log2(r["parameter"]) for r in rows]
    x = Axis(min(logs), max(logs), LEFT, WIDTH - RIGHT)
    best = max(map(rate, rows))
    step = 10**math.floor(math.log10(best))
    y = Axis(0, step * math.ceil(1.02 * best / step), top + HEIGHT, top)
    out = [text(LEFT, top - 8, words)]
    for parameter in sorted({r["parameter"] for r in rows}):
        at = x(math.log2(parameter))
        out += [line(at, y.start, at, y.end, "grid"), text(at, y.start + 18, "%d" % parameter, "middle", "small")]
    for i in range(int(y.hi / step) + 1):
        out += [line(x.start, y(i * step), x.end, y(i * step), "grid"),
                text(x.start - 8, y(i * step) + 4, "%g" % (i * step), "end", "small")]
    at = x(min(max(math.log2(optimum(rows)), x.lo), x.hi))
    out += [line(at, y.start, at, y.end, "one"), text(at + 4, y.end + 14, "model", kind="small")]
    ends = []
    for n, color in zip(sorted({r["n"] for r in rows}), COLORS):
        chosen = sorted((r for r in rows if r["n"] == n), key=lambda r: r["parameter"])
        points = [(x(math.log2(r["parameter"])), y(rate(r))) for r in chosen]
        out.append(curve(points, color))
        ends.append((points[-1][1], read_records.size_text(n), color))
    return out + labels(x.end, ends)


def draw(records):
    panels = [([r for r in records if r["variant"].startswith(prefix)], words, optimum)
              for prefix, words, optimum in PANELS]
    panels = [p for p in panels if p[0]]
    height = TOP + len(panels) * (HEIGHT + GAP) + BOTTOM
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">'
           % (WIDTH, height, WIDTH, height), "<title>The papers' parameters, swept</title>",
           "<style>%s</style>" % STYLE, '<rect width="100%" height="100%" fill="#fff"/>',
           text(LEFT, 28, "The papers' parameters, swept: elements of 32 bits a nanosecond", kind="title"),
           text(LEFT, 46, "%s; dashed: the optimum by the AGPU model" % records[0]["cpu"], kind="small")]
    for i, (rows, words, optimum) in enumerate(panels):
        out += panel(rows, words, optimum, TOP + i * (HEIGHT + GAP))
    return "\n".join(out + ["</svg>", ""])


def with_sorts(records):
    """draw, with the records of the sort's sweep beside those of the scans'."""
    folder, chip = os.path.dirname(os.path.abspath(__file__)), records[0]["chip"]
    path = read_records.find(os.path.join(os.path.dirname(folder), "records"), "%s-sort-dway.jsonl" % chip)
    return draw(records + (read_records.read([path]) if os.path.isfile(path) else []))


if __name__ == "__main__":
    read_records.plot_main(__doc__, "scan-sweep", "n", with_sorts)
