# libsinew.so: sinew_c with all that it needs, of which sinew.h's functions alone are to be seen. Its
# number counts incompatible changes: SINEW_ABI of sinew.h.
file(STRINGS ${PROJECT_SOURCE_DIR}/src/c/sinew.h sinew_abi REGEX "^#define SINEW_ABI [0-9]+$")
string(REGEX REPLACE ".* " "" sinew_abi "${sinew_abi}")
set(sinew_map ${PROJECT_SOURCE_DIR}/src/c/libsinew.map)
file(WRITE ${PROJECT_BINARY_DIR}/libsinew.c "")
add_library(sinew_shared SHARED ${PROJECT_BINARY_DIR}/libsinew.c)
set_target_properties(sinew_shared PROPERTIES OUTPUT_NAME sinew VERSION ${PROJECT_VERSION} SOVERSION ${sinew_abi}
  LINKER_LANGUAGE CXX LINK_DEPENDS ${sinew_map} EXPORT_NAME shared)
target_link_options(sinew_shared PRIVATE -Wl,--version-script=${sinew_map} -Wl,-Bsymbolic -Wl,--gc-sections
  -Wl,-z,defs)
target_link_libraries(sinew_shared PRIVATE $<BUILD_INTERFACE:sinew_options>
  $<LINK_LIBRARY:WHOLE_ARCHIVE,sinew_c>)
