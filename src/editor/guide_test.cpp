#include "editor/document/framing.h"
#include "editor/guide.h"
#include "editor/session_test_support.h"
#include "metrics/compare.h"

#include <doctest/doctest.h>

#include <vector>

namespace sinew {
namespace {

using test::Editor;

std::vector<const Scene*> allScenes() {
  std::vector<const Scene*> all{&firstScene()};
  for (const Scene& scene : tourScenes())
    all.push_back(&scene);
  return all;
}

// Where the camera of a view of that shape sees a point: from its middle, 1 at its edge.
vec2 seen(const Document& document, float aspect, const vec3& point) {
  View view;
  view.viewport = {0, 0, static_cast<int>(600.0f * aspect), 600};
  view.camera = makeCamera(document.settings, document.orbit, aspect);
  if (document.follow) view.camera.target += carriedAway(document);
  view.scene = document.orbit.framed;
  const vec2 half(0.5f * static_cast<float>(view.viewport.width), 300.0f);
  return (vec2(screenFromWorld(view, point)) - half) / half;
}

// Smallest cross-section of the elbow over the played range, relative to the bind pose, by each of
// the views' methods.
std::vector<float> thinnest(Document& document, std::uint32_t node) {
  const Rig& rig = document.workbench.rig;
  std::uint32_t joint = 0;
  while (rig.joints[joint].node != node)
    ++joint;
  const JointProbe probe = probeJoint(document.workbench.model, rig, joint);
  std::vector<float> smallest(document.workbench.bound.size(), 1.0f);
  const TimeMap range = playedRange(document.workbench, Wrap::loop);
  for (int i = 0; i <= 8; ++i) {
    evaluate(document.workbench, glm::mix(range.begin, range.end, static_cast<float>(i) / 8.01f),
             Wrap::loop);
    for (std::size_t m = 0; m < smallest.size(); ++m) {
      const std::vector<vec3> posed =
          skinOnCpu(document.workbench, document.workbench.bound[m]).positions;
      smallest[m] =
          std::min(smallest[m], computeMetrics(probe, rig, "", posed, posed).crossSection);
    }
  }
  return smallest;
}

} // namespace

TEST_CASE("guide: the tour goes by keys, and leaves other keys to the window") {
  Editor editor;
  editor.open("demo:humanoid");
  Session& session = editor.session;
  const auto press = [&](const char* chord) {
    const bool heard = tourKey(session, chord);
    editor.frame();
    return heard;
  };
  CHECK_FALSE(press("Enter"));
  showScene(session, tourScenes().front());
  editor.frame();
  REQUIRE(tourStep(session) == 1);
  CHECK_FALSE(press("Left"));
  CHECK_FALSE(press("Space"));
  CHECK(press("Enter"));
  CHECK(press("Right"));
  CHECK(tourStep(session) == 3);
  CHECK(press("Left"));
  CHECK(tourStep(session) == 2);
  CHECK(press("Escape"));
  CHECK(tourStep(session) == 0);
  showScene(session, tourScenes().back());
  editor.frame();
  CHECK_FALSE(press("Right"));
  CHECK(press("Enter"));
  CHECK(tourStep(session) == 0);
}

TEST_CASE("guide: every scene sets up its state, whatever was there before, and shows its joint") {
  Editor editor;
  Document& document = editor.document;
  editor.open("demo:arm");
  for (const Scene* scene : allScenes()) {
    CAPTURE(scene->text);
    showScene(editor.session, *scene);
    editor.wait();
    REQUIRE(editor.session.guide.scene == scene);
    CHECK(document.loaded.model == kFirstModel);
    CHECK(document.settings.methods == parseMethods(scene->methods));
    CHECK(document.workbench.bound.size() == document.settings.methods.size());
    CHECK(document.settings.difference.has_value() == scene->difference);
    CHECK(document.workbench.differences.empty() != scene->difference);
    CHECK(document.settings.playing == scene->playing);
    CHECK_FALSE(holdsPose(document));
    CHECK(document.selected.has_value() == scene->bendRange);
    CHECK_NOTHROW(checkSettings(document.settings));
    const std::uint32_t elbow = editor.node("LeftLowerArm");
    const TimeMap range = playedRange(document.workbench, Wrap::loop);
    for (int i = 0; i < 20; ++i) {
      evaluate(document.workbench, glm::mix(range.begin, range.end, static_cast<float>(i) / 20.0f),
               Wrap::loop);
      for (const float aspect : {0.4f, 1.0f, 2.0f}) {
        const vec2 at = seen(document, aspect, vec3(document.workbench.modelFromNode[elbow][3]));
        CHECK(std::abs(at.x) < 1.0f);
        CHECK(std::abs(at.y) < 1.0f);
      }
    }
    // Something is changed before the next one.
    editor.rotate("Head", 0.3f);
    document.saved.pose = document.history.now().pose;
    document.settings.yaw = 100.0f;
    document.settings.methods.resize(1);
    document.heatMap = true;
    editor.frame();
  }
  document.settings.loop = false; // whatever the scene needs
  endGuide(editor.session);
  CHECK(document.settings.loop);
  CHECK_FALSE(document.settings.pingPong);
  CHECK(tourStep(editor.session) == 0);
}

TEST_CASE("guide: what the captions say is what is measured") {
  Editor editor;
  for (const Scene* scene : allScenes()) {
    if (scene->remarks.empty() || scene->joint.empty()) continue;
    CAPTURE(scene->text);
    showScene(editor.session, *scene);
    if (!hasModel(editor.document)) openModel(editor.session, {{.model = kFirstModel}});
    editor.wait();
    const std::vector<float> smallest = thinnest(editor.document, editor.node("LeftLowerArm"));
    for (std::size_t m = 0; m < smallest.size(); ++m) {
      const bool linear = editor.document.settings.methods[m].method->name == "lbs";
      CHECK_FALSE(remarkOn(editor.session, m).empty());
      CAPTURE(smallest[m]);
      CAPTURE(m);
      CHECK((linear ? smallest[m] < 0.75f : smallest[m] > 0.85f));
    }
  }
}

TEST_CASE("guide: remarks end with the scene's clip and with another model") {
  Editor editor;
  showScene(editor.session, firstScene());
  editor.open("demo:humanoid");
  editor.wait();
  CHECK(remarkOn(editor.session, 0) == "collapses");
  CHECK(remarkOn(editor.session, 1) == "stays round");
  CHECK(remarkOn(editor.session, 2).empty());
  editor.document.settings.clip = "walk";
  CHECK(remarkOn(editor.session, 0).empty());
  editor.document.settings.clip = "stretch";
  editor.open("demo:arm");
  CHECK(editor.session.guide.scene == nullptr);
}

} // namespace sinew
