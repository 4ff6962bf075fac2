# Options every target of ours is built with.
add_library(sinew_options INTERFACE)
target_include_directories(sinew_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(sinew_options INTERFACE -Wall -Wextra -Wshadow -Wconversion
  -ffp-contract=off # the same bits on every machine (docs/ragdoll.md): no fused multiply-add
  # False alarms about std::string in GCC 12 (PR 105651); clang's warnings are on in `sanitize`.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict$<SEMICOLON>-Wno-array-bounds$<SEMICOLON>-Wno-stringop-overflow>
  $<$<BOOL:${SINEW_WERROR}>:-Werror>)
target_compile_definitions(sinew_options INTERFACE
  GLM_FORCE_XYZW_ONLY
  SINEW_VERSION="${PROJECT_VERSION}")
if(SINEW_SANITIZE)
  # Without three checks, two of whose findings AddressSanitizer has too: a fifth of the compiler's
  # time. Tests themselves are checked by that one alone. What is THIN steers no fuzzing: none
  # of the readers that are fuzzed is there.
  set(tested $<NOT:$<BOOL:$<TARGET_PROPERTY:SINEW_TESTS>>>)
  set(steers $<NOT:$<OR:$<BOOL:$<TARGET_PROPERTY:SINEW_TESTS>>,$<BOOL:$<TARGET_PROPERTY:SINEW_THIN>>>>)
  target_compile_options(sinew_options INTERFACE -fsanitize=address -fno-omit-frame-pointer
    $<${steers}:-fsanitize-coverage=inline-8bit-counters$<COMMA>pc-table>
    $<${tested}:-fsanitize=undefined>
    $<${tested}:-fno-sanitize=null$<COMMA>object-size$<COMMA>vptr>
    $<${tested}:-fno-sanitize-recover=undefined>)
  target_compile_definitions(sinew_options INTERFACE SINEW_SANITIZED)
  target_link_options(sinew_options INTERFACE -fsanitize=address,undefined)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

# sinew_unity(target): with SINEW_UNITY, the target's sources are compiled some at a time, so that
# headers and templates cost once a batch and not once a source. Compiled one by one are those that
# name their parts alike: the skinning methods (bind(), pack(), skin()) and characters (joints); what
# includes itself, for each kind of vector instructions; and what alone includes CLI11.
function(sinew_unity target)
  if(NOT SINEW_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 20)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    if(source MATCHES "/(cpu_skin/skin_kernels|animation/lane_kernels|skinning/lane_palette|commands/command_line)\\.cpp$" OR source MATCHES "/demo/(arm|body_arm|body_arm_splines)\\.cpp$" OR
        (source MATCHES "/skinning/" AND EXISTS ${PROJECT_SOURCE_DIR}/shaders/skinning/${name}.glsl))
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()

# sinew_precompile(target [other]): with SINEW_UNITY, what nearly all sources include of other libraries
# is read from one precompiled file, the target's own or that of another which is compiled alike: a
# third of the compiler's time.
set(sinew_precompiled <algorithm> <array> <cmath> <filesystem> <functional> <map> <memory> <optional> <set>
  <span> <string> <variant> <vector> <fmt/format.h> <glm/geometric.hpp> <glm/gtc/quaternion.hpp>
  <glm/mat4x4.hpp> <glm/matrix.hpp> <nlohmann/json.hpp>)
function(sinew_precompile target)
  if(SINEW_UNITY AND ARGC GREATER 1)
    target_precompile_headers(${target} REUSE_FROM ${ARGV1})
  elseif(SINEW_UNITY)
    target_precompile_headers(${target} PRIVATE ${sinew_precompiled})
  endif()
endfunction()

# sinew_library(name FOLDERS src-folders... FILES src-files... WITHOUT src-files... LINK targets...
# BUILD_LINK targets... OPTIONS options... [THIN]): a static library of those folders and of those below
# them, and of single files, which another library is WITHOUT. BUILD_LINK: header-only libraries
# that no public header includes, so that programs which link the installed library do without them.
# THIN: it computes little itself, and is compiled in two thirds of the time, with sanitizers in half.
function(sinew_library name)
  cmake_parse_arguments(ARG "THIN" "" "FOLDERS;FILES;WITHOUT;LINK;BUILD_LINK;OPTIONS" ${ARGN})
  set(alike sinew_core) # what is compiled with the same options
  if(ARG_THIN)
    set(alike sinew_report)
    list(APPEND ARG_OPTIONS $<$<CONFIG:Release>:-O1> $<$<BOOL:${SINEW_SANITIZE}>:-O0>)
  elseif(ARG_OPTIONS)
    set(alike ${name})
  endif()
  if(NOT ARG_THIN)
    set_property(GLOBAL APPEND PROPERTY SINEW_FAST ${name})
  endif()
  set(globs ${ARG_FOLDERS})
  list(TRANSFORM globs PREPEND ${PROJECT_SOURCE_DIR}/src/)
  list(TRANSFORM globs APPEND /*.cpp)
  set(sources "")
  if(ARG_FOLDERS)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${globs})
  endif()
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$|/core/test_[a-z]+\\.cpp$")
  list(TRANSFORM ARG_WITHOUT PREPEND ${PROJECT_SOURCE_DIR}/src/)
  list(REMOVE_ITEM sources ${ARG_WITHOUT})
  list(TRANSFORM ARG_FILES PREPEND ${PROJECT_SOURCE_DIR}/src/)
  list(APPEND sources ${ARG_FILES})
  add_library(${name} STATIC ${sources})
  list(TRANSFORM ARG_BUILD_LINK REPLACE "(.+)" "$<BUILD_INTERFACE:\\1>")
  target_link_libraries(${name} PUBLIC ${ARG_LINK} ${ARG_BUILD_LINK}
    PRIVATE $<BUILD_INTERFACE:sinew_options>)
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
  set_target_properties(${name} PROPERTIES SINEW_THIN ${ARG_THIN})
  if(NOT ARG_THIN)
    # For libsinew.so. Hidden names are called directly, so the program is as fast as without.
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON
      CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  endif()
  sinew_unity(${name})
  if(name STREQUAL alike)
    sinew_precompile(${name})
  elseif(TARGET ${alike})
    sinew_precompile(${name} ${alike})
  endif()
endfunction()

# sinew_link_thin_last(program): of a function that stands in several objects, as templates do, the
# linker keeps the first. The libraries that are not THIN come whole before all else, so that it is theirs.
function(sinew_link_thin_last program)
  get_property(fast GLOBAL PROPERTY SINEW_FAST)
  add_dependencies(${program} ${fast})
  list(TRANSFORM fast REPLACE "(.+)" "$<TARGET_FILE:\\1>")
  set_property(TARGET ${program} APPEND PROPERTY LINK_DEPENDS ${fast})
  set(archives -Wl,--whole-archive ${fast} -Wl,--no-whole-archive)
  set(optimised $<OR:$<CONFIG:Release>,$<BOOL:${SINEW_SANITIZE}>>)
  target_link_options(${program} PRIVATE $<${optimised}:${archives}>)
endfunction()

# sinew_tests(name SUFFIX _test LINK targets... [APART folders...]): one doctest program of all
# *<suffix>.cpp below src/. The cases of some folders may be a test of their own, <name>-apart, so that
# two cores share them.
function(sinew_tests name)
  cmake_parse_arguments(ARG "" "SUFFIX;PRECOMPILED_AS" "LINK;APART" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*${ARG_SUFFIX}.cpp)
  if(ARG_SUFFIX STREQUAL "_test")
    list(FILTER sources EXCLUDE REGEX "_gl_test\\.cpp$")
  endif()
  set(core ${PROJECT_SOURCE_DIR}/src/core)
  add_executable(${name} ${core}/test_main.cpp ${core}/test_new.cpp ${sources})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} sinew_options doctest::doctest)
  # Values that have a toString() of ours are printed by it.
  target_compile_definitions(${name} PRIVATE DOCTEST_CONFIG_DOUBLE_STRINGIFY)
  # For one file alone: a path in every command would keep a compiler cache from being shared.
  set_source_files_properties(${core}/test_main.cpp PROPERTIES
    COMPILE_DEFINITIONS SINEW_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  # What is inlined beside operators that it replaces, compilers warn of.
  set_source_files_properties(${core}/test_new.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
    SKIP_PRECOMPILE_HEADERS ON)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
    SINEW_TESTS ON)
  sinew_unity(${name})
  sinew_precompile(${name} ${ARG_PRECOMPILED_AS})
  # Compiled in half the time, and hardly slower to run.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1> $<$<BOOL:${SINEW_SANITIZE}>:-O0>)
  sinew_link_thin_last(${name})
  if(ARG_APART)
    list(TRANSFORM ARG_APART REPLACE "(.+)" "*/src/\\1/*")
    list(JOIN ARG_APART , apart)
    add_test(NAME ${name}-apart COMMAND ${name} --source-file=${apart})
    set_tests_properties(${name}-apart PROPERTIES COST 2000) # the longest: first
    set(rest --source-file-exclude=${apart})
  elseif(SINEW_SANITIZE)
    set(rest --source-file-exclude=*/src/tools/figures/*) # they only compare the papers' figures
  endif()
  add_test(NAME ${name} COMMAND ${name} ${rest})
  set_tests_properties(${name} PROPERTIES COST 2000)
endfunction()
