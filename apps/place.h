// place.h: products of operands in host memory, computed on a place (the host or a device), and
// their times. May include bigint.h.
#ifndef APPS_PLACE_H_
#define APPS_PLACE_H_

#include <stdbool.h>

#include "bigint/bigint.h"

// A value of --device besides BIGINT_HOST and device numbers: the program chooses.
enum { PLACE_AUTO = -2 };

// place: a context, and where it works. ctx NULL: none.
typedef struct {
    int at;
    bigint_ctx *ctx;
} place;

// place_times: seconds of one product. On the host nothing is copied, and both are equal.
typedef struct {
    double product;     // operands and result in the place's memory, waited for
    double end_to_end;  // operands from the host, the product, its result to the host
} place_times;

// The values of --device (host, auto or the number of a device) and of --threads (1 to 4096). Any
// other text ends the program with EXIT_USAGE.
int place_value(const char *value);
uint32_t place_threads(const char *value);

// place_open makes a context; backend and options as for bigint_device_open and bigint_ctx_create.
// After any failure bigint_ctx_error(p->ctx) says why, and p is closed as usual.
bigint_status place_open(place *p, int at, const char *backend, const bigint_ctx_options *options);
// place_exit_code: the program's exit code after a call that failed.
int place_exit_code(bigint_status status);
// place_must ends the program with it, and with the context's own sentence, unless status is
// BIGINT_OK.
void place_must(const bigint_ctx *ctx, bigint_status status);
// place_close also accepts a place that was never opened (all zero).
void place_close(place *p);

// place_mul: r = a b; b may be a. Requires a and b on the host or on the place, r on the place or
// 0, and neither of them. Ensures: r on the host, a and b on the place. After a failure r is on the
// place, a and b are on the place or where they came from, and *times is undefined.
bigint_status place_mul(const place *p, bigint *r, bigint *a, bigint *b, place_times *times);
// place_mul_from_host: the same of a and b on the host, which stay there, and r 0, for operands
// that the place has no room for. On failure r is 0.
bigint_status place_mul_from_host(const place *p, bigint *r, const bigint *a, const bigint *b,
                                  place_times *times);

#endif  // APPS_PLACE_H_
