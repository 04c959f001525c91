// host.c: reads /proc/cpuinfo, the compiler's macros and git's answers.
#define _POSIX_C_SOURCE 200809L
#include "bench/host.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What /proc/cpuinfo says about the first processor.
typedef struct {
    char vendor[32], name[96], flags[4096];
    int family, model;
} processor;

typedef struct {
    const char *chip, *vendor;
    int family, first_model, last_model;
    const char *flag;  // must be among the flags; "" for none
} known_chip;

// First match wins. A hypervisor may hide the model; then a flag tells the generation.
static const known_chip known_chips[] = {
    {"zen5", "AuthenticAMD", 26, 0, 255, ""},
    {"zen4", "AuthenticAMD", 25, 0, 255, "avx512f"},
    {"zen3", "AuthenticAMD", 25, 0, 255, ""},
    {"zen2", "AuthenticAMD", 23, 0x30, 255, ""},
    {"zen1", "AuthenticAMD", 23, 0, 0x2f, ""},
    {"granite-rapids", "GenuineIntel", 6, 173, 174, ""},
    {"emerald-rapids", "GenuineIntel", 6, 207, 207, ""},
    {"sapphire-rapids", "GenuineIntel", 6, 143, 143, ""},
    {"xeon-amx", "GenuineIntel", 6, 0, 255, "amx_tile"},
    {"ice-lake", "GenuineIntel", 6, 0, 255, "avx512ifma"},
    {"skylake-x", "GenuineIntel", 6, 0, 255, "avx512f"},
    {"haswell", "GenuineIntel", 6, 0, 255, "avx2"},
};

static bool has_flag(const char *flags, const char *flag) {
    size_t n = strlen(flag);
    if (n == 0) {
        return true;  // found everywhere: the search below would not advance
    }
    for (const char *p = flags; (p = strstr(p, flag)) != NULL; p += n) {
        if ((p == flags || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0' || p[n] == '\n')) {
            return true;
        }
    }
    return false;
}

// The text after "key<tab>: " if the line begins with key.
static bool field(const char *line, const char *key, char *to, size_t cap) {
    size_t n = strlen(key);
    const char *colon = strchr(line, ':');
    if (strncmp(line, key, n) != 0 || (line[n] != '\t' && line[n] != ' ' && line[n] != ':') ||
        !colon) {
        return false;
    }
    if (line[n] == ' ' && colon > line + n + 1) {
        return false;  // a longer key: "model name" is not "model"
    }
    snprintf(to, cap, "%s", colon[1] == ' ' ? colon + 2 : colon + 1);
    to[strcspn(to, "\n")] = '\0';
    return true;
}

static void read_processor(processor *p) {
    FILE *f = fopen("/proc/cpuinfo", "r");
    char line[sizeof p->flags + 32];
    char number[16];
    while (f && fgets(line, sizeof line, f) && line[0] != '\n') {
        field(line, "vendor_id", p->vendor, sizeof p->vendor);
        field(line, "model name", p->name, sizeof p->name);
        field(line, "flags", p->flags, sizeof p->flags);
        if (field(line, "cpu family", number, sizeof number)) {
            p->family = atoi(number);
        }
        if (field(line, "model", number, sizeof number)) {
            p->model = atoi(number);
        }
    }
    if (f) {
        fclose(f);
    }
}

// Lower-case letters, digits and single hyphens of name: a chip the table does not know.
static void slug(char *to, size_t cap, const char *name) {
    size_t n = 0;
    for (; *name && n + 1 < cap; name++) {
        if (isalnum((unsigned char)*name)) {
            to[n++] = (char)tolower((unsigned char)*name);
        } else if (n > 0 && to[n - 1] != '-') {
            to[n++] = '-';
        }
    }
    to[n] = '\0';
    if (n == 0) {
        snprintf(to, cap, "unknown");
    }
}

static void name_chip(bench_host *host, const processor *p) {
    snprintf(host->cpu, sizeof host->cpu, "%s", p->name[0] ? p->name : "unknown");
    slug(host->chip, sizeof host->chip, p->name);
    for (size_t i = 0; i < sizeof known_chips / sizeof known_chips[0]; i++) {
        const known_chip *k = &known_chips[i];
        if (strcmp(k->vendor, p->vendor) == 0 && k->family == p->family &&
            k->first_model <= p->model && p->model <= k->last_model &&
            has_flag(p->flags, k->flag)) {
            snprintf(host->chip, sizeof host->chip, "%s", k->chip);
            return;
        }
    }
}

// The first line that the command prints; false if it fails.
static bool first_line(const char *command, char *to, size_t cap) {
    FILE *f = popen(command, "r");
    to[0] = '\0';
    if (!f) {
        return false;
    }
    if (fgets(to, (int)cap, f)) {
        to[strcspn(to, "\n")] = '\0';
    }
    char rest[256];
    while (fgets(rest, sizeof rest, f)) {
    }
    return pclose(f) == 0;
}

bench_host bench_host_get(void) {
    bench_host host = {.cores = sysconf(_SC_NPROCESSORS_ONLN)};
    processor p = {0};
    read_processor(&p);
    name_chip(&host, &p);
#if defined(__clang__)
    snprintf(host.compiler, sizeof host.compiler, "clang %d.%d.%d", __clang_major__,
             __clang_minor__, __clang_patchlevel__);
#else
    snprintf(host.compiler, sizeof host.compiler, "gcc %d.%d.%d", __GNUC__, __GNUC_MINOR__,
             __GNUC_PATCHLEVEL__);
#endif
    char change[256];
    if (!first_line("git rev-parse HEAD 2>/dev/null", host.commit, sizeof host.commit)) {
        snprintf(host.commit, sizeof host.commit, "unknown");
    }
    // The sources of the measured program. Records, tables and plots may change.
    host.dirty =
        !first_line(
            "git status --porcelain -- primitives carry fft bigint tests/support 'bench/*.[ch]' "
            "WORKSPACE .bazelrc bazel 2>/dev/null",
            change, sizeof change) ||
        change[0] != '\0';
    return host;
}
