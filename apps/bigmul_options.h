// bigmul_options.h: what the command line of bigmul or bigmul-mpi asks for, and when bigmul uses a
// device without being asked for. May include place.h, program.h for the exit codes, and bigint.h.
#ifndef APPS_BIGMUL_OPTIONS_H_
#define APPS_BIGMUL_OPTIONS_H_

#include <stdbool.h>
#include <stdint.h>

#include "apps/place.h"
#include "apps/program.h"
#include "bigint/bigint.h"

// --device=auto uses a device for two operands of DEVICE_BITS = 2^DEVICE_LG_BITS bits or more. The
// limit is an estimate, because products from host to host have no records. A product of 2^28 bits
// takes 0.44 s on one thread of the host (bench/records/earlier/xeon-amx-mul.jsonl), about as long
// as a driver takes to start. Copying its 128 MiB takes a few hundredths of a second. Tests choose
// a lower limit.
#if !defined(DEVICE_LG_BITS)
#define DEVICE_LG_BITS 28
#endif
#define DEVICE_BITS ((double)(UINT64_C(1) << DEVICE_LG_BITS))

typedef enum { FORMAT_DECIMAL, FORMAT_HEX, FORMAT_RAW, FORMAT_GMP } number_format;
typedef enum { RADIX_AUTO, RADIX_CONVERT, RADIX_DECIMAL } radix_route;

// bigmul_verb: what is computed, in the order of bigmul_verb_names.
typedef enum {
    VERB_PRODUCT,
    VERB_SQUARE,
    VERB_QUOTIENT,
    VERB_REMAINDER,
    VERB_POWER,
    VERB_GCD,
    VERB_ROOT
} bigmul_verb;
extern const char *const bigmul_verb_names[];

// OPERANDS_MOST: A, B and the modulus.
enum { OPERANDS_MOST = 3 };

typedef struct {
    bigmul_verb verb;
    // As typed: a number, @FILE or -. The modulus, if there is one, is the last.
    const char *operands[OPERANDS_MOST];
    int operand_count;  // of the verb: without the modulus
    const char *modulus;
    number_format from, to;
    radix_route radix;
    const char *output;  // NULL: standard output
    bool verify, time, explain, json;
    int device;                  // a device's number, BIGINT_HOST or PLACE_AUTO
    const char *backend;         // NULL: the library's choice
    const char *transport;       // of bigmul-mpi; NULL: the library's choice
    uint64_t max_memory;         // bytes, never 0
    bigint_ctx_options library;  // threads, checks, engine and variant filled in
} bigmul_options;

// bigmul_options_parse reads the command line; --help and --version print and exit 0, an error
// prints one line and exits EXIT_USAGE. If standard output cannot take what they print, the exit is
// EXIT_IO. The strings of the result point into argv.
// of_ranks: options that bigmul-mpi has in addition, with the result as their input; it multiplies
// on the host unless it is asked. NULL: bigmul.
struct argp;
bigmul_options bigmul_options_parse(int argc, char **argv, const struct argp *of_ranks);

#endif  // APPS_BIGMUL_OPTIONS_H_
