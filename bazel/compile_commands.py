#!/usr/bin/env python3
"""Writes compile_commands.json for clangd and clang-tidy, from `bazel aquery` of Bazel 4.2.

usage: bazel/compile_commands.py [BAZEL OPTIONS]
CUDA files get clang's own CUDA options in place of nvcc's.
"""
import json
import os
import subprocess
import sys


def bazel(*arguments):
    command = ("bazel",) + arguments
    return subprocess.check_output(command, text=True, stderr=subprocess.DEVNULL).strip()


workspace = bazel("info", "workspace")
output_base = bazel("info", "output_base")


def anchored(argument):
    """External repositories live under the output base, not in the workspace."""
    if argument.startswith("bazel-out"):
        return argument
    return argument.replace("external/", output_base + "/external/")


def clang_cuda(arguments, source):
    toolkit = os.path.dirname(os.path.dirname(arguments[0]))
    kept = []
    for previous, argument in zip(arguments, arguments[1:]):
        if previous in ("-I", "-isystem"):
            kept += [previous, argument]
        elif argument.startswith(("-D", "-std")):
            kept.append(argument)
    options = ["-xcuda", "--cuda-path=" + toolkit, "--cuda-gpu-arch=sm_80"]
    return ["clang++", *options, "-Wno-unknown-cuda-version", *kept, "-c", source]


def main():
    query = 'mnemonic("CppCompile|CudaCompile", deps(//...))'
    actions = json.loads(bazel("aquery", "--output=jsonproto", query, *sys.argv[1:]))["actions"]
    entries = {}
    for action in actions:
        arguments = [anchored(a) for a in action["arguments"]]
        if "-c" not in arguments:
            continue
        source = arguments[arguments.index("-c") + 1]
        if source in entries or source.startswith(output_base):
            continue
        if action["mnemonic"] == "CudaCompile":
            arguments = clang_cuda(arguments, source)
        else:
            arguments.remove("-fno-canonical-system-headers")
        entries[source] = {"directory": workspace, "file": source, "arguments": arguments}
    with open(os.path.join(workspace, "compile_commands.json"), "w") as out:
        json.dump(list(entries.values()), out, indent=1)
    print(len(entries), "entries")


main()
