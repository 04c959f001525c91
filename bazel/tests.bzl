"""The kinds of test in tests/. Each macro implies what every test of its kind may include."""

load("@rules_cc//cc:defs.bzl", "cc_library", "cc_test")
load("//bazel:cuda.bzl", "cuda_test")

_COMMON = [
    "//tests/ctest",
    "//tests/support:gen",
    "//tests/support:oracle",
    "@gmp",
]

def host_test(name, srcs = None, deps = [], size = "small", linkopts = ["-lm"], **kwargs):
    """A test in C, of code that runs on the host. srcs is name.c unless given."""
    cc_test(
        name = name,
        size = size,
        srcs = srcs or [name + ".c"],
        linkopts = linkopts,
        deps = deps + _COMMON,
        **kwargs
    )

def cpp_test(name, deps, **kwargs):
    """A test in C++, of headers that only C++ can include: name.cc."""
    cc_test(
        name = name,
        size = "small",
        srcs = [name + ".cc"],
        deps = deps + [
            "@com_google_googletest//:gtest",
            "@com_google_googletest//:gtest_main",
        ],
        **kwargs
    )

def device_tests(name, kernels, srcs = None, deps = [], **kwargs):
    """The same test twice: name_emu_test runs everywhere, name_gpu_test on a device (tag gpu).

    srcs is name_test.c unless given. kernels are cuda_libraries; see cuda_test in cuda.bzl, which
    also takes kinds = ["emu"] for a test that another program holds on a device.
    """
    cuda_test(
        name = name,
        srcs = srcs or [name + "_test.c"],
        cuda_deps = kernels + ["//tests/support:device"],
        linkopts = ["-lm"],
        deps = deps + _COMMON,
        **kwargs
    )

def bigint_test(name, deps = [], **kwargs):
    """A host_test of the library, on a context of the host."""
    host_test(
        name = name,
        deps = deps + [
            "//tests/bigint/core:fixture",
            "//bigint:bigint",
            "//bigint:internal",
        ],
        **kwargs
    )

def bigint_device_test(name, deps = [], **kwargs):
    """A test of the library on a context of device 0, here only with emulated kernels.

    On a device all of these run as one program, bigint_gpu_test of tests/bigint/device: add the
    source there too.
    """
    device_tests(
        name = name,
        kernels = ["//bigint:bigint"],
        kinds = ["emu"],
        deps = deps + [
            "//tests/bigint/core:fixture_device",
            "//bigint:internal",
        ],
        **kwargs
    )

def place_tests(name, size = "small", device_size = "small", deps = [], operations = False):
    """name_test.c on a context of the host and on device 0: name_test, name_device_emu_test.

    Other packages may compile the source for more places; tests/bigint/device does for a device's.
    operations: it takes calls from tests/bigint/core/operations.h.
    """
    native.exports_files([name + "_test.c"])
    calls = ["//tests/bigint/core:operations"] if operations else []
    bigint_test(
        name = name + "_test",
        size = size,
        deps = deps + calls,
    )
    bigint_device_test(
        name = name + "_device",
        size = device_size,
        srcs = [name + "_test.c"],
        deps = deps + [call + "_device" for call in calls],
    )

def script_test(name, script, files, args = [], size = "small", **kwargs):
    """A script that gets the paths of files, then args, as its arguments."""
    native.sh_test(
        name = name,
        size = size,
        srcs = [script],
        args = ["$(location %s)" % file for file in files] + args,
        data = files,
        **kwargs
    )

def test_library(name, deps = [], srcs = None, hdrs = None, **kwargs):
    """What several tests share: name.c and name.h unless given."""
    cc_library(
        name = name,
        testonly = True,
        srcs = srcs or [name + ".c"],
        hdrs = hdrs or [name + ".h"],
        deps = deps,
        **kwargs
    )
