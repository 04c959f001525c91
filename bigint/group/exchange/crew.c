// crew.c: see crew.h.
#include "bigint/group/exchange/crew.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <unistd.h>

typedef struct {
    crew *of;
    pthread_t thread;
    unsigned index;
} hand;

struct crew {
    pthread_mutex_t lock;  // of what follows
    pthread_cond_t begun, ended;
    uint64_t run;   // programs begun
    unsigned busy;  // threads that have not ended their part
    bool stop;
    crew_part part;
    void *arg;
    pid_t process;
    unsigned hands;  // threads - 1
    hand hand[];
};

size_t crew_bytes(unsigned threads) { return sizeof(crew) + threads * sizeof(hand); }

static void *work(void *arg) {
    hand *const self = arg;
    crew *const c = self->of;
    uint64_t seen = 0;
    pthread_mutex_lock(&c->lock);
    for (;;) {
        while (c->run == seen && !c->stop) {
            pthread_cond_wait(&c->begun, &c->lock);
        }
        if (c->stop) {
            break;
        }
        seen = c->run;
        pthread_mutex_unlock(&c->lock);
        c->part(c->arg, self->index);
        pthread_mutex_lock(&c->lock);
        c->busy--;
        if (c->busy == 0) {
            pthread_cond_signal(&c->ended);
        }
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

crew *crew_start(void *memory, unsigned threads) {
    crew *const c = memory;
    *c = (crew){.process = getpid()};
    if (pthread_mutex_init(&c->lock, NULL) != 0) {
        return NULL;
    }
    if (pthread_cond_init(&c->begun, NULL) != 0) {
        pthread_mutex_destroy(&c->lock);
        return NULL;
    }
    if (pthread_cond_init(&c->ended, NULL) != 0) {
        pthread_cond_destroy(&c->begun);
        pthread_mutex_destroy(&c->lock);
        return NULL;
    }
    for (; c->hands + 1 < threads; c->hands++) {
        hand *const h = &c->hand[c->hands];
        *h = (hand){.of = c, .index = c->hands + 1};
        if (pthread_create(&h->thread, NULL, work, h) != 0) {
            crew_stop(c);
            return NULL;
        }
    }
    return c;
}

void crew_run(crew *c, crew_part part, void *arg) {
    pthread_mutex_lock(&c->lock);
    c->part = part;
    c->arg = arg;
    c->busy = c->hands;
    c->run++;
    pthread_cond_broadcast(&c->begun);
    pthread_mutex_unlock(&c->lock);
    part(arg, 0);
    pthread_mutex_lock(&c->lock);
    while (c->busy > 0) {  // each thread runs, or the system is broken
        pthread_cond_wait(&c->ended, &c->lock);
    }
    pthread_mutex_unlock(&c->lock);
}

void crew_stop(crew *c) {
    if (c == NULL || c->process != getpid()) {
        return;
    }
    pthread_mutex_lock(&c->lock);
    c->stop = true;
    pthread_cond_broadcast(&c->begun);
    pthread_mutex_unlock(&c->lock);
    for (unsigned i = 0; i < c->hands; i++) {
        pthread_join(c->hand[i].thread, NULL);
    }
    pthread_cond_destroy(&c->ended);
    pthread_cond_destroy(&c->begun);
    pthread_mutex_destroy(&c->lock);
}
