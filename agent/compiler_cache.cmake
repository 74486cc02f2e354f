# Where ccache is installed, objects are kept in its folder, and another clone of the same sources takes them from there:
# paths below the checkout are hashed as relative ones, and a precompiled header by what it was made of: its own bytes name
# the clone (clang), and are 40 to 150 MB to read for each object (gcc). A file beside it holds that sum, where ccache looks
# for one (pch_external_checksum). clang's is never kept itself: it would ask for the other clone's headers. gcc's is kept by the
# bytes of the headers that the compiler says it has read (CCACHE_DEPEND). By what the preprocessor leaves of them it could be another
# one: the preprocessor reads an old .gch that lies there instead of the headers, and drops comments, while `#pragma once` knows a
# header again by its bytes. This file is a part of its key, so that what an earlier rule has kept is not taken.
# RDMASTATE_CCACHE=OFF builds without; so does CCACHE_DISABLE=1 in the environment, for one build.
#
# It is called through a script of its name, since clang-tidy, which reads compile_commands.json, knows "ccache" and no "env".
option(RDMASTATE_CCACHE "Keep objects with ccache where it is installed" ON)
find_program(RDMASTATE_CCACHE_PROGRAM ccache)
if(RDMASTATE_CCACHE AND RDMASTATE_CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(launcher ${CMAKE_BINARY_DIR}/tools/ccache)
  file(CONFIGURE OUTPUT ${launcher} CONTENT [=[#!/bin/sh
export CCACHE_BASEDIR='@PROJECT_SOURCE_DIR@' CCACHE_NOHASHDIR=1 CCACHE_INODECACHE=1
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime CCACHE_PCH_EXTSUM=1
case " $* " in
*" -x c++-header "*) ;;
*) exec '@RDMASTATE_CCACHE_PROGRAM@' "$@" ;;
esac
case " $* " in
*" -emit-pch "*) "$@" || exit ;;
*) CCACHE_DEPEND=1 CCACHE_EXTRAFILES='@CMAKE_CURRENT_LIST_FILE@' '@RDMASTATE_CCACHE_PROGRAM@' "$@" || exit ;;
esac
while [ "$1" != -o ]; do shift; done
# The dependencies that the compiler wrote, a word each, less the target's name: their contents are the header's.
sed 's/^[^ ]*: *//; s/\\$//' "$2.d" | xargs cat | sha256sum >"$2.sum"
]=] @ONLY)
  file(CHMOD ${launcher} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")  # CMake hides the path behind -Xclang, where ccache takes it as it stands
    set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -include-pch <PCH_FILE>)
  endif()
endif()
