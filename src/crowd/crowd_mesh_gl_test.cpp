// Crowds in other formats, baked, simplified and culled show what the crowd itself shows.
#include "core/error.h"
#include "crowd/crowd_mesh.h"
#include "demo/demo.h"
#include "gl/context.h"
#include "picture/scene_renderer.h"
#include "render/capture_skinned.h"
#include "render/image.h"
#include "render/offscreen.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

struct CrowdScene {
  Workbench workbench;
  Crowd crowd;
  std::shared_ptr<const GpuMaterials> materials;
  View view;
  PosingTools tools;

  CrowdScene(const char* method, std::size_t members, float distance = 1.0f)
      : workbench(makeHumanoidWorkbench(method)),
        crowd(makeCrowd(workbench, members * workbench.rig.positions.size(), 1)),
        materials(uploadMaterials(workbench.model)) {
    view.viewport = {0, 0, 320, 240};
    view.scene = crowd.bounds;
    view.camera = frameOutline(crowd.bounds, view.viewport.aspect(), 0.5f, 0.3f);
    view.camera.distance *= distance;
    view.show.grid = false;
    view.show.cullBackFaces = true;
  }

  static Workbench makeHumanoidWorkbench(const char* method) {
    Settings settings;
    readSetting(method, settings.methods);
    settings.clip = "walk";
    return makeWorkbench(findDemo("humanoid").make(), settings);
  }

  const BoundMethod& bound() const { return workbench.bound.front(); }

  CrowdMesh mesh(const CrowdDrawing& drawing) {
    return makeCrowdMesh(drawing, materials, workbench, bound(), crowd, PaletteStorage::automatic,
                         SkinOn::vertexShader);
  }

  void pose(CrowdMesh& mesh, float seconds) {
    beginCrowdFrame(mesh, crowd, view);
    evaluateCrowd(workbench, bound(), crowd, seconds);
    poseCrowd(mesh, tools, workbench, bound(), crowd, view, seconds);
  }

  Image picture(Renderer& renderer, CrowdMesh& mesh, float seconds, DrawCount* count = nullptr) {
    return renderOffscreen({.width = 320, .height = 240, .samples = 1}, [&] {
      pose(mesh, seconds);
      renderer.begin(view);
      const DrawCount drawn = drawCrowd(renderer, mesh);
      if (count != nullptr) *count = drawn;
    });
  }
};

float largestDistance(const std::vector<SkinnedMesh>& a, const std::vector<SkinnedMesh>& b) {
  REQUIRE(a.size() == b.size());
  float largest = 0.0f;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t v = 0; v < a[i].positions.size(); ++v) {
      const float off = glm::distance(a[i].positions[v], b[i].positions[v]);
      largest = off <= largest ? largest : off;
    }
  return largest;
}

} // namespace

TEST_CASE("the vertex shader reads every palette format as its rows are stored") {
  const HeadlessContext context;
  Programs programs;
  const struct {
    const char* method;
    PaletteFormat format;
  } cases[] = {{"rigid", PaletteFormat::f16},
               {"lbs", PaletteFormat::f16},
               {"dqs", PaletteFormat::dq32},
               {"dqs", PaletteFormat::dq16}};
  for (const auto& each : cases) {
    CAPTURE(each.method);
    CAPTURE(toString(each.format));
    CrowdScene scene(each.method, 3);
    CrowdMesh mesh = scene.mesh({.format = each.format});
    scene.pose(mesh, 0.3f);
    const std::vector<SkinnedMesh> captured = captureCrowd(programs, mesh.levels.front().mesh);
    const BoundMethod& bound = scene.bound();
    StoredPalette stored;
    storePalette(each.format, scene.crowd.rows, bound.binding.rowsPerEntry, stored);
    const std::vector<vec4> rows = loadPalette(each.format, stored, bound.binding.rowsPerEntry);
    const auto part = static_cast<std::ptrdiff_t>(rows.size() / 3);
    std::vector<SkinnedMesh> expected(3);
    for (std::ptrdiff_t i = 0; i < 3; ++i) {
      const Palette palette{{rows.begin() + i * part, rows.begin() + (i + 1) * part}, false};
      bound.method->skin(scene.workbench.rig, bound.binding, palette,
                         expected[static_cast<std::size_t>(i)]);
    }
    const float size = computeBounds(scene.workbench.rig.positions).size();
    CHECK(largestDistance(captured, expected) <= 1e-5f * size);
    const PaletteError error = crowdError(mesh.drawing, scene.workbench, bound, scene.crowd);
    CHECK(error.largest <= error.bound);
    CHECK(error.bound <= kFormatBound * size);
  }
}

TEST_CASE("baked palettes and vertices show the live crowd at the baked frames") {
  const HeadlessContext context;
  Programs programs;
  for (const char* method : {"lbs", "dqs", "arc-spline"})
    for (const CrowdBaking baking : {CrowdBaking::palette, CrowdBaking::vertices}) {
      CAPTURE(method);
      CrowdScene scene(method, 4);
      const Clip& clip = scene.workbench.model.clips[*scene.workbench.clip];
      CrowdMesh live = scene.mesh({});
      CrowdMesh baked = scene.mesh({.baking = baking});
      const auto frames = static_cast<float>(baked.baked->clips[*scene.workbench.clip].frames);
      const float frame = clip.seconds / frames;
      // All at the same moment, so that it is a baked frame of each.
      for (std::size_t i = 0; i < scene.crowd.members.size(); ++i) {
        scene.crowd.members[i].speed = 1.0f;
        scene.crowd.members[i].start = static_cast<float>(7 * i) * frame;
        baked.plays[i] = packPlay(*baked.baked, scene.crowd.members[i]);
      }
      const float size = computeBounds(scene.workbench.rig.positions).size();
      for (const int k : {0, 5, 200}) {
        const float seconds = static_cast<float>(k) * frame;
        scene.pose(live, seconds);
        const auto expected = captureCrowd(programs, live.levels.front().mesh);
        scene.pose(baked, seconds);
        CHECK(scene.crowd.rows.empty()); // nothing was posed
        const auto captured = captureCrowd(programs, baked.levels.front().mesh);
        CHECK(largestDistance(captured, expected) <= 2e-5f * size);
        CHECK((baked.bytes.perFrame == 0) == (k > 0)); // uploaded once
      }
    }
  checkGlErrors("baked crowds");
}

TEST_CASE("a baked frame of a member is the one that the vertex shader chooses") {
  BakedFrames baked;
  baked.clips = {{1.0f, 0, 30}, {2.0f, 30, 60}};
  CrowdMember member;
  member.clip = 1;
  member.start = 47.3f;
  member.speed = 0.9f;
  const vec4 play = packPlay(baked, member);
  for (const float seconds : {0.0f, 0.4f, 3.3f, 1000.0f, -5.0f}) {
    const float time = 47.3f + 0.9f * seconds;
    const float share = time / 2.0f - std::floor(time / 2.0f);
    const auto nearest = static_cast<std::uint32_t>(std::lround(60.0f * share)) % 60u;
    CHECK(shownFrame(play, seconds) == 30 + nearest);
  }
}

TEST_CASE("culling leaves the picture unchanged and draws fewer characters") {
  const HeadlessContext context;
  Renderer renderer;
  for (const char* method : {"lbs", "arc-spline"})
    for (const CrowdBaking baking : {CrowdBaking::none, CrowdBaking::palette}) {
      CAPTURE(method);
      CrowdScene scene(method, 40, 0.1f);
      // From within the crowd out over its corner.
      const Bounds& all = scene.crowd.bounds;
      scene.view.camera.target = glm::mix(all.center(), vec3(all.max.x, 0.0f, all.max.z), 0.5f);
      scene.view.camera.yaw = 3.93f;
      CrowdMesh every = scene.mesh({.baking = baking});
      CrowdMesh culled = scene.mesh({.baking = baking, .culls = true});
      DrawCount before, after;
      const Image whole = scene.picture(renderer, every, 0.4f, &before);
      const Image part = scene.picture(renderer, culled, 0.4f, &after);
      CHECK(difference(whole, part).changedFraction == 0.0);
      CHECK(after.triangles > 0);
      CHECK(after.triangles < before.triangles / 2);
    }
}

TEST_CASE("levels of detail and passes show nearly the same picture") {
  const HeadlessContext context;
  Renderer renderer;
  for (const CrowdBaking baking : {CrowdBaking::none, CrowdBaking::palette}) {
    CrowdScene scene("lbs", 30);
    CrowdMesh whole = scene.mesh({.baking = baking});
    CrowdMesh coarse = scene.mesh({.baking = baking, .lodPixels = 1.0f});
    CrowdMesh passes = scene.mesh({.baking = baking, .passes = 3});
    DrawCount before, after;
    const Image fine = scene.picture(renderer, whole, 0.2f, &before);
    const Image far = scene.picture(renderer, coarse, 0.2f, &after);
    CHECK(after.triangles < before.triangles);
    CHECK(difference(fine, far).changedFraction < 0.1);
    CHECK(difference(fine, scene.picture(renderer, passes, 0.2f)).changedFraction == 0.0);
  }
}

TEST_CASE("what does not go together is refused") {
  const HeadlessContext context;
  CrowdScene scene("arc-spline", 2);
  CHECK_THROWS_AS(scene.mesh({.format = PaletteFormat::f16}), Error);
  CHECK_THROWS_AS(scene.mesh({.baking = CrowdBaking::vertices, .lodPixels = 1.0f}), Error);
  CHECK_THROWS_AS(makeCrowdMesh({.culls = true}, scene.materials, scene.workbench, scene.bound(),
                                scene.crowd, PaletteStorage::automatic, SkinOn::cpu),
                  Error);
  CHECK_THROWS_AS(makeCrowdMesh({.baking = CrowdBaking::palette}, scene.materials, scene.workbench,
                                scene.bound(), scene.crowd, PaletteStorage::block,
                                SkinOn::vertexShader),
                  Error);
}
