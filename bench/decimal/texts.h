// texts.h: the texts that decimal_text_bench multiplies, and their exact products. Includes C's own
// headers only.
#ifndef BENCH_DECIMAL_TEXTS_H_
#define BENCH_DECIMAL_TEXTS_H_

#include <stdbool.h>
#include <stdint.h>

// texts: `rows` products of two numbers of n random digits, row after row. Products in between
// repeat the first one; the last one has digits of its own.
typedef struct {
    uint64_t n, rows;
    char *factor[2];       // on the host, n rows characters
    char *exact[2];        // the first product and the last one, 2 n characters; NULL: not known
    char *there[2], *out;  // on the device: the factors, and 2 n rows characters for products
    char *spare;           // of the same size as out, for a copy
    char *found;           // on the host, the same size: what texts_wrong read
} texts;

// texts_open draws 2^lg digits a factor; texts_close releases all.
void texts_open(texts *t, unsigned lg, uint64_t rows);
void texts_close(texts *t);

// texts_learn: what is in `out` becomes the exact products, unless it fails a * b = c modulo 2^61 -
// 1, which ends the program.
void texts_learn(texts *t);
// texts_spoil fills `out`, so that what is not written shows. texts_wrong returns how many digits
// of all products in `out` are wrong.
void texts_spoil(const texts *t);
uint64_t texts_wrong(const texts *t);

// texts_stop prints the size and the reason, and ends the program with status 1. texts_room
// allocates device memory, or ends the program.
void texts_stop(const char *what, uint64_t n);
void *texts_room(uint64_t bytes, uint64_t n);

#endif  // BENCH_DECIMAL_TEXTS_H_
