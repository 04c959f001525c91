// operand_io.c: reads operands and strips what is not a digit, block by block. May include
// operand_io.h and count.h; knows nothing of products.
#include "apps/operand_io.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/count.h"

// Bytes that are read before they are looked at.
enum { BLOCK = 1 << 20 };

// reader: an operand on its way to plain digits.
typedef struct {
    const operand_rules *rules;
    const char *name;  // for messages
    bool has_lines;    // a file or standard input: errors name line, column and offset
    number_text t;     // what has been kept
    size_t room;       // of t.data, the NUL not counted
    uint64_t offset;   // bytes looked at
    uint64_t line, line_start;
    bool has_sign, negative, has_prefix;
} reader;

// --- Memory and its limit ------------------------------------------------------------------------

static void make_room(reader *r, size_t room) {
    char *p = realloc(r->t.data, room + 1);
    if (p == NULL) {
        char size[COUNT_BYTES_ROOM];
        errx(EXIT_MEMORY, "%s: no memory for %s of text", r->name, count_bytes(size, (double)room));
    }
    r->t.data = p;
    r->room = room;
}

static void check_size(const reader *r, uint64_t bytes) {
    if (bytes > r->rules->max_bytes) {
        char most[COUNT_BYTES_ROOM], memory[COUNT_BYTES_ROOM];
        errx(EXIT_MEMORY, "%s: longer than %s; numbers and product must fit in --max-memory, %s",
             r->name, count_bytes(most, (double)r->rules->max_bytes),
             count_bytes(memory, (double)r->rules->max_memory));
    }
}

// --- Characters ----------------------------------------------------------------------------------

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static bool is_digit(char c, number_format format) {
    return (c >= '0' && c <= '9') ||
           (format == FORMAT_HEX && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
}

static _Noreturn void stray_character(const reader *r, char c) {
    const unsigned long long column = r->offset - r->line_start + 1;
    char shown[8], where[96];
    snprintf(shown, sizeof shown, c > ' ' && c <= '~' ? "'%c'" : "0x%02x", (unsigned char)c);
    if (r->has_lines) {
        snprintf(where, sizeof where, "line %llu, column %llu, offset %llu",
                 (unsigned long long)r->line, column, (unsigned long long)r->offset);
    } else {
        snprintf(where, sizeof where, "character %llu", column);
    }
    const bool is_hex = r->rules->format == FORMAT_DECIMAL && (is_digit(c, FORMAT_HEX) || c == 'x');
    errx(EXIT_USAGE, "%s: %s: stray %s%s", r->name, where, shown,
         is_hex ? " among decimal digits; is it --from hex?" : "");
}

// Keeps '-' and digits of the `count` characters after t; drops '+', "0x" and white space.
static void keep_digits(reader *r, size_t count) {
    const number_format format = r->rules->format;
    const char *const from = r->t.data + r->t.length;
    char *const data = r->t.data;
    size_t kept = r->t.length;
    for (size_t i = 0; i < count; i++, r->offset++) {
        const char c = from[i];
        const size_t digits = kept - r->negative;
        if (is_digit(c, format)) {
            data[kept++] = c;
        } else if (is_space(c)) {
            r->line += c == '\n';
            r->line_start = c == '\n' ? r->offset + 1 : r->line_start;
        } else if ((c == '-' || c == '+') && digits == 0 && !r->has_sign && !r->has_prefix) {
            r->has_sign = true;
            r->negative = c == '-';
            data[kept] = '-';
            kept += r->negative;
        } else if (format == FORMAT_HEX && (c == 'x' || c == 'X') && digits == 1 &&
                   data[kept - 1] == '0' && !r->has_prefix) {
            r->has_prefix = true;
            kept--;
        } else {
            stray_character(r, c);
        }
    }
    r->t.length = kept;
}

static bool is_binary(number_format f) { return f == FORMAT_RAW || f == FORMAT_GMP; }

// Takes over the `count` bytes after t.
static void keep(reader *r, size_t count) {
    check_size(r, r->offset + count);
    if (is_binary(r->rules->format)) {
        r->t.length += count;
        r->offset += count;
    } else {
        keep_digits(r, count);
    }
}

static bool is_stdin(const char *word) { return strcmp(word, "-") == 0; }

number_format operand_format(const bigmul_options *o, int i) {
    const bool exponent = i == 1 && (o->verb == VERB_POWER || o->verb == VERB_ROOT);
    if (!exponent || !is_binary(o->from)) {
        return o->from;
    }
    const bool typed = o->operands[i][0] != '@' && !is_stdin(o->operands[i]);
    return typed ? FORMAT_DECIMAL : o->from;
}

// --- Sources -------------------------------------------------------------------------------------

// Reads all of fd. The room doubles, so that a pipe of n bytes is copied O(n); for a regular file
// the first guess is right, with a byte more to see its end.
static void read_all(reader *r, int fd) {
    struct stat info;
    if (fstat(fd, &info) != 0) {
        err(EXIT_IO, "%s", r->name);
    }
    const uint64_t size = S_ISREG(info.st_mode) && info.st_size > 0 ? (uint64_t)info.st_size : 0;
    check_size(r, size);
    make_room(r, size > 0 ? size + 1 : 1 << 16);
    for (;;) {
        if (r->t.length == r->room) {
            const uint64_t most = r->rules->max_bytes + 1;  // the byte that is too many
            make_room(r, 2 * r->room < most ? 2 * r->room : most);
        }
        const size_t room = r->room - r->t.length;
        const ssize_t got = read(fd, r->t.data + r->t.length, room < BLOCK ? room : BLOCK);
        if (got == 0) {
            return;
        }
        if (got < 0 && errno != EINTR) {
            err(EXIT_IO, "%s", r->name);
        }
        keep(r, got > 0 ? (size_t)got : 0);
        r->rules->progress(r->rules->user, (double)r->offset, (double)size);
    }
}

static void read_file(reader *r, const char *path) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        err(EXIT_IO, "%s", r->name);
    }
    read_all(r, fd);
    close(fd);
}

static void read_word(reader *r, const char *word) {
    const size_t length = strlen(word);
    if (is_binary(r->rules->format)) {
        errx(EXIT_USAGE, "%s: raw bytes come from @FILE or -, not from the command line", r->name);
    }
    make_room(r, length);
    memcpy(r->t.data, word, length);
    keep(r, length);
}

// --- GMP's raw format ----------------------------------------------------------------------------

static int64_t gmp_size(const number_text *t) {
    uint32_t size = 0;
    for (int i = 0; i < GMP_HEADER; i++) {
        size = size << 8 | (unsigned char)t->data[i];
    }
    return (int32_t)size;
}

int gmp_sign(const number_text *t) { return gmp_size(t) < 0 ? -1 : 1; }

bool gmp_header(char *to, size_t bytes, bool negative) {
    const uint32_t size = negative ? -(uint32_t)bytes : (uint32_t)bytes;
    for (int i = 0; i < GMP_HEADER; i++) {
        to[i] = (char)(size >> (24 - 8 * i));
    }
    return bytes <= INT32_MAX;
}

static void check_gmp(const reader *r) {
    const int64_t size = r->t.length < GMP_HEADER ? -1 : gmp_size(&r->t);
    const uint64_t bytes = (uint64_t)(size < 0 ? -size : size);
    if (r->t.length < GMP_HEADER || bytes != r->t.length - GMP_HEADER) {
        errx(EXIT_USAGE, "%s: not one number as mpz_out_raw writes it", r->name);
    }
}

// -------------------------------------------------------------------------------------------------

number_text operand_read(const char *word, int ordinal, const operand_rules *rules) {
    const bool is_file = word[0] == '@';
    reader r = {.rules = rules,
                .name = is_stdin(word) ? "standard input"
                        : is_file      ? word + 1
                        : ordinal == 1 ? "first operand"
                        : ordinal == 2 ? "second operand"
                                       : "modulus",
                .has_lines = is_stdin(word) || is_file,
                .line = 1};
    if (is_file && *r.name == '\0') {
        errx(EXIT_USAGE, "@ needs the name of a file");
    }
    if (is_stdin(word)) {
        read_all(&r, STDIN_FILENO);
    } else if (is_file) {
        read_file(&r, word + 1);
    } else {
        read_word(&r, word);
    }
    if (r.t.length == (size_t)r.negative) {
        errx(EXIT_USAGE, is_binary(rules->format) ? "%s: empty" : "%s: no digits", r.name);
    }
    if (rules->format == FORMAT_GMP) {
        check_gmp(&r);
    }
    r.t.data[r.t.length] = '\0';
    return r.t;
}
