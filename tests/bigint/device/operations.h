// operations.h: every public call that works on a device, each on small operands, for tests
// that do the same to all of them: let them fail, or repeat them. May include
// bigint/core/fixture.h.
#ifndef TESTS_BIGINT_DEVICE_OPERATIONS_H_
#define TESTS_BIGINT_DEVICE_OPERATIONS_H_

#include "tests/bigint/core/fixture.h"

// operands: a of 40 limbs, b of -30, an odd modulus of 3 and an exponent of one; r is the output.
typedef struct {
    bigint_ctx *ctx;
    bigint a, b, m, e, r;
} operands;

// operation: one public call, or a few that belong together; what it allocates each time because it
// gives it back; the context that it needs, which checks products.
typedef struct {
    const char *name;
    bigint_status (*call)(operands *);
    uint64_t own;
    const char *engine, *mode;
} operation;

enum { OPERATIONS = 67 };
extern const operation operations[OPERATIONS];
void operation_label(char *buf, size_t cap, const operation *o);

// operation_open makes a context and the operands; log counts what the context's allocator does.
// operation_close frees them; nothing may be left of either kind, `live` being what device_live
// said before.
void operation_open(operands *s, allocator_log *log, const operation *o);
void operation_close(operands *s, const allocator_log *log, int64_t live);
// operation_unchanged expects the operands as they were made, r too.
void operation_unchanged(operands *s);

#endif  // TESTS_BIGINT_DEVICE_OPERATIONS_H_
