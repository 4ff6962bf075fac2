// Views of several methods, drawn from the same workbench.
#include "app/settings_view.h"
#include "demo/demo.h"
#include "gl/context.h"
#include "picture/picture.h"
#include "render/offscreen.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace sinew;

namespace {

// Needs a current context.
struct PictureScene {
  Settings settings;
  Workbench bench;
  Picture picture;
  Bounds bounds;

  PictureScene(const char* methods, const char* reference)
      : settings(settingsOf(methods, reference)) {
    bench = makeWorkbench(findDemo("humanoid").make(), settings);
    bounds = posedBounds(bench);
    uploadModel(picture, bench, settings);
  }
  static Settings settingsOf(const char* methods, const char* reference) {
    Settings settings;
    settings.methods = parseMethods(methods);
    readSetting(reference, settings.difference);
    settings.clip = "wave";
    settings.time = 1.0f;
    return settings;
  }
  void draw(std::size_t view, const Viewport& viewport) {
    const Camera camera = cameraOf(settings, bounds, viewport.aspect());
    drawPicture(picture, bench, settings, viewOf(settings, camera, bounds, viewport), {}, view);
  }
  Image image(std::size_t view) {
    return renderOffscreen({.width = 120, .height = 160, .samples = 1}, [&] {
      draw(view, {0, 0, 120, 160});
    });
  }
};

} // namespace

TEST_CASE("views of the same method are the same to the pixel") {
  const HeadlessContext context;
  PictureScene scene("lbs,arc-spline,lbs", "none");
  CHECK(scene.image(0).rgba == scene.image(2).rgba);
  CHECK(scene.image(0).rgba != scene.image(1).rgba);
}

TEST_CASE("a difference colours every view but the reference's own") {
  const HeadlessContext context;
  PictureScene plain("lbs,arc-spline", "none");
  PictureScene difference("lbs,arc-spline", "lbs");
  CHECK(plain.image(0).rgba == difference.image(0).rgba);
  CHECK(plain.image(1).rgba != difference.image(1).rgba);
}

TEST_CASE("no difference is the lowest colour everywhere") {
  const HeadlessContext context;
  // The reference has other normals alone, so it puts every vertex at the same place.
  PictureScene same("arc-spline", "arc-spline:normals=exact");
  CHECK(same.bench.differences[0].largest == 0.0f);
  const Image zero = same.image(0);
  same.picture.meshes[0].setField(std::vector<float>(same.bench.rig.positions.size(), 0.0f));
  CHECK(same.image(0).rgba == zero.rgba);
  PictureScene other("arc-spline", "lbs");
  CHECK(other.image(0).rgba != zero.rgba);
}

TEST_CASE("a mesh is recreated where its method has changed, and removed where it is gone") {
  const HeadlessContext context;
  PictureScene scene("lbs,lbs", "none");
  const Image lbs = scene.image(1);
  scene.settings.methods = parseMethods("lbs,arc-spline,dqs");
  const std::vector<std::size_t> changed = rebind(scene.bench, scene.settings);
  evaluate(scene.bench, scene.settings.time, Wrap::loop);
  uploadBinding(scene.picture, scene.bench, scene.settings, changed);
  REQUIRE(scene.picture.meshes.size() == 3);
  CHECK(scene.image(0).rgba == lbs.rgba);
  CHECK(scene.image(1).rgba != lbs.rgba);
  PictureScene single("arc-spline", "none");
  single.bounds = scene.bounds;
  CHECK(scene.image(1).rgba == single.image(0).rgba);
  scene.settings.methods = parseMethods("lbs");
  uploadBinding(scene.picture, scene.bench, scene.settings, rebind(scene.bench, scene.settings));
  CHECK(scene.picture.meshes.size() == 1);
}

TEST_CASE("the legend's colours are the shader's") {
  const HeadlessContext context;
  PictureScene scene("lbs", "dqs");
  for (const FieldColors colors : {FieldColors::blueToRed, FieldColors::colorBlindSafe}) {
    scene.settings.colormap = colors;
    for (const float value : {0.0f, 0.2f, 0.5f, 0.9f, 1.0f}) {
      std::vector<float> field(scene.bench.rig.positions.size(), value);
      scene.picture.meshes[0].setField(field);
      View view = viewOf(scene.settings, cameraOf(scene.settings, scene.bounds, 1.0f), scene.bounds,
                         {0, 0, 64, 64});
      view.show.shaded = false;
      view.show.field = true;
      const Image image = renderOffscreen({.width = 64, .height = 64, .samples = 1}, [&] {
        scene.picture.renderer.begin(view);
        scene.picture.renderer.draw(scene.picture.meshes[0]);
      });
      const std::uint8_t* middle = &image.rgba[4 * (std::size_t{32} * 64 + 32)];
      const vec3 expected = fieldColor(view.fieldColors, value);
      for (int c = 0; c < 3; ++c)
        CHECK(std::abs(static_cast<float>(middle[c]) - 255.0f * expected[c]) < 2.0f);
    }
  }
}
