#!/usr/bin/env python3
"""plot.py: records to one SVG: a product's time against size, ours and GMP's, and the ratio below.

usage: plot.py [--chip NAME] [--records DIR] [-o FILE.svg]

The default output is DIR/<chip>-mul.svg. Python's standard library alone; the same records give the
same file.
"""

import argparse
import math
import os
from xml.sax.saxutils import escape

import read_records
from report import against, pick_chip, size

WIDTH, LEFT, RIGHT = 820, 74, 120
TOP, TIME_HEIGHT, GAP, RATIO_HEIGHT, BOTTOM = 64, 330, 34, 190, 52
OURS, TWO, GMP = "#0b5fa5", "#5aa7e0", "#c2571a"
STYLE = ("text{font:13px system-ui,sans-serif;fill:#333}"
         ".title{font-size:16px;font-weight:600}.small{font-size:12px;fill:#666}"
         ".grid{stroke:#e3e3e3}.one{stroke:#888;stroke-dasharray:5 4}"
         ".line{fill:none;stroke-width:2.2;stroke-linejoin:round}")
TIMES = {0: "1 ns", 1: "10 ns", 2: "100 ns", 3: "1 µs", 4: "10 µs", 5: "100 µs", 6: "1 ms",
         7: "10 ms", 8: "100 ms", 9: "1 s", 10: "10 s", 11: "100 s"}


class Axis:
    """Maps [lo, hi] of a logarithm or a plain number to pixels."""

    def __init__(self, lo, hi, start, end):
        self.lo, self.hi, self.start, self.end = lo, hi, start, end

    def __call__(self, x):
        return self.start + (x - self.lo) / (self.hi - self.lo) * (self.end - self.start)


def line(x1, y1, x2, y2, kind):
    return '<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" class="%s"/>' % (x1, y1, x2, y2, kind)


def text(x, y, words, anchor="start", kind="", color=""):
    return '<text x="%.1f" y="%.1f" text-anchor="%s"%s%s>%s</text>' % (
        x, y, anchor, ' class="%s"' % kind if kind else "",
        ' style="fill:%s"' % color if color else "", escape(words))


def curve(points, color, dashed=False):
    """A line through the points with a dot on each."""
    path = " ".join("%.1f,%.1f" % p for p in points)
    dots = "".join('<circle cx="%.1f" cy="%.1f" r="2.6" fill="%s"/>' % (*p, color) for p in points)
    return '<polyline points="%s" class="line" stroke="%s"%s/>%s' % (
        path, color, ' stroke-dasharray="7 4"' if dashed else "", dots)


def grid(x, y_time, y_ratio, step):
    """Grid lines, ticks and their labels of both panels."""
    out = []
    for k in range(math.ceil(x.lo), math.floor(x.hi) + 1, 2):
        out.append(line(x(k), y_time.start, x(k), y_time.end, "grid"))
        out.append(line(x(k), y_ratio.start, x(k), y_ratio.end, "grid"))
        out.append('<text x="%.1f" y="%.1f" text-anchor="middle" class="small">2<tspan dy="-5" '
                   'font-size="9">%d</tspan></text>' % (x(k), y_ratio.start + 19, k))
    for k in range(math.ceil(y_time.lo), math.floor(y_time.hi) + 1):
        out.append(line(x.start, y_time(k), x.end, y_time(k), "grid"))
        out.append(text(x.start - 8, y_time(k) + 4, TIMES[k], "end", "small"))
    for i in range(math.floor(y_ratio.hi / step) + 1):
        ratio = i * step
        out.append(line(x.start, y_ratio(ratio), x.end, y_ratio(ratio), "grid"))
        out.append(text(x.start - 8, y_ratio(ratio) + 4, "%g" % ratio, "end", "small"))
    out.append(line(x.start, y_ratio(1), x.end, y_ratio(1), "one"))
    return out


def labels(x, wanted):
    """Labels (y, words, color) right of the curves' ends, moved apart where they would touch."""
    out, free = [], -math.inf
    for y, words, color in sorted(wanted):
        y = max(y, free)
        out.append(text(x + 10, y + 4, words, color=color))
        free = y + 16
    return out


def curves(chosen, x, y):
    """Curves of (rows, field, color, words, dashed) in a panel of logarithms, and their labels."""
    out, ends = [], []
    for rows, field, color, words, dashed in chosen:
        points = [(x(math.log2(r["bits"])), y(math.log10(r[field]))) for r in rows]
        if points:
            out.append(curve(points, color, dashed))
            ends.append((points[-1][1], words, color))
    return out + labels(x.end, ends)


def figure(rows, times, words):
    """Times of `times` (as curves has them) above, the ratio of rows, sorted by size, below. words:
    title, subtitle, what the ratio is."""
    title, subtitle, ratio = words
    logs = [math.log10(r[field]) for chosen, field, *_ in times for r in chosen]
    best = max(1, *(r["ratio"] for r in rows))
    step = 0.25 if best <= 1.5 else 0.5 if best <= 3 else 1 if best <= 8 else 2
    top_ratio = TOP + TIME_HEIGHT + GAP
    height = top_ratio + RATIO_HEIGHT + BOTTOM
    x = Axis(math.log2(rows[0]["bits"]), math.log2(rows[-1]["bits"]), LEFT, WIDTH - RIGHT)
    y_time = Axis(math.floor(min(logs)), math.ceil(max(logs)), TOP + TIME_HEIGHT, TOP)
    y_ratio = Axis(0, step * math.ceil(1.05 * best / step), top_ratio + RATIO_HEIGHT, top_ratio)
    ratios = [(x(math.log2(r["bits"])), y_ratio(r["ratio"])) for r in rows]
    return "\n".join([
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" '
        'role="img">' % (WIDTH, height, WIDTH, height),
        "<title>%s</title>" % escape(title),
        "<style>%s</style>" % STYLE, '<rect width="100%" height="100%" fill="#fff"/>',
        text(LEFT, 28, title, kind="title"), text(LEFT, 48, subtitle, kind="small"),
        *grid(x, y_time, y_ratio, step),
        *curves(times, x, y_time),
        curve(ratios, OURS),
        *labels(x.end, [(ratios[-1][1], "%.2f ×" % rows[-1]["ratio"], OURS)]),
        text(LEFT + 8, top_ratio + 16, ratio),
        text((LEFT + WIDTH - RIGHT) / 2, height - 12, "bits of each operand, n", "middle"),
        "</svg>", ""])


def draw(records):
    rows = sorted(against("GMP", records, "mul"), key=size)
    if len(rows) < 2:
        read_records.fail("fewer than two rows of mul against GMP")
    lo, hi = size(rows[0]), size(rows[-1])
    two = sorted((r for r in records if r["topic"] == "threads" and r["threads"] == 2
                  and not r["forced"] and lo <= size(r) <= hi), key=size)
    last = rows[-1]
    times = [(rows, "rival_median_ns", GMP, last["rival"], False),
             (rows, "median_ns", OURS, "longmul", False),
             (two, "median_ns", TWO, "two threads", True)]
    return figure(rows, times, (
        "One product of two n-bit integers",
        "%s, one thread; medians, interleaved with %s, every result checked" % (
            last["cpu"], last["rival"]),
        "%s time / longmul time" % last["rival"]))


def main():
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chip", help="which chip's records (default: the one with the most against GMP)")
    parser.add_argument("--records", default=os.path.join(here, "records"), metavar="DIR")
    parser.add_argument("-o", metavar="FILE.svg")
    options = parser.parse_args()
    records = read_records.read(read_records.files(options.records))
    records = pick_chip(records, options.chip)
    path = options.o or os.path.join(options.records, records[0]["chip"] + "-mul.svg")
    with open(path, "w", encoding="utf-8") as f:
        f.write(draw(records))
    print("wrote %s" % path)


if __name__ == "__main__":
    main()
