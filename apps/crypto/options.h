// options.h: what the command line of cryptobench asks for. Includes nothing of ours.
#ifndef APPS_CRYPTO_OPTIONS_H_
#define APPS_CRYPTO_OPTIONS_H_

#include <stdbool.h>

enum { CRYPTOBENCH_THREADS_MAX = 256 };

typedef struct {
    double seconds;
    unsigned threads, batch;  // threads: CRYPTOBENCH_THREADS_MAX at most
    int device;               // BIGINT_HOST: none
    const char *scheme, *json, *chip, *commit;
    bool check, dirty;
} cryptobench_options;

// cryptobench_options_parse reads the command line; --help and --version print and exit 0, an error
// prints one line and exits EXIT_USAGE. The strings of the result point into argv.
cryptobench_options cryptobench_options_parse(int argc, char **argv);

#endif  // APPS_CRYPTO_OPTIONS_H_
