// options.c: see options.h.
#include "bench/fft/options.h"

#include <stdio.h>
#include <stdlib.h>
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

static bool parse_number(unsigned *to, const char *text) {
    char *end;
    const unsigned long n = strtoul(text, &end, 10);
    *to = (unsigned)n;
    return end != text && *end == 0 && n <= FFT_TRUTH_LG_MAX;
}

// parse takes one option at argv[*i] and moves *i past it.
static bool parse(fft_bench_options *o, int argc, char **argv, int *i) {
    const char *option = argv[*i], *value = *i + 1 < argc ? argv[*i + 1] : NULL;
    for (unsigned k = 0; k < FFT_KINDS; k++) {
        if (strcmp(option, fft_kinds[k].name) == 0) {
            return o->wanted[k] = true;
        }
    }
    if (strcmp(option, "--single") == 0) {
        return o->single = true;
    }
    if (strcmp(option, "--batched") == 0) {
        return o->batched = true;
    }
    if (strcmp(option, "--candidates") == 0) {
        return o->candidates = true;
    }
    if (strcmp(option, "--ablations") == 0) {
        return o->ablations = true;
    }
    if (strcmp(option, "--once") == 0) {
        return o->once = true;
    }
    if (value == NULL) {
        return device_run_parse(&o->run, argc, argv, i);
    }
    ++*i;
    if (strcmp(option, "--from") == 0) {
        return parse_number(&o->from, value);
    }
    if (strcmp(option, "--to") == 0) {
        return parse_number(&o->to, value);
    }
    if (strcmp(option, "--total") == 0) {
        return parse_number(&o->total, value);
    }
    if (strcmp(option, "--length") == 0 && o->lengths < FFT_LENGTHS_MAX) {
        char *end;
        const uint64_t n = o->length[o->lengths++] = strtoull(value, &end, 10);
        return end != value && *end == 0 && n > 0;
    }
    if (strcmp(option, "--cufft") == 0) {
        o->cufft_path = value;
        return true;
    }
    if (strcmp(option, "--spec") == 0 && o->specs < FFT_SPECS_MAX) {
        o->spec[o->specs++] = value;
        return true;
    }
    --*i;
    return device_run_parse(&o->run, argc, argv, i);
}

bool fft_bench_options_read(fft_bench_options *o, int argc, char **argv) {
    bool some = false;
    *o = (fft_bench_options){.to = FFT_TRUTH_LG_MAX, .total = 26};
    for (int i = 1; i < argc; i++) {
        if (!parse(o, argc, argv, &i)) {
            fprintf(stderr, "fft_bench: what is %s?\n", argv[i]);
            return false;
        }
    }
    if (!o->single && !o->batched) {
        o->single = o->batched = true;
    }
    for (unsigned k = 0; k < FFT_KINDS; k++) {
        some = some || o->wanted[k];
    }
    for (unsigned k = 0; k < KINDS_BY_DEFAULT && !some; k++) {
        o->wanted[k] = true;
    }
    return true;
}
