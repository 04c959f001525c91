// program.h: what every program of this tree does alike: exit codes, output that is complete or
// reported, missing memory. Includes the C library only.
#ifndef APPS_PROGRAM_H_
#define APPS_PROGRAM_H_

#include <pthread.h>
#include <stddef.h>

// Exit codes besides 0, and the sentence that --help says about them.
#define PROGRAM_EXIT_CODES                                                                   \
    "Exit codes: 0 done; 1 a result is wrong or could not be computed; 2 usage; 3 reading, " \
    "writing or a device failed; 4 no memory."
enum {
    EXIT_WRONG = 1,   // a result is wrong, or could not be computed
    EXIT_USAGE = 2,   // the command line asks for something that is not there
    EXIT_IO = 3,      // reading, writing or a device failed
    EXIT_MEMORY = 4,  // memory is missing
};

// program_begin comes first in main. It refuses a stack that is too small, and makes a closed pipe
// and a limit on file sizes errors like any other. When the program ends, after --help too, it
// checks that everything printed has been written. If not, it prints one line and ends with
// EXIT_IO.
void program_begin(void);
// program_prints refuses a closed standard output, for programs that have no other result. A file
// that they open would take its place.
void program_prints(void);
// program_flush writes out what was printed; it ends the program with EXIT_IO if that fails.
void program_flush(void);

// program_no_memory prints "no memory: " and the text, and ends the program with EXIT_MEMORY. Any
// thread may call it, and several at the same time.
_Noreturn void program_no_memory(const char *format, ...) __attribute__((format(printf, 1, 2)));
// program_memory is calloc, but never returns NULL. `what` is for the line that a failure prints.
void *program_memory(size_t count, size_t size, const char *what);
// program_thread starts a thread, or ends the program with EXIT_MEMORY.
void program_thread(pthread_t *thread, void *(*run)(void *), void *arg);

#endif  // APPS_PROGRAM_H_
