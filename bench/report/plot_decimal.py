#!/usr/bin/env python3
"""plot_decimal.py: records of the papers' multiplication on a device to one SVG: millions of result
digits a second against the operands' digits, one product above, batches below.

usage: plot_decimal.py [--chip NAME] [--records DIR] [-o FILE.svg]

The default output is DIR/<chip>-decimal.svg. Python's standard library alone; the same records give
the same file.
"""

import math

import read_records
from plot import Axis, STYLE, curve, labels, line, text

WIDTH, LEFT, RIGHT = 820, 74, 150
TOP, HEIGHT, GAP, BOTTOM = 76, 250, 56, 48
COLORS = {"real-f32": "#c2571a", "complex-f32": "#e89a5d", "real-f64": "#0b5fa5", "complex-f64": "#5aa7e0",
          "tiled": "#4a8a3a"}
PANELS = (("", "one product"), ("-batch", "batches of 2^23 / N products"))


def grid(x, y):
    out = []
    for k in range(math.ceil(x.lo), math.floor(x.hi) + 1):
        out.append(line(x(k), y.start, x(k), y.end, "grid"))
        out.append('<text x="%.1f" y="%.1f" text-anchor="middle" class="small">2<tspan dy="-5" '
                   'font-size="9">%d</tspan></text>' % (x(k), y.start + 19, k))
    for k in range(math.ceil(y.lo), math.floor(y.hi) + 1):
        out.append(line(x.start, y(k), x.end, y(k), "grid"))
        out.append(text(x.start - 8, y(k) + 4, "%g" % 10**k, "end", "small"))
    return out


def panel(records, x, top, suffix):
    chosen = [r for r in records if r["op"].endswith("-batch") == bool(suffix)]
    rates = [math.log10(r[name]) for r in chosen for name in ("mdata_s", "rival_mdata_s") if name in r]
    y = Axis(min(rates) - 0.05, max(rates) + 0.05, top + HEIGHT, top)
    out, ends = grid(x, y), []
    for op, color in COLORS.items():
        rows = sorted((r for r in chosen if r["op"] == op + suffix), key=lambda r: r["n"])
        for name, dashed in (("mdata_s", False), ("rival_mdata_s", True)):
            points = [(x(math.log2(r["n"])), y(math.log10(r[name]))) for r in rows if name in r]
            if points:
                out.append(curve(points, color, dashed))
                words = op.replace("-f", ", FP")
                if not dashed and points[-1][0] < x.end:  # tiled products end early
                    out.append(text(points[-1][0] + 6, points[-1][1] + 14, words, color=color))
                elif not dashed:
                    ends.append((points[-1][1], words, color))
    return out + labels(x.end, ends)


def draw(records):
    lengths = [math.log2(r["n"]) for r in records]
    x = Axis(min(lengths), max(lengths), LEFT, WIDTH - RIGHT)
    height = TOP + 2 * HEIGHT + GAP + BOTTOM
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" '
           'role="img">' % (WIDTH, height, WIDTH, height),
           "<title>The papers' multiplication of decimal digits</title>", "<style>%s</style>" % STYLE,
           '<rect width="100%" height="100%" fill="#fff"/>',
           text(LEFT, 28, "Multiplication of decimal digits, one an item: MData/s", kind="title"),
           text(LEFT, 48, "%s; solid: longmul, dashed: %s; interleaved, FP64 results exact" % (
               records[0]["cpu"], next(r["rival"] for r in records if "rival_mdata_s" in r)), kind="small")]
    for i, (suffix, words) in enumerate(PANELS):
        if any(r["op"].endswith("-batch") == bool(suffix) for r in records):
            top = TOP + i * (HEIGHT + GAP)
            out.append(text(LEFT, top - 8, words))
            out += panel(records, x, top, suffix)
    out.append(text((LEFT + WIDTH - RIGHT) / 2, height - 10, "decimal digits of each operand", "middle"))
    return "\n".join(out + ["</svg>", ""])


if __name__ == "__main__":
    read_records.plot_main(__doc__, "decimal", "n", draw)
