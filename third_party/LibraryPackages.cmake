# What sinew's installed libraries are linked with: included by Packages.cmake for the build, and
# installed beside sinewConfig.cmake for programs that link them. sinew_package() is find_package()
# or find_dependency(), as the includer has defined it.

sinew_package(Threads)
sinew_package(glm)           # libglm-dev
sinew_package(fmt)           # libfmt-dev
sinew_package(assimp)        # libassimp-dev
sinew_package(embree 3)      # libembree-dev
sinew_package(meshoptimizer) # libmeshoptimizer-dev
sinew_package(pugixml)       # libpugixml-dev
sinew_package(PNG)           # libpng-dev
sinew_package(ZLIB)          # zlib1g-dev
sinew_package(PkgConfig)     # pkg-config

# sinew_pkg_config(EGL egl): the target PkgConfig::EGL.
macro(sinew_pkg_config name module)
  if(NOT TARGET PkgConfig::${name})
    pkg_check_modules(${name} REQUIRED QUIET IMPORTED_TARGET ${module})
  endif()
endmacro()
sinew_pkg_config(EGL egl)           # libegl-dev
sinew_pkg_config(HIGHWAY libhwy)    # libhwy-dev: vector instructions
sinew_pkg_config(MUPARSER muparser) # libmuparser-dev
sinew_pkg_config(SECCOMP libseccomp) # libseccomp-dev
sinew_pkg_config(WEBP libwebp)      # libwebp-dev: WebP textures

# sinew_header_and_library(stb stb stb/stb_image.h): the target stb::stb, for libraries that come
# without a file for CMake.
function(sinew_header_and_library name library header)
  if(TARGET ${name}::${name})
    return()
  endif()
  string(TOUPPER ${name} upper)
  find_path(${upper}_INCLUDE_DIR ${header} REQUIRED)
  find_library(${upper}_LIBRARY ${library} REQUIRED)
  add_library(${name}::${name} INTERFACE IMPORTED)
  target_include_directories(${name}::${name} SYSTEM INTERFACE ${${upper}_INCLUDE_DIR})
  target_link_libraries(${name}::${name} INTERFACE ${${upper}_LIBRARY})
endfunction()
# libstb-dev: headers; the library holds the implementation.
sinew_header_and_library(stb stb stb/stb_image.h)
# libdraco-dev: decompresses geometry of glTF files.
sinew_header_and_library(draco draco draco/compression/decode.h)
# libsquish-dev: unpacks the compressed blocks of DDS textures.
sinew_header_and_library(squish squish squish.h)
