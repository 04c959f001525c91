// status.h: what the functions of longmul/*.h return, and their stream. Includes nothing.
//
// Rules of all of them. Data and workspaces in device memory of the present device. A call enqueues
// on the stream (NULL: the default one), waits for nothing and allocates nothing; arguments outside
// what is valid are refused and change nothing. ..._workspace_bytes returns how much workspace a
// call needs, 0 for arguments that are refused. A workspace is aligned to 256 bytes and used by one
// stream at a time; it is zero before its first use and after use by something else, not between
// calls of one function. Thread safe.
#ifndef LONGMUL_STATUS_H_
#define LONGMUL_STATUS_H_

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LONGMUL_API __attribute__((visibility("default")))
#else
#define LONGMUL_API
#endif

typedef enum {
    LONGMUL_OK = 0,
    LONGMUL_REFUSED,       // arguments outside what is valid, or too little workspace
    LONGMUL_NO_DEVICE,     // built without CUDA
    LONGMUL_DEVICE_ERROR,  // a launch failed; outputs are not to be used
    LONGMUL_PEER_ERROR,  // of a group over processes: one is gone or did not come in time; close it
} longmul_status;

// A cudaStream_t.
typedef struct CUstream_st *longmul_stream;

#ifdef __cplusplus
}
#endif

#endif  // LONGMUL_STATUS_H_
