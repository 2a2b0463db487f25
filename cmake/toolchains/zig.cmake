# Builds with zig (pip install ziglang) for a system that PURL_ZIG_TARGET names, whichever the build machine is:
#     cmake -B build/farm -DCMAKE_TOOLCHAIN_FILE=cmake/toolchains/zig.cmake -DPURL_ZIG_TARGET=x86_64-linux-gnu.2.28 …
# zig has the C libraries of many systems inside, and links against any version of glibc; libc++ is linked in.
# It writes the names of processors with underscores: -DPURL_ARCH=x86_64_v3.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PURL_ZIG_TARGET)
if(NOT PURL_ZIG_TARGET)
  message(FATAL_ERROR "zig.cmake: PURL_ZIG_TARGET is empty; set it, as in -DPURL_ZIG_TARGET=x86_64-linux-gnu.2.28")
endif()
set(PURL_ZIG_TARGET ${PURL_ZIG_TARGET} CACHE STRING "The system to build for, as zig names it")
if(PURL_ZIG_TARGET MATCHES "macos")
  set(CMAKE_SYSTEM_NAME Darwin)
elseif(PURL_ZIG_TARGET MATCHES "windows")
  set(CMAKE_SYSTEM_NAME Windows)
else()
  set(CMAKE_SYSTEM_NAME Linux)
endif()
string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR ${PURL_ZIG_TARGET})
find_program(PURL_ZIG NAMES zig python-zig REQUIRED)
set(CMAKE_CXX_COMPILER ${PURL_ZIG} c++)
set(CMAKE_CXX_COMPILER_TARGET ${PURL_ZIG_TARGET})
set(CMAKE_FIND_ROOT_PATH ${CMAKE_CURRENT_LIST_DIR})  # nothing of the build machine
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
if(PURL_ZIG_TARGET MATCHES "^x86_64-linux")
  # __builtin_cpu_supports reads __cpu_model, which zig's own libraries lack.
  execute_process(COMMAND c++ -print-libgcc-file-name OUTPUT_VARIABLE libgcc OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(CMAKE_CXX_STANDARD_LIBRARIES ${libgcc})
endif()
