// Draws an animated character with sinew's shaders in a window of our own (GLFW, OpenGL 3.3 core).
//   draw_in_window MODEL METHOD [--frames N OUT.png]    N frames of 1/60 s; the last is saved
#include <sinew/animation.h>
#include <sinew/gl.h>
#include <sinew/import.h>
#include <sinew/skinning.h>

#define GLFW_INCLUDE_NONE // sinew/gl.h declares OpenGL
#include <GLFW/glfw3.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

namespace {

GLFWwindow* openWindow() {
  if (glfwInit() == GLFW_FALSE) throw sinew::graphicsError("GLFW cannot be started");
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_SAMPLES, 4);
  GLFWwindow* window = glfwCreateWindow(480, 480, "sinew in a window", nullptr, nullptr);
  if (window == nullptr) throw sinew::graphicsError("no window with OpenGL 3.3");
  glfwMakeContextCurrent(window);
  sinew::loadGl(glfwGetProcAddress);
  return window;
}

// Everything with OpenGL objects lives here: it ends before the window does.
void run(GLFWwindow* window, const char* file, const char* methodName, int frames,
         const char* picture) {
  const sinew::Model model = sinew::importModel(file);
  const sinew::Rig rig = sinew::buildRig(model);
  const sinew::Method& method = sinew::findMethod(methodName);
  const sinew::Binding binding = method.bind(rig, {});
  sinew::Renderer renderer;
  sinew::GpuMesh mesh(sinew::uploadMaterials(model), rig, method, binding);
  sinew::Palette palette;
  sinew::View view;
  view.scene = sinew::computeBounds(rig.positions);

  for (int frame = 1; glfwWindowShouldClose(window) == GLFW_FALSE; ++frame) {
    const float seconds = frames > 0 ? static_cast<float>(frame) / 60.0f : // repeatable pictures
                              static_cast<float>(glfwGetTime());
    sinew::Pose pose = sinew::restPose(model.hierarchy);
    if (!model.clips.empty())
      pose = sinew::sample(model.hierarchy, model.clips[0], seconds, sinew::Wrap::loop);
    sinew::packPalette(method, rig, binding, sinew::modelFromNodes(model.hierarchy, pose), palette);
    mesh.setPalette(palette);

    glfwGetFramebufferSize(window, &view.viewport.width, &view.viewport.height);
    view.camera = sinew::frameOutline(view.scene, view.viewport.aspect(), 0.5f, 0.2f);
    renderer.begin(view);
    renderer.draw(mesh);
    if (frame == frames) {
      const sinew::Viewport& v = view.viewport;
      return sinew::writePng(picture, sinew::readBoundFramebuffer(0, 0, v.width, v.height));
    }
    glfwSwapBuffers(window);
    glfwPollEvents();
  }
}

} // namespace

int main(int argc, char** argv) try {
  const bool counted = argc == 6 && std::string_view(argv[3]) == "--frames";
  if (argc != 3 && !counted) {
    std::fprintf(stderr, "usage: draw_in_window MODEL METHOD [--frames N OUT.png]\n");
    return 2;
  }
  run(openWindow(), argv[1], argv[2], counted ? std::atoi(argv[4]) : 0, argv[argc - 1]);
  glfwTerminate();
} catch (const std::exception& error) {
  std::fprintf(stderr, "draw_in_window: %s\n", error.what());
  return 1;
}
