"""Benchmarks of devices: programs that ./dev gpu --pack takes to a machine with a GPU."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library")
load("//bazel:cuda.bzl", "cuda_library")

def device_bench(name, deps, kernels = [], srcs = None):
    """A program, of name.c unless srcs are given. The tag tells ./dev which targets to pack.

    kernels: cuda_libraries that no test compiles. name_stub is the program with their stubs, for
    tests of what it does where there is no device.
    """
    kernels = kernels + ["//bench/device:timing"]
    for suffix, tags in [("", ["device-bench"]), ("_stub", [])]:
        cc_binary(
            name = name + suffix,
            testonly = True,
            srcs = srcs or [name + ".c"],
            linkopts = ["-lm"],
            tags = tags + ["manual"],
            deps = deps + [
                "//apps:program",
                "//bench/device:record",
                "//bench/device:run",
                "//tests/support:device",
                "//tests/support:gen",
                "@gmp",
            ] + [kernel + suffix for kernel in kernels],  # which leave nothing open
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

def bench_kernels(name, srcs = None, hdrs = None, visibility = ["//tests/bench:__subpackages__"], **kwargs):
    """Kernels that a benchmark compares with ours, of name.cu and name.h; tested like all kernels."""
    cuda_library(
        name = name,
        testonly = True,
        srcs = srcs or [name + ".cu"],
        hdrs = hdrs or [name + ".h"],
        visibility = visibility,
        **kwargs
    )

def gpu_kernels(name, visibility = None, **kwargs):
    """Code of a benchmark that only a GPU runs, as a rival's or a timer: name.cu and name.h."""
    cuda_library(
        name = name,
        testonly = True,
        srcs = [name + ".cu"],
        hdrs = [name + ".h"],
        emulated = False,
        tags = ["manual"],
        visibility = visibility,
        **kwargs
    )
