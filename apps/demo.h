// demo.h: what the parts of the demo share: contexts, checks, and the lines they print. May include
// place.h, bigint.h and gmp.h.
#ifndef APPS_DEMO_H_
#define APPS_DEMO_H_

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "apps/place.h"
#include "bigint/bigint.h"

// demo_times: seconds of the same work by three means.
typedef struct {
    double many, one, gmp;
} demo_times;

// demo_row: a line of the closing table.
typedef struct {
    char name[64];
    demo_times times;
} demo_row;

// demo_device_row: seconds of one product of an by bn limbs: on a device, without copies and with
// them, and on the host.
typedef struct {
    uint64_t an, bn;
    double alone, end_to_end, many;
} demo_device_row;

enum { DEMO_ROWS = 4, DEMO_DEVICE_ROWS = 3 };

// demo: one context with all the threads that were asked for, and one with a single thread, for
// times that compare with GMP's single thread. Results of either may be used with both. A device
// too, if there is one.
typedef struct {
    bigint_ctx *many, *one;
    place device;
    uint32_t threads;
    bool quick;  // small numbers, for tests
    demo_row rows[DEMO_ROWS];
    demo_device_row device_rows[DEMO_DEVICE_ROWS];
    int rows_count, device_rows_count;
} demo;

// The parts. Each computes with the library and with GMP, compares, prints its report and adds to
// the table. A difference from GMP ends the program with exit code 1.
void demo_primes(demo *d);
void demo_factorial(demo *d);
void demo_roots(demo *d);

// demo_device.c: the product of a and b on the host and on the device, alternating. The limbs must
// be z's. Prints both times of the device and the host's and adds them to the table. Does nothing
// without a device.
void demo_device(demo *d, bigint *a, bigint *b, const mpz_t z);

enum { ROUNDS = 3 };  // the middle time of three, each round timing all means

// --- demo_report.c -------------------------------------------------------------------------------

void demo_title(const char *format, ...) __attribute__((format(printf, 1, 2)));
// One line of a report: a label of a word or two, and its text.
void demo_line(const char *label, const char *format, ...) __attribute__((format(printf, 2, 3)));
// On a terminal, says what is being computed, until the next line of the report takes its place.
void demo_progress(const char *what);
// The plan of a product of an by bn limbs on ctx.
void demo_plan(const char *label, bigint_ctx *ctx, uint64_t an, uint64_t bn);
double demo_middle(const double t[ROUNDS]);
// How many threads d->many has, in buf.
const char *demo_threads(const demo *d, char buf[32]);
// Our times, GMP's, and GMP's divided by ours; all of them as row `name` of the table, too. note
// says what was timed.
void demo_ratio(demo *d, const char *name, const demo_times *t, const char *note);
// The tables: of the rows, and of the device's if there is one.
void demo_table(const demo *d);
// Ends the program unless a result of ours agrees with GMP's or with what is known of it.
void demo_must_agree(bool agrees);
// Is a, limb for limb, z?
bool demo_same(const demo *d, const bigint *a, const mpz_t z);
// n with a comma between groups of three digits, in buf.
const char *demo_count(char buf[32], uint64_t n);
// The decimal text of a, by bigint_get_decimal with all threads; the caller frees it. *length
// excludes the NUL. Prints the time, the number of digits, and the first and last twenty.
char *demo_text(const demo *d, const bigint *a, size_t *length);

#endif  // APPS_DEMO_H_
