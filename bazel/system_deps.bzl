"""GMP, GoogleTest and OpenSSL from the system's packages; of the first two a missing one is named."""

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

def system_deps():
    """Declares @com_google_googletest, @gmp and @openssl."""
    _googletest(name = "com_google_googletest")
    _gmp(name = "gmp")
    _openssl(name = "openssl")
