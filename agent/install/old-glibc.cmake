# What is published starts where glibc 2.28 is (RHEL 8): this machine's compiler and libraries, another C library. A
# toolchain file; RDMASTATE_SYSROOT is the root of a Debian 11 with libc6-dev and libgcc-10-dev (tests/package/root.py makes
# one). tests/package/cases/binary.py sees which versions of the C library's symbols the binary asks for.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES RDMASTATE_SYSROOT)
if(NOT IS_DIRECTORY "${RDMASTATE_SYSROOT}/usr/include")
  message(FATAL_ERROR "RDMASTATE_SYSROOT names no root with headers: '${RDMASTATE_SYSROOT}'")
endif()
set(CMAKE_SYSROOT ${RDMASTATE_SYSROOT})
# Libraries and programs are this machine's.
foreach(what PROGRAM LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${what} NEVER)
endforeach()

# /usr/include itself has this machine's C library; so what else we take from there gets a folder of its own. The kernel's
# headers too: ours is what the code is written for.
execute_process(COMMAND g++ -dumpmachine OUTPUT_VARIABLE machine OUTPUT_STRIP_TRAILING_WHITESPACE)
set(headers ${CMAKE_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${headers})
foreach(one CLI dtl expat.h expat_external.h ${machine}/expat_config.h fmt infiniband libkmod.h libnl3 nlohmann rdma sha1.h sha2.h systemd yaml-cpp linux asm-generic ${machine}/asm)
  get_filename_component(name ${one} NAME)
  file(CREATE_LINK /usr/include/${one} ${headers}/${name} SYMBOLIC)
endforeach()
foreach(found LIBKMOD LIBIBVERBS LIBSYSTEMD)
  set(${found}_INCLUDE ${headers} CACHE PATH "Where its headers are" FORCE)
endforeach()

# glibc 2.32's names of errors (missing_functions.cpp): declared where the old <string.h> is, and made from its <errno.h>.
file(WRITE ${headers}/string.h "#pragma GCC system_header
#include_next <string.h>
#ifdef __cplusplus
extern \"C\" const char* strerrorname_np(int) noexcept;
extern \"C\" const char* strerrordesc_np(int) noexcept;
#endif
")
execute_process(COMMAND g++ --sysroot=${RDMASTATE_SYSROOT} -E -dM -include errno.h -x c++ /dev/null OUTPUT_VARIABLE macros COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "#define E[A-Z0-9]+ [0-9]+" macros "${macros}")
list(TRANSFORM macros REPLACE "#define (E[A-Z0-9]+) [0-9]+" "{\\1, \"\\1\"},")
list(SORT macros)
list(JOIN macros "\n" names)
file(WRITE ${headers}/errno_names.inc "${names}")

# No path of this machine is in the binary, so that two clones make the same bytes.
set(CMAKE_CXX_FLAGS_INIT "-isystem \"${headers}\" \"-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.\" \"-ffile-prefix-map=${CMAKE_BINARY_DIR}=build\"")
# The start files (-B) and libraries (-L) of the old C library, which the compiler would look for in /usr/lib first. That of
# exceptions comes with it: this machine's calls what only this machine's C library has.
set(old ${RDMASTATE_SYSROOT}/usr/lib/${machine})
set(CMAKE_EXE_LINKER_FLAGS_RELEASE_INIT "-B${old} -L${RDMASTATE_SYSROOT}/usr/lib/gcc/${machine}/10 -L${old} -L${RDMASTATE_SYSROOT}/lib/${machine}")
# Threads and dlopen were libraries of their own before glibc 2.34.
set(CMAKE_CXX_STANDARD_LIBRARIES_INIT "-Wl,--as-needed -lpthread -ldl")
