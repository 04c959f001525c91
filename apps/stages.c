// stages.c: see stages.h. May include count.h for sizes and machine.h for the clock.
#include "apps/stages.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "apps/count.h"
#include "apps/machine.h"

void stages_start(stages *s) {
    *s = (stages){.start = seconds_now(), .terminal = isatty(STDERR_FILENO) == 1};
}

void stages_begin(stages *s, const char *name, unsigned parts) {
    s->name = name;
    s->part = 0;
    s->parts = parts;
    s->lap = seconds_now();
    stages_progress(s, 0, 1);
}

void stages_next_part(stages *s) { s->part++; }

int stages_progress(void *user, double done, double total) {
    stages *s = user;
    const double now = seconds_now();
    if (!s->terminal || now - s->start < 1 || now - s->drawn < 0.1) {
        return 0;
    }
    s->drawn = now;
    if (s->parts == 0) {
        fprintf(stderr, "bigmul: %s\033[K\r", s->name);
    } else if (total > 0) {
        const double fraction = (s->part + fmin(done / total, 1)) / s->parts;
        const double left = fraction > 0 ? (now - s->lap) * (1 - fraction) / fraction : 0;
        fprintf(stderr, "bigmul: %s %3.0f %%", s->name, 100 * fraction);
        if (left >= 1) {
            fprintf(stderr, ", %.0f %s left", left < 120 ? left : left / 60,
                    left < 120 ? "s" : "min");
        }
        fprintf(stderr, "\033[K\r");
    } else {
        char size[COUNT_BYTES_ROOM];
        fprintf(stderr, "bigmul: %s %s\033[K\r", s->name, count_bytes(size, done));
    }
    return 0;
}

void stages_clear(stages *s) {
    if (s->drawn != 0) {
        fprintf(stderr, "\033[K");
        s->drawn = 0;
    }
}

double stages_end(stages *s) {
    const double seconds = seconds_now() - s->lap;
    stages_clear(s);
    if (s->count < STAGES_MOST) {
        s->finished[s->count].name = s->name;
        s->finished[s->count++].seconds = seconds;
    }
    return seconds;
}

void stages_print(const stages *s, FILE *to, const char *separator,
                  void (*print)(FILE *to, const char *name, double seconds)) {
    for (unsigned i = 0; i < s->count; i++) {
        fputs(i == 0 ? "" : separator, to);
        print(to, s->finished[i].name, s->finished[i].seconds);
    }
}
