// kat_reader.c: see kat_reader.h.
#include "tests/kat/kat_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

kat_reader kat_open(char *text) { return (kat_reader){.next = text, .line = 1}; }

void kat_fail(kat_reader *k, const char *format, ...) {
    if (k->error[0] != 0) {
        return;
    }
    const int used = snprintf(k->error, sizeof k->error, "line %lu: ", k->block_line);
    va_list args;
    va_start(args, format);
    vsnprintf(k->error + used, sizeof k->error - (size_t)used, format, args);
    va_end(args);
}

// next_line cuts the line at k->next off and returns it; NULL at the end of the text.
static char *next_line(kat_reader *k) {
    char *const line = k->next;
    if (*line == 0) {
        return NULL;
    }
    char *const end = strchr(line, '\n');
    k->next = end == NULL ? line + strlen(line) : end + 1;
    if (end != NULL) {
        *end = 0;
    }
    k->line++;
    return line;
}

static kat_attribute *find(kat_reader *k, const char *name) {
    for (size_t i = 0; i < k->count; i++) {
        if (strcmp(k->attributes[i].name, name) == 0) {
            return &k->attributes[i];
        }
    }
    return NULL;
}

// add_attribute splits "name = value".
static void add_attribute(kat_reader *k, char *line) {
    char *const middle = strstr(line, " = ");
    if (middle == NULL || middle == line || middle[3] == 0) {
        kat_fail(k, "'%.40s' is not of the form 'name = value'", line);
        return;
    }
    *middle = 0;
    if (find(k, line) != NULL) {
        kat_fail(k, "attribute %.40s stands twice", line);
    } else if (k->count == KAT_ATTRIBUTES_MAX) {
        kat_fail(k, "more than %d attributes", KAT_ATTRIBUTES_MAX);
    } else {
        k->attributes[k->count++] = (kat_attribute){line, middle + 3, 0};
    }
}

const char *kat_next(kat_reader *k) {
    for (size_t i = 0; i < k->count; i++) {
        if (!k->attributes[i].taken) {
            kat_fail(k, "attribute %.40s is of no use to %.40s", k->attributes[i].name,
                     k->attributes[0].value);
        }
    }
    k->count = 0;
    for (char *line; k->error[0] == 0 && (line = next_line(k)) != NULL;) {
        if (line[0] == '#') {
            continue;
        }
        if (line[0] == 0 && k->count > 0) {
            break;
        }
        if (line[0] != 0) {
            k->block_line = k->count == 0 ? k->line - 1 : k->block_line;
            add_attribute(k, line);
        }
    }
    if (k->error[0] != 0 || k->count == 0) {
        return NULL;
    }
    if (strcmp(k->attributes[0].name, "Operation") != 0) {
        kat_fail(k, "the block does not begin with Operation");
        return NULL;
    }
    k->attributes[0].taken = 1;
    return k->attributes[0].value;
}

const char *kat_take(kat_reader *k, const char *name) {
    kat_attribute *a = find(k, name);
    if (a == NULL) {
        kat_fail(k, "%.40s has no attribute %.40s", k->attributes[0].value, name);
        return "";
    }
    a->taken = 1;
    return a->value;
}
