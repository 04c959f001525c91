// nvshmem.h: NVSHMEM's symmetric heap as the way between devices of several processes (stage.h).
// Internal to bigint/. NVSHMEM is no part of the build: its host library is loaded when a group
// asks for it, and its functions are declared here as its documentation has them (3.0 and later). A
// process is one PE for as long as it runs, so it is the same member in all groups that go by
// NVSHMEM.
#ifndef BIGINT_GROUP_DEVICE_NVSHMEM_H_
#define BIGINT_GROUP_DEVICE_NVSHMEM_H_

#include <stdbool.h>
#include <stddef.h>

#include "bigint/group/device/nvshmem_types.h"
#include "bigint/group/exchange/exchange.h"
#include "primitives/words/result.h"

// nvshmem: the library's functions. Zeros: not loaded.
typedef struct {
    void *library;
    int (*status)(void);
    int (*get_id)(nvshmem_id *id);
    int (*set_id)(int rank, int ranks, const nvshmem_id *id, nvshmem_attributes *attributes);
    int (*init)(unsigned flags, nvshmem_attributes *attributes);
    int (*pe)(void);
    int (*pes)(void);
    void *(*malloc)(size_t bytes);
    void (*free)(void *p);
    void (*put)(void *to, const void *from, size_t bytes, int pe, cuda_stream stream);
    void (*quiet)(cuda_stream stream);
} nvshmem;

// nvshmem_load loads the library: `file`, or libnvshmem_host.so.3 if that is NULL. False if it
// cannot be loaded or lacks a function; `why` says so. It stays loaded.
bool nvshmem_load(nvshmem *n, const char *file, char *why, size_t room);

// nvshmem_join makes this process the PE of its member, on the thread's present device, if it is
// none yet. Collective. Errors, the same for all members: EPEER; ENOBACKEND, with `why`: NVSHMEM
// did not start, or the processes are other PEs already.
bigint_status nvshmem_join(const nvshmem *n, exchange *host, char *why, size_t room);

#endif  // BIGINT_GROUP_DEVICE_NVSHMEM_H_
