// result.h: what the functions of the rooms below bigint/ return. bigint/ maps it to bigint_status
// in one place. Includes nothing.
#ifndef PRIMITIVES_WORDS_RESULT_H_
#define PRIMITIVES_WORDS_RESULT_H_

typedef enum {
    RESULT_OK = 0,
    RESULT_REFUSED,       // the arguments lie outside what is valid; nothing was done
    RESULT_NO_DEVICE,     // built without CUDA; nothing was done
    RESULT_NO_MEMORY,     // the device or the host has none left for this; nothing was done
    RESULT_DEVICE_ERROR,  // a launch or a copy failed; outputs are not to be used
    RESULT_SINGULAR,      // the operand has no inverse or is not finite; outputs are not to be used
} result;

// A CUDA stream, without CUDA's headers.
typedef struct CUstream_st *cuda_stream;

#endif  // PRIMITIVES_WORDS_RESULT_H_
