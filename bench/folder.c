// folder.c: see folder.h.
#define _POSIX_C_SOURCE 200809L
#include "bench/folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *bench_folder_refusal(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0) {
        return strerror(errno);
    }
    if (!S_ISDIR(info.st_mode)) {
        return strerror(ENOTDIR);
    }
    return access(path, W_OK | X_OK) == 0 ? NULL : strerror(errno);
}

const char *bench_file_refusal(const char *path) {
    FILE *const f = fopen(path, "a");
    return f != NULL && fclose(f) == 0 ? NULL : strerror(errno);
}
