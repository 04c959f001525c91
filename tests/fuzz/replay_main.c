// The main program of a fuzz target in an ordinary build: runs every file named on the command
// line through the target once.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// replay runs one file; returns 0, or 1 when the file cannot be read whole.
static int replay(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        return 1;
    }
    long length = ftell(file);
    rewind(file);
    size_t size = length > 0 ? (size_t)length : 0;
    uint8_t *data = malloc(size + 1);
    if (data == NULL || fread(data, 1, size, file) != size) {
        perror(path);
        return 1;
    }
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 0;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (replay(argv[i]) != 0) {
            return 1;
        }
    }
    printf("replayed %d inputs\n", argc - 1);
    return argc == 1;  // an empty corpus is a mistake of the BUILD file
}
