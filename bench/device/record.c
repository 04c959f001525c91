// record.c: see record.h.
#include "bench/device/record.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool device_run_parse(device_run *run, int argc, char **argv, int *i) {
    const char *option = argv[*i];
    if (strcmp(option, "--commit") == 0 && *i + 1 < argc) {
        run->commit = argv[++*i];
    } else if (strcmp(option, "--out") == 0 && *i + 1 < argc) {
        run->out = argv[++*i];
    } else if (strcmp(option, "--energy") == 0 && *i + 1 < argc) {
        run->energy = strtod(argv[++*i], NULL);
    } else if (strcmp(option, "--dirty") == 0) {
        run->dirty = true;
    } else if (strcmp(option, "--quick") == 0) {
        run->quick = true;
    } else {
        return false;
    }
    return true;
}

bool device_run_parts(device_run *run, const char *const *names, unsigned count, int argc,
                      char **argv, unsigned *asked) {
    *asked = 0;
    for (int i = 1; i < argc; i++) {
        unsigned part = 0;
        while (part < count && strcmp(argv[i], names[part]) != 0) {
            part++;
        }
        if (part < count) {
            *asked |= 1u << part;
        } else if (!device_run_parse(run, argc, argv, &i)) {
            fprintf(stderr, "%s: what is %s?\n", argv[0], argv[i]);
            return false;
        }
    }
    *asked = *asked == 0 ? (1u << count) - 1 : *asked;
    return true;
}

// "NVIDIA H200" and "NVIDIA H100 80GB HBM3" become h200 and h100.
void device_run_begin(device_run *run) {
    if (run->commit == NULL) {
        run->commit = "unknown";
    }
    device_name(run->device, sizeof run->device);
    const char *name = strncmp(run->device, "NVIDIA ", 7) == 0 ? run->device + 7 : run->device;
    size_t i = 0;
    for (; isalnum((unsigned char)name[i]) && i + 1 < sizeof run->chip; i++) {
        run->chip[i] = (char)tolower((unsigned char)name[i]);
    }
    run->chip[i] = 0;
}

static void print_line(const device_line *l, const device_times *copy) {
    const device_times *t = l->times;
    printf("%-7s %-18s %-14s n %11" PRIu64 " rows %8" PRIu64 "  %10.2f us %6.0f GB/s", l->topic,
           l->op, l->variant, l->n, l->rows, t->median_ns / 1e3, l->bytes / t->median_ns);
    if (l->rival != NULL) {
        printf(" | %s %10.2f us, %5.2f x", l->rival, t[1].median_ns / 1e3,
               t[1].median_ns / t->median_ns);
    }
    printf(" | copy %10.2f us, %4.2f | one by one %8.2f", copy->median_ns / 1e3,
           copy->median_ns / t->median_ns, t->stream_ns / 1e3);
    if (l->rival != NULL) {
        printf(", %s %8.2f", l->rival, t[1].stream_ns / 1e3);
    }
    if (t->joules > 0) {
        printf(" | %.3g J", t->joules);
    }
    if (t->joules > 0 && l->rival != NULL && t[1].joules > 0) {
        printf(", %s %.3g J", l->rival, t[1].joules);
    }
    printf(" | alone %7.2f%s%s\n", t->single_ns / 1e3, l->note != NULL ? " | " : "",
           l->note != NULL ? l->note : "");
    fflush(stdout);
}

// ",\"joules\":..", of a call and of each of its elements; nothing where there is no counter.
static void put_joules(FILE *f, const char *who, double joules, double elements) {
    if (joules > 0) {
        fprintf(f, ",\"%sjoules\":%.6g,\"%sjoules_element\":%.6g", who, joules, who,
                joules / elements);
    }
}

static FILE *append_to(const device_run *run, const char *topic) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s-%s.jsonl", run->out, run->chip, topic);
    FILE *f = fopen(path, "a");
    if (f == NULL) {
        perror(path);
    }
    return f;
}

FILE *device_record_open(const device_run *run, const char *topic, uint64_t bits) {
    FILE *f = append_to(run, topic);
    if (f != NULL) {
        fprintf(f,
                "{\"schema\":1,\"topic\":\"%s\",\"case\":\"mul\",\"backend\":\"cuda\","
                "\"chip\":\"%s\",\"cpu\":\"%s\",\"bits\":%" PRIu64 ",",
                topic, run->chip, run->device, bits);
    }
    return f;
}

void device_record_close(const device_run *run, FILE *f) {
    fprintf(f, "\"checked\":true,\"commit\":\"%s\",\"dirty\":%s}\n", run->commit,
            run->dirty ? "true" : "false");
    fclose(f);
}

bool device_record(const device_run *run, const device_line *l) {
    const device_times *t = l->times, *copy = &t[l->rival != NULL ? 2 : 1];
    print_line(l, copy);
    if (run->out == NULL) {
        return true;
    }
    FILE *f = append_to(run, l->topic);
    if (f == NULL) {
        return false;
    }
    fprintf(f,
            "{\"schema\":1,\"topic\":\"%s\",\"case\":\"%s\",\"op\":\"%s\",\"backend\":\"cuda\","
            "\"engine\":\"%s\",\"variant\":\"%s\",\"forced\":%s,\"chip\":\"%s\",\"cpu\":\"%s\","
            "\"cores\":1,\"roof_simd\":\"none\",\"n\":%" PRIu64
            ",\"unit\":\"elements\",\"count\":%" PRIu64
            ",\"threads\":1,\"median_ns\":%.1f,\"min_ns\":%.1f,\"spread\":%.4f,\"stream_ns\":%.1f,"
            "\"alone_ns\":%.1f,\"samples\":%u,",
            l->topic, l->kase != NULL ? l->kase : l->topic, l->op,
            l->engine != NULL ? l->engine : "auto", l->variant, l->chosen ? "false" : "true",
            run->chip, run->device, l->n, l->rows, t->median_ns, t->min_ns, t->spread, t->stream_ns,
            t->single_ns, t->samples);
    const device_times *rival = l->rival != NULL ? &t[1] : copy;
    fprintf(f,
            "\"rival\":\"%s\",\"rival_median_ns\":%.1f,\"rival_min_ns\":%.1f,"
            "\"rival_stream_ns\":%.1f,\"rival_alone_ns\":%.1f,\"ratio\":%.4f,",
            l->rival != NULL ? l->rival : "copy", rival->median_ns, rival->min_ns, rival->stream_ns,
            rival->single_ns, rival->median_ns / t->median_ns);
    fprintf(f, "\"roof\":\"copy\",\"roof_ns\":%.1f,\"roof_share\":%.4f%s", copy->median_ns,
            copy->median_ns / t->median_ns, l->more != NULL ? l->more : "");
    put_joules(f, "", t->joules, (double)l->n * (double)l->rows);
    put_joules(f, "rival_", rival->joules, (double)l->n * (double)l->rows);
    fprintf(f, ",\"checked\":true,\"commit\":\"%s\",\"dirty\":%s,\"compiler\":\"nvcc\"}\n",
            run->commit, run->dirty ? "true" : "false");
    return fclose(f) == 0;
}
