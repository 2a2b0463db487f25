// Plain typedefs of the API: fixed-size number tuples in the global namespace, and wide integers.
#pragma once
#include <maya/MApiNamespace.h>

typedef short short2[2];
typedef short short3[3];
typedef int int2[2];
typedef int int3[3];
typedef int int4[4];
typedef float float2[2];
typedef float float3[3];
typedef double double2[2];
typedef double double3[3];
typedef double double4[4];
typedef long long MInt64;
typedef unsigned long long MUint64;

#define MLL(number) number##LL

#ifndef NULL
    #define NULL 0
#endif
