"""Benchmarks of devices: programs that ./dev gpu --pack takes to a machine with a GPU."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library")

def device_bench(name, deps, srcs = None):
    """A program, of name.c unless srcs are given. The tag tells ./dev which targets to pack."""
    cc_binary(
        name = name,
        testonly = True,
        srcs = srcs or [name + ".c"],
        linkopts = ["-lm"],
        tags = [
            "device-bench",
            "manual",
        ],
        deps = deps + [
            "//bench/device:record",
            "//bench/device:timing",
            "//tests/support:device",
            "//tests/support:gen",
            "@gmp",
        ],
    )

def device_bench_library(name, deps, **kwargs):
    """What several of those programs share: name.c and name.h."""
    cc_library(
        name = name,
        testonly = True,
        srcs = [name + ".c"],
        hdrs = [name + ".h"],
        tags = ["manual"],
        deps = deps,
        **kwargs
    )
