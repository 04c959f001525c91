"""papers_others.py: what [Koike15], [Almousa17] and [Aliaga15] name, for papers_report.py. Rows as in
papers_thesis.py."""

from papers_thesis import SWEEP, SWEEP_TEST, dway, row, scan, skeleton, sort, sweep

STUDY = "tests/primitives/scan/reduce_study.cu"
STUDY_TEST = "tests/primitives/scan/reduce_study_test.c#"
DWAY, DWAY_TEST = "bench/primitives/sort_dway.cu", "tests/bench/sort_papers_test.c#DWayMergesOfEveryWidth"
ORDERED_MISSING = "sizes to 2^30, and the maximum segment sum against a CPU's loop"


def reduction(variant):
    return dict(file="h200-reduce.jsonl", variant=variant, op="sum-u32")


KOIKE = [
    row("AGPU(p, b, M, w)", "3.2.1", ("primitives/scan/scan.h", "primitives/sort/sort.h#AGPU model"), "",
        missing="counts made from plans by the program, and times predicted from them for all kernels"),
    row("Five metrics", "3.2", "primitives/sort/sort.h#multiplicity", "", missing="as above"),
    row("Volatile and non-volatile shared memory", "3.2.1", missing="a statement and a measurement of both"),
    row("Relations to PRAM, BSP and the I/O model", "3.3", missing="the bounds that are used, stated"),
    row("Guideline: I/O, then multiplicity, then PRAM", "3.4", missing="a page that follows it for one kernel"),
    row("List homomorphism: map and reduce", "4.3", "tests/primitives/scan/monoid_examples.cu#ReduceMapped",
        "`example_best_segment`, `example_compare`", "tests/primitives/scan/monoid_examples_test.c#Compare",
        missing="a record"),
    row("Maximum segment sum", "4.4.1", "tests/primitives/scan/monoid_examples.cuh#BestSegment", "`example_best_segment`",
        "tests/primitives/scan/monoid_examples_test.c#BestSegment", paper="29× a CPU's loop at 2^28 (K40c)",
        missing="a record at 2^28 beside a CPU's loop and CUB"),
    row("Tree reduction, commutative", "4.5.1", STUDY + "#kOrdered", "`study-tree-any`", STUDY_TEST + "Sums",
        paper="loses to the pipeline above 2^21 (K20c)",
        awaited=(reduction("study-tree-any"), "device_bench study")),
    row("Cascading reduction", "4.5.2", STUDY + "#CascadeKernel", "`study-cascading`", STUDY_TEST + "Sums",
        reduction("study-cascading"), "the fastest of the four (K20c)", ORDERED_MISSING),
    row("Tree reduction, in order", "4.6.1", STUDY + "#TreeKernel", "`study-tree`", STUDY_TEST + "BestSegmentInOrder",
        reduction("study-tree"), "the pipeline is 3.9× as fast at 2^28 (K40c)", ORDERED_MISSING),
    row("Matrix reduction", "4.6.2", STUDY + "#MatrixKernel", "`study-matrix`", STUDY_TEST + "BestSegmentInOrder",
        reduction("study-matrix"), "the slowest of the four (K20c)", ORDERED_MISSING),
    row("Pipeline reduction", "4.6.3", STUDY + "#PipelineKernel", "`study-pipeline`",
        STUDY_TEST + "BestSegmentInOrder", reduction("study-pipeline"), "3.9× the ordered tree at 2^28 (K40c)",
        ORDERED_MISSING),
    row("Exclusive and inclusive scan", "5.2", "primitives/scan/scan.h#exclusive", "`scan_job.exclusive`",
        "tests/primitives/scan/scan_device_test.c#EverySizeEveryOperator", scan("look-back"), "definitions"),
    row("Stream compaction", "5.3.1", "primitives/scan/compact.cuh", "`longmul::Compact`",
        "tests/primitives/scan/skeleton_examples_test.c#Compactions", awaited=skeleton("compact-u32-half")),
    row("Matrix-based scan with α", "5.4", ("primitives/scan/matrix.cuh", SWEEP), "variant `tile`; `device_bench sweep`",
        ("tests/primitives/scan/scan_device_test.c#EverySizeEveryOperator", SWEEP_TEST), scan("tile"),
        "α = 18 is best at 2^27 (K20c)", awaited=sweep("tile-alpha17")),
    row("Bitonic sort", "6.2.1", "primitives/sort/bitonic.cu", "variant `bitonic`",
        "tests/primitives/sort/sort_device_test.c#EveryVariantKindAndPattern", sort("bitonic", "u32"), "a bound"),
    row("GPU-Warpsort", "6.2.2", DWAY, "`sort_bench dway`", DWAY_TEST, awaited=dway("warpsort")),
    row("Lower bounds of sorting", "6.3", "bench/primitives/sort_papers.c#bound_bytes", "`sort_bench dway`",
        "tests/bench/sort_papers_test.c#CostsWhatItsHeaderSays", awaited=dway("d-way-merge-4")),
    row("d-way merge sort", "6.4", (DWAY, "primitives/sort/merge.cuh"), "`sort_bench dway`; variant `multiway-merge`",
        (DWAY_TEST, "tests/primitives/sort/sort_device_test.c#SeveralPassesOfMerges"), sort("multiway-merge", "u32"),
        "1.9× Thrust's comparison sort, 27 % of its DRAM accesses (K20c, 2^28, d = 4)", awaited=dway("d-way-merge-4")),
    row("Studies of α and d", "5.5, 6.5", (SWEEP, DWAY), "`device_bench sweep`, `sort_bench dway`",
        (SWEEP_TEST, DWAY_TEST), paper="α = 18, d = 4 (K20c)", awaited=sweep("tile-alpha17"),
        missing="the model's optimum beside both sweeps"),
    row("Background: Amdahl, Brent, BSP, DMM, PEM", "2", missing="nothing to run; the model's page will cite what it uses"),
]

ALMOUSA = [
    row("Lock-free barrier between blocks", "4.2", missing="grid barrier against kernel boundary", paper="0.88–0.95× a "
        "kernel boundary"),
    row("Deadlock model: slots and barriers", "4.3", missing="prediction shown"),
    row("Residency R_M and R_L", "4.3.3", "primitives/cuda/launch.cuh#ResidentBlocks", "every cooperative launch",
        missing="the formulas as functions with tests", paper="154 blocks (K20), 165 (K40)"),
    row("Order of the block scheduler", "4.4", missing="a log of block numbers"),
    row("Barrier that times out", "4.5", "primitives/cuda/device.cuh#struct Spin", "`LONGMUL_SPIN_POLLS`",
        "tests/primitives/cuda/spin_test.c#GivesUp", missing="a record", paper="3700 runs, no wrong prediction"),
    row("Loop projection, post-wait", "4.6", missing="passes of a product in one launch", paper="1.38× barriers (K40)"),
    row("Implicit synchronisation", "4.6.5", missing="a measurement; unsafe in a library", paper="1.8× with imbalance"),
    row("Rows a thread", "4.6.6", missing="a sweep"),
    row("Matrix power, Jacobi with several right-hand sides", "4.7", missing="demos under bench/studies"),
    row("Survey of optimisations", "2.1", missing="which of them the kernels use"),
]

ALIAGA = [
    row("CG in nine operations", "slides", missing="a demo under bench/studies"),
    row("Reduction and dot product in several launches", "slides", missing="the demo's baseline"),
    row("Product joined with reduction", "slides", missing="in the demo"),
    row("Sparse matrix times vector: CSR, ELL", "slides", missing="in the demo"),
    row("Rules of fusion", "slides", missing="in the demo", paper="−3.07 to −0.89 % of cuBLAS's time (MERGE)"),
    row("Dot product in two stages", "slides", missing="in the demo"),
    row("axpy, two elements a thread", "slides", missing="in the demo"),
    row("CG by dynamic parallelism", "slides", missing="a graph with a loop in its place",
        paper="−3.65 % time on average (DYNAMIC)"),
    row("Time and energy, polling and blocking", "slides", missing="joules in records",
        paper="−14.23 % energy (DYNAMIC, blocking)"),
]

SECTIONS = [
    ("A model of GPUs, reductions, scans, sorts", "[Koike15].", KOIKE),
    ("Barriers and projection", "[Almousa17] 2.1 and 4; its OpenACC and cuBLAS wrappers are out of scope.", ALMOUSA),
    ("Conjugate gradients", "[Aliaga15].", ALIAGA),
]
