# The tests that drive the program from outside.

find_package(Python3 REQUIRED COMPONENTS Interpreter)
# The command line: usage and files (cli_test.py), and by what a command does.
foreach(part "" -bake -check -compare -methods -motion -pictures -weights)
  string(REPLACE - _ file "cli${part}_test.py")
  add_test(NAME cli${part} COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/tests/${file}
    $<TARGET_FILE:sinew>)
  set_tests_properties(cli${part} PROPERTIES COST 100)
endforeach()

# Faults from outside, what is left behind, determinism: docs/safety.md.
add_test(NAME safety COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/tests/safety_test.py
  $<TARGET_FILE:sinew>)
set_tests_properties(safety PROPERTIES COST 300)

# Loads over and over, in short (scripts/soak is the long form): the driver's leaks are not counted.
if(NOT SINEW_SANITIZE)
  add_test(NAME soak COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/tests/soak_test.py
    $<TARGET_FILE:sinew_soaker>)
endif()

# Posed vertices of glTF, FBX, DirectX, Inter-Quake, MD5 and Blitz3D files against second readings,
# and of baked models in other engines; normal maps of several formats against the same as glTF.
foreach(format gltf gltf_keep gltf_pictures vrm skinning_data fbx x iqm collada assimp bake normal_map blender_scene)
  add_test(NAME ${format} COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/tests/${format}_test.py
    $<TARGET_FILE:sinew>)
endforeach()

# Pages in a headless Chromium, shaders in the compilers of other languages.
add_test(NAME page COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/tests/page_test.py
  $<TARGET_FILE:sinew>)
set_tests_properties(page PROPERTIES COST 300)
add_test(NAME bake-page COMMAND ${Python3_EXECUTABLE}
  ${PROJECT_SOURCE_DIR}/scripts/tests/bake_page_test.py $<TARGET_FILE:sinew>)

# The module for browsers, where scripts/web has built it, in node and in a headless Chromium.
add_test(NAME web COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/tests/web_test.py
  $<TARGET_FILE:sinew>)

# The npm package, where scripts/web_package has built it, in three.js in a headless Chromium.
add_test(NAME web-package COMMAND ${Python3_EXECUTABLE}
  ${PROJECT_SOURCE_DIR}/scripts/tests/web_package_test.py $<TARGET_FILE:sinew>)

# Shaders in WGSL by glslang and npm's Tint, and the page for WebGPU.
add_test(NAME webgpu COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/tests/webgpu_test.py
  $<TARGET_FILE:sinew>)

# The manual and completions in real shells; what `cmake --install` installs, by its examples.
add_test(NAME shells COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/tests/shells_test.py
  $<TARGET_FILE:sinew>)
add_test(NAME install COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/tests/install_test.py
  ${PROJECT_BINARY_DIR} $<$<BOOL:${SINEW_SANITIZE}>:--sanitized>
  COMMAND_EXPAND_LISTS)
set_tests_properties(install PROPERTIES COST 500) # long: early

# Velocity skinning against its formulas in numpy (python3-numpy).
add_test(NAME velocity COMMAND /usr/bin/python3 ${PROJECT_SOURCE_DIR}/scripts/tests/velocity_test.py
  $<TARGET_FILE:sinew>)

# Transferred weights solved again with scipy (python3-numpy, python3-scipy).
add_test(NAME transfer COMMAND /usr/bin/python3 ${PROJECT_SOURCE_DIR}/scripts/tests/transfer_test.py
  $<TARGET_FILE:sinew>)

# libsinew.so from C and from Python: Debian's, which has numpy (python3-numpy), whatever other comes
# first in PATH. A sanitized library does not load into an ordinary Python.
if(TARGET sinew_shared)
  add_test(NAME python COMMAND /usr/bin/python3 ${PROJECT_SOURCE_DIR}/scripts/tests/python_test.py
    $<TARGET_FILE:sinew> $<TARGET_FILE:sinew_shared>)
  set_tests_properties(python PROPERTIES COST 100)
endif()

# The leak checker of a sanitized build falls over in one run of some hundred while the graphics
# driver's threads end. command_line.py then tries again; the window and the pictures go without.
function(sinew_leaks_unchecked name)
  if(SINEW_SANITIZE)
    set_tests_properties(${name} PROPERTIES ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
  endif()
endfunction()

# The window.
foreach(part "" -files -motion -pose -views -weights)
  string(REPLACE - _ file "viewer${part}_test.py")
  add_test(NAME viewer${part} COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/tests/${file}
    $<TARGET_FILE:sinew>)
  # First, and one at a time: a window that is starved hears keys late.
  set_tests_properties(viewer${part} PROPERTIES COST 3000 RESOURCE_LOCK window PROCESSORS 4)
  sinew_leaks_unchecked(viewer${part})
endforeach()

# Golden images: the ordinary command line, a reference picture and a threshold (the share of
# pixels that may differ by more than 8 of 255: edges are drawn a little differently from driver to
# driver). The picture and its difference stay in the build folder's golden/.
#   sinew_golden(name MODEL arguments of `sinew render`...)
# `SHARED/x` stands for a model of ../shared/models; the test is left out where it is not there.
set(sinew_golden_threshold 0.004)
# Most have the plain look, which shows shapes; those with `--look` the light that is in their words.
set(sinew_golden_plain --look plain --background dark --light-yaw 35 --light-pitch 45 --no-contact-shadow)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/golden)
function(sinew_golden name)
  set(shared ${PROJECT_SOURCE_DIR}/../shared/models)
  set(words ${ARGN})
  list(GET words 0 model)
  string(REPLACE "SHARED/" "${shared}/" file "${model}")
  if(model MATCHES "^SHARED/" AND NOT EXISTS ${file})
    return()
  endif()
  list(TRANSFORM words REPLACE "^SHARED/" "${shared}/")
  set(reference ${PROJECT_SOURCE_DIR}/assets/golden/${name}.png)
  if(NOT "--look" IN_LIST words)
    list(APPEND words ${sinew_golden_plain})
  endif()
  set(command $<TARGET_FILE:sinew> render ${words} --quiet --size 320x320 --samples 4
    -o ${PROJECT_BINARY_DIR}/golden/${name}.png)
  add_test(NAME golden-${name} COMMAND ${command} --reference ${reference}
    --threshold ${sinew_golden_threshold})
  sinew_leaks_unchecked(golden-${name})
  # `cmake --build build/release --target golden` draws all references again: look at them.
  add_custom_target(golden-${name} COMMAND ${command} COMMAND ${CMAKE_COMMAND} -E copy
    ${PROJECT_BINARY_DIR}/golden/${name}.png ${reference})
  add_dependencies(golden golden-${name})
endfunction()

add_custom_target(golden)
sinew_golden(humanoid-rest demo:humanoid --clip none)
sinew_golden(humanoid-walk demo:humanoid --clip walk --time 0.3)
sinew_golden(humanoid-weights demo:humanoid --clip wave --time 1.0 --show skeleton,weights:LeftLowerArm)
sinew_golden(arm-rigid demo:arm --time 0.9 --method rigid --show wireframe)
sinew_golden(flexing-arm demo:flexing-arm --clip flex --time 2.0 --method arc-spline)
sinew_golden(flexing-arm-morphs demo:flexing-arm --clip none --morph biceps=1,forearm=1.5 --morph reach=-0.5)
sinew_golden(morph-cube SHARED/gltf_morph/AnimatedMorphCube.glb --time 1.5)
sinew_golden(tentacle demo:tentacle --time 1.0)
sinew_golden(body-arm demo:body-arm --time 1.0)
sinew_golden(body-arm-splines demo:body-arm-splines --clip bend-and-twists --time 2.0 --method arc-spline)
sinew_golden(body-arm-positions demo:body-arm-splines --clip bend --time 2.0 --method arc-spline --set normals=none,storage=transform)
sinew_golden(curved-tube demo:curved-tube --clip twist --time 2.0 --method arc-spline)
sinew_golden(curved-tube-straight demo:curved-tube --clip straighten --time 2.0 --method arc-spline)
sinew_golden(arm-twist-lbs demo:arm --clip elbow-twist --time 1.0 --camera 0,10,0.5)
sinew_golden(arm-twist-dqs demo:arm --clip elbow-twist --time 1.0 --method dqs --camera 0,10,0.5)
sinew_golden(arm-twist-bones-blending demo:arm --clip elbow-twist --time 1.0 --method bones-blending --camera 0,10,0.5)
sinew_golden(arm-twist-arc-spline demo:arm --clip elbow-twist --time 1.0 --method arc-spline --camera 0,10,0.5)
sinew_golden(arm-twist-bezier-spline demo:arm --clip elbow-twist --time 1.0 --method bezier-spline --camera 0,10,0.5)
sinew_golden(arm-bend-dqs-bulge-free demo:arm --clip elbow-bend --time 1.0 --method dqs --set bulge-free=on --camera 0,10,0.5)
sinew_golden(arm-bend-cor demo:arm --clip elbow-bend --time 1.0 --method cor --camera 0,10,0.5)
sinew_golden(arm-twist-stbs demo:arm --clip elbow-twist --time 1.0 --method stbs --camera 0,10,0.5)
sinew_golden(humanoid-rigid-ddm demo:humanoid --clip stretch --time 2.0 --method ddm --influences 1 --camera 20,5,1)
sinew_golden(per-joint demo:body-arm --clip bend-and-twists --time 2.0 --method per-joint --zone Elbow:method=bones-blending:curve=smooth --subdivide Elbow=1:4)
sinew_golden(methods demo:arm --clip elbow-twist --time 2.0 --method lbs,dqs,bones-blending,arc-spline --camera 0,10,0.5)
sinew_golden(difference demo:humanoid --clip stretch --time 2.25 --camera 15,8,1 --method lbs,arc-spline --difference lbs)
sinew_golden(tiny SHARED/tiny/tiny.x --time 0.5)
sinew_golden(wuson SHARED/wuson/Testwuson.X --clip Wuson_Run --time 0.3)
sinew_golden(male-suit SHARED/male_suit/Male_Suit.fbx --clip 3 --time 0.5)
sinew_golden(zombie SHARED/zombie/ZombieSmooth.fbx --clip 4 --time 0.5)
sinew_golden(arnaud SHARED/arnaud/arnaud.fbx --motion SHARED/arnaud/locomotions.fbx --time 0.5)
sinew_golden(fox SHARED/fox/Fox.glb --clip Run --time 0.5)
sinew_golden(knight SHARED/kaykit_knight/Knight.glb --clip 10 --time 0.5)
sinew_golden(hands SHARED/redeclipse_hands/hud_hands.md5mesh --time 0.3)
sinew_golden(cesium-man SHARED/cesium_man/CesiumMan.dae --time 0.5)
sinew_golden(mannequiny SHARED/mannequiny/mannequiny.glb --clip 1 --time 0.5)
sinew_golden(studio-humanoid demo:humanoid --clip walk --time 0.3 --look physical)
sinew_golden(studio-fox SHARED/fox/Fox.glb --clip Run --time 0.5 --look physical)
