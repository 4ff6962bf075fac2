// What uploads and draws in every frame asks for no memory of C++ (the driver's C has its own).
#include "app/crowd.h"
#include "core/count_new.h"
#include "demo/demo.h"
#include "gl/context.h"
#include "gl/framebuffer.h"
#include "picture/picture.h"

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
          doctest::skip(!test::kCountsNew)) {
  const HeadlessContext context;
  const Framebuffer target(64, 48);
  target.bind();
  for (const char* name : {"lbs", "dqs", "bones-blending", "arc-spline"}) {
    CAPTURE(name);
    Settings settings;
    readSetting(name, settings.methods);
    Workbench bench = makeWorkbench(findDemo("humanoid").make(), settings);
    bindForCrowd(bench);
    Crowd crowd = makeCrowd(bench, 5 * bench.rig.positions.size(), 1);
    const BoundMethod& bound = bench.bound.front();
    const auto materials = uploadMaterials(bench.model);
    for (const SkinOn skinOn : {SkinOn::vertexShader, SkinOn::cpu, SkinOn::compute}) {
      CAPTURE(toString(skinOn));
      PosedMesh posed = makePosedMesh(materials, bench.rig, bound, {}, skinOn);
      PosingTools tools;
      Renderer renderer;
      const View view = makeView(crowd.bounds);
      CHECK(countNewCalls([&](int i) {
              evaluateCrowd(bench, bound, crowd, static_cast<float>(i) / 30.0f);
              poseCrowd(posed.mesh, posed.posing.get(), tools, bench, bound, crowd);
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
    Workbench bench = makeWorkbench(findDemo("humanoid").make(), settings);
    Picture picture;
    uploadModel(picture, bench, settings);
    const View view = makeView(posedOutline(bench));
    CHECK(countNewCalls([&](int i) {
            evaluate(bench, i / 30.0, Wrap::loop);
            uploadPalette(picture, bench);
            drawPicture(picture, bench, settings, view);
            finishGl();
          }) == 0);
  }
}
