"""cc_fuzz_test: a libFuzzer target that is an ordinary test over its corpus in ordinary builds."""

load("@rules_cc//cc:defs.bzl", "cc_test")

def cc_fuzz_test(name, srcs, corpus, deps, **kwargs):
    """With --config=fuzz a libFuzzer program; otherwise each file of corpus is replayed once.

    srcs define LLVMFuzzerTestOneInput.
    """
    cc_test(
        name = name,
        size = "small",
        srcs = srcs + select({
            "//tests/fuzz:use_libfuzzer": [],
            "//conditions:default": ["//tests/fuzz:replay_main.c"],
        }),
        args = ["$(location %s)" % c for c in corpus],
        data = corpus,
        linkopts = select({
            "//tests/fuzz:use_libfuzzer": ["-fsanitize=fuzzer"],
            "//conditions:default": [],
        }),
        deps = deps,
        **kwargs
    )
