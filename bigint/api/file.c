// file.c: integers in the caller's files, through the calls for bytes and text.
#include "bigint/bigint_file.h"

#include <errno.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/integer.h"
#include "bigint/text/text.h"
#include "primitives/words/word.h"

enum { COUNT_BYTES = 4 };  // of the raw format

static bigint_status file_failed(bigint_ctx *ctx, const char *who, const char *what) {
    return bigint_fail(ctx, BIGINT_EINVAL, "%s: %s (errno %d)", who, what, errno);
}

// write_all: n bytes, and *count = n.
static bigint_status write_all(bigint_ctx *ctx, const char *who, FILE *file, const void *p,
                               size_t n, size_t *count) {
    errno = 0;
    if (fwrite(p, 1, n, file) != n) {
        return file_failed(ctx, who, "the file takes no more bytes");
    }
    if (count != NULL) {
        *count = n;
    }
    return BIGINT_OK;
}

static bigint_status read_all(bigint_ctx *ctx, const char *who, FILE *file, void *p, size_t n) {
    errno = 0;
    return fread(p, 1, n, file) == n
               ? BIGINT_OK
               : file_failed(ctx, who, "the file ends within a number, or cannot be read");
}

// --- GMP's raw format ----------------------------------------------------------------------------

static bigint_status too_long(bigint_ctx *ctx, const char *who, uint64_t n) {
    return bigint_fail(ctx, BIGINT_ERANGE, "%s: a number of %llu bytes; the format ends at 2^31",
                       who, (unsigned long long)n);
}

bigint_status bigint_write_raw(bigint_ctx *ctx, FILE *file, size_t *bytes, const bigint *a) {
    const char *who = "bigint_write_raw";
    uint64_t bits;
    int sign;
    bigint_status status = bigint_measure(ctx, who, &bits, &sign, a);
    if (status != BIGINT_OK) {
        return status;
    }
    const uint64_t n = word_ceil_div(bits, 8);
    if (n > INT32_MAX) {
        return too_long(ctx, who, n);
    }
    const arena_mark mark = arena_get_mark(ctx);
    uint8_t *const p = arena_take(ctx, who, COUNT_BYTES + n);
    if (p == NULL) {
        return BIGINT_ENOMEM;
    }
    const uint32_t count = sign < 0 ? 0 - (uint32_t)n : (uint32_t)n;
    for (unsigned i = 0; i < COUNT_BYTES; i++) {
        p[i] = (uint8_t)(count >> (8 * (COUNT_BYTES - 1 - i)));
    }
    status = bigint_get_bytes(ctx, p + COUNT_BYTES, n, NULL, BIGINT_BIG_ENDIAN, a);
    if (status == BIGINT_OK) {
        status = write_all(ctx, who, file, p, COUNT_BYTES + n, bytes);
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_read_raw(bigint_ctx *ctx, bigint *r, FILE *file, size_t *bytes) {
    const char *who = "bigint_read_raw";
    uint8_t head[COUNT_BYTES];
    bigint_status status = bigint_check_places(ctx, who, r, NULL, NULL);
    if (status == BIGINT_OK) {
        status = read_all(ctx, who, file, head, sizeof head);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    uint32_t count = 0;
    for (unsigned i = 0; i < COUNT_BYTES; i++) {
        count = count << 8 | head[i];
    }
    const bool negative = count >> 31 != 0;
    const size_t n = negative ? 0 - count : count;
    if (n > INT32_MAX) {
        return too_long(ctx, who, n);
    }
    const arena_mark mark = arena_get_mark(ctx);
    uint8_t *const p = arena_take(ctx, who, n);
    status = p == NULL ? BIGINT_ENOMEM : read_all(ctx, who, file, p, n);
    if (status == BIGINT_OK) {
        status = bigint_set_bytes(ctx, r, p, n, BIGINT_BIG_ENDIAN, negative ? -1 : 1);
    }
    if (status == BIGINT_OK && bytes != NULL) {
        *bytes = COUNT_BYTES + n;
    }
    arena_release(ctx, mark);
    return status;
}

// --- Text ----------------------------------------------------------------------------------------

bigint_status bigint_write_text(bigint_ctx *ctx, FILE *file, size_t *characters, const bigint *a,
                                int base) {
    const char *who = "bigint_write_text";
    uint64_t digits;
    bigint_status status = bigint_digits_bound(ctx, &digits, a, base);
    if (status != BIGINT_OK) {
        return status;
    }
    const size_t cap = digits + 2;  // '-' and NUL
    size_t need = 0;
    const arena_mark mark = arena_get_mark(ctx);
    char *const p = arena_take(ctx, who, cap);
    status = p == NULL ? BIGINT_ENOMEM : bigint_get_text(ctx, p, cap, &need, a, base);
    if (status == BIGINT_OK) {
        status = write_all(ctx, who, file, p, need - 1, characters);
    }
    arena_release(ctx, mark);
    return status;
}

// text: characters read from a file; the last one that was read is `next`, or EOF.
typedef struct {
    FILE *file;
    char *p;
    size_t n, cap;
    int next;
} text;

// accept: keeps `next` and reads the character behind it. Longer texts move to twice the room.
static bigint_status accept(bigint_ctx *ctx, const char *who, text *t) {
    if (t->n == t->cap) {
        char *const p = arena_take(ctx, who, 2 * t->cap);
        if (p == NULL) {
            return BIGINT_ENOMEM;
        }
        memcpy(p, t->p, t->n);
        t->p = p;
        t->cap *= 2;
    }
    t->p[t->n++] = (char)t->next;
    t->next = getc(t->file);
    return BIGINT_OK;
}

// accept_prefix: "0x" or "0b" for base 0; returns the base of the digits that follow.
static bigint_status accept_prefix(bigint_ctx *ctx, const char *who, text *t, int *base) {
    *base = 10;
    if (t->next != '0') {
        return BIGINT_OK;
    }
    const bigint_status status = accept(ctx, who, t);
    const int letter = t->next | 0x20;
    *base = letter == 'x' ? 16 : letter == 'b' ? 2 : 8;
    return status != BIGINT_OK || *base == 8 ? status : accept(ctx, who, t);
}

// accept_number: a sign, a prefix and digits.
static bigint_status accept_number(bigint_ctx *ctx, const char *who, text *t, int base) {
    bigint_status status = BIGINT_OK;
    if (t->next == '-' || t->next == '+') {
        status = accept(ctx, who, t);
    }
    if (status == BIGINT_OK && base == 0) {
        status = accept_prefix(ctx, who, t, &base);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    const text_radix radix = text_radix_of(base);
    while (status == BIGINT_OK && t->next != EOF && text_is_digit(&radix, (char)t->next)) {
        status = accept(ctx, who, t);
    }
    return status;
}

bigint_status bigint_read_text(bigint_ctx *ctx, bigint *r, FILE *file, int base,
                               size_t *characters) {
    const char *who = "bigint_read_text";
    enum { CAP = 256 };
    char few[CAP];
    size_t spaces = 0;
    bigint_status status = bigint_check_places(ctx, who, r, NULL, NULL);
    if (status == BIGINT_OK && base != 0) {
        status = text_check_base(ctx, who, base, 0);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    errno = 0;
    text t = {.file = file, .p = few, .cap = CAP, .next = getc(file)};
    while (t.next == ' ' || (t.next >= '\t' && t.next <= '\r')) {
        spaces++;
        t.next = getc(file);
    }
    const arena_mark mark = arena_get_mark(ctx);
    status = accept_number(ctx, who, &t, base);
    if (ferror(file)) {
        status = file_failed(ctx, who, "the file cannot be read");
    } else if (t.next != EOF) {
        ungetc(t.next, file);
    }
    if (status == BIGINT_OK) {
        status = bigint_set_text(ctx, r, t.p, t.n, base, NULL);
    }
    if (status == BIGINT_OK && characters != NULL) {
        *characters = spaces + t.n;
    }
    arena_release(ctx, mark);
    return status;
}
