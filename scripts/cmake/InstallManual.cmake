# Run by `cmake --install`: has ${sinew} print its manual pages and completions to ${staging}, and
# installs them below ${destination}.
file(REMOVE_RECURSE ${staging})
function(print_to file)
  cmake_path(GET file PARENT_PATH folder)
  file(MAKE_DIRECTORY ${staging}/${folder})
  execute_process(COMMAND ${sinew} ${ARGN} OUTPUT_FILE ${staging}/${file}
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()
# file: becomes file.gz, the same in every build.
function(compress file)
  execute_process(COMMAND gzip -9nf ${staging}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

print_to(man/man1/sinew.1 man)
file(STRINGS ${staging}/man/man1/sinew.1 pages REGEX "^\\.BR sinew.*-")
compress(man/man1/sinew.1)
foreach(page IN LISTS pages)
  string(REGEX REPLACE "^\\.BR sinew[^a-z]*([a-z]+) .*" "\\1" command "${page}")
  print_to(man/man1/sinew-${command}.1 man ${command})
  compress(man/man1/sinew-${command}.1)
endforeach()

print_to(bash-completion/completions/sinew completion bash)
print_to(fish/vendor_completions.d/sinew.fish completion fish)
set(zsh_folder site-functions)
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(zsh_folder vendor-completions) # Debian's zsh reads site-functions below /usr/local alone
endif()
print_to(zsh/${zsh_folder}/_sinew completion zsh)

file(INSTALL DESTINATION ${CMAKE_INSTALL_PREFIX}/${destination} TYPE DIRECTORY
  FILES ${staging}/man ${staging}/bash-completion ${staging}/zsh ${staging}/fish)
