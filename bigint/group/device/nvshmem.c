// nvshmem.c: see nvshmem.h.
#include "bigint/group/device/nvshmem.h"

#include <stdio.h>

#include "bigint/group/device/library.h"

enum { OTHER_PE = -1, NOT_STARTED = -2 };  // beside NVSHMEM's own answers

_Static_assert(sizeof(nvshmem_id) == 128, "nvshmemx_uniqueid_v1");
_Static_assert(sizeof(nvshmem_attributes) == 144, "nvshmemx_init_attr_v1");

bool nvshmem_load(nvshmem *n, const char *file, char *why, size_t room) {
    nvshmem own = {.library = NULL};
    const library_function functions[] = {{"nvshmemx_init_status", &own.status},
                                          {"nvshmemx_get_uniqueid", &own.get_id},
                                          {"nvshmemx_set_attr_uniqueid_args", &own.set_id},
                                          {"nvshmemx_hostlib_init_attr", &own.init},
                                          {"nvshmem_my_pe", &own.pe},
                                          {"nvshmem_n_pes", &own.pes},
                                          {"nvshmem_malloc", &own.malloc},
                                          {"nvshmem_free", &own.free},
                                          {"nvshmemx_putmem_on_stream", &own.put},
                                          {"nvshmemx_quiet_on_stream", &own.quiet}};
    // Its own plug-ins look for its functions.
    own.library = library_load(file == NULL ? "libnvshmem_host.so.3" : file, true, "NVSHMEM 3.0",
                               functions, sizeof functions / sizeof *functions, why, room);
    *n = own.library == NULL ? (nvshmem){0} : own;
    return own.library != NULL;
}

// invitation: what every member tells; the id is member 0's.
typedef struct {
    nvshmem_id id;
    int code;
    bool is_pe;
} invitation;

static int start(const nvshmem *n, const exchange *host, nvshmem_id *id) {
    nvshmem_attributes a = {.version = NVSHMEM_VERSION + sizeof a};
    a.args.version = NVSHMEM_VERSION + sizeof a.args;
    a.args.id_args.version = NVSHMEM_VERSION + sizeof a.args.id_args;
    int code = n->set_id((int)host->member, (int)host->members, id, &a);
    code = code == 0 ? n->init(NVSHMEM_WITH_ID, &a) : code;
    // It may answer 0 and have started its bootstrap alone.
    return code == 0 && n->status() < NVSHMEM_INITIALIZED ? NOT_STARTED : code;
}

// begin starts NVSHMEM if no member has yet. *code: its answer, or OTHER_PE if only some have.
static bigint_status begin(const nvshmem *n, exchange *host, int *code) {
    invitation all[EXCHANGE_MEMBERS_MAX];
    invitation own = {.id = {.version = NVSHMEM_VERSION + sizeof own.id},
                      .is_pe = n->status() >= NVSHMEM_INITIALIZED};
    if (host->member == 0 && !own.is_pe) {
        own.code = n->get_id(&own.id);
    }
    if (exchange_all_gather(host, all, &own, sizeof own) != BIGINT_OK) {
        return BIGINT_EPEER;
    }
    bool any = false, every = true;
    for (unsigned i = 0; i < host->members; i++) {
        any = any || all[i].is_pe;
        every = every && all[i].is_pe;
    }
    *code = any && !every ? OTHER_PE : all[0].code;
    if (!any && *code == 0) {
        *code = start(n, host, &all[0].id);
    }
    return BIGINT_OK;
}

bigint_status nvshmem_join(const nvshmem *n, exchange *host, char *why, size_t room) {
    int code, codes[EXCHANGE_MEMBERS_MAX];
    if (begin(n, host, &code) != BIGINT_OK) {
        return BIGINT_EPEER;
    }
    if (code == 0 && (n->pes() != (int)host->members || n->pe() != (int)host->member)) {
        code = OTHER_PE;
    }
    if (exchange_all_gather(host, codes, &code, sizeof code) != BIGINT_OK) {
        return BIGINT_EPEER;
    }
    for (unsigned i = 0; i < host->members; i++) {
        if (codes[i] != 0) {
            snprintf(why, room,
                     codes[i] == OTHER_PE ? "member %u is a PE of another group of NVSHMEM's (%d)"
                                          : "NVSHMEM did not start on member %u: status %d",
                     i, codes[i]);
            return BIGINT_ENOBACKEND;
        }
    }
    return BIGINT_OK;
}
