#include "animation/pose.h"
#include "editor/pose/pick.h"

#include <doctest/doctest.h>

namespace sinew {
namespace {

// Joints at heights 0, 1 and 2, without skin or mesh, so that every node is a joint.
Model chain() {
  Model model;
  model.hierarchy.nodes = {
      {"root", kNoNode, {}}, {"middle", 0, {vec3(0, 1, 0)}}, {"end", 1, {vec3(0, 1, 0)}}};
  return model;
}

View viewOfChain() {
  View view;
  view.viewport = {0, 0, 600, 600};
  view.scene = {vec3(-1, 0, -1), vec3(1, 2, 1)};
  view.camera = frameOutline(view.scene, 1.0f, 0.0f, 0.0f);
  return view;
}

} // namespace

TEST_CASE("pick: a bone belongs to the joint it begins at, an end to itself, and air to none") {
  const Model model = chain();
  const auto pose = modelFromNodes(model.hierarchy, restPose(model.hierarchy));
  const View view = viewOfChain();
  const auto at = [&](float height, float aside) {
    const vec2 p = vec2(screenFromWorld(view, vec3(0, height, 0))) + vec2(aside, 0);
    return pickJoint(model, pose, view, p, 8.0f);
  };
  CHECK(at(0.5f, 0.0f) == 0u);
  CHECK(at(1.5f, 3.0f) == 1u);
  CHECK(at(2.01f, 0.0f) == 2u);
  CHECK_FALSE(at(1.0f, 30.0f).has_value());
}

TEST_CASE("pick: a model without joints") {
  Model model;
  model.hierarchy.nodes = {{"root", kNoNode, {}}};
  model.meshes.emplace_back();
  const auto pose = modelFromNodes(model.hierarchy, restPose(model.hierarchy));
  CHECK_FALSE(pickJoint(model, pose, viewOfChain(), vec2(300), 500.0f).has_value());
}

} // namespace sinew
