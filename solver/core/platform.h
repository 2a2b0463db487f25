// The two macros of Purl.
#pragma once
#include <cstdlib>

// PURL_HD marks functions that run inside kernels: on the CPU, and on the GPU when nvcc compiles them.
#ifdef __CUDACC__
    #define PURL_HD __host__ __device__
#else
    #define PURL_HD
#endif

// PURL_ASSERT catches programming errors, never bad user input (throw Error for that). It does nothing on the GPU.
#if defined(NDEBUG) || defined(__CUDA_ARCH__)
    #define PURL_ASSERT(condition) ((void)0)
#else
    #define PURL_ASSERT(condition) ((condition) ? (void)0 : std::abort())
#endif
