"""distribution: what ./dev install unpacks, as one tar file.

  include/<package>/   the library's public headers, and headers of templates, which need no library;
                       other headers in include/
  lib/                 the library, static and shared; other libraries
  bin/                 programs
  and where `data` says, among them files for pkg-config and CMake

static_library: lib<name>.a, everything that a cc_library needs of this project.

Libraries are made of one relocatable object in which only the symbols of the public prefix stay
global, so the rooms' own names cannot clash with a user's, statically linked or not.
"""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

_SCRIPT = """
set -euo pipefail
tree=$(mktemp -d) && trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/bin" "$tree/include/{package}" "$tree/lib"
install -m 644 {headers} "$tree/include/{package}"
[ -z "{other_headers}" ] || install -m 644 {other_headers} "$tree/include"
[ -z "{other_libraries}" ] || install -m 644 {other_libraries} "$tree/lib"
for program in {programs}; do install -m 755 "$program" "$tree/bin"; done

{object}
mv {name}.o "$tree/{name}.o"
{cc} -shared -Wl,-soname,{soname} -Wl,--no-undefined -Wl,--gc-sections \
    -o "$tree/lib/{soname}" "$tree/{name}.o" {flags}
ln -s {soname} "$tree/lib/lib{name}.so"
{ar} rcsD "$tree/lib/lib{name}.a" "$tree/{name}.o"
chmod 644 "$tree"/lib/lib{name}.a "$tree/lib/{soname}"
rm "$tree/{name}.o"

version=$(sed -n 's/^#define [A-Z]*_VERSION_[MP][A-Z]* *\\([0-9]*\\)$/\\1/p' {version} | paste -sd.)
while read -r folder file; do
    mkdir -p "$tree/$folder"
    case $file in
        *.in) sed -e "s/@VERSION@/$version/" -e 's/@LIBS@/{flags}/' "$file" >"$tree/$folder/$(basename "$file" .in)" ;;
        *) install -m 644 "$file" "$tree/$folder" ;;
    esac
done <<'END'
{data}
END
tar -cf {out} -C "$tree" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 .
"""

_OBJECT = """
{cc} -r -nostdlib -o {name}.o \
    -Wl,--whole-archive {own} -Wl,--no-whole-archive -Wl,--start-group {external} -Wl,--end-group
{objcopy} --wildcard --keep-global-symbol='{prefix}*' {name}.o
"""

def _one_object(ctx, cc, name):
    """The command that makes <name>.o, what it reads, and the options that users of it link with."""
    own, external, flags = [], [], []
    for linker_input in ctx.attr.library[CcInfo].linking_context.linker_inputs.to_list():
        flags.extend([f for f in linker_input.user_link_flags if f not in flags])
        archives = [lib.pic_static_library or lib.static_library for lib in linker_input.libraries]
        (external if linker_input.owner.workspace_name else own).extend([a for a in archives if a])
    command = _OBJECT.format(
        cc = cc.compiler_executable,
        external = " ".join([f.path for f in external]),
        name = name,
        objcopy = cc.objcopy_executable,
        own = " ".join([f.path for f in own]),
        prefix = ctx.attr.prefix,
    )
    return command, own + external, flags

def _static_impl(ctx):
    cc = find_cpp_toolchain(ctx)
    command, inputs, _ = _one_object(ctx, cc, ctx.label.name)
    out = ctx.actions.declare_file("lib%s.a" % ctx.label.name)
    ctx.actions.run_shell(
        command = "set -e; %s%s rcsD %s %s.o" % (command, cc.ar_executable, out.path, ctx.label.name),
        inputs = depset(inputs, transitive = [cc.all_files]),
        mnemonic = "StaticLibrary",
        outputs = [out],
        use_default_shell_env = True,
    )
    return [DefaultInfo(files = depset([out]))]

static_library = rule(
    implementation = _static_impl,
    attrs = {
        "library": attr.label(mandatory = True, providers = [CcInfo]),
        "prefix": attr.string(mandatory = True, doc = "Symbols that stay global begin so."),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)

def _impl(ctx):
    cc = find_cpp_toolchain(ctx)
    name = ctx.attr.library.label.name
    command, inputs, flags = _one_object(ctx, cc, name)
    info = ctx.attr.library[CcInfo]
    headers = info.compilation_context.direct_public_headers
    files = ctx.files.programs + ctx.files.headers + ctx.files.libraries + ctx.files.templates
    data = [(folder, f) for files_of, folder in ctx.attr.data.items() for f in files_of.files.to_list()]
    inputs = inputs + headers + files + ctx.files.data + [ctx.file.version]
    out = ctx.actions.declare_file(ctx.label.name + ".tar")
    ctx.actions.run_shell(
        command = _SCRIPT.format(
            ar = cc.ar_executable,
            cc = cc.compiler_executable,
            data = "\n".join(["%s %s" % (folder, f.path) for folder, f in data]),
            flags = " ".join(flags),
            headers = " ".join([f.path for f in headers + ctx.files.templates]),
            name = name,
            object = command,
            other_headers = " ".join([f.path for f in ctx.files.headers]),
            other_libraries = " ".join([f.path for f in ctx.files.libraries]),
            out = out.path,
            package = ctx.attr.library.label.package,
            programs = " ".join([f.path for f in ctx.files.programs]),
            soname = ctx.attr.soname,
            version = ctx.file.version.path,
        ),
        inputs = depset(inputs, transitive = [cc.all_files]),
        mnemonic = "Distribution",
        outputs = [out],
        use_default_shell_env = True,
    )
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles(files = [out]))]

distribution = rule(
    implementation = _impl,
    attrs = {
        "library": attr.label(mandatory = True, providers = [CcInfo]),
        "data": attr.label_keyed_string_dict(
            allow_files = True,
            doc = "Files and the folder of each. Names in .in lose it, and in them @VERSION@ becomes " +
                  "that of version's macros, @LIBS@ the link options.",
        ),
        "prefix": attr.string(mandatory = True, doc = "Symbols that stay global begin so."),
        "headers": attr.label_list(allow_files = [".h", ".hpp"], doc = "Beside the library's own."),
        "libraries": attr.label_list(allow_files = True, doc = "Beside it."),
        "programs": attr.label_list(allow_files = True),
        "soname": attr.string(mandatory = True),
        "templates": attr.label_list(allow_files = True),
        "version": attr.label(mandatory = True, allow_single_file = [".h"]),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
