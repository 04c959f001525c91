#!/usr/bin/env python3
"""Fails if a kernel spills registers or has a stack frame: spills_test.py [--may-spill=NAME] LOG...

A LOG is what `ptxas -v` says of the kernels of one file. Without optimisation it is empty, and
without a toolkit there is none.
"""
import argparse
import re
import sys

FUNCTION = re.compile(r"Function properties for (\S+)")
USE = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")


def kernels(path):
    """(mangled name, (frame, stores, loads)) of each function in the log."""
    name = None
    with open(path) as log:
        for line in log:
            if found := FUNCTION.search(line):
                name = found[1]
            elif name and (found := USE.search(line)):
                yield name, tuple(map(int, found.groups()))
                name = None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--may-spill", action="append", default=[])
    parser.add_argument("logs", nargs="*")
    options = parser.parse_args()
    # A mangled name has the length of each identifier before it.
    allowed = [f"{len(name)}{name}" for name in options.may_spill]
    compiled, seen, spilled, idle = 0, 0, [], set(options.may_spill)
    for log in options.logs:
        with open(log) as lines:
            compiled += sum("Compiling entry function" in line for line in lines)
        for name, use in kernels(log):
            seen += 1
            if not any(use):
                continue
            excused = [a for a in allowed if a in name]
            idle -= {a.lstrip("0123456789") for a in excused}
            if not excused:
                spilled.append("%s: frame %d, stores %d, loads %d bytes" % (name, *use))
    print(*spilled, sep="\n")
    if seen < compiled:
        print(f"{compiled} kernels, of which {compiled - seen} could not be read from the logs")
        return 1
    if seen and idle:
        print("these spill nothing, so they need no leave:", *sorted(idle))
        return 1
    print(f"{seen} kernels, {len(spilled)} that spill and may not")
    return bool(spilled)


sys.exit(main())
