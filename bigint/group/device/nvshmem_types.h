// nvshmem_types.h: NVSHMEM's structs and constants, as its documentation has them. Internal to
// bigint/. Includes nothing.
#ifndef BIGINT_GROUP_DEVICE_NVSHMEM_TYPES_H_
#define BIGINT_GROUP_DEVICE_NVSHMEM_TYPES_H_

// A struct's version: NVSHMEM_VERSION plus its size.
enum { NVSHMEM_VERSION = 1 << 16 };
enum { NVSHMEM_WITH_ID = 1 << 3 };  // of the flags of init
enum { NVSHMEM_INITIALIZED = 2 };   // of statuses, from that one on

typedef struct {
    int version;
    char internal[124];
} nvshmem_id;
typedef struct {
    int version;
    void *mpi_comm;
    struct {
        int version;
        struct {
            int version;
            nvshmem_id *id;
            int rank, ranks;
        } id_args;
        char content[96];
    } args;
} nvshmem_attributes;

#endif  // BIGINT_GROUP_DEVICE_NVSHMEM_TYPES_H_
