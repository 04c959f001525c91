// bigmul_options.h: what the command line of bigmul asks for, and the exit codes. May include
// bigint.h.
#ifndef APPS_BIGMUL_OPTIONS_H_
#define APPS_BIGMUL_OPTIONS_H_

#include <stdbool.h>
#include <stdint.h>

#include "bigint/bigint.h"

// Exit codes, as --help states them. 0 is success.
enum { EXIT_WRONG = 1, EXIT_USAGE = 2, EXIT_IO = 3, EXIT_MEMORY = 4 };

typedef enum { FORMAT_DECIMAL, FORMAT_HEX, FORMAT_RAW } number_format;
typedef enum { RADIX_AUTO, RADIX_CONVERT, RADIX_DECIMAL } radix_route;

typedef struct {
    const char *operands[2];  // as typed: a number, @FILE or -; the second is NULL for a square
    int operand_count;
    number_format from, to;
    radix_route radix;
    const char *output;  // NULL: standard output
    bool square, verify, time, explain;
    const char *backend;         // NULL: the library's choice
    uint64_t max_memory;         // bytes, never 0
    bigint_ctx_options library;  // threads, checks, engine and variant filled in
} bigmul_options;

// bigmul_options_parse reads the command line; --help and --version print and exit 0, an error
// prints one line and exits EXIT_USAGE. The strings of the result point into argv.
bigmul_options bigmul_options_parse(int argc, char **argv);

#endif  // APPS_BIGMUL_OPTIONS_H_
