"""man_page: <name>.1, which help2man writes from what the program's --help prints."""

def man_page(name, program, summary):
    native.genrule(
        name = name + "_page",
        srcs = [
            "//bigint:bigint.h",
            program,
        ],
        outs = [name + ".1"],
        # The day of the version, so that the same sources give the same page.
        cmd = "version=$$(sed -n 's/^#define BIGINT_VERSION_[MP][A-Z]* *//p' $(location //bigint:bigint.h) | " +
              "paste -sd.) && SOURCE_DATE_EPOCH=1795737600 LC_ALL=C.UTF-8 help2man --no-info " +
              "--name '%s' --version-string \"%s (longmul) $$version\" --output $@ $(location %s)" % (summary, name, program),
    )
