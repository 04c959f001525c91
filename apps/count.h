// count.h: numbers on command lines, for the programs. Includes nothing of ours.
#ifndef APPS_COUNT_H_
#define APPS_COUNT_H_

#include <ctype.h>
#include <inttypes.h>
#include <stdint.h>
#include <string.h>

// count_parse: reads digits with an optional suffix from `suffixes`, in either case. Each suffix is
// worth 2^10 times the one before. Returns 0 for any other text and for numbers above max.
static inline uint64_t count_parse(const char *text, const char *suffixes, uint64_t max) {
    if (*text < '0' || *text > '9') {  // strtoumax would take spaces and a sign
        return 0;
    }
    char *end;
    const uintmax_t count = strtoumax(text, &end, 10);
    const char *suffix = *end != '\0' ? strchr(suffixes, toupper((unsigned char)*end)) : NULL;
    const unsigned shift = suffix == NULL ? 0 : 10 * (unsigned)(suffix - suffixes + 1);
    end += suffix != NULL;
    return *end == '\0' && count <= max >> shift ? (uint64_t)count << shift : 0;
}

#endif  // APPS_COUNT_H_
