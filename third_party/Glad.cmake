# The OpenGL loader, generated at build time by Debian's python3-glad from its packaged
# registry (--reproducible: no network). What is newer than OpenGL 3.3 is named as extensions, so
# that no other newer function is there to be called.
find_program(GLAD_EXECUTABLE glad REQUIRED) # python3-glad
set(glad_dir ${PROJECT_BINARY_DIR}/glad)
string(JOIN "," glad_extensions GL_KHR_debug GL_ARB_compute_shader GL_ARB_shader_image_load_store
       GL_ARB_shader_storage_buffer_object)
add_custom_command(
  OUTPUT ${glad_dir}/src/gl.c ${glad_dir}/include/glad/gl.h
  # Debian's interpreter: another python3 first in PATH does not see Debian's modules.
  COMMAND /usr/bin/python3 ${GLAD_EXECUTABLE} --quiet --api gl:core=3.3 --extensions ${glad_extensions}
          --out-path ${glad_dir} --reproducible c
  # Names of our own: a program that links sinew may have a glad as well.
  COMMAND sed -i -E "s/\\b(glad_gl|gladLoadGL|GLAD_GL_(VERSION|KHR|ARB)_)/sinew_\\1/g"
          ${glad_dir}/src/gl.c ${glad_dir}/include/glad/gl.h
  COMMENT "Generating the OpenGL 3.3 core loader"
  VERBATIM)
add_library(glad STATIC ${glad_dir}/src/gl.c)
target_include_directories(glad SYSTEM PUBLIC $<BUILD_INTERFACE:${glad_dir}/include>)
set_target_properties(glad PROPERTIES OUTPUT_NAME sinew_glad) # installed beside other libraries
add_library(glad::gl ALIAS glad)
