# `cmake --install`, and packages by `cpack -G DEB`, in two components:
#   runtime  the program, its manual, completions, desktop entry, thumbnailer, icon and media types
#   lib      libsinew.so, the C interface
#   python   the Python package, by libsinew.so
#   dev      sinew.h, the libraries of import, rig, skinning, weights, animation, export and OpenGL, their
#            headers, and what find_package(sinew) reads
# Nothing is built: `sinew` and the libraries of sinew_libraries have to be there.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The program.
install(TARGETS sinew RUNTIME COMPONENT runtime)
set(desktop ${PROJECT_SOURCE_DIR}/assets/desktop)
install(FILES ${desktop}/sinew.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications
  COMPONENT runtime)
install(FILES ${desktop}/sinew.thumbnailer DESTINATION ${CMAKE_INSTALL_DATADIR}/thumbnailers
  COMPONENT runtime)
install(FILES ${desktop}/sinew.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps
  COMPONENT runtime)
install(FILES ${desktop}/sinew-models.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages
  COMPONENT runtime)
set(sinew_package_runtime sinew)
set(sinew_package_dev libsinew-dev)
set(sinew_package_lib libsinew${sinew_abi})
set(sinew_package_python python3-sinew)
set(sinew_parts runtime dev)
if(TARGET sinew_shared)
  list(APPEND sinew_parts lib python)
endif()
foreach(part IN LISTS sinew_parts)
  set(package ${sinew_package_${part}})
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
    RENAME copyright COMPONENT ${part})
  install(FILES ${PROJECT_BINARY_DIR}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
    COMPONENT ${part})
endforeach()
add_custom_command(OUTPUT changelog.gz DEPENDS ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  COMMAND gzip -9nc ${PROJECT_SOURCE_DIR}/CHANGELOG.md > changelog.gz VERBATIM)
add_custom_target(changelog ALL DEPENDS changelog.gz)
add_dependencies(sinew changelog)

# Manual and completions, printed by the program from its table of commands.
install(CODE "
  set(sinew \"$<TARGET_FILE:sinew>\")
  set(staging \"${PROJECT_BINARY_DIR}/share\")
  set(destination \"${CMAKE_INSTALL_DATADIR}\")" COMPONENT runtime)
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/InstallManual.cmake COMPONENT runtime)

# The libraries, as sinew::core, sinew::import, ...
set(sinew_libraries sinew_process sinew_core sinew_cpu_skin sinew_weights sinew_import sinew_export
  sinew_shader_text sinew_gl)
foreach(library IN LISTS sinew_libraries)
  string(REPLACE sinew_ "" exported ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${exported})
endforeach()
install(TARGETS ${sinew_libraries} glad EXPORT sinewTargets
  ARCHIVE COMPONENT dev INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET sinew_shared)
  install(TARGETS sinew_shared EXPORT sinewTargets LIBRARY COMPONENT lib NAMELINK_COMPONENT dev
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  # Debian's Pythons, and Blender's with it, look in dist-packages.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/packages/python/sinew DESTINATION lib/python3/dist-packages
    COMPONENT python FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/src/c/sinew.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/ DESTINATION share/doc/libsinew-dev/examples
  COMPONENT dev PATTERN "__pycache__" EXCLUDE PATTERN "build" EXCLUDE)
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
install(EXPORT sinewTargets NAMESPACE sinew:: DESTINATION ${config_folder} COMPONENT dev)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/sinewConfig.cmake.in sinewConfig.cmake
  INSTALL_DESTINATION ${config_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(sinewConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sinewConfig.cmake ${PROJECT_BINARY_DIR}/sinewConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/third_party/LibraryPackages.cmake
  DESTINATION ${config_folder} COMPONENT dev)

# The headers: <sinew/TOPIC.h> includes these, and they are installed with all that they include. They are
# what examples/ and docs/library.md use:
#   import     import_model: a file becomes a Model; isolated_import: in a process of its own; error: what
#              both throw
#   rig        rig: a Model's meshes as one list of vertices over one list of joints
#   skinning   methods: the table of methods, with bind, pack and skin
#   cpu_skin   cpu_skin: the fast skinning; cpu_skin_bytes: what it has prepared as bytes, and back
#   weights    automatic_weights, bind_model: weights, and the model that they make; skeleton,
#              skeleton_tgf: the joints that they take, also from a file
#   animation  sample: clips; layer_stack: layers over them; ik, motion: inverse kinematics and
#              retargeting, which layers do not do
#   export     glb: a Model becomes a .glb; gltf_patch: within the file that it was read from
#   gl         context, offscreen, image: OpenGL without a window, and a picture of it; renderer: drawing;
#              shader_text: the shaders for a renderer of one's own
set(sinew_headers
  "import: import/import_model.h import/isolated_import.h core/error.h"
  "rig: rig/rig.h"
  "skinning: skinning/methods.h"
  "cpu_skin: cpu_skin/cpu_skin.h cpu_skin/cpu_skin_bytes.h"
  "weights: weights/automatic_weights.h weights/bind_model.h weights/skeleton.h weights/skeleton_tgf.h"
  "animation: animation/sample.h animation/ik/ik.h animation/layers/layer_stack.h animation/retarget/motion.h"
  "export: export/glb.h export/gltf_patch.h"
  "gl: gl/context.h render/renderer.h render/offscreen.h render/image.h render/shader_text.h")
install(CODE "
  set(source_folder \"${PROJECT_SOURCE_DIR}/src\")
  set(glad_folder \"${PROJECT_BINARY_DIR}/glad/include\")
  set(staging \"${PROJECT_BINARY_DIR}/include\")
  set(destination \"${CMAKE_INSTALL_INCLUDEDIR}\")
  set(topics \"${sinew_headers}\")" COMPONENT dev)
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/InstallHeaders.cmake COMPONENT dev)

# Packages: sinew, libsinew2, libsinew-dev and python3-sinew. The program's libraries are found by dpkg-shlibdeps.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sinew)
set(CPACK_PACKAGE_VENDOR sinew)
set(CPACK_PACKAGE_CONTACT "The sinew authors <authors@sinew.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "real-time character-skinning workbench")
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "Shows a rigged character under every skinning method, side by side,
compares them, makes weights for meshes that have none, and simulates ragdolls.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL ${sinew_parts})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME sinew)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS "fonts-dejavu-core, fonts-inter") # the letters of window and plots
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "libgl1-mesa-dri, libegl1, libgl1, ffmpeg") # films
set(CPACK_DEBIAN_LIB_PACKAGE_NAME ${sinew_package_lib})
set(CPACK_DEBIAN_LIB_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIB_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIB_DESCRIPTION "Skinning methods, automatic weights and baking by a C interface.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-sinew)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "${sinew_package_lib} (= ${PROJECT_VERSION}), python3, python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/scripts/cmake/prerm)
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "Skinning methods, automatic weights and baking on numpy arrays.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libsinew-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_DESCRIPTION "Static libraries, headers and find_package(sinew): import, rig,
skinning, weights, animation, export, and drawing by OpenGL.")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${sinew_package_lib} (= ${PROJECT_VERSION}), libassimp-dev, libegl-dev, libembree-dev, libfmt-dev, \
libdraco-dev, libglm-dev, libhwy-dev, libmeshoptimizer-dev, libminizip-dev, libmuparser-dev, libpng-dev, libpugixml-dev, libseccomp-dev, \
libsquish-dev, libstb-dev, libwebp-dev, pkg-config, zlib1g-dev") # minizip and zlib: named by Assimp's file for CMake
include(CPack)
