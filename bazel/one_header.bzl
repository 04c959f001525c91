"""one_header: a header of templates and all that it includes, as one file for users."""

def _impl(ctx):
    headers = ctx.attr.library[CcInfo].compilation_context.headers
    ctx.actions.run(
        arguments = [ctx.outputs.out.path, ctx.attr.header],
        executable = ctx.file._script,
        inputs = headers,
        mnemonic = "OneHeader",
        outputs = [ctx.outputs.out],
        use_default_shell_env = True,
    )
    return [DefaultInfo(files = depset([ctx.outputs.out]))]

one_header = rule(
    implementation = _impl,
    attrs = {
        "header": attr.string(mandatory = True, doc = "Its path in this project."),
        "library": attr.label(mandatory = True, providers = [CcInfo]),
        "out": attr.output(mandatory = True),
        "_script": attr.label(default = "//bazel:one_header.py", allow_single_file = True),
    },
)
