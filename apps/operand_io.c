// operand_io.c: reads operands and strips what is not a digit. May include operand_io.h; knows
// nothing of products.
#include "apps/operand_io.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double kMebibyte = 1024.0 * 1024.0;

// How messages name the operand.
typedef struct {
    const char *name;
    bool has_lines;  // a file or standard input: errors name line and column
} origin;

static char *allocate(char *old, size_t bytes, origin from) {
    char *p = realloc(old, bytes);
    if (p == NULL) {
        errx(EXIT_MEMORY, "%s: no memory for %.1f MiB of text", from.name,
             (double)bytes / kMebibyte);
    }
    return p;
}

static void check_size(uint64_t bytes, uint64_t max_bytes, origin from) {
    if (bytes > max_bytes) {
        errx(EXIT_MEMORY, "%s: longer than the %.1f MiB that --max-memory allows", from.name,
             (double)max_bytes / kMebibyte);
    }
}

// Reads all of fd. The room doubles, so that a pipe of n bytes is copied O(n); for a regular file
// the first guess is right.
static number_text read_all(int fd, uint64_t max_bytes, origin from) {
    struct stat info;
    if (fstat(fd, &info) != 0) {
        err(EXIT_IO, "%s", from.name);
    }
    size_t room = 1 << 16;
    if (S_ISREG(info.st_mode) && info.st_size > 0) {
        check_size((uint64_t)info.st_size, max_bytes, from);
        room = (size_t)info.st_size;
    }
    number_text t = {allocate(NULL, room + 1, from), 0};  // + 1 for the NUL
    for (;;) {
        if (t.length == room) {
            char next;  // grows only if there is something to put there
            const ssize_t more = read(fd, &next, 1);
            if (more == 0) {
                break;
            }
            if (more < 0 && errno != EINTR) {
                err(EXIT_IO, "%s", from.name);
            }
            if (more == 1) {
                room *= 2;
                t.data = allocate(t.data, room + 1, from);
                t.data[t.length++] = next;
            }
            continue;
        }
        const ssize_t got = read(fd, t.data + t.length, room - t.length);
        if (got == 0) {
            break;
        }
        if (got < 0 && errno != EINTR) {
            err(EXIT_IO, "%s", from.name);
        }
        t.length += got > 0 ? (size_t)got : 0;
        check_size(t.length, max_bytes, from);
    }
    t.data[t.length] = '\0';
    return t;
}

static number_text read_file(const char *path, uint64_t max_bytes, origin from) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        err(EXIT_IO, "%s", from.name);
    }
    const number_text t = read_all(fd, max_bytes, from);
    close(fd);
    return t;
}

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static bool is_digit(char c, number_format format) {
    return (c >= '0' && c <= '9') ||
           (format == FORMAT_HEX && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
}

static _Noreturn void stray_character(char c, origin from, size_t line, size_t column,
                                      number_format format) {
    char shown[8], where[64];
    snprintf(shown, sizeof shown, c > ' ' && c <= '~' ? "'%c'" : "0x%02x", (unsigned char)c);
    if (from.has_lines) {
        snprintf(where, sizeof where, "line %zu, column %zu", line, column);
    } else {
        snprintf(where, sizeof where, "character %zu", column);
    }
    const bool is_hex = format == FORMAT_DECIMAL && (is_digit(c, FORMAT_HEX) || c == 'x');
    errx(EXIT_USAGE, "%s: %s: stray %s%s", from.name, where, shown,
         is_hex ? " among decimal digits; is it --from hex?" : "");
}

// Moves '-' and the digits of t together; drops '+', "0x" and white space.
static void keep_digits(number_text *t, origin from, number_format format) {
    size_t kept = 0, line = 1, line_start = 0;
    bool has_sign = false, negative = false, has_prefix = false;
    for (size_t i = 0; i < t->length; i++) {
        const char c = t->data[i];
        const size_t digits = kept - negative;
        if (is_digit(c, format)) {
            t->data[kept++] = c;
        } else if (is_space(c)) {
            line += c == '\n';
            line_start = c == '\n' ? i + 1 : line_start;
        } else if ((c == '-' || c == '+') && digits == 0 && !has_sign && !has_prefix) {
            has_sign = true;
            negative = c == '-';
            t->data[kept] = '-';
            kept += negative;
        } else if (format == FORMAT_HEX && (c == 'x' || c == 'X') && digits == 1 &&
                   t->data[kept - 1] == '0' && !has_prefix) {
            has_prefix = true;
            kept--;
        } else {
            stray_character(c, from, line, i - line_start + 1, format);
        }
    }
    t->data[kept] = '\0';
    t->length = kept;
    if (kept == (size_t)negative) {
        errx(EXIT_USAGE, "%s: no digits", from.name);
    }
}

number_text operand_read(const char *word, int ordinal, number_format format, uint64_t max_bytes) {
    const bool is_stdin = strcmp(word, "-") == 0;
    const bool is_file = word[0] == '@';
    const origin from = {is_stdin       ? "standard input"
                         : is_file      ? word + 1
                         : ordinal == 1 ? "first operand"
                                        : "second operand",
                         is_stdin || is_file};
    number_text t;
    if (is_stdin) {
        t = read_all(STDIN_FILENO, max_bytes, from);
    } else if (is_file) {
        t = read_file(word + 1, max_bytes, from);
    } else if (format == FORMAT_RAW) {
        errx(EXIT_USAGE, "%s: raw bytes come from @FILE or -, not from the command line",
             from.name);
    } else {
        t.length = strlen(word);
        t.data = memcpy(allocate(NULL, t.length + 1, from), word, t.length + 1);
    }
    if (format != FORMAT_RAW) {
        keep_digits(&t, from, format);
    } else if (t.length == 0) {
        errx(EXIT_USAGE, "%s: empty", from.name);
    }
    return t;
}
