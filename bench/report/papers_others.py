"""papers_others.py: what [Koike15], [Almousa17] and [Aliaga15] name, for papers_report.py. Rows as in
papers_thesis.py."""

from papers_thesis import SWEEP, SWEEP_TEST, dway, row, scan, skeleton, sort, sweep

STUDY = "tests/primitives/scan/reduce_study.cu"
STUDY_TEST = "tests/primitives/scan/reduce_study_test.c#"
DWAY, DWAY_TEST = "bench/primitives/sort_dway.cu", "tests/bench/sort_papers_test.c#DWayMergesOfEveryWidth"


def reduction(variant):
    return dict(file="h200-reduce.jsonl", variant=variant, op="sum-u32")


def segments(variant, **more):
    """Of the maximum segment sum, 2^10 .. 2^30."""
    return (dict(file="h200-segments.jsonl", variant=variant) | more, "device_bench segments")


AGPU, AGPU_TEST = "bench/studies/agpu.", "tests/bench/studies/agpu_test.c#"
AGPU_HOW, AGPU_RECORD = "`agpu`, `bench/report/agpu_report.py`", "bench/records/agpu.md"
AGPU_PAGE, CONJUGATE = "docs/agpu.md#", "bench/studies/cg.cu#"
STEPS_TEST, BLOCKS_TEST = "tests/bench/studies/steps_test.c#", "tests/bench/studies/blocks_test.c#"
CG_TEST = "tests/bench/studies/cg_test.c#EveryFormIterates"


def steps(op, variant):
    return dict(file="h200-barriers.jsonl", op=op, variant=variant)


def blocks(op):
    return dict(file="h200-barriers.jsonl", op=op)


def iteration(variant, matrix="grid-csr-scalar"):
    return dict(file="h200-cg.jsonl", op="step-" + matrix, variant=variant)


def solution(variant):
    return dict(file="h200-cg.jsonl", op="solve-band-csr-scalar", variant=variant)


KOIKE = [
    row("AGPU(p, b, M, w)", "3.2.1", (AGPU + "h#agpu_chip", AGPU + "c", AGPU_PAGE + "The machine"), AGPU_HOW,
        (AGPU_TEST + "Scans", AGPU_TEST + "Sorts", AGPU_TEST + "TransformsAndProducts"), report=AGPU_RECORD),
    row("Five metrics", "3.2", AGPU + "h#agpu_counts", AGPU_HOW, (AGPU_TEST + "Times", AGPU_TEST + "Prune"),
        report=AGPU_RECORD),
    row("Volatile and non-volatile shared memory", "3.2.1",
        ("bench/studies/jacobi.cu#KeptKernel", AGPU_PAGE + "Volatile and lasting shared memory"),
        "`barrier_bench jacobi`, `barrier` and `barrier-kept`", STEPS_TEST + "JacobiKept",
        (steps("jacobi-1", "barrier"), steps("jacobi-1", "barrier-kept"))),
    row("Relations to PRAM, BSP and the I/O model", "3.3", AGPU_PAGE + "Bounds that we use", statement=True),
    row("Guideline: I/O, then multiplicity, then PRAM", "3.4", AGPU_PAGE + "The guideline, for one kernel",
        "`device_bench scan`", "tests/primitives/scan/scan_device_test.c#EverySizeEveryOperator",
        (scan("three-kernel"), scan("tile"), scan("look-back"))),
    row("List homomorphism: map and reduce", "4.3", "tests/primitives/scan/monoid_examples.cu#ReduceMapped",
        "`example_best_segment`, `example_compare`; `device_bench segments`",
        "tests/primitives/scan/monoid_examples_test.c#Compare", awaited=segments("map-and-reduce")),
    row("Maximum segment sum", "4.4.1", ("tests/primitives/scan/monoid_examples.cuh#BestSegment",
        "bench/primitives/segments.c#best_by_loop"), "`example_best_segment`; `device_bench segments`",
        "tests/primitives/scan/monoid_examples_test.c#BestSegment", paper="29× a CPU's loop at 2^28 (K40c)",
        awaited=segments("study-pipeline", n=2**28)),
    row("Tree reduction, commutative", "4.5.1", STUDY + "#kOrdered", "`study-tree-any`", STUDY_TEST + "Sums",
        paper="loses to the pipeline above 2^21 (K20c)",
        awaited=(reduction("study-tree-any"), "device_bench study")),
    row("Cascading reduction", "4.5.2", STUDY + "#CascadeKernel", "`study-cascading`", STUDY_TEST + "Sums",
        reduction("study-cascading"), "the fastest of the four (K20c)",
        awaited=(reduction("study-cascading") | dict(n=2**30), "device_bench study")),
    row("Tree reduction, in order", "4.6.1", STUDY + "#TreeKernel", "`study-tree`", STUDY_TEST + "BestSegmentInOrder",
        reduction("study-tree"), "the pipeline is 3.9× as fast at 2^28 (K40c)", awaited=segments("study-tree")),
    row("Matrix reduction", "4.6.2", STUDY + "#MatrixKernel", "`study-matrix`", STUDY_TEST + "BestSegmentInOrder",
        reduction("study-matrix"), "the slowest of the four (K20c)", awaited=segments("study-matrix")),
    row("Pipeline reduction", "4.6.3", STUDY + "#PipelineKernel", "`study-pipeline`",
        STUDY_TEST + "BestSegmentInOrder", reduction("study-pipeline"), "3.9× the ordered tree at 2^28 (K40c)",
        awaited=segments("study-pipeline")),
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
    row("Studies of α and d", "5.5, 6.5", (SWEEP, DWAY, AGPU_PAGE + "Parameters: the model's choice and the fastest"), "`device_bench sweep`, `sort_bench dway`",
        (SWEEP_TEST, DWAY_TEST), paper="α = 18, d = 4 (K20c)", awaited=sweep("tile-alpha17"),
        report="bench/records/h200-scan-sweep.svg#d of the merge sort"),
    row("Background: Amdahl, Brent, BSP, DMM, PEM", "2", AGPU_PAGE + "Bounds that we use", statement=True),
]

ALMOUSA = [
    row("Lock-free barrier between blocks", "4.2", "bench/studies/barrier.cuh", "`barrier_bench passes`, `barrier`",
        (STEPS_TEST + "NobodyOvertakes", STEPS_TEST + "Passes"), (steps("passes-3", "barrier"), steps("passes-9", "barrier")),
        "0.88–0.95× a kernel boundary"),
    row("Deadlock model: slots and barriers", "4.3", "bench/studies/residency.c#residency_deadlocks",
        "`barrier_bench blocks`", BLOCKS_TEST + "DeadlockIsWhatTheFormulasSay", blocks("meeting")),
    row("Residency R_M and R_L", "4.3.3", ("bench/studies/residency.h#residency_most",
        "primitives/cuda/launch.cuh#ResidentBlocks"), "`barrier_bench blocks`; the library's cooperative launches",
        ("tests/bench/studies/residency_test.c#ThePapersExample", "tests/bench/studies/residency_test.c#EachLimit"),
        blocks("meeting"), "154 blocks (K20), 165 (K40)"),
    row("Order of the block scheduler", "4.4", ("bench/studies/blocks.cu#OrderKernel", "bench/studies/disorder.c"),
        "`barrier_bench blocks`", (BLOCKS_TEST + "OrderIsAPermutation", "tests/bench/studies/residency_test.c#Inversions"),
        blocks("order")),
    row("Barrier that times out", "4.5", "bench/studies/blocks.cu#MeetKernel",
        "`barrier_bench blocks`; in the library `LONGMUL_SPIN_POLLS`",
        (BLOCKS_TEST + "DeadlockIsWhatTheFormulasSay", "tests/primitives/cuda/spin_test.c#GivesUp"), blocks("meeting"),
        "3700 runs, no wrong prediction"),
    row("Loop projection, post-wait", "4.6", ("bench/studies/project.cuh", "bench/studies/steps.cuh#ProjectedKernel"),
        "`barrier_bench passes`, `post-wait`", (STEPS_TEST + "NobodyOvertakes", STEPS_TEST + "Passes"),
        (steps("passes-3", "post-wait"), steps("jacobi-1", "post-wait")), "1.38× barriers (K40)"),
    row("Implicit synchronisation", "4.6.5", "bench/studies/steps.h#STEPS_NO_WAIT",
        "`barrier_bench`, `no-wait`: for measurements only", STEPS_TEST + "NobodyOvertakes",
        (steps("passes-3", "no-wait"), steps("jacobi-1", "no-wait")), "1.8× with imbalance"),
    row("Rows a thread", "4.6.6", "bench/studies/jacobi.h#rows_each", "`barrier_bench jacobi`, `launches-rows-2`, `-4`, `-8`",
        STEPS_TEST + "Jacobi", tuple(steps("jacobi-1", "launches-rows-%d" % r) for r in (2, 4, 8))),
    row("Matrix power, Jacobi with several right-hand sides", "4.7", ("bench/studies/jacobi.cu#struct Power",
        "bench/studies/jacobi.cu#struct Jacobi"), "`barrier_bench power jacobi`", (STEPS_TEST + "Power", STEPS_TEST + "Jacobi"),
        (steps("power", "barrier"), steps("jacobi-4", "barrier"))),
    row("Survey of optimisations", "2.1", AGPU_PAGE + "Of the optimisations that [Almousa17] lists", statement=True),
]

STEP_HOW = "`cg_bench steps`, "

ALIAGA = [
    row("CG in nine operations", "slides", CONJUGATE + "void Separate", STEP_HOW + "`nine`", CG_TEST, iteration("nine")),
    row("Reduction and dot product in several launches", "slides", CONJUGATE + "SumKernel", STEP_HOW + "`nine`",
        (CG_TEST, "tests/bench/studies/cg_test.c#MoreBlocks"), iteration("nine", "band-csr-scalar")),
    row("Product joined with reduction", "slides", "bench/studies/cg.h#CG_JOINED", STEP_HOW + "`joined`", CG_TEST,
        iteration("joined")),
    row("Sparse matrix times vector: CSR, ELL", "slides", (CONJUGATE + "RowsKernel", CONJUGATE + "WarpRowsKernel"),
        "`cg_bench steps`, every format", CG_TEST, tuple(iteration("merged", matrix) for matrix in
                                                         ("grid-csr-scalar", "grid-csr-vector", "grid-ell"))),
    row("Rules of fusion", "slides", ("bench/studies/cg.h#CG_MERGED", AGPU_PAGE + "Two kernels may be joined"),
        STEP_HOW + "`merged`", CG_TEST, (iteration("merged"), solution("merged-polling")),
        "−3.07 to −0.89 % of cuBLAS's time (MERGE)"),
    row("Dot product in two stages", "slides", CONJUGATE + "DotKernel", STEP_HOW + "`two-stage`", CG_TEST,
        iteration("two-stage")),
    row("axpy, two elements a thread", "slides", CONJUGATE + "TwoEachKernel", STEP_HOW + "`two-stage`", CG_TEST,
        iteration("two-stage")),
    row("CG by dynamic parallelism", "slides", "bench/studies/cg_loop.cu", "`cg_bench solve`, `loop-…`: a graph with a loop",
        "tests/bench/studies/cg_loop_test.c#SolvesInOneGraph", paper="−3.65 % time on average (DYNAMIC)",
        awaited=(solution("loop-polling"), "cg_bench solve")),
    row("Time and energy, polling and blocking", "slides", ("bench/studies/host_wait.h", "bench/device/energy.c"),
        "`cg_bench --energy 1 solve`", "tests/bench/energy_test.c", solution("nine-blocking"),
        "−14.23 % energy (DYNAMIC, blocking)"),
]

SECTIONS = [
    ("A model of GPUs, reductions, scans, sorts", "[Koike15].", KOIKE),
    ("Barriers and projection", "[Almousa17] 2.1 and 4; its OpenACC and cuBLAS wrappers are out of scope.", ALMOUSA),
    ("Conjugate gradients", "[Aliaga15].", ALIAGA),
]
