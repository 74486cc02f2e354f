# Where ccache is installed, objects are kept in its folder, and another clone of the same sources takes them from there:
# paths below the checkout are hashed as relative ones, and a precompiled header by its bytes. RDMASTATE_CCACHE=OFF builds
# without; so does CCACHE_DISABLE=1 in the environment, for one build.
#
# It is called through a script of its name, since clang-tidy, which reads compile_commands.json, knows "ccache" and no "env".
option(RDMASTATE_CCACHE "Keep objects with ccache where it is installed" ON)
find_program(RDMASTATE_CCACHE_PROGRAM ccache)
if(RDMASTATE_CCACHE AND RDMASTATE_CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(launcher ${CMAKE_BINARY_DIR}/tools/ccache)
  file(CONFIGURE OUTPUT ${launcher} CONTENT [=[#!/bin/sh
export CCACHE_BASEDIR='@PROJECT_SOURCE_DIR@' CCACHE_NOHASHDIR=1 CCACHE_INODECACHE=1
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
exec '@RDMASTATE_CCACHE_PROGRAM@' "$@"
]=] @ONLY)
  file(CHMOD ${launcher} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
