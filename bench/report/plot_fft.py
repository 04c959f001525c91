#!/usr/bin/env python3
"""plot_fft.py: records of transforms on a device to one SVG: cuFFT's time over ours against length,
single transforms above, batches below.

usage: plot_fft.py [--chip NAME] [--records DIR] [-o FILE.svg]

The default output is DIR/<chip>-fft.svg. Python's standard library alone; the same records give the
same file.
"""

import math

import read_records
from plot import Axis, STYLE, curve, labels, line, text

WIDTH, LEFT, RIGHT = 820, 74, 120
TOP, HEIGHT, GAP, BOTTOM = 76, 230, 56, 48
COLORS = {"z2z": "#0b5fa5", "c2c": "#5aa7e0", "d2z": "#c2571a", "z2d": "#8f3a0c", "r2c": "#e89a5d",
          "c2r": "#d9b48f"}
PANELS = (("", "one transform"), ("-batch", "batches"))


def grid(x, y, step):
    out = []
    for k in range(math.ceil(x.lo), math.floor(x.hi) + 1, 2):
        out.append(line(x(k), y.start, x(k), y.end, "grid"))
        out.append('<text x="%.1f" y="%.1f" text-anchor="middle" class="small">2<tspan dy="-5" '
                   'font-size="9">%d</tspan></text>' % (x(k), y.start + 19, k))
    for i in range(round(y.hi / step) + 1):
        out.append(line(x.start, y(i * step), x.end, y(i * step), "grid"))
        out.append(text(x.start - 8, y(i * step) + 4, "%g" % (i * step), "end", "small"))
    return out + [line(x.start, y(1), x.end, y(1), "one")]


def panel(records, x, top, suffix, step, best):
    y = Axis(0, step * math.ceil(1.05 * best / step), top + HEIGHT, top)
    out, ends = grid(x, y, step), []
    for op, color in COLORS.items():
        rows = sorted((r for r in records if r["op"] == op + suffix), key=lambda r: r["n"])
        points = [(x(math.log2(r["n"])), y(r["ratio"])) for r in rows]
        if points:
            out.append(curve(points, color))
            ends.append((points[-1][1], op, color))
    return out + labels(x.end, ends)


def draw(records):
    lengths = [math.log2(r["n"]) for r in records]
    best = max(1, *(r["ratio"] for r in records))
    step = 0.25 if best <= 2 else 0.5 if best <= 4 else 1
    x = Axis(min(lengths), max(lengths), LEFT, WIDTH - RIGHT)
    height = TOP + 2 * HEIGHT + GAP + BOTTOM
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" '
           'role="img">' % (WIDTH, height, WIDTH, height),
           "<title>cuFFT's time over longmul's</title>", "<style>%s</style>" % STYLE,
           '<rect width="100%" height="100%" fill="#fff"/>',
           text(LEFT, 28, "Transforms: cuFFT's time / longmul's time", kind="title"),
           text(LEFT, 48, "%s, %s; medians, interleaved, every result checked" % (
               records[0]["cpu"], records[0]["rival"]), kind="small")]
    for i, (suffix, words) in enumerate(PANELS):
        top = TOP + i * (HEIGHT + GAP)
        out.append(text(LEFT, top - 8, words))
        out += panel(records, x, top, suffix, step, best)
    out.append(text((LEFT + WIDTH - RIGHT) / 2, height - 10, "points", "middle"))
    return "\n".join(out + ["</svg>", ""])


if __name__ == "__main__":
    read_records.plot_main(__doc__, "fft", "n", draw)
