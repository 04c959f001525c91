// members.c: see members.h.
#include "tests/bigint/group/members.h"

#include <pthread.h>
#include <stdlib.h>

#include "bigint/group/exchange/local.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

typedef struct {
    pthread_t thread;
    member member;
    member_program program;
    void *arg;
} seat;

static void *run_seat(void *arg) {
    seat *const s = arg;
    s->program(&s->member, s->arg);
    return NULL;
}

void members_run(const members_setting *setting, member_program program, void *arg) {
    void *const memory = aligned_alloc(64, (exchange_hub_bytes(setting->members) + 63) / 64 * 64);
    ASSERT_TRUE(memory != NULL && setting->members <= MEMBERS_MAX);
    exchange_hub *const hub = exchange_hub_open(memory, setting->members, setting->timeout_s);
    ASSERT_TRUE(hub != NULL);
    seat seats[MEMBERS_MAX];
    for (unsigned i = 0; i < setting->members; i++) {
        exchange *const x = exchange_hub_endpoint(hub, i);
        if (setting->transport != NULL) {
            x->ops = setting->transport;
        }
        bigint_ctx *const ctx = fixture_ctx(setting->options != NULL ? setting->options[i] : NULL);
        seats[i] = (seat){.member = {x, ctx}, .program = program, .arg = arg};
    }
    for (unsigned i = 0; i < setting->members; i++) {
        ASSERT_EQ(pthread_create(&seats[i].thread, NULL, run_seat, &seats[i]), 0);
    }
    for (unsigned i = 0; i < setting->members; i++) {
        EXPECT_EQ(pthread_join(seats[i].thread, NULL), 0);
        bigint_ctx_destroy(seats[i].member.ctx);
    }
    exchange_hub_close(hub);
    free(memory);
}
