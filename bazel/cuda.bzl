"""cuda_library: .cu files to a static library that a C program links like any other."""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")
load("@local_config_cuda//:defs.bzl", "CUDA_PATH")
load("@rules_cc//cc:defs.bzl", "cc_library")
load(":cuda_kernels.bzl", "CudaKernelsInfo")

# Of hopper's own instructions, which no other device has.
_ACCELERATED = ["-gencode=arch=compute_90a,code=sm_90a"]

# What ptxas says of registers and spills goes to a file, everything else to the reader.
_COMPILE = """log=$1; shift
"$@" 2> "$log" && status=0 || status=$?
grep -vE '^(ptxas info|    [0-9]+ bytes)' "$log" >&2
exit $status"""

def _compile(ctx, cc, context, src):
    """One nvcc action; returns the object and ptxas's log."""
    path = "_cuda/%s/%s" % (ctx.label.name, src.basename[:-3])
    obj = ctx.actions.declare_file(path + ".o")
    log = ctx.actions.declare_file(path + ".ptxas")
    args = ctx.actions.args()
    args.add_all([log, CUDA_PATH + "/bin/nvcc"])
    args.add("-ccbin", cc.compiler_executable)
    args.add_all(["-std=c++17", "-x", "cu", "--objdir-as-tempdir", "--fmad=false", "-Xcompiler=-fPIC,-Wall"])

    # What C programs link must not need the C++ library: no exceptions, and launches without the
    # guarded static variable that newer toolkits give each kernel.
    args.add_all(["-Xfatbin=-compress-all", "-D__NV_LEGACY_LAUNCH", "-Xcompiler=-fno-exceptions,-D__NV_LEGACY_LAUNCH"])
    args.add_all(["-O3", "-DNDEBUG", "-Xptxas=-v"] if ctx.var["COMPILATION_MODE"] == "opt" else ["-O2"])

    # Lines of source for profilers and sanitizers, half of an object's size.
    if "lineinfo" in ctx.var:
        args.add("-lineinfo")
    args.add_all(_ACCELERATED if ctx.attr.accelerated else ctx.attr._cuda[CudaKernelsInfo].gencode)
    args.add_all([".", ctx.bin_dir.path], before_each = "-I")
    args.add_all(context.includes, before_each = "-I")
    args.add_all(context.quote_includes, before_each = "-I")
    args.add_all(context.system_includes, before_each = "-isystem")
    args.add_all(context.defines, before_each = "-D")
    args.add_all(ctx.attr.copts)
    args.add("-c", src)
    args.add("-o", obj)
    ctx.actions.run_shell(
        command = _COMPILE,
        arguments = [args],
        inputs = depset([src] + ctx.files.hdrs, transitive = [context.headers, cc.all_files]),
        outputs = [obj, log],
        mnemonic = "CudaCompile",
        progress_message = "nvcc %s" % src.short_path,
        use_default_shell_env = True,
    )
    return obj, log

def _no_warnings(ctx, log):
    """An action that fails where a log has a warning, so that strict builds compile nothing anew."""
    done = ctx.actions.declare_file(log.basename + ".strict", sibling = log)
    ctx.actions.run_shell(
        command = "! grep -A 3 'warning' %s >&2 && touch %s" % (log.path, done.path),
        inputs = [log],
        outputs = [done],
        mnemonic = "CudaNoWarnings",
    )
    return done

def _static(ctx, **kwargs):
    """A static library of the objects; returns what those that need it link, and its files."""
    linking, outputs = cc_common.create_linking_context_from_compilation_outputs(
        name = ctx.label.name,
        disallow_dynamic_library = True,
        **kwargs
    )
    library = outputs.library_to_link
    return linking, [f for f in [library.static_library, library.pic_static_library] if f]

def _shared(ctx, actions, feature_configuration, cc_toolchain, linking_contexts, **kwargs):
    """The same as a shared library, which holds what it needs of the host's libraries."""
    library = cc_common.link(
        name = "%s_%s" % (ctx.label.package.replace("/", "_"), ctx.label.name),
        actions = actions,
        feature_configuration = feature_configuration,
        cc_toolchain = cc_toolchain,
        linking_contexts = linking_contexts,
        output_type = "dynamic_library",
        **kwargs
    ).library_to_link
    own = cc_common.create_linking_context(linker_inputs = depset([
        cc_common.create_linker_input(owner = ctx.label, libraries = depset([library])),
    ]))
    infos = [CcInfo(linking_context = c) for c in [own] + linking_contexts]
    linking = cc_common.merge_cc_infos(cc_infos = infos).linking_context
    return linking, [library.dynamic_library]

def _impl(ctx):
    if not CUDA_PATH:
        fail("no CUDA toolkit was found")
    cc = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = cc,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    deps = [d[CcInfo] for d in ctx.attr.deps + [ctx.attr._cudart]]
    context = cc_common.merge_cc_infos(cc_infos = deps).compilation_context
    compiled = [_compile(ctx, cc, context, src) for src in ctx.files.srcs]
    objects = depset([obj for obj, _ in compiled])
    link = _shared if ctx.attr.shared else _static
    linking, libraries = link(
        ctx,
        actions = ctx.actions,
        feature_configuration = features,
        cc_toolchain = cc,
        compilation_outputs = cc_common.create_compilation_outputs(
            objects = objects,
            pic_objects = objects,
        ),
        linking_contexts = [d.linking_context for d in deps],
    )
    own = CcInfo(
        compilation_context = cc_common.create_compilation_context(
            headers = depset(ctx.files.hdrs),
            quote_includes = depset(["."]),
        ),
        linking_context = linking,
    )
    return [
        DefaultInfo(files = depset(libraries)),
        OutputGroupInfo(
            ptxas = depset([log for _, log in compiled]),
            _validation = depset([_no_warnings(ctx, log) for _, log in compiled if ctx.attr.strict]),
        ),
        cc_common.merge_cc_infos(direct_cc_infos = [own], cc_infos = deps),
    ]

_nvcc_library = rule(
    implementation = _impl,
    attrs = {
        "srcs": attr.label_list(allow_files = [".cu"]),
        "hdrs": attr.label_list(allow_files = [".h", ".cuh"]),
        "deps": attr.label_list(providers = [CcInfo]),
        "copts": attr.string_list(),
        "accelerated": attr.bool(),
        "shared": attr.bool(),
        "strict": attr.bool(),
        "_cuda": attr.label(default = "//bazel:cuda", providers = [CudaKernelsInfo]),
        "_cudart": attr.label(default = "@local_config_cuda//:cudart", providers = [CcInfo]),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)

def cuda_library(name, srcs, stub_srcs = [], hdrs = [], textual_hdrs = [], deps = [], emu_deps = [], hdr_deps = [], copts = [], emulated = True, emu_asserts = False, may_spill = [], accelerated = False, **kwargs):
    """Libraries of the same .cu files, and a test.

    name              by nvcc when a toolkit exists, otherwise a cc_library of stub_srcs, which
                      device_stub.py writes if none are given
    name_emu          by the host's compiler, kernels running on primitives/emulation
    name_hdrs         hdrs alone, for a library that leaves the choice between the two to its users;
                      hdr_deps are what the hdrs include
    name_spills_test  no kernel spills registers or has a stack frame, those aside whose names
                      begin with one of may_spill; only of libraries that others may link
    accelerated: instructions of hopper's alone; there is code for no other device, which the library's
    door must know, and without hopper among the devices there is the stub.
    hdrs are plain C where the stub or a C caller includes them; textual_hdrs are for .cu files
    alone. emu_deps stand in for those deps that are cuda_libraries themselves. emu_asserts: what
    kernels assert is checked in every emulated test, not only in builds with assertions. Sanitizer
    flags reach the emulation, not nvcc's host code.
    """
    _nvcc_library(
        name = name + "_cuda",
        srcs = srcs,
        hdrs = hdrs + textual_hdrs,
        copts = copts,
        accelerated = accelerated,
        shared = select({"//bazel:shared_kernels": True, "//conditions:default": False}),
        strict = select({"//bazel:no_warnings": True, "//conditions:default": False}),
        tags = ["manual"],
        deps = deps,
    )
    if not stub_srcs:
        stub_srcs = [name + "_stub.c"]
        native.genrule(
            name = name + "_stub_source",
            srcs = srcs + hdrs,
            outs = stub_srcs,
            cmd = "$(execpath //bazel:device_stub.py) $@ $(SRCS)",
            tags = ["manual"],
            tools = ["//bazel:device_stub.py"],
        )
    cc_library(
        name = name + "_stub",
        srcs = stub_srcs,
        hdrs = hdrs,
        tags = ["manual"],
        deps = deps,
    )
    cc_library(
        name = name,
        hdrs = hdrs,
        deps = deps + _where_compiled(accelerated, [name + "_cuda"], [name + "_stub"]),
        **kwargs
    )
    cc_library(
        name = name + "_hdrs",
        hdrs = hdrs,
        deps = hdr_deps,
        **kwargs
    )
    if not kwargs.get("testonly") and "manual" not in kwargs.get("tags", []):
        _spills_test(name, may_spill, accelerated)
    if emulated:
        _emulated_library(name, srcs, hdrs, textual_hdrs, emu_deps or deps, emu_asserts, **kwargs)

def _where_compiled(accelerated, kernels, stub):
    """A select() of the two, by whether nvcc compiles this library for any device."""
    if accelerated:
        return select({"//bazel:hopper_kernels": kernels, "//conditions:default": stub})
    return select({"//bazel:no_kernels": stub, "//conditions:default": kernels})

def _spills_test(name, may_spill, accelerated):
    """name_spills_test: reads the logs of the compilation that is done anyway."""
    native.filegroup(
        name = name + "_ptxas",
        srcs = [name + "_cuda"],
        output_group = "ptxas",
        tags = ["manual"],
    )
    native.sh_test(
        name = name + "_spills_test",
        size = "small",
        srcs = ["//bazel:spills_test.py"],
        args = ["--may-spill=" + kernel for kernel in may_spill] +
               _where_compiled(accelerated, ["$(locations %s_ptxas)" % name], []),
        data = _where_compiled(accelerated, [name + "_ptxas"], []),
    )

def _emulated_library(name, srcs, hdrs, textual_hdrs, deps, asserts, **kwargs):
    """name_emu: cc_library takes no .cu, so each is included by a file of one line."""
    wrappers = []
    for src in srcs:
        wrapper = "%s_%s_emu.cc" % (name, src[:-3])
        native.genrule(
            name = wrapper[:-3] + "_source",
            outs = [wrapper],
            cmd = "echo '#include \"%s/%s\"' > $@" % (native.package_name(), src),
        )
        wrappers.append(wrapper)
    cc_library(
        name = name + "_emu",
        srcs = wrappers,
        hdrs = hdrs,
        copts = ["-Wall", "-Wextra", "-Wno-unknown-pragmas"] + (["-UNDEBUG"] if asserts else []),
        textual_hdrs = srcs + textual_hdrs,
        deps = deps + ["//primitives/emulation"],
        **kwargs
    )

def cuda_test(name, srcs, cuda_deps, deps = [], size = "small", tags = [], kinds = ["emu", "gpu"], **kwargs):
    """The same test twice: name_emu_test runs everywhere, name_gpu_test on a device (tag gpu).

    cuda_deps are cuda_libraries, or others of that form: x and x_emu. kinds: which of the two; where
    several tests link the same kernels, one program has all of them on a device.
    """

    # Fibres that end on another stack than they began on outgrow the thread sanitizer's shadow stack.
    for kind in kinds:
        suffix, tag = ("_emu", ["notsan"]) if kind == "emu" else ("", ["gpu"])
        native.cc_test(
            name = "%s_%s_test" % (name, kind),
            size = size,
            srcs = srcs,
            tags = tags + tag,
            # Those that leave the choice between the two to this test come before what they need.
            deps = deps + [d + suffix for d in cuda_deps],
            **kwargs
        )
