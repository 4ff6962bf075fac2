# Options every target of ours is built with.
add_library(sinew_options INTERFACE)
target_include_directories(sinew_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(sinew_options INTERFACE -Wall -Wextra -Wshadow -Wconversion
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> # false alarms about std::string in GCC 12 (PR 105651)
  $<$<BOOL:${SINEW_WERROR}>:-Werror>)
target_compile_definitions(sinew_options INTERFACE
  GLM_FORCE_XYZW_ONLY
  SINEW_VERSION="${PROJECT_VERSION}")
if(SINEW_SANITIZE)
  target_compile_options(sinew_options INTERFACE -fsanitize=address,undefined
    -fno-sanitize-recover=undefined -fno-omit-frame-pointer -O1 -g1
    -Wno-maybe-uninitialized) # the instrumentation hides initialisation from GCC
  target_link_options(sinew_options INTERFACE -fsanitize=address,undefined)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

# sinew_library(name FOLDERS src-folders... LINK targets...): a static library of those folders.
function(sinew_library name)
  cmake_parse_arguments(ARG "" "" "FOLDERS;LINK" ${ARGN})
  set(globs ${ARG_FOLDERS})
  list(TRANSFORM globs PREPEND ${PROJECT_SOURCE_DIR}/src/)
  list(TRANSFORM globs APPEND /*.cpp)
  file(GLOB sources CONFIGURE_DEPENDS ${globs})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} PRIVATE sinew_options)
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
endfunction()

# sinew_tests(name SUFFIX _test LINK targets...): one doctest program of all src/*/*<suffix>.cpp.
function(sinew_tests name)
  cmake_parse_arguments(ARG "" "SUFFIX" "LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*/*${ARG_SUFFIX}.cpp)
  if(ARG_SUFFIX STREQUAL "_test")
    list(FILTER sources EXCLUDE REGEX "_gl_test\\.cpp$")
  endif()
  add_executable(${name} ${PROJECT_SOURCE_DIR}/src/core/test_main.cpp ${sources})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} sinew_options doctest::doctest)
  target_compile_definitions(${name} PRIVATE SINEW_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  add_test(NAME ${name} COMMAND ${name})
endfunction()
