# Run by `cmake --install`: writes the public headers to ${staging}/sinew and installs them from
# there. Within src/ a header includes "core/error.h"; installed, it includes "sinew/core/error.h",
# so that a program needs one include folder and no name of ours is ambiguous there.
#   source_folder  our src/          glad_folder  the generated OpenGL loader's headers
#   staging        a build folder    destination  the include folder below the prefix
#   topics         "TOPIC: header header ...", one entry for each <sinew/TOPIC.h>
file(REMOVE_RECURSE ${staging}/sinew)

function(write_installed_header from to)
  file(READ ${from} text)
  string(REPLACE "#include \"" "#include \"sinew/" text "${text}")
  string(REGEX REPLACE "#include <(glad/gl|KHR/khrplatform)\\.h>" "#include <sinew/\\1.h>" text
    "${text}")
  file(WRITE ${staging}/sinew/${to} "${text}")
endfunction()

# A header of ours and all that it includes.
function(add_public_header header)
  if(EXISTS ${staging}/sinew/${header})
    return()
  endif()
  write_installed_header(${source_folder}/${header} ${header})
  file(STRINGS ${source_folder}/${header} lines REGEX "^#include \"")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included "${line}")
    add_public_header(${included})
  endforeach()
endfunction()

foreach(entry IN LISTS topics)
  string(REGEX MATCH "^([a-z_]+): (.*)$" matched "${entry}")
  set(topic ${CMAKE_MATCH_1})
  separate_arguments(headers UNIX_COMMAND "${CMAKE_MATCH_2}")
  set(text "// The public headers of sinew::${topic}, all at once.\n#pragma once\n\n")
  foreach(header IN LISTS headers)
    add_public_header(${header})
    string(APPEND text "#include \"sinew/${header}\"\n")
  endforeach()
  file(WRITE ${staging}/sinew/${topic}.h "${text}")
endforeach()
write_installed_header(${glad_folder}/glad/gl.h glad/gl.h)
write_installed_header(${glad_folder}/KHR/khrplatform.h KHR/khrplatform.h)

file(INSTALL DESTINATION ${CMAKE_INSTALL_PREFIX}/${destination} TYPE DIRECTORY
  FILES ${staging}/sinew)
