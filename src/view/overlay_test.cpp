#include "animation/pose.h"
#include "render/test_models.h"
#include "view/overlay.h"

#include <doctest/doctest.h>

using namespace sinew;

namespace {

Bounds boundsOfTriangles(const Overlay& overlay) {
  Bounds bounds;
  for (const OverlayVertex& v : overlay.triangles)
    bounds.include(v.position);
  return bounds;
}

} // namespace

TEST_CASE("bones reach from joint to joint and are no wider than a fraction of the model") {
  const Model model = test::tube({.joints = 5});
  Overlay overlay;
  addSkeleton(overlay, model, modelFromNodes(model.hierarchy, restPose(model.hierarchy)),
              {.selectedNode = {}, .size = 5.0f});
  // Four bones of eight faces, and a mark on the last joint.
  CHECK(overlay.triangles.size() >= std::size_t{3} * 8 * 4);
  const Bounds bounds = boundsOfTriangles(overlay);
  CHECK(bounds.min.y == doctest::Approx(0.0f));
  CHECK(bounds.max.y >= 4.0f);
  CHECK(bounds.max.y <= 4.1f);
  CHECK(bounds.max.x <= 0.1f);
  CHECK(bounds.min.z >= -0.1f);
  CHECK(overlay.lines.empty());
}

TEST_CASE("the selected joint has its own colour and axes") {
  const Model model = test::tube({.joints = 5});
  const auto modelFromNode = modelFromNodes(model.hierarchy, restPose(model.hierarchy));
  Overlay plain;
  Overlay selected;
  addSkeleton(plain, model, modelFromNode, {.selectedNode = {}, .size = 5.0f});
  addSkeleton(selected, model, modelFromNode, {.selectedNode = 2, .size = 5.0f});
  CHECK(selected.lines.size() == 6);
  CHECK(selected.triangles.size() > plain.triangles.size());
}

TEST_CASE("helper nodes between joints are passed over, joints in one place are harmless") {
  Model model = test::tube({.joints = 3});
  // joint1's parent becomes a node that is no joint.
  model.hierarchy.nodes.push_back({"end", 3, {}});
  model.skins[0].joints.erase(model.skins[0].joints.begin() + 1); // joint1 binds nothing now
  model.meshes.clear();
  Overlay overlay;
  addSkeleton(overlay, model, modelFromNodes(model.hierarchy, restPose(model.hierarchy)),
              {.selectedNode = {}, .size = 3.0f});
  CHECK(boundsOfTriangles(overlay).max.y >= 2.0f);

  std::vector<mat4> collapsed(model.hierarchy.nodes.size(), mat4(1.0f));
  Overlay nothing;
  addSkeleton(nothing, model, collapsed, {.selectedNode = 1, .size = 3.0f});
  for (const OverlayVertex& v : nothing.triangles)
    CHECK(std::isfinite(v.position.x));
}

TEST_CASE("the grid has round steps, covers the scene and stays within its bounds") {
  for (const float size : {0.01f, 1.0f, 37.0f, 12000.0f}) {
    const Bounds scene{vec3(-0.5f * size, 0, -0.5f * size), vec3(0.5f * size, size, 0.5f * size)};
    Overlay overlay;
    addGrid(overlay, scene, 0.0f);
    const Bounds reach = gridBounds(scene, 0.0f);
    Bounds lines;
    for (const OverlayVertex& v : overlay.lines)
      lines.include(v.position);
    CHECK(lines.min.x < scene.min.x);
    CHECK(lines.max.z > scene.max.z);
    CHECK(lines.min.x >= reach.min.x);
    CHECK(lines.max.z <= reach.max.z);
    CHECK(lines.extent().y == 0.0f);
  }
  Overlay none;
  addGrid(none, Bounds{}, 0.0f);
  CHECK(none.lines.empty());
}
