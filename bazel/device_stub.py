#!/usr/bin/env python3
"""Writes the C file that stands in for .cu files in a build without kernels.

usage: device_stub.py OUT SOURCE.cu... HEADER.h...

Every function that a header declares and a source defines answers that there is no device: with
RESULT_NO_DEVICE, a sentence, false, no size, no address, an error below zero. It looks at none of its
parameters. A library that has to say more, or has data to offer, has a stub by hand: cuda_library's
stub_srcs.
"""
import re
import sys

ANSWERS = {
    "result": "RESULT_NO_DEVICE",
    "bool": "false",
    "const char *": '"built without CUDA"',
    "double": "-1",
}

ARGUMENTS = r"\(((?:[^()]|\([^()]*\))*)\)"
DECLARATION = re.compile(r"(?<![^;}])\s*((?:\w+[\s*]+)+?\**)(\w+)" + ARGUMENTS + r"\s*;")


def code(path):
    """A file without comments, lines for the preprocessor and extern "C"."""
    with open(path) as file:
        text = file.read()
    text = re.sub(r"//.*", "", text)
    text = re.sub(r"^\s*#.*$", "", text, flags=re.M)
    return re.sub(r'extern "C"\s*\{?', "", text)


def declarations(text):
    """(type, name, parameters) of each function that is declared."""
    for kind, name, parameters in DECLARATION.findall(text):
        if not kind.startswith(("static", "typedef", "return")):
            yield " ".join(kind.split()), name, " ".join(parameters.split())


def answers(header, sources):
    """The functions of a header that sources define, each in a line."""
    for kind, name, parameters in declarations(code(header)):
        if re.search(r"^[^\s].*\b%s%s\s*\{" % (name, ARGUMENTS), sources, flags=re.M):
            answer = "" if kind == "void" else "return %s;" % ANSWERS.get(kind, "0")
            yield "%s %s(%s) { %s }\n" % (kind, name, parameters, answer)


def main():
    out, paths = sys.argv[1], sys.argv[2:]
    sources = "\n".join(code(p) for p in paths if p.endswith(".cu"))
    with open(out, "w") as stub:
        stub.write('#pragma GCC diagnostic ignored "-Wunused-parameter"\n')
        for header in [p for p in paths if p.endswith(".h")]:
            functions = "".join(answers(header, sources))
            if functions:
                stub.write('#include "%s"\n%s' % (header, functions))


main()
