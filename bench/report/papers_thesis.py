"""papers_thesis.py: what [DieguezThesis18] and [Dieguez18] name, for papers_report.py.

A row: row(name, section, code, how, test, record, paper, missing). code and test: "PATH" or
"PATH#TEXT", where TEXT stands in the file. how: how to force it. record: dicts of fields, `file`
among them, that records of that file must have. awaited: a dict more, whose records may still be to
come, and the program that makes them. paper: its headline, "not reported" where it prints none.
missing: what a row still lacks, in words; several_devices: outside of this page's count.
report: a page or a plot that stands for records, "PATH" or "PATH#TEXT"; statement: the row has nothing
to run, and its code is a page that says what is used of it.
"""


def row(name, section, code=(), how="", test=(), record=(), paper="not reported", missing="", awaited=None,
        several_devices=False, report="", statement=False):
    tuples = (code, test, record)
    code, test, record = (t if isinstance(t, (tuple, list)) else (t,) for t in tuples)
    return dict(name=name, section=section, code=list(code), how=how, test=list(test), record=list(record),
                paper=paper, missing=missing, awaited=awaited, several_devices=several_devices, report=report,
                statement=statement)


def scan(variant, op="sum-u32"):
    return dict(file="h200-scan.jsonl", variant=variant, op=op)


def solver(variant, case="papers"):
    return dict(file="h200-tridiagonal.jsonl", variant=variant, case=case)


def group(system, variant):
    """Of members on several GPUs; the rival is one device."""
    return dict(file="h200-group-%s.jsonl" % system, variant=variant)


def nodes(system, variant):
    """Over ranks of MPI, with what crosses in host memory; the rival is one device."""
    return dict(file="h200-group-ranks-%s.jsonl" % system, variant=variant)


def sort(variant, op):
    return dict(file="h200-sort.jsonl", variant=variant, op=op)


def transform(variant):
    return dict(file="h200-fft-ablations.jsonl", variant=variant)


def decimal_text(op, variant):
    """Of products from text to text."""
    return (dict(file="h200-decimal-text.jsonl", op=op, variant=variant), "decimal_text_bench")


def short(variant):
    """Of the papers' solvers of short systems."""
    return (solver(variant), "tridiagonal_bench rows")


def scan_rows(variant):
    return (dict(file="h200-scan-rows.jsonl", variant=variant), "device_bench rows")


def sweep(variant):
    return (dict(file="h200-scan-sweep.jsonl", variant=variant), "device_bench sweep")


def skeleton(op):
    return (dict(file="h200-skeletons.jsonl", op=op), "skeleton_bench")


def dway(variant):
    return (dict(file="h200-sort-dway.jsonl", variant=variant), "sort_bench dway")


ID = "fft/index_digit/index_digit.h"
ABLATIONS = "`fft_bench --ablations`"
FFT_TEST = "tests/fft/device/transform_device_test.c"
NAIVE_FFT_TEST = "tests/bench/naive_fft_test.c#EveryFormTransforms"

FFT = [
    row("Cooley-Tukey, digit reversal", "2.2", "bench/fft/naive.cu#naive-digit-reversal", ABLATIONS, NAIVE_FFT_TEST,
        transform("naive-digit-reversal"), "background"),
    row("Stockham", "2.2", "bench/fft/naive.cu#naive-stockham", ABLATIONS, NAIVE_FFT_TEST, transform("naive-stockham"),
        "background"),
    row("MS-ID-FFT V1", "5, 7.3", (ID + "#fft_id_paper_tuple", "bench/fft/fft_bench.c#ms-id-fft-v"),
        "`fft_id_paper_tuple(1, n)`; " + ABLATIONS, FFT_TEST + "#fft_id_paper_tuple", transform("ms-id-fft-v1"),
        "505 GFLOPS (2^12, K20), 615 (GTX 980); 1.47× cuFFT at most, 1.09× on average (K20)"),
    row("MS-ID-FFT V2", "5, 7.3", (ID + "#fft_id_paper_tuple", "bench/fft/fft_bench.c#ms-id-fft-v"),
        "`fft_id_paper_tuple(2, n)`; " + ABLATIONS, FFT_TEST + "#fft_id_paper_tuple", transform("ms-id-fft-v2"),
        "459 GFLOPS (2^18, K20), 395 (GTX 980)"),
    row("Real FFT (R2C, C2R)", "2.2.1, 7.3.2", "fft/device/complex/pass_real.cuh", "`fft_bench r2c c2r d2z z2d`",
        "tests/fft/device/transform_device_real_test.c", [dict(file="h200-fft.jsonl", case="rfft")]),
]

TRIDIAGONAL_H = "primitives/tridiagonal/tridiagonal.h"
GROUP_SOLVER_TEST = "tests/primitives/tridiagonal/tridiagonal_group_test.c#EveryGroup"
TRIDIAGONAL_TEST = "tests/primitives/tridiagonal/tridiagonal_variants_test.c#"
DOMINANT, LONG = TRIDIAGONAL_TEST + "DominantMatricesByEveryVariant", TRIDIAGONAL_TEST + "LongSystemsByEveryVariant"
NAIVE_TRIDIAGONAL = "tests/bench/naive_tridiagonal_test.c#EveryContenderSolves"
REDUCTION = "primitives/tridiagonal/reduction.cu"
SHORT = "bench/tridiagonal/rows.cu"
SHORT_HOW = "`tridiagonal_bench rows`"

NODES = ("longmul/group_mpi.h", "longmul/mpi/link_mpi.c")
NODES_HOW = "`longmul_group_open_mpi`, "
NODES_TEST = "tests/longmul/mpi/ranks_test.c#"

TRIDIAGONAL = [
    row("Thomas", "2.3.1", (TRIDIAGONAL_H + "#TRIDIAGONAL_THOMAS", "primitives/tridiagonal/host.cc"),
        "variant `thomas`", DOMINANT, solver("thomas"), "the baseline of accuracy"),
    row("CR", "2.3.2", REDUCTION + "#CyclicKernel", "variant `cyclic-reduction`", DOMINANT, solver("cyclic-reduction"),
        "a pattern"),
    row("PCR", "2.3.2", REDUCTION + "#ParallelCyclicKernel", "variant `parallel-cyclic-reduction`", DOMINANT,
        solver("parallel-cyclic-reduction"), "a pattern"),
    row("WM (Wang & Mou)", "2.3.2, 5.2", "primitives/tridiagonal/wang_mou.cu", "variant `wang-mou`", LONG,
        solver("wang-mou"), "a pattern"),
    row("BPLG-WM-TS", "4.4.4", "primitives/tridiagonal/wang_mou.cu", "variant `wang-mou`, n <= 1024: one launch",
        DOMINANT, solver("wang-mou"), "wins at N = 1024 (K20)"),
    row("CR-TS", "4.4.4", "bench/tridiagonal/naive.cu#naive-cyclic-reduction", "`tridiagonal_bench naive`",
        NAIVE_TRIDIAGONAL, solver("naive-cyclic-reduction", "naive"),
        "BPLG-CR-TS-GM is 13× as fast (K20), BPLG-CR-TS 8.9× (GTX 980)"),
    row("PCR-TS", "4.4.4", "bench/tridiagonal/naive.cu#naive-parallel-cyclic-reduction",
        "`tridiagonal_bench naive`", NAIVE_TRIDIAGONAL, solver("naive-parallel-cyclic-reduction", "naive"),
        "BPLG-PCR-TS-Naive is 6× as fast (K20), 5.3× (GTX 980)"),
    row("LF-TS", "4.4.4", "bench/tridiagonal/naive.cu#naive-redundant-reduction",
        "`tridiagonal_bench naive`", NAIVE_TRIDIAGONAL, paper="BPLG-LF-TS is 7.6× as fast (K20), 3.07× (GTX 980)",
        awaited=(solver("naive-redundant-reduction", "naive"), "tridiagonal_bench naive")),
    row("BPLG-CR-TS-Naive", "4.4", REDUCTION + "#CyclicKernel", "variant `cyclic-reduction`: no shuffles", DOMINANT,
        solver("cyclic-reduction"), "3.7× CR-TS (K20)"),
    row("BPLG-PCR-TS-Naive", "4.4", SHORT + "#bplg-pcr-ts-naive", SHORT_HOW, NAIVE_TRIDIAGONAL,
        paper="6× PCR-TS (K20)", awaited=short("bplg-pcr-ts-naive")),
    row("BPLG-LF-TS-Naive", "4.4", REDUCTION + "#struct Ladner", "variant `redundant-ladner-fischer`: no shuffles",
        TRIDIAGONAL_TEST + "RedundantReductionLosesDominantMatrices", solver("redundant-ladner-fischer"),
        "BPLG-LF-TS is 2.76× as fast (K20)"),
    row("BPLG-CR-TS-GM", "4.4.1", SHORT + "#bplg-cr-ts-gm", SHORT_HOW, NAIVE_TRIDIAGONAL,
        paper="13× CR-TS, 3.6× Naive (K20)", awaited=short("bplg-cr-ts-gm")),
    row("BPLG-CR-TS-SH", "4.4.1", SHORT + "#bplg-cr-ts-sh", SHORT_HOW, NAIVE_TRIDIAGONAL,
        paper="6.49× cuSPARSE (K20), 12.94× (GTX 980)", awaited=short("bplg-cr-ts-sh")),
    row("BPLG-PCR-TS", "4.4.2", SHORT + "#NestedKernel", SHORT_HOW, NAIVE_TRIDIAGONAL,
        paper="4.6× cuSPARSE at N = 1024 (K20), 12.9× (GTX 980)", awaited=short("bplg-pcr-ts")),
    row("RR", "3.1.1", REDUCTION + "#RedundantItem", "variants `redundant-…`",
        TRIDIAGONAL_TEST + "RedundantReductionLosesDominantMatrices", solver("redundant-ladner-fischer"), "an operator"),
    row("RR-KS", "3.1.2", REDUCTION + "#struct KoggeStone", "variant `redundant-kogge-stone`",
        TRIDIAGONAL_TEST + "RedundantReductionLosesDominantMatrices", solver("redundant-kogge-stone"),
        "11.21× cuSPARSE (K20), 2.8× (GTX 980)"),
    row("RR-LF", "3.1.3", REDUCTION + "#struct Ladner", "variant `redundant-ladner-fischer`",
        TRIDIAGONAL_TEST + "RedundantReductionLosesDominantMatrices", solver("redundant-ladner-fischer"),
        "12× cuSPARSE (K20), 4.9× (GTX 980)"),
    row("BPLG-LF-TS", "4.4.3", SHORT + "#bplg-lf-ts", SHORT_HOW, NAIVE_TRIDIAGONAL,
        paper="8152 MRows/s at N = 64, 1839 at 1024 (K20); 9.31× cuSPARSE (K20), 19.28× (GTX 980)",
        awaited=short("bplg-lf-ts")),
    row("MS-ID-TS", "5.2", "bench/tridiagonal/wang_mou_radix.cu", SHORT_HOW + ", `ms-id-ts-4` (also 2, 8)",
        "tests/bench/naive_tridiagonal_test.c#LongSystemsInEveryRadix",
        paper="888 MRows/s (2^14, K20), 1623 (2^17, GTX 980); 33.2× cuSPARSE at most (GTX 980)",
        awaited=short("ms-id-ts-4")),
    row("TPR", "3.2, 5.6", "primitives/tridiagonal/slices.cu", "variant `tree-partitioning`",
        TRIDIAGONAL_TEST + "SlicesOfEveryLength", solver("tree-partitioning"),
        "30.16× cuSPARSE at most, 22.03× on average (GTX 980, FP32, one system)"),
    row("TPR-fastest", "5.7.2", TRIDIAGONAL_H + "#TPR-fastest", "variant `tree-partitioning`", LONG,
        solver("tree-partitioning"), "1.33× TPR-stable (GTX 980, one system)"),
    row("TPR-stable", "5.7.2", TRIDIAGONAL_H + "#TPR-stable", "variant `tree-partitioning-stable`", LONG,
        paper="error 1.9e-3 at 2^19, where Thomas has 11",
        awaited=(solver("tree-partitioning-stable"), "tridiagonal_bench papers")),
    row("WM-MBP", "6.5.1", "primitives/tridiagonal/group.c", "`longmul_solve_group`, as many networks as members; here "
        "eight members on one GPU",
        GROUP_SOLVER_TEST, group("tridiagonal", "mbp-8x1"), "2.65× one K20 at most by two"),
    row("WM-MPS", "6.5.2", "primitives/tridiagonal/group.c", "`longmul_solve_group`, one network",
        GROUP_SOLVER_TEST, group("tridiagonal", "mps-1x4"), "not competitive"),
    row("WM-MP-PC", "6.5.3", "primitives/tridiagonal/group.c", "`longmul_solve_group`, two networks",
        GROUP_SOLVER_TEST, group("tridiagonal", "mp-pc-2x2"), "not competitive"),
    row("WM-MBP, several nodes", "6.5.1, 6.6.1", NODES, NODES_HOW + "as many networks as ranks", NODES_TEST + "Solve",
        paper="3.85× one K20 at most by four nodes", record=nodes("tridiagonal", "mbp-4x1")),
    row("WM-MPS, several nodes", "6.5.2", NODES, NODES_HOW + "one network", NODES_TEST + "Solve",
        paper="rejected: triads of 48 bytes by MPI", record=nodes("tridiagonal", "mps-1x4")),
    row("WM-MP-PC, several nodes", "6.5.3", NODES, NODES_HOW + "two networks", NODES_TEST + "Solve",
        paper="rejected: triads of 48 bytes by MPI", record=nodes("tridiagonal", "mp-pc-2x2")),
]

GROUP_SCAN_TEST = "tests/primitives/scan/scan_group_test.c#EveryGroupEveryOperator"
SCAN_TEST = "tests/primitives/scan/scan_device_test.c#EverySizeEveryOperator"
COSTS = "tests/primitives/scan/scan_circuit_test.cc#CostsWhatItsHeaderSays"
ROWS, ROWS_HOW = "bench/primitives/scan_rows.cu", "`device_bench rows`"
ROWS_TEST = "tests/bench/scan_rows_test.c#EveryFormAndLength"
SWEEP, SWEEP_TEST = "bench/primitives/scan_sweep.cu", "tests/bench/scan_sweep_test.c#EveryParameterScans"
CIRCUIT = "one pass; `scan_device`, variant "

SCAN = [
    row("Brent-Kung", "2.4", "primitives/scan/brent_kung.cuh", CIRCUIT + "`brent-kung`", (SCAN_TEST, COSTS),
        paper="a circuit", awaited=(scan("brent-kung"), "device_bench scan")),
    row("Kogge-Stone", "2.4", "primitives/scan/kogge_stone.cuh", CIRCUIT + "`kogge-stone`", SCAN_TEST,
        scan("kogge-stone"), "a circuit"),
    row("Han-Carlson", "2.4", "primitives/scan/han_carlson.cuh", CIRCUIT + "`han-carlson`", (SCAN_TEST, COSTS),
        paper="a circuit", awaited=(scan("han-carlson"), "device_bench scan")),
    row("Ladner-Fischer", "2.4", "primitives/scan/ladner_fischer.cuh", CIRCUIT + "`ladner-fischer`", SCAN_TEST,
        scan("ladner-fischer"), "a circuit"),
    row("LF-SC", "4.5.3", ROWS + "#SCAN_ROWS_LF", ROWS_HOW, ROWS_TEST,
        paper="BPLG-LF-SC is 3.54× as fast (K20), 1.57× (GTX 980)", awaited=scan_rows("lf-sc")),
    row("KS-SC", "4.5.3", ROWS + "#SCAN_ROWS_KS", ROWS_HOW, ROWS_TEST,
        paper="BPLG-KS-SC is 4.94× as fast (K20), 2.53× (GTX 980)", awaited=scan_rows("ks-sc")),
    row("BPLG-LF-SC-Naive", "4.5", ROWS + "#SCAN_ROWS_LF_NAIVE", ROWS_HOW, ROWS_TEST,
        paper="BPLG-LF-SC is 2.31× as fast (K20), 1.45× (GTX 980)", awaited=scan_rows("bplg-lf-sc-naive")),
    row("BPLG-KS-SC-Naive", "4.5", ROWS + "#KoggeStoneLevels", ROWS_HOW, ROWS_TEST,
        paper="BPLG-KS-SC is 4.03× as fast (K20), 2.11× (GTX 980)", awaited=scan_rows("bplg-ks-sc-naive")),
    row("BPLG-LF-SC", "4.5.1", ROWS + "#SCAN_ROWS_LF_TUNED", ROWS_HOW, ROWS_TEST,
        paper="19.2 GData/s at 64 to 2048 (K20); 7.44× CUDPP", awaited=scan_rows("bplg-lf-sc")),
    row("BPLG-KS-SC", "4.5.2", ROWS + "#TunedKernel", ROWS_HOW, ROWS_TEST,
        paper="7.43× CUDPP (K20), 4.72× (GTX 980)", awaited=scan_rows("bplg-ks-sc")),
    row("Scan-SP", "5.5", "primitives/scan/three_kernel.cuh", "variant `three-kernel`",
        (SCAN_TEST, "tests/primitives/scan/scan_recursion_test.cc#TwoLevelsOfTotals"), scan("three-kernel"),
        "1.31× CUB, 1.39× CUDPP on average (K80, 2^28 elements in rows)",
        awaited=(scan("three-kernel") | dict(n=2**31), "device_bench scan")),
    row("Scan-MBP", "6.2.1", "primitives/scan/group.c", "`longmul_scan_group`, as many networks as members",
        GROUP_SCAN_TEST,
        group("scan", "mbp-8x1"), "160× CUB at most (8 GPUs of K80s against CUB on one)"),
    row("Scan-MPS", "6.2.2", "primitives/scan/group.c", "`longmul_scan_group`, one network", GROUP_SCAN_TEST,
        group("scan", "mps-1x4"), "scales up to 4 GPUs of one PCIe network"),
    row("Scan-MP-PC", "6.2.3", "primitives/scan/group.c", "`longmul_scan_group`, two networks", GROUP_SCAN_TEST,
        group("scan", "mp-pc-2x2"), "8.92× CUB on average (8 GPUs against one)"),
    row("Scan-MBP, several nodes", "6.2.1", NODES, NODES_HOW + "as many networks as ranks", NODES_TEST + "Scan",
        record=nodes("scan", "mbp-4x1")),
    row("Scan-MPS, several nodes", "6.2.2", NODES, NODES_HOW + "one network", NODES_TEST + "Scan",
        paper="7.7× CUB on average (2 nodes, 8 GPUs of K80s, against one)", record=nodes("scan", "mps-1x4")),
    row("Scan-MP-PC, several nodes", "6.2.3", NODES, NODES_HOW + "two networks", NODES_TEST + "Scan",
        record=nodes("scan", "mp-pc-2x2")),
]

SORT_TEST = "tests/primitives/sort/sort_device_test.c#EveryVariantKindAndPattern"

SORT_ROWS, SORT_HOW = "bench/primitives/sort_rows.cu", "`sort_bench naive`"
SORT_ROWS_TEST = "tests/bench/sort_papers_test.c#RowsByEveryForm"

SORT = [
    row("BMS", "2.5, 4.6.3", "primitives/sort/bitonic.cu", "variant `bitonic`", SORT_TEST, sort("bitonic", "u32-rows"),
        "BPLG-BMCS is 5.4× as fast (K20), 2.63× (GTX 980)"),
    row("BS-Naive", "3.3.1", SORT_ROWS + "#PairsKernel", SORT_HOW, SORT_ROWS_TEST,
        paper="BS-Comb is 3.45× as fast (K20), 3× (GTX 980)", awaited=(sort("bs-naive", "u32-rows"), "sort_bench naive")),
    row("BS-R4", "3.3.2", SORT_ROWS + "#FoursKernel", SORT_HOW, SORT_ROWS_TEST,
        paper="BS-Comb is 2.6× as fast (K20), 1.34× (GTX 980)", awaited=(sort("bs-r4", "u32-rows"), "sort_bench naive")),
    row("BMCS = BS-Comb", "3.3.2", ("primitives/sort/comb.cu", "primitives/sort/network.cuh"), "variant `comb`",
        SORT_TEST, sort("comb", "u32-rows"), "6219 MData/s at 64, 2406 at 4096 (GTX 980)"),
    row("BPLG-BMS-Naive", "4.6.3", SORT_ROWS + "#kSeveral", SORT_HOW, SORT_ROWS_TEST,
        paper="BPLG-BMCS is 3.8× as fast (K20)", awaited=(sort("bplg-bms-naive", "u32-rows"), "sort_bench naive")),
    row("BPLG-BMCS", "4.6", ("primitives/sort/comb.cu", "primitives/sort/rows.cuh"), "variant `comb`",
        "tests/primitives/sort/sort_device_test.c#RowsOfEveryLength", sort("comb", "u32-rows"),
        "15 521 MData/s at 64, 2534 at 4096 (GTX 980); 10 614 and 1549 (K20)"),
]

DECIMAL = "bigint/device/decimal/"
TILED = DECIMAL + "tiled.cu"
DECIMAL_TESTS = ("tests/bigint/device/decimal_product_test.c#EqualsGmp",
                 "tests/bigint/device/decimal_test.c#EveryEngineEqualsGmp")

PRODUCTS = [
    row("Vector convolution", "7.4.1", "bench/decimal/schoolbook.c", "`decimal_text_bench`, op `schoolbook`",
        "tests/bench/decimal_schoolbook_test.c#EqualsGmp", paper="the reference on a CPU",
        awaited=decimal_text("schoolbook", "host")),
    row("Strassen-FFT", "7.2", DECIMAL + "product.c", "`bigint_mul_decimal` on a device", DECIMAL_TESTS, paper="a scheme",
        awaited=decimal_text("real-f64", "largest-base")),
    row("Complex-ID", "7.3.1", DECIMAL + "plan.h#Complex-ID", "engines `complex-fft`, `complex-fft-f32`; `decimal_text_bench`",
        DECIMAL_TESTS, paper="2.42× cuFFT (Kepler), 2.74× (P100), FP32, one product, at most",
        awaited=decimal_text("complex-f32", "two-phase")),
    row("Real-ID", "7.3.2", DECIMAL + "plan.h#Real-ID", "engines `real-fft`, `real-fft-f32`; `decimal_text_bench`",
        DECIMAL_TESTS, paper="1.65× cuFFT (Kepler), 2.08× (P100), FP32, one product, at most",
        awaited=decimal_text("real-f32", "two-phase")),
    row("Complex-CuFFT, Real-CuFFT", "7.6.2", "bench/decimal/contender.c#contender_cufft", "the rival of `decimal_text_bench`",
        "tests/bench/decimal_contender_test.c#RivalIsRight", paper="rivals", awaited=decimal_text("complex-f64", "two-phase")),
    row("Tiling-based", "7.4", (TILED + "#AtomicsKernel", TILED + "#DiagonalKernel"),
        "engine `tiled`; `decimal_text_bench`, op `tiled-atomics`",
        ("tests/bigint/device/decimal_tiled_test.c#IsSchoolbook",) + DECIMAL_TESTS,
        paper="5.53× Real-CuFFT at 8192 (Kepler), 6.23× (P100); wins up to 32 768 and 65 536 digits",
        awaited=decimal_text("tiled-atomics", "two-phase")),
    row("Pairwise-multiplication kernel", "7.3.1", DECIMAL + "digits.cu#MultiplyKernel", "every product by transforms",
        "tests/bigint/device/decimal_product_test.c#PointwiseProducts", awaited=decimal_text("complex-f64", "scan")),
    row("Carry normalisation", "7.5", ("carry/two_phase.cu", "carry/device.h", "carry/digits_kernel.cuh"),
        "`carry_two_phase`; `carry_device`, radix 10^k",
        ("tests/carry/carry_two_phase_test.c#EqualsGmp", "tests/carry/carry_device_test.c#DoublesColumnsAndDecimalDigits"),
        [dict(file="h200-carry.jsonl", op="f64-1x10^1")], awaited=decimal_text("real-f64", "two-phase")),
]

METHODS = [
    row("BPLG skeletons", "4.2", ("primitives/scan/skeletons.cuh", "primitives/scan/reduce.cuh"),
        "`longmul/skeletons.cuh`: `longmul::Reduce`, `Scan`, `SegmentedScan`, `Compact`",
        ("tests/primitives/scan/skeleton_examples_test.c", "tests/install/skeletons_test.c"),
        paper="5× and more over direct CUDA versions", awaited=skeleton("scan-affine")),
    row("Three phases, small sizes", "4, 5.1", ("bench/primitives/scan_rows.h#scan_rows_warps",
        "bench/primitives/device_scans.c#bench_tuples"), "`device_bench tuples`",
        "tests/bench/scan_rows_test.c#WarpsOfAMultiprocessor",
        paper="its pick was the fastest in every column of tables 4.6 and 4.9",
        awaited=(dict(file="h200-scan-tuples.jsonl", topic="scan-tuples"), "device_bench tuples")),
    row("Two phases for index-digit algorithms", "5.1", ID + "#fft_id_candidates", "`fft_bench --candidates`",
        "tests/fft/index_digit/index_digit_test.c#CandidatesKeepTheLimitsInOrder", dict(file="h200-fft.jsonl", case="fft"),
        "a method"),
    row("Three phases, medium and large sizes", "5.4", SWEEP, "`device_bench sweep`", SWEEP_TEST,
        paper="a method", awaited=sweep("three-kernel-k32")),
    row("Node parameters, premise 4", "6.1, 6.4", paper="a method", several_devices=True),
    row("Index-digit strings and mapping vectors", "5.1.2", (ID, "fft/index_digit/layout.c"), "`fft_id_explain`",
        "tests/fft/index_digit/index_digit_test.c#OperatorsMoveDigits", dict(file="h200-fft.jsonl", case="fft"), "a method"),
    row("Hybrid communication strategy", "4.3", "primitives/scan/tile.cuh#ScanTotalsOfWarps", "every scan", SCAN_TEST,
        scan("look-back", "sum-u32-rows"), "a method"),
    row("Efficient allocation", "4.4.2", SHORT + "#NestedKernel", SHORT_HOW, NAIVE_TRIDIAGONAL, paper="a method",
        awaited=short("bplg-pcr-ts")),
    row("Equation-warp matching", "4.4.2", REDUCTION + "#equation-warp matching",
        "variant `parallel-cyclic-reduction`", DOMINANT, solver("parallel-cyclic-reduction"), "a method"),
    row("Cascade (K iterations a block)", "5.5", "primitives/scan/three_kernel.cuh#kChunkTiles",
        "variant `three-kernel`", "tests/primitives/scan/scan_recursion_test.cc#ChunksOfManyTiles", scan("three-kernel"),
        "a method"),
    row("Specialised skeletons, static indices", "4.2, 4.3", "primitives/sort/network.cuh", "every kernel",
        "bazel/spills_test.py", sort("comb", "u32-rows"), "a method"),
    row("Loads through the read-only cache", "4.3", ("primitives/cuda/device.cuh#LoadReadOnly", "bench/primitives/reads.cu"),
        "`device_bench reads`", "tests/bench/reads_test.c#EveryElement", paper="a method",
        awaited=(dict(file="h200-reads.jsonl", variant="read-only"), "device_bench reads")),
]

SECTIONS = [
    ("Transforms", "[DieguezThesis18] 2.2, 7.3 and [Dieguez18]; batches of 2^24 points in all.", FFT),
    ("Tridiagonal systems", "[DieguezThesis18] 2.3, 3, 4.4, 5 and 6.5; rows of all systems a second.", TRIDIAGONAL),
    ("Scans", "[DieguezThesis18] 2.4, 4.5, 5.5 and 6.2; sums of 32-bit words.", SCAN),
    ("Sorts", "[DieguezThesis18] 2.5, 3.3 and 4.6; 32-bit keys, rows of 2^24 in all.", SORT),
    ("Products of decimal digits", "[DieguezThesis18] 7; result digits a second.", PRODUCTS),
    ("The method", "[DieguezThesis18] 4.2, 4.3, 5.1, 5.4 and 6.1.", METHODS),
]
