// gmp_memory.h: GMP where memory is missing. Includes nothing of ours.
#ifndef APPS_GMP_MEMORY_H_
#define APPS_GMP_MEMORY_H_

// gmp_memory_checked makes GMP, which would abort, end the program by program_no_memory. Before any
// other call of GMP's.
void gmp_memory_checked(void);

#endif  // APPS_GMP_MEMORY_H_
