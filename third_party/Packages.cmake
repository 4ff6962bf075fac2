# Finds every dependency as a Debian package and gives it an imported target.
# Nothing is downloaded and nothing is vendored: what is missing is named with its package.

macro(sinew_package)
  find_package(${ARGV} REQUIRED)
endmacro()
include(LibraryPackages)

find_package(nlohmann_json 3.11 REQUIRED) # nlohmann-json3-dev
find_package(Eigen3 REQUIRED NO_MODULE)   # libeigen3-dev
find_package(CLI11 REQUIRED)              # libcli11-dev
find_package(glfw3 REQUIRED)              # libglfw3-dev
find_package(doctest REQUIRED)            # doctest-dev
pkg_check_modules(CAIRO REQUIRED IMPORTED_TARGET cairo) # libcairo2-dev


# Debian builds Bullet twice; we take the one in double precision, and its flag with it.
pkg_check_modules(BULLET REQUIRED IMPORTED_TARGET bullet-float64) # libbullet-dev

# Dear ImGui: Debian's static library has the GLFW and OpenGL 3 backends inside.
find_path(IMGUI_INCLUDE_DIR imgui/imgui.h REQUIRED) # libimgui-dev
find_library(IMGUI_LIBRARY imgui REQUIRED)
add_library(imgui::imgui INTERFACE IMPORTED)
target_include_directories(imgui::imgui SYSTEM INTERFACE ${IMGUI_INCLUDE_DIR} ${IMGUI_INCLUDE_DIR}/imgui)
target_link_libraries(imgui::imgui INTERFACE ${IMGUI_LIBRARY} stb::stb glfw ${CMAKE_DL_LIBS})

include(Glad)
