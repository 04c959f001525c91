// operand_io.h: an operand from the command line, a file or standard input to plain digits. May
// include bigmul_options.h. Errors print one line and exit.
#ifndef APPS_OPERAND_IO_H_
#define APPS_OPERAND_IO_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "apps/bigmul_options.h"

// number_text: a number as `length` characters (decimal and hex: an optional '-', then digits
// alone; raw: bytes, lowest first; gmp: a header and bytes), followed by a NUL that length does not
// count. The holder frees
// data.
typedef struct {
    char *data;
    size_t length;
} number_text;

// operand_format: the format of operand i, from 0; the modulus is the last. It is --from. Where
// --from is raw or gmp, a typed exponent of a power or root is decimal.
number_format operand_format(const bigmul_options *o, int i);

// operand_rules: what holds for an operand that is read.
//   max_bytes   the most that it may take, white space included
//   max_memory  the limit that max_bytes comes from, for messages
//   progress    called after each read with the bytes so far and the bytes of the file (0: unknown)
typedef struct {
    number_format format;
    uint64_t max_bytes, max_memory;
    int (*progress)(void *user, double done, double total);
    void *user;
} operand_rules;

// operand_read reads operand number `ordinal` (1, 2, or 3 for the modulus), typed as word.
// Ensures: at least one digit (raw: byte); '+', "0x" and white space are gone.
// Errors: EXIT_USAGE with the place of the first character that does not fit, as soon as it has
// been read; EXIT_IO; EXIT_MEMORY for more than max_bytes, of which no more are read.
// Memory: the digits and one block more, or the size of the file.
number_text operand_read(const char *word, int ordinal, const operand_rules *rules);

// GMP_HEADER: the bytes before the magnitude in the format of mpz_out_raw, highest first: its
// length in bytes, negated for a negative number. The magnitude follows, highest byte first.
enum { GMP_HEADER = 4 };
// gmp_sign: -1 or 1. t: what operand_read returned for FORMAT_GMP.
int gmp_sign(const number_text *t);
// gmp_header writes it for a magnitude of `bytes` bytes. False if the format cannot say that.
bool gmp_header(char *to, size_t bytes, bool negative);

#endif  // APPS_OPERAND_IO_H_
