#!/usr/bin/env python3
"""The programs of apps/gallery against their twins with GMP.

usage: gallery.py [--programs FOLDER] [--records FILE] [--chip NAME] [--only NAME] [--samples N]

Processes of both sides alternate; each computes several times and reports its least time, without its
start and its output. The outputs of both are compared. GMP's time divided by ours is the ratio.
"""

import argparse
import json
import os
import platform
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Of each program: what a size counts, and the sizes.
PROGRAMS = {
    "factorial": ("n", (10**3, 10**4, 10**5, 10**6)),
    "fibonacci": ("n", (10**3, 10**5, 10**6, 10**7)),
    "rsa": ("bits", (1024, 2048, 4096)),
    "pi": ("digits", (10**3, 10**4, 10**5, 10**6)),
    "gcd": ("bits", (2**10, 2**14, 2**18, 2**22)),
    "batch": ("bits", (2**6, 2**9, 2**11, 2**13)),
    "threads": ("bits", (2**16, 2**20, 2**24, 2**27)),
    "mixture": ("bits", (2**14, 2**17, 2**20, 2**23)),
}
SAMPLE_SECONDS = 0.1


def run(program, size, rounds):
    """The output, and the least time of a round in nanoseconds."""
    done = subprocess.run([program, str(size), str(rounds)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit("%s %d: %s" % (program, size, done.stderr))
    return done.stdout, float(done.stderr) * 1e9


def measure(program, size, samples):
    sides = (program, program + "_gmp")
    first = [run(side, size, 1) for side in sides]
    rounds = [max(2, min(100000, int(SAMPLE_SECONDS * 1e9 / max(ns, 1)))) for _, ns in first]
    times = ([], [])
    for _ in range(samples):
        outputs = []
        for i, side in enumerate(sides):
            output, ns = run(side, size, rounds[i])
            outputs.append(output)
            times[i].append(ns)
        if outputs[0] != outputs[1]:
            sys.exit("%s %d: the outputs differ" % (program, size))
    return [sorted(t) for t in times], rounds


def machine(chip):
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        names = [line.split(":")[1].strip() for line in f if line.startswith("model name")]
    git = ["git", "-C", ROOT]
    sha = subprocess.run(git + ["rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    dirty = subprocess.run(git + ["diff", "--quiet", "HEAD"], check=False).returncode != 0
    compiler = subprocess.run(["cc", "--version"], capture_output=True, text=True, check=False)
    return {"chip": chip, "cpu": names[0] if names else platform.machine(), "cores": os.cpu_count(),
            "commit": sha.stdout.strip(), "dirty": dirty, "compiler": compiler.stdout.split("\n")[0]}


def record(name, size, times, rounds, about):
    ours, theirs = times
    threads = len(os.sched_getaffinity(0)) if name == "threads" else 1
    unit = PROGRAMS[name][0]
    return {"schema": 1, "topic": "gallery", "case": name, "op": name, "n": size, "unit": unit, "count": 1,
            "backend": "cpu", "engine": "auto", "variant": "auto", "forced": False, "threads": threads,
            "median_ns": ours[len(ours) // 2], "min_ns": ours[0], "spread": (ours[-1] / ours[0] - 1) / 2,
            "calls": rounds[0], "samples": len(ours), "rival": "GMP",
            "rival_median_ns": theirs[len(theirs) // 2], "rival_min_ns": theirs[0],
            "rival_spread": (theirs[-1] / theirs[0] - 1) / 2, "rival_calls": rounds[1],
            "ratio": theirs[0] / ours[0], "roof_share": None, "checked": True, **about}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", default=os.path.join(ROOT, "out/bin/apps/gallery"), metavar="FOLDER")
    parser.add_argument("--records", metavar="FILE")
    parser.add_argument("--chip", default="unknown")
    parser.add_argument("--only", choices=PROGRAMS, action="append")
    parser.add_argument("--samples", type=int, default=7)
    options = parser.parse_args()
    about = machine(options.chip)
    for name in options.only or PROGRAMS:
        unit, sizes = PROGRAMS[name]
        for size in sizes:
            times, rounds = measure(os.path.join(options.programs, name), size, options.samples)
            row = record(name, size, times, rounds, about)
            print("%-9s %9d %-6s %14.1f ns   GMP %14.1f ns  %6.2f" % (
                name, size, unit, row["min_ns"], row["rival_min_ns"], row["ratio"]), flush=True)
            if options.records:
                with open(options.records, "a", encoding="utf-8") as f:
                    f.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
