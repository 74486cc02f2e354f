# Several sources of one target are compiled as one, a unit: what a compiler does for each of them again (it reads the precompiled
# headers, it makes the instances of templates) is half of a build. A source may join a unit where nobody mentions what another one
# declares for itself alone, in an unnamed namespace: so each means the same as by itself. One that declares a type under the
# name that a header has for another is the last of its unit: a source behind it may include that header.
# RDMASTATE_UNITS=OFF compiles each source by itself, as the presets dev and asan do, and so stages clang-tidy and asan-tests.
option(RDMASTATE_UNITS "Compile several sources as one" OFF)
set(RDMASTATE_UNIT_SIZE 12 CACHE STRING "How many sources are compiled as one at most")

# words_of(text result): the identifiers of a source without its literals, each once; none of a comment, and no member of something.
function(words_of text result)
  string(REGEX REPLACE "//[^\n]*|(\\.|->|::)[A-Za-z_0-9]+" " " text "${text}")
  string(REGEX MATCHALL "[A-Za-z_][A-Za-z_0-9]*" words "${text}")
  list(REMOVE_DUPLICATES words)
  set(${result} "${words}" PARENT_SCOPE)
endfunction()

# own_names_of(text result): what a source declares for itself alone: what begins a line inside of an unnamed namespace.
function(own_names_of text result)
  set(names)
  string(FIND "${text}" "\nnamespace {\n" from)
  while(NOT from EQUAL -1)
    string(SUBSTRING "${text}" ${from} -1 text)
    string(FIND "${text}" "\n}  // namespace\n" to)
    string(SUBSTRING "${text}" 12 ${to} inside)
    string(SUBSTRING "${text}" ${to} -1 text)
    string(REGEX MATCHALL "\n[A-Za-z][^\n]*" lines "${inside}")
    foreach(line IN LISTS lines)
      if(line MATCHES "^\n(struct|class|enum class|enum) ([A-Za-z_0-9]+)" OR
         line MATCHES "()([A-Za-z_0-9]*[a-z][A-Za-z_0-9]*) ?[({=]")  # in capitals it is a macro
        list(APPEND names ${CMAKE_MATCH_2})
      endif()
    endforeach()
    string(FIND "${text}" "\nnamespace {\n" from)
  endwhile()
  set(${result} "${names}" PARENT_SCOPE)
endfunction()

# types_of_headers(result): the types that headers declare at the beginning of a line.
function(types_of_headers result)
  set(types)
  file(GLOB_RECURSE headers ${PROJECT_SOURCE_DIR}/agent/*.hpp ${PROJECT_SOURCE_DIR}/tests/*.hpp)
  foreach(header IN LISTS headers)
    file(STRINGS ${header} lines REGEX "^(struct|class|enum class|enum|using) ")
    foreach(line IN LISTS lines)
      if(line MATCHES "^(struct|class|enum class|enum|using) ([A-Za-z_0-9]+)")
        list(APPEND types ${CMAKE_MATCH_2})
      endif()
    endforeach()
  endforeach()
  set(${result} ${types} PARENT_SCOPE)
endfunction()
if(RDMASTATE_UNITS)
  types_of_headers(types)
endif()

# meet(these those result): whether a word is in both lists.
function(meet these those result)
  set(${result} FALSE PARENT_SCOPE)
  foreach(word IN LISTS ${these})
    if(word IN_LIST ${those})
      set(${result} TRUE PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# unit_for(count result): which of so many units a source with these `words` and `names` may join, or the number of a new one.
function(unit_for count result)
  set(unit 0)
  while(unit LESS count)
    list(LENGTH sources_${unit} size)
    meet(names words_${unit} taken)
    meet(names_${unit} words mentioned)
    if(size LESS RDMASTATE_UNIT_SIZE AND NOT taken AND NOT mentioned AND NOT is_full_${unit})
      break()
    endif()
    math(EXPR unit "${unit} + 1")
  endwhile()
  set(${result} ${unit} PARENT_SCOPE)
endfunction()

# join_unit(source): puts a source into one of the `count` units of who calls this; there may be one more then.
macro(join_unit source)
  file(READ ${source} text)
  string(REGEX REPLACE "\"([^\"\\\\\n]|\\\\.)*\"|'\\\\?[^\n]'" " " text "${text}")  # literals
  string(REGEX REPLACE "[][;]" "=" text "${text}")  # what means something in a list of CMake's
  words_of("${text}" words)
  own_names_of("${text}" names)
  unit_for(${count} unit)
  if(unit EQUAL count)
    math(EXPR count "${count} + 1")
  endif()
  list(APPEND sources_${unit} ${source})
  list(APPEND words_${unit} ${words})
  list(APPEND names_${unit} ${names})
  meet(names types is_full_${unit})
endmacro()

# write_unit(path source...): writes a unit; it names its sources as each clone does, so that ccache knows it again.
function(write_unit path)
  set(text)
  foreach(source IN LISTS ARGN)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(APPEND text "#include \"${source}\"\n")
  endforeach()
  file(CONFIGURE OUTPUT ${path} CONTENT "${text}" @ONLY)
endfunction()

# in_units(target): compiles the target's sources in units, but for those that are made in the build folder. An edit of a source may
# change which unit it belongs to, so CMake looks again then.
function(in_units target)
  if(NOT RDMASTATE_UNITS)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  set(count 0)
  set(compiled)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source)
    if(source MATCHES "^${PROJECT_BINARY_DIR}/" OR NOT EXISTS ${source})
      list(APPEND compiled ${source})
    else()
      join_unit(${source})
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    endif()
  endforeach()
  set(unit 0)
  while(unit LESS count)
    list(APPEND compiled ${CMAKE_CURRENT_BINARY_DIR}/units/${target}_${unit}.cpp)
    write_unit(${CMAKE_CURRENT_BINARY_DIR}/units/${target}_${unit}.cpp ${sources_${unit}})
    math(EXPR unit "${unit} + 1")
  endwhile()
  set_target_properties(${target} PROPERTIES SOURCES "${compiled}")
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  # gcc takes an included source for a header, which must not use what another file has for itself; and guesses about what it inlines.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage -Wno-maybe-uninitialized)
  endif()
endfunction()
