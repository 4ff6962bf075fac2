// What uploads and draws in every frame asks for no memory of C++ (the driver's C has its own).
#include "app/crowd.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "gl/context.h"
#include "gl/framebuffer.h"
#include "picture/scene_renderer.h"

#include <doctest/doctest.h>

using namespace sinew;

namespace {

// How often memory is asked for by frames 5 to 20; the first ones compile and make buffers.
template <class Frame>
std::size_t countNewCalls(const Frame& frame) {
  std::size_t before = 0;
  for (int i = 0; i < 20; ++i) {
    if (i == 5) before = test::newCalls();
    frame(i);
  }
  return test::newCalls() - before;
}

View makeView(const Bounds& bounds) {
  View view;
  view.viewport = {0, 0, 64, 48};
  view.scene = bounds;
  view.show.grid = false;
  return view;
}

} // namespace

TEST_CASE("a frame of a crowd allocates nothing, by any method, whatever skins" *
          doctest::skip(test::kSanitized)) {
  const HeadlessContext context;
  const Framebuffer target(64, 48);
  target.bind();
  for (const char* name : {"lbs", "dqs", "bones-blending", "arc-spline"}) {
    CAPTURE(name);
    Settings settings;
    readSetting(name, settings.methods);
    Workbench workbench = makeWorkbench(findDemo("humanoid").make(), settings);
    bindForCrowd(workbench);
    Crowd crowd = makeCrowd(workbench, 5 * workbench.rig.positions.size(), 1);
    const BoundMethod& bound = workbench.bound.front();
    const auto materials = uploadMaterials(workbench.model);
    for (const SkinOn skinOn : {SkinOn::vertexShader, SkinOn::cpu, SkinOn::compute}) {
      CAPTURE(toString(skinOn));
      PosedMesh posed = makePosedMesh(materials, workbench.rig, bound, {}, skinOn);
      PosingTools tools;
      Renderer renderer;
      const View view = makeView(crowd.bounds);
      CHECK(countNewCalls([&](int i) {
              evaluateCrowd(workbench, bound, crowd, static_cast<float>(i) / 30.0f);
              poseCrowd(posed.mesh, posed.posing.get(), tools, workbench, bound, crowd);
              renderer.begin(view);
              renderer.draw(posed.mesh);
              finishGl();
            }) == 0);
    }
  }
}

TEST_CASE("a frame of one playing character allocates nothing, by any palette storage") {
  const HeadlessContext context;
  const Framebuffer target(64, 48);
  target.bind();
  for (const PaletteStorage storage : {PaletteStorage::texture, PaletteStorage::storageBuffer,
                                       PaletteStorage::block, PaletteStorage::uniformArray}) {
    CAPTURE(toString(storage));
    Settings settings;
    readSetting("arc-spline", settings.methods);
    settings.palette = storage;
    Workbench workbench = makeWorkbench(findDemo("humanoid").make(), settings);
    SceneRenderer scene;
    uploadModel(scene, workbench, settings);
    const View view = makeView(posedOutline(workbench));
    CHECK(countNewCalls([&](int i) {
            evaluate(workbench, i / 30.0, Wrap::loop);
            uploadPalette(scene, workbench);
            drawScene(scene, workbench, settings, view);
            finishGl();
          }) == 0);
  }
}
