// record.c: see record.h. May include apps/program.h.
#include "bench/device/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/program.h"

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
    program_flush();
}

// ",\"joules\":..", of a call and of each of its elements; nothing where there is no counter.
static void put_joules(FILE *f, const char *who, double joules, double elements) {
    if (joules > 0) {
        fprintf(f, ",\"%sjoules\":%.6g,\"%sjoules_element\":%.6g", who, joules, who,
                joules / elements);
    }
}

FILE *device_records_open(const device_run *run, const char *topic) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s-%s.jsonl", run->out, run->chip, topic);
    FILE *const f = fopen(path, "a");
    if (f == NULL) {
        perror(path);
        exit(EXIT_IO);
    }
    return f;
}

void device_records_close(FILE *f) {
    const bool lost = ferror(f) != 0;
    if (fclose(f) != 0 || lost) {
        perror("writing a record");
        exit(EXIT_IO);
    }
}

FILE *device_record_open(const device_run *run, const char *topic, uint64_t bits) {
    FILE *const f = device_records_open(run, topic);
    fprintf(f,
            "{\"schema\":1,\"topic\":\"%s\",\"case\":\"mul\",\"backend\":\"cuda\","
            "\"chip\":\"%s\",\"cpu\":\"%s\",\"bits\":%" PRIu64 ",",
            topic, run->chip, run->device, bits);
    return f;
}

void device_record_close(const device_run *run, FILE *f) {
    fprintf(f, "\"checked\":true,\"commit\":\"%s\",\"dirty\":%s}\n", run->commit,
            run->dirty ? "true" : "false");
    device_records_close(f);
}

void device_record(const device_run *run, const device_line *l) {
    const device_times *t = l->times, *copy = &t[l->rival != NULL ? 2 : 1];
    print_line(l, copy);
    if (run->out == NULL) {
        return;
    }
    FILE *const f = device_records_open(run, l->topic);
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
    device_records_close(f);
}
