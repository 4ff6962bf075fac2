// Views of several methods, drawn from the same workbench.
#include "app/settings_view.h"
#include "demo/demo.h"
#include "gl/context.h"
#include "picture/scene_renderer.h"
#include "render/offscreen.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

using namespace sinew;

namespace {

// Needs a current context.
struct PictureScene {
  Settings settings;
  Workbench workbench;
  SceneRenderer scene;
  Bounds bounds;

  PictureScene(const char* methods, const char* reference)
      : settings(makeSettings(methods, reference)) {
    workbench = makeWorkbench(findDemo("humanoid").make(), settings);
    bounds = posedOutline(workbench);
    uploadModel(scene, workbench, settings);
  }
  static Settings makeSettings(const char* methods, const char* reference) {
    Settings settings;
    settings.methods = parseMethods(methods);
    readSetting(reference, settings.difference);
    settings.clip = "wave";
    settings.time = 1.0f;
    return settings;
  }
  void draw(std::size_t view, const Viewport& viewport) {
    const Camera camera = makeCamera(settings, bounds, viewport.aspect());
    drawScene(scene, workbench, settings, makeView(settings, camera, bounds, viewport), {}, view);
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
  PictureScene test("lbs,arc-spline,lbs", "none");
  CHECK(test.image(0).rgba == test.image(2).rgba);
  CHECK(test.image(0).rgba != test.image(1).rgba);
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
  CHECK(same.workbench.differences[0].largest == 0.0f);
  const Image zero = same.image(0);
  same.scene.meshes[0].setField(std::vector<float>(same.workbench.rig.positions.size(), 0.0f));
  CHECK(same.image(0).rgba == zero.rgba);
  PictureScene other("arc-spline", "lbs");
  CHECK(other.image(0).rgba != zero.rgba);
}

TEST_CASE("a mesh is recreated where its method has changed, and removed where it is gone") {
  const HeadlessContext context;
  PictureScene test("lbs,lbs", "none");
  const Image lbs = test.image(1);
  test.settings.methods = parseMethods("lbs,arc-spline,dqs");
  const std::vector<std::size_t> changed = rebind(test.workbench, test.settings);
  evaluate(test.workbench, test.settings.time, Wrap::loop);
  uploadBinding(test.scene, test.workbench, test.settings, changed);
  REQUIRE(test.scene.meshes.size() == 3);
  CHECK(test.image(0).rgba == lbs.rgba);
  CHECK(test.image(1).rgba != lbs.rgba);
  PictureScene single("arc-spline", "none");
  single.bounds = test.bounds;
  CHECK(test.image(1).rgba == single.image(0).rgba);
  test.settings.methods = parseMethods("lbs");
  uploadBinding(test.scene, test.workbench, test.settings, rebind(test.workbench, test.settings));
  CHECK(test.scene.meshes.size() == 1);
}

TEST_CASE("the legend's colours are the shader's") {
  const HeadlessContext context;
  PictureScene test("lbs", "dqs");
  for (const FieldColors colors : {FieldColors::greyToRed, FieldColors::colorBlindSafe}) {
    test.settings.colormap = colors;
    for (const float value : {0.0f, 0.2f, 0.5f, 0.9f, 1.0f}) {
      std::vector<float> field(test.workbench.rig.positions.size(), value);
      test.scene.meshes[0].setField(field);
      View view = makeView(test.settings, makeCamera(test.settings, test.bounds, 1.0f), test.bounds,
                           {0, 0, 64, 64});
      view.show.shaded = false;
      view.show.field = true;
      const Image image = renderOffscreen({.width = 64, .height = 64, .samples = 1}, [&] {
        test.scene.renderer.begin(view);
        test.scene.renderer.draw(test.scene.meshes[0]);
      });
      const std::uint8_t* middle = &image.rgba[4 * (std::size_t{32} * 64 + 32)];
      const vec3 expected = fieldColor(view.fieldColors, value);
      for (int c = 0; c < 3; ++c)
        CHECK(std::abs(static_cast<float>(middle[c]) - 255.0f * expected[c]) < 2.0f);
    }
  }
}

namespace {

// The grey levels of a picture's pixels that are not the background, ascending. The background is
// black and nothing but the model is drawn.
std::vector<int> greyLevels(const Image& image) {
  std::vector<int> out;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
    const int grey =
        (299 * image.rgba[i] + 587 * image.rgba[i + 1] + 114 * image.rgba[i + 2]) / 1000;
    if (grey > 0) out.push_back(grey);
  }
  std::ranges::sort(out);
  return out;
}

std::vector<int> greyLevelsOfModel(const vec4& color, float yaw) {
  Settings settings;
  settings.background = {BackdropKind::color, vec3(0.0f)};
  settings.grid = settings.contactShadow = false;
  settings.yaw = yaw;
  Model model = findDemo("humanoid").make();
  for (Material& material : model.materials) {
    material = Material();
    material.baseColor = color;
  }
  Workbench workbench = makeWorkbench(std::move(model), settings);
  SceneRenderer scene;
  uploadModel(scene, workbench, settings);
  const Bounds bounds = posedOutline(workbench);
  return greyLevels(renderOffscreen({.width = 160, .height = 240, .samples = 1}, [&] {
    const Viewport viewport{0, 0, 160, 240};
    const Camera camera = makeCamera(settings, bounds, viewport.aspect());
    drawScene(scene, workbench, settings, makeView(settings, camera, bounds, viewport));
  }));
}

} // namespace

TEST_CASE("a white model keeps its form, and a dark one is seen on the studio's grey") {
  const HeadlessContext context;
  for (const float yaw : {30.0f, -60.0f}) {
    CAPTURE(yaw);
    const std::vector<int> white = greyLevelsOfModel(vec4(1.0f), yaw);
    REQUIRE(white.size() > 2000);
    CHECK(white[white.size() / 20] >= 80);
    CHECK(white[white.size() / 20] <= 125);
    CHECK(std::abs(white[white.size() / 2] - 170) <= 20);
    CHECK(white[19 * white.size() / 20] <= 230);
    CHECK(white[19 * white.size() / 20] >= 205);
    const std::vector<int> dark = greyLevelsOfModel(vec4(0.02f, 0.02f, 0.025f, 1.0f), yaw);
    CHECK(dark[9 * dark.size() / 10] <= 70); // the studio is 76 at its rim
    CHECK(dark[9 * dark.size() / 10] - dark[dark.size() / 10] >= 20);
  }
}

TEST_CASE("the key light casts a shadow on the model and on the ground") {
  const HeadlessContext context;
  PictureScene test("lbs", "none");
  test.settings.contactShadow = false;
  const Image with = test.image(0);
  test.settings.shadows = false;
  const Image without = test.image(0);
  std::size_t darker = 0;
  for (std::size_t i = 0; i < with.rgba.size(); i += 4) {
    CHECK(with.rgba[i] <= without.rgba[i] + 1);
    darker += with.rgba[i] + 8 < without.rgba[i] ? 1 : 0;
  }
  CHECK(darker > 500);
}

TEST_CASE("the shadow follows the pose") {
  const HeadlessContext context;
  PictureScene test("lbs", "none");
  const Image first = test.image(0);
  evaluate(test.workbench, 2.5, Wrap::loop);
  uploadPalette(test.scene, test.workbench);
  const Image moved = test.image(0);
  test.scene.castShadows.clear();
  CHECK(test.image(0).rgba == moved.rgba);
  CHECK(moved.rgba != first.rgba);
}
