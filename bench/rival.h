// rival.h: a side that is another program, which answers requests line by line (schema.md, "Outside
// rivals"). Includes the harness and GMP's types.
#ifndef BENCH_RIVAL_H_
#define BENCH_RIVAL_H_

#include <gmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "bench/harness.h"

typedef struct {
    pid_t pid;
    FILE *to, *from;
    char name[64];    // the name it gives
    char folder[64];  // of the operand and result files
    char answer[1024];
    char error[256];
} bench_rival;

// bench_rival_start runs command with the shell and asks its name. False: error tells why.
bool bench_rival_start(bench_rival *rival, const char *command);
// bench_rival_load hands over the operands of the next row; b is NULL for a square. False if the
// rival declines (error is its reason).
bool bench_rival_load(bench_rival *rival, const char *name, mpz_srcptr a, mpz_srcptr b,
                      unsigned threads);
// bench_rival_side is the rival's side: the program times itself.
bench_side bench_rival_side(bench_rival *rival);
// bench_rival_result fetches the result of the last call.
bool bench_rival_result(bench_rival *rival, mpz_t r);
// bench_rival_stop ends the program and removes its files. Allowed after a failed start.
void bench_rival_stop(bench_rival *rival);

#endif  // BENCH_RIVAL_H_
