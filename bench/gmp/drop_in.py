#!/usr/bin/env python3
"""Programs that use GMP, with and without the drop-in.

usage: drop_in.py [--records FILE] [--chip NAME] [--rounds N] [--only TEXT] [--python PYTHON] [--quick]

Each row (rows.py) runs a process with LD_PRELOAD and one without, in alternation, and compares their answers. The time
of a side is the least of its processes. PYTHON has gmpy2, mpmath and python-flint; `./dev gmp-tests python_flint`
makes one. Rows of programs that are not there are left out, and named at the end.
"""

import argparse
import json
import os
import platform
import resource
import shutil
import subprocess
import sys
import time

from rows import ROOT, TIMED_OUTSIDE, rows

LIBRARY = os.path.join(ROOT, "out/bin/bindings/gmp/liblongmul_gmp.so")
ROW_SECONDS = 8  # no further round of a row after that, once each side has run twice


def run(command, library, stdin, outside):
    """Nanoseconds, and what identifies the answer."""
    env = dict(os.environ)
    if library:
        env["LD_PRELOAD"] = library
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, env=env, input=stdin, capture_output=True, text=True, check=False)
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    out = done.stdout.split()
    if outside:
        return used * 1e9, done.stdout
    if done.returncode != 0 or len(out) < 2:
        sys.exit("%s\n%s" % (" ".join(command), done.stderr))
    return float(out[0]), out[-1]


def compare(command, rounds, stdin, outside):
    """The times of GMP's and of the drop-in's processes in ns, the least first."""
    times = [], []
    answers = set()
    begin = time.monotonic()
    while len(times[0]) < min(rounds, 2) or (len(times[0]) < rounds and time.monotonic() - begin < ROW_SECONDS):
        for side, library in enumerate((None, LIBRARY)):
            ns, answer = run(command, library, stdin, outside)
            times[side].append(ns)
            answers.add(answer)
    if len(answers) != 1:
        sys.exit("%s: the answers differ: %s" % (command, [a[:200] for a in answers]))
    return [sorted(t) for t in times]


def spread(times):
    """Half the range of a side's processes, relative."""
    return (times[-1] - times[0]) / 2 / max(times[len(times) // 2], 1)


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        return next((line.split(":")[1].strip() for line in f if line.startswith("model name")), platform.machine())


def shared():
    """What all records have in common."""
    git = ["git", "-C", ROOT]
    sha = subprocess.run(git + ["rev-parse", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    dirty = subprocess.run(git + ["diff", "--quiet", "HEAD"], check=False).returncode != 0
    compiler = subprocess.run(["cc", "--version"], capture_output=True, text=True, check=False).stdout.split("\n")[0]
    return {"checked": True, "forced": False, "threads": 1, "cpu": processor(), "cores": os.cpu_count(),
            "commit": sha, "dirty": dirty, "compiler": compiler}


def record(group, name, size, all_gmp, all_ours):
    op = name if group == "GMP" else "%s %s" % (group, name)
    return {"schema": 1, "topic": "gmp-drop-in", "case": "program", "group": group, "op": op, "n": size, "count": 1,
            "backend": "cpu", "engine": "auto", "variant": "auto", "roof_share": None,
            "median_ns": all_ours[len(all_ours) // 2], "min_ns": all_ours[0], "spread": spread(all_ours),
            "rival": "without the drop-in", "rival_median_ns": all_gmp[len(all_gmp) // 2],
            "rival_min_ns": all_gmp[0], "rival_spread": spread(all_gmp),
            "ratio": all_gmp[0] / max(all_ours[0], 1), "samples": len(all_ours)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--records")
    parser.add_argument("--chip", default="unknown")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only")
    parser.add_argument("--python")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    rounds = 1 if options.quick else options.rounds
    common = dict(shared(), chip=options.chip)
    begin = time.monotonic()
    for group, name, size, command, stdin in rows(options.python, options.quick):
        title = "%s %s" % (group, name)
        if options.only and options.only not in title:
            continue
        gmp, ours = compare(command, rounds, stdin, group in TIMED_OUTSIDE)
        line = record(group, name, size, gmp, ours)
        print("%-30s %10d  GMP %15.1f ns  drop-in %15.1f ns  %6.2f" %
              (title, size, gmp[0], ours[0], line["ratio"]), flush=True)
        if options.records:
            with open(options.records, "a", encoding="utf-8") as f:
                f.write(json.dumps(dict(line, **common)) + "\n")
    absent = [p for p in ("gp", "ruby", "ecm") if not shutil.which(p)] + ([] if options.python else ["--python"])
    print("%.0f s; left out: %s" % (time.monotonic() - begin, ", ".join(absent) or "nothing"))


main()
