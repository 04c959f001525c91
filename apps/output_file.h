// output_file.h: a result that appears complete or not at all. Includes nothing of ours.
//
// A regular file is written under a temporary name in the same folder, fsync'd and renamed. The
// temporary file is removed if the program exits or is told to end before that. Standard output,
// devices and pipes are written directly. A program has one output, because the signal handler
// needs its name. Errors print one line and exit with the code given to output_open.
#ifndef APPS_OUTPUT_FILE_H_
#define APPS_OUTPUT_FILE_H_

#include <stddef.h>

// output_open: path NULL or "-" means standard output.
void output_open(const char *path, int exit_code);
void output_write(const char *data, size_t length);
// output_finish: everything written is now in place.
void output_finish(void);

#endif  // APPS_OUTPUT_FILE_H_
