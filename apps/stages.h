// stages.h: the stages of a run: their names and times, and a line that shows how far the present
// one is. Includes nothing of ours.
//
// The line is drawn on standard error if that is a terminal and the run has taken a second. The
// cursor stays at its beginning, so that other messages overwrite it.
#ifndef APPS_STAGES_H_
#define APPS_STAGES_H_

#include <stdbool.h>
#include <stdio.h>

enum { STAGES_MOST = 8 };

typedef struct {
    double start;          // of the run
    double lap;            // when the present stage began
    double drawn;          // when the line was last drawn; 0: there is no line
    const char *name;      // of the present stage
    unsigned part, parts;  // of the present stage, each with a progress of its own
    bool terminal;
    struct {
        const char *name;
        double seconds;
    } finished[STAGES_MOST];
    unsigned count;  // of the finished stages
} stages;

void stages_start(stages *s);
// stages_begin begins a stage of `parts` parts, such as operands to read; 0: it will not say how
// far it is. stages_next_part begins the next part.
void stages_begin(stages *s, const char *name, unsigned parts);
void stages_next_part(stages *s);
// stages_progress shows how much of the present part is done, and the time that the stage needs
// for the rest if it goes on so, ten times a second at most. total 0:
// unknown; done is then in bytes. `user` is a stages; the type is that of bigint's progress option.
// Returns 0: go on.
int stages_progress(void *user, double done, double total);
// stages_clear removes the line.
void stages_clear(stages *s);
// stages_end adds the stage to the finished ones and returns its time in seconds.
double stages_end(stages *s);
// stages_print prints the finished stages, with `separator` between them.
void stages_print(const stages *s, FILE *to, const char *separator,
                  void (*print)(FILE *to, const char *name, double seconds));

#endif  // APPS_STAGES_H_
