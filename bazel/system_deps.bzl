"""GMP, GoogleTest, OpenSSL and MPI from the system's packages; of the first two a missing one is named."""

# GoogleTest is compiled from source, so that the sanitizers see into it.
_GOOGLETEST = "/usr/src/googletest/googletest"

_GOOGLETEST_BUILD = """
package(default_visibility = ["//visibility:public"])

cc_library(
    name = "gtest",
    srcs = ["googletest/src/gtest-all.cc"],
    hdrs = glob(["googletest/include/gtest/**/*.h"]),
    copts = ["-Iexternal/{name}/googletest", "-w"],
    includes = ["googletest/include"],
    linkopts = ["-lpthread"],
    textual_hdrs = glob(
        ["googletest/src/*.cc", "googletest/src/*.h"],
        exclude = ["googletest/src/gtest-all.cc", "googletest/src/gtest_main.cc"],
    ),
)

cc_library(
    name = "gtest_main",
    srcs = ["googletest/src/gtest_main.cc"],
    deps = [":gtest"],
)
"""

def _googletest_impl(rctx):
    source = rctx.path(_GOOGLETEST)
    if not source.exists:
        fail("GoogleTest's sources are missing: apt-get install googletest, or run ./dev setup")
    rctx.symlink(source, "googletest")
    rctx.file("WORKSPACE", "")
    rctx.file("BUILD", _GOOGLETEST_BUILD.replace("{name}", rctx.name))

_googletest = repository_rule(implementation = _googletest_impl, local = True)

_GMP_HEADERS = [
    "/usr/include/x86_64-linux-gnu/gmp.h",
    "/usr/include/aarch64-linux-gnu/gmp.h",
    "/usr/include/gmp.h",
    "/usr/local/include/gmp.h",
]

_GMP_BUILD = """
package(default_visibility = ["//visibility:public"])

config_setting(name = "static", define_values = {"gmp": "static"})

cc_library(
    name = "gmp",
    linkopts = select({
        ":static": ["-l:libgmp.a"],
        "//conditions:default": ["-lgmp"],
    }),
)
"""

def _gmp_impl(rctx):
    if not [h for h in _GMP_HEADERS if rctx.path(h).exists]:
        fail("GMP's header is missing: apt-get install libgmp-dev, or run ./dev setup")
    rctx.file("WORKSPACE", "")
    rctx.file("BUILD", _GMP_BUILD)

_gmp = repository_rule(implementation = _gmp_impl, local = True)

# A rival in cryptobench alone: without its header that program does without it. In the pack static, as
# GMP is.
_OPENSSL_HEADER = "/usr/include/openssl/bn.h"

def _openssl_impl(rctx):
    there = rctx.path(_OPENSSL_HEADER).exists
    rctx.file("WORKSPACE", "")
    rctx.file("BUILD", """
package(default_visibility = ["//visibility:public"])

config_setting(name = "static", define_values = {"gmp": "static"})

cc_library(
    name = "openssl",
    defines = %s,
    linkopts = select({
        ":static": %s,
        "//conditions:default": %s,
    }),
)
""" % (
        ["HAVE_OPENSSL"] if there else [],
        ["-l:libcrypto.a", "-ldl", "-lpthread"] if there else [],
        ["-lcrypto"] if there else [],
    ))

_openssl = repository_rule(implementation = _openssl_impl, local = True)

# MPI's compiler knows where its header and its library are. Without it what needs MPI is left out:
# HAVE_MPI of @mpi//:mpi.bzl says so.
_MPI_BUILD = """
package(default_visibility = ["//visibility:public"])

cc_library(
    name = "mpi",
    hdrs = glob(["include/**/*.h"]),
    includes = ["include"],
    linkopts = {linkopts},
)
"""

def _mpi_impl(rctx):
    mpicc = rctx.which("mpicc")
    words = rctx.execute([mpicc, "-show"]).stdout.strip().split(" ") if mpicc else []
    folders = [w[2:] for w in words if w.startswith("-I") and rctx.path(w[2:] + "/mpi.h").exists]
    if not folders and rctx.path("/usr/include/mpi.h").exists and mpicc:
        folders = ["/usr/include"]
    have = len(folders) > 0
    rctx.file("WORKSPACE", "")
    rctx.file("mpi.bzl", "HAVE_MPI = %s\n" % have)
    if have:
        rctx.symlink(folders[0], "include")
        linkopts = [w for w in words if w.startswith("-L") or w.startswith("-l") or w.startswith("-Wl,")]
        rctx.file("BUILD", _MPI_BUILD.format(linkopts = linkopts))
    else:
        rctx.file("BUILD", "")

_mpi = repository_rule(environ = ["PATH"], implementation = _mpi_impl, local = True)

def system_deps():
    """Declares @com_google_googletest, @gmp, @mpi and @openssl."""
    _googletest(name = "com_google_googletest")
    _gmp(name = "gmp")
    _mpi(name = "mpi")
    _openssl(name = "openssl")
