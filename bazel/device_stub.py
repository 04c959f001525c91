#!/usr/bin/env python3
"""Writes the C file that stands in for .cu files in a build without kernels.

usage: device_stub.py OUT SOURCE.cu... HEADER.h...

Every function that a header declares and a source defines answers that there is no device: with
RESULT_NO_DEVICE, a sentence, false, no size, no address. It looks at none of its parameters. A library
that has to say more, or has data to offer, is given a stub by hand: cuda_library's stub_srcs.
"""
import re
import sys

ANSWERS = {"result": "RESULT_NO_DEVICE", "bool": "false", "double": "-1", "const char *": '"built without CUDA"'}

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


def main():
    out, paths = sys.argv[1], sys.argv[2:]
    headers = [p for p in paths if p.endswith(".h")]
    sources = "\n".join(code(p) for p in paths if p.endswith(".cu"))
    with open(out, "w") as stub:
        for header in headers:
            stub.write('#include "%s"\n' % header)
        for header in headers:
            for kind, name, parameters in declarations(code(header)):
                if re.search(r"^[^\s].*\b%s%s\s*\{" % (name, ARGUMENTS), sources, flags=re.M):
                    answer = "" if kind == "void" else "return %s;" % ANSWERS.get(kind, "0")
                    stub.write("%s %s(%s) { %s }\n" % (kind, name, parameters, answer))


main()
