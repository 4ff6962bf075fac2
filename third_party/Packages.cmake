# Finds every dependency as a Debian package and gives it an imported target.
# Nothing is downloaded and nothing is vendored: what is missing is named with its package.

find_package(Threads REQUIRED)
find_package(glm REQUIRED)               # libglm-dev
find_package(fmt REQUIRED)               # libfmt-dev
find_package(nlohmann_json 3.11 REQUIRED) # nlohmann-json3-dev
find_package(assimp REQUIRED)            # libassimp-dev
find_package(embree 3 REQUIRED)           # libembree-dev
find_package(Eigen3 REQUIRED NO_MODULE)  # libeigen3-dev
find_package(CLI11 REQUIRED)             # libcli11-dev
find_package(glfw3 REQUIRED)             # libglfw3-dev
find_package(meshoptimizer REQUIRED)     # libmeshoptimizer-dev
find_package(doctest REQUIRED)           # doctest-dev
find_package(PkgConfig REQUIRED)

pkg_check_modules(EGL REQUIRED IMPORTED_TARGET egl) # libegl-dev
add_library(EGL::EGL ALIAS PkgConfig::EGL)

pkg_check_modules(CAIRO REQUIRED IMPORTED_TARGET cairo) # libcairo2-dev

# Debian builds Bullet twice; we take the one in double precision, and its flag with it.
pkg_check_modules(BULLET REQUIRED IMPORTED_TARGET bullet-float64) # libbullet-dev
pkg_check_modules(MUPARSER REQUIRED IMPORTED_TARGET muparser) # libmuparser-dev

# stb: headers only here; the implementation is compiled where it is used.
find_path(STB_INCLUDE_DIR stb/stb_image.h REQUIRED) # libstb-dev
add_library(stb::stb INTERFACE IMPORTED)
target_include_directories(stb::stb SYSTEM INTERFACE ${STB_INCLUDE_DIR})
find_library(STB_LIBRARY stb REQUIRED)
target_link_libraries(stb::stb INTERFACE ${STB_LIBRARY})

# tinygltf: Debian's shared library, which brings its own PNG and JSON code.
find_path(TINYGLTF_INCLUDE_DIR tiny_gltf.h REQUIRED) # libtinygltf-dev
find_library(TINYGLTF_LIBRARY tinygltf REQUIRED)
add_library(tinygltf::tinygltf INTERFACE IMPORTED)
target_include_directories(tinygltf::tinygltf SYSTEM INTERFACE ${TINYGLTF_INCLUDE_DIR})
target_link_libraries(tinygltf::tinygltf INTERFACE ${TINYGLTF_LIBRARY})

# squish unpacks the compressed blocks of DDS textures.
find_path(SQUISH_INCLUDE_DIR squish.h REQUIRED) # libsquish-dev
find_library(SQUISH_LIBRARY squish REQUIRED)
add_library(squish::squish INTERFACE IMPORTED)
target_include_directories(squish::squish SYSTEM INTERFACE ${SQUISH_INCLUDE_DIR})
target_link_libraries(squish::squish INTERFACE ${SQUISH_LIBRARY})

# Dear ImGui: Debian's static library has the GLFW and OpenGL 3 backends inside.
find_path(IMGUI_INCLUDE_DIR imgui/imgui.h REQUIRED) # libimgui-dev
find_library(IMGUI_LIBRARY imgui REQUIRED)
add_library(imgui::imgui INTERFACE IMPORTED)
target_include_directories(imgui::imgui SYSTEM INTERFACE ${IMGUI_INCLUDE_DIR} ${IMGUI_INCLUDE_DIR}/imgui)
target_link_libraries(imgui::imgui INTERFACE ${IMGUI_LIBRARY} stb::stb glfw ${CMAKE_DL_LIBS})

include(Glad)
