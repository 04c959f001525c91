"""Offline stand-ins for the repositories that Bazel 4.2 would download for C and C++.

A newer Bazel needs other ones, or none: everything of that kind stays in this file.
"""

_CC = [
    "cc_binary",
    "cc_import",
    "cc_library",
    "cc_proto_library",
    "cc_test",
    "cc_toolchain",
    "cc_toolchain_suite",
    "objc_import",
    "objc_library",
]

# Toolchain resolution loads rules_java for any target at all.
_JAVA = [
    "java_binary",
    "java_import",
    "java_library",
    "java_plugin",
    "java_runtime",
    "java_test",
    "java_toolchain",
]

def _native_impl(rctx):
    rctx.file("WORKSPACE", "")
    rctx.file(rctx.attr.package + "/BUILD", "")
    rctx.file(
        rctx.attr.package + "/defs.bzl",
        "".join(["%s = native.%s\n" % (s, s) for s in rctx.attr.symbols]),
    )

_native_stub = repository_rule(
    implementation = _native_impl,
    attrs = {"package": attr.string(), "symbols": attr.string_list()},
)

_COVERAGE_BUILD = """
package(default_visibility = ["//visibility:public"])
sh_binary(name = "lcov_merger", srcs = ["merge.sh"])
sh_binary(name = "coverage_report_generator", srcs = ["merge.sh"])
"""

def _coverage_impl(rctx):
    rctx.file("WORKSPACE", "")
    rctx.file("BUILD", _COVERAGE_BUILD)
    rctx.symlink(rctx.attr.merger, "merge.sh")

_coverage_stub = repository_rule(
    implementation = _coverage_impl,
    attrs = {"merger": attr.label(default = "//bazel:lcov_merge.py")},
)

def offline_stubs():
    """Declares the stand-ins; call it first in WORKSPACE."""
    _native_stub(name = "rules_cc", package = "cc", symbols = _CC)
    _native_stub(name = "rules_java", package = "java", symbols = _JAVA)
    _coverage_stub(name = "remote_coverage_tools")
