// count.h: numbers and sizes on command lines and in messages, for the programs. Includes nothing
// of ours.
#ifndef APPS_COUNT_H_
#define APPS_COUNT_H_

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// count_parse: reads digits with an optional suffix from `suffixes`, in either case. Each suffix is
// worth 2^10 times the one before. Returns 0 for any other text and for numbers above max.
static inline uint64_t count_parse(const char *text, const char *suffixes, uint64_t max) {
    uint64_t count = 0;
    const char *end = text;
    for (; *end >= '0' && *end <= '9'; end++) {
        const unsigned digit = (unsigned)(*end - '0');
        if (count > (UINT64_MAX - digit) / 10) {
            return 0;
        }
        count = 10 * count + digit;
    }
    const bool digits = end > text;
    const char *suffix = *end != '\0' ? strchr(suffixes, toupper((unsigned char)*end)) : NULL;
    const unsigned shift = suffix == NULL ? 0 : 10 * (unsigned)(suffix - suffixes + 1);
    end += suffix != NULL;
    return digits && *end == '\0' && count <= max >> shift ? count << shift : 0;
}

// count_bytes writes a size as people read it, such as "812 bytes" or "14.4 GiB", and returns text.
enum { COUNT_BYTES_ROOM = 32 };
static inline const char *count_bytes(char text[COUNT_BYTES_ROOM], double bytes) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    unsigned unit = 0;
    for (; bytes >= 1024 && unit < 6; unit++) {
        bytes /= 1024;
    }
    snprintf(text, COUNT_BYTES_ROOM, unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
    return text;
}

#endif  // APPS_COUNT_H_
