// memory_limit.h: how much memory this process may have. Includes nothing of ours.
#ifndef APPS_MEMORY_LIMIT_H_
#define APPS_MEMORY_LIMIT_H_

#include <stdint.h>

// memory_limit returns the smallest of the machine's memory, the limits of this process's control
// groups, and its own (ulimit -v, ulimit -d), in bytes. UINT64_MAX if none is known.
uint64_t memory_limit(void);

// memory_limit_of_cgroups returns the smallest memory limit of the control groups that the file
// `membership` (/proc/self/cgroup) lists, and of the groups that hold them. `mount` is where they
// are mounted (/sys/fs/cgroup). Version 1 and 2. UINT64_MAX: no limit, or no control groups.
uint64_t memory_limit_of_cgroups(const char *membership, const char *mount);

#endif  // APPS_MEMORY_LIMIT_H_
