"""Finds the CUDA toolkit; the build works without one.

Order: $CUDA_PATH, then $CUDA_HOME (either may be "none"), then nvcc on PATH, then /usr/local/cuda.
The repository offers
  :cuda_headers, :cudart   the runtime, linked statically but beside shared kernels; empty libraries
                           without a toolkit
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

def _runtime(rctx, root):
    """The folder of the runtime's libraries, or None; and the name of the shared one."""
    for folder in ["lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"]:
        folder = rctx.path("%s/%s" % (root, folder))
        if folder.get_child("libcudart_static.a").exists:
            # libcudart.so.13, which is what programs ask for; libcudart.so.13.1.2 is the file.
            names = [file.basename for file in folder.readdir()]
            return folder, [n for n in names if n.startswith("libcudart.so.") and n.count(".") == 2][0]
    return None, None

_BUILD_WITH = """
package(default_visibility = ["//visibility:public"])

cc_library(
    name = "cuda_headers",
    hdrs = glob(["include/**/*.h", "include/**/*.hpp"], exclude = ["include/cccl/**"]),
    includes = ["include"],
)

cc_import(name = "cudart_static", static_library = "lib/libcudart_static.a")

cc_import(name = "cudart_shared", shared_library = "lib/{shared}")

cc_library(
    name = "cudart",
    linkopts = ["-ldl", "-lpthread", "-lrt"],
    deps = [":cuda_headers"] + select({
        "@//bazel:shared_kernels": [":cudart_shared"],
        "//conditions:default": [":cudart_static"],
    }),
)
"""

_BUILD_WITHOUT = """
package(default_visibility = ["//visibility:public"])

cc_library(name = "cuda_headers")

cc_library(name = "cudart")
"""

def _impl(rctx):
    root = _toolkit(rctx)
    runtime, shared = _runtime(rctx, root) if root else (None, None)
    if root and not runtime:
        print("%s has no libcudart_static.a: building without CUDA" % root)
        root = None
    codes = rctx.execute(["%s/bin/nvcc" % root, "--list-gpu-code"]).stdout.strip().split("\n") if root else []
    rctx.file("WORKSPACE", "")
    rctx.file("defs.bzl", "CUDA_PATH = %r\nCUDA_CODES = %r\n" % (str(root or ""), codes))
    rctx.file("BUILD", _BUILD_WITH.replace("{shared}", shared) if root else _BUILD_WITHOUT)
    if root:
        rctx.symlink("%s/include" % root, "include")
        for name in ["libcudart_static.a", shared]:
            rctx.symlink(runtime.get_child(name), "lib/" + name)

cuda_configure = repository_rule(
    implementation = _impl,
    configure = True,
    environ = ["CUDA_PATH", "CUDA_HOME", "PATH"],
    local = True,
)
