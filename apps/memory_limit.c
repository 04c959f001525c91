// memory_limit.c: see memory_limit.h. May include count.h.
#include "apps/memory_limit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "apps/count.h"

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint64_t machine_memory(void) {
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : UINT64_MAX;
}

static uint64_t resource_limit(__rlimit_resource_t resource) {
    struct rlimit limit;
    const bool known = getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return known ? limit.rlim_cur : UINT64_MAX;
}

// The number in a file of one line; UINT64_MAX for anything else, such as "max".
static uint64_t number_in(const char *path) {
    FILE *f = fopen(path, "re");
    char line[32] = "";
    if (f != NULL) {
        if (fgets(line, sizeof line, f) != NULL) {
            line[strcspn(line, "\n")] = '\0';
        }
        fclose(f);
    }
    const uint64_t number = count_parse(line, "", UINT64_MAX);
    return number == 0 ? UINT64_MAX : number;
}

// The smallest limit of a group and of the groups above it; `group` is cut shorter from step to
// step.
static uint64_t limit_of_group(const char *root, char *group, const char *file) {
    uint64_t limit = UINT64_MAX;
    for (char *end = group + strlen(group); end != NULL; end = strrchr(group, '/')) {
        *end = '\0';
        char *path;
        if (asprintf(&path, "%s%s/%s", root, group, file) < 0) {
            break;
        }
        limit = smaller(limit, number_in(path));
        free(path);
    }
    return limit;
}

// The limit that one line of the membership tells of: NUMBER:CONTROLLERS:GROUP.
static uint64_t limit_of_line(char *line, const char *mount) {
    strsep(&line, ":");
    const char *const controllers = strsep(&line, ":");
    if (line == NULL) {
        return UINT64_MAX;
    }
    line[strcspn(line, "\n")] = '\0';
    if (*controllers == '\0') {  // version 2
        return limit_of_group(mount, line, "memory.max");
    }
    char *root;
    if (strcmp(controllers, "memory") != 0 || asprintf(&root, "%s/memory", mount) < 0) {
        return UINT64_MAX;
    }
    const uint64_t limit = limit_of_group(root, line, "memory.limit_in_bytes");
    free(root);
    return limit;
}

uint64_t memory_limit_of_cgroups(const char *membership, const char *mount) {
    FILE *f = fopen(membership, "re");
    uint64_t limit = UINT64_MAX;
    char *line = NULL;
    size_t room = 0;
    while (f != NULL && getline(&line, &room, f) > 0) {
        limit = smaller(limit, limit_of_line(line, mount));
    }
    free(line);
    if (f != NULL) {
        fclose(f);
    }
    return limit;
}

uint64_t memory_limit(void) {
    const uint64_t own = smaller(resource_limit(RLIMIT_AS), resource_limit(RLIMIT_DATA));
    const uint64_t groups = memory_limit_of_cgroups("/proc/self/cgroup", "/sys/fs/cgroup");
    return smaller(machine_memory(), smaller(own, groups));
}
