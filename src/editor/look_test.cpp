// What is shown besides the model: trails, hidden joints, the axes in the corner.
#include "editor/document/clip_time.h"
#include "editor/document/keying.h"
#include "editor/document/orbit.h"
#include "editor/pose/pick.h"
#include "editor/session_test_support.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {

using test::Editor;
using test::viewOfModel;

TEST_CASE("trail: it is where the joint is at every time, and follows clip, joint and keys") {
  Editor editor;
  editor.open("demo:humanoid");
  Document& document = editor.document;
  CHECK(getTrail(document).points.empty());
  const std::uint32_t hand = editor.node("LeftHand");
  selectJoint(document, hand);
  document.settings.playing = false; // else the clips cross-fade
  setClip(document, "walk");
  editor.frame();
  const Trail trail = getTrail(document);
  REQUIRE(trail.points.size() > 10);
  const float seconds = clipSeconds(document);
  for (const std::size_t i : {std::size_t(3), trail.points.size() / 2}) {
    document.settings.time =
        seconds * static_cast<float>(i) / static_cast<float>(trail.points.size() - 1);
    editor.frame();
    CHECK(glm::distance(vec3(document.workbench.modelFromNode[hand][3]), trail.points[i]) < 1e-4f);
  }
  selectJoint(document, editor.node("RightHand"));
  CHECK(getTrail(document).points != trail.points);
  selectJoint(document, hand);
  document.autoKey = true;
  editor.rotate("LeftUpperArm", 0.6f);
  editor.frame();
  CHECK(getTrail(document).points != trail.points);
  setClip(document, "none");
  editor.frame();
  CHECK(getTrail(document).points.empty());
}

TEST_CASE("clip labels: without what all names begin with, and never empty") {
  Model model;
  const auto labels = [&](const std::vector<std::string>& names) {
    model.clips.assign(names.size(), {});
    std::vector<std::string> out;
    for (std::size_t i = 0; i < names.size(); ++i)
      model.clips[i].name = names[i];
    for (std::size_t i = 0; i < names.size(); ++i)
      out.push_back(clipLabel(model, i));
    return out;
  };
  using Names = std::vector<std::string>;
  CHECK(labels({"Rig|Run", "Rig|Jump"}) == Names{"Run", "Jump"});
  CHECK(labels({"Rig|Run", "Jump"}) == Names{"Rig|Run", "Jump"});
  CHECK(labels({"Rig|", "Rig|Jump", ""}) == Names{"Rig|", "Rig|Jump", "clip 2"});
  CHECK(labels({"Rig|a|Run", "Rig|b|Run"}) == Names{"Rig|a|Run", "Rig|b|Run"});
  CHECK(labels({"Rig|Run"}) == Names{"Run"});
}

TEST_CASE("hidden joints: with those below, picked no more, forgotten with the model") {
  Editor editor;
  editor.open("demo:humanoid");
  Document& document = editor.document;
  setClip(document, "none");
  editor.frame();
  const std::uint32_t arm = editor.node("LeftUpperArm");
  const std::uint32_t hand = editor.node("LeftHand");
  const View view = viewOfModel(document);
  const auto picked = [&] {
    const vec2 place(screenFromWorld(view, vec3(document.workbench.modelFromNode[hand][3])));
    return pickJoint(document.workbench.model, document.workbench.modelFromNode, view, place, 3.0f,
                     document.hidden);
  };
  CHECK(picked() == hand);
  hideJoint(document, arm, true, true);
  CHECK(isHidden(document, hand));
  CHECK_FALSE(isHidden(document, editor.node("RightHand")));
  CHECK(picked() != hand);
  hideJoint(document, hand, false, false);
  CHECK_FALSE(isHidden(document, hand));
  CHECK(isHidden(document, arm));
  editor.open("demo:arm");
  CHECK_FALSE(isHidden(document, arm));
}

TEST_CASE("axes in the corner: the end that was clicked faces the eye, then the other one") {
  Settings settings;
  for (const float yaw : {-120.0f, 0.0f, 33.0f, 170.0f})
    for (const AxisEnd& end : axisEnds(yaw, 20.0f)) {
      settings.yaw = yaw;
      settings.pitch = 20.0f;
      lookFrom(settings, end);
      auto after = axisEnds(settings.yaw, settings.pitch);
      CHECK(after.back().axis == end.axis);
      CHECK(after.back().positive == end.positive);
      CHECK(after.back().depth > 0.999f);
      lookFrom(settings, end);
      after = axisEnds(settings.yaw, settings.pitch);
      CHECK(after.back().axis == end.axis);
      CHECK(after.back().positive != end.positive);
    }
  const auto front = axisEnds(0.0f, 0.0f);
  const auto middle = axisEndAt(front, {0.0f, 0.0f}, 0.2f);
  REQUIRE(middle);
  CHECK(middle->axis == 2);
  CHECK(middle->positive);
  const auto right = axisEndAt(front, {1.0f, 0.05f}, 0.2f);
  REQUIRE(right);
  CHECK(right->axis == 0);
  CHECK(right->positive);
  const auto up = axisEndAt(front, {0.0f, -1.0f}, 0.2f);
  REQUIRE(up);
  CHECK(up->axis == 1);
  CHECK_FALSE(axisEndAt(front, {0.6f, 0.6f}, 0.2f));
}

} // namespace sinew
