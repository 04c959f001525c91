// folder.h: refuses records that could not be written, before anything is measured. Includes the C
// library only.
#ifndef BENCH_FOLDER_H_
#define BENCH_FOLDER_H_

// bench_folder_refusal: NULL if files can be made in the folder, otherwise the system's reason.
const char *bench_folder_refusal(const char *path);
// bench_file_refusal: NULL if the file can be appended to, which makes it if it is not there,
// otherwise the system's reason.
const char *bench_file_refusal(const char *path);

#endif  // BENCH_FOLDER_H_
