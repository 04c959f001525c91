// host_device.h: HOST_DEVICE, before functions that run on the host and in kernels alike. C and
// C++; includes nothing. Always inlined: a call costs more than most of them, and sources that are
// compiled for several instruction sets must not share a copy.
#ifndef PRIMITIVES_WORDS_HOST_DEVICE_H_
#define PRIMITIVES_WORDS_HOST_DEVICE_H_

#if defined(__CUDACC__)
#define HOST_DEVICE __host__ __device__ __forceinline__
#else
#define HOST_DEVICE inline __attribute__((always_inline))
#endif

#endif  // PRIMITIVES_WORDS_HOST_DEVICE_H_
