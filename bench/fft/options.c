// options.c: see options.h.
#include "bench/fft/options.h"

#include <string.h>

enum { KINDS_BY_DEFAULT = 6 };

const fft_kind fft_kinds[FFT_KINDS] = {
    {"z2z", FFT_ID_COMPLEX_F64, FFT_ID_FORWARD, FFT_ID_NATURAL, CUFFT_Z2Z, FFT_TRUTH_COMPLEX,
     FFT_TRUTH_COMPLEX},
    {"c2c", FFT_ID_COMPLEX_F32, FFT_ID_FORWARD, FFT_ID_NATURAL, CUFFT_C2C, FFT_TRUTH_COMPLEX,
     FFT_TRUTH_COMPLEX},
    {"d2z", FFT_ID_REAL_F64, FFT_ID_FORWARD, FFT_ID_NATURAL, CUFFT_D2Z, FFT_TRUTH_REAL,
     FFT_TRUTH_HALF},
    {"z2d", FFT_ID_REAL_F64, FFT_ID_INVERSE, FFT_ID_NATURAL, CUFFT_Z2D, FFT_TRUTH_HALF,
     FFT_TRUTH_REAL},
    {"r2c", FFT_ID_REAL_F32, FFT_ID_FORWARD, FFT_ID_NATURAL, CUFFT_R2C, FFT_TRUTH_REAL,
     FFT_TRUTH_HALF},
    {"c2r", FFT_ID_REAL_F32, FFT_ID_INVERSE, FFT_ID_NATURAL, CUFFT_C2R, FFT_TRUTH_HALF,
     FFT_TRUTH_REAL},
    {"z2z-inv", FFT_ID_COMPLEX_F64, FFT_ID_INVERSE, FFT_ID_NATURAL, CUFFT_Z2Z, FFT_TRUTH_COMPLEX,
     FFT_TRUTH_COMPLEX},
    {"c2c-inv", FFT_ID_COMPLEX_F32, FFT_ID_INVERSE, FFT_ID_NATURAL, CUFFT_C2C, FFT_TRUTH_COMPLEX,
     FFT_TRUTH_COMPLEX},
    {"rev-z2z", FFT_ID_COMPLEX_F64, FFT_ID_FORWARD, FFT_ID_REVERSED, CUFFT_Z2Z, FFT_TRUTH_COMPLEX,
     FFT_TRUTH_COMPLEX},
    {"rev-z2z-inv", FFT_ID_COMPLEX_F64, FFT_ID_INVERSE, FFT_ID_REVERSED, CUFFT_Z2Z,
     FFT_TRUTH_COMPLEX, FFT_TRUTH_COMPLEX},
    {"rev-c2c", FFT_ID_COMPLEX_F32, FFT_ID_FORWARD, FFT_ID_REVERSED, CUFFT_C2C, FFT_TRUTH_COMPLEX,
     FFT_TRUTH_COMPLEX},
    {"rev-c2c-inv", FFT_ID_COMPLEX_F32, FFT_ID_INVERSE, FFT_ID_REVERSED, CUFFT_C2C,
     FFT_TRUTH_COMPLEX, FFT_TRUTH_COMPLEX},
};

// --- The command line ----------------------------------------------------------------------------

enum { CUFFT = 1, SINGLE, BATCHED, LENGTH, TOTAL, CANDIDATES, ABLATIONS, SPEC, ONCE, INTERFACE };

static const struct {
    struct argp_option option;
    unsigned takes;  // who has it: 0 for all programs
} options[] = {
    {{"cufft", CUFFT, "LIBRARY", 0, "The rival's library, if it is not found by itself", 0}, 0},
    {{"single", SINGLE, NULL, 0, "Single transforms (default: and batches)", 0}, FFT_BENCH_RANGE},
    {{"batched", BATCHED, NULL, 0, "Batches (default: and single ones)", 0}, FFT_BENCH_RANGE},
    {{"length", LENGTH, "N", 0, "Transforms of N points, of several N if repeated", 0},
     FFT_BENCH_LENGTHS},
    {{"total", TOTAL, "LG", 0, "Points of a batch: 2^LG (default 26)", 0}, FFT_BENCH_PLANS},
    {{"candidates", CANDIDATES, NULL, 0, "Every plan that has kernels, without the rival", 0},
     FFT_BENCH_PLANS},
    {{"ablations", ABLATIONS, NULL, 0, "What each step of the papers gains", 0}, FFT_BENCH_PLANS},
    {{"spec", SPEC, "SPEC", 0, "The plan of a SPEC (fft/index_digit/index_digit.h)", 0},
     FFT_BENCH_PLANS},
    {{"interface", INTERFACE, NULL, 0, "Through the installed interface, longmul/fft.h", 0},
     FFT_BENCH_PLANS},
    {{"once", ONCE, NULL, 0, "That plan a single time, untimed, for a profiler", 0},
     FFT_BENCH_PLANS},
};
enum { OPTIONS = sizeof options / sizeof *options };

static error_t add_kind(fft_bench_options *o, const char *value, const struct argp_state *state) {
    if ((o->takes & FFT_BENCH_NAMES) == 0) {
        return ARGP_ERR_UNKNOWN;
    }
    unsigned k = 0;
    while (k < FFT_KINDS && strcmp(value, fft_kinds[k].name) != 0) {
        k++;
    }
    if (k == FFT_KINDS) {
        argp_error(state, "no kind of transform is called '%s'", value);
    }
    o->wanted[k] = true;
    return 0;
}

// finish fills in what was not said.
static void finish(fft_bench_options *o) {
    bool some = false;
    if (!o->single && !o->batched) {
        o->single = o->batched = true;
    }
    for (unsigned k = 0; k < FFT_KINDS; k++) {
        some = some || o->wanted[k];
    }
    for (unsigned k = 0; k < KINDS_BY_DEFAULT && !some; k++) {
        o->wanted[k] = true;
    }
}

static error_t parse(int key, char *value, struct argp_state *state) {
    fft_bench_options *const o = state->input;
    switch (key) {
        case CUFFT:
            o->cufft_path = value;
            break;
        case TOTAL:
            o->total = (unsigned)device_run_number(state, "total", value, 0, FFT_TRUTH_LG_MAX);
            break;
        case SINGLE:
            o->single = true;
            break;
        case BATCHED:
            o->batched = true;
            break;
        case CANDIDATES:
            o->candidates = true;
            break;
        case ABLATIONS:
            o->ablations = true;
            break;
        case ONCE:
            o->once = true;
            break;
        case INTERFACE:
            o->interface = true;
            break;
        case LENGTH:
            o->length[device_run_another(&o->lengths, FFT_LENGTHS_MAX, state)] =
                device_run_number(state, "length", value, 1, UINT64_C(1) << FFT_TRUTH_LG_MAX);
            break;
        case SPEC:
            o->spec[device_run_another(&o->specs, FFT_SPECS_MAX, state)] = value;
            break;
        case ARGP_KEY_ARG:
            return add_kind(o, value, state);
        case ARGP_KEY_END:
            finish(o);
            break;
        default:
            return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

void fft_bench_start(fft_bench_options *o, unsigned takes, const char *doc, int argc, char **argv) {
    struct argp_option known[OPTIONS + 1] = {{0}};
    unsigned count = 0;
    for (unsigned i = 0; i < OPTIONS; i++) {
        if (options[i].takes == 0 || (options[i].takes & takes) != 0) {
            known[count++] = options[i].option;
        }
    }
    const struct argp own = {.options = known,
                             .parser = parse,
                             .args_doc = (takes & FFT_BENCH_NAMES) != 0 ? "[KIND...]" : NULL,
                             .doc = doc};
    *o = (fft_bench_options){.takes = takes, .total = 26};
    o->run.range =
        (device_range){.sizes = (takes & FFT_BENCH_RANGE) != 0 ? "Transforms of 2^N points:" : NULL,
                       .to = FFT_TRUTH_LG_MAX,
                       .most = FFT_TRUTH_LG_MAX,
                       .quick = FFT_TRUTH_LG_MAX};
    device_run_start(&o->run, &own, o, argc, argv);
}
