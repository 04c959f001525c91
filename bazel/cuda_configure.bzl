"""Finds the CUDA toolkit; the build works without one.

Order: $CUDA_PATH, then $CUDA_HOME (either may be "none"), then nvcc on PATH, then /usr/local/cuda.
The repository offers
  :enable        a flag, true when a toolkit was found; --config=nocuda turns it off for one build
  :enabled       the config_setting for select()
  :cuda_headers, :cudart   the runtime, linked statically; empty libraries without a toolkit
"""

def _toolkit(rctx):
    """The toolkit's folder, or None."""
    for variable in ["CUDA_PATH", "CUDA_HOME"]:
        value = rctx.os.environ.get(variable, "")
        if value == "none":
            return None
        if value:
            return rctx.path(value) if rctx.path(value + "/bin/nvcc").exists else None
    nvcc = rctx.which("nvcc")
    if nvcc:
        root = rctx.path(nvcc).realpath.dirname.dirname
        if root.get_child("include").get_child("cuda_runtime.h").exists:
            return root
    root = rctx.path("/usr/local/cuda")
    return root if root.get_child("bin").get_child("nvcc").exists else None

def _static_runtime(rctx, root):
    for folder in ["lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"]:
        archive = rctx.path("%s/%s/libcudart_static.a" % (root, folder))
        if archive.exists:
            return archive
    return None

_DEFS = """
def _flag_impl(ctx):
    return []

bool_flag = rule(implementation = _flag_impl, build_setting = config.bool(flag = True))
CUDA_PATH = "%s"
"""

_BUILD = """
load(":defs.bzl", "bool_flag")

package(default_visibility = ["//visibility:public"])

bool_flag(name = "enable", build_setting_default = %s)

config_setting(name = "enabled", flag_values = {":enable": "True"})
"""

_BUILD_WITH = """
cc_library(
    name = "cuda_headers",
    hdrs = glob(["include/**/*.h", "include/**/*.hpp"], exclude = ["include/cccl/**"]),
    includes = ["include"],
)

cc_import(name = "cudart_static", static_library = "lib/libcudart_static.a")

cc_library(
    name = "cudart",
    linkopts = ["-ldl", "-lpthread", "-lrt"],
    deps = [":cuda_headers", ":cudart_static"],
)
"""

_BUILD_WITHOUT = """
cc_library(name = "cuda_headers")

cc_library(name = "cudart")
"""

def _impl(rctx):
    root = _toolkit(rctx)
    runtime = _static_runtime(rctx, root) if root else None
    if root and not runtime:
        print("%s has no libcudart_static.a: building without CUDA" % root)
        root = None
    rctx.file("WORKSPACE", "")
    rctx.file("defs.bzl", _DEFS % (root or ""))
    rctx.file("BUILD", _BUILD % bool(root) + (_BUILD_WITH if root else _BUILD_WITHOUT))
    if root:
        rctx.symlink("%s/include" % root, "include")
        rctx.symlink(runtime, "lib/libcudart_static.a")

cuda_configure = repository_rule(
    implementation = _impl,
    configure = True,
    environ = ["CUDA_PATH", "CUDA_HOME", "PATH"],
    local = True,
)
