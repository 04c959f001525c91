"""Finds the CUDA toolkit; the build works without one.

Order: $CUDA_PATH, then $CUDA_HOME (either may be "none"), then nvcc on PATH, then /usr/local/cuda.
The repository offers
  :cuda_headers, :cudart   the runtime, linked statically; empty libraries without a toolkit
  CUDA_PATH, CUDA_CODES    in defs.bzl: the toolkit's folder, the devices it has code for; both empty
                           without one
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

_BUILD_WITH = """
package(default_visibility = ["//visibility:public"])

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
package(default_visibility = ["//visibility:public"])

cc_library(name = "cuda_headers")

cc_library(name = "cudart")
"""

def _impl(rctx):
    root = _toolkit(rctx)
    runtime = _static_runtime(rctx, root) if root else None
    if root and not runtime:
        print("%s has no libcudart_static.a: building without CUDA" % root)
        root = None
    codes = rctx.execute(["%s/bin/nvcc" % root, "--list-gpu-code"]).stdout.strip().split("\n") if root else []
    rctx.file("WORKSPACE", "")
    rctx.file("defs.bzl", "CUDA_PATH = %r\nCUDA_CODES = %r\n" % (str(root or ""), codes))
    rctx.file("BUILD", _BUILD_WITH if root else _BUILD_WITHOUT)
    if root:
        rctx.symlink("%s/include" % root, "include")
        rctx.symlink(runtime, "lib/libcudart_static.a")

cuda_configure = repository_rule(
    implementation = _impl,
    configure = True,
    environ = ["CUDA_PATH", "CUDA_HOME", "PATH"],
    local = True,
)
