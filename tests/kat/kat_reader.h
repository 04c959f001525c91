// kat_reader.h: known answers in text files. Knows nothing of integers; may include the C library.
//
//   # a comment, anywhere
//   Operation = Product        <- a block: lines "name = value", ended by an empty line or the end
//   A = -1f
//   B = 2
//   Result = -3e
//
// A block begins with Operation; no name stands twice. Who reads a block must take every attribute:
// one that is left over is an error, as is one that is not there.
#ifndef TESTS_KAT_KAT_READER_H_
#define TESTS_KAT_KAT_READER_H_

#include <stddef.h>

enum { KAT_ATTRIBUTES_MAX = 8 };

typedef struct {
    const char *name, *value;  // NUL-terminated
    int taken;
} kat_attribute;

// kat_reader: a position in the text, which it changes (NULs after names and values).
typedef struct {
    char *next;
    unsigned long line;  // of `next`, from 1
    unsigned long block_line;
    kat_attribute attributes[KAT_ATTRIBUTES_MAX];
    size_t count;
    char error[160];  // "" if all is well; the first error stays
} kat_reader;

// kat_open begins to read text, which must stay and is changed.
kat_reader kat_open(char *text);
// kat_next goes to the next block and returns its operation; NULL at the end and after an error.
// It is an error if the block before has attributes that were not taken.
const char *kat_next(kat_reader *k);
// kat_take returns the value of an attribute of this block; "" with an error if it has none of this
// name.
const char *kat_take(kat_reader *k, const char *name);
// kat_fail records an error at the block's line, in printf's form, unless there is one already.
void kat_fail(kat_reader *k, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif  // TESTS_KAT_KAT_READER_H_
