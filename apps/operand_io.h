// operand_io.h: an operand from the command line, a file or standard input to plain digits. May
// include bigmul_options.h. Errors print one line and exit.
#ifndef APPS_OPERAND_IO_H_
#define APPS_OPERAND_IO_H_

#include <stddef.h>
#include <stdint.h>

#include "apps/bigmul_options.h"

// number_text: a number as `length` characters (decimal and hex: an optional '-', then digits
// alone; raw: bytes, lowest first), followed by a NUL that length does not count. The holder frees
// data.
typedef struct {
    char *data;
    size_t length;
} number_text;

// operand_read reads operand number `ordinal` (1 or 2), typed as word.
// Ensures: at least one digit (raw: byte); '+', "0x" and white space are gone.
// Errors: EXIT_USAGE with the place of the character that does not fit; EXIT_IO; EXIT_MEMORY for
// more than max_bytes.
number_text operand_read(const char *word, int ordinal, number_format format, uint64_t max_bytes);

#endif  // APPS_OPERAND_IO_H_
