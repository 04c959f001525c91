"""How sources that exist once for each instruction set are compiled; chosen at run time."""

COPTS = [
    "-O3",
    "-Wall",
    "-Wextra",
    "-Wshadow",
    "-Wconversion",
]

AVX512 = [
    "-mavx512f",
    "-mavx512dq",
    "-mavx512vl",
    "-mavx512bw",
    "-mfma",
]

VARIANTS = {
    "portable": [],
    "avx2": [
        "-mavx2",
        "-mfma",
    ],
    "avx2_round": [
        "-mavx2",
        "-mfma",
        "-DFFT_ROUND",
    ],
    "avx512": AVX512,
    "ifma": AVX512 + ["-mavx512ifma"],
}

# fft, and fft_checked for tests: the same with assertions on in every build, above all assertions of
# ranges. A program links one of the two.
ASSERTIONS = {
    "": [],
    "_checked": ["-UNDEBUG"],
}

COMPLEX_VARIANTS = {
    "portable": [],
    "avx2": VARIANTS["avx2"],
    "avx512": AVX512,
}

COMPLEX_TYPES = {
    "f64": [],
    "f32": ["-DFFT_COMPLEX_FLOAT"],
}
