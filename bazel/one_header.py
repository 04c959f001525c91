#!/usr/bin/env python3
"""Writes a header of CUDA C++ and all that it includes as one file, which needs system headers alone.

usage: one_header.py OUT HEADER

The header declares namespace X; what it includes of this project goes to X::detail, once each, and
macros are undefined at the end, so that nothing but X and the guards is left in a user's program.
What is included for the emulation of kernels is left out.
"""
import re
import sys

INCLUDE = re.compile(r'^#include "(.*)"\n', re.M)
SYSTEM = re.compile(r"^#include (<.*>)\n", re.M)
MACRO = re.compile(r"^#define (\w+)", re.M)


class Gathered:
    """The parts of the file, in the order in which they need each other."""

    def __init__(self):
        self.parts, self.system, self.seen = [], [], set()

    def add(self, path):
        if path in self.seen or "/emulation/" in path:
            return
        self.seen.add(path)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for included in INCLUDE.findall(text):
            self.add(included)
        self.system += [s for s in SYSTEM.findall(text) if s not in self.system]
        self.parts.append(SYSTEM.sub("", INCLUDE.sub("", text)))


def main():
    out, header = sys.argv[1:]
    gathered = Gathered()
    gathered.add(header)
    own = gathered.parts.pop()
    name = re.search(r"^namespace (\w+) \{", own, re.M).group(1)
    guard = own.index("#ifndef")  # after the comment that opens the file
    macros = sorted({m for part in gathered.parts for m in MACRO.findall(part)
                     if not m.endswith("_H_") and not m.startswith("LONGMUL_")})
    with open(out, "w", encoding="utf-8") as file:
        file.write(own[:guard])
        file.write("#pragma once\n\n" + "".join("#include %s\n" % s for s in gathered.system))
        file.write("\nnamespace %s {\nnamespace detail {\n\n" % name)
        file.write("\n".join(re.sub(r"\A(//.*\n)+", "", part) for part in gathered.parts))
        file.write("\n}  // namespace detail\nusing namespace detail;\n}  // namespace %s\n\n" % name)
        file.write(own[guard:] + "\n" + "".join("#undef %s\n" % m for m in macros))


main()
